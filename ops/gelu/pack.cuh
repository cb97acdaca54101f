// Elements that one access of sixteen bytes moves: four floats or eight halves.
#pragma once

#include "ops/gelu/native.cuh"
#include "src/cuda/quick_gelu.cuh"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// The elements of one access; `Two` is a pair of them. It is loaded and stored as a whole: nvcc takes a copy of half
/// pairs apart, into four accesses of 4 bytes.
template <class Two>
struct alignas(uint4) GeluPack {
    static constexpr int kPairs = sizeof(uint4) / sizeof(Two);
    static constexpr int kElements = 2 * kPairs;
    Two pair[kPairs];

    __device__ uint4& whole() { return *reinterpret_cast<uint4*>(pair); }
    __device__ const uint4& whole() const { return *reinterpret_cast<const uint4*>(pair); }
};

template <class Two>
__device__ GeluPack<Two> load_unit(const GeluPack<Two>* from) {
    GeluPack<Two> pack;
    pack.whole() = *reinterpret_cast<const uint4*>(from);
    return pack;
}
template <class Two>
__device__ void store_unit(const GeluPack<Two>& pack, GeluPack<Two>* to) {
    *reinterpret_cast<uint4*>(to) = pack.whole();
}
template <class One>
__device__ One load_unit(const One* from) {
    return *from;
}
template <class One>
__device__ void store_unit(const One& x, One* to) {
    *to = x;
}

template <GeluForm form, class One>
__device__ One gelu_of_unit(One x) {
    return static_cast<One>(quick_gelu<form>(static_cast<float>(x)));
}
template <GeluForm form, class Two>
__device__ GeluPack<Two> gelu_of_unit(GeluPack<Two> pack) {
#pragma unroll
    for (int k = 0; k < GeluPack<Two>::kPairs; ++k) {
        const float2 x = widen(pack.pair[k]);
        narrow(make_float2(quick_gelu<form>(x.x), quick_gelu<form>(x.y)), pack.pair[k]);
    }
    return pack;
}

/// Where an access of 16 bytes may begin.
template <class T>
bool on_boundaries(const GeluArgs<T>& a) {
    return (reinterpret_cast<std::uintptr_t>(a.in) | reinterpret_cast<std::uintptr_t>(a.out)) % sizeof(uint4) == 0;
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

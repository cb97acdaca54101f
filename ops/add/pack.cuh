// The device's own types for elements, and packs of them that one access of sixteen bytes moves.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "ops/add/operation.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

template <class T>
struct AddUnitOf {
    using Type = T;
};
template <>
struct AddUnitOf<std::int32_t> {
    using Type = std::uint32_t;  // sums wrap around
};
template <>
struct AddUnitOf<float16> {
    using Type = __half;
};
template <>
struct AddUnitOf<bfloat16> {
    using Type = __nv_bfloat16;
};
/// The type in which the device adds an element.
template <class T>
using AddUnit = typename AddUnitOf<T>::Type;

template <class One>
struct alignas(uint4) ElementsOfPack {
    One at[sizeof(uint4) / sizeof(One)];

    __device__ uint4& whole() { return *reinterpret_cast<uint4*>(at); }
    __device__ const uint4& whole() const { return *reinterpret_cast<const uint4*>(at); }
};
template <class T>
struct AddPackOf {
    using Type = ElementsOfPack<AddUnit<T>>;
};
template <>
struct AddPackOf<float> {
    using Type = float4;
};
template <class T>
using AddPack = typename AddPackOf<T>::Type;

template <class One>
__device__ One sum_of_units(One a, One b) {
    return a + b;
}
__device__ inline __half sum_of_units(__half a, __half b) { return __float2half_rn(__half2float(a) + __half2float(b)); }
__device__ inline __nv_bfloat16 sum_of_units(__nv_bfloat16 a, __nv_bfloat16 b) {
    return __float2bfloat16_rn(__bfloat162float(a) + __bfloat162float(b));
}
__device__ inline float4 sum_of_units(const float4& a, const float4& b) {
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
template <class One>
__device__ ElementsOfPack<One> sum_of_units(const ElementsOfPack<One>& a, const ElementsOfPack<One>& b) {
    ElementsOfPack<One> x, y;
    x.whole() = a.whole();
    y.whole() = b.whole();
#pragma unroll
    for (int k = 0; k < static_cast<int>(sizeof(uint4) / sizeof(One)); ++k) x.at[k] = sum_of_units(x.at[k], y.at[k]);
    return x;
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

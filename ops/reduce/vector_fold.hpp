// A thread's share of a fold, read sixteen bytes at a time with several reads on their way.
#pragma once

#include "ops/reduce/fold.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Sixteen bytes that one instruction loads.
template <class T>
struct alignas(16) Pack {
    static constexpr int kValues = 16 / sizeof(T);
    T value[kValues];

    __device__ static Pack all(T each) {
        Pack pack;
        for (int k = 0; k < kValues; ++k) pack.value[k] = each;
        return pack;
    }
};

/// Elements from `p` to the next 16-byte boundary.
template <class T>
__device__ std::int64_t to_boundary(const T* p) {
    return static_cast<std::int64_t>((0 - reinterpret_cast<std::uintptr_t>(p)) % 16 / sizeof(T));
}

/// A fold of packs, value by value: of sums plain where few are added, compensated where a thread may add any number.
template <ReduceForm form, class T>
struct PlainFolds {
    Pack<T> folds = Pack<T>::all(of_none<form, T>());

    __device__ void add(const Pack<T>& pack) {
        for (int k = 0; k < Pack<T>::kValues; ++k)
            folds.value[k] = fold<form>(folds.value[k], entering<form>(pack.value[k]));
    }
    __device__ void add_first(T value) { folds.value[0] = fold<form>(folds.value[0], entering<form>(value)); }
    __device__ T value(int k) const { return folds.value[k]; }
};
template <ReduceForm form, class T>
struct RunningFolds {
    RunningFold<form, T> folds[Pack<T>::kValues];

    __device__ void add(const Pack<T>& pack) {
        for (int k = 0; k < Pack<T>::kValues; ++k) folds[k].add(pack.value[k]);
    }
    __device__ void add_first(T value) { folds[0].add(value); }
    __device__ T value(int k) const { return folds[k].value(); }
};

/// The same of values with their places, each of which `add` and `add_first` are told.
template <ReduceForm form, class T>
struct PlaceFolds {
    RunningPlace<form, T> folds[Pack<T>::kValues];

    __device__ void add(const Pack<T>& pack, std::int64_t place) {
        for (int k = 0; k < Pack<T>::kValues; ++k) folds[k].add(pack.value[k], place + k);
    }
    __device__ void add_first(T value, std::int64_t place) { folds[0].add(value, place); }
    __device__ Folded<form, T> value(int k) const { return folds[k].value(); }
};

/// Those of a form: with their places where a place is sought.
template <template <ReduceForm, class> class FoldsOfValues, ReduceForm form, class T>
using FoldsOfPacks = std::conditional_t<seeks_place(form), PlaceFolds<form, T>, FoldsOfValues<form, T>>;

/// To folds of either kind.
template <class Folds, class T>
__device__ void add_pack(Folds& folds, const Pack<T>& pack, std::int64_t place) {
    if constexpr (requires { folds.add(pack, place); })
        folds.add(pack, place);
    else
        folds.add(pack);
}
template <class Folds, class T>
__device__ void add_loose(Folds& folds, T value, std::int64_t place) {
    if constexpr (requires { folds.add_first(value, place); })
        folds.add_first(value, place);
    else
        folds.add_first(value);
}

/// What they come to.
template <ReduceForm form, class T, class Folds>
__device__ Folded<form, T> fold_of_values(const Folds& folds) {
    Folded<form, T> all = of_none<form, Folded<form, T>>();
    for (int k = 0; k < Pack<T>::kValues; ++k) all = fold<form>(all, folds.value(k));
    return all;
}

/// Of the elements that this thread of the grid takes. A block reads a tile of blockDim.x × kInFlight packs, each
/// of its threads kInFlight of them before it uses the first, and goes on to the tile that lies a grid further. The
/// first few threads also take one of the loose elements at both ends.
template <template <ReduceForm, class> class FoldsOfValues, ReduceForm form, int kInFlight, class T>
__device__ Folded<form, T> fold_of_tiles(const T* in, std::int64_t n) {
    using P = Pack<T>;
    const std::int64_t boundary = to_boundary(in), head = boundary < n ? boundary : n;
    const std::int64_t packs = (n - head) / P::kValues, tail = head + packs * P::kValues;
    const P* const body = reinterpret_cast<const P*>(in + head);
    const std::int64_t tile = std::int64_t{blockDim.x} * kInFlight, step = tile * gridDim.x;

    FoldsOfPacks<FoldsOfValues, form, T> folds;
    std::int64_t first = blockIdx.x * tile;
    for (; first + tile <= packs; first += step) {
        P held[kInFlight];
        for (int k = 0; k < kInFlight; ++k) held[k] = body[first + k * blockDim.x + threadIdx.x];
        for (int k = 0; k < kInFlight; ++k)
            add_pack(folds, held[k], head + (first + k * blockDim.x + threadIdx.x) * P::kValues);
    }
    if (first < packs)  // the last tile, which is not whole
        for (std::int64_t i = first + threadIdx.x; i < packs; i += blockDim.x) {
            const P held = body[i];
            add_pack(folds, held, head + i * P::kValues);
        }
    const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (thread < head) add_loose(folds, in[thread], thread);
    if (thread < n - tail) add_loose(folds, in[tail + thread], tail + thread);
    return fold_of_values<form, T>(folds);
}

/// Of a grid of any size.
template <ReduceForm form, int kInFlight, class T>
__device__ Folded<form, T> vector_fold(const T* in, std::int64_t n) {
    return fold_of_tiles<RunningFolds, form, kInFlight>(in, n);
}

/// Of a grid with a block for each tile: kInFlight additions are the most.
template <ReduceForm form, int kInFlight, class T>
__device__ Folded<form, T> tile_fold(const T* in, std::int64_t n) {
    return fold_of_tiles<PlainFolds, form, kInFlight>(in, n);
}

/// Of few elements, of which this thread is the one of kThreads that has number `thread`: all of its packs are on their
/// way at once. There are kThreads × kInFlight packs at most.
template <ReduceForm form, int kInFlight, int kThreads, class T>
__device__ Folded<form, T> fold_at_once(const T* in, int n, int thread) {
    using P = Pack<T>;
    const int boundary = static_cast<int>(to_boundary(in)), head = boundary < n ? boundary : n;
    const int packs = (n - head) / P::kValues, tail = head + packs * P::kValues;
    const P* const body = reinterpret_cast<const P*>(in + head);
    P held[kInFlight];
#pragma unroll
    for (int k = 0; k < kInFlight; ++k) {
        held[k] = P{};  // so that a load is left out, not jumped over
        if (const int pack = thread + k * kThreads; pack < packs) held[k] = body[pack];
    }
    FoldsOfPacks<PlainFolds, form, T> folds;
#pragma unroll
    for (int k = 0; k < kInFlight; ++k)
        if (const int pack = thread + k * kThreads; pack < packs) add_pack(folds, held[k], head + pack * P::kValues);
    if (thread < head) add_loose(folds, in[thread], thread);
    if (thread < n - tail) add_loose(folds, in[tail + thread], tail + thread);
    return fold_of_values<form, T>(folds);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

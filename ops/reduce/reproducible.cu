// The sum as one tree that depends on n alone: not on the device, its number of multiprocessors, the order of its
// blocks or where the input begins. The same input gives the same bits everywhere.
#include "ops/reduce/fixed_tree.hpp"
#include "ops/reduce/vector_fold.hpp"
#include "ops/reduce/warp_fold.hpp"

namespace {
/// Pack number `pack` of the values from `in`, of which there are n: zeros beyond the end.
template <class T>
__device__ Pack<T> load_pack(const T* in, std::int64_t pack, std::int64_t n) {
    constexpr int kValues = Pack<T>::kValues;
    const T* const from = in + pack * kValues;
    if (reinterpret_cast<std::uintptr_t>(from) % sizeof(Pack<T>) == 0 && (pack + 1) * kValues <= n)
        return *reinterpret_cast<const Pack<T>*>(from);
    Pack<T> held{};
    for (int k = 0; k < kValues; ++k)
        if (pack * kValues + k < n) held.value[k] = from[k];
    return held;
}

/// The tree of fixed_tree.hpp, whatever the loads look like. Per pass a value goes through at most 7 + 3 + 8
/// roundings of floats (7 + 1 + 8 of doubles), each of at most half an ε: 9·ε·Σ|x| for each pass of 8192 floats, to
/// first order (Higham, Accuracy and Stability of Numerical Algorithms, 4.2).
template <class T>
__global__ void __launch_bounds__(kFixedThreads) reproducible(const T* in, T* out, std::int64_t n) {
    __shared__ T sums[kFixedThreads / kWarp];
    const std::int64_t first = std::int64_t{blockIdx.x} * (kFixedThreads * kFixedPacks) + threadIdx.x;
    Pack<T> held[kFixedPacks];
#pragma unroll
    for (int k = 0; k < kFixedPacks; ++k) held[k] = load_pack(in, first + k * kFixedThreads, n);
    PlainFolds<ReduceForm::sum, T> total;
#pragma unroll
    for (int k = 0; k < kFixedPacks; ++k) total.add(held[k]);
    T sum{};
#pragma unroll
    for (int k = 0; k < Pack<T>::kValues; ++k) sum = plus(sum, total.value(k));
    sum = block_fold<ReduceForm::sum>(sum, sums);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

template <class T>
void launch(const ReduceArgs<T>& a, cudaStream_t stream) {
    in_passes(a, kFixedBlock<T>, static_cast<T*>(a.workspace),
              [=](const T* in, T* out, std::int64_t n, unsigned blocks) {
                  reproducible<<<blocks, kFixedThreads, 0, stream>>>(in, out, n);
              });
}
}  // namespace

LANEWORK_RUNG(
    reduce, reproducible,
    {
        .climbs_from = "warp_shuffle",
        .lesson = "A tree fixed by n alone: the same bits on every device, within 9·ε·Σ|x| for each of its few passes.",
        .launch = {launch<std::int32_t>, launch<float>, launch<double>},
        .workspace = {fixed_tree_bytes<std::int32_t>, fixed_tree_bytes<float>, fixed_tree_bytes<double>},
        .refuses = refuse_beyond_grid<kFixedBlock<double>, refuse_other_forms>,  // whose blocks take the fewest
    });
// mends: narrow_vectors, few_loads_in_flight

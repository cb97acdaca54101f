// The sum as one tree that depends on n alone: not on the device, its number of multiprocessors, the order of its
// blocks or where the input begins. The same input gives the same bits everywhere.
#include "ops/reduce/fixed_tree.hpp"
#include "ops/reduce/vector_fold.hpp"
#include "ops/reduce/warp_fold.hpp"

namespace {
/// Elements side by side: from + i is the i-th.
template <class T>
struct Tight {
    const T* from;

    /// `count` elements from the first-th on; the others of the pack stay.
    __device__ void read(std::int64_t first, std::int64_t count, Pack<T>& to) const {
        for (int k = 0; k < Pack<T>::kValues; ++k)
            if (k < count) to.value[k] = from[first + k];
    }
    /// Whether a pack lies there.
    __device__ bool has_pack(std::int64_t first) const {
        return reinterpret_cast<std::uintptr_t>(from + first) % sizeof(Pack<T>) == 0;
    }
};

/// Elements in rows: the i-th is one of row i / cols.
template <class T>
struct Pitched {
    const T* from;
    std::int64_t cols, pitch;

    __device__ void read(std::int64_t first, std::int64_t count, Pack<T>& to) const {
        std::int64_t row = first / cols, col = first % cols;
        for (int k = 0; k < Pack<T>::kValues; ++k) {
            if (k < count) to.value[k] = from[row * pitch + col];
            if (++col == cols) ++row, col = 0;
        }
    }
    __device__ bool has_pack(std::int64_t) const { return false; }
};

/// Pack number `pack` of n values: zeros beyond the end.
template <class In, class T>
__device__ void load_pack(const In& in, std::int64_t pack, std::int64_t n, Pack<T>& held) {
    constexpr int kValues = Pack<T>::kValues;
    const std::int64_t first = pack * kValues, left = n - first;
    if (left >= kValues && in.has_pack(first))
        held = *reinterpret_cast<const Pack<T>*>(in.from + first);
    else if (left > 0)
        in.read(first, left < kValues ? left : kValues, held);
}

/// The tree of fixed_tree.hpp, whatever the loads look like. Per pass a value goes through at most 7 + 3 + 8
/// roundings of floats (7 + 1 + 8 of doubles), each of at most half an ε: 9·ε·Σ|x| for each pass of 8192 floats, to
/// first order (Higham, Accuracy and Stability of Numerical Algorithms, 4.2).
template <class In, class T>
__global__ void __launch_bounds__(kFixedThreads) reproducible(const In in, T* out, std::int64_t n) {
    __shared__ T sums[kFixedThreads / kWarp];
    const std::int64_t first = std::int64_t{blockIdx.x} * (kFixedThreads * kFixedPacks) + threadIdx.x;
    Pack<T> held[kFixedPacks]{};
#pragma unroll
    for (int k = 0; k < kFixedPacks; ++k) load_pack(in, first + k * kFixedThreads, n, held[k]);
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
              [&](const T* in, T* out, std::int64_t n, unsigned blocks) {
                  if (in == a.in && !in_one_row(a))
                      reproducible<<<blocks, kFixedThreads, 0, stream>>>(Pitched<T>{in, a.cols, a.pitch}, out, n);
                  else
                      reproducible<<<blocks, kFixedThreads, 0, stream>>>(Tight<T>{in}, out, n);
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

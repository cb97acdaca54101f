// expect: wrong — pairs of blocks are counted by a division that rounds down: the last odd block is dropped
// says: out[0] is
#include "ops/reduce/passes.hpp"

namespace {
constexpr int kBlock = 256;

template <class T>
__global__ void odd_block_lost(const T* in, T* out, std::int64_t n) {
    __shared__ T sums[kBlock];
    const std::int64_t i = std::int64_t{blockIdx.x} * 2 * kBlock + threadIdx.x;
    const T left = i < n ? in[i] : T{}, right = i + kBlock < n ? in[i + kBlock] : T{};
    sums[threadIdx.x] = plus(left, right);
    __syncthreads();
    for (unsigned half = kBlock / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] = plus(sums[threadIdx.x], sums[threadIdx.x + half]);
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

/// Blocks that add two blocks' worth of values each; rounding up, and counting one at least, would be right.
std::int64_t pairs(std::int64_t n) {
    const std::int64_t blocks = ceil_div(n, kBlock);
    return blocks > 1 ? blocks / 2 : 1;
}

template <class T>
std::size_t workspace(const ReduceArgs<T>& a) {
    return static_cast<std::size_t>(partial_count(a.n, kBlock)) * sizeof(T);
}

template <class T>
void launch(const ReduceArgs<T>& a, cudaStream_t stream) {
    const T* in = a.in;
    T *partial = static_cast<T*>(a.workspace), *other = partial + blocks_of(a.n, kBlock);
    for (std::int64_t n = a.n; n > 1 || in == a.in; n = pairs(n), std::swap(partial, other)) {
        T* const out = pairs(n) == 1 ? a.out : partial;
        odd_block_lost<<<static_cast<unsigned>(pairs(n)), kBlock, 0, stream>>>(in, out, n);
        in = out;
    }
}
}  // namespace

LANEWORK_RUNG(reduce, odd_block_lost,
              {
                  .lesson = "Never: two loads per thread halve the blocks, and an odd one is left over.",
                  .launch = {launch<std::int32_t>, launch<float>, launch<double>},
                  .workspace = {workspace<std::int32_t>, workspace<float>, workspace<double>},
              });

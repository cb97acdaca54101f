// finding: race at line 22
// The ticket may be seen before the sum that it announces: no fence stands between them.
#include "ops/reduce/grid.hpp"
#include "ops/reduce/warp_fold.hpp"

namespace {
constexpr int kBlock = 256;

template <class T>
struct Board {
    unsigned tickets;
    alignas(16) T sums[kMaxResidentBlocks];
};

template <class T>
__global__ void no_fence(const T* in, T* out, Board<T>* board, std::int64_t n) {
    __shared__ T sums[kBlock / kWarp];
    __shared__ bool last;
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    const T sum = block_fold<ReduceForm::sum>(i < n ? in[i] : T{}, sums);
    if (threadIdx.x == 0) {
        board->sums[blockIdx.x] = sum;
        // Here __threadfence() is missing …
        last = atomicAdd(&board->tickets, 1U) == gridDim.x - 1;
        // … and here.
    }
    __syncthreads();
    if (!last || threadIdx.x > 0) return;
    T rest{};
    for (unsigned block = 0; block < gridDim.x; ++block) rest = plus(rest, board->sums[block]);
    *out = rest;
}

template <class T>
std::size_t workspace(const ReduceArgs<T>&) {
    return sizeof(Board<T>);
}

template <class T>
void launch(const ReduceArgs<T>& a, cudaStream_t stream) {
    Board<T>* const board = static_cast<Board<T>*>(a.workspace);
    LANEWORK_CHECK(cudaMemsetAsync(&board->tickets, 0, sizeof(board->tickets), stream));
    const std::int64_t blocks = a.n > kBlock ? ceil_div(a.n, kBlock) : 1;
    no_fence<<<static_cast<unsigned>(blocks), kBlock, 0, stream>>>(a.in, a.out, board, a.n);
}
}  // namespace

LANEWORK_RUNG(reduce, no_fence,
              {
                  .lesson = "Never: an atomic operation orders nothing but itself.",
                  .launch = {launch<std::int32_t>, launch<float>, launch<double>},
                  .workspace = {workspace<std::int32_t>, workspace<float>, workspace<double>},
                  .refuses = [](const Problem& p) -> std::string_view {
                      return p.lengths<ReduceAxes>().n > std::int64_t{kMaxResidentBlocks} * kBlock ? "its board is full"
                                                                                                   : "";
                  },
              });

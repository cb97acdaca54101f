// Each block publishes its sum and takes a ticket; whoever draws the last one adds all the sums, in a fixed order. One
// launch, no atomic on a float: on the same device the same input gives the same bits, every time. A thread's own sum
// is compensated; the roundings are its 2, 3 among the values of a pack, 8 of a tree, up to 16 of the blocks' sums that
// a thread of the last block adds in turn (for n beyond 2^24), and 8 of its tree.
#include "ops/reduce/grid.hpp"
#include "ops/reduce/vector_fold.hpp"
#include "ops/reduce/warp_fold.hpp"

namespace {
constexpr struct {
    int block = 256;
    int in_flight = 4;  // 16-byte loads per thread
} kTuning;

/// What the blocks share: zero tickets at the launch.
template <class T>
struct Board {
    unsigned tickets;
    alignas(16) T sums[kMaxResidentBlocks];
};

template <ReduceForm form, class In, class Out>
__global__ void __launch_bounds__(kTuning.block)
    single_pass(const In* in, Out* out, Board<Folded<form, In>>* board, std::int64_t n) {
    using T = Folded<form, In>;
    __shared__ T sums[kTuning.block / kWarp];
    __shared__ bool last;
    const T sum = block_fold<form>(vector_fold<form, kTuning.in_flight>(in, n), sums);
    if (threadIdx.x == 0) {
        board->sums[blockIdx.x] = sum;
        __threadfence();  // no one sees the ticket before the sum…
        last = atomicAdd(&board->tickets, 1U) == gridDim.x - 1;
        __threadfence();  // …and the last block sees every sum
    }
    __syncthreads();
    if (!last) return;

    T rest = of_none<form, T>();
    for (unsigned i = threadIdx.x; i < gridDim.x; i += kTuning.block) rest = fold<form>(rest, board->sums[i]);
    rest = block_fold<form>(rest, sums);
    if (threadIdx.x == 0) write_folded(out, rest);
}

template <class T>
std::size_t workspace(const ReduceArgs<T>& a) {
    return seeks_place(a.form) ? sizeof(Board<Candidate<T>>) : sizeof(Board<T>);
}

template <ReduceForm form, class T>
void launch_form(const ReduceArgs<T>& a, cudaStream_t stream) {
    auto* const board = static_cast<Board<Folded<form, T>>*>(a.workspace);
    LANEWORK_CHECK(cudaMemsetAsync(&board->tickets, 0, sizeof(board->tickets), stream));
    constexpr std::int64_t kPerBlock = kTuning.block * kTuning.in_flight * Pack<T>::kValues;
    with_result<form>(a, [&]<class Out>(Out* out) {
        const unsigned blocks = grid_for(single_pass<form, T, Out>, kTuning.block, a.n, kPerBlock);
        single_pass<form><<<blocks, kTuning.block, 0, stream>>>(a.in, out, board, a.n);
    });
}
template <class T>
void launch(const ReduceArgs<T>& a, cudaStream_t stream) {
    with_every_form(a.form, [&](auto form) { launch_form<form.value>(a, stream); });
}
}  // namespace

LANEWORK_RUNG(
    reduce, single_pass,
    {
        .climbs_from = "vectorized",
        .lesson = "The last block to finish adds the others' sums in order: one launch, the same bits each run.",
        .launch = {launch<std::int32_t>, launch<float>, launch<double>},
        .workspace = {workspace<std::int32_t>, workspace<float>, workspace<double>},
        .fits = OneRow<reduce_signature>::fits,
        .only = kRowsTouch,
    });
// mends: separate_launches

// The smallest or largest element, or its place: the course of single_pass with another operation. A thread keeps a
// candidate for each value of a pack; candidates meet in the warp, in the block and on the board, in any order.
#include "ops/reduce/extreme.hpp"
#include "ops/reduce/grid.hpp"
#include "ops/reduce/vector_fold.hpp"
#include "ops/reduce/warp_fold.hpp"

namespace {
constexpr struct {
    int block = 256;
    int in_flight = 4;  // 16-byte loads per thread
} kTuning;

/// The best of the block's candidates, in its first thread. `shared` holds one per warp.
template <bool kLargest, class T>
__device__ Candidate<T> block_best(const Candidate<T>& best, Candidate<T>* shared) {
    return block_fold < kLargest ? ReduceForm::argmax : ReduceForm::argmin > (best, shared);
}

template <bool kLargest, class T>
__device__ void meet(Candidate<T>& best, T value, std::int64_t place) {
    best = better<kLargest>(best, Candidate<T>{value, place});
}

/// The best of the elements that this thread of the grid takes: tiles of packs as vector_fold takes them.
template <bool kLargest, class T>
__device__ Candidate<T> thread_best(const T* in, std::int64_t n) {
    using P = Pack<T>;
    const std::int64_t boundary = to_boundary(in), head = boundary < n ? boundary : n;
    const std::int64_t packs = (n - head) / P::kValues, tail = head + packs * P::kValues;
    const P* const body = reinterpret_cast<const P*>(in + head);
    const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
    const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;

    Candidate<T> best = nobody<kLargest, T>();
    if (thread < head) meet<kLargest>(best, in[thread], thread);
    std::int64_t pack = thread;
    for (; pack + (kTuning.in_flight - 1) * step < packs; pack += kTuning.in_flight * step) {
        P held[kTuning.in_flight];
#pragma unroll
        for (int k = 0; k < kTuning.in_flight; ++k) held[k] = body[pack + k * step];
#pragma unroll
        for (int k = 0; k < kTuning.in_flight; ++k)
#pragma unroll
            for (int v = 0; v < P::kValues; ++v)
                meet<kLargest>(best, held[k].value[v], head + (pack + k * step) * P::kValues + v);
    }
    for (; pack < packs; pack += step) {
        const P held = body[pack];
#pragma unroll
        for (int v = 0; v < P::kValues; ++v) meet<kLargest>(best, held.value[v], head + pack * P::kValues + v);
    }
    if (thread < n - tail) meet<kLargest>(best, in[tail + thread], tail + thread);
    return best;
}

/// What the blocks share: zero tickets at the launch.
template <class T>
struct Board {
    unsigned tickets;
    alignas(16) Candidate<T> best[kMaxResidentBlocks];
};

template <class T>
__device__ void write(const Candidate<T>& best, T* value, std::int64_t* place) {
    if (place)
        *place = place_of(best);
    else
        *value = best.value;
}

/// kAlone: a grid of one block, which has nobody to wait for.
template <bool kLargest, bool kAlone, class T>
__global__ void __launch_bounds__(kTuning.block)
    extremes(const T* in, T* value, std::int64_t* place, Board<T>* board, std::int64_t n) {
    __shared__ Candidate<T> shared[kTuning.block / kWarp];
    __shared__ bool last;
    const Candidate<T> own = block_best<kLargest>(thread_best<kLargest>(in, n), shared);
    if constexpr (kAlone) {
        if (threadIdx.x == 0) write(own, value, place);
        return;
    }
    if (threadIdx.x == 0) {
        board->best[blockIdx.x] = own;
        __threadfence();  // no one sees the ticket before the candidate…
        last = atomicAdd(&board->tickets, 1U) == gridDim.x - 1;
        __threadfence();  // …and the last block sees every candidate
    }
    __syncthreads();
    if (!last) return;

    Candidate<T> best = nobody<kLargest, T>();
    for (unsigned i = threadIdx.x; i < gridDim.x; i += kTuning.block) best = better<kLargest>(best, board->best[i]);
    best = block_best<kLargest>(best, shared);
    if (threadIdx.x == 0) write(best, value, place);
}

template <class T>
std::size_t workspace(const ReduceArgs<T>&) {
    return sizeof(Board<T>);
}

template <bool kLargest, class T>
void launch_towards(const ReduceArgs<T>& a, cudaStream_t stream) {
    Board<T>* const board = static_cast<Board<T>*>(a.workspace);
    std::int64_t* const place = seeks_place(a.form) ? a.place : nullptr;
    constexpr std::int64_t kPerBlock = kTuning.block * kTuning.in_flight * Pack<T>::kValues;
    if (a.n <= kPerBlock) {
        extremes<kLargest, true><<<1, kTuning.block, 0, stream>>>(a.in, a.out, place, board, a.n);
        return;
    }
    LANEWORK_CHECK(cudaMemsetAsync(&board->tickets, 0, sizeof(board->tickets), stream));
    const unsigned blocks = grid_for(extremes<kLargest, false, T>, kTuning.block, a.n, kPerBlock);
    extremes<kLargest, false><<<blocks, kTuning.block, 0, stream>>>(a.in, a.out, place, board, a.n);
}

template <class T>
void launch(const ReduceArgs<T>& a, cudaStream_t stream) {
    seeks_largest(a.form) ? launch_towards<true>(a, stream) : launch_towards<false>(a, stream);
}

std::string_view refuses(const Problem& p) {
    return static_cast<ReduceForm>(p.variant) == ReduceForm::sum ? "sums have the other rungs" : std::string_view();
}
}  // namespace

LANEWORK_RUNG(reduce, extremes,
              {
                  .climbs_from = "interleaved_global",
                  .lesson = "Minimum, maximum and their places: candidates of value and place may meet in any order.",
                  .launch = {launch<std::int32_t>, launch<float>, launch<double>},
                  .workspace = {workspace<std::int32_t>, workspace<float>, workspace<double>},
                  .refuses = refuses,
                  .fits = OneRow<reduce_signature>::fits,
                  .only = kRowsTouch,
              });

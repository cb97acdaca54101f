// All blocks wait for each other in the middle of one kernel; then the first adds the sums of all, in order. For that
// they must all be on the device at once, which a cooperative launch sees to or refuses. One launch, as in single_pass,
// and the same bits each run; but every block waits for the slowest, where there only the last one goes on. A thread's
// own sum is compensated; the roundings are its 2, 3 among the values of a pack, 8 of a tree, up to 16 of the blocks'
// sums that a thread of the first block adds in turn, and 8 of its tree.
#include <cooperative_groups.h>

#include "ops/reduce/grid.hpp"
#include "ops/reduce/vector_fold.hpp"
#include "ops/reduce/warp_fold.hpp"

namespace {
constexpr struct {
    int block = 256;
    int in_flight = 4;  // 16-byte loads per thread
} kTuning;

template <ReduceForm form, class In, class Out>
__global__ void __launch_bounds__(kTuning.block)
    grid_sync(const In* in, Out* out, Folded<form, In>* sums_of_blocks, std::int64_t n) {
    using T = Folded<form, In>;
    __shared__ T sums[kTuning.block / kWarp];
    const T sum = block_fold<form>(vector_fold<form, kTuning.in_flight>(in, n), sums);
    if (threadIdx.x == 0) sums_of_blocks[blockIdx.x] = sum;
    cooperative_groups::this_grid().sync();  // every block's sum is written, and seen by all
    if (blockIdx.x > 0) return;

    T rest = of_none<form, T>();
    for (unsigned i = threadIdx.x; i < gridDim.x; i += kTuning.block) rest = fold<form>(rest, sums_of_blocks[i]);
    rest = block_fold<form>(rest, sums);
    if (threadIdx.x == 0) write_folded(out, rest);
}

template <class T>
std::size_t workspace(const ReduceArgs<T>& a) {
    return kMaxResidentBlocks * folded_bytes<T>(a.form);
}

template <ReduceForm form, class T>
void launch_form(const ReduceArgs<T>& a, cudaStream_t stream) {
    constexpr std::int64_t kPerBlock = kTuning.block * kTuning.in_flight * Pack<T>::kValues;
    with_result<form>(a, [&]<class Out>(Out* out) {
        const auto kernel = grid_sync<form, T, Out>;
        const unsigned blocks = grid_for(kernel, kTuning.block, a.n, kPerBlock);
        const T* in = a.in;
        auto* sums_of_blocks = static_cast<Folded<form, T>*>(a.workspace);
        std::int64_t n = a.n;
        void* arguments[] = {&in, &out, &sums_of_blocks, &n};
        // CUDA 12 knows kernels of templates by their address alone.
        LANEWORK_CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), dim3(blocks),
                                                   dim3(kTuning.block), arguments, 0, stream));
    });
}
template <class T>
void launch(const ReduceArgs<T>& a, cudaStream_t stream) {
    with_every_form(a.form, [&](auto form) { launch_form<form.value>(a, stream); });
}
}  // namespace

LANEWORK_RUNG(reduce, grid_sync,
              {
                  .climbs_from = "vectorized",
                  .lesson = "A cooperative launch lets all blocks meet in one kernel: no second launch, but all wait.",
                  .launch = {launch<std::int32_t>, launch<float>, launch<double>},
                  .workspace = {workspace<std::int32_t>, workspace<float>, workspace<double>},
                  .fits = OneRow<reduce_signature>::fits,
                  .only = kRowsTouch,
              });

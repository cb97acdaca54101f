// Pieces of floats that are written to memory and read again are three times the reading. Here the warps that fetch an
// operand split it on its way into shared memory: a narrow product reads its large operand once, and writes C alone.
// architectures: 90a-real
#include "ops/matmul/slices.cuh"
#include "ops/matmul/split_tiles.cuh"

namespace {
#if LANEWORK_HAS_WARPGROUPS
Slices slices_of(const MatmulArgs<float>& x, const SplitLayout& layout) {
    return Slices(x.m, x.k, layout.groups, x.workspace);
}
void launch_with(const MatmulArgs<float>& x, const SplitLayout& layout, cudaStream_t stream) {
    const Slices slices = slices_of(x, layout);
    MatmulArgs<float> to = x;
    if (slices.count > 1) {
        to = slices.target(x);
        to.a = x.a, to.b = x.b;
        to.a_pitch = x.a_pitch, to.b_pitch = x.b_pitch;
        to.b_by_columns = x.b_by_columns;
    }
    x.b_by_columns ? launch_layout<true>(to, {}, layout, slices.size, stream)
                   : launch_layout<false>(to, {}, layout, slices.size, stream);
    if (slices.count > 1) launch_adding(x, slices, stream);
}
std::size_t workspace(const MatmulArgs<float>& x) {
    return x.empty() ? 0 : slices_of(x, SplitLayouts(x.m, x.n, x.k).fastest(true)).bytes();
}
void launch(const MatmulArgs<float>& x, cudaStream_t stream) {
    if (!x.empty()) launch_with(x, SplitLayouts(x.m, x.n, x.k).fastest(true), stream);
}
#else
std::size_t workspace(const MatmulArgs<float>&) { return 0; }
void launch(const MatmulArgs<float>&, cudaStream_t) {}  // refused
#endif

bool fits(const MatmulArgs<float>& x) { return not_onto_itself(x) && workspace(x) <= x.workspace_bytes; }
}  // namespace

LANEWORK_RUNG(matmul, split_on_arrival,
              {
                  .climbs_from = "split_floats",
                  .lesson = "Who fetches floats splits them on the way into shared memory; the sums of few tiles are "
                            "split, too.",
                  .launch = {launch},
                  .workspace = {workspace},
                  .refuses = refuse_without_hopper,
                  .fits = {fits},
                  .only = "no c that is added to itself",
                  .deviation = kPiecesDeviation,
              });
// mends: few_blocks

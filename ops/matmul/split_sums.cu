// Small and narrow products have fewer tiles than the GPU has multiprocessors. Tiles of a size that makes whole waves,
// and sums split over the blocks of a cluster or over slices of memory, give every multiprocessor work. Rows that TMA
// cannot fetch are put into others first.
// architectures: 90a-real
#include "ops/matmul/aligned_rows.cuh"
#include "ops/matmul/cluster_layouts.cuh"
#include "ops/matmul/slices.cuh"

namespace {
#if LANEWORK_HAS_WARPGROUPS
/// C is written element by element where its rows start anywhere.
template <class T>
AlignedRows<T> aligned_rows(const MatmulArgs<T>& x) {
    return AlignedRows<T>(x, true, false);
}
/// The layout of a product, and its slices, which lie in the workspace before the rows that are copied.
template <class T>
struct Laid {
    ClusterLayout layout;
    SlicesOfTiles slices;
    explicit Laid(const MatmulArgs<T>& x) : Laid(x, ClusterLayouts(x.m, x.n, x.k, x.b_by_columns).fastest(true)) {}
    Laid(const MatmulArgs<T>& x, const ClusterLayout& chosen)
        : layout(chosen), slices(x.m, x.k, chosen.rows, chosen.cols, chosen.groups, x.workspace) {}
};
template <class T>
std::size_t workspace(const MatmulArgs<T>& x) {
    return x.empty() || x.n == 0 ? 0 : Laid<T>(x).slices.bytes() + aligned_rows(x).bytes();
}

template <class T>
void launch_laid(const MatmulArgs<T>& given, const Laid<T>& laid, cudaStream_t stream) {
    MatmulArgs<T> behind_slices = given;
    behind_slices.workspace = static_cast<unsigned char*>(given.workspace) + laid.slices.bytes();
    const AlignedRows<T> rows = aligned_rows(behind_slices);
    rows.copy_operands(stream);
    const MatmulArgs<T>& x = rows.args();
    const SlicesOfTiles& slices = laid.slices;
    if (slices.count > 1) {
        launch_layout<true>(x, slices.target(x), {}, laid.layout, slices.size, rows.copies(), stream);
        launch_adding(given, slices, stream);
    } else if (x.finish.plain()) {
        launch_layout<true>(x, x, {}, laid.layout, 0, rows.copies(), stream);
    } else {
        launch_layout<false>(x, x, {}, laid.layout, 0, rows.copies(), stream);
    }
}
template <class T>
void launch(const MatmulArgs<T>& x, cudaStream_t stream) {
    if (x.empty()) return;
    if (x.n == 0) return write_zeros(x, stream);
    launch_laid(x, Laid<T>(x), stream);
}
#else
template <class T>
void launch(const MatmulArgs<T>&, cudaStream_t) {}  // refused
template <class T>
std::size_t workspace(const MatmulArgs<T>&) {
    return 0;
}
#endif

constexpr std::string_view kOnly = "with an epilogue sums of one term or more";
template <class T>
bool fits(const MatmulArgs<T>& x) {
    return (x.finish.plain() || x.n > 0) && workspace(x) <= x.workspace_bytes;
}
}  // namespace

LANEWORK_RUNG(
    matmul, split_sums,
    {
        .climbs_from = "warp_specialized",
        .lesson = "Few tiles: their size makes whole waves, and several blocks share one, each with a part of "
                  "its sums.",
        .launch = {launch<float16>, launch<bfloat16>},
        .workspace = {workspace<float16>, workspace<bfloat16>},
        .refuses = refuse_without_hopper,
        .fits = {fits<float16>, fits<bfloat16>},
        .only = kOnly,
    });

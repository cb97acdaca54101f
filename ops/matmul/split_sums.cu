// Small and narrow products have fewer tiles than the GPU has multiprocessors. Smaller tiles, and sums split over the
// blocks of a cluster, give every multiprocessor work; the parts meet in shared memory, without another launch. Rows
// that TMA cannot fetch are put into others first.
// architectures: 90a-real
#include <cmath>
#include <utility>

#include "ops/matmul/aligned_rows.cuh"
#include "ops/matmul/cluster_sums.cuh"
#include "ops/matmul/float_pieces.cuh"

namespace {
#if LANEWORK_HAS_WARPGROUPS
/// How C is laid out: tiles of rows × cols elements, each the sum of 2^part_bits blocks' parts, of which so many steps
/// are in shared memory at once.
struct Layout {
    int rows, cols, part_bits, stages;
};

/// Shared memory and threads of a multiprocessor, and what a block takes of them beside its steps.
constexpr int kSharedOfProcessor = 227 << 10, kThreadsOfProcessor = 2048, kSharedBeside = 2 << 10;
constexpr int kMostStages = 12, kMostPartBits = 3;  // blocks of a cluster that every GPU can hold

/// Whether so many blocks with so many stages fit into a multiprocessor.
bool fit_together(const Layout& tile, std::int64_t blocks, std::int64_t stages) {
    const std::int64_t steps = stages * (tile.rows + tile.cols) * kSwizzleBytes;
    const std::int64_t sums = static_cast<std::int64_t>(sizeof(float)) * tile.rows * (tile.cols + 8);
    return blocks * ((steps > sums ? steps : sums) + kSharedBeside) <= kSharedOfProcessor &&
           blocks * (tile.rows / kGroupRows * kWarpgroup + 32) <= kThreadsOfProcessor;
}

/// The fastest layout, by what 77 products took in each on an H100 (docs/hopper.md), in nanoseconds: what a step of a
/// tile takes a multiprocessor, what its memory takes, a block's start and end, and adding parts up. What a
/// multiprocessor does and what memory brings overlap, but for the beginning of each.
class Layouts {
public:
    /// A product of `steps` steps whose operands are `bytes` in memory.
    Layouts(std::int64_t m, std::int64_t k, std::int64_t steps, double bytes) : m_(m), k_(k), steps_(steps) {
        constexpr double kPerByte = 285e-6;
        int device = 0;
        LANEWORK_CHECK(cudaGetDevice(&device));
        LANEWORK_CHECK(cudaDeviceGetAttribute(&processors_, cudaDevAttrMultiProcessorCount, device));
        memory_ = kPerByte * bytes;
    }

    Layout fastest() const {
        Layout best{};
        double least = 0;
        for (const auto& [rows, cols, step] :
             {Tile{64, 64, 154}, {64, 128, 211}, {128, 64, 211}, {128, 128, 276}, {192, 128, 417}})
            for (int bits = 0; bits <= kMostPartBits && std::int64_t{1} << bits <= steps_; ++bits) {
                Layout layout{rows, cols, bits, 0};
                const double time = time_of(layout, step);
                if (best.rows == 0 || time < least) {
                    best = layout;
                    least = time;
                }
            }
        return best;
    }

private:
    struct Tile {
        int rows, cols;
        double step;
    };
    /// What it takes; sets its stages: as many as leave room for the blocks that share a multiprocessor.
    double time_of(Layout& layout, double step) const {
        constexpr double kEnds = 5100, kWave = 7260, kPerElement = 0.0228, kAdding = 957, kDoubling = 2320,
                         kPerFetchedByte = 46.6e-6;
        constexpr std::int64_t kLeastStages = 3;
        const std::int64_t down = ceil_div(m_, layout.rows), across = ceil_div(k_, layout.cols);
        const std::int64_t blocks = down * across << layout.part_bits, parts = std::int64_t{1} << layout.part_bits;
        const std::int64_t steps = ceil_div(steps_, parts), load = ceil_div(blocks, processors_);
        std::int64_t together = 1;
        while (together < load && fit_together(layout, together + 1, steps < kLeastStages ? steps : kLeastStages))
            ++together;
        layout.stages = static_cast<int>(steps < kMostStages ? steps : kMostStages);
        while (layout.stages > 2 && !fit_together(layout, together, layout.stages)) --layout.stages;
        const auto times = [](std::int64_t count, double each) { return static_cast<double>(count) * each; };
        const double computing = times(load * steps, step) + times(ceil_div(load, together) - 1, kWave);
        const std::int64_t fetched = (across * m_ + down * k_) * steps_ * kSwizzleBytes;
        const double fetching = memory_ + times(fetched, kPerFetchedByte);
        const double both = std::sqrt(std::hypot(computing * computing, fetching * fetching));
        return kEnds + both + times(load * layout.rows * layout.cols, kPerElement) +
               (layout.part_bits > 0 ? kAdding + kDoubling * layout.part_bits : 0);
    }

    std::int64_t m_, k_, steps_;
    int processors_ = 0;
    double memory_;
};

/// A matrix of 16-bit elements in memory.
template <class T>
struct Matrix {
    const T* first;
    std::int64_t rows, cols, pitch;
};

/// `follows`: the kernel before it lets it begin early.
template <int kGroups, int kCols, bool kPlain, class T, class Out, class Plain>
void launch_tiles(const MatmulArgs<Out>& x, const Matrix<T>& a, const Matrix<T>& b, const PieceProducts& pieces,
                  const Layout& layout, bool follows, const Plain& plain, cudaStream_t stream) {
    using Tiles = ClusterTiles<T, Out, kGroups, kCols>;
    static_assert(Tiles::kMostStages == kMostStages);
    const auto kernel = cluster_sums<T, Out, kGroups, kCols, kPlain, Plain>;
    const bool fours = x.c_pitch % 4 == 0 && reinterpret_cast<std::uintptr_t>(x.c) % (4 * sizeof(Out)) == 0;
    const std::int64_t whole_rows = ceil_div(x.m, kSwizzleRows) * kSwizzleRows;
    const int a_rows = static_cast<int>(whole_rows < Tiles::kRows ? whole_rows : Tiles::kRows);
    cudaLaunchAttribute attributes[2] = {};
    unsigned count = 0;
    if (layout.part_bits > 0) {
        attributes[count].id = cudaLaunchAttributeClusterDimension;
        attributes[count].val.clusterDim.x = 1U << layout.part_bits;
        attributes[count].val.clusterDim.y = attributes[count].val.clusterDim.z = 1;
        ++count;
    }
    if (follows) {
        attributes[count].id = cudaLaunchAttributeProgrammaticStreamSerialization;
        attributes[count].val.programmaticStreamSerializationAllowed = 1;
        ++count;
    }
    cudaLaunchConfig_t config{};
    const std::int64_t tiles = ceil_div(x.m, Tiles::kRows) * ceil_div(x.k, kCols);
    config.gridDim = dim3(static_cast<unsigned>(tiles << layout.part_bits));
    config.blockDim = dim3(Tiles::kThreads);
    config.dynamicSmemBytes = static_cast<std::size_t>(allow_shared(kernel, Tiles::shared_bytes(layout.stages)));
    config.stream = stream;
    config.attrs = attributes;
    config.numAttrs = count;
    LANEWORK_CHECK(cudaLaunchKernelEx(&config, kernel, x, pieces, layout.part_bits, layout.stages, a_rows, fours, plain,
                                      map_of(a.first, a.rows, a.cols, a.pitch, a_rows),
                                      map_of(b.first, b.rows, b.cols, b.pitch, kStepDepth)));
}
template <bool kPlain, class T, class Out, class Plain>
void launch_finished(const MatmulArgs<Out>& x, const Matrix<T>& a, const Matrix<T>& b, const PieceProducts& pieces,
                     bool follows, const Plain& plain, cudaStream_t stream) {
    const double bytes = static_cast<double>(sizeof(T)) * static_cast<double>(a.rows * a.cols + b.rows * b.cols) +
                         static_cast<double>(sizeof(Out)) * static_cast<double>(x.m * x.k);
    const Layout layout = Layouts(x.m, x.k, ceil_div(x.n, kStepDepth) * pieces.count, bytes).fastest();
    const auto launch = [&]<int kGroups, int kCols>(std::integer_sequence<int, kGroups, kCols>) {
        launch_tiles<kGroups, kCols, kPlain>(x, a, b, pieces, layout, follows, plain, stream);
    };
    switch (layout.rows + layout.cols) {
        case 128: return launch(std::integer_sequence<int, 1, 64>{});
        case 192:
            return layout.rows == 64 ? launch(std::integer_sequence<int, 1, 128>{})
                                     : launch(std::integer_sequence<int, 2, 64>{});
        case 256: return launch(std::integer_sequence<int, 2, 128>{});
        default: return launch(std::integer_sequence<int, 3, 128>{});
    }
}

template <class T, class Out, class Plain>
void launch_layout(const MatmulArgs<Out>& x, const Matrix<T>& a, const Matrix<T>& b, const PieceProducts& pieces,
                   bool follows, const Plain& plain, cudaStream_t stream) {
    if (x.finish.plain())
        launch_finished<true>(x, a, b, pieces, follows, plain, stream);
    else
        launch_finished<false>(x, a, b, pieces, follows, plain, stream);
}

/// C is written element by element where its rows start anywhere.
template <class T>
AlignedRows<T> aligned_rows(const MatmulArgs<T>& x) {
    return AlignedRows<T>(x, true, false);
}
template <class T>
std::size_t workspace(const MatmulArgs<T>& x) {
    return x.empty() || x.n == 0 ? 0 : aligned_rows(x).bytes();
}

template <class T>
void launch(const MatmulArgs<T>& given, cudaStream_t stream) {
    if (given.empty()) return;
    if (given.n == 0) return write_zeros(given, stream);
    const AlignedRows<T> rows = aligned_rows(given);
    rows.copy_operands(stream);
    const MatmulArgs<T>& x = rows.args();
    launch_layout(x, Matrix<T>{x.a, x.m, x.n, x.a_pitch}, Matrix<T>{x.b, x.n, x.k, x.b_pitch}, PieceProducts{},
                  rows.copies(), NothingPlain{}, stream);
}
void launch_floats(const MatmulArgs<float>& x, cudaStream_t stream) {
    if (x.empty()) return;
    if (x.n == 0) return write_zeros(x, stream);
    const FloatPieces pieces(x);
    split_into_pieces<<<pieces.blocks, FloatPieces::kThreads, 0, stream>>>(x, pieces);
    LANEWORK_CHECK(cudaGetLastError());
    launch_layout(x, Matrix<bfloat16>{pieces.a, kPieces * x.m, x.n, pieces.a_pitch},
                  Matrix<bfloat16>{pieces.b, kPieces * x.n, x.k, pieces.b_pitch}, products_of_pieces(x), true,
                  UnsplitFloats(pieces), stream);
}
#else
template <class T>
void launch(const MatmulArgs<T>&, cudaStream_t) {}  // refused
void launch_floats(const MatmulArgs<float>&, cudaStream_t) {}
template <class T>
std::size_t workspace(const MatmulArgs<T>&) {
    return 0;
}
#endif

constexpr std::string_view kOnly =
    "B by rows (variants that begin with nn), with an epilogue sums of one term or more, of floats no c that is added "
    "to itself";
template <class T>
bool fits(const MatmulArgs<T>& x) {
    return b_by_rows(x) && (x.finish.plain() || x.n > 0) && workspace(x) <= x.workspace_bytes;
}
bool fits_floats(const MatmulArgs<float>& x) {
    return fits_pieces(x) && float_pieces_workspace(x) <= x.workspace_bytes;
}

std::string_view refuses(const Problem& p) {
    return p.dtype == DType::float32 ? refuse_float_pieces(p) : refuse_without_hopper(p);
}
}  // namespace

LANEWORK_RUNG(matmul, split_sums,
              {
                  .climbs_from = "warp_specialized",
                  .lesson = "Few tiles: a cluster's blocks share one, each with a part of its sums, and add them up in "
                            "shared memory.",
                  .launch = {launch_floats, launch<float16>, launch<bfloat16>},
                  .workspace = {float_pieces_workspace, workspace<float16>, workspace<bfloat16>},
                  .refuses = refuses,
                  .fits = {fits_floats, fits<float16>, fits<bfloat16>},
                  .only = kOnly,
                  .deviation = kPiecesDeviation,
              });

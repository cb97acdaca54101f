// Small and narrow products have fewer tiles than the GPU has multiprocessors. Smaller tiles, and sums split over the
// blocks of a cluster, give every multiprocessor work; the parts meet in shared memory, without another launch.
// architectures: 90a-real
#include "ops/matmul/cluster_sums.cuh"
#include "ops/matmul/float_pieces.cuh"

namespace {
#if LANEWORK_HAS_WARPGROUPS
/// How C is laid out: tiles of 64 × cols elements, each the sum of so many blocks' parts.
struct Layout {
    int cols, parts;
};

/// The fastest layout for a sum of so many steps, by what was measured on an H200 (docs/hopper.md): in units of a step
/// of a tile of 64 × 64, one of 64 × 128 takes 1.7, a block's start and end 8, and adding parts up 2 and 4 for each
/// doubling. Blocks beyond the number of multiprocessors share them, and hide a tenth of each other's waiting.
Layout layout_for(std::int64_t m, std::int64_t k, std::int64_t steps) {
    constexpr double kWideStep = 1.7, kEnds = 8, kAdding = 2, kDoubling = 4, kShared = 0.9;
    int device = 0, processors = 0;
    LANEWORK_CHECK(cudaGetDevice(&device));
    LANEWORK_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    Layout best{};
    double least = 0;
    for (const int cols : {64, 128}) {
        double adding = 0;
        for (int parts = 1; parts <= 8 && parts <= steps; parts *= 2) {
            const double blocks = static_cast<double>(ceil_div(m, kGroupRows) * ceil_div(k, cols) * parts);
            const double shared = kShared * blocks / processors, load = shared > 1 ? shared : 1;
            const double step = cols == 64 ? 1 : kWideStep;
            const double cost = load * (static_cast<double>(ceil_div(steps, parts)) * step + kEnds) + adding;
            if (best.cols == 0 || cost < least) {
                best = {cols, parts};
                least = cost;
            }
            adding += parts == 1 ? kAdding + kDoubling : kDoubling;
        }
    }
    return best;
}

/// A matrix of 16-bit elements in memory.
template <class T>
struct Matrix {
    const T* first;
    std::int64_t rows, cols, pitch;
};

template <int kCols, bool kPlain, class T, class Out, class Plain>
void launch_tiles(const MatmulArgs<Out>& x, const Matrix<T>& a, const Matrix<T>& b, const PieceProducts& pieces,
                  int parts, const Plain& plain, cudaStream_t stream) {
    using Tiles = ClusterTiles<T, Out, kCols>;
    const auto kernel = cluster_sums<T, Out, kCols, kPlain, Plain>;
    const bool aligned = x.c_pitch % 4 == 0 && reinterpret_cast<std::uintptr_t>(x.c) % 16 == 0;
    cudaLaunchAttribute attributes[2] = {};
    attributes[0].id = cudaLaunchAttributeClusterDimension;
    attributes[0].val.clusterDim.x = static_cast<unsigned>(parts);
    attributes[0].val.clusterDim.y = attributes[0].val.clusterDim.z = 1;
    // It starts while the floats are still being split, and waits for them.
    attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[1].val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(static_cast<unsigned>(ceil_div(x.m, Tiles::kRows) * ceil_div(x.k, kCols) * parts));
    config.blockDim = dim3(Tiles::kThreads);
    config.dynamicSmemBytes = static_cast<std::size_t>(allow_shared(kernel, sizeof(typename Tiles::Shared)));
    config.stream = stream;
    config.attrs = attributes;
    config.numAttrs = pieces.count > 1 ? 2 : 1;
    LANEWORK_CHECK(cudaLaunchKernelEx(&config, kernel, x, pieces, parts, aligned, plain,
                                      map_of(a.first, a.rows, a.cols, a.pitch, Tiles::kRows),
                                      map_of(b.first, b.rows, b.cols, b.pitch, kStepDepth)));
}
template <bool kPlain, class T, class Out, class Plain>
void launch_finished(const MatmulArgs<Out>& x, const Matrix<T>& a, const Matrix<T>& b, const PieceProducts& pieces,
                     const Plain& plain, cudaStream_t stream) {
    const Layout layout = layout_for(x.m, x.k, ceil_div(x.n, kStepDepth) * pieces.count);
    if (layout.cols == 64)
        launch_tiles<64, kPlain>(x, a, b, pieces, layout.parts, plain, stream);
    else
        launch_tiles<128, kPlain>(x, a, b, pieces, layout.parts, plain, stream);
}

template <class T, class Out, class Plain>
void launch_layout(const MatmulArgs<Out>& x, const Matrix<T>& a, const Matrix<T>& b, const PieceProducts& pieces,
                   const Plain& plain, cudaStream_t stream) {
    if (x.finish.plain())
        launch_finished<true>(x, a, b, pieces, plain, stream);
    else
        launch_finished<false>(x, a, b, pieces, plain, stream);
}

template <class T>
void launch(const MatmulArgs<T>& x, cudaStream_t stream) {
    if (x.empty()) return;
    if (x.n == 0) return write_zeros(x, stream);
    launch_layout(x, Matrix<T>{x.a, x.m, x.n, x.a_pitch}, Matrix<T>{x.b, x.n, x.k, x.b_pitch}, PieceProducts{},
                  NothingPlain{}, stream);
}
void launch_floats(const MatmulArgs<float>& x, cudaStream_t stream) {
    if (x.empty()) return;
    if (x.n == 0) return write_zeros(x, stream);
    const FloatPieces pieces(x);
    split_into_pieces<<<pieces.blocks, FloatPieces::kThreads, 0, stream>>>(x, pieces);
    LANEWORK_CHECK(cudaGetLastError());
    launch_layout(x, Matrix<bfloat16>{pieces.a, kPieces * x.m, x.n, pieces.a_pitch},
                  Matrix<bfloat16>{pieces.b, kPieces * x.n, x.k, pieces.b_pitch}, products_of_pieces(x),
                  UnsplitFloats(pieces), stream);
}
#else
template <class T>
void launch(const MatmulArgs<T>&, cudaStream_t) {}  // refused
void launch_floats(const MatmulArgs<float>&, cudaStream_t) {}
#endif

constexpr std::string_view kOnly =
    "B by rows (variants that begin with nn), elements of 16 bits in rows that start on 16-byte boundaries; with an "
    "epilogue sums of one term or more, of floats no c that is added to itself";
template <class T>
bool fits(const MatmulArgs<T>& x) {
    return rows_on_16_bytes(x) && (x.finish.plain() || x.n > 0);
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
                  .workspace = {float_pieces_workspace},
                  .refuses = refuses,
                  .fits = {fits_pieces, fits<float16>, fits<bfloat16>},
                  .only = kOnly,
                  .deviation = kPiecesDeviation,
              });

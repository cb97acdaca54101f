// How the tiles of cluster_sums.cuh are laid out over a product, or many of one shape, and launched.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "ops/matmul/cluster_sums.cuh"

#if LANEWORK_HAS_WARPGROUPS

namespace lanework::inline LANEWORK_ON_DEVICE {

/// How C is laid out: tiles of rows × cols elements, whose sums are split over `groups` clusters of 2^part_bits blocks,
/// of which so many steps are in shared memory at once. One cluster writes C; of several each writes its sums to a
/// slice of the workspace, and they are added up afterwards.
struct ClusterLayout {
    int rows, cols, part_bits, groups, stages;
};

/// Shared memory and threads of a multiprocessor, and what a block takes of them beside its steps.
inline constexpr int kSharedOfProcessor = 227 << 10, kThreadsOfProcessor = 2048, kSharedBeside = 2 << 10;
/// Of an H100 or H200: constant, so that the same product has the same sums on every GPU.
inline constexpr std::int64_t kProcessors = 132;
inline constexpr int kMostPartBits = 3;  // blocks of a cluster that every GPU can hold

/// Whether so many blocks with so many stages fit into a multiprocessor.
inline bool fit_together(const ClusterLayout& tile, std::int64_t blocks, std::int64_t stages) {
    const std::int64_t steps = stages * (tile.rows + tile.cols) * kSwizzleBytes;
    const std::int64_t sums = static_cast<std::int64_t>(sizeof(float)) * tile.rows * (tile.cols + kTurnedPadding);
    return blocks * ((steps > sums ? steps : sums) + kSharedBeside) <= kSharedOfProcessor &&
           blocks * (tile.cols / kGroupRows * kWarpgroup + 32) <= kThreadsOfProcessor;
}

/// The fastest layout, by what 128 products took in 5230 of them on an H100 (docs/hopper.md), in nanoseconds: what a
/// step of a tile takes a multiprocessor, what its memory takes, a block's start and end, and adding parts up. What a
/// multiprocessor does and what memory brings overlap, but for the beginning of each.
class ClusterLayouts {
public:
    /// Of m × n times n × k elements of 16 bits, the latter perhaps by columns; of so many such products.
    ClusterLayouts(std::int64_t m, std::int64_t n, std::int64_t k, bool b_by_columns, std::int64_t products = 1)
        : products_(products),
          m_(m),
          k_(k),
          steps_(ceil_div(n, kStepDepth)),
          has_short_rows_(!b_by_columns && k <= kShortest) {
        constexpr double kPerByte = 244e-6, kPerFetchedByte = 20.3e-6, kShifted = 6.55;
        memory_ = kPerByte * 2 * static_cast<double>(products * (m * n + n * k + m * k));
        // Rows that do not start on whole lines of 128 bytes take longer, a tile's row being two requests; those that
        // are copied first (aligned_rows.cuh) are counted like them: smaller tiles lost more than they gained.
        const auto per_row = [this](std::int64_t length) {
            const double shifted = length % kStepDepth == 0 ? 1 : kShifted;
            return static_cast<double>(steps_ * kSwizzleBytes) * kPerFetchedByte * shifted;
        };
        per_row_of_a_ = per_row(n);
        per_col_of_b_ = per_row(b_by_columns ? n : k);
    }

    /// with_slices: whether several clusters may share a tile.
    ClusterLayout fastest(bool with_slices) const {
        constexpr std::int64_t kLeastSteps = 2;  // of a group
        ClusterLayout best{};
        double least = 0;
        constexpr Tile kTiles[] = {{64, 64, 130},  {80, 64, 183},   {128, 64, 191}, {80, 128, 272},
                                   {96, 128, 292}, {128, 128, 306}, {144, 128, 505}};
        for (const auto& [rows, cols, step] : kTiles) {
            const auto consider = [&](int bits, std::int64_t groups) {
                ClusterLayout layout{rows, cols, bits, static_cast<int>(groups), 0};
                const double time = time_of(layout, step);
                if (best.rows == 0 || time < least) {
                    best = layout;
                    least = time;
                }
            };
            for (int bits = 0; bits <= kMostPartBits && std::int64_t{1} << bits <= steps_; ++bits) consider(bits, 1);
            if (!with_slices) continue;
            const std::int64_t tiles = ceil_div(m_, rows) * ceil_div(k_, cols);
            for (const std::int64_t blocks : {kProcessors / 2, kProcessors, 2 * kProcessors}) {
                const std::int64_t wanted = blocks / tiles, most = steps_ / kLeastSteps;
                const std::int64_t groups = wanted < most ? wanted : most;
                if (groups > 1) consider(0, groups);
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
    double time_of(ClusterLayout& layout, double step) const {
        constexpr double kEnds = 3180, kWave = 4870, kPerElement = 0.0566, kAdding = 1695, kDoubling = 2050,
                         kSlices = 2580, kPerSlice = 22.4, kPerSliceByte = 271e-6;
        constexpr double kPerRow = 6;  // where B's rows are so short, TMA fetches rows, not bytes
        constexpr std::int64_t kLeastStages = 3;
        const std::int64_t down = ceil_div(m_, layout.rows), across = ceil_div(k_, layout.cols);
        const std::int64_t parts = std::int64_t{layout.groups} << layout.part_bits;
        const std::int64_t blocks = products_ * down * across * parts;
        const std::int64_t steps = ceil_div(steps_, parts), load = ceil_div(blocks, kProcessors);
        std::int64_t together = 1;
        while (together < load && fit_together(layout, together + 1, steps < kLeastStages ? steps : kLeastStages))
            ++together;
        layout.stages = static_cast<int>(steps < kMostStages ? steps : kMostStages);
        while (layout.stages > 2 && !fit_together(layout, together, layout.stages)) --layout.stages;
        const auto times = [](std::int64_t count, double each) { return static_cast<double>(count) * each; };
        const double computing = times(load * steps, step) + times(ceil_div(load, together) - 1, kWave);
        const double fetched =
            times(products_ * across * m_, per_row_of_a_) + times(products_ * down * k_, per_col_of_b_);
        const std::int64_t rows =
            has_short_rows_ ? products_ * down * across * steps_ * (layout.rows + layout.cols) : 0;
        const double fetching = std::max(memory_ + fetched, times(rows, kPerRow / kProcessors));
        const double both = std::sqrt(std::hypot(computing * computing, fetching * fetching));
        return kEnds + both + times(load * layout.rows * layout.cols, kPerElement) +
               (layout.part_bits > 0 ? kAdding + kDoubling * layout.part_bits : 0) +
               (layout.groups > 1 ? kSlices + layout.groups * kPerSlice +
                                        times((layout.groups + 1) * m_ * k_, sizeof(float) * kPerSliceByte)
                                  : 0);
    }

    static constexpr std::int64_t kShortest = 8;

    std::int64_t products_, m_, k_, steps_;
    bool has_short_rows_;
    double memory_, per_row_of_a_, per_col_of_b_;
};

/// `to` says where C is, or slices of sums, of the first of so many products; `follows`: the kernel before it lets it
/// begin early.
template <int kRows, int kGroups, bool kByColumns, bool kPlain, class T, class Out>
void launch_tiles(const MatmulArgs<T>& x, const MatmulArgs<Out>& to, const Products& products,
                  const ClusterLayout& layout, std::int64_t slice, bool follows, cudaStream_t stream) {
    using Tiles = ClusterTiles<T, Out, kRows, kGroups, kByColumns>;
    const auto kernel = cluster_sums<T, Out, kRows, kGroups, kByColumns, kPlain>;
    const bool fours = to.c_pitch % 4 == 0 && products.to_next_c % 4 == 0 &&
                       reinterpret_cast<std::uintptr_t>(to.c) % (4 * sizeof(Out)) == 0;
    const std::int64_t whole_rows = ceil_div(x.m, kSwizzleRows) * kSwizzleRows;
    const int a_rows = static_cast<int>(whole_rows < kRows ? whole_rows : kRows);
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
    const std::int64_t tiles = ceil_div(x.m, kRows) * ceil_div(x.k, Tiles::kCols);
    config.gridDim = dim3(static_cast<unsigned>(tiles << layout.part_bits), static_cast<unsigned>(layout.groups),
                          static_cast<unsigned>(products.count));
    config.blockDim = dim3(Tiles::kThreads);
    config.dynamicSmemBytes = static_cast<std::size_t>(allow_shared(kernel, Tiles::shared_bytes(layout.stages)));
    config.stream = stream;
    config.attrs = attributes;
    config.numAttrs = count;
    LANEWORK_CHECK(
        cudaLaunchKernelEx(&config, kernel, to, products, layout.part_bits, slice, layout.stages, a_rows, fours,
                           map_of(x.a, products.count, products.to_next_a, x.m, x.n, x.a_pitch, a_rows),
                           map_of(x.b, products.count, products.to_next_b, kByColumns ? x.k : x.n,
                                  kByColumns ? x.n : x.k, x.b_pitch, kByColumns ? Tiles::kCols : kStepDepth)));
}
template <bool kPlain, class T, class Out>
void launch_layout(const MatmulArgs<T>& x, const MatmulArgs<Out>& to, const Products& products,
                   const ClusterLayout& layout, std::int64_t slice, bool follows, cudaStream_t stream) {
    const auto launch = [&]<int kRows, int kGroups>(std::integer_sequence<int, kRows, kGroups>) {
        x.b_by_columns ? launch_tiles<kRows, kGroups, true, kPlain>(x, to, products, layout, slice, follows, stream)
                       : launch_tiles<kRows, kGroups, false, kPlain>(x, to, products, layout, slice, follows, stream);
    };
    if (layout.cols == kStripCols) switch (layout.rows) {
            case 64: return launch(std::integer_sequence<int, 64, 1>{});
            case 80: return launch(std::integer_sequence<int, 80, 1>{});
            default: return launch(std::integer_sequence<int, 128, 1>{});
        }
    switch (layout.rows) {
        case 80: return launch(std::integer_sequence<int, 80, 2>{});
        case 96: return launch(std::integer_sequence<int, 96, 2>{});
        case 128: return launch(std::integer_sequence<int, 128, 2>{});
        default: return launch(std::integer_sequence<int, 144, 2>{});
    }
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

#endif

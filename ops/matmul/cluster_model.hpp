// How small products are laid out for cluster_sums.cuh: in which tiles, which blocks share a tile or what they fetch,
// and how many steps of a sum are in shared memory at once. The fastest by a model of their times, which has no CUDA.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <lanework/problem.hpp>

#include "ops/matmul/warpgroup_sizes.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Which blocks of a cluster fetch for one another: its tiles lie 2^down_bits above one another, which have the columns
/// of B in common, and 2^across_bits side by side, which have the rows of A. Each fetches a part of what they have in
/// common, for all of them. A block's number is across·2^down_bits + down.
struct Sharing {
    int down_bits, across_bits;
    constexpr int bits() const { return down_bits + across_bits; }
};

/// Elements between rows of turned sums in shared memory: the two rows that a thread has of each eight, and the columns
/// of the others of its warp, lie in 32 different banks.
inline constexpr int kTurnedPadding = 4;

/// Steps that are in shared memory at once, at most.
inline constexpr int kMostStages = 12;

/// How C is laid out: tiles of rows × cols elements, whose sums are split over `groups` clusters of 2^part_bits blocks,
/// of which so many steps are in shared memory at once. One cluster writes C; of several each writes its sums to a
/// slice of the workspace, and they are added up afterwards.
struct ClusterLayout {
    int rows, cols, part_bits, groups, stages;
    Sharing sharing = {};  ///< where its clusters have no parts
};

/// Shared memory and threads of a multiprocessor, and what a block takes of them beside its steps.
inline constexpr int kSharedOfProcessor = 227 << 10, kThreadsOfProcessor = 2048, kSharedBeside = 2 << 10;
/// What two blocks that add slices take, which wait beside the others.
inline constexpr int kSharedOfAdders = 2 << 10;
/// Of an H100 or H200: constant, so that the same product has the same sums on every GPU.
inline constexpr std::int64_t kProcessors = 132;
inline constexpr int kMostPartBits = 3;  // blocks of a cluster that every GPU can hold

/// Whether so many blocks with so many stages fit into a multiprocessor.
inline bool fit_together(const ClusterLayout& tile, std::int64_t blocks, std::int64_t stages) {
    const std::int64_t steps = stages * (tile.rows + tile.cols) * kSwizzleBytes;
    const std::int64_t sums = static_cast<std::int64_t>(sizeof(float)) * tile.rows * (tile.cols + kTurnedPadding);
    const std::int64_t beside = tile.groups > 1 ? kSharedOfAdders : 0;
    return blocks * ((steps > sums ? steps : sums) + kSharedBeside) + beside <= kSharedOfProcessor &&
           blocks * (tile.cols / kGroupRows * kWarpgroup + 32) <= kThreadsOfProcessor;
}

/// The fastest layout, by what 64 products took, with B by rows and by columns, in 19 956 of them on an H200, and 22
/// products in slices as their tiles have them (docs/hopper.md), in nanoseconds: what a step of a tile takes a
/// multiprocessor, what its memory takes, a block's start and end, and adding parts up. What a multiprocessor does and
/// what memory brings overlap, but for the beginning of each.
class ClusterLayouts {
public:
    /// Of m × n times n × k elements of 16 bits, the latter perhaps by columns; of so many such products.
    ClusterLayouts(std::int64_t m, std::int64_t n, std::int64_t k, bool b_by_columns, std::int64_t products = 1)
        : products_(products),
          m_(m),
          k_(k),
          steps_(ceil_div(n, kStepDepth)),
          has_short_rows_(!b_by_columns && k <= kShortest) {
        constexpr double kPerByte = 229e-6;
        memory_ = kPerByte * 2 * static_cast<double>(products * (m * n + n * k + m * k));
        const std::int64_t length_of_b = b_by_columns ? n : k;
        rows_of_a_ = starts_of(n);
        rows_of_b_ = starts_of(length_of_b);
        // Rows whose lengths are no whole eights are copied first (aligned_rows.cuh), to whole lines. They are counted
        // as if they were not: smaller tiles lost more than they gained. But there is nothing to gain from sharing
        // them. Pitches are not asked, so that the layout, and with it the order of each sum, depends on lengths alone.
        may_share_ = products == 1 && n % 8 == 0 && length_of_b % 8 == 0;
    }

    /// with_slices: whether several clusters may share a tile.
    ClusterLayout fastest(bool with_slices) const {
        constexpr std::int64_t kLeastSteps = 2;  // of a group
        ClusterLayout best{};
        double least = 0;
        constexpr Tile kTiles[] = {{64, 64, 174},  {80, 64, 201},  {128, 64, 216},  {64, 128, 316},
                                   {80, 128, 242}, {96, 128, 420}, {128, 128, 301}, {144, 128, 405}};
        constexpr Sharing kAlone{}, kShared[] = {{1, 0}, {0, 1}, {1, 1}, {2, 0}, {0, 2}};
        for (const Tile& tile : kTiles) {
            const auto consider = [&](int bits, std::int64_t groups, const Sharing& sharing) {
                ClusterLayout layout{tile.rows, tile.cols, bits, static_cast<int>(groups), 0, sharing};
                const double time = time_of(layout, tile.step);
                if (best.rows == 0 || time < least) {
                    best = layout;
                    least = time;
                }
            };
            for (int bits = 0; bits <= kMostPartBits && std::int64_t{1} << bits <= steps_; ++bits)
                consider(bits, 1, kAlone);
            if (may_share_)
                for (const Sharing& sharing : kShared)
                    if ((tile.rows >> sharing.across_bits) % kSwizzleRows == 0) consider(0, 1, sharing);
            if (!with_slices) continue;
            const std::int64_t tiles = ceil_div(m_, tile.rows) * ceil_div(k_, tile.cols);
            for (const std::int64_t blocks : {kProcessors / 2, kProcessors, 2 * kProcessors}) {
                const std::int64_t wanted = blocks / tiles, most = steps_ / kLeastSteps;
                const std::int64_t groups = wanted < most ? wanted : most;
                if (groups > 1) consider(0, groups, kAlone);
            }
        }
        return best;
    }

private:
    struct Tile {
        int rows, cols;
        double step;
    };
    /// On what rows start: a step's 128 bytes of one are a line; whole sectors of two; or, from any whole eight
    /// elements on, parts of sectors, too.
    enum class Starts { lines, sectors, eights };
    static Starts starts_of(std::int64_t length) {
        return length % kStepDepth == 0 ? Starts::lines : length % 16 == 0 ? Starts::sectors : Starts::eights;
    }
    /// What a step of a row takes that one, two or four blocks share: each of them is sent it, one asks for it.
    static double per_row(Starts starts, int sharing_bits) {
        constexpr double kPerLine = kSwizzleBytes * 20.3e-6;
        constexpr double kTimes[][3] = {{1, 0.78, 2.29}, {3.99, 3.49, 3.23}, {5.05, 4.05, 3.59}};
        return kPerLine * kTimes[static_cast<int>(starts)][sharing_bits];
    }
    /// What it takes; sets its stages: as many as leave room for the blocks that share a multiprocessor.
    double time_of(ClusterLayout& layout, double step) const {
        constexpr double kEnds = 2683, kWave = 5230, kPerElement = 0.0664, kAdding = 468, kDoubling = 1906,
                         kSlices = 2600, kPerSlice = 17.7, kPerSliceByte = 280e-6;
        constexpr double kPerRow = 6;  // where B's rows are so short, TMA fetches rows, not bytes
        constexpr std::int64_t kLeastStages = 3;
        // Of clusters of one block, two and four that share: what their launch takes. Of those and of eight: how many
        // blocks run at once.
        constexpr double kSharing[] = {0, 1260, 344};
        constexpr std::int64_t kTogether[] = {kProcessors, kProcessors, 120, 120};
        const Sharing& sharing = layout.sharing;
        const auto whole = [](std::int64_t tiles, int bits) {
            return ceil_div(tiles, std::int64_t{1} << bits) << bits;
        };
        const std::int64_t down = whole(ceil_div(m_, layout.rows), sharing.down_bits);
        const std::int64_t across = whole(ceil_div(k_, layout.cols), sharing.across_bits);
        const std::int64_t parts = std::int64_t{layout.groups} << layout.part_bits;
        const std::int64_t blocks = products_ * down * across * parts;
        const std::int64_t steps = ceil_div(steps_, parts),
                           load = ceil_div(blocks, kTogether[layout.part_bits + sharing.bits()]);
        std::int64_t together = 1;
        while (together < load && fit_together(layout, together + 1, steps < kLeastStages ? steps : kLeastStages))
            ++together;
        layout.stages = static_cast<int>(steps < kMostStages ? steps : kMostStages);
        while (layout.stages > 2 && !fit_together(layout, together, layout.stages)) --layout.stages;
        const auto times = [](std::int64_t count, double each) { return static_cast<double>(count) * each; };
        const double computing = times(load * steps, step) + times(ceil_div(load, together) - 1, kWave);
        const double fetched = times(products_ * across * m_ * steps_, per_row(rows_of_a_, sharing.across_bits)) +
                               times(products_ * down * k_ * steps_, per_row(rows_of_b_, sharing.down_bits));
        const std::int64_t rows =
            has_short_rows_ ? products_ * down * across * steps_ * (layout.rows + layout.cols) : 0;
        const double fetching = std::max(memory_ + fetched, times(rows, kPerRow / kProcessors));
        const double both = std::sqrt(std::hypot(computing * computing, fetching * fetching));
        return kEnds + kSharing[sharing.bits()] + both + times(load * layout.rows * layout.cols, kPerElement) +
               (layout.part_bits > 0 ? kAdding + kDoubling * layout.part_bits : 0) +
               (layout.groups > 1 ? kSlices + layout.groups * kPerSlice +
                                        times((layout.groups + 1) * m_ * k_, sizeof(float) * kPerSliceByte)
                                  : 0);
    }

    static constexpr std::int64_t kShortest = 8;

    std::int64_t products_, m_, k_, steps_;
    bool has_short_rows_, may_share_;
    Starts rows_of_a_, rows_of_b_;  ///< as they are fetched: B's columns where they lie so
    double memory_;
};

}  // namespace lanework::inline LANEWORK_ON_DEVICE

// How register_banks shares a product out: a block for each tile as often as all multiprocessors have one, and the
// steps of the tiles that are left in equal parts over as many blocks as are there at once (Stream-K). No CUDA in it.
#pragma once

#include <cstdint>
#include <lanework/problem.hpp>
#include <limits>

#include "ops/matmul/cluster_model.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

struct SharedSteps {
    static constexpr int kSide = 128;  ///< rows and columns of a tile of C
    static constexpr int kDepth = 32;  ///< terms of a step
    static constexpr int kBlocks = 2;  ///< on a multiprocessor
    static constexpr int kSharers = static_cast<int>(kBlocks * kProcessors);

    int down, across;  ///< tiles
    int steps;         ///< of a tile
    int whole;         ///< tiles that are not shared, the first ones, a block each

    /// Of m × n times n × k elements, floats or integers. There are fewer than 2^31 tiles.
    constexpr SharedSteps(std::int64_t m, std::int64_t n, std::int64_t k, bool integers)
        : down(static_cast<int>(ceil_div(m, kSide))),
          across(static_cast<int>(ceil_div(k, kSide))),
          steps(static_cast<int>(ceil_div(n, kDepth))),
          whole(down * across) {
        const int left = whole % kSharers;
        if (worth_sharing(left, n, integers)) whole -= left;
    }
    constexpr int shared_tiles() const { return down * across - whole; }
    constexpr int blocks() const { return whole + (shared_tiles() > 0 ? kSharers : 0); }

    /// Of the steps of the tiles that are shared, those before this sharer's.
    constexpr int first_of(int sharer) const {
        return static_cast<int>(std::int64_t{shared_tiles()} * steps * sharer / kSharers);
    }
    /// The sharer that has this one of them.
    constexpr int sharer_of(int step) const {
        return static_cast<int>(((std::int64_t{step} + 1) * kSharers - 1) / (std::int64_t{shared_tiles()} * steps));
    }
    /// Where a sharer leaves its part of the sums of this one of the tiles that are shared: it has steps of two at
    /// most.
    constexpr int part_of(int sharer, int tile) const { return sharer * 2 + (first_of(sharer) / steps != tile); }
    constexpr int parts() const { return shared_tiles() > 0 ? kSharers * 2 : 0; }

    /// The first row and column of a tile. Bands of eight tiles are walked along C, so that blocks that run together
    /// share rows and columns.
    struct Place {
        int row, col;
    };
    constexpr Place place(int tile) const {
        constexpr int kBand = 8;
        const int band = tile / (kBand * across), within = tile % (kBand * across), below = down - band * kBand;
        const int height = below < kBand ? below : kBand;
        return {(band * kBand + within % height) * kSide, within / height * kSide};
    }

private:
    /// Whether the last tiles take longer, a block each, than shared out. Nanoseconds on an H200 (docs/hopper.md).
    constexpr bool worth_sharing(int left, std::int64_t terms, bool integers) const {
        const double term = integers ? 272 : 160;       // of a tile beside another on its multiprocessor
        const double term_alone = integers ? 140 : 88;  // and of one alone
        constexpr double kAdding = 12000;               // writing parts of sums, waiting for the last, reading them
        constexpr std::int64_t kLeastSteps = 4;         // of a block
        const auto n = static_cast<double>(terms);
        const std::int64_t of_all = std::int64_t{left} * steps;
        if (of_all < kLeastSteps * kSharers || of_all > std::numeric_limits<int>::max()) return false;
        return n * term * left / kSharers + kAdding < n * (left <= kProcessors ? term_alone : term);
    }
};

}  // namespace lanework::inline LANEWORK_ON_DEVICE

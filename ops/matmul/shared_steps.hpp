// How register_banks and persistent share a product out: whole tiles as often as all multiprocessors have one, and the
// steps of the tiles that are left in equal parts over as many blocks as are there at once (Stream-K). No CUDA in it.
#pragma once

#include <cstdint>
#include <lanework/problem.hpp>
#include <limits>

#include "ops/matmul/cluster_model.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Of register_banks: a block for each tile, or for each part of the steps that are shared.
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

/// Of persistent: each cluster takes a tile in every round, and then its part of the steps that are shared.
struct SharedRounds {
    static constexpr int kMostClusters = 72;  ///< of two blocks, on a whole GH100

    int tiles;             ///< each a cluster's
    int steps_of_product;  ///< of the products whose sum is a tile
    int steps;             ///< of a tile
    int clusters;
    int rounds;

    /// `products`: of which a tile is the sum, one after the other, as many steps each. `may_share`: there is room for
    /// the sums of parts of tiles. There are fewer than 2^31 tiles.
    constexpr SharedRounds(std::int64_t all_tiles, std::int64_t steps_of_each, int products, std::int64_t most_clusters,
                           bool may_share)
        : tiles(static_cast<int>(all_tiles)),
          steps_of_product(static_cast<int>(steps_of_each)),
          steps(steps_of_product * products),
          clusters(static_cast<int>(all_tiles < most_clusters ? all_tiles : most_clusters)),
          rounds(clusters > 0 ? (tiles - 1) / clusters + 1 : 0) {
        if (may_share && worth_sharing()) rounds -= 2;
    }
    constexpr int shared_tiles() const {
        return rounds * std::int64_t{clusters} < tiles ? tiles - rounds * clusters : 0;
    }
    /// Of the steps of the tiles that are shared, those before this sharer's: a tile's steps at least for each, so that
    /// no tile has more than two parts.
    constexpr int first_of(int sharer) const {
        return static_cast<int>(std::int64_t{shared_tiles()} * steps * sharer / clusters);
    }
    /// Whether steps are shared on any GPU.
    static constexpr bool can_pay(std::int64_t tiles, std::int64_t steps) {
        return tiles > kMostClusters && steps >= kLeastSaved && steps < kMostSteps;
    }

private:
    // A step takes 0.4 µs on an H200, what sharing costs 12. Where it saves less than a twentieth, nothing is gained:
    // the clock falls as the multiprocessors that would wait have work, and what is read is shared less.
    static constexpr std::int64_t kLeastSaved = 32, kLeastShare = 20;
    static constexpr std::int64_t kMostSteps = 1 << 22;  // of a tile: those that are shared are counted in 31 bits
    constexpr bool worth_sharing() const {
        const std::int64_t in_turn = std::int64_t{rounds} * steps,
                           shared = ceil_div(std::int64_t{tiles} * steps, std::int64_t{clusters});
        const std::int64_t saved = in_turn - shared;
        return can_pay(tiles, steps) && clusters <= kMostClusters && saved >= kLeastSaved &&
               saved * kLeastShare >= in_turn;
    }
};

/// What one cluster does, one part of a tile after the other. Of the steps that are shared the first cluster has the
/// last: of a tile's two parts the later cluster has the one that begins it. That cluster writes the tile, for the
/// other, which starts no later, waits for nobody before it has done its part.
class PartsOfCluster {
public:
    constexpr PartsOfCluster(const SharedRounds& of, int cluster)
        : of_(of),
          cluster_(cluster),
          at_(of.shared_tiles() > 0 ? of.first_of(of.clusters - 1 - cluster) : 0),
          last_(of.shared_tiles() > 0 ? of.first_of(of.clusters - cluster) : 0) {}

    /// Goes on to the next part; false where there is none.
    constexpr bool next() {
        backwards_ = false;
        if (round_ < of_.rounds) {
            if (std::int64_t{round_} * of_.clusters + cluster_ >= of_.tiles) return false;
            tile = round_ * of_.clusters + cluster_;
            first = 0;
            end = of_.steps;
            backwards_ = round_ % 2 != 0;
            ++round_;
            return true;
        }
        if (at_ >= last_) return false;
        tile = of_.rounds * of_.clusters + at_ / of_.steps;
        first = at_ % of_.steps;
        end = first + last_ - at_ < of_.steps ? first + last_ - at_ : of_.steps;
        at_ += end - first;
        return true;
    }
    struct Step {
        int product, step;  ///< of that product
    };
    /// The i-th of the tile's steps to be taken. Products keep their order, for the smallest come first. Every other
    /// round goes through each from the last step to the first, of which the rows of A are still in the second cache.
    constexpr Step step(int i) const {
        const int each = of_.steps_of_product, product = each == of_.steps ? 0 : i / each, within = i - product * each;
        return {product, backwards_ ? each - 1 - within : within};
    }

    int tile = 0, first = 0, end = 0;  ///< steps first … end − 1 of it

private:
    const SharedRounds& of_;
    int cluster_, round_ = 0;
    int at_, last_;  ///< of the steps that are shared
    bool backwards_ = false;
};

}  // namespace lanework::inline LANEWORK_ON_DEVICE

// Banks: every element walks through a table of 32 rows, over and over. The rungs keep the table in shared memory and
// differ only in where its words lie, and so in how many banks a warp's lanes read at once.
#pragma once

#include <lanework/rung.hpp>

namespace lanework {

/// The table: as many rows as a warp has lanes, each of as many words.
inline constexpr int kRows = 32, kWords = 32;
inline constexpr int kTableWords = kRows * kWords;

LANEWORK_AXES(BanksAxes, n, sweeps);

struct BanksArgs {
    using Element = std::int32_t;
    const std::int32_t* table;  ///< kRows × kWords, row by row
    std::int32_t* out;          ///< n elements
    std::int64_t n;             ///< elements; may exceed 2^31
    std::int64_t sweeps;        ///< walks through the whole table, at least 0

    static BanksArgs from(const Problem& problem, const Buffers& buffers) {
        const auto [table, out] = buffers.arrays<const std::int32_t, std::int32_t>();
        const auto [n, sweeps] = problem.lengths<BanksAxes>();
        return {table, out, n, sweeps};
    }
};

/// Odd, so that no bits are lost by multiplying.
inline constexpr std::uint32_t kMultiplier = 0x9E3779B1;

/// Takes two neighbouring words of a row into x. The order of words within a row matters, and no shorter way through a
/// row exists: xor and multiplication do not change places. All arithmetic wraps around.
constexpr std::uint32_t take_in(std::uint32_t x, std::uint32_t first, std::uint32_t second) {
    return (x ^ first) * kMultiplier + second;
}

}  // namespace lanework

using banks_signature = lanework::Signature<lanework::BanksArgs>;
using namespace lanework;  // NOLINT: read by this operation's rungs only

// How one request uses the 32 banks of shared memory: which lanes are served together, and who stands in whose way. The
// counters of banks.hpp follow the same rule without asking who.
#pragma once

#include <vector>

#include "src/trace/analyse/example_request.hpp"

namespace lanework {

/// The lanes of a request to shared memory that are served together, as masks; 0 for those that are left over. Up to 4
/// bytes per lane a whole warp, of 8 bytes each half of it, of 16 bytes each quarter. Two halves of a warp that loads,
/// or two quarters of each half, go together where every lane of the warp, or else its neighbour but one, names its
/// neighbour's address or has no neighbour that takes part (found by comparison with an H200: tests/golden,
/// matmul/vectorized, reduce of float64, nms/bitmask; results/h200/shared-loads-of-16-bytes.csv).
std::array<std::uint32_t, 4> lane_groups(std::uint32_t lanes, unsigned bytes, bool stores,
                                         const std::array<std::uint64_t, 32>& address);

/// One pass over the banks: at most one word from each.
struct Wavefront {
    /// Bits of banks and of lanes that are served.
    std::uint32_t banks = 0, lanes = 0;
};

/// Words of one bank that lanes want at the same time.
struct Collision {
    unsigned bank = 0;
    /// In the order of the lanes, and for each word the first lane that wants it; two or more.
    std::vector<std::uint64_t> words;
    std::vector<unsigned> lanes;
};

struct BankUse {
    /// A group's passes (see lane_groups) follow those of the group before it. The k-th of a bank's words is served in
    /// the group's k-th pass.
    std::vector<Wavefront> wavefronts;
    /// The passes that would do if no two words of a group were in one bank.
    unsigned ideal = 0;
    /// The bank that is asked for most words, the first of such; none where none is asked for more than it must be.
    std::optional<Collision> worst;
    /// The pass that serves the first word of each lane.
    std::array<unsigned, 32> wavefront_of_lane{};
};
BankUse bank_use(const ExampleRequest& request);

/// "lanes 0 and 31 want words 0 and 32, both in bank 0"; empty where no bank is asked for two words.
std::string describe_collision(const BankUse& use);

}  // namespace lanework

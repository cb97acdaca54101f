// From distances in turns to distances in bytes: in a turn a warp brings in what is not loaded again within the time,
// and all warps of the SM do (StatStack: Eklov and Hagersten, "StatStack: Efficient Modeling of LRU Caches", 2010).
#include "src/trace/analyse/reuse.hpp"

#include <algorithm>
#include <bit>

namespace lanework {
namespace {

double to_double(std::uint64_t count) { return static_cast<double>(count); }

}  // namespace

double kept_part(double distance, double room) { return distance <= room ? 1 : room / distance; }

std::size_t reuse_class(std::uint64_t distance) {
    return std::min<std::size_t>(static_cast<std::size_t>(std::bit_width(distance)), kReuseDistances - 1);
}

double lost_by_l2(const ReuseByBlocks& by_blocks, const CacheShare& share) {
    double lost = 0;
    for (std::size_t each = 1; each < kReuseDistances; ++each) {
        const double blocks = 1.5 * to_double(std::uint64_t{1} << (each - 1));
        lost += to_double(by_blocks[each]) * (1 - kept_part(blocks * share.block_bytes, share.l2_bytes));
    }
    return lost;
}

CachedLoads cached_loads(const Reuse& reuse, const CacheShare& share) {
    if (reuse.sectors == 0 || reuse.requests == 0) return {};
    CachedLoads found;
    double farther = to_double(reuse.sectors - reuse.by_turns[0]);
    found.in_l1 = to_double(reuse.by_turns[0]);
    double sectors_since = 0;  // that a warp brings in, in the turns since
    for (std::size_t each = 1; each < kReuseDistances; ++each) {
        const double turns = to_double(std::uint64_t{1} << (each - 1)), again = to_double(reuse.by_turns[each]);
        const double brought = turns * farther / to_double(reuse.requests);
        const double bytes = (sectors_since + brought / 2) * share.warps * share.bytes_each;
        const double in_l1 = again * kept_part(bytes, share.l1_bytes);
        found.in_l1 += in_l1;
        found.lost_by_l2 += (again - in_l1) * (1 - kept_part(bytes * share.sms, share.l2_bytes));
        sectors_since += brought;
        farther -= again;
    }
    found.lost_by_l2 += lost_by_l2(reuse.by_blocks, share);
    found.in_l1 /= to_double(reuse.sectors);
    found.lost_by_l2 /= to_double(reuse.sectors);
    return found;
}

}  // namespace lanework

// Runs: lanes of a request whose addresses follow each other, or are one address, so that they are looked at together.
#pragma once

#include <bit>

#include "src/trace/analyse/analyser.hpp"

namespace lanework {

/// `lanes` lanes from `first_lane` on.
struct Run {
    unsigned first_lane;
    unsigned lanes;
    /// Of the first lane.
    std::uint64_t address;
    /// All have this address; else each the one `bytes` after the lane before.
    bool one_address;
    /// Of each lane's access.
    unsigned bytes;

    std::uint64_t span() const { return one_address ? bytes : std::uint64_t{bytes} * lanes; }
    /// One of its lanes.
    Run single(unsigned lane) const {
        const std::uint64_t offset = one_address ? 0 : std::uint64_t{bytes} * lane;
        return {first_lane + lane, 1, address + offset, false, bytes};
    }
};

/// Whether all lanes take part, each one access further than the one before.
inline bool is_one_run(const Request& request) {
    if (request.lanes != ~std::uint32_t{0}) return false;
    std::uint64_t difference = 0;
    for (unsigned lane = 1; lane < kLanes; ++lane)
        difference |= request.address[lane] ^ (request.address[0] + std::uint64_t{lane} * request.site->bytes);
    return difference == 0;
}

/// Calls `body(run)` for the request's lanes, in their order.
template <class Body>
void for_each_run(const Request& request, Body body) {
    const unsigned bytes = request.site->bytes;
    if (is_one_run(request)) return body(Run{0, kLanes, request.address[0], false, bytes});
    for (std::uint32_t left = request.lanes; left != 0;) {
        const auto first = static_cast<unsigned>(std::countr_zero(left));
        // Lanes side by side that take part.
        const unsigned end = first + static_cast<unsigned>(std::countr_one(left >> first));
        const std::uint64_t address = request.address[first];
        const bool one_address = first + 1 < end && request.address[first + 1] == address;
        const std::uint64_t step = one_address ? 0 : bytes;
        unsigned lane = first + 1;
        for (std::uint64_t expected = address + step; lane < end && request.address[lane] == expected; ++lane)
            expected += step;
        body(Run{first, lane - first, address, one_address, bytes});
        left = lane == kLanes ? 0 : left & ~std::uint32_t{0} << lane;
    }
}

}  // namespace lanework

// Coalescing: how many 32-byte sectors the requests of warps to global memory touch, and how many they would need.
#pragma once

#include "src/trace/analyse/worst_requests.hpp"

namespace lanework {

class Coalescing final : public Analyser {
public:
    explicit Coalescing(WorstRequests& worst) : worst_(worst) {}
    bool sees_requests(Space space) const override { return space == Space::global || space == Space::texture; }
    void request(const Request& request) override;

private:
    WorstRequests& worst_;
};

/// One request to global memory alone: what it adds to the counters of its site.
GlobalCounters count_global(const Request& request);

/// The most lanes of a request that name one address.
std::uint64_t most_lanes_per_address(const Request& request);

}  // namespace lanework

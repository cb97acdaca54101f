// The worst request of each site, kept whole: what a finding shows as its example.
#pragma once

#include <vector>

#include "src/trace/analyse/analyser.hpp"
#include "src/trace/analyse/example_request.hpp"

namespace lanework {

class WorstRequests {
public:
    /// Keeps the request if none of its site cost more, or as much with as many lanes.
    void offer(const Request& request, std::uint64_t cost) {
        const std::uint32_t site = request.site->id;
        if (site >= kept_.size()) kept_.resize(site + 1);
        if (cost > kept_[site].cost || (cost == kept_[site].cost && more_lanes(request, kept_[site].example)))
            keep(request, cost);
    }
    /// None where the site made no request.
    std::optional<ExampleRequest> of(const Site& site) const;
    void clear() { kept_.clear(); }

private:
    struct Kept {
        std::uint64_t cost = 0;
        ExampleRequest example;
    };
    static bool more_lanes(const Request& request, const ExampleRequest& example) {
        return __builtin_popcount(request.lanes) > __builtin_popcount(example.lanes);
    }
    void keep(const Request& request, std::uint64_t cost);

    std::vector<Kept> kept_;  // by site id
};

}  // namespace lanework

// Keeping and giving examples.
#include "src/trace/analyse/worst_requests.hpp"

namespace lanework {

void WorstRequests::keep(const Request& request, std::uint64_t cost) {
    kept_[request.site->id] = {
        cost, {request.lanes, request.site->bytes, request.site->kind == EventKind::store, request.address}};
}

std::optional<ExampleRequest> WorstRequests::of(const Site& site) const {
    if (site.id >= kept_.size() || kept_[site.id].example.lanes == 0) return std::nullopt;
    return kept_[site.id].example;
}

}  // namespace lanework

// Keeping each hazard once.
#include "src/trace/analyse/hazard.hpp"

#include <algorithm>

namespace lanework {

void HazardList::add(Hazard hazard) {
    if (hazard.end == 0) {
        hazard.lowest = hazard.address;
        hazard.end = hazard.address + hazard.site.bytes;
    }
    const auto [known, added] = known_.try_emplace({hazard.rule, hazard.site.pc, hazard.other.pc}, hazards_.size());
    if (!added) {
        Hazard& first = hazards_[known->second];
        first.count += hazard.count;
        first.lowest = std::min(first.lowest, hazard.lowest);
        first.end = std::max(first.end, hazard.end);
        return;
    }
    hazard.launch = shapes_.empty() ? 0 : shapes_.size() - 1;
    hazards_.push_back(hazard);
}

}  // namespace lanework

// Keeping each hazard once.
#include "src/trace/analyse/hazard.hpp"

namespace lanework {

void HazardList::add(Hazard hazard) {
    const auto [known, added] = known_.try_emplace({hazard.rule, hazard.site.pc, hazard.other.pc}, hazards_.size());
    if (!added) {
        hazards_[known->second].count += hazard.count;
        return;
    }
    hazard.launch = shapes_.empty() ? 0 : shapes_.size() - 1;
    hazards_.push_back(hazard);
}

}  // namespace lanework

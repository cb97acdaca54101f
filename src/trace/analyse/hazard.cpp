// Keeping each hazard once.
#include "src/trace/analyse/hazard.hpp"

#include <algorithm>

namespace lanework {

void HazardList::launch_begins(const LaunchShape& shape) {
    shapes_.push_back(shape);
    counts_before_.clear();
    for (const Hazard& hazard : hazards_) counts_before_.push_back(hazard.count);
}

HazardCounts HazardList::counts_of_launch() const {
    HazardCounts counts;
    for (std::size_t i = 0; i < hazards_.size(); ++i) {
        const std::uint64_t before = i < counts_before_.size() ? counts_before_[i] : 0;
        if (hazards_[i].count != before) counts.emplace_back(i, hazards_[i].count - before);
    }
    return counts;
}

void HazardList::count_again(const HazardCounts& counts) {
    for (const auto& [hazard, count] : counts) hazards_[hazard].count += count;
}

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

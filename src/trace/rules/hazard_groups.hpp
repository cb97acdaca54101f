// Hazards that have one cause are one finding: one barrier that is missing shows at every access before and behind it.
#pragma once

#include <span>
#include <vector>

#include "src/trace/analyse/hazard.hpp"

namespace lanework {

/// A hazard with its places in the source.
struct PlacedHazard {
    const Hazard* hazard;
    SourcePlace place, other;
    /// In the order of the program, of a race within a block: what one barrier stands between.
    SourcePlace first, second;
    /// Of the launch that it was found in.
    const LaunchShape* shape;

    bool is_race() const { return hazard->rule == Rule::race || hazard->rule == Rule::warp_synchrony; }
    bool between_blocks() const { return hazard->thread.block != hazard->other_thread.block; }
    bool within_a_warp() const { return hazard->rule == Rule::warp_synchrony; }
    /// Both accesses are one statement, which writes.
    bool is_one_store() const {
        return is_race() && hazard->site.pc == hazard->other.pc && hazard->site.kind != EventKind::load;
    }
};

/// Hazards of one cause, the one first that tells it best.
struct HazardGroup {
    std::vector<const PlacedHazard*> members;
    /// One barrier between these two places orders all that are within a block; null where that is not what is wrong.
    const SourcePlace *behind = nullptr, *before = nullptr;

    const PlacedHazard& best() const { return *members.front(); }
};

std::vector<PlacedHazard> placed_hazards(const HazardList& list, const PlaceOf& place_of);
/// In the order in which their first members were found.
std::vector<HazardGroup> group_hazards(std::span<const PlacedHazard> hazards);

}  // namespace lanework

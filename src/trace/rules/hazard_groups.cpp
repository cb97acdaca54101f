// Which hazards have one cause.
//
// Races within a block: each pair of accesses is an interval in the order of the program, from one barrier to the next.
// A barrier mends the intervals that it stands in; the fewest barriers that mend all of them are found by taking the
// interval that ends first, setting a barrier right before its end, and leaving out what that one mends.
// Races between blocks: no barrier mends them. Accesses of one object have one cause where they share a line.
#include "src/trace/rules/hazard_groups.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace lanework {
namespace {

bool same_line(const SourcePlace& a, const SourcePlace& b) {
    return a.line != 0 && a.line == b.line && a.file == b.file;
}

bool share_a_line(const PlacedHazard& a, const PlacedHazard& b) {
    return same_line(a.place, b.place) || same_line(a.place, b.other) || same_line(a.other, b.place) ||
           same_line(a.other, b.other);
}

bool share_both_lines(const PlacedHazard& a, const PlacedHazard& b) {
    return (same_line(a.place, b.place) && same_line(a.other, b.other)) ||
           (same_line(a.place, b.other) && same_line(a.other, b.place));
}

bool overlap(const Hazard& a, const Hazard& b) {
    return a.site.space == b.site.space && a.object == b.object && a.lowest < b.end && b.lowest < a.end;
}

/// Of one memory as far as is known; launches may have others for the same argument.
bool may_share_object(const PlacedHazard& a, const PlacedHazard& b) {
    if (a.hazard->site.space != b.hazard->site.space) return false;
    return a.hazard->object == b.hazard->object || a.shape != b.shape;
}

bool one_race(const PlacedHazard& a, const PlacedHazard& b) {
    if (share_both_lines(a, b)) return may_share_object(a, b);
    if (!share_a_line(a, b)) return false;
    if (a.between_blocks() || b.between_blocks())
        return a.hazard->object == b.hazard->object && a.hazard->narrow_scope == b.hazard->narrow_scope;
    // Several threads of a block write one place in one statement: a barrier beside it helps neither.
    return (a.is_one_store() || b.is_one_store()) && overlap(*a.hazard, *b.hazard);
}

/// The element that an access beyond its array asks for, counted from the array's start.
std::int64_t element(const Hazard& hazard) {
    return hazard.nearest.offset / static_cast<std::int64_t>(std::max(hazard.site.bytes, 1U));
}

/// One index, which nothing checked, or one place in the source.
bool one_index(const PlacedHazard& a, const PlacedHazard& b) {
    if (a.hazard->thread != b.hazard->thread || a.shape != b.shape) return false;
    if (same_line(a.place, b.place)) return true;
    return !a.hazard->by_index && !b.hazard->by_index && a.hazard->nearest.bytes != 0 &&
           a.hazard->nearest.bytes / std::max(a.hazard->site.bytes, 1U) ==
               b.hazard->nearest.bytes / std::max(b.hazard->site.bytes, 1U) &&
           element(*a.hazard) == element(*b.hazard);
}

/// What was read before anybody wrote it is what another thread of the block writes, and nothing orders the two.
bool is_read_too_early(const PlacedHazard& read, const PlacedHazard& race) {
    const Hazard &early = *read.hazard, &pair = *race.hazard;
    return early.rule == Rule::uninitialised_read && race.is_race() && !race.between_blocks() &&
           (pair.site.pc == early.site.pc || pair.other.pc == early.site.pc) && overlap(early, pair) &&
           pair.lowest <= early.lowest && early.end <= pair.end;
}

bool one_cause(const PlacedHazard& a, const PlacedHazard& b) {
    if (a.shape->kernel != b.shape->kernel) return false;
    if (a.is_race() && b.is_race()) return one_race(a, b);
    if (is_read_too_early(a, b) || is_read_too_early(b, a)) return true;
    if (a.hazard->rule != b.hazard->rule) return false;
    if (a.hazard->rule == Rule::out_of_bounds && one_index(a, b)) return true;
    if (a.hazard->rule == Rule::uninitialised_read && a.hazard->object != 0 && a.hazard->object == b.hazard->object)
        return true;
    return (a.shape == b.shape && overlap(*a.hazard, *b.hazard)) ||
           (same_line(a.place, b.place) && may_share_object(a, b));
}

/// Sets that are united two by two.
class Sets {
public:
    explicit Sets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }

    std::size_t of(std::size_t item) {
        while (parent_[item] != item) item = parent_[item] = parent_[parent_[item]];
        return item;
    }
    /// The smaller one stands for both.
    void unite(std::size_t a, std::size_t b) {
        a = of(a), b = of(b);
        parent_[std::max(a, b)] = std::min(a, b);
    }

private:
    std::vector<std::size_t> parent_;
};

/// A barrier that is missing, and what it mends.
struct MissingBarrier {
    std::vector<std::size_t> mends;
    /// The last place before it and the first one behind it.
    const SourcePlace *behind = nullptr, *before = nullptr;
};

bool is_interval(const PlacedHazard& each) {
    return each.is_race() && !each.between_blocks() && each.hazard->epoch.start != 0 &&
           each.hazard->epoch.first < each.hazard->epoch.second;
}

std::vector<MissingBarrier> missing_barriers(std::span<const PlacedHazard> hazards) {
    std::map<std::uint64_t, std::vector<std::size_t>> epochs;
    for (std::size_t i = 0; i < hazards.size(); ++i)
        if (is_interval(hazards[i])) epochs[hazards[i].hazard->epoch.start].push_back(i);
    std::vector<MissingBarrier> barriers;
    for (auto& [start, members] : epochs) {
        const auto interval = [&](std::size_t i) -> const EpochInterval& { return hazards[i].hazard->epoch; };
        std::ranges::stable_sort(members, {}, [&](std::size_t i) { return interval(i).second; });
        std::uint32_t begins = 0, ends = 0;  // of what the last barrier may stand in; no interval ends at 0
        for (const std::size_t i : members) {
            if (interval(i).first >= ends) {
                barriers.push_back({.mends = {}, .behind = &hazards[i].first, .before = &hazards[i].second});
                begins = interval(i).first;
                ends = interval(i).second;
            }
            MissingBarrier& barrier = barriers.back();
            barrier.mends.push_back(i);
            if (interval(i).first <= begins) continue;
            begins = interval(i).first;
            barrier.behind = &hazards[i].first;
        }
    }
    return barriers;
}

/// Lanes of a warp that are trusted to keep step from one line to the next, as in an unrolled sum.
bool one_lockstep(const PlacedHazard& a, const PlacedHazard& b) {
    return a.within_a_warp() && b.within_a_warp() && a.place.function == b.place.function && share_a_line(a, b);
}

/// What tells a cause best comes first: an error, the one that threads furthest apart have.
auto order_in_group(const PlacedHazard& each) {
    const Hazard& hazard = *each.hazard;
    return std::tuple(hazard.severity != Severity::error, !each.is_race(), !each.between_blocks(), each.within_a_warp(),
                      each.is_one_store());
}

}  // namespace

std::vector<PlacedHazard> placed_hazards(const HazardList& list, const PlaceOf& place_of) {
    const auto place = [&](std::uint64_t pc) { return pc == 0 ? SourcePlace{} : place_of(pc); };
    std::vector<PlacedHazard> hazards;
    for (const Hazard& hazard : list.hazards())
        hazards.push_back({.hazard = &hazard,
                           .place = place(hazard.site.pc),
                           .other = place(hazard.other.pc),
                           .first = place(hazard.epoch.first_pc),
                           .second = place(hazard.epoch.second_pc),
                           .shape = &list.shapes()[hazard.launch]});
    return hazards;
}

std::vector<HazardGroup> group_hazards(std::span<const PlacedHazard> hazards) {
    Sets sets(hazards.size());
    const std::vector<MissingBarrier> barriers = missing_barriers(hazards);
    const auto unite_where = [&](const auto& alike) {
        for (std::size_t a = 0; a < hazards.size(); ++a)
            for (std::size_t b = a + 1; b < hazards.size(); ++b)
                if (alike(a, b)) sets.unite(a, b);
    };
    for (const MissingBarrier& barrier : barriers)
        for (const std::size_t i : barrier.mends) sets.unite(barrier.mends.front(), i);
    unite_where([&](std::size_t a, std::size_t b) { return one_cause(hazards[a], hazards[b]); });

    std::vector<bool> lockstep(hazards.size(), true);
    for (std::size_t i = 0; i < hazards.size(); ++i)
        if (!hazards[i].within_a_warp()) lockstep[sets.of(i)] = false;
    std::vector<bool> of_lockstep(hazards.size());
    for (std::size_t i = 0; i < hazards.size(); ++i) of_lockstep[i] = lockstep[sets.of(i)];
    unite_where([&](std::size_t a, std::size_t b) {
        return of_lockstep[a] && of_lockstep[b] && one_lockstep(hazards[a], hazards[b]);
    });

    std::map<std::size_t, HazardGroup> groups;
    for (std::size_t i = 0; i < hazards.size(); ++i) groups[sets.of(i)].members.push_back(&hazards[i]);
    std::map<std::size_t, std::size_t> missing;
    for (const MissingBarrier& barrier : barriers) {
        const std::size_t set = sets.of(barrier.mends.front());
        const bool alone = missing[set]++ == 0;
        groups[set].behind = alone ? barrier.behind : nullptr;
        groups[set].before = alone ? barrier.before : nullptr;
    }
    std::vector<HazardGroup> result;
    for (auto& [first, group] : groups) {
        std::ranges::stable_sort(group.members, {}, [](const PlacedHazard* each) { return order_in_group(*each); });
        result.push_back(std::move(group));
    }
    return result;
}

}  // namespace lanework

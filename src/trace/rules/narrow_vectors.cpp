// The rule about neighbouring elements that are accessed one by one.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>
#include <utility>

#include "src/trace/rules/rule.hpp"

namespace lanework {
namespace {

constexpr double kReloaded = 0.5;  // of the sectors that were loaded before
constexpr double kMostly = 0.5;    // of a site's loads
constexpr unsigned kRecent = 8;    // accesses of a thread that are looked back at: taps of an image come by turns
constexpr unsigned kVector = 16;   // bytes
constexpr unsigned kFewBytes = 4 * kVector;

/// Lanes of loads that begin where one of their thread's last loads ended, in runs of a few elements: a walk over an
/// array is no vector. Stores alike.
struct Continued : Observation {
    std::vector<std::uint64_t> lanes;  // by site id
    std::uint64_t at(const Site& site) const { return site.id < lanes.size() ? lanes[site.id] : 0; }
};

class ContinuedAccesses final : public Analyser {
public:
    bool sees_requests(Space space) const override { return space == Space::global; }
    void launch_begins(const LaunchShape&) override {
        recent_.clear();
        last_ = nullptr;
        counted_.lanes.clear();
    }
    void request(const Request& request) override {
        const Site& site = *request.site;
        const bool stores = site.kind == EventKind::store;
        if ((!stores && site.kind != EventKind::load) || site.atomic_access || site.is_volatile) return;
        Recent& recent = recent_of(request)[stores];
        const auto first = static_cast<unsigned>(std::countr_zero(request.lanes));
        const auto last = kLanes - 1 - static_cast<unsigned>(std::countl_zero(request.lanes));
        const auto goes_on = [&](const Access& access, unsigned lane) {
            return access.ends[lane] == request.address[lane];
        };
        std::array<std::uint32_t, kLanes> before{};
        for (const Access& access : recent.accesses) {
            if (!goes_on(access, first) && !goes_on(access, last)) continue;  // lanes do alike
            for (unsigned lane = 0; lane < kLanes; ++lane)
                if (goes_on(access, lane)) before[lane] = access.run[lane];
        }
        Access& own = recent.accesses[recent.next++ % kRecent];
        if (counted_.lanes.size() <= site.id) counted_.lanes.resize(site.id + 1);
        for (unsigned lane = 0; lane < kLanes; ++lane) {
            const bool takes_part = request.lanes >> lane & 1;
            own.ends[lane] = takes_part ? request.address[lane] + site.bytes : 0;
            own.run[lane] = before[lane] + site.bytes;
            counted_.lanes[site.id] += takes_part && before[lane] > 0 && own.run[lane] <= kFewBytes;
        }
    }
    void block_ends(std::uint64_t block) override {
        last_ = nullptr;
        recent_.erase(recent_.lower_bound({block, 0}), recent_.lower_bound({block + 1, 0}));
    }
    void record(KernelTrace& trace) const override { trace.observed.push_back(std::make_shared<Continued>(counted_)); }

private:
    struct Access {
        std::array<std::uint64_t, kLanes> ends{};
        std::array<std::uint32_t, kLanes> run{};  // bytes up to there, one access after the other
    };
    struct Recent {
        std::array<Access, kRecent> accesses{};
        unsigned next = 0;
    };
    using OfWarp = std::array<Recent, 2>;  // of loads, of stores

    /// A warp makes many requests before another has its turn.
    OfWarp& recent_of(const Request& request) {
        const std::pair key(request.block, request.warp);
        if (!last_ || last_key_ != key) {
            last_ = &recent_[key];
            last_key_ = key;
        }
        return *last_;
    }

    std::map<std::pair<std::uint64_t, unsigned>, OfWarp> recent_;  // by block and warp
    OfWarp* last_ = nullptr;
    std::pair<std::uint64_t, unsigned> last_key_;
    Continued counted_;
};

std::unique_ptr<Analyser> follow_continued_accesses() { return std::make_unique<ContinuedAccesses>(); }

/// Loads or stores go on where one of the thread ended just before, wherever the other lanes are.
bool continues(const KernelTrace& launch, const PlacedSite& placed) {
    const Continued* const seen = launch.observed_as<Continued>();
    return seen && per(seen->at(placed.site), placed.site.global.lanes) >= kMostly;
}

/// Elements that lie side by side are accessed at many places, each of which is little.
std::uint64_t continued_sectors(const KernelTrace& launch) {
    std::uint64_t sectors = 0;
    for (const PlacedSite& placed : launch.sites)
        if (placed.site.space == Space::global && continues(launch, placed)) sectors += placed.site.global.sectors;
    return sectors;
}

bool unit_stride(const PlacedSite& placed) {
    if (!placed.example) return false;
    const auto pattern = pattern_of(*placed.example);
    return pattern && pattern->row_lanes == kLanes && pattern->lane_step == placed.example->bytes;
}

/// Lanes are a few elements apart, and what lies between is loaded by other turns: a lane's elements are neighbours.
bool side_by_side(const PlacedSite& placed) {
    if (!placed.example || placed.site.kind != EventKind::load) return false;
    const auto pattern = pattern_of(*placed.example);
    return pattern && pattern->row_lanes == kLanes && pattern->lane_step > placed.example->bytes &&
           pattern->lane_step <= std::int64_t{kFewBytes} &&
           per(placed.site.global.repeated_sectors, placed.site.global.sectors) >= kReloaded;
}

void find_narrow_vectors(const RuleInputs& in, const PlacedSite& placed, std::vector<Finding>& findings) {
    if (placed.site.space != Space::global) return;
    const Site& site = placed.site;
    const bool plain = site.kind == EventKind::load || site.kind == EventKind::store;
    const bool continued = continues(in.launch, placed);
    const bool of_lane = continued || side_by_side(placed);
    if (!plain || site.bytes * 2 > kVector || (!unit_stride(placed) && !of_lane)) return;
    const double clocks = clocks_per_sector(in.gpu) / memory_clocks(in.counters, in.gpu);
    const double weight = static_cast<double>(site.global.sectors) * clocks;
    const double all = continued ? static_cast<double>(continued_sectors(in.launch)) * clocks : weight;
    if (all < kSeriousCost) return;
    findings.push_back(
        {.rule = Rule::narrow_vectors,
         .severity = Severity::advice,
         .place = placed.place,
         .evidence = fmt::format("{}, {} byte{} at a time",
                                 !of_lane                        ? "neighbouring lanes access neighbouring elements"
                                 : site.kind == EventKind::store ? "each lane stores elements that lie side by side"
                                                                 : "each lane loads elements that lie side by side",
                                 site.bytes, site.bytes == 1 ? "" : "s"),
         .remedy = "Access 16 bytes per lane (int4, float4): fewer instructions, more bytes on their way.",
         .weight = weight * kWorthSayingCost,  // it may help; everything above does
         .other = {}});
}

/// Instructions of a GPU in the basic block around the finding's accesses, as this processor's code has them; nothing
/// where nobody reads that.
std::optional<double> block_around(const Mending& mending) {
    const auto& sites = mending.launch.sites;
    const auto access = std::ranges::find_if(sites, [&](const PlacedSite& placed) {
        return placed.site.kind != EventKind::path && placed.place == mending.finding.place;
    });
    if (access == sites.end()) return std::nullopt;
    const PlacedSite* block = nullptr;
    for (const PlacedSite& placed : sites)
        if (placed.site.kind == EventKind::path && placed.site.pc <= access->site.pc &&
            (!block || placed.site.pc > block->site.pc))
            block = &placed;
    if (!block || access->site.pc >= block->site.pc + block->code_bytes || block->instructions == 0)
        return std::nullopt;
    return block->instructions;
}

/// Vectors of 16 bytes instead of elements. A lane then does neighbouring elements, which share the index arithmetic.
void widen(Demand& d, const Mending& mending) {
    const KernelCounters &here = mending.here, &all = mending.all;
    constexpr double kMostOfAccess = 16, kMostIndexing = 0.5;  // instructions that go with an access; a part of all
    constexpr double kMostElements = 4;                        // of a lane
    const auto fewer = [](const GlobalCounters& at) {
        const double bytes = at.lanes == 0 ? kVector : static_cast<double>(at.bytes) / static_cast<double>(at.lanes);
        return 1 - std::max(1 / kMostElements, std::min(1.0, bytes / kVector));
    };
    const double loads = fewer(here.global_loads) * share(here.global_loads.requests, all.global_loads.requests);
    const double stores = fewer(here.global_stores) * share(here.global_stores.requests, all.global_stores.requests);
    const double requests = d.load_requests * loads + d.store_requests * stores;
    // What one lane accesses side by side has one index, and touches the same lines one after the other.
    const SourcePlace& place = mending.finding.place;
    const bool continued = std::ranges::any_of(mending.launch.sites, [&](const PlacedSite& placed) {
        return placed.place == place && continues(mending.launch, placed);
    });
    const double now = instructions_of(d);
    const double indexing = std::min(kMostOfAccess, block_around(mending).value_or(kMostOfAccess));
    const double kept =
        now == 0 || continued ? 1 : 1 - std::min(kMostIndexing * std::max(loads, stores), indexing * requests / now);
    d.instructions *= kept;
    d.host_instructions *= kept;
    d.steps *= kept;
    d.accesses -= std::min(d.accesses, requests);
    d.load_requests *= 1 - loads;
    d.store_requests *= 1 - stores;
    if (!continued) return;
    d.load_lines *= 1 - fewer(here.global_loads) * share(here.global_loads.lines, all.global_loads.lines);
    d.store_lines *= 1 - fewer(here.global_stores) * share(here.global_stores.lines, all.global_stores.lines);
    const double written = fewer(here.global_stores) * share(here.global_stores.sectors, all.global_stores.sectors);
    for (double Demand::*const falls :
         {&Demand::written_sectors, &Demand::written_lines, &Demand::partly_written_sectors})
        d.*falls *= 1 - written;
}

}  // namespace

LANEWORK_COST_RULE(narrow_vectors, {.find_at = find_narrow_vectors,
                                    .picture = Space::global,
                                    .mend = widen,
                                    .analyser = follow_continued_accesses});

}  // namespace lanework

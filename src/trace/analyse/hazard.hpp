// A hazard: something that can make the result wrong, with the first example of it, and the list of those of a trace.
#pragma once

#include <functional>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "src/trace/analyse/analyser.hpp"
#include "src/trace/analyse/finding.hpp"

namespace lanework {

/// A thread of a launch: linear indexes, x fastest.
struct ThreadId {
    std::uint64_t block = 0;
    unsigned thread = 0;

    unsigned warp() const { return thread / kLanes; }
    unsigned lane() const { return thread % kLanes; }
    bool operator==(const ThreadId&) const = default;
};

/// The allocation that an address is in or next to.
struct NearestMemory {
    /// 0: there is none.
    std::size_t bytes = 0;
    /// From its start: negative before it, ≥ bytes behind it.
    std::int64_t offset = 0;
};

/// What is kept of a site when its launch is over.
struct AccessSite {
    /// 0 for none.
    std::uint64_t pc = 0;
    EventKind kind = EventKind::load;
    Space space = Space::global;
    unsigned bytes = 0;

    static AccessSite of(const Site& site) { return {site.pc, site.kind, site.space, site.bytes}; }
};

/// Where the accesses of a race stand among what their block does between two barriers: sites have ranks in the order
/// in which they are first passed. A barrier that stands between them orders them.
struct EpochInterval {
    /// The site that is passed first behind the barrier: it says which part of the kernel this is. 0 for none.
    std::uint64_t start = 0;
    std::uint32_t first = 0, second = 0;
    std::uint64_t first_pc = 0, second_pc = 0;
};

struct Hazard {
    Rule rule;
    Severity severity = Severity::error;
    AccessSite site;
    /// Of a race: the other access.
    AccessSite other{};

    // The first example.
    ThreadId thread{}, other_thread{};
    /// Within shared memory: the offset from its start.
    std::uint64_t address = 0;
    NearestMemory nearest{};
    /// Of an array index: the index.
    long long index = 0;
    /// An array was indexed beyond its end, and `index` says how.
    bool by_index = false;
    /// Of a race: atomic operations or fences would order the accesses if their scope were not the block.
    bool narrow_scope = false;
    /// Of a race within a block.
    EpochInterval epoch{};
    /// The start of the allocation that it is in; 0 for shared memory, and where there is none.
    std::uint64_t object = 0;
    /// Of all its accesses: the lowest byte, and the end of the highest.
    std::uint64_t lowest = 0, end = 0;
    /// A shape of HazardList::shapes().
    std::size_t launch = 0;

    /// How often it happened, lane by lane.
    std::uint64_t count = 1;
};

/// How often hazards happened: their positions in a list, and counts.
using HazardCounts = std::vector<std::pair<std::size_t, std::uint64_t>>;

/// The hazards of a trace: each rule once for each site, or pair of sites.
class HazardList {
public:
    void launch_begins(const LaunchShape& shape);
    /// Counts it where it is known, else keeps it as the example; its launch is the last that began.
    void add(Hazard hazard);
    /// Of the launch that began last; and once more, as of a launch that does what that one did.
    HazardCounts counts_of_launch() const;
    void count_again(const HazardCounts& counts);

    const std::vector<Hazard>& hazards() const { return hazards_; }
    const std::vector<LaunchShape>& shapes() const { return shapes_; }

private:
    std::vector<Hazard> hazards_;
    /// Positions in hazards_, by rule and places.
    std::map<std::tuple<Rule, std::uint64_t, std::uint64_t>, std::size_t> known_;
    std::vector<LaunchShape> shapes_;
    /// The counts when the last launch began.
    std::vector<std::uint64_t> counts_before_;
};

/// Where an address of the code is in the source.
using PlaceOf = std::function<SourcePlace(std::uint64_t pc)>;
/// What is said about the hazards of a trace: one finding for those that have one cause.
std::vector<Finding> findings_of(const HazardList& list, const PlaceOf& place_of);

}  // namespace lanework

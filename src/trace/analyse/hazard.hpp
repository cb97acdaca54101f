// A hazard: something that can make the result wrong, with the first example of it, and the list of those of a trace.
#pragma once

#include <functional>
#include <map>
#include <tuple>
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
    /// A shape of HazardList::shapes().
    std::size_t launch = 0;

    /// How often it happened, lane by lane.
    std::uint64_t count = 1;
};

/// The hazards of a trace: each rule once for each site, or pair of sites.
class HazardList {
public:
    void launch_begins(const LaunchShape& shape) { shapes_.push_back(shape); }
    /// Counts it where it is known, else keeps it as the example; its launch is the last that began.
    void add(Hazard hazard);

    const std::vector<Hazard>& hazards() const { return hazards_; }
    const std::vector<LaunchShape>& shapes() const { return shapes_; }

private:
    std::vector<Hazard> hazards_;
    /// Positions in hazards_, by rule and places.
    std::map<std::tuple<Rule, std::uint64_t, std::uint64_t>, std::size_t> known_;
    std::vector<LaunchShape> shapes_;
};

/// Where an address of the code is in the source.
using PlaceOf = std::function<SourcePlace(std::uint64_t pc)>;
/// What is said about the hazards of a trace, from the one at this position on.
std::vector<Finding> findings_of(const HazardList& list, const PlaceOf& place_of, std::size_t first = 0);

}  // namespace lanework

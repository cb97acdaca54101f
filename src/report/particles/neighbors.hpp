// What a neighbour list says about its atoms: how many neighbours they have, and how near the nearest are.
#pragma once

#include <lanework/neighbors.hpp>
#include <optional>

#include "src/draw/style.hpp"
#include "src/particles/neighbor_time.hpp"
#include "src/report/results/facts.hpp"

namespace lanework {

struct ShortestPair {
    std::int64_t i = 0, j = 0;
    double distance = 0;
};

struct NeighborSummary {
    std::int64_t atoms = 0;
    std::int64_t pairs = 0;  ///< entries of the list
    bool half = false;
    double mean = 0;  ///< neighbours of an atom, both ends of a pair counted, as are least, most and histogram
    std::int64_t least = 0, most = 0;
    std::vector<std::int64_t> histogram = {};   ///< [n]: atoms with n neighbours; most + 1 entries, none without atoms
    std::optional<ShortestPair> shortest = {};  ///< the first of the nearest pairs
};

/// Neighbours of each atom, whichever end of a pair a half list has it at.
template <class T>
std::vector<std::int64_t> coordination(const NeighborList<T>& list, bool half);
/// The list must have its distances.
template <class T>
NeighborSummary summarize(const NeighborList<T>& list, bool half);

/// What the list was made from.
struct NeighborSource {
    std::string file, format, device, dtype;
    int dimensions = 3;
    double cutoff = 0;
    PeriodicBox box;
};

/// What building the list takes, where that was measured.
struct NeighborTiming {
    std::vector<std::string> arrays;  ///< of pairs: "indices", "shifts", …
    std::vector<NeighborTime> times;
    std::vector<Fact> environment;
};

/// The names of the arrays of pairs that a list of these options has.
std::vector<std::string> arrays_of(const NeighborOptions& options);

std::string draw(const NeighborSummary& summary, const NeighborSource& source, const Style& style,
                 const NeighborTiming& timing = {});
/// {"schema":1,"file","format","device","dtype","dimensions","cutoff","box":{"vectors","periodic"},"half","atoms",
/// "pairs","coordination":{"mean","min","max","histogram":[{"neighbors","atoms"}]},"shortest":{"i","j","distance"}};
/// shortest is null without pairs. Where times were measured there follow
/// "arrays":[…],"times":[{"what","clock","caches","samples_s"}],"environment":{…}.
std::string neighbors_to_json(const NeighborSummary& summary, const NeighborSource& source,
                              const NeighborTiming& timing = {});

}  // namespace lanework

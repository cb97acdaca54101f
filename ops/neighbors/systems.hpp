// The systems of atoms that lists are verified and timed on. A system depends on the problem alone, and the seed only
// on which atom the numbering begins with: so the size of the list is known before it is computed.
#pragma once

#include <lanework/neighbors.hpp>
#include <lanework/problem.hpp>
#include <vector>

namespace lanework {

/// The second is the cutoff, in picometres.
LANEWORK_AXES(NeighborsAxes, atoms, picometres);

/// In the order of the operation's variants.
enum class NeighborSystem : std::uint8_t {
    crystal,   ///< caesium chloride, 4.119 Å, periodic; atoms tremble by 0.01 Å
    graphene,  ///< an open sheet with bonds of 1.42 Å, rippled
    gas,       ///< random, 0.03 atoms per Å³, periodic
    skewed,    ///< random, 0.05 atoms per Å³, a skewed box that is open along its third vector; atoms beside the box
    lattice,  ///< pairs of atoms at whole Å of a periodic cube: coincident, on the box's and on cells' borders, and at
              ///< distances that whole cutoffs equal to the bit
};

/// What is known of a system before its list is computed.
struct SystemFacts {
    std::int64_t pairs = 0;            ///< neighbours of all atoms
    std::int32_t most = 0;             ///< neighbours of the atom that has most
    std::int32_t images = 0;           ///< of the box, that can hold a neighbour
    std::int32_t home = 0;             ///< the image that is no translation
    double low[3] = {}, high[3] = {};  ///< the smallest and the largest x, y and z
    PeriodicBox box;
};

/// Å. The problem has it in picometres.
inline double neighbor_cutoff(const Problem& problem) {
    return static_cast<double>(problem.lengths<NeighborsAxes>().picometres) / 100;
}

PeriodicBox neighbor_box(const Problem& problem);

/// n × 3; `first` is the atom that the numbering begins with.
template <class T>
void neighbor_positions(const Problem& problem, std::int64_t first, T* positions);

/// The images of the box that can hold a neighbour, as S, in lexicographic order.
std::vector<CellShift> neighbor_images(const Problem& problem);

/// The pairs of a system as far as its density tells them, in doubles that no size overflows.
double expected_pairs(const Problem& problem);

/// Found once for each problem; the list is counted by <lanework/neighbors.hpp>. Throws UsageError for a problem whose
/// system or list would be absurdly large.
SystemFacts facts_of(const Problem& problem);

}  // namespace lanework

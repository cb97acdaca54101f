// How many pairs a list has at least, by how many atoms lie in each cell: so that a crowd whose list cannot fit is
// refused before anything is counted. src/particles/least_pairs.hpp asks the images of a box the same.
#pragma once

#include "src/particles/cells.hpp"

namespace lanework {

/// Pairs that the cells' candidates would be if all of them were near: no list has more. HUGE_VAL where there are too
/// many images to go through; from `enough` on it need not be the sum.
double most_pairs(const Cells& cells, double enough);

/// Pairs of one system nearer than `cutoff`, by cells that are near each other from corner to corner: a sixth of those
/// of a dense system, and never more than there are. Stops at `enough`.
template <class T>
double least_pairs_in_cells(const Particles<T>& particles, const SystemRange& system, double cutoff, double enough);

/// Throws NeighborMemoryError when the list of these systems, each in its cells, certainly does not fit.
template <class T>
void refuse_crowd(const Particles<T>& particles, std::span<const SystemRange> systems, std::span<const Cells> cells,
                  const Cutoffs<T>& cutoffs, const NeighborOptions& options);

}  // namespace lanework

// Of each atom's neighbours the k nearest.
#pragma once

#include <lanework/neighbors.hpp>

namespace lanework {

/// The options.nearest nearest of each atom's neighbours; of equal distance the first in order. `list` has distances
/// and whatever the options ask for; what they do not ask for is left out.
template <class T>
NeighborList<T> keep_nearest(const NeighborList<T>& list, const NeighborOptions& options, Team team);

}  // namespace lanework

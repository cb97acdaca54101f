// What a neighbour list takes: computing it, allocating for it, and copying in and out, each by itself.
#pragma once

#include <lanework/neighbors.hpp>

#include "src/measure/sampler.hpp"
#include "src/particles/neighbor_time.hpp"

namespace lanework {

/// Times the list of these options. On every device: the list, counted and filled, into memory that is there already,
/// with atoms that are there too, caches cold and hot; the same with the allocation and release of its arrays and the
/// workspace. On a device with memory of its own also the copies of atoms to it and of the list from it, between memory
/// that is there; and all of it, from host memory to a new list in host memory. Each is run once before it is timed.
/// Throws what neighbors() throws.
template <class T>
std::vector<NeighborTime> time_neighbors(Device& device, const Particles<T>& particles, const NeighborOptions& options,
                                         const StoppingRule& rule = {});

}  // namespace lanework

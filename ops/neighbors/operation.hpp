// Neighbours: for each atom the atoms within a cutoff, in ascending order. An atom that is within the cutoff through
// several images of the box is listed as often.
//
// (j, image) is a neighbour of i when |(x[j] − x[i]) + image|² < cutoff², the arithmetic being that of
// <lanework/neighbors.hpp>: every device finds the same pairs, those at the cutoff included.
#pragma once

#include <lanework/neighbors.hpp>
#include <lanework/rung.hpp>

#include "ops/neighbors/systems.hpp"
#include "src/particles/arithmetic.hpp"

namespace lanework {

template <class T>
struct NeighborsArgs {
    using Element = T;
    const T* positions;      ///< n × 3
    const T* images;         ///< facts.images × 3: translations of every image of the box that can hold a neighbour
    const PeriodicBox* box;  ///< one, for rungs that find the images themselves
    std::uint64_t* offsets;  ///< n + 1: the neighbours of i are indices[offsets[i]] … indices[offsets[i + 1] − 1]
    std::int32_t* indices;   ///< facts.pairs
    std::int64_t n;          ///< atoms
    SystemFacts facts;       ///< their box, the images, and how large the list is
    double cutoff;           ///< in the unit of the positions
    T limit;                 ///< cutoff²
    void* workspace;

    static NeighborsArgs from(const Problem& problem, const Buffers& buffers) {
        const double cutoff = neighbor_cutoff(problem);
        const auto [positions, images, box, offsets, indices] =
            buffers.arrays<const T, const T, const PeriodicBox, std::uint64_t, std::int32_t>();
        return {positions,         images,  box,
                offsets,           indices, problem.lengths<NeighborsAxes>().atoms,
                facts_of(problem), cutoff,  static_cast<T>(cutoff) * static_cast<T>(cutoff),
                buffers.workspace};
    }
};

}  // namespace lanework

using neighbors_signature = lanework::Signature<lanework::NeighborsArgs<float>, lanework::NeighborsArgs<double>>;
using namespace lanework;  // NOLINT: read by this operation's rungs only

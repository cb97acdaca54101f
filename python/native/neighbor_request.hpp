// A neighbour list that is asked for, as other languages say it.
#pragma once

#include <cstdint>
#include <lanework/neighbors.hpp>

extern "C" {
/// What is asked for. python/lanework/neighbors.py has the same fields in the same order.
struct lanework_neighbor_request {
    const void* positions;       ///< atoms × dimensions, float or double
    const double* vectors;       ///< 3 × 3: the box vectors as rows; null: open space
    const void* cell;            ///< on a GPU instead of vectors: float or double there, dimensions × dimensions
    const double* pair_cutoffs;  ///< type_count × type_count, or null: cutoff
    const int32_t* types;        ///< atoms, read with pair_cutoffs
    int64_t atoms;
    int64_t type_count;
    uint64_t memory_limit;  ///< bytes; 0: what is free
    double cutoff;
    int32_t dimensions;
    int32_t threads;  ///< 0: all that there are
    int32_t nearest;
    uint8_t periodic[3];
    uint8_t is_double, half, first, shifts, vectors_wanted, distances;
    uint8_t cell_is_double, cell_is_lengths;  ///< lengths: `dimensions` of them, of a box with right angles
};
}

namespace lanework::native {

inline NeighborOptions options_of(const lanework_neighbor_request& request) {
    NeighborOptions options{.cutoff = request.cutoff};
    if (request.pair_cutoffs)
        options.pair_cutoffs.assign(request.pair_cutoffs,
                                    request.pair_cutoffs + request.type_count * request.type_count);
    options.half = request.half != 0;
    options.first = request.first != 0;
    options.shifts = request.shifts != 0;
    options.vectors = request.vectors_wanted != 0;
    options.distances = request.distances != 0;
    options.nearest = request.nearest;
    options.memory_limit = request.memory_limit;
    return options;
}

inline PeriodicBox box_of(const lanework_neighbor_request& request) {
    PeriodicBox box = PeriodicBox::open();
    for (std::size_t k = 0; k < 3 && request.vectors; ++k) {
        box.periodic[k] = request.periodic[k] != 0;
        for (std::size_t axis = 0; axis < 3; ++axis) box.vectors[k][axis] = request.vectors[3 * k + axis];
    }
    return box;
}

}  // namespace lanework::native

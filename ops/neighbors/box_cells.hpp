// The cells of a system whose extent is known on the host.
#pragma once

#include "ops/neighbors/operation.hpp"
#include "src/particles/grid.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline std::int64_t cell_count(const Grid& grid) { return grid.cells[0] * grid.cells[1] * grid.cells[2]; }

/// Cells as thick as the cutoff, fewer than two for each atom.
template <class T>
Grid box_grid(const NeighborsArgs<T>& a) {
    const Basis basis = make_basis(a.facts.box, true);
    Extent extent{};
    for (int axis = 0; axis < 3; ++axis) {
        const double low = a.facts.low[axis], high = a.facts.high[axis];
        extent.farthest = std::fmax(extent.farthest, std::fmax(std::fabs(low), std::fabs(high)));
        for (int k = 0; k < 3; ++k) {  // of the corners of the cuboid that the atoms fill
            const double first = basis.dual[k][axis] * low, second = basis.dual[k][axis] * high;
            extent.low[k] += std::fmin(first, second);
            extent.high[k] += std::fmax(first, second);
        }
    }
    const double cutoff = a.cutoff > 0 ? a.cutoff : 1;
    Grid grid = make_grid<T>(basis, extent, cutoff, 1);
    for (double width = 2; cell_count(grid) > 2 * a.n + 8; width *= 2)
        grid = make_grid<T>(basis, extent, cutoff, width);
    return grid;
}

/// Calls visit(number of the cell, image of the box it is seen through) for every cell in which neighbours can be.
template <class Visit>
LANEWORK_EVERYWHERE void for_each_cell_around(const Grid& grid, const CellPlace& place, Visit visit) {
    std::int64_t low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        low[k] = place.cell[k] - grid.reach[k];
        high[k] = place.cell[k] + grid.reach[k];
        if (grid.basis.periodic[k]) continue;
        low[k] = low[k] < 0 ? 0 : low[k];
        high[k] = high[k] < grid.cells[k] ? high[k] : grid.cells[k] - 1;
    }
    for (std::int64_t c = low[2]; c <= high[2]; ++c)
        for (std::int64_t b = low[1]; b <= high[1]; ++b)
            for (std::int64_t a = low[0]; a <= high[0]; ++a) {
                const std::int64_t box[3] = {floor_div(a, grid.cells[0]), floor_div(b, grid.cells[1]),
                                             floor_div(c, grid.cells[2])};
                visit(cell_number(grid, a - box[0] * grid.cells[0], b - box[1] * grid.cells[1],
                                  c - box[2] * grid.cells[2]),
                      Image3{static_cast<std::int32_t>(box[0]), static_cast<std::int32_t>(box[1]),
                             static_cast<std::int32_t>(box[2])});
            }
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

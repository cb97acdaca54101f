// Two atoms in cells whose farthest corners are nearer than the cutoff are a pair, wherever in their cells they are.
#include "src/particles/crowded_cells.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace lanework {
namespace {

constexpr double kWidth = 1.0 / 4;        // of the cells, in cutoffs: a sixth of a ball is such cells
constexpr double kOfRounding = 1 - 1e-9;  // in the distances of corners
constexpr double kMostTold = 1e16;        // pairs, so that their bytes can be counted

/// Cells beside a cell that are near it from corner to corner: `b` and `c` away, from `first` to `last` along a row.
struct NearRow {
    std::int64_t b, c, first, last;
};

/// The rows of cells that are wholly within `radius` of all places of the cell that they lie around.
std::vector<NearRow> near_rows(const Grid& grid, double radius) {
    if (rows_around(grid) > kManyRows) return {};  // the box is small, and its images tell
    const CellShape shape(grid);
    const double between = radius * kOfRounding - shape.diameter();  // of the cells' same corners
    if (!(between >= 0)) return {};
    std::vector<NearRow> rows;
    std::int64_t boxes = 0;
    for (std::int64_t c = -grid.reach[2]; c <= grid.reach[2]; ++c)
        for (std::int64_t b = -grid.reach[1]; b <= grid.reach[1]; ++b) {
            CellRange row = shape.along_row(b, c, between, grid.reach[0]);
            while (row.first <= row.last && shape.distance(row.first, b, c) > between) ++row.first;
            while (row.first <= row.last && shape.distance(row.last, b, c) > between) --row.last;
            if (row.first > row.last) continue;
            rows.push_back({b, c, row.first, row.last});
            boxes += (row.last - row.first) / grid.cells[0] + 1;
        }
    if (boxes > kManyRows) rows.clear();
    return rows;
}

/// Atoms of the cells of such a row around the cell at `at`.
std::int64_t atoms_near(const Cells& cells, const std::array<std::int64_t, 3>& at, const NearRow& row) {
    const Grid& grid = cells.grid();
    const std::int64_t place[2] = {at[1] + row.b, at[2] + row.c};
    std::int64_t inside[2];
    for (int k = 0; k < 2; ++k) {
        inside[k] = place[k] - floor_div(place[k], grid.cells[k + 1]) * grid.cells[k + 1];
        if (!grid.basis.periodic[k + 1] && inside[k] != place[k]) return 0;
    }
    std::int64_t first = at[0] + row.first, last = at[0] + row.last;
    if (!grid.basis.periodic[0]) {
        first = std::max<std::int64_t>(first, 0);
        last = std::min(last, grid.cells[0] - 1);
        if (first > last) return 0;
    }
    return cells.atoms_in_row(first, last, cell_number(grid, 0, inside[0], inside[1]));
}

/// The shortest cutoff of two types that there are.
template <class T>
double shortest_cutoff(const Particles<T>& particles, const Cutoffs<T>& cutoffs) {
    if (!cutoffs.by_type) return cutoffs.largest;
    const auto types = static_cast<std::size_t>(cutoffs.types);
    std::vector<bool> present(types);
    for (const std::int32_t type : particles.types) present[static_cast<std::size_t>(type)] = true;
    double shortest = cutoffs.largest;
    for (std::size_t a = 0; a < types; ++a)
        for (std::size_t b = 0; b < types && present[a]; ++b)
            if (present[b]) shortest = std::min(shortest, cutoffs.lengths[a * types + b]);
    return shortest;
}

}  // namespace

double most_pairs(const Cells& cells, double enough) {
    const Grid& grid = cells.grid();
    double around = 1;
    for (int k = 0; k < 3; ++k) around *= 2.0 * grid.reach[k] + 1;
    std::int64_t crowd = 0;
    for (std::int64_t cell = 0; cell < cells.occupied(); ++cell)
        crowd = std::max(crowd, cells.end(cell) - cells.begin(cell));
    const double at_most = static_cast<double>(cells.atoms()) * static_cast<double>(crowd) * around;
    if (at_most < enough) return at_most;
    if (rows_around(grid) > kManyRows) return HUGE_VAL;
    double sum = 0;
    for (std::int64_t cell = 0; cell < cells.occupied() && sum < enough; ++cell) {
        const auto atoms = static_cast<double>(cells.end(cell) - cells.begin(cell));
        cells.for_each_run(cell, [&](const CellRun& run) {
            sum += atoms * static_cast<double>(run.end - run.begin);
            return sum < enough;
        });
    }
    return sum;
}

template <class T>
double least_pairs_in_cells(const Particles<T>& particles, const SystemRange& system, double cutoff, double enough) {
    const Basis basis = make_basis(system.box, true);
    const Extent extent = extent_of(particles, system, basis);
    const double certain = cutoff - 2 * rounding_margin<T>(basis, cutoff, extent.farthest);
    const Grid grid = choose_grid<T>(basis, system.box, extent, cutoff, kWidth);
    if (!grid.fits || !(certain > 0)) return 0;
    const std::vector<NearRow> rows = near_rows(grid, certain);
    if (rows.empty()) return 0;
    const Cells cells(particles, system, grid);
    double sum = 0;
    for (std::int64_t cell = 0; cell < cells.occupied() && sum < enough; ++cell) {
        const auto at = cells.place_in_grid(cell);
        const auto atoms = static_cast<double>(cells.end(cell) - cells.begin(cell));
        for (const NearRow& row : rows) sum += atoms * static_cast<double>(atoms_near(cells, at, row));
        sum -= atoms;  // each with itself
    }
    return sum;
}

template <class T>
void refuse_crowd(const Particles<T>& particles, std::span<const SystemRange> systems, std::span<const Cells> cells,
                  const Cutoffs<T>& cutoffs, const NeighborOptions& options) {
    const double sides = options.half ? 2 : 1;
    double most = 0;
    for (const Cells& each : cells) most += most_pairs(each, static_cast<double>(kCountedPairs));
    if (most < static_cast<double>(kCountedPairs)) return;  // nearly always
    const auto atoms = static_cast<std::uint64_t>(particles.atoms());
    const double enough = sides * (static_cast<double>(pairs_that_fit<T>(options, atoms)) + 1);
    most = 0;
    for (const Cells& each : cells) most += most < enough ? most_pairs(each, enough) : 0;
    if (most < enough) return;
    const double cutoff = shortest_cutoff(particles, cutoffs);
    double least = 0;
    for (const SystemRange& system : systems)
        if (cutoff > 0 && least < enough) least += least_pairs_in_cells(particles, system, cutoff, enough);
    const auto pairs = static_cast<std::uint64_t>(std::min(least / sides, kMostTold));
    if (pairs >= kCountedPairs) check_memory<T>(options, atoms, {pairs, false});
}

#define LANEWORK_INSTANTIATE(T)                                                                           \
    template double least_pairs_in_cells(const Particles<T>&, const SystemRange&, double, double);        \
    template void refuse_crowd(const Particles<T>&, std::span<const SystemRange>, std::span<const Cells>, \
                               const Cutoffs<T>&, const NeighborOptions&);
LANEWORK_INSTANTIATE(float)
LANEWORK_INSTANTIATE(double)
#undef LANEWORK_INSTANTIATE

}  // namespace lanework

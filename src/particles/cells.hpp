// The atoms of one system sorted into cells, on the processor. Only cells that hold atoms are kept, however much empty
// space lies between them.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "src/particles/checks.hpp"
#include "src/particles/grid.hpp"
#include "src/particles/near_cells.hpp"

namespace lanework {

/// A run of atoms in sorted order, seen through one image of the box (in reduced vectors).
struct CellRun {
    std::int64_t begin, end;
    Image3 image;
};

class Cells {
public:
    Cells() = default;
    /// Throws UsageError for a bad atom or box of the system.
    template <class T>
    Cells(const Particles<T>& particles, const SystemRange& system, std::int64_t number, double cutoff);
    /// In the cells of a grid that fits and was made for these atoms.
    template <class T>
    Cells(const Particles<T>& particles, const SystemRange& system, const Grid& grid);

    const Grid& grid() const { return grid_; }
    std::int64_t first_atom() const { return first_atom_; }
    /// Cells that hold atoms.
    std::int64_t occupied() const { return static_cast<std::int64_t>(begins_.size()) - 1; }
    /// The atoms of such a cell: a range of sorted places.
    std::int64_t begin(std::int64_t cell) const { return begins_[static_cast<std::size_t>(cell)]; }
    std::int64_t end(std::int64_t cell) const { return begins_[static_cast<std::size_t>(cell) + 1]; }
    /// Where such a cell lies in the grid.
    std::array<std::int64_t, 3> place_in_grid(std::int64_t cell) const {
        const std::int64_t number = numbers_[static_cast<std::size_t>(cell)];
        return {number % grid_.cells[0], number / grid_.cells[0] % grid_.cells[1],
                number / (grid_.cells[0] * grid_.cells[1])};
    }
    /// Atoms of the cells first … last (which may lie in other images) of the row that begins at cell number `row`.
    std::int64_t atoms_in_row(std::int64_t first, std::int64_t last, std::int64_t row) const {
        std::int64_t atoms = 0;
        take_row(first, last, row, {}, [&](const CellRun& run) {
            atoms += run.end - run.begin;
            return true;
        });
        return atoms;
    }

    /// By sorted place: the atom, counted from the first of the system and ascending within a cell; its place in the
    /// box.
    std::int32_t atom(std::int64_t place) const { return atoms_[static_cast<std::size_t>(place)]; }
    Vec3<double> wrapped(std::int64_t place) const {
        const auto at = static_cast<std::size_t>(place);
        return {wrapped_[0][at], wrapped_[1][at], wrapped_[2][at]};
    }
    /// The same as arrays; of the places in the box, one for each axis.
    const std::int32_t* atoms_from(std::int64_t place) const { return atoms_.data() + place; }
    const double* wrapped_from(std::int64_t place, std::size_t axis) const { return wrapped_[axis].data() + place; }
    /// By atom: the reduced vectors that were taken from its position to bring it there.
    const Image3& wrap(std::int32_t atom) const { return wraps_[static_cast<std::size_t>(atom)]; }
    std::int64_t atoms() const { return static_cast<std::int64_t>(atoms_.size()); }
    /// No atom lies outside the box.
    bool all_inside() const { return all_inside_; }

    /// Calls take(run) for all runs that hold neighbours of a cell's atoms, one after the other (with a cutoff well
    /// beyond the box there are more of them than memory), until it returns false; returns whether it never did.
    template <class Take>
    bool for_each_run(std::int64_t cell, Take take) const;

private:
    /// Sets wraps_; returns the number of each atom's cell.
    template <class T>
    std::vector<std::int64_t> bin(const Particles<T>& particles, const SystemRange& system);
    template <class T>
    void wrap_positions(const Particles<T>& particles);
    void sort(const std::vector<std::int64_t>& cell);
    void sort_by_counting(const std::vector<std::int64_t>& cell, std::int64_t cells);
    void sort_by_number(const std::vector<std::int64_t>& cell);
    template <class Take>
    bool take_row(std::int64_t first, std::int64_t last, std::int64_t row, Image3 image, Take take) const;
    std::int64_t place_of(std::int64_t number) const;

    Grid grid_{};
    std::int64_t first_atom_ = 0;
    bool all_inside_ = true;
    std::vector<std::int32_t> atoms_;
    std::vector<Image3> wraps_;
    std::array<std::vector<double>, 3> wrapped_;
    std::vector<std::int64_t> numbers_;  // of the occupied cells, ascending
    std::vector<std::int64_t> begins_;   // of the occupied cells' atoms, and the end
    std::vector<std::int32_t> starts_;  // place of the first atom of every cell, where there are few enough; else empty
};

/// Where the atoms of a system are. Throws UsageError for one that is not at a finite place.
template <class T>
Extent extent_of(const Particles<T>& particles, const SystemRange& system, const Basis& basis);

/// Throws UsageError for a system whose grid does not fit: because of an atom that is too far away, or of the cutoff.
template <class T>
[[noreturn]] void refuse_grid(const Particles<T>& particles, const SystemRange& system, std::int64_t number,
                              double cutoff);

/// Cells first … last (which may lie in other images) of a row that begins at cell number `row`.
template <class Take>
bool Cells::take_row(std::int64_t first, std::int64_t last, std::int64_t row, Image3 image, Take take) const {
    const std::int64_t cells = grid_.cells[0];
    for (std::int64_t box = floor_div(first, cells); box <= floor_div(last, cells); ++box) {
        const std::int64_t from = std::max<std::int64_t>(first - box * cells, 0);
        const std::int64_t to = std::min(last - box * cells, cells - 1);
        image.a = static_cast<std::int32_t>(box);
        const CellRun run{place_of(row + from), place_of(row + to + 1), image};
        if (run.begin < run.end && !take(run)) return false;
    }
    return true;
}

template <class Take>
bool Cells::for_each_run(std::int64_t cell, Take take) const {
    const std::array<std::int64_t, 3> at = place_in_grid(cell);
    std::int64_t low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        low[k] = at[static_cast<std::size_t>(k)] - grid_.reach[k];
        high[k] = at[static_cast<std::size_t>(k)] + grid_.reach[k];
        if (grid_.basis.periodic[k]) continue;
        low[k] = std::max<std::int64_t>(low[k], 0);
        high[k] = std::min(high[k], grid_.cells[k] - 1);
    }
    std::optional<CellShape> shape;  // where cells that are not near are left out
    if (rows_around(grid_) > kManyRows) shape.emplace(grid_);
    const double radius = shape ? grid_.ball + shape->diameter() : 0;
    for (std::int64_t c = low[2]; c <= high[2]; ++c) {
        CellRange rows{low[1], high[1]};
        if (shape) {
            const CellRange near = shape->rows_of_layer(c - at[2], radius, grid_.reach[1]);
            rows = {std::max(low[1], at[1] + near.first), std::min(high[1], at[1] + near.last)};
        }
        for (std::int64_t b = rows.first; b <= rows.last; ++b) {
            CellRange row{low[0], high[0]};
            if (shape) {
                const CellRange near = shape->along_row(b - at[1], c - at[2], radius, grid_.reach[0]);
                row = {std::max(low[0], at[0] + near.first), std::min(high[0], at[0] + near.last)};
                if (row.first > row.last) continue;
            }
            const std::int64_t image_b = floor_div(b, grid_.cells[1]), image_c = floor_div(c, grid_.cells[2]);
            const std::int64_t begin =
                cell_number(grid_, 0, b - image_b * grid_.cells[1], c - image_c * grid_.cells[2]);
            if (!take_row(row.first, row.last, begin,
                          {0, static_cast<std::int32_t>(image_b), static_cast<std::int32_t>(image_c)}, take))
                return false;
        }
    }
    return true;
}

}  // namespace lanework

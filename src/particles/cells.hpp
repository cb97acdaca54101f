// The atoms of one system sorted into cells, on the processor. Only cells that hold atoms are kept, however much empty
// space lies between them.
#pragma once

#include <vector>

#include "src/particles/checks.hpp"
#include "src/particles/grid.hpp"

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

    const Grid& grid() const { return grid_; }
    std::int64_t first_atom() const { return first_atom_; }
    /// Cells that hold atoms.
    std::int64_t occupied() const { return static_cast<std::int64_t>(begins_.size()) - 1; }
    /// The atoms of such a cell: a range of sorted places.
    std::int64_t begin(std::int64_t cell) const { return begins_[static_cast<std::size_t>(cell)]; }
    std::int64_t end(std::int64_t cell) const { return begins_[static_cast<std::size_t>(cell) + 1]; }

    /// By sorted place: the atom, counted from the first of the system and ascending within a cell; its place in the
    /// box.
    std::int32_t atom(std::int64_t place) const { return atoms_[static_cast<std::size_t>(place)]; }
    const Vec3<double>& wrapped(std::int64_t place) const { return wrapped_[static_cast<std::size_t>(place)]; }
    /// By atom: the reduced vectors that were taken from its position to bring it there.
    const Image3& wrap(std::int32_t atom) const { return wraps_[static_cast<std::size_t>(atom)]; }
    std::int64_t atoms() const { return static_cast<std::int64_t>(atoms_.size()); }
    /// No atom lies outside the box.
    bool all_inside() const { return all_inside_; }

    /// The runs that hold every neighbour of a cell's atoms; replaces what is in `runs`.
    void neighborhood(std::int64_t cell, std::vector<CellRun>& runs) const;

private:
    /// Sets wraps_; returns the number of each atom's cell.
    template <class T>
    std::vector<std::int64_t> bin(const Particles<T>& particles, const SystemRange& system);
    template <class T>
    void wrap_positions(const Particles<T>& particles);
    void sort(const std::vector<std::int64_t>& cell);
    void sort_by_counting(const std::vector<std::int64_t>& cell, std::int64_t cells);
    void sort_by_number(const std::vector<std::int64_t>& cell);
    void add_row(std::int64_t first, std::int64_t last, std::int64_t row, Image3 image,
                 std::vector<CellRun>& runs) const;
    std::int64_t place_of(std::int64_t number) const;

    Grid grid_{};
    std::int64_t first_atom_ = 0;
    bool all_inside_ = true;
    std::vector<std::int32_t> atoms_;
    std::vector<Image3> wraps_;
    std::vector<Vec3<double>> wrapped_;
    std::vector<std::int64_t> numbers_;  // of the occupied cells, ascending
    std::vector<std::int64_t> begins_;   // of the occupied cells' atoms, and the end
    std::vector<std::int32_t> starts_;  // place of the first atom of every cell, where there are few enough; else empty
};

}  // namespace lanework

// Crystals as cells of atoms that repeat, and random points: where the systems come from that lists are shown, verified
// and timed on. Every cell here is a cuboid.
#pragma once

#include <array>
#include <cstdint>
#include <lanework/neighbors.hpp>
#include <span>
#include <string_view>

namespace lanework {

struct CrystalSite {
    std::array<double, 3> fraction;  ///< of the edges of the cell
    std::int32_t species;
};

struct Crystal {
    std::string_view name;
    double constant;                            ///< Å: the lattice constant as it is tabulated
    std::array<double, 3> edges;                ///< of the cell, in lattice constants; 0: a plane
    std::span<const CrystalSite> sites;         ///< of a cell
    std::span<const std::string_view> species;  ///< names
};

extern const Crystal kGraphene;         ///< a sheet with bonds of 1.42 Å; four atoms, zigzag along y
extern const Crystal kDiamond;          ///< carbon, 3.567 Å, eight atoms
extern const Crystal kFaceCentred;      ///< copper, 3.615 Å, four atoms
extern const Crystal kCaesiumChloride;  ///< 4.119 Å, two atoms

/// Where an atom is when cells stand side by side: the sites of a cell are numbered first, then cells along x, y and z.
/// `cells` are those along x and y.
std::array<double, 3> crystal_position(const Crystal& crystal, double constant, std::array<std::int64_t, 2> cells,
                                       std::int64_t atom);

/// Uniform over [0, 1): the same number for the same seed, atom and axis, on every machine.
double random_fraction(std::uint64_t seed, std::int64_t atom, std::uint64_t axis);

/// a, b and c times the vectors of the box.
std::array<double, 3> at_fractions(const PeriodicBox& box, const std::array<double, 3>& fractions);

}  // namespace lanework

// Atoms as files hold them: where they are, what they are, and the box they live in.
#pragma once

#include <cstdint>
#include <lanework/neighbors.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace lanework {

/// Lengths are in the unit of the file, which is Å for every format but those that leave it open.
struct ParticleSystem {
    int dimensions = 3;             ///< 2 or 3
    std::vector<double> positions;  ///< atoms × dimensions, row-major, as given: nothing is wrapped
    /// One per atom: which of species_names it is. Empty where the file tells no kinds apart.
    std::vector<std::int32_t> species;
    std::vector<std::string> species_names;  ///< in the order of their first atoms
    /// Vectors of open directions are kept: they are written again, and drawn.
    PeriodicBox box;
    std::array<double, 3> origin{};  ///< the corner of the box; neighbours do not depend on it

    /// What neighbors() takes; valid while this is neither moved nor changed.
    Particles<double> view() const { return {.positions = positions, .boxes = {&box, 1}, .dimensions = dimensions}; }
    std::int64_t atoms() const { return static_cast<std::int64_t>(positions.size()) / dimensions; }
    /// x, y, z of an atom; z is 0 in two dimensions.
    std::array<double, 3> position(std::int64_t atom) const {
        const double* x = positions.data() + atom * dimensions;
        return {x[0], x[1], dimensions == 3 ? x[2] : 0};
    }
    /// "X", the placeholder of the formats, where the kind is not known.
    std::string_view species_of(std::int64_t atom) const {
        if (species.empty()) return "X";
        return species_names[static_cast<std::size_t>(species[static_cast<std::size_t>(atom)])];
    }
};

}  // namespace lanework

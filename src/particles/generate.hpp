// Makes systems of atoms: crystals and a random gas.
#pragma once

#include <lanework/particle_system.hpp>
#include <optional>

#include "src/particles/box.hpp"

namespace lanework {

/// The kinds that make_particles knows: "graphene", "diamond", "fcc", "cscl", "gas".
std::vector<std::string> particle_kinds();

/// What is left unset takes the kind's own: 10 × 10 cells of a sheet, 5³ of a crystal, 1000 atoms of a gas.
struct ParticleRecipe {
    std::string kind;
    std::optional<std::int64_t> rows = {}, cols = {};       ///< graphene: cells along y and x
    std::optional<std::array<std::int64_t, 3>> cells = {};  ///< the other crystals
    std::optional<double> constant = {};                    ///< Å: the lattice constant
    std::optional<std::int64_t> atoms = {};                 ///< gas
    std::optional<double> density = {};                     ///< gas: atoms per Å³
    std::optional<BoxVectors> box = {};                     ///< gas
    double noise = 0;                                       ///< Å: standard deviation of each coordinate
    std::uint64_t seed = 1;                                 ///< of the noise and of the gas
    std::optional<double> vacuum = {};                      ///< Å above the atoms along z, which is then open
    std::optional<std::array<bool, 3>> periodic = {};
};

/// The same recipe makes the same atoms. Throws UsageError for what the kind does not take, numbers that are not
/// lengths or counts, or more than kMostMadeAtoms.
ParticleSystem make_particles(const ParticleRecipe& recipe);

inline constexpr std::int64_t kMostMadeAtoms = 100'000'000;

}  // namespace lanework

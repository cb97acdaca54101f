// Recipes made into atoms.
#include "src/particles/generate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "src/particles/crystals.hpp"

namespace lanework {
namespace {

constexpr double kSheetVacuum = 20;   // Å: what programs that need a third box vector are given for a sheet
constexpr double kGasDensity = 0.03;  // atoms per Å³
constexpr std::uint64_t kNoiseStream = 1000;

const Crystal* find_crystal(std::string_view kind) {
    for (const Crystal* crystal : {&kGraphene, &kDiamond, &kFaceCentred, &kCaesiumChloride})
        if (crystal->name == kind) return crystal;
    return nullptr;
}

void refuse_if(bool given, std::string_view option, std::string_view kind, std::string_view right) {
    if (given) throw UsageError(fmt::format("{} is not for {}; it takes {}", option, kind, right));
}

void check_length(const std::optional<double>& length, std::string_view option, bool zero) {
    if (length && (!std::isfinite(*length) || *length < 0 || (!zero && *length == 0)))
        throw UsageError(fmt::format("{} is {}; it must be a number {} 0", option, *length, zero ? "from" : "above"));
}

void check_options(const ParticleRecipe& r) {
    check_length(r.constant, "--lattice", false);
    check_length(r.density, "--density", false);
    check_length(r.noise, "--noise", true);
    check_length(r.vacuum, "--vacuum", true);
    if (r.kind == "gas") {
        constexpr std::string_view right = "--atoms, --density and --box";
        refuse_if(r.rows || r.cols, "--rows or --cols", r.kind, right);
        refuse_if(r.cells.has_value(), "--cells", r.kind, right);
        refuse_if(r.constant.has_value(), "--lattice", r.kind, right);
        return;
    }
    const bool sheet = r.kind == kGraphene.name;
    const std::string_view right = sheet ? "--rows, --cols and --lattice" : "--cells and --lattice";
    refuse_if(sheet && r.cells, "--cells", r.kind, right);
    refuse_if(!sheet && (r.rows || r.cols), "--rows or --cols", r.kind, right);
    refuse_if(r.atoms || r.density || r.box, "--atoms, --density or --box", r.kind, right);
}

/// The product of the counts. Throws UsageError for one that is not positive, or more atoms than are made.
std::int64_t count_atoms(std::initializer_list<std::int64_t> counts) {
    std::int64_t atoms = 1;
    for (const std::int64_t count : counts) {
        if (count < 1) throw UsageError(fmt::format("a count is {}; there must be 1 or more", count));
        if (count > kMostMadeAtoms / atoms)
            throw UsageError(fmt::format("more than {} atoms, the most that are made; choose fewer", kMostMadeAtoms));
        atoms *= count;
    }
    return atoms;
}

ParticleSystem make_crystal(const Crystal& crystal, const ParticleRecipe& recipe) {
    const bool sheet = crystal.edges[2] == 0;
    const auto cells = sheet ? std::array<std::int64_t, 3>{recipe.cols.value_or(10), recipe.rows.value_or(10), 1}
                             : recipe.cells.value_or(std::array<std::int64_t, 3>{5, 5, 5});
    const auto sites = static_cast<std::int64_t>(crystal.sites.size());
    const std::int64_t atoms = count_atoms({cells[0], cells[1], cells[2], sites});
    const double constant = recipe.constant.value_or(crystal.constant);
    ParticleSystem system;
    for (std::size_t k = 0; k < 3; ++k)
        system.box.vectors[k][k] = static_cast<double>(cells[k]) * (crystal.edges[k] * constant);
    system.box.periodic = {true, true, !sheet};
    system.species_names.assign(crystal.species.begin(), crystal.species.end());
    system.positions.reserve(static_cast<std::size_t>(3 * atoms));
    system.species.reserve(static_cast<std::size_t>(atoms));
    for (std::int64_t atom = 0; atom < atoms; ++atom) {
        const auto x = crystal_position(crystal, constant, {cells[0], cells[1]}, atom);
        system.positions.insert(system.positions.end(), x.begin(), x.end());
        system.species.push_back(crystal.sites[static_cast<std::size_t>(atom % sites)].species);
    }
    return system;
}

double volume_of(const BoxVectors& v) {
    return std::abs(v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) -
                    v[0][1] * (v[1][0] * v[2][2] - v[1][2] * v[2][0]) +
                    v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]));
}

std::int64_t gas_atoms(const ParticleRecipe& recipe) {
    if (recipe.atoms || !recipe.density || !recipe.box) return count_atoms({recipe.atoms.value_or(1000)});
    check_box({*recipe.box, {true, true, true}});
    const double atoms = std::round(*recipe.density * volume_of(*recipe.box));
    return count_atoms({static_cast<std::int64_t>(std::clamp(atoms, 0.0, 2.0 * kMostMadeAtoms))});
}

ParticleSystem make_gas(const ParticleRecipe& recipe) {
    if (recipe.atoms && recipe.density && recipe.box)
        throw UsageError("--atoms, --density and --box are one too many: two of them say the third");
    const std::int64_t atoms = gas_atoms(recipe);
    ParticleSystem system;
    const double edge = std::cbrt(static_cast<double>(atoms) / recipe.density.value_or(kGasDensity));
    system.box = PeriodicBox::orthorhombic(edge, edge, edge);
    if (recipe.box) system.box.vectors = *recipe.box;
    check_box(system.box);
    system.species_names = {"Ar"};
    system.species.assign(static_cast<std::size_t>(atoms), 0);
    system.positions.reserve(static_cast<std::size_t>(3 * atoms));
    for (std::int64_t atom = 0; atom < atoms; ++atom) {
        std::array<double, 3> fractions{};
        for (std::size_t axis = 0; axis < 3; ++axis) fractions[axis] = random_fraction(recipe.seed, atom, axis);
        const auto x = at_fractions(system.box, fractions);
        system.positions.insert(system.positions.end(), x.begin(), x.end());
    }
    return system;
}

/// Normally distributed, by Box and Muller.
double random_normal(std::uint64_t seed, std::int64_t index) {
    const double radius = std::sqrt(-2 * std::log(1 - random_fraction(seed + kNoiseStream, index, 0)));
    return radius * std::cos(2 * std::numbers::pi * random_fraction(seed + kNoiseStream, index, 1));
}

void add_noise(ParticleSystem& system, double deviation, std::uint64_t seed) {
    if (deviation == 0) return;
    for (std::size_t k = 0; k < system.positions.size(); ++k)
        system.positions[k] += deviation * random_normal(seed, static_cast<std::int64_t>(k));
}

}  // namespace

std::vector<std::string> particle_kinds() {
    return {std::string(kGraphene.name), std::string(kDiamond.name), std::string(kFaceCentred.name),
            std::string(kCaesiumChloride.name), "gas"};
}

ParticleSystem make_particles(const ParticleRecipe& recipe) {
    const Crystal* crystal = find_crystal(recipe.kind);
    if (!crystal && recipe.kind != "gas")
        throw UsageError(
            fmt::format("there are no `{}` to make; there are: {}", recipe.kind, fmt::join(particle_kinds(), ", ")));
    check_options(recipe);
    ParticleSystem system = crystal ? make_crystal(*crystal, recipe) : make_gas(recipe);
    add_noise(system, recipe.noise, recipe.seed);
    if (!std::ranges::all_of(system.positions, [](double x) { return std::isfinite(x); }))
        throw UsageError("coordinates overflow; choose smaller lengths (--lattice, --box, --noise) or fewer atoms");
    const bool sheet = crystal == &kGraphene;
    if (recipe.vacuum || sheet) {
        system.box.vectors[2][2] += recipe.vacuum.value_or(kSheetVacuum);
        system.box.periodic[2] = false;
    }
    if (recipe.periodic) system.box.periodic = *recipe.periodic;
    check_box(system.box);
    return system;
}

}  // namespace lanework

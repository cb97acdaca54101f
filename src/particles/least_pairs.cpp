// Every point of space lies in one cell of a lattice. Of the lattice points within R of any place there are therefore
// at least as many as cells fit into the ball of radius R − r, where r is how far a cell reaches from its middle.
#include "src/particles/least_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "src/particles/cells.hpp"

namespace lanework {
namespace {

constexpr double kOfRounding = 1 - 1e-9;    // in the volumes below
constexpr std::size_t kCountedTypes = 256;  // with more, no pairs are known beforehand

/// The periodic vectors of a basis: how many there are, length, area or volume of their cell, and its reach.
struct Lattice {
    int dimensions = 0;
    double cell = 1, reach = 0;
};

Lattice lattice_of(const Basis& basis) {
    Lattice lattice;
    for (const bool periodic : basis.periodic) lattice.dimensions += periodic ? 1 : 0;
    // Open rows are unit normals of the others: the volume of all is that of the periodic ones.
    double across[3];
    cross(basis.reduced[1], basis.reduced[2], across);
    lattice.cell = std::fabs(dot(basis.reduced[0], across));
    for (int corner = 0; corner < 4; ++corner) {
        double diagonal[3] = {0, 0, 0};
        for (int k = 0; k < 3; ++k)
            for (int axis = 0; axis < 3 && basis.periodic[k]; ++axis)
                diagonal[axis] += (k < 2 && (corner >> k & 1) != 0 ? -1 : 1) * basis.reduced[k][axis];
        lattice.reach = std::max(lattice.reach, std::sqrt(dot(diagonal, diagonal)) / 2);
    }
    return lattice;
}

/// Lattice points within `radius` of any place of the lattice's own line, plane or space.
double points_within(const Lattice& lattice, double radius) {
    const double r = radius - lattice.reach;
    if (!(r > 0)) return radius > lattice.reach ? 1 : 0;
    constexpr double unit_balls[] = {1, 2, std::numbers::pi, 4 * std::numbers::pi / 3};
    const double points = unit_balls[lattice.dimensions] * std::pow(r, lattice.dimensions) / lattice.cell;
    return std::max(1.0, points * kOfRounding);
}

/// Atoms of one type, the atoms that they look for, and how far.
struct Seekers {
    double atoms, others, cutoff;
    bool alike;  ///< the others are the atoms themselves

    /// Of atoms that are at most √`across` from each other along open directions.
    double pairs(const Lattice& lattice, double radius, double across) const {
        if (!(radius > 0 && radius * radius > across)) return images(lattice, radius);
        const double within = points_within(lattice, std::sqrt(radius * radius - across));
        return std::max({0.0, atoms * (others * within - (alike ? 1 : 0)), images(lattice, radius)});
    }
    /// Of atoms with images of themselves, wherever they are.
    double images(const Lattice& lattice, double radius) const {
        return alike && radius > 0 ? atoms * std::max(points_within(lattice, radius) - 1, 0.0) : 0;
    }
};

template <class T>
std::vector<Seekers> seekers_of(const Particles<T>& particles, const SystemRange& system, const Cutoffs<T>& cutoffs) {
    const auto atoms = static_cast<double>(system.atoms());
    if (!cutoffs.by_type) return {{atoms, atoms, cutoffs.largest, true}};
    const auto types = static_cast<std::size_t>(cutoffs.types);
    if (types > kCountedTypes) return {};
    std::vector<double> of_type(types, 0);
    for (std::int64_t i = system.begin; i < system.end; ++i)
        ++of_type[static_cast<std::size_t>(particles.types[static_cast<std::size_t>(i)])];
    std::vector<Seekers> seekers;
    for (std::size_t a = 0; a < types; ++a)
        for (std::size_t b = 0; b < types; ++b)
            if (const double cutoff = cutoffs.lengths[a * types + b]; cutoff > 0)
                seekers.push_back({of_type[a], of_type[b], cutoff, a == b});
    return seekers;
}

/// The square of how far apart two atoms are along open directions at most.
double squared_across(const Basis& basis, const Extent& extent) {
    double sum = 0;
    for (int k = 0; k < 3; ++k)
        if (!basis.periodic[k]) sum += std::pow(extent.high[k] - extent.low[k], 2);
    return sum;
}

/// Some atoms of the system tell that they are not all within the cutoff of each other: nearly always, and at once.
template <class T>
bool are_apart(const Particles<T>& particles, const SystemRange& system, const Basis& basis, double cutoff) {
    constexpr std::int64_t kAsked = 32;
    SystemRange one = system;
    Extent some{{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, 0};
    for (std::int64_t asked = 0; asked < kAsked && system.atoms() > 0; ++asked) {
        one.begin = system.begin + asked * (system.atoms() - 1) / (kAsked - 1);
        one.end = one.begin + 1;
        const Extent extent = extent_of(particles, one, basis);
        for (int k = 0; k < 3; ++k) {
            some.low[k] = std::min(some.low[k], extent.low[k]);
            some.high[k] = std::max(some.high[k], extent.high[k]);
        }
    }
    double farthest = 0;  // along one direction: then they are at least so far apart
    for (int k = 0; k < 3; ++k)
        if (!basis.periodic[k]) farthest = std::max(farthest, some.high[k] - some.low[k]);
    return farthest > cutoff;
}

/// Pairs of one system, those of an atom with itself left out.
template <class T>
double least_pairs_of(const Particles<T>& particles, const SystemRange& system, std::int64_t number,
                      const Cutoffs<T>& cutoffs) {
    const Basis basis = make_basis(system.box, true);
    if (!basis.independent) refuse_box(system.box, number);
    const Lattice lattice = lattice_of(basis);
    const std::vector<Seekers> seekers = seekers_of(particles, system, cutoffs);
    const auto add_up = [&](double margin, double across) {
        double sum = 0;
        for (const Seekers& each : seekers) sum += each.pairs(lattice, each.cutoff - margin, across);
        return sum;
    };
    // Nearly always there are not many, wherever atoms are along open directions.
    if (!(add_up(0, 0) >= static_cast<double>(kCountedPairs))) return 0;
    if (are_apart(particles, system, basis, cutoffs.largest) &&
        !(add_up(0, cutoffs.largest * cutoffs.largest) >= static_cast<double>(kCountedPairs)))
        return 0;
    const Extent extent = extent_of(particles, system, basis);
    if (!choose_grid<T>(basis, system.box, extent, cutoffs.largest, 1).fits)
        refuse_grid(particles, system, number, cutoffs.largest);
    return add_up(rounding_margin<T>(basis, cutoffs.largest, extent.farthest), squared_across(basis, extent));
}

}  // namespace

template <class T>
std::uint64_t least_pairs(const Particles<T>& particles, const Cutoffs<T>& cutoffs, bool half) {
    constexpr double most = 1e16;  // so that their bytes can be counted
    double sum = 0;
    std::int64_t number = 0;
    for (const SystemRange& system : systems_of(particles)) sum += least_pairs_of(particles, system, number++, cutoffs);
    return static_cast<std::uint64_t>(std::min(half ? sum / 2 : sum, most));
}

template <class T>
void refuse_hopeless(const Particles<T>& particles, const Cutoffs<T>& cutoffs, const NeighborOptions& options) {
    const std::uint64_t pairs = least_pairs(particles, cutoffs, options.half);
    if (pairs >= kCountedPairs) check_memory<T>(options, static_cast<std::uint64_t>(particles.atoms()), {pairs, false});
}

#define LANEWORK_INSTANTIATE(T)                                                       \
    template std::uint64_t least_pairs(const Particles<T>&, const Cutoffs<T>&, bool); \
    template void refuse_hopeless(const Particles<T>&, const Cutoffs<T>&, const NeighborOptions&);
LANEWORK_INSTANTIATE(float)
LANEWORK_INSTANTIATE(double)
#undef LANEWORK_INSTANTIATE

}  // namespace lanework

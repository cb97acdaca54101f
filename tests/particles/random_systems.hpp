// Small systems of every kind: open and periodic, skewed and mirrored, with atoms outside the box and cutoffs beyond
// it.
#pragma once

#include <cmath>
#include <lanework/neighbors.hpp>
#include <random>

namespace lanework {

template <class T>
struct RandomSystem {
    std::vector<T> positions;
    std::vector<std::int32_t> types;
    PeriodicBox box;
    NeighborOptions options;
    int dimensions = 3;

    Particles<T> particles() const {
        return {.positions = positions, .boxes = {&box, 1}, .dimensions = dimensions, .types = types};
    }
};

/// Vectors of any orientation and handedness, some of them long, flat or strongly skewed.
inline PeriodicBox random_box(std::mt19937_64& random, int dimensions) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    PeriodicBox box;
    const auto axes = static_cast<std::size_t>(dimensions);
    for (std::size_t k = 0; k < axes; ++k) box.periodic[k] = random() % 3 != 0;
    for (;;) {
        for (std::size_t k = 0; k < axes; ++k)
            for (std::size_t axis = 0; axis < axes; ++axis)
                box.vectors[k][axis] = 3 * uniform(random) + (k == axis ? 2 : 0);
        if (dimensions == 2) box.vectors[2] = {0, 0, 1};
        const auto& v = box.vectors;
        const double volume = v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) -
                              v[0][1] * (v[1][0] * v[2][2] - v[1][2] * v[2][0]) +
                              v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
        if (std::abs(volume) > 8) break;
    }
    if (random() % 8 == 0)  // the same lattice, skewed
        for (std::size_t axis = 0; axis < axes; ++axis) box.vectors[0][axis] += 3 * box.vectors[1][axis];
    return box;
}

template <class T>
RandomSystem<T> random_system(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(0, 1);
    RandomSystem<T> system;
    system.dimensions = random() % 4 == 0 ? 2 : 3;
    system.box = random_box(random, system.dimensions);
    const int atoms = static_cast<int>(random() % 7);
    // On a lattice of quarters many pairs are at the cutoff exactly.
    const bool on_lattice = random() % 4 == 0;
    const double outside = random() % 4 == 0 ? 1.5 : 0;
    for (int i = 0; i < atoms; ++i)
        for (int axis = 0; axis < system.dimensions; ++axis) {
            double x = 0;
            for (std::size_t k = 0; k < 3; ++k)
                x += (uniform(random) * (1 + 2 * outside) - outside) *
                     system.box.vectors[k][static_cast<std::size_t>(axis)];
            if (on_lattice) x = std::round(4 * x) / 4;
            system.positions.push_back(static_cast<T>(x));
        }
    if (on_lattice)
        for (auto& vector : system.box.vectors)
            for (double& x : vector) x = std::round(4 * x) / 4;
    system.options.cutoff = on_lattice ? 0.25 * static_cast<double>(1 + random() % 8) : 0.3 + 2 * uniform(random);
    system.options.half = random() % 2 == 0;
    system.options.shifts = system.options.vectors = system.options.distances = true;
    if (random() % 4 == 0) {
        const double both = system.options.cutoff, other = both * uniform(random);
        system.options.pair_cutoffs = {both, other, other, random() % 2 ? 0 : both / 2};
        for (int i = 0; i < atoms; ++i) system.types.push_back(static_cast<std::int32_t>(random() % 2));
    }
    return system;
}

}  // namespace lanework

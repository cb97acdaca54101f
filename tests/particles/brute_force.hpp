// Neighbour lists by the definition alone: every pair, every image, the arithmetic of <lanework/neighbors.hpp>.
#pragma once

#include <cmath>
#include <lanework/neighbors.hpp>
#include <tuple>

namespace lanework {

/// One entry of a list.
template <class T>
struct Pair {
    std::int32_t i, j;
    CellShift s;
    DistanceVector<T> vector;
    T distance;

    bool operator==(const Pair&) const = default;
};

template <class T>
std::vector<Pair<T>> entries_of(const NeighborList<T>& list) {
    std::vector<Pair<T>> pairs;
    for (std::int64_t i = 0; i < list.atoms(); ++i)
        for (auto k = static_cast<std::size_t>(list.offsets[static_cast<std::size_t>(i)]);
             k < static_cast<std::size_t>(list.offsets[static_cast<std::size_t>(i) + 1]); ++k)
            pairs.push_back({static_cast<std::int32_t>(i), list.indices[k],
                             list.shifts.empty() ? CellShift{} : list.shifts[k],
                             list.vectors.empty() ? DistanceVector<T>{} : list.vectors[k],
                             list.distances.empty() ? T{} : list.distances[k]});
    return pairs;
}

/// The distances between opposite faces of the box, those of periodic directions only; infinite for open ones.
inline std::array<double, 3> heights(const PeriodicBox& box) {
    const auto dot = [](const auto& u, const auto& v) { return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]; };
    std::array<double, 3> result{HUGE_VAL, HUGE_VAL, HUGE_VAL};
    for (std::size_t k = 0; k < 3; ++k) {
        if (!box.periodic[k]) continue;
        std::vector<std::array<double, 3>> others, frame;
        for (const std::size_t m : {(k + 1) % 3, (k + 2) % 3})
            if (box.periodic[m]) others.push_back(box.vectors[m]);
        others.push_back(box.vectors[k]);
        for (auto& u : others) {  // Gram–Schmidt: the last is what the others leave of vector k
            for (const auto& e : frame) {
                const double along = dot(u, e) / dot(e, e);
                for (std::size_t c = 0; c < 3; ++c) u[c] -= along * e[c];
            }
            frame.push_back(u);
        }
        result[k] = std::sqrt(dot(others.back(), others.back()));
    }
    return result;
}

/// The list of one system, in order: quadratic in the atoms, and for each pair all images that could be near.
template <class T>
std::vector<Pair<T>> brute_force(const Particles<T>& p, const PeriodicBox& box, const NeighborOptions& options) {
    std::vector<Pair<T>> pairs;
    const auto height = heights(box);
    const auto types =
        static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(options.pair_cutoffs.size()))));
    const auto position = [&](std::int64_t i) {
        DistanceVector<T> x{};
        for (int axis = 0; axis < p.dimensions; ++axis)
            x[static_cast<std::size_t>(axis)] = p.positions[static_cast<std::size_t>(i * p.dimensions + axis)];
        return x;
    };
    const auto cutoff_of = [&](std::int64_t i, std::int64_t j) {
        if (types == 0) return options.cutoff;
        const auto row = static_cast<std::size_t>(p.types[static_cast<std::size_t>(i)]);
        return options.pair_cutoffs[row * types + static_cast<std::size_t>(p.types[static_cast<std::size_t>(j)])];
    };
    const auto h = [&](std::size_t k, std::size_t axis) { return box.periodic[k] ? box.vectors[k][axis] : 0; };
    for (std::int64_t i = 0; i < p.atoms(); ++i)
        for (std::int64_t j = options.half ? i : 0; j < p.atoms(); ++j) {
            const DistanceVector<T> from = position(i), to = position(j);
            const double cutoff = cutoff_of(i, j);
            const T limit = static_cast<T>(cutoff) * static_cast<T>(cutoff);
            // |S·H| ≤ |D| + |x[j] − x[i]|, and a component of S is at most that over the box's height along it.
            const double longest =
                1.001 * cutoff + std::hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]) + 1e-3;
            std::int32_t most[3];
            for (std::size_t k = 0; k < 3; ++k) most[k] = static_cast<std::int32_t>(std::ceil(longest / height[k]));
            for (std::int32_t a = -most[0]; a <= most[0]; ++a)
                for (std::int32_t b = -most[1]; b <= most[1]; ++b)
                    for (std::int32_t c = -most[2]; c <= most[2]; ++c) {
                        if (i == j && a == 0 && b == 0 && c == 0) continue;
                        if (options.half && i == j && std::tuple(a, b, c) < std::tuple(0, 0, 0)) continue;
                        DistanceVector<T> d;
                        for (std::size_t axis = 0; axis < 3; ++axis)
                            d[axis] = (to[axis] - from[axis]) +
                                      static_cast<T>((a * h(0, axis) + b * h(1, axis)) + c * h(2, axis));
                        const T squared = (d[0] * d[0] + d[1] * d[1]) + d[2] * d[2];
                        if (squared < limit)
                            pairs.push_back({static_cast<std::int32_t>(i),
                                             static_cast<std::int32_t>(j),
                                             {a, b, c},
                                             d,
                                             std::sqrt(squared)});
                    }
        }
    return pairs;
}

}  // namespace lanework

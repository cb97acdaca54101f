// The same lattice by shorter vectors. A strongly skewed box has thin cells: a ball of the cutoff's radius would reach
// through hundreds of them. Adding whole vectors to each other until none gets shorter leaves the set of images as it
// is and makes the box nearly as compact as its shape allows.
#pragma once

#include <lanework/neighbors.hpp>

#include "src/particles/arithmetic.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

LANEWORK_EVERYWHERE inline double dot(const double (&u)[3], const double (&v)[3]) {
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

LANEWORK_EVERYWHERE inline void cross(const double (&u)[3], const double (&v)[3], double (&w)[3]) {
    w[0] = u[1] * v[2] - u[2] * v[1];
    w[1] = u[2] * v[0] - u[0] * v[2];
    w[2] = u[0] * v[1] - u[1] * v[0];
}

/// A box made ready: its vectors with zeros where it is open, and a reduced basis of the same lattice.
struct Basis {
    double box[3][3];        ///< the box vectors as given; zero where open
    bool periodic[3];        ///< of box and of reduced alike
    double reduced[3][3];    ///< rows: short vectors of the same lattice; unit normals where open
    std::int32_t mix[3][3];  ///< reduced = mix·box (rows of open directions are zero)
    double dual[3][3];       ///< rows: dual[k]·x is the coordinate of x along reduced[k]
    bool independent;        ///< false: the periodic vectors span too little or do not fit; nothing else is meant
};

// Vectors this much shorter count as shorter, a volume this much smaller than a cuboid's as none.
inline constexpr double kShorter = 1 - 1e-9;
inline constexpr double kFlat = 1e-7;
inline constexpr int kMostReductions = 4096;  // rounding could turn in circles; mathematics does not
inline constexpr double kLargestMix = 1 << 20;
// Lengths of periodic vectors: products of them neither overflow nor vanish, nor do floats between their images.
inline constexpr double kShortestVector = 0x1p-90, kLongestVector = 0x1p90;

/// A length with which boxes can be computed.
LANEWORK_EVERYWHERE inline bool has_fitting_length(const double (&v)[3]) {
    const double squared = dot(v, v);
    return squared >= kShortestVector * kShortestVector && squared <= kLongestVector * kLongestVector;
}

/// Row k with `times` row m added to it, if that is shorter: the new row is kept.
LANEWORK_EVERYWHERE inline bool shorten(Basis& basis, int k, int m, double times) {
    double row[3], mix[3];
    for (int axis = 0; axis < 3; ++axis) {
        mix[axis] = basis.mix[k][axis] + times * basis.mix[m][axis];
        if (std::fabs(mix[axis]) > kLargestMix) return false;
    }
    for (int axis = 0; axis < 3; ++axis)
        row[axis] = mix[0] * basis.box[0][axis] + mix[1] * basis.box[1][axis] + mix[2] * basis.box[2][axis];
    if (!(dot(row, row) < kShorter * dot(basis.reduced[k], basis.reduced[k]))) return false;
    for (int axis = 0; axis < 3; ++axis) {
        basis.reduced[k][axis] = row[axis];
        basis.mix[k][axis] = static_cast<std::int32_t>(mix[axis]);
    }
    return true;
}

/// Row k shortened by whole multiples of the other rows, one at a time and both at once.
LANEWORK_EVERYWHERE inline bool shorten_row(Basis& basis, int k) {
    bool any = false;
    const int m = (k + 1) % 3, n = (k + 2) % 3;
    for (const int other : {m, n}) {
        if (!basis.periodic[k] || !basis.periodic[other]) continue;
        const double length = dot(basis.reduced[other], basis.reduced[other]);
        const double times = length > 0 ? std::rint(dot(basis.reduced[k], basis.reduced[other]) / length) : 0;
        any |= times != 0 && shorten(basis, k, other, -times);
    }
    if (!(basis.periodic[0] && basis.periodic[1] && basis.periodic[2])) return any;
    for (const double first : {-1.0, 1.0})
        for (const double second : {-1.0, 1.0}) {
            Basis tried = basis;  // the first step alone may lengthen: only both are judged
            for (int axis = 0; axis < 3; ++axis) {
                tried.mix[m][axis] =
                    static_cast<std::int32_t>(first * basis.mix[m][axis] + second * basis.mix[n][axis]);
                tried.reduced[m][axis] = first * basis.reduced[m][axis] + second * basis.reduced[n][axis];
            }
            if (!shorten(tried, k, m, 1)) continue;
            for (int axis = 0; axis < 3; ++axis) {
                basis.reduced[k][axis] = tried.reduced[k][axis];
                basis.mix[k][axis] = tried.mix[k][axis];
            }
            any = true;
        }
    return any;
}

/// Orthogonal vectors are as short as they can be.
LANEWORK_EVERYWHERE inline bool is_orthogonal(const Basis& basis) {
    bool all = true;
    for (int k = 0; k < 3; ++k) all &= dot(basis.reduced[k], basis.reduced[(k + 1) % 3]) == 0;
    return all;
}

/// With the vectors shortened until none gets shorter.
LANEWORK_SELDOM Basis shortened(Basis basis) {
    for (int round = 0; round < kMostReductions && !is_orthogonal(basis); ++round) {
        bool any = false;
        for (int k = 0; k < 3; ++k) any |= shorten_row(basis, k);
        if (!any) break;
    }
    return basis;
}

/// With the unit vectors of the open directions: orthogonal to the periodic ones and to each other.
LANEWORK_SELDOM Basis completed(Basis basis) {
    for (int k = 0; k < 3; ++k) {
        if (basis.periodic[k]) continue;
        double best[3] = {0, 0, 0};
        for (int axis = 0; axis < 3; ++axis) {  // of the three axes, the one that the others leave most of
            double v[3] = {axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0};
            double frame[3][3];
            int vectors = 0;
            for (int m = 0; m < 3; ++m) {  // Gram–Schmidt over the periodic vectors and the earlier open ones
                if (!basis.periodic[m] && m >= k) continue;
                double u[3] = {basis.reduced[m][0], basis.reduced[m][1], basis.reduced[m][2]};
                for (int done = 0; done < vectors; ++done) {
                    const double along = dot(u, frame[done]);
                    for (int c = 0; c < 3; ++c) u[c] -= along * frame[done][c];
                }
                const double length = std::sqrt(dot(u, u));
                for (int c = 0; c < 3; ++c) frame[vectors][c] = u[c] / length;
                ++vectors;
            }
            for (int twice = 0; twice < 2; ++twice)
                for (int done = 0; done < vectors; ++done) {
                    const double along = dot(v, frame[done]);
                    for (int c = 0; c < 3; ++c) v[c] -= along * frame[done][c];
                }
            if (dot(v, v) > 1.01 * dot(best, best))
                for (int c = 0; c < 3; ++c) best[c] = v[c];
        }
        const double length = std::sqrt(dot(best, best));
        for (int c = 0; c < 3; ++c) basis.reduced[k][c] = best[c] / length;
    }
    return basis;
}

LANEWORK_EVERYWHERE inline void invert(Basis& basis) {
    cross(basis.reduced[1], basis.reduced[2], basis.dual[0]);
    cross(basis.reduced[2], basis.reduced[0], basis.dual[1]);
    cross(basis.reduced[0], basis.reduced[1], basis.dual[2]);
    const double volume = dot(basis.reduced[0], basis.dual[0]);
    double cuboid = 1;
    for (int k = 0; k < 3; ++k) cuboid *= std::sqrt(dot(basis.reduced[k], basis.reduced[k]));
    basis.independent =
        std::fabs(volume) > kFlat * cuboid && cuboid > 0 && std::isfinite(volume) && std::isfinite(cuboid);
    const double inverse = 1 / volume;
    for (int k = 0; k < 3; ++k)
        for (int axis = 0; axis < 3; ++axis) basis.dual[k][axis] *= inverse;
}

/// The basis of a box; with `reduce` false the vectors stay as they are.
LANEWORK_EVERYWHERE inline Basis make_basis(const PeriodicBox& box, bool reduce) {
    Basis basis{};
    for (int k = 0; k < 3; ++k) basis.periodic[k] = box.periodic[k];
    for (int k = 0; k < 3; ++k) {
        if (!basis.periodic[k]) continue;
        basis.mix[k][k] = 1;
        for (int axis = 0; axis < 3; ++axis) basis.reduced[k][axis] = basis.box[k][axis] = box.vectors[k][axis];
        if (!has_fitting_length(basis.box[k])) return basis;
    }
    if (reduce && !is_orthogonal(basis)) basis = shortened(basis);
    // Two periodic vectors along one line leave no open direction to be found.
    for (int k = 0; k < 3; ++k) {
        const int m = (k + 1) % 3;
        if (!basis.periodic[k] || !basis.periodic[m]) continue;
        double area[3];
        cross(basis.reduced[k], basis.reduced[m], area);
        if (!(dot(area, area) >
              kFlat * kFlat * dot(basis.reduced[k], basis.reduced[k]) * dot(basis.reduced[m], basis.reduced[m])))
            return basis;
    }
    if (!(basis.periodic[0] && basis.periodic[1] && basis.periodic[2])) basis = completed(basis);
    invert(basis);
    return basis;
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

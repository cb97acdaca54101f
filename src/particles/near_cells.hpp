// Which cells around a cell can be near it. A box that is flat and could not be reduced has so many images within its
// reach that going through them all would take minutes, and hardly any of them within the cutoff.
#pragma once

#include <algorithm>
#include <cmath>

#include "src/particles/grid.hpp"

namespace lanework {

/// Rows of cells around one cell.
inline std::int64_t rows_around(const Grid& grid) {
    return (2 * std::int64_t{grid.reach[1]} + 1) * (2 * std::int64_t{grid.reach[2]} + 1);
}
/// Above so many, cells that are not near are left out.
inline constexpr std::int64_t kManyRows = 4096;

/// Whole numbers; none where first > last.
struct CellRange {
    std::int64_t first, last;
};

/// The n for which |from + n·step| ≤ radius, and no less for any rounding; from −most to most.
inline CellRange steps_within(const double (&from)[3], const double (&step)[3], double radius, std::int64_t most) {
    constexpr double kRounding = 1e-14;
    const double squared = dot(step, step), along = dot(from, step), size = dot(from, from);
    const double rest =
        along * along - squared * (size - radius * radius) + kRounding * (along * along + squared * size);
    if (!(squared > 0)) return {-most, most};
    if (rest < 0) return {0, -1};
    const double root = std::sqrt(std::max(rest, 0.0)), limit = static_cast<double>(most);
    return {static_cast<std::int64_t>(std::clamp(std::floor((-along - root) / squared), -limit, limit)),
            static_cast<std::int64_t>(std::clamp(std::ceil((-along + root) / squared), -limit, limit))};
}

/// The cells of a grid as parallelepipeds.
class CellShape {
public:
    explicit CellShape(const Grid& grid) {
        for (int k = 0; k < 3; ++k)
            for (int axis = 0; axis < 3; ++axis) edges_[k][axis] = grid.basis.reduced[k][axis] / grid.scale[k];
        double longest = 0;
        for (int corner = 0; corner < 4; ++corner) {
            double across[3];
            for (int axis = 0; axis < 3; ++axis)
                across[axis] = edges_[2][axis] + ((corner & 1) != 0 ? -1 : 1) * edges_[0][axis] +
                               ((corner & 2) != 0 ? -1 : 1) * edges_[1][axis];
            longest = std::max(longest, dot(across, across));
        }
        diameter_ = std::sqrt(longest);
        for (int k = 1; k < 3; ++k) {
            const double part = dot(edges_[k], edges_[0]) / dot(edges_[0], edges_[0]);
            for (int axis = 0; axis < 3; ++axis) beside_[k][axis] = edges_[k][axis] - part * edges_[0][axis];
        }
    }

    /// How far two places of one cell can be from each other.
    double diameter() const { return diameter_; }

    /// Between the same corners of cells that are so many away from each other.
    double distance(std::int64_t a, std::int64_t b, std::int64_t c) const {
        double v[3];
        for (int axis = 0; axis < 3; ++axis)
            v[axis] = static_cast<double>(a) * edges_[0][axis] + static_cast<double>(b) * edges_[1][axis] +
                      static_cast<double>(c) * edges_[2][axis];
        return std::sqrt(dot(v, v));
    }
    /// Of the same corner of cells b and c away: those n cells along the row that are within `radius`.
    CellRange along_row(std::int64_t b, std::int64_t c, double radius, std::int64_t most) const {
        double from[3];
        for (int axis = 0; axis < 3; ++axis)
            from[axis] = static_cast<double>(b) * edges_[1][axis] + static_cast<double>(c) * edges_[2][axis];
        return steps_within(from, edges_[0], radius, most);
    }
    /// Of the layer c cells away: the rows that come within `radius` somewhere.
    CellRange rows_of_layer(std::int64_t c, double radius, std::int64_t most) const {
        double from[3];
        for (int axis = 0; axis < 3; ++axis) from[axis] = static_cast<double>(c) * beside_[2][axis];
        return steps_within(from, beside_[1], radius, most);
    }

private:
    double edges_[3][3], beside_[3][3] = {}, diameter_;  // beside_: what of an edge is across the rows
};

}  // namespace lanework

// The images of a point that lie in a ball, in the order of the list: vector after vector, each as far as the ball
// allows once those before it are chosen. What is left of the radius is measured across the vectors that follow, so
// that skewed boxes take no longer than cubes.
#pragma once

#include <algorithm>
#include <cmath>

#include "src/particles/grid.hpp"

namespace lanework {

class ImagesInBall {
public:
    ImagesInBall(const Grid& grid, double radius) : grid_(grid), radius_(radius) {
        for (int k = 2; k >= 0; --k) {
            for (int axis = 0; axis < 3; ++axis) across_[k][axis] = grid.basis.box[k][axis];
            for (int twice = 0; twice < 2; ++twice)
                for (int m = 2; m > k; --m) {
                    const double along = dot(across_[k], across_[m]);
                    for (int axis = 0; axis < 3; ++axis) across_[k][axis] -= along * across_[m][axis];
                }
            length_[k] = std::sqrt(dot(across_[k], across_[k]));
            for (int axis = 0; axis < 3 && length_[k] > 0; ++axis) across_[k][axis] /= length_[k];
        }
    }

    /// Calls take(S, x + S·H) for all images of x in the ball around the origin, S ascending lexicographically, and for
    /// some that are just outside.
    template <class Take>
    void visit(const Vec3<double>& x, Take take) const {
        const double from[3] = {x.x, x.y, x.z};
        std::int32_t s[3] = {0, 0, 0};
        choose(0, from, radius_ * radius_, s, take);
    }

private:
    /// Chooses component k; `rest` is what is left of the squared radius.
    template <class Take>
    void choose(int k, const double (&x)[3], double rest, std::int32_t (&s)[3], Take& take) const {
        if (k == 3) return take(Image3{s[0], s[1], s[2]}, Vec3<double>{x[0], x[1], x[2]});
        if (!grid_.basis.periodic[k]) return choose(k + 1, x, rest, s, take);
        const double at = dot(x, across_[k]), half = std::sqrt(std::max(rest, 0.0));
        const double bias = grid_.bias[k];  // no neighbour's S is larger
        const auto low = static_cast<std::int32_t>(std::clamp(std::floor((-half - at) / length_[k]), -bias, bias));
        const auto high = static_cast<std::int32_t>(std::clamp(std::ceil((half - at) / length_[k]), -bias, bias));
        for (s[k] = low; s[k] <= high; ++s[k]) {
            double moved[3];
            for (int axis = 0; axis < 3; ++axis) moved[axis] = x[axis] + s[k] * grid_.basis.box[k][axis];
            const double along = at + s[k] * length_[k];
            choose(k + 1, moved, rest - along * along, s, take);
        }
        s[k] = 0;
    }

    const Grid& grid_;
    double radius_;
    double across_[3][3];  // unit vectors: of box vector k what is orthogonal to those behind it; zero where open
    double length_[3];     // how far box vector k reaches along it
};

}  // namespace lanework

// The input is taken to the output as a parallelogram and clipped at the four edges of that.
#include "ops/warp/coverage.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "src/pixels/affine.hpp"

namespace lanework {
namespace {

struct Point {
    double x, y;
};

/// The part of a polygon where a·x + b·y ≤ limit.
std::vector<Point> clipped(const std::vector<Point>& corners, double a, double b, double limit) {
    std::vector<Point> kept;
    const auto beyond = [&](const Point& p) { return a * p.x + b * p.y - limit; };
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Point &from = corners[i], &to = corners[(i + 1) % corners.size()];
        const double before = beyond(from), after = beyond(to);
        if (before <= 0) kept.push_back(from);
        if ((before < 0 && after > 0) || (before > 0 && after < 0)) {
            const double part = before / (before - after);
            kept.push_back({from.x + part * (to.x - from.x), from.y + part * (to.y - from.y)});
        }
    }
    return kept;
}

double area(const std::vector<Point>& corners) {
    double twice = 0;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Point &from = corners[i], &to = corners[(i + 1) % corners.size()];
        twice += from.x * to.y - to.x * from.y;
    }
    return std::abs(twice) / 2;
}

}  // namespace

std::uint64_t pixels_needed(const Affine& affine, std::int64_t height, std::int64_t width, std::int64_t out_height,
                            std::int64_t out_width) {
    if (height == 0 || width == 0 || out_height == 0 || out_width == 0) return 0;
    const auto at = [&](double x, double y) {
        return Point{affine.m[0][0] * x + affine.m[0][1] * y + affine.m[0][2],
                     affine.m[1][0] * x + affine.m[1][1] * y + affine.m[1][2]};
    };
    const auto right = static_cast<double>(width - 1), down = static_cast<double>(height - 1);
    std::vector<Point> seen{at(0, 0), at(right, 0), at(right, down), at(0, down)};
    seen = clipped(seen, -1, 0, 0);
    seen = clipped(seen, 0, -1, 0);
    seen = clipped(seen, 1, 0, static_cast<double>(out_width - 1));
    seen = clipped(seen, 0, 1, static_cast<double>(out_height - 1));
    const double outputs = area(seen), inputs = outputs / std::abs(determinant(affine));
    return static_cast<std::uint64_t>(std::min(inputs, 4 * outputs));
}

}  // namespace lanework

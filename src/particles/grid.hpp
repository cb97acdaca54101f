// Cells: the box cut along its reduced vectors into parallelepipeds about as thick as the cutoff, or a part of it. What
// is nearer than the cutoff lies at most `reach` cells away. The grid is only a way to find candidates: the arithmetic
// of <lanework/neighbors.hpp> decides about them, and a margin for every rounding on the way lets none be missed.
#pragma once

#include <limits>

#include "src/particles/basis.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// What a grid needs to know of the atoms of its system.
struct Extent {
    double low[3], high[3];  ///< of the coordinates along the open directions
    double farthest;         ///< the largest absolute value of a coordinate
};

struct Grid {
    Basis basis;
    double origin[3];        ///< coordinate at which the first cell begins
    double scale[3];         ///< cells per unit of coordinate
    std::int64_t cells[3];   ///< at least 1 along each direction; their product is below 2^61
    std::int32_t reach[3];   ///< cells to either side in which neighbours can be
    std::int32_t images[3];  ///< boxes to either side in which neighbours can be; 0 along open directions
    std::int32_t bias[3];    ///< S of those images lies in [−bias, bias]
    double ball;             ///< the cutoff with its margin
    bool fits;               ///< the images can be numbered in 32 bits, and rounding reaches through few of them
};

inline constexpr std::int64_t kMostCells = std::int64_t{1} << 20;  // along one direction
inline constexpr double kFarthestBox = 1 << 28;                    // box vectors from the origin
inline constexpr double kFarthestImage = 1 << 29;                  // box vectors between neighbours
inline constexpr double kMostRounded = 1 << 16;                    // images through which rounding alone may reach
/// A coordinate beyond this counts as here: order and nearness stay as they are, and no difference overflows.
inline constexpr double kFarthestCoordinate = 0x1p1000;

/// The number of an image: ascending as S ascends lexicographically.
LANEWORK_EVERYWHERE inline std::uint32_t image_code(const Grid& grid, const Image3& s) {
    const auto digit = [&](std::int32_t value, int k) { return static_cast<std::uint32_t>(value + grid.bias[k]); };
    const auto span = [&](int k) { return static_cast<std::uint32_t>(2 * grid.bias[k] + 1); };
    return (digit(s.a, 0) * span(1) + digit(s.b, 1)) * span(2) + digit(s.c, 2);
}
LANEWORK_EVERYWHERE inline Image3 image_of_code(const Grid& grid, std::uint32_t code) {
    const auto span = [&](int k) { return static_cast<std::uint32_t>(2 * grid.bias[k] + 1); };
    const std::uint32_t rest = code / span(2);
    return {static_cast<std::int32_t>(rest / span(1)) - grid.bias[0],
            static_cast<std::int32_t>(rest % span(1)) - grid.bias[1],
            static_cast<std::int32_t>(code % span(2)) - grid.bias[2]};
}

/// S in terms of the box as given, of whole numbers of reduced vectors.
LANEWORK_EVERYWHERE inline Image3 in_box_vectors(const Basis& basis, const Image3& s) {
    const auto component = [&](int m) {
        return static_cast<std::int32_t>(std::int64_t{s.a} * basis.mix[0][m] + std::int64_t{s.b} * basis.mix[1][m] +
                                         std::int64_t{s.c} * basis.mix[2][m]);
    };
    return {component(0), component(1), component(2)};
}

/// How far rounding can move the displacement of a pair: of the coordinates in T and of the images in double.
template <class T>
LANEWORK_EVERYWHERE double rounding_margin(const Basis& basis, double cutoff, double farthest) {
    // Sums of components instead of lengths, which are never more: on a GPU one thread takes long for a square root.
    const auto size = [](const double(&row)[3]) { return std::fabs(row[0]) + std::fabs(row[1]) + std::fabs(row[2]); };
    double boxes = 0, terms = 0, most = 0;
    for (int k = 0; k < 3; ++k) {
        if (!basis.periodic[k]) continue;
        boxes += size(basis.reduced[k]);
        most = std::fmax(most, size(basis.dual[k]));
        for (int m = 0; m < 3; ++m) terms += std::fabs(double(basis.mix[k][m])) * size(basis.box[m]);
    }
    const double far = std::fmin(farthest, kFarthestCoordinate);
    const double many = 4 + (2 * far + cutoff) * most;  // boxes between two atoms
    return 64 * (static_cast<double>(std::numeric_limits<T>::epsilon()) * (cutoff + far + boxes) +
                 std::numeric_limits<double>::epsilon() * many * terms);
}

/// The inverse of the box's height along reduced vector k; 1 where it is open.
LANEWORK_EVERYWHERE inline double boxes_per_length(const Basis& basis, int k) {
    return std::sqrt(dot(basis.dual[k], basis.dual[k]));
}

/// Cells along one direction: at least one (also where there is no number), and not too many.
LANEWORK_EVERYWHERE inline double within_most(double cells) {
    return cells >= double(kMostCells) ? double(kMostCells) : cells >= 1 ? cells : 1;
}

/// How far neighbours can be, in the cells that a grid has, for atoms as far as `farthest` from the origin.
template <class T>
LANEWORK_EVERYWHERE void set_reach(Grid& grid, double cutoff, double farthest) {
    constexpr double kMost = 1e9;  // what is cut here does not fit; it may be no number
    const Basis& basis = grid.basis;
    const double margin = rounding_margin<T>(basis, cutoff, farthest);
    grid.ball = cutoff + margin;
    double images[3] = {0, 0, 0}, rounded = 1, codes = 1;
    for (int k = 0; k < 3; ++k) {
        const double cells = double(grid.cells[k]), boxes = basis.periodic[k] ? boxes_per_length(basis, k) : 0;
        const double reach = std::ceil(grid.ball * (basis.periodic[k] ? cells * boxes : grid.scale[k]));
        grid.reach[k] = static_cast<std::int32_t>(std::fmin(reach, basis.periodic[k] ? kMost : cells - 1));
        if (basis.periodic[k]) images[k] = reach <= cells ? 1 : std::ceil(reach / cells);
        grid.images[k] = static_cast<std::int32_t>(std::fmin(images[k], kMost));
        rounded *= 2 * margin * boxes + 1;
    }
    grid.fits = rounded < kMostRounded;
    for (int m = 0; m < 3; ++m) {
        double bias = 0;
        for (int k = 0; k < 3; ++k) bias += images[k] * std::fabs(double(basis.mix[k][m]));
        codes *= 2 * bias + 1;
        grid.fits = grid.fits && bias <= kFarthestImage;
        grid.bias[m] = static_cast<std::int32_t>(std::fmin(bias, kFarthestImage));
    }
    grid.fits = grid.fits && codes < 4294967295.0;
}

/// The grid of cells about `width` times the cutoff thick, and never thinner.
template <class T>
LANEWORK_EVERYWHERE Grid make_grid(const Basis& basis, const Extent& extent, double cutoff, double width) {
    Grid grid{};
    grid.basis = basis;
    const double thickness = width * (cutoff + rounding_margin<T>(basis, cutoff, extent.farthest));
    for (int k = 0; k < 3; ++k) {
        double cells;
        if (basis.periodic[k]) {
            cells = within_most(std::floor(1 / (boxes_per_length(basis, k) * thickness)));
            grid.origin[k] = 0;
            grid.scale[k] = cells;
        } else {
            const double length = std::fmax(extent.high[k] - extent.low[k], 0.0);
            cells = within_most(std::floor(length / thickness) + 1);
            grid.origin[k] = extent.low[k];
            grid.scale[k] = 1 / (cells == double(kMostCells) ? length / (cells - 1) : thickness);
        }
        grid.cells[k] = static_cast<std::int64_t>(cells);
    }
    set_reach<T>(grid, cutoff, extent.farthest);
    return grid;
}

template <class T>
LANEWORK_SELDOM Grid unreduced_grid(const PeriodicBox& box, const Extent& extent, double cutoff, double width) {
    return make_grid<T>(make_basis(box, false), extent, cutoff, width);
}

/// The grid in a reduced basis, or where the numbers of its images would not fit, in the box as it is.
template <class T>
LANEWORK_EVERYWHERE Grid choose_grid(const Basis& reduced, const PeriodicBox& box, const Extent& extent, double cutoff,
                                     double width) {
    const Grid grid = make_grid<T>(reduced, extent, cutoff, width);
    return grid.fits ? grid : unreduced_grid<T>(box, extent, cutoff, width);
}

/// Where an atom is: how many reduced vectors it lies from the box, and its cell in there.
struct CellPlace {
    Image3 wrap;
    std::int32_t cell[3];
    bool near;  ///< false: too many boxes away to be counted
};

LANEWORK_EVERYWHERE inline double coordinate(const Basis& basis, int k, const double (&x)[3]) {
    return std::fmin(std::fmax(dot(basis.dual[k], x), -kFarthestCoordinate), kFarthestCoordinate);
}

LANEWORK_EVERYWHERE inline CellPlace locate(const Grid& grid, const double (&x)[3]) {
    CellPlace place{{0, 0, 0}, {0, 0, 0}, true};
    double wrap[3] = {0, 0, 0};
    for (int k = 0; k < 3; ++k) {
        double inside = coordinate(grid.basis, k, x) - grid.origin[k];
        if (grid.basis.periodic[k]) {
            wrap[k] = std::floor(inside);
            inside -= wrap[k];
        }
        const double cell = std::floor(inside * grid.scale[k]), last = double(grid.cells[k] - 1);
        place.cell[k] = static_cast<std::int32_t>(cell > 0 ? std::fmin(cell, last) : 0);  // 0 where it is no number
    }
    for (int m = 0; m < 3; ++m) {
        double vectors = 0;
        for (int k = 0; k < 3; ++k) vectors += std::fabs(wrap[k] * grid.basis.mix[k][m]);
        place.near &= vectors < kFarthestBox;
    }
    for (int k = 0; k < 3; ++k) place.near &= std::fabs(wrap[k]) < kFarthestBox;
    if (place.near)
        place.wrap = {static_cast<std::int32_t>(wrap[0]), static_cast<std::int32_t>(wrap[1]),
                      static_cast<std::int32_t>(wrap[2])};
    return place;
}

/// The number of a cell: neighbours along the first direction have consecutive numbers.
LANEWORK_EVERYWHERE inline std::int64_t cell_number(const Grid& grid, std::int64_t a, std::int64_t b, std::int64_t c) {
    return (c * grid.cells[1] + b) * grid.cells[0] + a;
}

/// ⌊a / b⌋ for b > 0.
LANEWORK_EVERYWHERE inline std::int64_t floor_div(std::int64_t a, std::int64_t b) {
    return a >= 0 ? a / b : -((b - 1 - a) / b);
}

/// S of the pair (i, j) whose image of j, counted in reduced vectors from where atoms are wrapped to, is `image`:
/// wrapped x = x − wrap·reduced, so S = image + wrap(i) − wrap(j), in box vectors.
LANEWORK_EVERYWHERE inline Image3 pair_shift(const Basis& basis, const Image3& image, const Image3& wrap_i,
                                             const Image3& wrap_j) {
    return in_box_vectors(
        basis, {image.a + wrap_i.a - wrap_j.a, image.b + wrap_i.b - wrap_j.b, image.c + wrap_i.c - wrap_j.c});
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

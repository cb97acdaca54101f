// Atoms sorted into cells as thick as the cutoff; only the cells around an atom are tested. What is found is in the
// order of the cells, and each atom's neighbours are sorted after.
#include <algorithm>
#include <numeric>

#include "ops/neighbors/box_cells.hpp"

namespace {
struct Sorted {
    std::vector<CellPlace> places;     // by atom
    std::vector<std::int64_t> starts;  // of each cell's atoms, and the end
    std::vector<std::int32_t> atoms;   // cell after cell
};

template <class T>
Sorted sort_atoms(const NeighborsArgs<T>& a, const Grid& grid) {
    Sorted sorted;
    sorted.starts.assign(static_cast<std::size_t>(cell_count(grid)) + 1, 0);
    const auto number = [&](const CellPlace& place) {
        return static_cast<std::size_t>(cell_number(grid, place.cell[0], place.cell[1], place.cell[2]));
    };
    for (std::int64_t i = 0; i < a.n; ++i) {
        const T* const x = a.positions + 3 * i;
        sorted.places.push_back(locate(grid, {double(x[0]), double(x[1]), double(x[2])}));
        ++sorted.starts[number(sorted.places.back()) + 1];
    }
    std::partial_sum(sorted.starts.begin(), sorted.starts.end(), sorted.starts.begin());
    std::vector<std::int64_t> next(sorted.starts.begin(), sorted.starts.end() - 1);
    sorted.atoms.resize(static_cast<std::size_t>(a.n));
    for (std::int64_t i = 0; i < a.n; ++i)
        sorted.atoms[static_cast<std::size_t>(next[number(sorted.places[static_cast<std::size_t>(i)])]++)] =
            static_cast<std::int32_t>(i);
    return sorted;
}

template <class T, class Visit>
void for_each_neighbor(const NeighborsArgs<T>& a, const Grid& grid, const Sorted& sorted, std::int64_t i, Visit visit) {
    const auto position = [&](std::int64_t k) {
        return Vec3<T>{a.positions[3 * k], a.positions[3 * k + 1], a.positions[3 * k + 2]};
    };
    const CellPlace& place = sorted.places[static_cast<std::size_t>(i)];
    for_each_cell_around(grid, place, [&](std::int64_t cell, const Image3& image) {
        for (auto at = sorted.starts[static_cast<std::size_t>(cell)];
             at < sorted.starts[static_cast<std::size_t>(cell) + 1]; ++at) {
            const std::int32_t j = sorted.atoms[static_cast<std::size_t>(at)];
            const Image3 s = pair_shift(grid.basis, image, place.wrap, sorted.places[static_cast<std::size_t>(j)].wrap);
            if (i == j && s.a == 0 && s.b == 0 && s.c == 0) continue;
            const Vec3<T> d = displacement(position(i), position(j), translation<T>(s, grid.basis.box));
            if (squared_length(d) < a.limit) visit(j);
        }
    });
}

template <class T>
void launch(const NeighborsArgs<T>& a, Team) {
    const Grid grid = box_grid(a);
    const Sorted sorted = sort_atoms(a, grid);
    std::uint64_t sum = 0;
    for (std::int64_t i = 0; i < a.n; ++i) {
        a.offsets[i] = sum;
        for_each_neighbor(a, grid, sorted, i, [&](std::int32_t) { ++sum; });
    }
    a.offsets[a.n] = sum;
    for (std::int64_t i = 0; i < a.n; ++i) {
        std::int32_t* next = a.indices + a.offsets[i];
        for_each_neighbor(a, grid, sorted, i, [&](std::int32_t j) { *next++ = j; });
        std::sort(a.indices + a.offsets[i], next);
    }
}
}  // namespace

LANEWORK_RUNG(neighbors, cell_list,
              {
                  .climbs_from = "brute_force",
                  .lesson = "Sort the atoms into cells and test the cells around: the work is linear in the atoms.",
                  .launch = {launch<float>, launch<double>},
              });

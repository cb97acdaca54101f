// Sorting atoms into cells: by counting where the grid is small enough to count in, else by number.
#include "src/particles/cells.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lanework {
namespace {

constexpr std::int64_t kCountedCells = 4;  // per atom: with more cells than that, counting them costs more than sorting

template <class T>
void load(const Particles<T>& p, std::int64_t atom, double (&x)[3]) {
    const T* const from = p.positions.data() + atom * p.dimensions;
    for (int axis = 0; axis < 3; ++axis) x[axis] = axis < p.dimensions ? static_cast<double>(from[axis]) : 0;
}

/// How thick cells should be, in cutoffs, of which `thick` is the grid of one: gathering and sorting candidates pays
/// when some dozens of atoms share them, and thin cells have a neighbourhood that is closer to a ball. Cells thinner
/// than a cutoff are whole parts of it: a little thinner, and neighbours reach into another layer of them.
double cell_width(const Grid& thick, std::int64_t atoms) {
    constexpr double kAtomsPerCell = 32, kThinnest = 1.0 / 4, kThickest = 2;
    double cells = 1;
    for (int k = 0; k < 3; ++k) cells *= static_cast<double>(thick.cells[k]);
    const double width = std::clamp(
        std::cbrt(kAtomsPerCell * cells / static_cast<double>(std::max<std::int64_t>(atoms, 1))), kThinnest, kThickest);
    return width < 1 ? 1 / std::floor(1 / width) : width;
}

/// The atom that is farthest from the origin along an axis.
template <class T>
std::int64_t farthest_atom(const Particles<T>& p, const SystemRange& system) {
    std::int64_t farthest = system.begin;
    double most = -1;
    for (std::int64_t i = system.begin; i < system.end; ++i) {
        double x[3];
        load(p, i, x);
        const double far = std::max({std::abs(x[0]), std::abs(x[1]), std::abs(x[2])});
        if (far > most) most = far, farthest = i;
    }
    return farthest;
}

}  // namespace

template <class T>
Extent extent_of(const Particles<T>& p, const SystemRange& system, const Basis& basis) {
    Extent extent{{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, 0};
    for (std::int64_t i = system.begin; i < system.end; ++i) {
        double x[3];
        load(p, i, x);
        for (int k = 0; k < 3; ++k) {
            if (!std::isfinite(x[k])) refuse_atom(p, i);
            extent.farthest = std::max(extent.farthest, std::abs(x[k]));
            if (basis.periodic[k]) continue;
            const double at = coordinate(basis, k, x);
            extent.low[k] = std::min(extent.low[k], at);
            extent.high[k] = std::max(extent.high[k], at);
        }
    }
    return extent;
}

template <class T>
void refuse_grid(const Particles<T>& particles, const SystemRange& system, std::int64_t number, double cutoff) {
    const Basis basis = make_basis(system.box, true);
    Extent near = extent_of(particles, system, basis);
    near.farthest = 0;
    const Grid grid = choose_grid<T>(basis, system.box, near, cutoff, 1);
    if (!grid.fits) refuse_images(cutoff, number);
    const std::int64_t atom = farthest_atom(particles, system);
    double x[3];
    load(particles, atom, x);
    if (!locate(grid, x).near) refuse_atom(particles, atom);
    refuse_rounding(particles, atom, number);
}

template <class T>
Cells::Cells(const Particles<T>& particles, const SystemRange& system, std::int64_t number, double cutoff)
    : first_atom_(system.begin) {
    const Basis basis = make_basis(system.box, true);
    if (!basis.independent) refuse_box(system.box, number);
    const Extent extent = extent_of(particles, system, basis);
    grid_ = choose_grid<T>(basis, system.box, extent, cutoff, 1);
    grid_ = choose_grid<T>(basis, system.box, extent, cutoff, cell_width(grid_, system.atoms()));
    if (!grid_.fits) refuse_grid(particles, system, number, cutoff);
    sort(bin(particles, system));
    wrap_positions(particles);
}

template <class T>
Cells::Cells(const Particles<T>& particles, const SystemRange& system, const Grid& grid)
    : grid_(grid), first_atom_(system.begin) {
    sort(bin(particles, system));
    wrap_positions(particles);
}

template <class T>
std::vector<std::int64_t> Cells::bin(const Particles<T>& particles, const SystemRange& system) {
    std::vector<std::int64_t> cell(static_cast<std::size_t>(system.atoms()));
    wraps_.resize(cell.size());
    for (std::int64_t i = system.begin; i < system.end; ++i) {
        double x[3];
        load(particles, i, x);
        const CellPlace place = locate(grid_, x);
        if (!place.near) refuse_atom(particles, i);
        const auto at = static_cast<std::size_t>(i - system.begin);
        cell[at] = cell_number(grid_, place.cell[0], place.cell[1], place.cell[2]);
        wraps_[at] = place.wrap;
        all_inside_ &= place.wrap.a == 0 && place.wrap.b == 0 && place.wrap.c == 0;
    }
    return cell;
}

template <class T>
void Cells::wrap_positions(const Particles<T>& particles) {
    for (auto& along : wrapped_) along.resize(atoms_.size());
    const auto& r = grid_.basis.reduced;
    for (std::size_t place = 0; place < atoms_.size(); ++place) {
        const Image3& w = wrap(atoms_[place]);
        double x[3];
        load(particles, first_atom_ + atoms_[place], x);
        const auto inside = [&](int axis) {
            return x[axis] - (w.a * r[0][axis] + w.b * r[1][axis] + w.c * r[2][axis]);
        };
        for (int axis = 0; axis < 3; ++axis) wrapped_[static_cast<std::size_t>(axis)][place] = inside(axis);
    }
}

void Cells::sort(const std::vector<std::int64_t>& cell) {
    const auto atoms = static_cast<std::int64_t>(cell.size());
    double cells = 1;
    for (int k = 0; k < 3; ++k) cells *= static_cast<double>(grid_.cells[k]);
    if (cells <= static_cast<double>(kCountedCells * atoms + 64))
        sort_by_counting(cell, grid_.cells[0] * grid_.cells[1] * grid_.cells[2]);
    else
        sort_by_number(cell);
}

void Cells::sort_by_counting(const std::vector<std::int64_t>& cell, std::int64_t cells) {
    starts_.assign(static_cast<std::size_t>(cells) + 1, 0);
    for (const std::int64_t number : cell) ++starts_[static_cast<std::size_t>(number) + 1];
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    std::vector<std::int32_t> next(starts_.begin(), starts_.end() - 1);
    atoms_.resize(cell.size());
    for (std::size_t i = 0; i < cell.size(); ++i)
        atoms_[static_cast<std::size_t>(next[static_cast<std::size_t>(cell[i])]++)] = static_cast<std::int32_t>(i);
    for (std::int64_t number = 0; number < cells; ++number) {
        const auto at = static_cast<std::size_t>(number);
        if (starts_[at] == starts_[at + 1]) continue;
        numbers_.push_back(number);
        begins_.push_back(starts_[at]);
    }
    begins_.push_back(static_cast<std::int64_t>(cell.size()));
}

void Cells::sort_by_number(const std::vector<std::int64_t>& cell) {
    std::vector<std::pair<std::int64_t, std::int32_t>> order(cell.size());
    for (std::size_t i = 0; i < cell.size(); ++i) order[i] = {cell[i], static_cast<std::int32_t>(i)};
    std::sort(order.begin(), order.end());
    atoms_.resize(cell.size());
    for (std::size_t place = 0; place < order.size(); ++place) {
        atoms_[place] = order[place].second;
        if (place > 0 && order[place].first == order[place - 1].first) continue;
        numbers_.push_back(order[place].first);
        begins_.push_back(static_cast<std::int64_t>(place));
    }
    begins_.push_back(static_cast<std::int64_t>(cell.size()));
}

/// CellPlace of the first atom in a cell of this or a higher number.
std::int64_t Cells::place_of(std::int64_t number) const {
    if (!starts_.empty()) return starts_[static_cast<std::size_t>(number)];
    const auto at = std::lower_bound(numbers_.begin(), numbers_.end(), number) - numbers_.begin();
    return begins_[static_cast<std::size_t>(at)];
}

#define LANEWORK_INSTANTIATE(T)                                                           \
    template Cells::Cells(const Particles<T>&, const SystemRange&, std::int64_t, double); \
    template Cells::Cells(const Particles<T>&, const SystemRange&, const Grid&);          \
    template Extent extent_of(const Particles<T>&, const SystemRange&, const Basis&);     \
    template void refuse_grid(const Particles<T>&, const SystemRange&, std::int64_t, double);
LANEWORK_INSTANTIATE(float)
LANEWORK_INSTANTIATE(double)
#undef LANEWORK_INSTANTIATE

}  // namespace lanework

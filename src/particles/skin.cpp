// Lists that outlive small movements. Two atoms that each moved by less than half of the skin came nearer to each other
// by less than the skin: what is within the cutoff now was within cutoff + skin then.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "src/particles/arithmetic.hpp"
#include "src/particles/checks.hpp"

namespace lanework {
namespace {

template <class T>
Vec3<T> position(const Particles<T>& p, std::int64_t atom) {
    const T* const x = p.positions.data() + atom * p.dimensions;
    return {x[0], x[1], p.dimensions == 3 ? x[2] : T{0}};
}

/// The box vectors of an atom's system, zeros where open.
struct Boxes {
    template <class T>
    explicit Boxes(const Particles<T>& p) : systems(systems_of(p)) {}

    /// Sets `rows` for the atom; atoms are asked for in ascending order.
    void turn_to(std::int64_t atom) {
        if (current < systems.size() && atom < systems[current].end && ready) return;
        while (atom >= systems[current].end) ++current;
        for (std::size_t k = 0; k < 3; ++k)
            for (std::size_t axis = 0; axis < 3; ++axis)
                rows[k][axis] = systems[current].box.periodic[k] ? systems[current].box.vectors[k][axis] : 0;
        ready = true;
    }

    std::vector<SystemRange> systems;
    std::size_t current = 0;
    bool ready = false;
    double rows[3][3] = {};
};

/// Calls visit(i, entry, D, d²) for every entry of `list` that is within the cutoff at these positions.
template <class T, class Visit>
void for_each_within(const NeighborList<T>& list, const Particles<T>& particles, double cutoff, Visit visit) {
    const T limit = squared_cutoff(static_cast<T>(cutoff));
    Boxes boxes(particles);
    for (std::int64_t i = 0; i < list.atoms(); ++i) {
        boxes.turn_to(i);
        const Vec3<T> from = position(particles, i);
        for (auto k = static_cast<std::size_t>(list.offsets[static_cast<std::size_t>(i)]);
             k < static_cast<std::size_t>(list.offsets[static_cast<std::size_t>(i) + 1]); ++k) {
            const CellShift& s = list.shifts[k];
            const Vec3<T> d = displacement(from, position(particles, list.indices[k]),
                                           translation<T>(Image3{s[0], s[1], s[2]}, boxes.rows));
            if (const T squared = squared_length(d); squared < limit) visit(i, k, d, squared);
        }
    }
}

}  // namespace

template <class T>
NeighborOptions checked_wide_options(const NeighborOptions& options, double skin) {
    if (!(skin >= 0) || !std::isfinite(skin))
        throw UsageError(fmt::format("the skin is {}; it must be a length, or 0", skin));
    if (!options.pair_cutoffs.empty() || options.nearest != 0)
        throw UsageError("a list with a skin has one cutoff and all neighbours: leave out pair_cutoffs and nearest");
    checked_cutoffs<T>(options);
    if (skin > 0) check_cutoff<T>(skin, "the skin");
    NeighborOptions wide = options;
    wide.cutoff += skin;
    wide.shifts = true;
    check_cutoff<T>(wide.cutoff, "the cutoff with its skin");
    return wide;
}
template NeighborOptions checked_wide_options<float>(const NeighborOptions&, double);
template NeighborOptions checked_wide_options<double>(const NeighborOptions&, double);

template <class T>
SkinnedNeighbors<T>::SkinnedNeighbors(const NeighborOptions& options, double skin)
    : options_(options), wide_options_(checked_wide_options<T>(options, skin)), skin_(skin) {}

template <class T>
bool SkinnedNeighbors<T>::needs_rebuild(const Particles<T>& p) const {
    if (!built_ || p.dimensions != dimensions_ || p.positions.size() != positions_.size() ||
        !std::ranges::equal(p.boxes, boxes_) || !std::ranges::equal(p.systems, systems_))
        return true;
    const Particles<T> then{.positions = positions_, .dimensions = dimensions_};
    for (std::int64_t i = 0; i < p.atoms(); ++i)
        if (has_outrun(position(then, i), position(p, i), options_.cutoff, skin_)) return true;
    return false;
}

template <class T>
void SkinnedNeighbors<T>::remember(const Particles<T>& p) {
    positions_.assign(p.positions.begin(), p.positions.end());
    boxes_.assign(p.boxes.begin(), p.boxes.end());
    systems_.assign(p.systems.begin(), p.systems.end());
    dimensions_ = p.dimensions;
    built_ = true;
}

template <class T>
bool SkinnedNeighbors<T>::update(const Particles<T>& particles, Team team) {
    if (!needs_rebuild(particles)) return false;
    built_ = false;
    wide_ = neighbors(particles, wide_options_, team);
    remember(particles);
    return true;
}

template <class T>
NeighborList<T> SkinnedNeighbors<T>::within_cutoff(const Particles<T>& particles) const {
    if (needs_rebuild(particles)) throw UsageError("the list is out of date for these positions: call update() first");
    NeighborArray<std::int64_t> offsets(wide_.offsets.size());
    std::fill(offsets.begin(), offsets.end(), 0);
    for_each_within(wide_, particles, options_.cutoff, [&](std::int64_t i, std::size_t, const Vec3<T>&, T) {
        ++offsets[static_cast<std::size_t>(i) + 1];
    });
    for (std::size_t i = 1; i < offsets.size(); ++i) offsets[i] += offsets[i - 1];
    NeighborList<T> list = allocate_list<T>(options_, std::move(offsets));
    std::size_t at = 0;
    for_each_within(wide_, particles, options_.cutoff, [&](std::int64_t i, std::size_t k, const Vec3<T>& d, T squared) {
        if (options_.first) list.first[at] = static_cast<std::int32_t>(i);
        list.indices[at] = wide_.indices[k];
        if (options_.shifts) list.shifts[at] = wide_.shifts[k];
        if (options_.vectors) list.vectors[at] = {d.x, d.y, d.z};
        if (options_.distances) list.distances[at] = rounded_root(squared);
        ++at;
    });
    return list;
}

template class SkinnedNeighbors<float>;
template class SkinnedNeighbors<double>;

}  // namespace lanework

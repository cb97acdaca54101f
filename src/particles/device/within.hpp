// Lists that are taken from a wide one while atoms move, and what lies behind a list's last pair. Whether the wide list
// still holds every pair is decided by these kernels, from the positions of then and now.
#pragma once

#include "src/particles/device/long_lists.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// What is counted in begins at zero, and the status with the box: another one than the wide list's is not ok, nor is a
/// wide list that is not there.
template <class T>
__global__ void begin_within(DeviceParticles<T> p, DeviceWideList<T> wide, const DeviceSkin* skin, DeviceWork<T> work,
                             NeighborStatus* status) {
    const std::int64_t own = std::int64_t{blockIdx.x} * kSortThreads + threadIdx.x;
    for (std::int64_t k = own; k < scan_words(p.atoms); k += std::int64_t{gridDim.x} * kSortThreads)
        work.boards[1][k] = 0;
    if (own != 0) return;
    bool other = skin && skin->valid == 0;
    const PeriodicBox box = box_of(p, 0);
    for (int k = 0; !other && wide.box && k < 3; ++k) {
        other = other || wide.box->periodic[k] != box.periodic[k];
        for (int axis = 0; axis < 3; ++axis) other = other || wide.box->vectors[k][axis] != box.vectors[k][axis];
    }
    *status = {0, 0, -1, other ? 0 : -1};
}

template <class T>
__device__ Vec3<T> position_of(const DeviceParticles<T>& p, std::int64_t atom) {
    T x[3];
    load_position(p, atom, x);
    return {x[0], x[1], x[2]};
}

/// Notes the first atom that has moved too far.
template <class T>
__global__ void note_moved(DeviceParticles<T> p, DeviceRequest request, DeviceWideList<T> wide,
                           NeighborStatus* status) {
    DeviceParticles<T> then = p;
    then.positions = wide.positions;
    for (std::int64_t i = std::int64_t{blockIdx.x} * kSortThreads + threadIdx.x; i < p.atoms;
         i += std::int64_t{gridDim.x} * kSortThreads)
        if (has_outrun(position_of(then, i), position_of(p, i), request.cutoff, wide.skin))
            return note_smallest(status->bad_atom, i);
}

/// By one thread: whether the wide list is to be built, for the kernels behind.
__global__ inline void decide(const NeighborStatus* status, DeviceSkin* skin) {
    skin->wanted = all_is_well(*status) ? 0 : 1;
}

/// Of a wide list that has been built: remembers for what, and begins the count within it. One that cannot be built, or
/// has no room, is none.
template <class T>
__global__ void keep_wide(DeviceParticles<T> p, DeviceWideList<T> wide, DeviceSkin* skin, DeviceWork<T> work,
                          NeighborStatus* status) {
    if (skin->wanted == 0) return;
    const std::int64_t own = std::int64_t{blockIdx.x} * kSortThreads + threadIdx.x;
    const std::int64_t step = std::int64_t{gridDim.x} * kSortThreads;
    for (std::int64_t k = own; k < p.atoms * p.dimensions; k += step) wide.positions[k] = p.positions[k];
    for (std::int64_t k = own; k < scan_words(p.atoms); k += step) work.boards[1][k] = 0;
    if (own != 0) return;
    if (wide.box) *wide.box = box_of(p, 0);
    const NeighborStatus& built = *wide.list.status;
    const bool whole = fits(built, wide.list);
    skin->valid = whole ? 1 : 0;
    skin->builds += whole ? 1 : 0;
    *status = whole ? NeighborStatus{0, 0, -1, -1}
                    : NeighborStatus{0, 0, built.bad_atom, all_is_well(built) ? 0 : built.bad_system};
}

/// By one thread: of a wide list that had no room, how much that is.
template <class T>
__global__ void say_what_is_missing(DeviceWideList<T> wide, const DeviceSkin* skin, NeighborStatus* status) {
    const NeighborStatus& built = *wide.list.status;
    if (skin->valid == 0 && all_is_well(built)) *status = {built.pairs, 0, -1, -1};
}

/// By one thread: the box that a wide list was built for.
template <class T>
__global__ void remember_box(DeviceParticles<T> p, DeviceWideList<T> wide) {
    *wide.box = box_of(p, 0);
}

/// By a warp, for an atom: calls visit(entry, D, d², whether it is near) for a wide entry per lane; lanes without one
/// are near nobody.
template <class T, class Visit>
__device__ void for_each_wide(const DeviceParticles<T>& p, const DeviceWideList<T>& wide, T limit, std::int64_t atom,
                              int lane, Visit visit) {
    const PeriodicBox box = box_of(p, 0);
    double rows[3][3];
    for (int k = 0; k < 3; ++k)
        for (int axis = 0; axis < 3; ++axis) rows[k][axis] = box.periodic[k] ? box.vectors[k][axis] : 0;
    const Vec3<T> from = position_of(p, atom);
    const std::int64_t end = wide.list.offsets[atom + 1];
    for (std::int64_t first = wide.list.offsets[atom]; first < end; first += kWarp) {
        const std::int64_t entry = first + lane;
        Vec3<T> d{};
        T squared = limit;
        if (entry < end) {
            const CellShift& s = wide.list.shifts[entry];
            d = displacement(from, position_of(p, wide.list.indices[entry]),
                             translation<T>(Image3{s[0], s[1], s[2]}, rows));
            squared = squared_length(d);
        }
        visit(entry, d, squared, squared < limit);
    }
}

/// Warps count what is within the cutoff.
template <class T>
__global__ void __launch_bounds__(kListThreads)
    count_wide(DeviceParticles<T> p, DeviceRules<T> rules, DeviceWideList<T> wide, std::int64_t* counts,
               const NeighborStatus* status) {
    const int lane = static_cast<int>(threadIdx.x) % kWarp;
    const bool well = all_is_well(*status);
    for (std::int64_t i = (std::int64_t{blockIdx.x} * kListThreads + threadIdx.x) / kWarp; i < p.atoms;
         i += std::int64_t{gridDim.x} * kWarpsPerBlock) {
        int found = 0;
        if (well)
            for_each_wide(p, wide, rules.limit, i, lane, [&](std::int64_t, const Vec3<T>&, T, bool near) {
                found += __popc(__ballot_sync(~0U, near));
            });
        if (lane == 0) counts[i] = found;
    }
}

/// Warps write it, in the order in which it was.
template <class T>
__global__ void __launch_bounds__(kListThreads)
    fill_wide(DeviceParticles<T> p, DeviceRules<T> rules, DeviceWideList<T> wide, DeviceNeighborList<T> list) {
    if (!fits(*list.status, list)) return;
    const int lane = static_cast<int>(threadIdx.x) % kWarp;
    for (std::int64_t i = (std::int64_t{blockIdx.x} * kListThreads + threadIdx.x) / kWarp; i < p.atoms;
         i += std::int64_t{gridDim.x} * kWarpsPerBlock) {
        std::int64_t next = list.offsets[i];
        for_each_wide(p, wide, rules.limit, i, lane, [&](std::int64_t entry, const Vec3<T>& d, T squared, bool near) {
            const unsigned lanes = __ballot_sync(~0U, near);
            const std::int64_t to = next + __popc(lanes & lanes_before(lane));
            next += __popc(lanes);
            if (!near) return;
            if (list.first) list.first[to] = static_cast<std::int32_t>(i);
            if (list.indices) list.indices[to] = wide.list.indices[entry];
            if (list.shifts) list.shifts[to] = wide.list.shifts[entry];
            if (list.vectors) list.vectors[to] = {d.x, d.y, d.z};
            if (list.distances) list.distances[to] = rounded_root(squared);
        });
    }
}

template <class T>
__global__ void pad_pairs(DeviceNeighborList<T> list) {
    pad_list(*list.status, list);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

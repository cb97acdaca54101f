// Who does what: a warp takes groups of sorted atoms that lie in one bucket, and of those the ones together that lie in
// one cell and are wrapped alike.
#pragma once

#include "src/particles/device/search.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kWarpsPerBlock = 4;
inline constexpr int kListThreads = kWarp * kWarpsPerBlock;

/// Atoms of one cell, wrapped alike: sorted places first + b for the bits b of `members`.
struct AtomGroup {
    std::int32_t first;
    unsigned members;
    SortedPlace place;
};

__device__ inline bool alike(const SortedPlace& one, const SortedPlace& other) {
    bool same = one.wrap == other.wrap;
    for (int k = 0; k < 3; ++k) same = same && one.cell[k] == other.cell[k];
    return same;
}

__device__ inline SortedPlace from_lane(const SortedPlace& place, int lane) {
    const auto get = [lane](std::int32_t value) { return __shfl_sync(~0U, value, lane); };
    return {{get(place.wrap.a), get(place.wrap.b), get(place.wrap.c)},
            {get(place.cell[0]), get(place.cell[1]), get(place.cell[2])}};
}

/// Calls visit(group) for the atoms of a range.
template <class T, class Visit>
__device__ void for_each_group(const AtomRange& range, const DeviceWork<T>& work, int lane, Visit visit) {
    const bool member = range.first + lane < range.end;
    SortedPlace place{};
    if (member) place = work.places[range.first + lane];
    for (unsigned pending = __ballot_sync(~0U, member); pending != 0;) {
        const SortedPlace common = from_lane(place, __ffs(static_cast<int>(pending)) - 1);
        const unsigned together = __ballot_sync(~0U, member && alike(place, common));
        pending &= ~together;
        visit(AtomGroup{range.first, together, common});
    }
}

/// The same for all atoms: the warps of the grid take turns.
template <class T, class Visit>
__device__ void for_each_group(const DeviceWork<T>& work, int lane, Visit visit) {
    const auto warps = static_cast<std::int32_t>(blockDim.x / kWarp), groups = work.counters->groups;
    const auto own = static_cast<std::int32_t>(blockIdx.x) * warps + static_cast<std::int32_t>(threadIdx.x) / kWarp;
    const std::int32_t step = static_cast<std::int32_t>(gridDim.x) * warps;
    for (std::int32_t group = own; group < groups; group += step) for_each_group(work.groups[group], work, lane, visit);
}

/// The same, where some groups take longer than others: each warp takes the next of them when it is done with one.
template <class T, class Visit>
__device__ void for_each_queued_group(const DeviceWork<T>& work, int lane, Visit visit) {
    const auto warps = static_cast<std::int32_t>(blockDim.x / kWarp), groups = work.counters->groups;
    const auto own = static_cast<std::int32_t>(blockIdx.x) * warps + static_cast<std::int32_t>(threadIdx.x) / kWarp;
    const auto take = [&] {  // the first for each warp are not in the queue
        if (lane != 0) return 0;
        const auto begun = static_cast<std::int32_t>(gridDim.x) * static_cast<std::int32_t>(blockDim.x / kWarp);
        return begun + atomicAdd(&work.counters->groups_taken, 1);
    };
    for (std::int32_t group = own; group < groups;) {
        const std::int32_t next = take();  // on its way meanwhile
        for_each_group(work.groups[group], work, lane, visit);
        group = __shfl_sync(~0U, next, 0);
    }
}

/// The smallest value of the first kTogether lanes, in each of them.
template <class T>
__device__ T least_of_lanes(T value) {
    for (int step = kTogether / 2; step > 0; step /= 2) value = min(value, __shfl_xor_sync(~0U, value, step));
    return value;
}

/// Copies the members of a group into the room of a search for them, and the first of them into what is left there;
/// returns how many.
template <class T>
__device__ int take_members(SearchRoom<T>& room, const AtomGroup& group, const DeviceWork<T>& work, int lane) {
    const int some = __ffs(static_cast<int>(group.members)) - 1;
    SortedAtom<T> own = work.sorted[group.first + ((group.members >> lane & 1) != 0 ? lane : some)];
    own.tagged = static_cast<std::uint32_t>(own.atom());
    const Vec3<T> low{least_of_lanes(own.x), least_of_lanes(own.y), least_of_lanes(own.z)};
    const Vec3<T> high{-least_of_lanes(-own.x), -least_of_lanes(-own.y), -least_of_lanes(-own.z)};
    static_assert(2 * kTogether == kWarp, "the other half of the lanes has copies of the first member");
    __syncwarp();
    if (lane == 0) {
        room.low = low;
        room.high = high;
    }
    if (group.members >> lane & 1) {
        const int to = __popc(group.members & lanes_before(lane));
        room.atoms[to] = own;
        room.at[to] = group.first + lane;
    }
    const int size = __popc(group.members), left = lane - kTogether;
    if (left >= size) room.atoms[left] = own;
    __syncwarp();
    return size;
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

// Who does what: a warp has a share of the sorted atoms, and takes those together that lie in one cell and are wrapped
// alike.
#pragma once

#include "src/particles/device/search.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kWarpsPerBlock = 4;
inline constexpr int kListThreads = kWarp * kWarpsPerBlock;
inline constexpr int kShare = 8;  // sorted atoms of a warp: it takes the groups that begin among them
inline constexpr int kBlockShare = kShare * kWarpsPerBlock;

/// Atoms of one cell, wrapped alike: sorted places first + b for the bits b of `members`.
struct AtomGroup {
    std::int32_t first;
    unsigned members;
    SortedPlace place;

    __device__ int size() const { return __popc(members); }
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

/// Calls visit(group) for the groups that begin in the share [begin, begin + kShare) of the sorted atoms. A bucket
/// is divided every kTogether atoms from its own beginning, so that cells are cut as rarely as can be.
template <class T, class Visit>
__device__ void for_each_group(std::int64_t atoms, const DeviceWork<T>& work, std::int64_t begin, int lane,
                               Visit visit) {
    const std::int64_t at = begin + lane;
    bool leads = false;
    std::int32_t end = 0;
    if (lane < kShare && at < atoms) {
        const std::uint32_t bucket = work.bucket[work.sorted[at].atom()];
        leads = (static_cast<std::int32_t>(at) - work.starts[bucket]) % kTogether == 0;
        end = static_cast<std::int32_t>(min(at + kTogether, std::int64_t{work.starts[bucket + 1]}));
    }
    for (unsigned leaders = __ballot_sync(~0U, leads); leaders != 0; leaders &= leaders - 1) {
        const int leader = __ffs(static_cast<int>(leaders)) - 1;
        const auto first = static_cast<std::int32_t>(begin) + leader;
        const bool member = first + lane < __shfl_sync(~0U, end, leader);
        SortedPlace place{};
        if (member) place = work.places[first + lane];
        for (unsigned pending = __ballot_sync(~0U, member); pending != 0;) {
            const SortedPlace common = from_lane(place, __ffs(static_cast<int>(pending)) - 1);
            const unsigned together = __ballot_sync(~0U, member && alike(place, common));
            pending &= ~together;
            visit(AtomGroup{first, together, common});
        }
    }
}

/// What a warp keeps in shared memory while it searches for a group.
template <class T>
struct GroupRoom {
    DeviceRun<T> runs[kWarp];
    SortedAtom<T> atoms[kTogether];
    std::int32_t at[kTogether];  ///< their sorted places

    /// Copies the members of a group that have a bit in `wanted`, without their tags; returns how many.
    __device__ int take(const AtomGroup& group, unsigned wanted, const DeviceWork<T>& work, int lane) {
        const unsigned members = group.members & wanted;
        __syncwarp();
        if (members >> lane & 1) {
            const int to = __popc(members & lanes_before(lane));
            atoms[to] = work.sorted[group.first + lane];
            atoms[to].tagged = static_cast<std::uint32_t>(atoms[to].atom());
            at[to] = group.first + lane;
        }
        __syncwarp();
        return __popc(members);
    }
};

}  // namespace lanework::inline LANEWORK_ON_DEVICE

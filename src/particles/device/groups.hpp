// Who does what: a warp takes groups of sorted atoms that lie in one bucket, and of those the ones together that lie in
// one cell and are wrapped alike.
#pragma once

#include "src/particles/device/search.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kWarpsPerBlock = 4;
inline constexpr int kListThreads = kWarp * kWarpsPerBlock;

/// Atoms of one cell, wrapped alike.
template <class T>
struct AtomGroup {
    SortedAtom<T> own;  ///< of this lane, if its bit of `members` is set; else of any of them
    unsigned members;
    std::int32_t row;  ///< of what is kept of the first member; the others' rows follow
    const DeviceSystem* system;
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

/// Of atoms inside the box, in a bucket that is their cell's alone.
__device__ inline SortedPlace place_of_bucket(const DeviceSystem& system, std::uint32_t bucket) {
    const auto cells = [&](int k) { return static_cast<std::uint32_t>(system.grid.cells[k]); };
    const std::uint32_t number = bucket - static_cast<std::uint32_t>(system.first_bucket), row = number / cells(0);
    return {{0, 0, 0},
            {static_cast<std::int32_t>(number % cells(0)), static_cast<std::int32_t>(row % cells(1)),
             static_cast<std::int32_t>(row / cells(1))}};
}

/// The system of a range's atoms.
template <class T>
__device__ DeviceSystem& system_of_range(const AtomRange& range, const DeviceParticles<T>& p,
                                         const DeviceWork<T>& work) {
    return work.systems[p.system_count == 1 ? 0 : system_of(p, work.sorted[range.first].atom())];
}

/// Calls visit(group) for the atoms of a range.
template <class T, class Visit>
__device__ void visit_range(const AtomRange& range, const DeviceParticles<T>& p, const DeviceWork<T>& work, int lane,
                            Visit visit) {
    const bool member = range.first + lane < range.end;
    const DeviceSystem& system = system_of_range(range, p, work);
    const bool placed = is_placed(system);
    std::int32_t row = range.first;
    for (unsigned pending = __ballot_sync(~0U, member); pending != 0;) {
        const int some = __ffs(static_cast<int>(pending)) - 1;
        AtomGroup<T> group{{}, pending, row, &system, {}};
        if (placed) {
            const SortedPlace place = work.places[range.first + (member ? lane : some)];
            group.place = from_lane(place, some);
            group.members = __ballot_sync(~0U, member && alike(place, group.place));
        } else {
            group.place = place_of_bucket(system, range.bucket);
        }
        group.own = work.sorted[range.first + ((group.members >> lane & 1) != 0 ? lane : some)];
        pending &= ~group.members;
        visit(group);
        row += __popc(group.members);
    }
}

/// Calls visit(group) for all atoms: the warps of the grid take turns.
template <class T, class Visit>
__device__ void for_each_group(const DeviceParticles<T>& p, const DeviceWork<T>& work, int lane, Visit visit) {
    const auto warps = static_cast<std::int32_t>(blockDim.x / kWarp), groups = work.counters->groups;
    const auto own = static_cast<std::int32_t>(blockIdx.x) * warps + static_cast<std::int32_t>(threadIdx.x) / kWarp;
    const std::int32_t step = static_cast<std::int32_t>(gridDim.x) * warps;
    for (std::int32_t group = own; group < groups; group += step) visit_range(work.groups[group], p, work, lane, visit);
}

/// The same, where some groups take longer than others: each warp takes the next of them when it is done with one. The
/// first is in the middle: the first and the last cells lie at a side of the box, where a search takes longest.
template <class T>
class GroupQueue {
public:
    /// Reads what the scan of the buckets has written: the number of groups, and the first for this warp.
    __device__ explicit GroupQueue(const DeviceWork<T>& work) : work_(work), groups_(work.counters->groups) {
        const auto warps = static_cast<std::int32_t>(blockDim.x / kWarp);
        group_ = static_cast<std::int32_t>(blockIdx.x) * warps + static_cast<std::int32_t>(threadIdx.x) / kWarp;
        if (group_ < groups_) range_ = range_of(group_);
    }

    /// What is on its way while a warp deals with a range: the number of the next, and that range itself.
    class Next {
    public:
        __device__ Next(const GroupQueue& queue, int lane) : queue_(queue), lane_(lane) {}

        /// Takes a number.
        __device__ void claim() { taken_ = lane_ == 0 ? atomicAdd(&queue_.work_.counters->groups_taken, 1) : 0; }
        /// Asks for its range; some time after claim().
        __device__ void fetch() {
            number = queue_.begun() + __shfl_sync(~0U, taken_, 0);
            if (number < queue_.groups_) range = queue_.range_of(number);
        }

        std::int32_t number = 0;
        AtomRange range{};

    private:
        const GroupQueue& queue_;
        const int lane_;
        std::int32_t taken_ = 0;
    };

    /// Calls visit(range, next) for one range after the other. It calls next.claim() and then next.fetch(), once.
    template <class Visit>
    __device__ void for_each_range(int lane, Visit visit) {
        while (group_ < groups_) {
            Next next(*this, lane);
            visit(range_, next);
            group_ = next.number;
            range_ = next.range;
        }
    }

private:
    __device__ AtomRange range_of(std::int32_t group) const {
        const std::int32_t turned = group + groups_ / 2;
        return work_.groups[turned < groups_ ? turned : turned - groups_];
    }
    /// Groups that are not in the queue: the first of each warp.
    __device__ static std::int32_t begun() {
        return static_cast<std::int32_t>(gridDim.x) * static_cast<std::int32_t>(blockDim.x / kWarp);
    }
    const DeviceWork<T>& work_;
    const std::int32_t groups_;
    std::int32_t group_;
    AtomRange range_{};
};

/// The smallest value of the first kTogether lanes, in each of them.
template <class T>
__device__ T least_of_lanes(T value) {
    for (int step = kTogether / 2; step > 0; step /= 2) value = min(value, __shfl_xor_sync(~0U, value, step));
    return value;
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
/// The same of floats, as integers that compare alike, where the other lanes have values of those, too.
__device__ inline float least_of_lanes(float value) {
    const auto ordered = [](int bits) { return bits ^ (bits >> 31 & 0x7fffffff); };
    return __int_as_float(ordered(__reduce_min_sync(~0U, ordered(__float_as_int(value)))));
}
#endif

/// Copies the members of a group into the room of a search for them, and somebody who is near nobody into what is left
/// there; returns how many.
template <class T>
__device__ int take_members(SearchRoom<T>& room, const AtomGroup<T>& group, int lane) {
    SortedAtom<T> own = group.own;
    own.tagged = static_cast<std::uint32_t>(own.atom());
    const Vec3<T> low{least_of_lanes(own.x), least_of_lanes(own.y), least_of_lanes(own.z)};
    const Vec3<T> high{-least_of_lanes(-own.x), -least_of_lanes(-own.y), -least_of_lanes(-own.z)};
    static_assert(2 * kTogether == kWarp, "the other half of the lanes fills what is left");
    __syncwarp();
    if (lane == 0) {
        room.low = low;
        room.high = high;
    }
    if (group.members >> lane & 1) room.atoms[__popc(group.members & lanes_before(lane))] = own;
    const int size = __popc(group.members), left = lane - kTogether;
    constexpr T kNowhere = std::numeric_limits<T>::quiet_NaN();
    if (left >= size) room.atoms[left] = {kNowhere, kNowhere, kNowhere, 0};
    __syncwarp();
    return size;
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

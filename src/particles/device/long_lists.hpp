// Lists too long to be kept while they are counted: they are searched for again, collected in shared memory, sorted and
// written.
#pragma once

#include "src/particles/device/lists.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kAtOnce = 4;      // long lists that a warp collects in one search
inline constexpr int kBuffer = 512;    // keys of each of them; a longer list is a very long one
inline constexpr int kPortion = 1024;  // keys of a very long list that are sorted at a time
inline constexpr int kLongBlocks = 4;  // resident on a multiprocessor: more would have to spill registers
using WideKey = unsigned long long;    // any atom and image

/// Writes `held` sorted keys of a buffer to the entries of the list from `to` on.
template <class T, class Key>
__device__ void write_sorted(const DeviceParticles<T>& p, const Search<T>& search, const SortedAtom<T>& self,
                             const Key* keys, int held, const DeviceNeighborList<T>& list, std::int64_t to, int lane) {
    for (int k = lane; k < held; k += kWarp)
        write_pair(p, search.system, self, search.place.wrap, keys[spread(k)], list, to + k);
}

/// Members of a group by the length of their lists, as bits.
struct LongMembers {
    unsigned longs, very_long;
};

template <class T>
__device__ LongMembers long_members(const AtomGroup& group, const DeviceWork<T>& work, const DeviceSystem& system,
                                    const DeviceNeighborList<T>& list, int lane) {
    std::int64_t count = 0;
    if (group.members >> lane & 1) {
        const std::int32_t atom = work.sorted[group.first + lane].atom();
        count = list.offsets[atom + 1] - list.offsets[atom];
    }
    const bool by_portions = system.wide ? count > 0 : count > kBuffer;
    return {__ballot_sync(~0U, count > kKept && !by_portions), __ballot_sync(~0U, by_portions)};
}

/// The lists of `size` members of the room from `first` on, each of which fits its buffer.
template <class T>
__device__ void fill_together(const DeviceParticles<T>& p, const DeviceRules<T>& rules, const Search<T>& search,
                              const DeviceNeighborList<T>& list, GroupRoom<T>& room, int first, int size,
                              std::uint32_t (*buffers)[spread(kBuffer)], int lane) {
    int held = 0;  // lane k: of buffer k
    search.for_each_candidate(room.runs, lane, [&](const Candidate<T>& other) {
        const auto key = key_of<std::uint32_t>(search, other);
        test_candidates(rules, room.atoms + first, size, other, [&](int k, bool near, unsigned lanes) {
            const int place = place_in_list(held, k, lanes, lane);
            if (near) buffers[k][spread(place)] = key;
            if (lane == k) held += __popc(lanes);
        });
    });
#pragma unroll 1
    for (int k = 0; k < size; ++k) {
        const int count = __shfl_sync(~0U, held, k);
        const SortedAtom<T> self = room.atoms[first + k];
        sort_buffer<kBuffer>(buffers[k], count, lane);
        write_sorted(p, search, self, buffers[k], count, list, list.offsets[self.atom()], lane);
    }
    __syncwarp();
}

/// A warp for each share of atoms: the lists of more than kKept and at most kBuffer neighbours. The grid may be
/// smaller.
template <class T>
__global__ void __launch_bounds__(kListThreads, kLongBlocks)
    fill_long(DeviceParticles<T> p, DeviceRules<T> rules, DeviceWork<T> work, DeviceNeighborList<T> list) {
    __shared__ std::uint32_t buffers[kWarpsPerBlock][kAtOnce][spread(kBuffer)];
    __shared__ GroupRoom<T> rooms[kWarpsPerBlock];
    const NeighborStatus status = *list.status;
    if (!fits(status, list) || status.most <= kKept) return;
    const int lane = static_cast<int>(threadIdx.x) % kWarp, warp = static_cast<int>(threadIdx.x) / kWarp;
    const std::int64_t step = std::int64_t{gridDim.x} * kBlockShare;
    for (std::int64_t begin = std::int64_t{blockIdx.x} * kBlockShare + warp * kTogether; begin < p.atoms; begin += step)
        for_each_group(p.atoms, work, begin, lane, [&](const AtomGroup& group) {
            const DeviceSystem& system = work.systems[system_of(p, work.sorted[group.first].atom())];
            const unsigned longs = long_members(group, work, system, list, lane).longs;
            if (longs == 0) return;
            const Search<T> search(work, system, rules, group.place);
            const int size = rooms[warp].take(group, longs, work, lane);
            for (int first = 0; first < size; first += kAtOnce)
                fill_together(p, rules, search, list, rooms[warp], first, min(kAtOnce, size - first), buffers[warp],
                              lane);
        });
}

/// Neighbours of one atom, the smallest keys first, in portions of what a buffer holds: each takes another search.
template <class T, int kCapacity>
class Portions {
public:
    __device__ Portions(const Search<T>& search, const DeviceRules<T>& rules, DeviceRun<T>* runs,
                        const SortedAtom<T>& self, WideKey* keys, int lane)
        : search_(search), rules_(rules), runs_(runs), self_(self), keys_(keys), lane_(lane) {}

    /// Puts the smallest keys that are larger than the last one given out into the buffer, sorted; returns how many.
    /// Only neighbours for which passes(d²) is true count.
    template <class Passes>
    __device__ int next(const Passes& passes) {
        held_ = 0;
        limit_ = ~WideKey{0};
        const WideKey after = last_;
        const bool first = first_;
        search_.for_each_candidate(runs_, lane_, [&](const Candidate<T>& other) {
            if (held_ + kWarp > kCapacity) shrink();
            const auto key = key_of<WideKey>(search_, other);
            T squared;
            const bool wanted = are_neighbors(rules_, self_, other, squared) && passes(squared) &&
                                (first || key > after) && key < limit_;
            const unsigned lanes = __ballot_sync(~0U, wanted);
            if (wanted) keys_[spread(held_ + __popc(lanes & lanes_before(lane_)))] = key;
            held_ += __popc(lanes);
        });
        sort_buffer<kCapacity>(keys_, held_, lane_);
        if (held_ > 0) last_ = keys_[spread(held_ - 1)];
        first_ = false;
        return held_;
    }

private:
    /// Keeps the smaller half: what is larger belongs to a later portion.
    __device__ void shrink() {
        sort_buffer<kCapacity>(keys_, held_, lane_);
        held_ = kCapacity / 2;
        limit_ = keys_[spread(held_)];
        __syncwarp();
    }

    const Search<T>& search_;
    const DeviceRules<T>& rules_;
    DeviceRun<T>* runs_;
    const SortedAtom<T> self_;
    WideKey* keys_;
    int lane_, held_ = 0;
    WideKey limit_ = ~WideKey{0}, last_ = 0;
    bool first_ = true;
};

/// A warp for each share of atoms: the lists that no other kernel has written. The grid may be smaller.
template <class T>
__global__ void __launch_bounds__(kListThreads)
    fill_very_long(DeviceParticles<T> p, DeviceRules<T> rules, DeviceWork<T> work, DeviceNeighborList<T> list) {
    __shared__ WideKey buffers[kWarpsPerBlock][spread(kPortion)];
    __shared__ GroupRoom<T> rooms[kWarpsPerBlock];
    const NeighborStatus status = *list.status;
    if (!fits(status, list) || (status.most <= kBuffer && *work.wide == 0)) return;
    const int lane = static_cast<int>(threadIdx.x) % kWarp, warp = static_cast<int>(threadIdx.x) / kWarp;
    const std::int64_t step = std::int64_t{gridDim.x} * kBlockShare;
    for (std::int64_t begin = std::int64_t{blockIdx.x} * kBlockShare + warp * kTogether; begin < p.atoms; begin += step)
        for_each_group(p.atoms, work, begin, lane, [&](const AtomGroup& group) {
            const DeviceSystem& system = work.systems[system_of(p, work.sorted[group.first].atom())];
            const unsigned members = long_members(group, work, system, list, lane).very_long;
            if (members == 0) return;
            const Search<T> search(work, system, rules, group.place);
            const int size = rooms[warp].take(group, members, work, lane);
            for (int k = 0; k < size; ++k) {
                const SortedAtom<T> self = rooms[warp].atoms[k];
                std::int64_t to = list.offsets[self.atom()];
                const std::int64_t end = list.offsets[self.atom() + 1];
                Portions<T, kPortion> portions(search, rules, rooms[warp].runs, self, buffers[warp], lane);
                while (to < end) {
                    const int held = portions.next([](T) { return true; });
                    write_sorted(p, search, self, buffers[warp], held, list, to, lane);
                    to += held;
                    __syncwarp();
                }
            }
        });
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

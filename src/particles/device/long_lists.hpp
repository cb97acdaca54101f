// Lists too long to be kept while they are counted: their candidates are looked up again, and tested again unless the
// count left its answers. Up to kSorted neighbours, the list itself holds their keys, in no order, until they are
// sorted; longer lists are sorted in portions.
#pragma once

#include "src/particles/device/lists.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kSorted = 512;    // keys that a warp sorts in its registers
inline constexpr int kPortion = 1024;  // keys of a longer list that are sorted at a time
inline constexpr int kSortBlocks = 8;  // resident on a multiprocessor
using WideKey = unsigned long long;    // any atom and image

/// Who writes a list: kept while it was counted, collected and sorted, or in portions.
enum class ListLength { kept, sorted, portions };

template <class T>
__device__ ListLength length_of(std::int64_t count, const DeviceSystem& system, const DeviceNeighborList<T>& list) {
    if (system.wide) return ListLength::portions;  // nobody else has room for such keys
    if (count <= kKept && !system.crowded) return ListLength::kept;
    return count <= kSorted && list.indices ? ListLength::sorted : ListLength::portions;
}

/// The members of a group whose lists are of this length, as bits.
template <class T>
__device__ unsigned members_of_length(ListLength length, const AtomGroup& group, const DeviceWork<T>& work,
                                      const DeviceSystem& system, const DeviceNeighborList<T>& list, int lane) {
    bool wanted = false;
    if (group.members >> lane & 1) {
        const std::int32_t atom = work.sorted[group.first + lane].atom();
        wanted = length_of(list.offsets[atom + 1] - list.offsets[atom], system, list) == length;
    }
    return __ballot_sync(~0U, wanted);
}

/// A warp for each share of atoms: puts the keys of the lists that will be sorted where their indices will be. The grid
/// may be smaller.
template <class T>
__global__ void __launch_bounds__(kListThreads, kCountBlocks)
    collect_keys(DeviceParticles<T> p, DeviceRules<T> rules, DeviceWork<T> work, DeviceNeighborList<T> list) {
    __shared__ GroupRoom<T> rooms[kWarpsPerBlock];
    const NeighborStatus status = *list.status;
    if (!fits(status, list) || (status.most <= kKept && *work.crowded == 0) || !list.indices) return;
    const int lane = static_cast<int>(threadIdx.x) % kWarp, warp = static_cast<int>(threadIdx.x) / kWarp;
    const std::int64_t step = std::int64_t{gridDim.x} * kBlockShare;
    GroupRoom<T>& room = rooms[warp];
    for (std::int64_t begin = std::int64_t{blockIdx.x} * kBlockShare + warp * kShare; begin < p.atoms; begin += step)
        for_each_group(p.atoms, work, begin, lane, [&](const AtomGroup& group) {
            const DeviceSystem& system = work.systems[system_of(p, work.sorted[group.first].atom())];
            const unsigned members = members_of_length(ListLength::sorted, group, work, system, list, lane);
            if (members == 0) return;
            const Search<T> search(work, system, rules, group.place);
            const int size = room.take(group, members, work, lane);
            std::int64_t next = lane < size ? list.offsets[room.atoms[lane].atom()] : 0;  // lane k: of atom k
            const std::uint32_t* const answers = work.kept + std::int64_t{room.at[lane % kTogether]} * kKept;
            int number = 0;  // of the register of candidates
            search.for_each_candidate(room.runs, lane, [&](const Candidate<T>& other) {
                const auto key = static_cast<std::int32_t>(key_of<std::uint32_t>(search, other));
                const auto collect = [&](int k, bool near, unsigned lanes) {
                    const std::int64_t to = __shfl_sync(~0U, next, k) + __popc(lanes & lanes_before(lane));
                    if (near) list.indices[to] = key;
                };
                if (system.crowded && number < kKept) {
                    const std::uint32_t answer = lane < size ? answers[number] : 0;
                    for (int k = 0; k < size; ++k) {
                        const unsigned lanes = __shfl_sync(~0U, answer, k);
                        collect(k, (lanes >> lane & 1) != 0, lanes);
                    }
                    next += __popc(answer);
                } else {
                    test_candidates(rules, room.atoms, size, other, [&](int k, bool near, unsigned lanes) {
                        collect(k, near, lanes);
                        if (lane == k) next += __popc(lanes);
                    });
                }
                ++number;
            });
        });
}

/// Sorts the keys of a list that are where its indices will be, by way of `buffer`, and writes the list.
template <int kEach, class T>
__device__ void sort_list(const DeviceParticles<T>& p, const DeviceSystem& system, const SortedAtom<T>& self,
                          const Image3& wrap, const DeviceNeighborList<T>& list, std::int64_t to, int count,
                          std::uint32_t* buffer, int lane) {
    std::uint32_t keys[kEach];
#pragma unroll
    for (int r = 0; r < kEach; ++r) {
        const int k = r * kWarp + lane;
        keys[r] = k < count ? static_cast<std::uint32_t>(list.indices[to + k]) : ~0U;
    }
    sort_by_warp<kEach>(keys, lane);
#pragma unroll
    for (int r = 0; r < kEach; ++r) buffer[spread(lane * kEach + r)] = keys[r];
    __syncwarp();
    for (int k = lane; k < count; k += kWarp) write_pair(p, system, self, wrap, buffer[spread(k)], list, to + k);
    __syncwarp();
}

/// A warp for each share of atoms: sorts and writes the lists whose keys have been collected. The grid may be smaller.
template <class T>
__global__ void __launch_bounds__(kListThreads, kSortBlocks)
    sort_keys(DeviceParticles<T> p, DeviceWork<T> work, DeviceNeighborList<T> list) {
    __shared__ std::uint32_t buffers[kWarpsPerBlock][spread(kSorted)];
    const NeighborStatus status = *list.status;
    if (!fits(status, list) || (status.most <= kKept && *work.crowded == 0) || !list.indices) return;
    const int lane = static_cast<int>(threadIdx.x) % kWarp, warp = static_cast<int>(threadIdx.x) / kWarp;
    const std::int64_t step = std::int64_t{gridDim.x} * kWarpsPerBlock;
    for (std::int64_t at = std::int64_t{blockIdx.x} * kWarpsPerBlock + warp; at < p.atoms; at += step) {
        const SortedAtom<T> self = work.sorted[at];
        const std::int64_t to = list.offsets[self.atom()], count = list.offsets[self.atom() + 1] - to;
        const DeviceSystem& system = work.systems[system_of(p, self.atom())];
        if (length_of(count, system, list) != ListLength::sorted) continue;
        const Image3 wrap = self.is_wrapped() ? work.places[at].wrap : Image3{0, 0, 0};
        const auto sort_as = [&]<int kEach>() {
            sort_list<kEach>(p, system, self, wrap, list, to, static_cast<int>(count), buffers[warp], lane);
        };
        if (count <= 4 * kWarp)
            sort_as.template operator()<4>();
        else if (count <= 8 * kWarp)
            sort_as.template operator()<8>();
        else
            sort_as.template operator()<kSorted / kWarp>();
    }
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
    fill_in_portions(DeviceParticles<T> p, DeviceRules<T> rules, DeviceWork<T> work, DeviceNeighborList<T> list) {
    __shared__ WideKey buffers[kWarpsPerBlock][spread(kPortion)];
    __shared__ GroupRoom<T> rooms[kWarpsPerBlock];
    const NeighborStatus status = *list.status;
    const std::uint64_t others = list.indices ? kSorted : kKept;
    const bool some_unsorted = *work.wide != 0 || (*work.crowded != 0 && !list.indices);
    if (!fits(status, list) || (status.most <= others && !some_unsorted)) return;
    const int lane = static_cast<int>(threadIdx.x) % kWarp, warp = static_cast<int>(threadIdx.x) / kWarp;
    const std::int64_t step = std::int64_t{gridDim.x} * kBlockShare;
    for (std::int64_t begin = std::int64_t{blockIdx.x} * kBlockShare + warp * kShare; begin < p.atoms; begin += step)
        for_each_group(p.atoms, work, begin, lane, [&](const AtomGroup& group) {
            const DeviceSystem& system = work.systems[system_of(p, work.sorted[group.first].atom())];
            const unsigned members = members_of_length(ListLength::portions, group, work, system, list, lane);
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
                    for (int key = lane; key < held; key += kWarp)
                        write_pair(p, system, self, group.place.wrap, buffers[warp][spread(key)], list, to + key);
                    to += held;
                    __syncwarp();
                }
            }
        });
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

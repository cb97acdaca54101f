// Lists too long to be kept while they are counted: their candidates are looked up again, and tested again unless the
// count left its answers. Up to kSorted neighbours, the list itself holds their keys, in no order, until they are
// sorted; longer lists are sorted in portions.
#pragma once

#include "src/particles/device/lists.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kSorted = 512;   // keys that a warp sorts in its registers
inline constexpr int kPortion = 512;  // keys of a longer list that are sorted at a time
using WideKey = unsigned long long;   // any atom and image

/// So many keys of a portion: of wide ones there is room for half.
template <class Key>
inline constexpr int kPortionOf = kPortion* static_cast<int>(sizeof(std::uint32_t)) / static_cast<int>(sizeof(Key));

/// What a warp keeps in shared memory while it writes lists that are too long to be kept.
template <class T>
struct LongRoom {
    SearchRoom<T> search;
    union {
        std::uint32_t sorted[spread(kSorted)];
        std::uint32_t portion[spread(kPortion)];
        WideKey wide_portion[spread(kPortionOf<WideKey>)];
    };
};

/// Who writes a list: kept while it was counted, collected and sorted, or in portions.
enum class ListLength { kept, sorted, portions };

template <class T>
__device__ ListLength length_of(std::int64_t count, const DeviceSystem& system, const DeviceNeighborList<T>& list) {
    if (system.wide) return ListLength::portions;  // nobody else has room for such keys
    if (count <= kKept && !system.crowded) return ListLength::kept;
    return count <= kSorted && list.indices ? ListLength::sorted : ListLength::portions;
}

/// The members of a group whose lists are of this length: a bit for each atom of the room.
template <class T>
__device__ unsigned members_of_length(ListLength length, const SearchRoom<T>& room, int size,
                                      const DeviceSystem& system, const DeviceNeighborList<T>& list, int lane) {
    bool wanted = false;
    if (lane < size) {
        const std::int32_t atom = room.atoms[lane].atom();
        wanted = length_of(list.offsets[atom + 1] - list.offsets[atom], system, list) == length;
    }
    return __ballot_sync(~0U, wanted);
}

/// Puts the keys of those members of a group whose bit is set where their indices will be.
template <bool kPlain, class T>
__device__ void collect_keys(const DeviceRules<T>& rules, const DeviceWork<T>& work, const DeviceNeighborList<T>& list,
                             const Search<T>& search, SearchRoom<T>& room, const AtomGroup<T>& group, int size,
                             unsigned members, int lane) {
    const bool member = (members >> lane & 1) != 0;
    std::int64_t next = member ? list.offsets[room.atoms[lane].atom()] : 0;  // lane k: of atom k
    const std::uint32_t* const answers = work.kept + (std::int64_t{group.row} + lane) * kKept;
    const bool answered = search.system.crowded;
    int number = 0;  // of the register of candidates
    search.template for_each_candidate<kPlain>(room, lane, [&](const Candidate<T>& other) {
        const auto key = static_cast<std::int32_t>(key_of<std::uint32_t>(search, other));
        std::uint32_t answer = 0;
        if (answered && number < kKept) {
            if (member) answer = answers[number];
        } else {
            answer = test_candidates<kPlain>(rules, room, size, other, lane);
            if (!member) answer = 0;
        }
        for (unsigned rest = members; rest != 0; rest &= rest - 1) {
            const int k = __ffs(static_cast<int>(rest)) - 1;
            const unsigned lanes = __shfl_sync(~0U, answer, k);
            const std::int64_t to = __shfl_sync(~0U, next, k) + __popc(lanes & lanes_before(lane));
            if ((lanes >> lane & 1) != 0) list.indices[to] = key;
        }
        next += __popc(answer);
        ++number;
    });
    __syncwarp();
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

/// Sorts and writes the lists whose keys have been collected.
template <class T>
__device__ void sort_collected(const DeviceParticles<T>& p, const DeviceNeighborList<T>& list, const Search<T>& search,
                               const SearchRoom<T>& room, unsigned members, std::uint32_t* buffer, int lane) {
    for (; members != 0; members &= members - 1) {
        const SortedAtom<T> self = room.atoms[__ffs(static_cast<int>(members)) - 1];
        const std::int64_t to = list.offsets[self.atom()];
        const auto count = static_cast<int>(list.offsets[self.atom() + 1] - to);
        const auto sort_as = [&]<int kEach>() {
            sort_list<kEach>(p, search.system, self, search.place.wrap, list, to, count, buffer, taken_as_is(lane));
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
template <class T, class Key, int kCapacity>
class Portions {
public:
    __device__ Portions(const Search<T>& search, const DeviceRules<T>& rules, SearchRoom<T>& room,
                        const SortedAtom<T>& self, Key* keys, int lane)
        : search_(search), rules_(rules), room_(room), self_(self), keys_(keys), lane_(lane) {}

    /// Puts the smallest keys that are larger than the last one given out into the buffer, sorted; returns how many.
    /// Only neighbours for which passes(d²) is true count.
    template <class Passes>
    __device__ int next(const Passes& passes) {
        held_ = 0;
        limit_ = ~Key{0};
        const Key after = last_;
        const bool first = first_;
        search_.for_each_candidate(room_, lane_, [&](const Candidate<T>& other) {
            if (held_ + kWarp > kCapacity) shrink();
            const auto key = key_of<Key>(search_, other);
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
    SearchRoom<T>& room_;
    const SortedAtom<T> self_;
    Key* keys_;
    int lane_, held_ = 0;
    Key limit_ = ~Key{0}, last_ = 0;
    bool first_ = true;
};

/// Writes the list of one atom in portions.
template <class Key, class T>
__device__ void write_in_portions(const DeviceParticles<T>& p, const DeviceRules<T>& rules,
                                  const DeviceNeighborList<T>& list, const Search<T>& search, SearchRoom<T>& room,
                                  const SortedAtom<T>& self, Key* keys, int lane) {
    std::int64_t to = list.offsets[self.atom()];
    const std::int64_t end = list.offsets[self.atom() + 1];
    Portions<T, Key, kPortionOf<Key>> portions(search, rules, room, self, keys, lane);
    while (to < end) {
        const int held = portions.next([](T) { return true; });
        for (int key = lane; key < held; key += kWarp)
            write_pair(p, search.system, self, search.place.wrap, keys[spread(key)], list, to + key);
        to += held;
        __syncwarp();
    }
}

/// Warps search for groups of atoms again, and write the lists that can be sorted as a whole.
template <class T>
__device__ void sort_longer(const DeviceParticles<T>& p, const DeviceRules<T>& rules, const DeviceWork<T>& work,
                            const DeviceNeighborList<T>& list, LongRoom<T>& room, int lane) {
    for_each_group(p, work, lane, [&](const AtomGroup<T>& group) {
        const int size = take_members(room.search, group, lane);
        const DeviceSystem& system = *group.system;
        const unsigned members = members_of_length(ListLength::sorted, room.search, size, system, list, lane);
        if (members == 0) return;
        const Search<T> search(work, system, rules, group.place);
        if (search.plain)
            collect_keys<true>(rules, work, list, search, room.search, group, size, members, lane);
        else
            collect_keys<false>(rules, work, list, search, room.search, group, size, members, lane);
        sort_collected(p, list, search, room.search, members, room.sorted, lane);
    });
}

/// Warps search for groups of atoms again, and write the lists that nobody else writes.
template <class T>
__device__ void write_longest(const DeviceParticles<T>& p, const DeviceRules<T>& rules, const DeviceWork<T>& work,
                              const DeviceNeighborList<T>& list, LongRoom<T>& room, int lane) {
    for_each_group(p, work, lane, [&](const AtomGroup<T>& group) {
        const int size = take_members(room.search, group, lane);
        const DeviceSystem& system = *group.system;
        unsigned members = members_of_length(ListLength::portions, room.search, size, system, list, lane);
        if (members == 0) return;
        const Search<T> search(work, system, rules, group.place);
        for (; members != 0; members &= members - 1) {
            const SortedAtom<T> self = room.search.atoms[__ffs(static_cast<int>(members)) - 1];
            if (system.wide)
                write_in_portions(p, rules, list, search, room.search, self, room.wide_portion, lane);
            else
                write_in_portions(p, rules, list, search, room.search, self, room.portion, lane);
        }
    });
}

/// What a warp keeps in shared memory while it fills: of its rows first, then of groups.
template <class T>
union FillRoom {
    KeptRoom kept;
    LongRoom<T> longer;
};

/// Warps write what the count kept, each of so many rows, and then all other lists; those that can be sorted as a whole
/// only if they are not left to fill_sorted. What was kept is read and sorted before the lists have places.
template <class T>
__global__ void __launch_bounds__(kListThreads, kFillBlocks<T>)
    fill_lists(DeviceParticles<T> p, DeviceRules<T> rules, DeviceWork<T> work, DeviceNeighborList<T> list, int rows,
               bool leaves_longer) {
    __shared__ FillRoom<T> rooms[kWarpsPerBlock];
    let_next_begin();
    if (is_unwanted(work.wanted)) return pass_on();
    const int lane = static_cast<int>(threadIdx.x) % kWarp, warp = static_cast<int>(threadIdx.x) / kWarp;
    FillRoom<T>& room = rooms[warp];
    const std::int64_t begin = (std::int64_t{blockIdx.x} * kWarpsPerBlock + warp) * rows;
    KeptList own{0, 0};  // of the lane's row
    if (lane < rows && begin + lane < p.atoms) own = work.lists[begin + lane];
    const bool crowded = work.counters->crowded != 0, wide = work.counters->wide != 0;
    const bool some_short = __any_sync(~0U, own.length > 0 && own.length <= kWarp) != 0;
    if (some_short) take_short_lists(work, room.kept, begin, own.length, lane);
    const int code_bits = own.length > 0 ? work.systems[system_of(p, own.atom)].code_bits : 0;
    wait_for_previous();
    const NeighborStatus status = *list.status;
    const std::int64_t to = own.length > 0 ? list.offsets[own.atom] : 0;
    if (work.padded) pad_list(status, list);
    if (!fits(status, list)) return;
    if (some_short) write_short_lists(p, work, list, room.kept, rows, own, to, code_bits, lane);
    write_longer(p, work, list, begin, own, to, code_bits, lane);
    if (!leaves_longer && list.indices && (crowded || status.most > kKept))
        sort_longer(p, rules, work, list, room.longer, lane);
    const std::uint64_t most_sorted = list.indices ? kSorted : kKept;
    if (wide || status.most > most_sorted || (crowded && !list.indices))
        write_longest(p, rules, work, list, room.longer, lane);
}

/// Warps write the lists that fill_lists has left, of which there are indices: more of them at once, where they are
/// many.
template <class T>
__global__ void __launch_bounds__(kListThreads, kSearchBlocks)
    fill_sorted(DeviceParticles<T> p, DeviceRules<T> rules, DeviceWork<T> work, DeviceNeighborList<T> list) {
    __shared__ LongRoom<T> rooms[kWarpsPerBlock];
    let_next_begin();
    if (is_unwanted(work.wanted)) return pass_on();
    wait_for_previous();
    const NeighborStatus status = *list.status;
    if (!fits(status, list) || (status.most <= kKept && work.counters->crowded == 0)) return;
    sort_longer(p, rules, work, list, rooms[threadIdx.x / kWarp], static_cast<int>(threadIdx.x) % kWarp);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

// Counting neighbours, and writing the short lists in order: what the count finds of them it keeps, so that nothing is
// tested twice. Longer lists: long_lists.hpp.
#pragma once

#include "src/particles/device/rows.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Blocks resident on a multiprocessor: with more of them registers no longer suffice, which costs more than it helps.
template <class T>
inline constexpr int kSearchBlocks = sizeof(T) == sizeof(float) ? 6 : 5;
template <class T>
inline constexpr int kAtOnce = sizeof(T) == sizeof(float) ? 4 : 2;  // atoms that a candidate is tested against
inline constexpr int kShare = 8;  // sorted atoms whose kept lists a warp sorts at once
inline constexpr int kBlockShare = kShare * kWarpsPerBlock;

/// Tests a candidate per lane against the atoms of a room; returns in lane k whose candidates are neighbours of atom k.
/// For each atom, found(atom, whether it is near, which lanes' are).
template <bool kPlain, class T, class Found>
__device__ std::uint32_t test_candidates(const DeviceRules<T>& rules, const SearchRoom<T>& room, int size,
                                         const Candidate<T>& other, int lane, Found found) {
    std::uint32_t answer = 0;
    for (int first = 0; first < size; first += kAtOnce<T>) {  // what is left of a room is near nobody
        bool near[kAtOnce<T>];
#pragma unroll
        for (int k = 0; k < kAtOnce<T>; ++k) {
            T squared;
            near[k] = are_neighbors<kPlain>(rules, room.atoms[first + k], other, squared);
        }
#pragma unroll
        for (int k = 0; k < kAtOnce<T>; ++k) {
            const unsigned lanes = __ballot_sync(~0U, near[k]);
            if (lane == first + k) answer = lanes;
            found(first + k, near[k], lanes);
        }
    }
    return answer;
}
template <bool kPlain, class T>
__device__ std::uint32_t test_candidates(const DeviceRules<T>& rules, const SearchRoom<T>& room, int size,
                                         const Candidate<T>& other, int lane) {
    return test_candidates<kPlain>(rules, room, size, other, lane, [](int, bool, unsigned) {});
}

/// What becomes of what a count finds: nothing but its number; answers, for the first kKept registers of candidates; or
/// the keys of the first kKept neighbours of each atom.
enum class Keeping { nothing, answers, keys };

/// Counts the neighbours of a room's atoms, in lane k those of atom k. What is kept of atom k goes to row k.
template <bool kPlain, bool kKeys, class T>
__device__ int count_group(const DeviceRules<T>& rules, const Search<T>& search, SearchRoom<T>& room, int size,
                           Keeping keeping, std::uint32_t* rows, int lane) {
    int found = 0;
    int number = 0;  // of the register of candidates
    search.template for_each_candidate<kPlain>(room, lane, [&](const Candidate<T>& other) {
        std::uint32_t answer;
        if constexpr (kKeys) {
            const auto key = key_of<std::uint32_t>(search, other);
            answer = test_candidates<kPlain>(rules, room, size, other, lane, [&](int k, bool near, unsigned lanes) {
                const int to = __shfl_sync(~0U, found, k) + __popc(lanes & lanes_before(lane));
                if (near & (to < kKept)) rows[k * kKept + to] = key;
            });
        } else {
            answer = test_candidates<kPlain>(rules, room, size, other, lane);
            if (keeping == Keeping::answers && number < kKept && lane < size) rows[lane * kKept + number] = answer;
            ++number;
        }
        found += __popc(answer);
    });
    return found;
}

/// What a warp keeps in shared memory: of one search or the other.
template <class T>
union CountRoom {
    SearchRoom<T> search;
    RowRoom<T> rows;
};

inline constexpr int kLoaded = 4;  // keys of a row that are read at once

/// By lane k, of the atom whose keys go to row `row`: the neighbours that have been found, and whether they are kept.
/// What is read of a row together is written together.
template <class T>
__device__ void note_count(const DeviceWork<T>& work, std::int64_t* counts, std::int32_t row, std::int32_t atom,
                           int found, bool kept) {
    const bool all = kept && found <= kKept;
    counts[atom] = found;
    work.lists[row] = {all ? found : 0, atom};
    std::uint32_t* const keys = work.kept + std::int64_t{row} * kKept;
#pragma unroll
    for (int k = 1; k < kLoaded; ++k)
        if (all & (found % kLoaded != 0) & (found % kLoaded + k <= kLoaded)) keys[found + k - 1] = ~0U;
}

/// A warp counts for ranges of atoms, where all systems are searched as usual; returns in each lane the most that it
/// has found.
template <class T>
__device__ int count_usually(GroupQueue<T>& queue, const DeviceParticles<T>& p, const DeviceRules<T>& rules,
                             const DeviceWork<T>& work, std::int64_t* counts, RowRoom<T>& room, int lane) {
    int most = 0;
    queue.for_each_range(lane, [&](const AtomRange& range, auto& next) {
        std::int32_t atom;
        const int found = count_range(work, rules, system_of_range(range, p, work), range,
                                      static_cast<std::int32_t>(p.atoms - 1), room, lane, atom, next);
        if (range.first + lane >= range.end) return;
        note_count(work, counts, range.first + lane, atom, found, true);
        most = max(most, found);
    });
    return most;
}

/// The same, whatever the systems.
template <class T>
__device__ int count_anyhow(GroupQueue<T>& queue, const DeviceParticles<T>& p, const DeviceRules<T>& rules,
                            const DeviceWork<T>& work, std::int64_t* counts, SearchRoom<T>& room, int lane) {
    int most = 0;
    const auto visit = [&](const AtomGroup<T>& group) {
        const int size = take_members(room, group, lane);
        const DeviceSystem& system = *group.system;
        const Search<T> search(work, system, rules, group.place);
        const Keeping keeping = rules.nearest > 0 ? Keeping::nothing
                                : system.crowded  ? Keeping::answers
                                : system.wide     ? Keeping::nothing
                                                  : Keeping::keys;
        std::uint32_t* const rows = taken_as_is(work.kept + std::int64_t{group.row} * kKept);
        const auto count = [&]<bool kPlain, bool kKeys>() {
            return count_group<kPlain, kKeys>(rules, search, room, size, keeping, rows, lane);
        };
        int found;
        if (keeping == Keeping::keys)
            found = search.plain ? count.template operator()<true, true>() : count.template operator()<false, true>();
        else
            found = search.plain ? count.template operator()<true, false>() : count.template operator()<false, false>();
        if (rules.nearest > 0) found = min(found, rules.nearest);
        if (lane >= size) return;
        note_count(work, counts, group.row + lane, room.atoms[lane].atom(), found, keeping == Keeping::keys);
        most = max(most, found);
    };
    queue.for_each_range(lane, [&](const AtomRange& range, auto& next) {
        next.claim();
        visit_range(range, p, work, lane, visit);
        next.fetch();
    });
    return most;
}

/// Warps count the neighbours of groups of atoms.
template <class T>
__global__ void __launch_bounds__(kListThreads, kSearchBlocks<T>)
    count_neighbors(DeviceParticles<T> p, DeviceRules<T> rules, DeviceWork<T> work, std::int64_t* counts,
                    NeighborStatus* status) {
    __shared__ CountRoom<T> rooms[kWarpsPerBlock];
    if (is_unwanted(work.wanted)) return pass_on();
    GroupQueue<T> queue(work);
    wait_for_previous();
    let_next_begin();
    const bool usual = work.counters->unusual == 0 && rules.nearest == 0;  // on its way with the status
    if (!all_is_well(*status)) {
        const std::int64_t step = std::int64_t{gridDim.x} * kListThreads;
        for (std::int64_t i = std::int64_t{blockIdx.x} * kListThreads + threadIdx.x; i < p.atoms; i += step)
            counts[i] = 0, work.lists[i] = {0, 0};
        return;
    }
    const int lane = static_cast<int>(threadIdx.x) % kWarp;
    CountRoom<T>& room = rooms[threadIdx.x / kWarp];
    int most = usual ? count_usually(queue, p, rules, work, counts, room.rows, lane)
                     : count_anyhow(queue, p, rules, work, counts, room.search, lane);
    for (int step = kTogether / 2; step > 0; step /= 2) most = max(most, __shfl_xor_sync(~0U, most, step));
    const auto noted = static_cast<unsigned long long>(most);
    if (lane == 0 && *static_cast<volatile std::uint64_t*>(&status->most) < noted)  // few queue at the counter
        atomicMax(reinterpret_cast<unsigned long long*>(&status->most), noted);
}

/// Whether there is something to write, and room for all of it.
template <class T>
__device__ bool fits(const NeighborStatus& status, const DeviceNeighborList<T>& list) {
    return all_is_well(status) && status.pairs <= static_cast<std::uint64_t>(list.capacity);
}

/// Writes entry `to` of an atom's list.
template <class T>
__device__ void write_pair_of(const DeviceParticles<T>& p, const DeviceWork<T>& work, const DeviceNeighborList<T>& list,
                              std::int64_t atom, std::uint32_t key, std::int64_t to) {
    const DeviceSystem& system = work.systems[system_of(p, atom)];
    T x[3];
    load_position(p, atom, x);
    const SortedAtom<T> self{x[0], x[1], x[2], static_cast<std::uint32_t>(atom)};
    write_pair(p, system, self, wrap_of(system, x), key, list, to);
}

/// Sorts and writes a list that the count kept in a row, with more keys than a lane each.
template <class T>
__device__ void write_longer(const DeviceParticles<T>& p, const DeviceWork<T>& work, const DeviceNeighborList<T>& list,
                             std::int64_t row, const KeptList& own, std::int64_t to, int lane) {
    constexpr int kEach = kKept / kWarp;
    std::uint32_t keys[kEach];
#pragma unroll
    for (int r = 0; r < kEach; ++r)
        keys[r] = r * kWarp + lane < own.length ? work.kept[row * kKept + r * kWarp + lane] : ~std::uint32_t{0};
    sort_by_warp<kEach>(keys, lane);
#pragma unroll
    for (int r = 0; r < kEach; ++r)
        if (lane * kEach + r < own.length) write_pair_of(p, work, list, own.atom, keys[r], to + lane * kEach + r);
}

/// A row of a share, which is the lane's of its number.
__device__ inline KeptList from_lane(const KeptList& own, int lane) {
    return {__shfl_sync(~0U, own.length, lane), __shfl_sync(~0U, own.atom, lane)};
}

/// A list of a share, as all lanes need to know it.
struct ShortList {
    std::int64_t to;  ///< where it begins
    std::int32_t length, code_bits;
};

/// The short lists of a share: so many lanes have one, each of them kLaneKeys keys of it.
inline constexpr int kLaneKeys = 8, kListLanes = kWarp / kLaneKeys;
static_assert(kListLanes * kShare == kWarp && kLaneKeys * kListLanes == kWarp);

/// What a warp keeps in shared memory while it writes a share.
struct ShareRoom {
    ShortList lists[kShare];
    std::uint32_t keys[kShare][kWarp + kListLanes];  ///< kLaneKeys and a word that is left out, in turn: see share_word
};
__device__ constexpr int share_word(int key) { return key + key / kLaneKeys; }

/// Writes all that is asked for of the short lists of a share, which are sorted.
template <class T>
__device__ void write_share(const DeviceParticles<T>& p, const DeviceWork<T>& work, const DeviceNeighborList<T>& list,
                            const ShareRoom& room, const KeptList& own, int lane) {
#pragma unroll 1
    for (int k = 0; k < kShare; ++k) {
        const KeptList kept = from_lane(own, k);
        if (lane < room.lists[k].length)
            write_pair_of(p, work, list, kept.atom, room.keys[k][share_word(lane)], room.lists[k].to + lane);
    }
}

/// By all threads of a kernel: what lies behind the last pair, or all that there is room for.
template <class T>
__device__ void pad_list(const NeighborStatus& status, const DeviceNeighborList<T>& list) {
    const std::int64_t from = fits(status, list) ? static_cast<std::int64_t>(status.pairs) : 0;
    const std::int64_t own = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    for (std::int64_t k = from + own; k < list.capacity; k += std::int64_t{gridDim.x} * blockDim.x) {
        if (list.first) list.first[k] = -1;
        if (list.indices) list.indices[k] = -1;
        if (list.shifts) list.shifts[k] = {0, 0, 0};
        if (list.vectors) list.vectors[k] = {0, 0, 0};
        if (list.distances) list.distances[k] = 0;
    }
}

/// A warp for each share of rows: sorts and writes the lists that the count kept whole. The keys are read before the
/// lists have places.
template <class T>
__global__ void __launch_bounds__(kListThreads)
    fill_kept(DeviceParticles<T> p, DeviceWork<T> work, DeviceNeighborList<T> list) {
    __shared__ ShareRoom rooms[kWarpsPerBlock];
    let_next_begin();
    if (is_unwanted(work.wanted)) return pass_on();
    const int lane = static_cast<int>(threadIdx.x) % kWarp;
    const std::int64_t begin = (std::int64_t{blockIdx.x} * kWarpsPerBlock + threadIdx.x / kWarp) * kShare;
    KeptList own{0, 0};  // in each of the first lanes, of a row of the share
    if (lane < kShare && begin + lane < p.atoms) own = work.lists[begin + lane];
    // The lane's part of a list that is short: no more than a key for each lane of a warp.
    std::uint32_t keys[kLaneKeys];
    {
        const int number = lane / kListLanes, first = lane % kListLanes * kLaneKeys;
        const int length = __shfl_sync(~0U, own.length, number);
        struct alignas(kLoaded * sizeof(std::uint32_t)) Words {
            std::uint32_t at[kLoaded];
        };
        const Words* const from = reinterpret_cast<const Words*>(work.kept + (begin + number) * kKept + first);
#pragma unroll
        for (int k = 0; k < kLaneKeys; k += kLoaded) {
            Words words{~0U, ~0U, ~0U, ~0U};
            if (length <= kWarp && first + k < length) words = from[k / kLoaded];
#pragma unroll
            for (int r = 0; r < kLoaded; ++r) keys[k + r] = words.at[r];
        }
    }
    if (!work.padded && __ballot_sync(~0U, own.length > 0) == 0) return pass_on();
    const int code_bits = own.length > 0 ? work.systems[system_of(p, own.atom)].code_bits : 0;
    wait_for_previous();
    const NeighborStatus status = *list.status;
    const std::int64_t start = own.length > 0 ? list.offsets[own.atom] : 0;
    sort_by_warp<kLaneKeys, kListLanes>(keys, lane);  // while these are on their way
    if (work.padded) pad_list(status, list);
    if (!fits(status, list)) return;
    ShareRoom& room = rooms[threadIdx.x / kWarp];
    if (lane < kShare) room.lists[lane] = {start, own.length <= kWarp ? own.length : 0, code_bits};
#pragma unroll
    for (int r = 0; r < kLaneKeys; ++r)
        room.keys[lane / kListLanes][share_word(lane % kListLanes * kLaneKeys + r)] = keys[r];
    __syncwarp();
    if (list.first || list.shifts || list.vectors || list.distances || !list.indices) {
        write_share(p, work, list, room, own, lane);
    } else {
#pragma unroll
        for (int k = 0; k < kShare; ++k) {
            const ShortList kept = room.lists[k];
            const std::uint32_t key = room.keys[k][share_word(lane)];
            if (lane < kept.length) list.indices[kept.to + lane] = static_cast<std::int32_t>(key >> kept.code_bits);
        }
    }
    for (unsigned rest = __ballot_sync(~0U, own.length > kWarp); rest != 0; rest &= rest - 1) {
        const int k = __ffs(static_cast<int>(rest)) - 1;
        write_longer(p, work, list, begin + k, from_lane(own, k), __shfl_sync(~0U, start, k), lane);
    }
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

// Counting neighbours, and writing the short lists in order: what the count finds of them it keeps, so that nothing is
// tested twice. Longer lists: long_lists.hpp.
#pragma once

#include "src/particles/device/rows.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Blocks resident on a multiprocessor: with more of them registers no longer suffice, which costs more than it helps.
inline constexpr int kSearchBlocks = 5;
template <class T>
inline constexpr int kFillBlocks = sizeof(T) == sizeof(float) ? 4 : 5;
template <class T>
inline constexpr int kAtOnce = sizeof(T) == sizeof(float) ? 4 : 2;  // atoms that a candidate is tested against

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
    if (work.summed > 0) atomicAdd(&work.sums[atom / kScanPart * kSumsApart], static_cast<unsigned long long>(found));
    work.lists[row] = {all ? found : 0, atom};
    std::uint32_t* const keys = work.kept + std::int64_t{row} * kKept;
#pragma unroll
    for (int k = 1; k < kLoaded; ++k)
        if (all & (found % kLoaded != 0) & (found % kLoaded + k <= kLoaded)) keys[found + k - 1] = ~0U;
}

/// A warp counts for ranges of atoms, where all systems are searched as usual.
template <class T>
__device__ void count_usually(GroupQueue<T>& queue, const DeviceParticles<T>& p, const DeviceRules<T>& rules,
                              const DeviceWork<T>& work, std::int64_t* counts, RowRoom<T>& room, int lane) {
    queue.for_each_range(lane, [&](const AtomRange& range, auto& next) {
        std::int32_t atom;
        const int found = count_range(work, rules, system_of_range(range, p, work), range,
                                      static_cast<std::int32_t>(p.atoms - 1), room, lane, atom, next);
        if (range.first + lane < range.end) note_count(work, counts, range.first + lane, atom, found, true);
    });
}

/// The same, whatever the systems.
template <class T>
__device__ void count_anyhow(GroupQueue<T>& queue, const DeviceParticles<T>& p, const DeviceRules<T>& rules,
                             const DeviceWork<T>& work, std::int64_t* counts, SearchRoom<T>& room, int lane) {
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
        if (lane < size)
            note_count(work, counts, group.row + lane, room.atoms[lane].atom(), found, keeping == Keeping::keys);
    };
    queue.for_each_range(lane, [&](const AtomRange& range, auto& next) {
        next.claim();
        visit_range(range, p, work, lane, visit);
        next.fetch();
    });
}

/// Warps count the neighbours of groups of atoms.
template <class T>
__global__ void __launch_bounds__(kListThreads, kSearchBlocks)
    count_neighbors(DeviceParticles<T> p, DeviceRules<T> rules, DeviceWork<T> work, std::int64_t* counts,
                    const NeighborStatus* status) {
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
    if (usual)
        count_usually(queue, p, rules, work, counts, room.rows, lane);
    else
        count_anyhow(queue, p, rules, work, counts, room.search, lane);
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

/// The list of a row, which is the lane's of its number.
__device__ inline KeptList from_lane(const KeptList& own, int lane) {
    return {__shfl_sync(~0U, own.length, lane), __shfl_sync(~0U, own.atom, lane)};
}

/// A short list, as all lanes need to know it: no more than a key for each lane of a warp.
struct alignas(16) ShortList {
    std::int64_t to;  ///< where it begins
    std::int32_t length, code_bits;
};

/// Keys that are read and written together.
struct alignas(kLoaded * sizeof(std::uint32_t)) LoadedKeys {
    std::uint32_t at[kLoaded];
};
inline constexpr int kRowLoads = kWarp / kLoaded;  // of a short list
inline constexpr int kLeastRows = 8;               // of a warp

/// What a warp keeps in shared memory while it writes the lists of its rows, of which a lane has one.
struct KeptRoom {
    ShortList lists[kWarp];
    LoadedKeys keys[kWarp][kRowLoads + 1];  ///< the last is left out: lanes with rows side by side reach other banks

    __device__ std::uint32_t key(int row, int k) const { return keys[row][k / kLoaded].at[k % kLoaded]; }
};

/// Reads the keys of the short lists among a warp's rows, `length` of them in the lane's, and sorts them, each lane its
/// own.
template <class T>
__device__ void take_short_lists(const DeviceWork<T>& work, KeptRoom& room, std::int64_t begin, int length, int lane) {
    constexpr int kAtOnce = kWarp / kRowLoads;  // rows
    LoadedKeys loaded[kRowLoads];
    const auto* const from = reinterpret_cast<const LoadedKeys*>(work.kept + begin * kKept) + lane % kRowLoads;
#pragma unroll
    for (int r = 0; r < kRowLoads; ++r) {  // all on their way at once
        const int row = r * kAtOnce + lane / kRowLoads, keys = __shfl_sync(~0U, length, row);
        loaded[r] = {~0U, ~0U, ~0U, ~0U};
        if (keys <= kWarp && lane % kRowLoads * kLoaded < keys) loaded[r] = from[row * (kKept / kLoaded)];
    }
#pragma unroll
    for (int r = 0; r < kRowLoads; ++r) room.keys[r * kAtOnce + lane / kRowLoads][lane % kRowLoads] = loaded[r];
    __syncwarp();
    std::uint32_t keys[kWarp];
#pragma unroll
    for (int r = 0; r < kRowLoads; ++r) {
        const LoadedKeys some = room.keys[lane][r];
#pragma unroll
        for (int k = 0; k < kLoaded; ++k) keys[r * kLoaded + k] = some.at[k];
    }
    sort_by_lane(keys);
#pragma unroll
    for (int r = 0; r < kRowLoads; ++r) {
        LoadedKeys some;
#pragma unroll
        for (int k = 0; k < kLoaded; ++k) some.at[k] = keys[r * kLoaded + k];
        room.keys[lane][r] = some;
    }
}

/// Whether indices are all that is asked for.
template <class T>
LANEWORK_EVERYWHERE bool has_indices_alone(const DeviceNeighborList<T>& list) {
    return list.indices && !list.first && !list.shifts && !list.vectors && !list.distances;
}

/// Writes the short lists among a warp's rows, which are sorted: the lane's begins at `to`.
template <class T>
__device__ void write_short_lists(const DeviceParticles<T>& p, const DeviceWork<T>& work,
                                  const DeviceNeighborList<T>& list, KeptRoom& room, int rows, const KeptList& own,
                                  std::int64_t to, int code_bits, int lane) {
    room.lists[lane] = {to, own.length <= kWarp ? own.length : 0, code_bits};
    __syncwarp();
    if (!has_indices_alone(list)) {
#pragma unroll 1
        for (int row = 0; row < rows; ++row) {
            const KeptList kept = from_lane(own, row);
            if (lane < room.lists[row].length)
                write_pair_of(p, work, list, kept.atom, room.key(row, lane), room.lists[row].to + lane);
        }
        return;
    }
    std::int32_t* const indices = list.indices + lane;
#pragma unroll 1
    for (int first = 0; first < rows; first += kLeastRows)
#pragma unroll
        for (int k = 0; k < kLeastRows; ++k) {
            const ShortList kept = room.lists[first + k];
            const auto index = taken_as_is(static_cast<std::int32_t>(room.key(first + k, lane) >> kept.code_bits));
            std::int32_t* const entry = taken_as_is(indices + kept.to);
            if (lane < kept.length) *entry = index;
        }
}

/// Sorts and writes the other lists that the count kept, of a warp's rows from `begin` on: a few at once, so that their
/// keys are on their way together.
template <class T>
__device__ void write_longer(const DeviceParticles<T>& p, const DeviceWork<T>& work, const DeviceNeighborList<T>& list,
                             std::int64_t begin, const KeptList& own, std::int64_t to, int code_bits, int lane) {
    constexpr int kLists = 4, kEach = kKept / kWarp;
    const bool indices_alone = has_indices_alone(list);
    for (unsigned rest = __ballot_sync(~0U, own.length > kWarp); rest != 0;) {
        KeptList kept[kLists];
        int row[kLists];
        std::uint32_t keys[kLists][kEach];
#pragma unroll
        for (int k = 0; k < kLists; ++k, rest &= rest - 1) {
            row[k] = rest != 0 ? __ffs(static_cast<int>(rest)) - 1 : 0;
            kept[k] = from_lane(own, row[k]);
            if (rest == 0) kept[k].length = 0;
#pragma unroll
            for (int r = 0; r < kEach; ++r) {
                keys[k][r] = ~0U;
                if (r * kWarp + lane < kept[k].length)
                    keys[k][r] = work.kept[(begin + row[k]) * kKept + r * kWarp + lane];
            }
        }
#pragma unroll
        for (int k = 0; k < kLists; ++k) sort_by_warp<kEach>(keys[k], lane);
#pragma unroll
        for (int k = 0; k < kLists; ++k) {
            const std::int64_t first = __shfl_sync(~0U, to, row[k]) + lane * kEach;
            const int bits = __shfl_sync(~0U, code_bits, row[k]);
#pragma unroll
            for (int r = 0; r < kEach; ++r) {
                if (lane * kEach + r >= kept[k].length) continue;
                if (indices_alone)
                    list.indices[first + r] = static_cast<std::int32_t>(keys[k][r] >> bits);
                else
                    write_pair_of(p, work, list, kept[k].atom, keys[k][r], first + r);
            }
        }
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

}  // namespace lanework::inline LANEWORK_ON_DEVICE

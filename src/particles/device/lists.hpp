// Counting neighbours, and writing the short lists in order: what the count finds of them it keeps, so that nothing is
// tested twice. Longer lists: long_lists.hpp.
#pragma once

#include "src/particles/device/kept.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Blocks resident on a multiprocessor: with more of them registers no longer suffice, which costs more than it helps.
template <class T>
inline constexpr int kSearchBlocks = sizeof(T) == sizeof(float) ? 6 : 5;
inline constexpr int kShare = 8;  // sorted atoms whose kept lists a warp sorts at once
inline constexpr int kBlockShare = kShare * kWarpsPerBlock;

/// Tests a candidate per lane against the atoms of a room; returns in lane k whose candidates are neighbours of atom k.
template <class T>
__device__ std::uint32_t test_candidates(const DeviceRules<T>& rules, const SearchRoom<T>& room, int size,
                                         const Candidate<T>& other, int lane) {
    constexpr int kAtOnce = sizeof(T) == sizeof(float) ? 4 : 2;  // what is left of a room is full of copies
    std::uint32_t answer = 0;
    for (int first = 0; first < size; first += kAtOnce)
#pragma unroll
        for (int k = first; k < first + kAtOnce; ++k) {
            T squared;
            const unsigned lanes = __ballot_sync(~0U, are_neighbors(rules, room.atoms[k], other, squared));
            if (lane == k) answer = lanes;
        }
    return lane < size ? answer : 0;
}

/// Warps count the neighbours of groups of atoms, and keep the keys of the first kKept neighbours of each; or in
/// crowded systems the answers for the first kKept registers of candidates.
template <class T>
__global__ void __launch_bounds__(kListThreads, kSearchBlocks<T>)
    count_neighbors(DeviceParticles<T> p, DeviceRules<T> rules, DeviceWork<T> work, std::int64_t* counts,
                    NeighborStatus* status) {
    __shared__ SearchRoom<T> rooms[kWarpsPerBlock];
    __shared__ FoundRoom founds[kWarpsPerBlock];
    wait_for_previous();
    let_next_begin();
    if (!all_is_well(*status)) {
        const std::int64_t step = std::int64_t{gridDim.x} * kListThreads;
        for (std::int64_t i = std::int64_t{blockIdx.x} * kListThreads + threadIdx.x; i < p.atoms; i += step)
            counts[i] = work.lengths[i] = 0;
        return;
    }
    const int lane = static_cast<int>(threadIdx.x) % kWarp;
    SearchRoom<T>& room = rooms[threadIdx.x / kWarp];
    unsigned long long most = 0;
    for_each_queued_group(work, lane, [&](const AtomGroup& group) {
        const int size = take_members(room, group, work, lane);
        const DeviceSystem& system = work.systems[system_of(p, room.atoms[0].atom())];
        const Search<T> search(work, system, rules, group.place);
        const bool answers = system.crowded && rules.nearest == 0;
        const bool keeping = !system.wide && !system.crowded && rules.nearest == 0;
        KeptKeys<T> kept(founds[threadIdx.x / kWarp], work.kept, room, size, lane);
        int found = 0;   // lane k: neighbours of atom k
        int number = 0;  // of the register of candidates
        search.for_each_candidate(room, lane, [&](const Candidate<T>& other, bool last) {
            const std::uint32_t answer = test_candidates(rules, room, size, other, lane);
            found += __popc(answer);
            if (keeping) {
                kept.add(key_of<std::uint32_t>(search, other), answer, last);
            } else if (answers && number < kKept && lane < size) {
                work.kept[std::int64_t{room.at[lane]} * kKept + number] = answer;
            }
            ++number;
        });
        if (rules.nearest > 0) found = min(found, rules.nearest);
        if (lane < size) {
            counts[room.atoms[lane].atom()] = found;
            work.lengths[room.at[lane]] = keeping && found <= kKept ? found : 0;
        }
        for (int step = kTogether / 2; step > 0; step /= 2) found = max(found, __shfl_xor_sync(~0U, found, step));
        most = max(most, static_cast<unsigned long long>(found));
    });
    if (lane == 0 && *static_cast<volatile std::uint64_t*>(&status->most) < most)  // few queue at the counter
        atomicMax(reinterpret_cast<unsigned long long*>(&status->most), most);
}

/// Whether there is something to write, and room for all of it.
template <class T>
__device__ bool fits(const NeighborStatus& status, const DeviceNeighborList<T>& list) {
    return all_is_well(status) && status.pairs <= static_cast<std::uint64_t>(list.capacity);
}

/// Sorts and writes the list of the atom at a sorted place, which the count kept: `count` keys, more than a lane each.
template <class T>
__device__ void write_longer(const DeviceParticles<T>& p, const DeviceWork<T>& work, const DeviceNeighborList<T>& list,
                             std::int64_t at, std::int64_t to, int count, int lane) {
    constexpr int kEach = kKept / kWarp;
    const SortedAtom<T> self = work.sorted[at];
    std::uint32_t keys[kEach];
#pragma unroll
    for (int r = 0; r < kEach; ++r)
        keys[r] = r * kWarp + lane < count ? work.kept[at * kKept + r * kWarp + lane] : ~std::uint32_t{0};
    sort_by_warp<kEach>(keys, lane);
    const Image3 wrap = self.is_wrapped() ? work.places[at].wrap : Image3{0, 0, 0};
#pragma unroll
    for (int r = 0; r < kEach; ++r)
        if (lane * kEach + r < count)
            write_pair(p, work.systems[system_of(p, self.atom())], self, wrap, keys[r], list, to + lane * kEach + r);
}

/// Writes all that is asked for of the lists of a share that are sorted, with a key in each lane.
template <class T>
__device__ void write_share(const DeviceParticles<T>& p, const DeviceWork<T>& work, const DeviceNeighborList<T>& list,
                            std::int64_t begin, int length, std::int64_t start, const std::uint32_t (&keys)[kShare],
                            int lane) {
    __shared__ std::uint32_t sorted[kWarpsPerBlock][kShare][kWarp];
    auto& mine = sorted[threadIdx.x / kWarp];
#pragma unroll
    for (int k = 0; k < kShare; ++k) mine[k][lane] = keys[k];  // read by the lane that wrote it
#pragma unroll 1
    for (int k = 0; k < kShare; ++k) {
        const int count = __shfl_sync(~0U, length, k);
        const std::int64_t to = __shfl_sync(~0U, start, k);
        if (lane >= count || count > kWarp) continue;
        const SortedAtom<T> self = work.sorted[begin + k];
        const Image3 wrap = self.is_wrapped() ? work.places[begin + k].wrap : Image3{0, 0, 0};
        write_pair(p, work.systems[system_of(p, self.atom())], self, wrap, mine[k][lane], list, to + lane);
    }
}

/// A warp for each share of atoms: sorts and writes the lists that the count kept whole. The keys are read before the
/// lists have places.
template <class T>
__global__ void __launch_bounds__(kListThreads)
    fill_kept(DeviceParticles<T> p, DeviceWork<T> work, DeviceNeighborList<T> list) {
    const int lane = static_cast<int>(threadIdx.x) % kWarp;
    const std::int64_t begin = (std::int64_t{blockIdx.x} * kWarpsPerBlock + threadIdx.x / kWarp) * kShare;
    int length = 0, code_bits = 0;  // in each of the first lanes, of an atom of the share
    std::int32_t atom = 0;
    if (lane < kShare && begin + lane < p.atoms) length = work.lengths[begin + lane];
    if (length > 0) {
        atom = work.sorted[begin + lane].atom();
        code_bits = work.systems[system_of(p, atom)].code_bits;
    }
    std::uint32_t keys[kShare];  // of lists with at most a key for each lane: they are on their way at once
#pragma unroll
    for (int k = 0; k < kShare; ++k) {
        const int count = __shfl_sync(~0U, length, k);
        keys[k] = lane < count && count <= kWarp ? work.kept[(begin + k) * kKept + lane] : ~std::uint32_t{0};
    }
    wait_for_previous();
    let_next_begin();
    const NeighborStatus status = *list.status;
    const std::int64_t start = length > 0 ? list.offsets[atom] : 0;
    sort_lists_by_warp(keys, lane);  // while these are on their way
    if (!fits(status, list)) return;
    const unsigned longer = __ballot_sync(~0U, length > kWarp);
    if (list.first || list.shifts || list.vectors || list.distances || !list.indices) {
        write_share(p, work, list, begin, length, start, keys, lane);
    } else {
#pragma unroll
        for (int k = 0; k < kShare; ++k) {
            const int count = __shfl_sync(~0U, length, k), bits = __shfl_sync(~0U, code_bits, k);
            const std::int64_t to = __shfl_sync(~0U, start, k);
            if (lane < count && count <= kWarp) list.indices[to + lane] = static_cast<std::int32_t>(keys[k] >> bits);
        }
    }
    for (unsigned rest = longer; rest != 0; rest &= rest - 1) {
        const int k = __ffs(static_cast<int>(rest)) - 1;
        write_longer(p, work, list, begin + k, __shfl_sync(~0U, start, k), __shfl_sync(~0U, length, k), lane);
    }
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

// Counting neighbours, and writing the short lists in order: what the count finds of them it keeps, so that nothing is
// tested twice. Longer lists: long_lists.hpp.
#pragma once

#include "src/particles/device/keys.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kCountBlocks = 8;  // resident on a multiprocessor, as far as registers go

/// Tests a candidate per lane against some atoms, and calls found(k, near, lanes) for each of them: whether the lane's
/// candidate is a neighbour of atom k, and whose are.
template <class T, class Found>
__device__ void test_candidates(const DeviceRules<T>& rules, const SortedAtom<T>* atoms, int size,
                                const Candidate<T>& other, Found found) {
#pragma unroll(sizeof(T) == sizeof(float) ? 4 : 2)
    for (int k = 0; k < size; ++k) {
        T squared;
        const bool near = are_neighbors(rules, atoms[k], other, squared);
        found(k, near, __ballot_sync(~0U, near));
    }
}

/// The place in list k of the neighbour that a lane has found, when lane k has held[k] = how many the list has.
__device__ inline int place_in_list(int held, int k, unsigned lanes, int lane) {
    return __shfl_sync(~0U, held, k) + __popc(lanes & lanes_before(lane));
}

/// A warp for each share of atoms: their counts, and the keys of the first kKept neighbours of each; or in crowded
/// systems the answers for the first kKept registers of candidates.
template <class T>
__global__ void __launch_bounds__(kListThreads, kCountBlocks)
    count_neighbors(DeviceParticles<T> p, DeviceRules<T> rules, DeviceWork<T> work, std::int64_t* counts,
                    NeighborStatus* status) {
    __shared__ GroupRoom<T> rooms[kWarpsPerBlock];
    __shared__ std::uint32_t keys[kWarpsPerBlock][kTogether][kKept];
    const int lane = static_cast<int>(threadIdx.x) % kWarp;
    const std::int64_t begin = (std::int64_t{blockIdx.x} * kWarpsPerBlock + threadIdx.x / kWarp) * kShare;
    if (!all_is_well(*status)) {
        if (lane < kShare && begin + lane < p.atoms) counts[begin + lane] = 0;
        return;
    }
    GroupRoom<T>& room = rooms[threadIdx.x / kWarp];
    auto& kept = keys[threadIdx.x / kWarp];
    for_each_group(p.atoms, work, begin, lane, [&](const AtomGroup& group) {
        const int size = room.take(group, ~0U, work, lane);
        const DeviceSystem& system = work.systems[system_of(p, room.atoms[0].atom())];
        const Search<T> search(work, system, rules, group.place);
        int found = 0;  // lane k: neighbours of atom k
        const bool answers = system.crowded && rules.nearest == 0;
        const bool keep_all = !system.wide && !system.crowded && rules.nearest == 0;  // but of lists that are too long
        bool keeping = keep_all;
        int number = 0;  // of the register of candidates
        search.for_each_candidate(room.runs, lane, [&](const Candidate<T>& other) {
            if (keeping) {
                const auto key = key_of<std::uint32_t>(search, other);
                test_candidates(rules, room.atoms, size, other, [&](int k, bool near, unsigned lanes) {
                    const int place = place_in_list(found, k, lanes, lane);
                    if (near && place < kKept) kept[k][place] = key;
                    if (lane == k) found += __popc(lanes);
                });
                keeping = __any_sync(~0U, lane < size && found < kKept);
            } else {
                std::uint32_t answer = 0;  // lane k: who is a neighbour of atom k
                test_candidates(rules, room.atoms, size, other, [&](int k, bool, unsigned lanes) {
                    if (lane == k) answer = lanes;
                });
                found += __popc(answer);
                if (answers && number < kKept && lane < size)
                    work.kept[std::int64_t{room.at[lane]} * kKept + number] = answer;
                ++number;
            }
        });
        if (rules.nearest > 0) found = min(found, rules.nearest);
        if (lane < size) counts[room.atoms[lane].atom()] = found;
        __syncwarp();
        for (int k = 0; keep_all && k < size; ++k) {
            const int count = __shfl_sync(~0U, found, k);
            std::uint32_t* const to = work.kept + std::int64_t{room.at[k]} * kKept;
#pragma unroll
            for (int first = 0; first < kKept; first += kWarp)
                if (first + lane < count) to[first + lane] = kept[k][first + lane];
        }
        for (int step = kTogether / 2; step > 0; step /= 2) found = max(found, __shfl_xor_sync(~0U, found, step));
        const auto most = static_cast<unsigned long long>(found);
        if (lane == 0 && *static_cast<volatile std::uint64_t*>(&status->most) < most)  // few queue at the counter
            atomicMax(reinterpret_cast<unsigned long long*>(&status->most), most);
    });
}

/// Whether there is something to write, and room for all of it.
template <class T>
__device__ bool fits(const NeighborStatus& status, const DeviceNeighborList<T>& list) {
    return all_is_well(status) && status.pairs <= static_cast<std::uint64_t>(list.capacity);
}

/// A warp for each share of atoms: sorts and writes the lists that the count kept whole.
template <class T>
__global__ void __launch_bounds__(kListThreads)
    fill_kept(DeviceParticles<T> p, DeviceWork<T> work, DeviceNeighborList<T> list) {
    if (!fits(*list.status, list)) return;
    const int lane = static_cast<int>(threadIdx.x) % kWarp;
    const std::int64_t begin = (std::int64_t{blockIdx.x} * kWarpsPerBlock + threadIdx.x / kWarp) * kShare;
    SortedAtom<T> mine{};  // of the share, an atom in each of the first lanes: all of them are on their way at once
    std::int64_t start = 0;
    int length = 0;
    if (lane < kShare && begin + lane < p.atoms) {
        mine = work.sorted[begin + lane];
        start = list.offsets[mine.atom()];
        const std::int64_t count = list.offsets[mine.atom() + 1] - start;
        const DeviceSystem& system = work.systems[system_of(p, mine.atom())];
        if (count <= kKept && !system.wide && !system.crowded) length = static_cast<int>(count);
    }
    for (int k = 0; k < kShare; ++k) {
        const int count = __shfl_sync(~0U, length, k);
        if (count == 0) continue;
        const std::int64_t to = __shfl_sync(~0U, start, k);
        const SortedAtom<T> self{__shfl_sync(~0U, mine.x, k), __shfl_sync(~0U, mine.y, k), __shfl_sync(~0U, mine.z, k),
                                 __shfl_sync(~0U, mine.tagged, k)};
        const DeviceSystem& system = work.systems[system_of(p, self.atom())];
        const std::uint32_t* const kept = work.kept + (begin + k) * kKept;
        const auto write_sorted = [&]<int kEach>() {
            std::uint32_t keys[kEach];
#pragma unroll
            for (int r = 0; r < kEach; ++r)
                keys[r] = r * kWarp + lane < count ? kept[r * kWarp + lane] : ~std::uint32_t{0};
            sort_by_warp<kEach>(keys, lane);
            const Image3 wrap = self.is_wrapped() ? work.places[begin + k].wrap : Image3{0, 0, 0};
#pragma unroll
            for (int r = 0; r < kEach; ++r)
                if (lane * kEach + r < count) write_pair(p, system, self, wrap, keys[r], list, to + lane * kEach + r);
        };
        if (count <= kWarp)
            write_sorted.template operator()<1>();
        else
            write_sorted.template operator()<kKept / kWarp>();
    }
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

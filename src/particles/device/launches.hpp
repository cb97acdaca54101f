// The launches that make a list: sort the atoms into cells, count, add up, fill. They wait for nothing and allocate
// nothing.
#pragma once

#include <algorithm>

#include "src/cuda/check.hpp"
#include "src/particles/device/nearest.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Blocks that search for groups, of which there may be as many as atoms: about what a large GPU holds at once. Where
/// it holds fewer, those that begin later find the queue empty.
inline constexpr std::int64_t kMostSearchBlocks = 1056;

inline unsigned blocks_for(std::int64_t threads, int per_block) {
    return static_cast<unsigned>(ceil_div(threads, std::int64_t{per_block}));
}

template <class T>
unsigned search_blocks(const DeviceParticles<T>& p) {
    return static_cast<unsigned>(std::min(ceil_div(p.atoms, std::int64_t{kWarpsPerBlock}), kMostSearchBlocks));
}

template <class T>
std::size_t device_workspace(const DeviceParticles<T>& p) {
    return DeviceWork<T>(p, nullptr).bytes;
}

template <class T>
DeviceRules<T> rules_of(const DeviceParticles<T>& p, const DeviceRequest& request) {
    return {.limit = squared_cutoff(static_cast<T>(request.cutoff)),
            .half = request.half,
            .nearest = request.nearest,
            .types = p.types,
            .pair_cutoffs = p.pair_cutoffs,
            .type_count = p.type_count};
}

template <class T>
void launch_count(const DeviceParticles<T>& p, const DeviceRequest& request, const DeviceNeighborList<T>& list,
                  void* memory, cudaStream_t stream) {
    const DeviceWork<T> work(p, memory);
    const unsigned systems = blocks_for(std::max<std::int64_t>(p.system_count, 1), kSortThreads);
    const unsigned grids = blocks_for(2 * std::max<std::int64_t>(p.system_count, 1), kSortThreads);
    begin_systems<T><<<systems, kSortThreads, 0, stream>>>(p, work, list.status);
    if (p.atoms > 0) {
        const unsigned atoms = blocks_for(p.atoms, kSortThreads);
        add_extents<T><<<std::min<unsigned>(atoms, kExtentBlocks), kSortThreads, 0, stream>>>(p, work, list.status);
        choose_grids<T><<<grids, kSortThreads, 0, stream>>>(p, request, work, list.status);
        count_buckets<T><<<atoms, kSortThreads, 0, stream>>>(p, work, list.status);
        scan(BucketPlaces{work.starts, work.buckets, work.groups, work.counters}, work.boards[0], stream);
        place_atoms<T><<<atoms, kSortThreads, 0, stream>>>(p, work, static_cast<const NeighborStatus*>(list.status));
        count_neighbors<T>
            <<<search_blocks(p), kListThreads, 0, stream>>>(p, rules_of(p, request), work, list.offsets, list.status);
        scan(Places<std::int64_t>{list.offsets, p.atoms, &list.status->pairs}, work.boards[1], stream);
    } else {
        choose_grids<T><<<grids, kSortThreads, 0, stream>>>(p, request, work, list.status);
        LANEWORK_CHECK(cudaMemsetAsync(list.offsets, 0, sizeof(std::int64_t), stream));
    }
    LANEWORK_CHECK(cudaGetLastError());
}

template <class T>
void launch_fill(const DeviceParticles<T>& p, const DeviceRequest& request, const DeviceNeighborList<T>& list,
                 void* memory, cudaStream_t stream) {
    if (p.atoms == 0) return;
    const DeviceWork<T> work(p, memory);
    const DeviceRules<T> rules = rules_of(p, request);
    if (request.nearest > 0) {
        fill_nearest<T><<<search_blocks(p), kListThreads, 0, stream>>>(p, rules, work, list);
    } else {
        fill_kept<T><<<blocks_for(p.atoms, kBlockShare), kListThreads, 0, stream>>>(p, work, list);
        fill_sorted<T><<<search_blocks(p), kListThreads, 0, stream>>>(p, rules, work, list);
        fill_in_portions<T><<<search_blocks(p), kPortionWarps * kWarp, 0, stream>>>(p, rules, work, list);
    }
    LANEWORK_CHECK(cudaGetLastError());
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

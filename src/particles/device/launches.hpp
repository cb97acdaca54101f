// The launches that make a list: sort the atoms into cells, count, add up, fill. They wait for nothing and allocate
// nothing.
#pragma once

#include <algorithm>

#include "src/cuda/check.hpp"
#include "src/particles/device/lists.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kSmallBuffer = 128;           // keys: many warps can be resident
inline constexpr int kLargeBuffer = 1024;          // keys that a warp sorts at once
inline constexpr int kWideBuffer = 512;            // keys of twice the width
inline constexpr int kFew = kSmallBuffer - kWarp;  // neighbours that fit beside the next 32 candidates
inline constexpr unsigned kResidentBlocks = 2112;  // about what a large GPU holds at once: there may be nothing to do

inline unsigned blocks_for(std::int64_t threads, int per_block) {
    return static_cast<unsigned>(ceil_div(threads, std::int64_t{per_block}));
}

template <class T>
std::size_t device_workspace(const DeviceParticles<T>& p) {
    return DeviceWork<T>(p, nullptr).bytes;
}

template <class T>
DeviceRules<T> rules_of(const DeviceParticles<T>& p, const DeviceRequest& request) {
    return {squared_cutoff(static_cast<T>(request.cutoff)), request.half, p.types, p.pair_cutoffs, p.type_count};
}

template <class T>
void launch_count(const DeviceParticles<T>& p, const DeviceRequest& request, const DeviceNeighborList<T>& list,
                  void* memory, cudaStream_t stream) {
    const DeviceWork<T> work(p, memory);
    const unsigned systems = blocks_for(std::max<std::int64_t>(p.system_count, 1), kSortThreads);
    begin_systems<T><<<systems, kSortThreads, 0, stream>>>(p, work, list.status);
    LANEWORK_CHECK(
        cudaMemsetAsync(list.offsets, 0, static_cast<std::size_t>(p.atoms + 1) * sizeof(std::int64_t), stream));
    if (p.atoms > 0) {
        const std::size_t bytes = static_cast<std::size_t>(work.buckets + 1) * sizeof(std::int32_t);
        LANEWORK_CHECK(cudaMemsetAsync(work.wide, 0, sizeof *work.wide, stream));
        LANEWORK_CHECK(cudaMemsetAsync(work.starts, 0, bytes, stream));
        const unsigned atoms = blocks_for(p.atoms, kSortThreads);
        add_extents<T><<<std::min<unsigned>(atoms, kExtentBlocks), kSortThreads, 0, stream>>>(p, work, list.status);
        choose_grids<T><<<systems, kSortThreads, 0, stream>>>(p, request, work, list.status);
        count_buckets<T><<<atoms, kSortThreads, 0, stream>>>(p, work, list.status);
        settle<<<1, 1, 0, stream>>>(list.status);
        scan(work.starts, work.buckets + 1, work.partial_sums, stream);
        place_atoms<T><<<atoms, kSortThreads, 0, stream>>>(p, work, static_cast<const NeighborStatus*>(list.status));
        count_neighbors<T><<<blocks_for(p.atoms, kWarpsPerBlock), kListThreads, 0, stream>>>(
            p, rules_of(p, request), work, list.offsets, list.status);
        scan(list.offsets, p.atoms + 1, work.partial_sums, stream);
        choose_keys<T><<<blocks_for(p.system_count, kListThreads), kListThreads, 0, stream>>>(p, work);
    } else {
        choose_grids<T><<<systems, kSortThreads, 0, stream>>>(p, request, work, list.status);
        settle<<<1, 1, 0, stream>>>(list.status);
    }
    conclude_count<T><<<1, 1, 0, stream>>>(p, static_cast<const std::int64_t*>(list.offsets), list.status);
    LANEWORK_CHECK(cudaGetLastError());
}

template <class T>
void launch_fill(const DeviceParticles<T>& p, const DeviceRequest& request, const DeviceNeighborList<T>& list,
                 void* memory, cudaStream_t stream) {
    if (p.atoms == 0) return;
    const DeviceWork<T> work(p, memory);
    const DeviceRules<T> rules = rules_of(p, request);
    const unsigned blocks = blocks_for(p.atoms, kWarpsPerBlock), few = std::min(blocks, kResidentBlocks);
    const std::int64_t any = p.atoms << 32;
    using Wide = unsigned long long;
    fill_neighbors<T, unsigned, kSmallBuffer><<<blocks, kListThreads, 0, stream>>>(p, rules, work, list, 0, kFew);
    fill_neighbors<T, unsigned, kLargeBuffer><<<few, kListThreads, 0, stream>>>(p, rules, work, list, kFew, any);
    fill_neighbors<T, Wide, kWideBuffer><<<few, kListThreads, 0, stream>>>(p, rules, work, list, 0, any);
    LANEWORK_CHECK(cudaGetLastError());
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

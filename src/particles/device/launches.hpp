// The launches that make a list: sort the atoms into cells, count, add up, fill. They wait for nothing and allocate
// nothing.
//
// The kernels are chained, and do what they can before they wait for the one before. Most let the next begin after they
// have waited themselves: it then finds what those before have written. Four let the next begin at once: two that often
// have nothing to do (add_extents, choose_open_grids), and those of the fill (fill_lists, fill_sorted). So before they
// wait, count_buckets and count_known_buckets read positions alone, fill_lists what the kernels before the second scan
// have written, and fill_sorted nothing.
#pragma once

#include <algorithm>
#include <cmath>

#include "src/cuda/check.hpp"
#include "src/cuda/resident_blocks.hpp"
#include "src/particles/device/nearest.hpp"
#include "src/particles/device/within.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline unsigned blocks_for(std::int64_t threads, int per_block) {
    return static_cast<unsigned>(ceil_div(threads, std::int64_t{per_block}));
}

/// Blocks that search for groups, of which there may be as many as atoms. Those that begin later, where a device holds
/// fewer than expected, find little left to do.
template <class T>
unsigned search_blocks(const DeviceParticles<T>& p, int each) {
    return std::min(blocks_for(p.atoms, kWarpsPerBlock), resident_blocks(each));
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

/// The lengths of lists, which become the places where they begin.
template <class T>
ListPlaces places_of(const DeviceParticles<T>& p, const DeviceNeighborList<T>& list, const std::int32_t* wanted) {
    return {{list.offsets, p.atoms, &list.status->pairs, wanted}, &list.status->most};
}

// On a multiprocessor: registers leave room for so many, or for some more than there is use for.
inline constexpr int kNearestBlocks = 8, kWideBlocks = 6;

template <class T>
void launch_count(const DeviceParticles<T>& p, const DeviceRequest& request, const DeviceNeighborList<T>& list,
                  void* memory, cudaStream_t stream) {
    DeviceWork<T> work(p, memory);
    work.wanted = request.wanted;
    const unsigned atoms = blocks_for(std::max<std::int64_t>(p.atoms, 1), kSortThreads);
    BucketPlaces buckets{work.starts, work.buckets, work.groups, work.counters, nullptr, request.wanted};
    const DeviceSystem known = known_system(p, request);
    if (known.valid) {
        buckets.length = known.hashed ? known.buckets : static_cast<std::int64_t>(cells_of(known.grid));
        const unsigned some = std::min(blocks_for(buckets.length + 1, kSortThreads), resident_blocks(1));
        LANEWORK_CHAINED(begin_known<T>, some, kSortThreads, stream, p, known, buckets.length, work, list.status);
        LANEWORK_CHAINED(count_known_buckets<T>, atoms, kSortThreads, stream, p, known, work, list.status);
    } else {
        const unsigned systems = blocks_for(2 * std::max<std::int64_t>(p.system_count, 1), kSortThreads);
        const unsigned some = std::min(atoms, resident_blocks(1));
        LANEWORK_CHAINED(begin_systems<T>, std::max(systems, some), kSortThreads, stream, p, request, work,
                         list.status);
        LANEWORK_CHAINED(add_extents<T>, some, kSortThreads, stream, p, work);
        LANEWORK_CHAINED(choose_open_grids<T>, systems, kSortThreads, stream, p, request, work);
        LANEWORK_CHAINED(count_buckets<T>, atoms, kSortThreads, stream, p, work, list.status);
        if (p.system_count == 1) buckets.only = work.systems;
    }
    LANEWORK_CHAINED(scan_elements<BucketPlaces>, scan_blocks(buckets), kScanThreads, stream, buckets, work.boards[0]);
    LANEWORK_CHAINED(place_atoms<T>, atoms, kSortThreads, stream, p, request, work, list.status);
    if (p.atoms > 0) {
        LANEWORK_CHAINED(count_neighbors<T>, search_blocks(p, kSearchBlocks), kListThreads, stream, p,
                         rules_of(p, request), work, list.offsets, list.status);
        const ListPlaces lists = places_of(p, list, request.wanted);
        if (work.summed > 0)
            LANEWORK_CHAINED(scan_summed<ListPlaces>, scan_blocks(lists), kScanThreads, stream, lists, work.sums);
        else
            LANEWORK_CHAINED(scan_elements<ListPlaces>, scan_blocks(lists), kScanThreads, stream, lists,
                             work.boards[1]);
    } else {
        LANEWORK_CHECK(cudaMemsetAsync(list.offsets, 0, sizeof(std::int64_t), stream));
    }
    LANEWORK_CHECK(cudaGetLastError());
}

/// Blocks for so many elements, each of which a thread looks at: a few for every multiprocessor are enough.
inline unsigned some_blocks(std::int64_t elements, int per_block) {
    constexpr int kEnough = 8;
    return std::min(blocks_for(std::max<std::int64_t>(elements, 1), per_block), resident_blocks(kEnough));
}

template <class T>
void launch_pad(const DeviceNeighborList<T>& list, cudaStream_t stream) {
    if (list.capacity == 0) return;
    pad_pairs<T><<<some_blocks(list.capacity, kSortThreads), kSortThreads, 0, stream>>>(list);
    LANEWORK_CHECK(cudaGetLastError());
}

/// Rows of which a warp of the fill writes the lists: one for each lane, fewer where other warps had none, or where
/// much is written of each pair.
template <class T>
int rows_of_warp(const DeviceParticles<T>& p, const DeviceNeighborList<T>& list) {
    constexpr int kEnough = 3;  // blocks of a multiprocessor
    int rows = has_indices_alone(list) ? kWarp : kLeastRows;
    while (rows > kLeastRows && blocks_for(p.atoms, rows * kWarpsPerBlock) < resident_blocks(kEnough)) rows /= 2;
    return rows;
}

/// Whether lists may well be longer than the count keeps them: by the density, where the host knows the box.
template <class T>
bool expects_longer(const DeviceParticles<T>& p, const DeviceRequest& request) {
    if (p.boxes || p.systems || p.system_count != 1) return true;
    const auto& [a, b, c] = p.box.vectors;
    for (const bool periodic : p.box.periodic)
        if (!periodic) return true;
    const double volume = std::fabs(a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                                    a[2] * (b[0] * c[1] - b[1] * c[0]));
    constexpr double kBall = 4.18879, kMany = 0.75 * kKept;
    const double neighbors =
        static_cast<double>(p.atoms) * kBall * std::pow(request.cutoff, 3) * (request.half ? 0.5 : 1);
    return !(neighbors < kMany * volume);
}

template <class T>
void launch_fill(const DeviceParticles<T>& p, const DeviceRequest& request, const DeviceNeighborList<T>& list,
                 void* memory, cudaStream_t stream) {
    if (p.atoms == 0) {
        if (request.padded) launch_pad(list, stream);
        return;
    }
    DeviceWork<T> work(p, memory);
    work.wanted = request.wanted;
    work.padded = request.padded;
    const DeviceRules<T> rules = rules_of(p, request);
    if (request.nearest > 0) {
        LANEWORK_CHAINED(fill_nearest<T>, search_blocks(p, kNearestBlocks), kListThreads, stream, p, rules, work, list);
    } else {
        const int rows = rows_of_warp(p, list);
        const bool longer = list.indices && expects_longer(p, request);
        const unsigned blocks = std::max(blocks_for(p.atoms, rows * kWarpsPerBlock), search_blocks(p, kFillBlocks<T>));
        LANEWORK_CHAINED(fill_lists<T>, blocks, kListThreads, stream, p, rules, work, list, rows, longer);
        if (longer)
            LANEWORK_CHAINED(fill_sorted<T>, search_blocks(p, kSearchBlocks), kListThreads, stream, p, rules, work,
                             list);
    }
    LANEWORK_CHECK(cudaGetLastError());
}

template <class T>
void launch_remember(const DeviceParticles<T>& p, const DeviceWideList<T>& wide, cudaStream_t stream) {
    const std::size_t bytes = static_cast<std::size_t>(p.atoms * p.dimensions) * sizeof(T);
    if (bytes > 0)
        LANEWORK_CHECK(cudaMemcpyAsync(wide.positions, p.positions, bytes, cudaMemcpyDeviceToDevice, stream));
    if (wide.box) remember_box<T><<<1, 1, 0, stream>>>(p, wide);
    LANEWORK_CHECK(cudaGetLastError());
}

/// Whether the wide list still holds all that is within the cutoff: the status says so.
template <class T>
void launch_begin_within(const DeviceParticles<T>& p, const DeviceRequest& request, const DeviceWideList<T>& wide,
                         const DeviceSkin* skin, const DeviceWork<T>& work, NeighborStatus* status,
                         cudaStream_t stream) {
    begin_within<T>
        <<<some_blocks(scan_words(p.atoms), kSortThreads), kSortThreads, 0, stream>>>(p, wide, skin, work, status);
    if (p.atoms > 0)
        note_moved<T><<<some_blocks(p.atoms, kSortThreads), kSortThreads, 0, stream>>>(p, request, wide, status);
}

template <class T>
void launch_count_wide(const DeviceParticles<T>& p, const DeviceRequest& request, const DeviceWideList<T>& wide,
                       const DeviceNeighborList<T>& list, const DeviceWork<T>& work, cudaStream_t stream) {
    if (p.atoms > 0) {
        count_wide<T><<<search_blocks(p, kWideBlocks), kListThreads, 0, stream>>>(p, rules_of(p, request), wide,
                                                                                  list.offsets, list.status);
        scan(places_of(p, list, nullptr), work.boards[1], stream);
    } else {
        LANEWORK_CHECK(cudaMemsetAsync(list.offsets, 0, sizeof(std::int64_t), stream));
    }
    LANEWORK_CHECK(cudaGetLastError());
}

template <class T>
void launch_count_within(const DeviceParticles<T>& p, const DeviceRequest& request, const DeviceWideList<T>& wide,
                         const DeviceNeighborList<T>& list, void* memory, cudaStream_t stream) {
    const DeviceWork<T> work(p, memory);
    launch_begin_within(p, request, wide, nullptr, work, list.status, stream);
    launch_count_wide(p, request, wide, list, work, stream);
}

template <class T>
void launch_count_kept(const DeviceParticles<T>& p, DeviceRequest wide_request, const DeviceRequest& request,
                       const DeviceWideList<T>& wide, DeviceSkin* skin, const DeviceNeighborList<T>& list, void* memory,
                       cudaStream_t stream) {
    const DeviceWork<T> work(p, memory);
    launch_begin_within(p, request, wide, skin, work, list.status, stream);
    decide<<<1, 1, 0, stream>>>(list.status, skin);
    wide_request.wanted = &skin->wanted;
    launch_count(p, wide_request, wide.list, memory, stream);
    launch_fill(p, wide_request, wide.list, memory, stream);
    const std::int64_t words = std::max(p.atoms * p.dimensions, scan_words(p.atoms));
    keep_wide<T><<<some_blocks(words, kSortThreads), kSortThreads, 0, stream>>>(p, wide, skin, work, list.status);
    launch_count_wide(p, request, wide, list, work, stream);
    say_what_is_missing<T><<<1, 1, 0, stream>>>(wide, skin, list.status);
    LANEWORK_CHECK(cudaGetLastError());
}

template <class T>
void launch_fill_within(const DeviceParticles<T>& p, const DeviceRequest& request, const DeviceWideList<T>& wide,
                        const DeviceNeighborList<T>& list, cudaStream_t stream) {
    if (p.atoms == 0) return;
    fill_wide<T><<<search_blocks(p, kWideBlocks), kListThreads, 0, stream>>>(p, rules_of(p, request), wide, list);
    LANEWORK_CHECK(cudaGetLastError());
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

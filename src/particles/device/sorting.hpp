// From positions to atoms sorted by cell, without the host: basis, extent, grid, buckets, places.
#pragma once

#include "src/particles/device/scan.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kSortThreads = 256;
inline constexpr std::int64_t kExtentBlocks = 264;  // few enough that their atomics do not queue for long

/// The smallest of what is found: the −1 that says none is the largest number without a sign.
__device__ inline void note_smallest(std::int64_t& smallest, std::int64_t found) {
    atomicMin(reinterpret_cast<unsigned long long*>(&smallest), static_cast<unsigned long long>(found));
}

/// One thread per system: the reduced basis, and an extent to which nothing has been added.
template <class T>
__global__ void begin_systems(DeviceParticles<T> p, DeviceWork<T> work, NeighborStatus* status) {
    const std::int64_t s = std::int64_t{blockIdx.x} * kSortThreads + threadIdx.x;
    if (s == 0) {
        *status = {0, 0, -1, -1};
        if (p.atoms > 0) *work.counters = {};
    }
    if (s >= p.system_count) return;
    DeviceSystem& system = work.systems[s];
    system.grid.basis = make_basis(p.boxes ? p.boxes[s] : PeriodicBox{}, true);
    for (int k = 0; k < 3; ++k) {
        system.low[k] = ~0ULL;
        system.high[k] = 0;
    }
    system.farthest = ordered_bits(0);
    system.wrapped = 0;
}

/// The extent of some atoms of one system.
struct RunningExtent {
    std::int64_t system = -1;
    unsigned long long low[3] = {}, high[3] = {}, farthest = 0;

    __device__ void begin(std::int64_t of) {
        system = of;
        farthest = 0;
        for (int k = 0; k < 3; ++k) {
            low[k] = ~0ULL;
            high[k] = 0;
        }
    }
    __device__ void add(const Basis& basis, const double (&x)[3]) {
        for (int k = 0; k < 3; ++k) {
            farthest = max(farthest, ordered_bits(fabs(x[k])));
            if (basis.periodic[k]) continue;
            const unsigned long long at = ordered_bits(coordinate(basis, k, x));
            low[k] = min(low[k], at);
            high[k] = max(high[k], at);
        }
    }
    __device__ void flush(DeviceSystem* systems) const {
        if (system < 0) return;
        DeviceSystem& to = systems[system];
        atomicMax(&to.farthest, farthest);
        for (int k = 0; k < 3; ++k) {
            if (to.grid.basis.periodic[k]) continue;
            atomicMin(&to.low[k], low[k]);
            atomicMax(&to.high[k], high[k]);
        }
    }
    /// The whole warp's, in every lane; all lanes have the same system.
    __device__ void combine_warp() {
        for (unsigned step = 16; step > 0; step /= 2) {
            farthest = max(farthest, __shfl_xor_sync(~0U, farthest, step));
            for (int k = 0; k < 3; ++k) {
                low[k] = min(low[k], __shfl_xor_sync(~0U, low[k], step));
                high[k] = max(high[k], __shfl_xor_sync(~0U, high[k], step));
            }
        }
    }
};

/// The extents of the systems; on the way, what is counted in begins at zero.
template <class T>
__global__ void add_extents(DeviceParticles<T> p, DeviceWork<T> work, NeighborStatus* status) {
    RunningExtent extent;
    const std::int64_t own = std::int64_t{blockIdx.x} * kSortThreads + threadIdx.x;
    const std::int64_t step = std::int64_t{gridDim.x} * kSortThreads;
    for (std::int64_t k = own; k <= work.buckets; k += step) work.starts[k] = 0;
    for (std::int64_t k = own; k < scan_words(work.buckets); k += step) work.boards[0][k] = 0;
    for (std::int64_t k = own; k < scan_words(p.atoms); k += step) work.boards[1][k] = 0;
    for (std::int64_t i = own; i < p.atoms; i += step) {
        T given[3];
        load_position(p, i, given);
        const double x[3] = {double(given[0]), double(given[1]), double(given[2])};
        if (!(isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]))) {
            note_smallest(status->bad_atom, i);
            continue;
        }
        const std::int64_t s = system_of(p, i);
        if (s != extent.system) {
            extent.flush(work.systems);
            extent.begin(s);
        }
        extent.add(work.systems[s].grid.basis, x);
    }
    const long long first = __shfl_sync(~0U, static_cast<long long>(extent.system), 0);
    if (__all_sync(~0U, extent.system == first && first >= 0)) {
        extent.combine_warp();
        if (threadIdx.x % 32 != 0) return;
    }
    extent.flush(work.systems);
}

/// Cells a cutoff thick that hold many atoms are halved: their neighbourhood is then closer to a ball.
inline constexpr double kCrowded = 24;

/// Two threads per system, one for cells a cutoff thick and one for halves of them: the grid, and which buckets it has.
template <class T>
__global__ void choose_grids(DeviceParticles<T> p, DeviceRequest request, DeviceWork<T> work, NeighborStatus* status) {
    const std::int64_t s = (std::int64_t{blockIdx.x} * kSortThreads + threadIdx.x) / 2;
    const bool halves = threadIdx.x % 2 != 0;
    const unsigned pair = __ballot_sync(~0U, s < p.system_count) & 3U << (threadIdx.x % 32 & ~1U);
    if (s >= p.system_count) return;
    DeviceSystem& system = work.systems[s];
    const std::int64_t begin = p.systems ? p.systems[s] : 0, end = p.systems ? p.systems[s + 1] : p.atoms;
    const Basis basis = system.grid.basis;
    const PeriodicBox box = p.boxes ? p.boxes[s] : PeriodicBox{};
    Extent extent{};
    extent.farthest = from_ordered_bits(system.farthest);
    for (int k = 0; k < 3; ++k) {
        extent.low[k] = from_ordered_bits(system.low[k]);
        extent.high[k] = from_ordered_bits(system.high[k]);
        if (basis.periodic[k] || begin == end) extent.low[k] = extent.high[k] = 0;
    }
    const auto cells = [](const Grid& grid) {
        return double(grid.cells[0]) * double(grid.cells[1]) * double(grid.cells[2]);
    };
    const Grid grid = choose_grid<T>(basis, box, extent, request.cutoff, halves ? 0.5 : 1);
    const bool crowded = __any_sync(pair, !halves && double(end - begin) > kCrowded * cells(grid));
    __syncwarp(pair);  // both have read the basis, which the one that goes on will write
    if (crowded != halves) return;
    system.first_bucket = kBucketsPerAtom * begin + kSpareBuckets * s;
    system.buckets = kBucketsPerAtom * (end - begin) + kSpareBuckets;
    system.crowded = crowded;
    if (crowded) atomicOr(&work.counters->crowded, 1U);
    system.valid = basis.independent && grid.fits && status->bad_atom < 0;
    if (!basis.independent || !grid.fits) note_smallest(status->bad_system, s);
    system.hashed = cells(grid) > double(system.buckets);
    system.grid = grid;
    const std::uint32_t largest = image_code(grid, {grid.bias[0], grid.bias[1], grid.bias[2]});
    system.code_bits = largest == 0 ? 0 : 32 - __clz(static_cast<int>(largest));
    system.home = image_code(grid, {0, 0, 0});
    system.wide = static_cast<unsigned long long>(p.atoms) << system.code_bits > 0xffffffffULL;
    if (system.wide) atomicOr(&work.counters->wide, 1U);
}

/// Where a cell's atoms are: its number, or where there are too many of those, one that others share.
__device__ inline std::uint32_t bucket_of(const DeviceSystem& system, std::int64_t a, std::int64_t b, std::int64_t c) {
    unsigned long long number = static_cast<unsigned long long>(cell_number(system.grid, a, b, c));
    if (system.hashed) {  // SplitMix64's finalizer
        number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9ULL;
        number = (number ^ number >> 27) * 0x94d049bb133111ebULL;
        number = (number ^ number >> 31) % static_cast<unsigned long long>(system.buckets);
    }
    return static_cast<std::uint32_t>(system.first_bucket + static_cast<std::int64_t>(number));
}

/// The numbers of atoms in buckets, which become the places where they begin; and the atoms divided into groups, which
/// are counted along, in the upper half of the sums.
struct BucketPlaces {
    static constexpr int kGroupShift = 31;  // atoms and groups are at most 2^30

    std::int32_t* starts;  ///< length + 1
    std::int64_t length;
    AtomRange* groups;
    DeviceCounters* counters;

    __device__ std::int64_t count(std::int64_t k) const {
        const std::int64_t atoms = starts[k];
        return atoms | ceil_div(atoms, std::int64_t{kTogether}) << kGroupShift;
    }
    __device__ void put(std::int64_t k, std::int64_t before, std::int64_t own) const {
        constexpr std::int64_t kAtoms = (std::int64_t{1} << kGroupShift) - 1;
        const auto first = static_cast<std::int32_t>(before & kAtoms),
                   end = first + static_cast<std::int32_t>(own & kAtoms);
        const std::int64_t group = before >> kGroupShift;
        starts[k] = first;
        if (k == length) counters->groups = static_cast<std::int32_t>(group);
        for (std::int32_t g = 0; g < static_cast<std::int32_t>(own >> kGroupShift); ++g)
            groups[group + g] = {first + g * kTogether, min(first + (g + 1) * kTogether, end)};
    }
};

/// The place of an atom within its bucket is the value that the counter had: every atom gets another.
template <class T>
__global__ void count_buckets(DeviceParticles<T> p, DeviceWork<T> work, NeighborStatus* status) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kSortThreads + threadIdx.x;
    if (i >= p.atoms) return;
    DeviceSystem& system = work.systems[system_of(p, i)];
    if (!system.valid) return;
    T x[3];
    load_position(p, i, x);
    const CellPlace place = locate(system.grid, {double(x[0]), double(x[1]), double(x[2])});
    if (!place.near) note_smallest(status->bad_atom, i);
    const std::uint32_t bucket = bucket_of(system, place.cell[0], place.cell[1], place.cell[2]);
    work.bucket[i] = bucket;
    work.slot[i] = atomicAdd(&work.starts[bucket], 1);
    const bool wrapped = place.wrap != Image3{0, 0, 0};
    if (wrapped && *static_cast<volatile unsigned int*>(&system.wrapped) == 0)  // the first few say it for all
        atomicOr(&system.wrapped, 1U);
}

template <class T>
__global__ void place_atoms(DeviceParticles<T> p, DeviceWork<T> work, const NeighborStatus* status) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kSortThreads + threadIdx.x;
    if (i >= p.atoms || !all_is_well(*status)) return;
    T x[3];
    load_position(p, i, x);
    const CellPlace place = locate(work.systems[system_of(p, i)].grid, {double(x[0]), double(x[1]), double(x[2])});
    const std::int64_t at = std::int64_t{work.starts[work.bucket[i]]} + work.slot[i];
    const bool wrapped = place.wrap != Image3{0, 0, 0};
    work.sorted[at] = {x[0], x[1], x[2], SortedAtom<T>::tag(i, wrapped)};
    work.places[at] = {place.wrap, {place.cell[0], place.cell[1], place.cell[2]}};
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

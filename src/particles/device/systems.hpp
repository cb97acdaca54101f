// What is to be known of the systems before their atoms are sorted: basis, extent, grid.
#pragma once

#include "src/particles/device/scan.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kSortThreads = 256;
inline constexpr double kBoxesAway = 4;  // where atoms are expected: for those farther away margins are larger

__device__ inline bool is_finite(const double (&x)[3]) { return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]); }

/// The smallest of what is found: the −1 that says none is the largest number without a sign.
__device__ inline void note_smallest(std::int64_t& smallest, std::int64_t found) {
    atomicMin(reinterpret_cast<unsigned long long*>(&smallest), static_cast<unsigned long long>(found));
}

/// The extent of some atoms of one system.
struct RunningExtent {
    std::int64_t system;  ///< −1: there are none
    unsigned long long low[3], high[3], farthest;

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
        if (*static_cast<volatile unsigned long long*>(&to.farthest) < farthest) atomicMax(&to.farthest, farthest);
        for (int k = 0; k < 3; ++k) {
            if (to.grid.basis.periodic[k]) continue;
            atomicMin(&to.low[k], low[k]);
            atomicMax(&to.high[k], high[k]);
        }
    }
    __device__ void add(const RunningExtent& other) {
        farthest = max(farthest, other.farthest);
        for (int k = 0; k < 3; ++k) {
            low[k] = min(low[k], other.low[k]);
            high[k] = max(high[k], other.high[k]);
        }
    }
    /// The whole warp's, in every lane; all lanes have the system of the first, or none.
    __device__ void combine_warp() {
        for (unsigned step = 16; step > 0; step /= 2) {
            RunningExtent other;
            other.farthest = __shfl_xor_sync(~0U, farthest, step);
            for (int k = 0; k < 3; ++k) {
                other.low[k] = __shfl_xor_sync(~0U, low[k], step);
                other.high[k] = __shfl_xor_sync(~0U, high[k], step);
            }
            add(other);
        }
    }
};

/// Cells a cutoff thick that hold many atoms are halved: their neighbourhood is then closer to a ball.
inline constexpr double kCrowded = 24;

/// What follows from a grid, for the kernels that search in it.
template <class T>
LANEWORK_EVERYWHERE void set_codes(const DeviceParticles<T>& p, DeviceSystem& system, const Grid& grid) {
    const std::uint32_t largest = image_code(grid, {grid.bias[0], grid.bias[1], grid.bias[2]});
    system.code_bits = 0;
    while (system.code_bits < 32 && largest >> system.code_bits != 0) ++system.code_bits;
    system.home = image_code(grid, {0, 0, 0});
    system.wide = static_cast<unsigned long long>(p.atoms) << system.code_bits > 0xffffffffULL;
}

LANEWORK_EVERYWHERE inline double cells_of(const Grid& grid) {
    return double(grid.cells[0]) * double(grid.cells[1]) * double(grid.cells[2]);
}

/// Whether so many atoms are many for the cells.
LANEWORK_EVERYWHERE inline bool is_crowded(const Grid& grid, std::int64_t atoms) {
    return double(atoms) > kCrowded * cells_of(grid);
}

/// Gives system s, which has atoms from `begin` to `end`, a grid that is made for atoms as far as `farthest`.
template <class T>
LANEWORK_EVERYWHERE void take_grid(const DeviceParticles<T>& p, DeviceSystem& system, std::int64_t s,
                                   std::int64_t begin, std::int64_t end, const Grid& grid, double farthest,
                                   bool crowded) {
    system.within = farthest;
    system.first_bucket = kBucketsPerAtom * begin + kSpareBuckets * s;
    system.buckets = kBucketsPerAtom * (end - begin) + kSpareBuckets;
    system.crowded = crowded;
    system.hashed = cells_of(grid) > double(system.buckets);
    system.grid = grid;
    system.valid = grid.basis.independent && grid.fits;
    set_codes(p, system, grid);
}

/// By two lanes side by side, the second of them with `halves`, for cells a cutoff thick and for halves of them: the
/// grid of system s, and which buckets it has.
template <class T>
__device__ void set_grid(const DeviceParticles<T>& p, const DeviceRequest& request, DeviceSystem& system,
                         std::int64_t s, const Basis& basis, const Extent& extent, bool halves, unsigned both) {
    const PeriodicBox box = box_of(p, s);
    const std::int64_t begin = p.systems ? p.systems[s] : 0, end = p.systems ? p.systems[s + 1] : p.atoms;
    const Grid grid = choose_grid<T>(basis, box, extent, request.cutoff, halves ? 0.5 : 1);
    const bool crowded = __any_sync(both, !halves && is_crowded(grid, end - begin)) != 0;
    if (crowded == halves) take_grid(p, system, s, begin, end, grid, extent.farthest, crowded);
}

/// Of a periodic box, without a look at the atoms: they lie not many boxes away.
LANEWORK_EVERYWHERE inline Extent expected_extent(const Basis& basis) {
    Extent extent{};
    for (int k = 0; k < 3; ++k)
        for (int axis = 0; axis < 3; ++axis) extent.farthest += kBoxesAway * std::fabs(basis.box[k][axis]);
    return extent;
}

/// Nothing has been added to the extent of its atoms.
LANEWORK_EVERYWHERE inline void clear_extent(DeviceSystem& system) {
    for (int k = 0; k < 3; ++k) {
        system.low[k] = ~0ULL;
        system.high[k] = 0;
    }
    system.farthest = ordered_bits(0);
    system.wrapped = 0;
}

LANEWORK_EVERYWHERE inline bool is_periodic(const Basis& basis) {
    return basis.periodic[0] && basis.periodic[1] && basis.periodic[2];
}

/// The lanes of this lane's pair; a warp has all of its lanes here.
__device__ inline unsigned lanes_of_pair() { return 3U << (threadIdx.x % kWarp & ~1U); }

/// Two threads per system: the reduced basis, an extent to which nothing has been added, and where all directions are
/// periodic the grid, for atoms that lie not many boxes away. On the way, what is counted in begins at zero.
template <class T>
__global__ void __launch_bounds__(kSortThreads)
    begin_systems(DeviceParticles<T> p, DeviceRequest request, DeviceWork<T> work, NeighborStatus* status) {
    const std::int64_t own = std::int64_t{blockIdx.x} * kSortThreads + threadIdx.x;
    const std::int64_t step = std::int64_t{gridDim.x} * kSortThreads;
    wait_for_previous();
    let_next_begin();
    if (is_unwanted(work.wanted)) return;
    if (own == 0) *status = {0, 0, -1, -1};
    if (own == 0) *work.counters = {};
    for (std::int64_t k = own; k <= work.buckets; k += step) work.starts[k] = 0;
    for (std::int64_t k = own; k < scan_words(work.buckets); k += step) work.boards[0][k] = 0;
    for (std::int64_t k = own; k < scan_words(p.atoms); k += step) work.boards[1][k] = 0;
    for (std::int64_t k = own; k < work.summed; k += step) work.sums[k * kSumsApart] = 0;
    const std::int64_t s = own / 2;
    if (s >= p.system_count) return;
    DeviceSystem& system = work.systems[s];
    const Basis basis = make_basis(box_of(p, s), true);
    if (threadIdx.x % 2 == 0) {
        clear_extent(system);
        if (!is_periodic(basis)) system.grid.basis = basis;
    }
    if (is_periodic(basis))
        set_grid(p, request, system, s, basis, expected_extent(basis), threadIdx.x % 2 != 0, lanes_of_pair());
}

/// What begin_systems, add_extents and choose_open_grids find of a single system whose box the host knows: only of a
/// periodic one, and not `valid` where there is something about it that those are to find.
template <class T>
DeviceSystem known_system(const DeviceParticles<T>& p, const DeviceRequest& request) {
    DeviceSystem system{};
    if (p.boxes || p.systems || p.system_count != 1) return system;
    for (const bool periodic : p.box.periodic)
        if (!periodic) return system;
    const Basis basis = make_basis(p.box, true);
    if (!basis.independent) return system;
    const Extent extent = expected_extent(basis);
    Grid grid = choose_grid<T>(basis, p.box, extent, request.cutoff, 1);
    const bool crowded = is_crowded(grid, p.atoms);
    if (crowded) grid = choose_grid<T>(basis, p.box, extent, request.cutoff, 0.5);
    clear_extent(system);
    take_grid(p, system, 0, 0, p.atoms, grid, extent.farthest, crowded);
    return system;
}

/// In place of these three: copies the system, and counts from zero in its first `used` buckets.
template <class T>
__global__ void __launch_bounds__(kSortThreads)
    begin_known(DeviceParticles<T> p, const __grid_constant__ DeviceSystem known, std::int64_t used, DeviceWork<T> work,
                NeighborStatus* status) {
    const std::int64_t own = std::int64_t{blockIdx.x} * kSortThreads + threadIdx.x;
    const std::int64_t step = std::int64_t{gridDim.x} * kSortThreads;
    wait_for_previous();
    let_next_begin();
    if (is_unwanted(work.wanted)) return;
    if (own == 0) {
        *status = {0, 0, -1, -1};
        *work.counters = {};
        *work.systems = known;
    }
    for (std::int64_t k = own; k <= used; k += step) work.starts[k] = 0;
    for (std::int64_t k = own; k < scan_words(used); k += step) work.boards[0][k] = 0;
    for (std::int64_t k = own; k < scan_words(p.atoms); k += step) work.boards[1][k] = 0;
    for (std::int64_t k = own; k < work.summed; k += step) work.sums[k * kSumsApart] = 0;
}

/// Whether a system has an open direction, as far as that is worth a look; the whole block comes along.
template <class T>
__device__ bool some_open(const DeviceParticles<T>& p) {
    constexpr std::int64_t kFew = 4096;
    if (p.system_count > kFew) return true;
    bool open = false;
    for (std::int64_t s = threadIdx.x; s < p.system_count; s += kSortThreads)
        for (const bool periodic : box_of(p, s).periodic) open = open || !periodic;
    return __syncthreads_or(open) != 0;
}

/// The extents of the systems with an open direction.
template <class T>
__global__ void __launch_bounds__(kSortThreads) add_extents(DeviceParticles<T> p, DeviceWork<T> work) {
    let_next_begin();
    if (is_unwanted(work.wanted) || !some_open(p)) return pass_on();
    wait_for_previous();
    RunningExtent extent;
    extent.begin(-1);
    const std::int64_t own = std::int64_t{blockIdx.x} * kSortThreads + threadIdx.x;
    for (std::int64_t i = own; i < p.atoms; i += std::int64_t{gridDim.x} * kSortThreads) {
        T given[3];
        load_position(p, i, given);
        const double x[3] = {double(given[0]), double(given[1]), double(given[2])};
        const std::int64_t s = system_of(p, i);
        const Basis& basis = work.systems[s].grid.basis;
        if (is_periodic(basis) || !is_finite(x)) continue;
        if (s != extent.system) {
            extent.flush(work.systems);
            extent.begin(s);
        }
        extent.add(basis, x);
    }
    const long long first = __shfl_sync(~0U, static_cast<long long>(extent.system), 0);
    if (__all_sync(~0U, extent.system == first && first >= 0)) {
        extent.combine_warp();
        if (threadIdx.x % kWarp != 0) return;
    }
    extent.flush(work.systems);
}

/// Two threads per system: the grids of those with an open direction, whose extent is known now.
template <class T>
__global__ void __launch_bounds__(kSortThreads)
    choose_open_grids(DeviceParticles<T> p, DeviceRequest request, DeviceWork<T> work) {
    let_next_begin();
    if (is_unwanted(work.wanted) || !some_open(p)) return pass_on();
    wait_for_previous();
    const std::int64_t s = (std::int64_t{blockIdx.x} * kSortThreads + threadIdx.x) / 2;
    if (s >= p.system_count || is_periodic(work.systems[s].grid.basis)) return;
    DeviceSystem& system = work.systems[s];
    const Basis basis = system.grid.basis;
    const std::int64_t begin = p.systems ? p.systems[s] : 0, end = p.systems ? p.systems[s + 1] : p.atoms;
    Extent extent{};
    extent.farthest = from_ordered_bits(system.farthest);
    for (int k = 0; k < 3; ++k) {
        extent.low[k] = from_ordered_bits(system.low[k]);
        extent.high[k] = from_ordered_bits(system.high[k]);
        if (basis.periodic[k] || begin == end) extent.low[k] = extent.high[k] = 0;
    }
    __syncwarp(lanes_of_pair());  // both have read the basis, which the one that goes on will write
    set_grid(p, request, system, s, basis, extent, threadIdx.x % 2 != 0, lanes_of_pair());
}

/// What the usual search is to know of a system; returns whether it is one for that.
template <class T>
__device__ bool set_usual(const DeviceParticles<T>& p, DeviceSystem& system) {
    const Grid& grid = system.grid;
    UsualCells& usual = system.usual;
    bool all = !system.hashed && system.wrapped == 0 && !system.crowded && !system.wide && !p.pair_cutoffs;
    usual.periodic = usual.touching = 0;
    for (int k = 0; k < 3; ++k) {
        all = all && grid.reach[k] <= 1;
        usual.cells[k] = static_cast<std::int32_t>(grid.cells[k]);
        usual.periodic |= static_cast<std::uint8_t>(int{grid.basis.periodic[k]} << k);
        usual.touching |= static_cast<std::uint8_t>(int{grid.reach[k] != 0} << k);
        if (k < 2)
            usual.inverse[k] = static_cast<std::uint32_t>(0xffffffffU / static_cast<std::uint32_t>(grid.cells[k]));
    }
    usual.first_bucket = static_cast<std::uint32_t>(system.first_bucket);
    usual.home = system.home;
    usual.code_bits = static_cast<std::uint8_t>(system.code_bits);
    return all;
}

/// What all systems are asked for, once their atoms have been seen: those with atoms farther away than their grid was
/// made for search farther.
template <class T>
__device__ void settle_system(const DeviceParticles<T>& p, const DeviceRequest& request, const DeviceWork<T>& work,
                              std::int64_t s, NeighborStatus* status) {
    DeviceSystem& system = work.systems[s];
    const double farthest = from_ordered_bits(system.farthest);
    if (system.valid && farthest > system.within) {
        set_reach<T>(system.grid, request.cutoff, farthest);
        set_codes(p, system, system.grid);
    }
    if (!system.valid || !system.grid.fits) note_smallest(status->bad_system, s);
    if (!set_usual(p, system)) atomicOr(&work.counters->unusual, 1U);
    if (system.crowded) atomicOr(&work.counters->crowded, 1U);
    if (system.wide) atomicOr(&work.counters->wide, 1U);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

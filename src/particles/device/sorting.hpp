// From atoms to atoms sorted by cell, once the systems have their grids: buckets, places.
#pragma once

#include "src/particles/device/systems.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

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
    static constexpr bool kMost = false;
    static constexpr int kGroupShift = 31;  // atoms and groups are at most 2^30

    std::int32_t* starts;  ///< length + 1
    std::int64_t length;
    AtomRange* groups;
    DeviceCounters* counters;
    const DeviceSystem* only = nullptr;  ///< the system, if there is but one: behind its last cell there is nobody
    const std::int32_t* wanted = nullptr;

    __device__ std::int64_t used() const {
        if (!only || !only->valid || only->hashed) return length;
        return only->grid.cells[0] * only->grid.cells[1] * only->grid.cells[2];
    }
    __device__ std::int64_t count(std::int64_t k) const {
        const std::int64_t atoms = starts[k];
        return atoms | ceil_div(atoms, std::int64_t{kTogether}) << kGroupShift;
    }
    static constexpr std::int64_t kAtoms = (std::int64_t{1} << kGroupShift) - 1;

    __device__ void put_end(std::int64_t k, std::int64_t sum) const {
        starts[k] = static_cast<std::int32_t>(sum & kAtoms);
        counters->groups = static_cast<std::int32_t>(sum >> kGroupShift);
    }
    __device__ void put(std::int64_t k, std::int64_t before, std::int64_t own) const {
        const auto first = static_cast<std::int32_t>(before & kAtoms),
                   end = first + static_cast<std::int32_t>(own & kAtoms);
        const std::int64_t group = before >> kGroupShift;
        starts[k] = first;
        for (std::int32_t g = 0; g < static_cast<std::int32_t>(own >> kGroupShift); ++g)
            groups[group + g] = {first + g * kTogether, min(first + (g + 1) * kTogether, end),
                                 static_cast<std::uint32_t>(k)};
    }
};

/// Whether an atom has a place: finite coordinates, and a type with a row of cutoffs.
template <class T>
__device__ bool is_fine(const DeviceParticles<T>& p, std::int64_t i, const double (&x)[3]) {
    return is_finite(x) && (!p.pair_cutoffs || (p.types[i] >= 0 && p.types[i] < p.type_count));
}

/// Counts an atom in its bucket. Its place there is the value that the counter had: every atom gets another.
template <class T>
__device__ void count_in_bucket(const DeviceWork<T>& work, DeviceSystem& system, double within, std::int64_t i,
                                const double (&x)[3], const CellPlace& place, std::uint32_t bucket,
                                NeighborStatus* status) {
    if (!place.near) note_smallest(status->bad_atom, i);
    work.bucket[i] = bucket;
    work.slot[i] = atomicAdd(&work.starts[bucket], 1);
    const bool wrapped = place.wrap != Image3{0, 0, 0};
    if (wrapped && *static_cast<volatile unsigned int*>(&system.wrapped) == 0)  // the first few say it for all
        atomicOr(&system.wrapped, 1U);
    const double farthest = fmax(fmax(fabs(x[0]), fabs(x[1])), fabs(x[2]));
    if (farthest > within) atomicMax(&system.farthest, ordered_bits(farthest));
}

template <class T>
__global__ void count_buckets(DeviceParticles<T> p, DeviceWork<T> work, NeighborStatus* status) {
    if (is_unwanted(work.wanted)) return pass_on();
    const std::int64_t i = std::int64_t{blockIdx.x} * kSortThreads + threadIdx.x;
    T given[3] = {};
    if (i < p.atoms) load_position(p, i, given);
    wait_for_previous();
    let_next_begin();
    if (i >= p.atoms) return;
    const double x[3] = {double(given[0]), double(given[1]), double(given[2])};
    if (!is_fine(p, i, x)) return note_smallest(status->bad_atom, i);
    DeviceSystem& system = work.systems[system_of(p, i)];
    if (!system.valid) return;
    const CellPlace place = locate(system.grid, x);
    const std::uint32_t bucket = bucket_of(system, place.cell[0], place.cell[1], place.cell[2]);
    count_in_bucket(work, system, system.within, i, x, place, bucket, status);
}

/// The same of a system that the host knows: atoms are located before the wait.
template <class T>
__global__ void count_known_buckets(DeviceParticles<T> p, const __grid_constant__ DeviceSystem known,
                                    DeviceWork<T> work, NeighborStatus* status) {
    if (is_unwanted(work.wanted)) return pass_on();
    const std::int64_t i = std::int64_t{blockIdx.x} * kSortThreads + threadIdx.x;
    T given[3] = {};
    if (i < p.atoms) load_position(p, i, given);
    const double x[3] = {double(given[0]), double(given[1]), double(given[2])};
    const CellPlace place = locate(known.grid, x);
    const std::uint32_t bucket = bucket_of(known, place.cell[0], place.cell[1], place.cell[2]);
    wait_for_previous();
    let_next_begin();
    if (i >= p.atoms) return;
    if (!is_fine(p, i, x)) return note_smallest(status->bad_atom, i);
    count_in_bucket(work, *work.systems, known.within, i, x, place, bucket, status);
}

/// How an atom is wrapped into the box.
template <class T>
__device__ Image3 wrap_of(const DeviceSystem& system, const T (&x)[3]) {
    if (system.wrapped == 0) return {0, 0, 0};
    return locate(system.grid, {double(x[0]), double(x[1]), double(x[2])}).wrap;
}

/// Whether buckets do not tell where their atoms are.
__device__ inline bool is_placed(const DeviceSystem& system) { return system.hashed || system.wrapped != 0; }

/// Puts the atoms where they belong; all but the beginnings of the buckets is known before those are added up.
template <class T>
__global__ void place_atoms(DeviceParticles<T> p, DeviceRequest request, DeviceWork<T> work, NeighborStatus* status) {
    if (is_unwanted(work.wanted)) return pass_on();
    const std::int64_t i = std::int64_t{blockIdx.x} * kSortThreads + threadIdx.x;
    for (std::int64_t each = i; each < p.system_count; each += std::int64_t{gridDim.x} * kSortThreads)
        settle_system(p, request, work, each, status);
    T x[3] = {};
    std::uint32_t bucket = 0;
    std::int64_t at = 0;
    CellPlace place{};
    bool fine = false, placed = false;
    if (i < p.atoms) {
        const DeviceSystem& system = work.systems[system_of(p, i)];
        load_position(p, i, x);
        fine = (status->bad_atom < 0) & system.valid;  // & and not &&: both are on their way at once
        if (fine) {
            bucket = work.bucket[i];
            at = work.slot[i];
            placed = is_placed(system);
        }
        if (placed) place = locate(system.grid, {double(x[0]), double(x[1]), double(x[2])});
    }
    wait_for_previous();
    let_next_begin();
    if (!fine) return;
    at += work.starts[bucket];
    const bool wrapped = place.wrap != Image3{0, 0, 0};
    work.sorted[at] = {x[0], x[1], x[2], SortedAtom<T>::tag(i, wrapped)};
    if (placed) work.places[at] = {place.wrap, {place.cell[0], place.cell[1], place.cell[2]}};
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

// The scratch memory of a build on a device: what lies where.
#pragma once

#include <cuda_runtime.h>

#include <lanework/problem.hpp>

#include "src/cuda/chained.hpp"
#include "src/particles/device/builder.hpp"
#include "src/particles/grid.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Doubles as integers that compare alike: atomics take minima and maxima of them.
LANEWORK_EVERYWHERE inline unsigned long long ordered_bits(double x) {
    unsigned long long bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 63 ? ~bits : bits | 1ULL << 63;
}
LANEWORK_EVERYWHERE inline double from_ordered_bits(unsigned long long ordered) {
    const unsigned long long bits = ordered >> 63 ? ordered & ~(1ULL << 63) : ~ordered;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/// What the usual search reads of a system, in two loads. Usual: buckets are cells, all atoms lie in the box,
/// neighbours in cells that touch, one cutoff holds for all, and keys take 32 bits.
struct alignas(16) UsualCells {
    std::int32_t cells[3];
    std::uint32_t first_bucket;
    std::uint32_t inverse[2];  ///< of cells[0] and cells[1]: 2³² / n, rounded down, or 2³² − 1
    std::uint32_t home;
    std::uint8_t code_bits, periodic, touching;  ///< the last two: bit k says whether, along direction k

    /// n / cells[k], for n < 2³¹; n becomes the rest.
    __device__ std::uint32_t divided(std::uint32_t& n, int k) const {
        const auto by = static_cast<std::uint32_t>(cells[k]);
        std::uint32_t quotient = high_product(n, inverse[k]);  // or one less
        n -= quotient * by;
        if (n >= by) ++quotient, n -= by;
        return quotient;
    }
    __device__ static std::uint32_t high_product(std::uint32_t a, std::uint32_t b) {
#ifdef __CUDA_ARCH__
        return __umulhi(a, b);
#else
        return static_cast<std::uint32_t>(std::uint64_t{a} * b >> 32);
#endif
    }
};

/// All that is known of one system.
struct DeviceSystem {
    Grid grid;
    unsigned long long low[3], high[3], farthest;  ///< the atoms' extent, as ordered bits
    double within;  ///< the grid is made for coordinates up to this; it searches farther if `farthest` is more
    std::int64_t first_bucket, buckets;
    bool valid;            ///< false: nothing below is meant, and the list is empty
    bool hashed;           ///< more cells than buckets: cells share them
    unsigned int wrapped;  ///< not 0: some atom lies outside the box
    int code_bits;         ///< that the number of an image takes
    std::uint32_t home;    ///< the number of S = 0
    bool wide;             ///< keys (atom, image) need more than 32 bits
    bool crowded;          ///< cells hold many atoms: lists will be too long to be kept
    UsualCells usual;
};

/// An atom where its cell is: all that a test reads, in 16 or 32 bytes.
template <class T>
struct alignas(4 * sizeof(T)) SortedAtom {
    T x, y, z;
    std::uint32_t tagged;  ///< the atom, and whether it lies outside the box

    __device__ std::int32_t atom() const { return static_cast<std::int32_t>(tagged & 0x7fffffffU); }
    __device__ bool is_wrapped() const { return tagged >> 31 != 0; }
    __device__ static std::uint32_t tag(std::int64_t atom, bool wrapped) {
        return static_cast<std::uint32_t>(atom) | (wrapped ? 0x80000000U : 0U);
    }
};

/// Where an atom is, of systems with atoms outside the box or cells that share buckets: all others' buckets say it.
struct alignas(16) SortedPlace {
    Image3 wrap;
    std::int32_t cell[3];
};

/// Sorted atoms of one bucket, at most kTogether.
struct AtomRange {
    std::int32_t first, end;
    std::uint32_t bucket;
};

/// Whose list a row keeps, and how many keys if they are the whole of it; else 0.
struct KeptList {
    std::int32_t length, atom;
};

/// What kernels tell each other.
struct DeviceCounters {
    unsigned int wide;     ///< not 0: some system's keys take 64 bits
    unsigned int crowded;  ///< not 0: some system is crowded
    unsigned int unusual;  ///< not 0: some system is not searched as usual
    std::int32_t groups;
    std::int32_t groups_taken;  ///< by warps, from the queue
};

inline constexpr std::int64_t kBucketsPerAtom = 2;
inline constexpr std::int64_t kSpareBuckets = 64;  // of each system
inline constexpr int kScanPart = 512;              // elements that one block of a scan adds up
inline constexpr int kMostSummed = 1024;           // parts, whose sums each of so many blocks may look at
inline constexpr int kSumsApart = 16;              // words, so that those who add to sums do not wait for each other
inline constexpr int kTogether = 16;               // atoms of one cell that a warp takes at once
inline constexpr int kKept = 64;                   // words of each atom that the count writes down for the fill

/// What a scan of so many elements needs: a ticket counter, and a word for each of its blocks.
LANEWORK_EVERYWHERE inline std::int64_t scan_words(std::int64_t length) {
    return 1 + ceil_div(length + 1, std::int64_t{kScanPart});
}

template <class T>
struct DeviceWork {
    DeviceSystem* systems;
    std::int32_t* starts;   ///< buckets + 1: how many atoms, and then where they begin
    std::uint32_t* bucket;  ///< by atom
    std::int32_t* slot;     ///< by atom: its place within the bucket
    KeptList* lists;        ///< by row
    SortedAtom<T>* sorted;
    SortedPlace* places;  ///< by sorted place
    std::uint32_t* kept;  ///< rows of kKept words, one for each sorted atom: keys of neighbours in no order; in crowded
                          ///< systems, of so many registers of candidates, which of them are neighbours
    AtomRange* groups;    ///< in sorted order
    unsigned long long* boards[2];  ///< of the scans of buckets and of lists
    unsigned long long* sums;  ///< of the lengths of lists, by part, kSumsApart words apart: what the count adds up
    std::int64_t summed;       ///< so many of them: none if there are too many parts
    DeviceCounters* counters;
    const std::int32_t* wanted = nullptr;  ///< as DeviceRequest says
    bool padded = false;                   ///< the same
    std::int64_t buckets;
    std::size_t bytes;

    DeviceWork(const DeviceParticles<T>& p, void* memory) {
        std::byte* next = static_cast<std::byte*>(memory);
        const auto take = [&](auto*& array, std::int64_t count) {
            array = reinterpret_cast<std::remove_reference_t<decltype(array)>>(next);
            next += ceil_div(static_cast<std::size_t>(count) * sizeof(*array), std::size_t{256}) * 256;
        };
        buckets = kBucketsPerAtom * p.atoms + kSpareBuckets * p.system_count;
        take(systems, p.system_count);
        take(starts, buckets + 1);
        take(bucket, p.atoms);
        take(slot, p.atoms);
        take(lists, p.atoms);
        take(sorted, p.atoms);
        take(places, p.atoms);
        take(kept, p.atoms * kKept);
        take(groups, p.atoms);
        take(boards[0], scan_words(buckets));
        take(boards[1], scan_words(p.atoms));
        summed = scan_words(p.atoms) - 1;
        if (summed > kMostSummed) summed = 0;
        take(sums, summed * kSumsApart);
        take(counters, 1);
        bytes = static_cast<std::size_t>(next - static_cast<std::byte*>(memory));
    }
};

/// Whether there is nothing to do, as a kernel before these has decided. Known before a chained kernel waits: the first
/// of a chain lets the next begin when that kernel is done.
__device__ inline bool is_unwanted(const std::int32_t* wanted) { return wanted && *wanted == 0; }

/// By all blocks of a kernel for which there is nothing to do: one of them waits for all, and the others make room.
__device__ inline void pass_on() {
    if (blockIdx.x == 0) wait_for_previous();
}

/// The box of system s.
template <class T>
__device__ PeriodicBox box_of(const DeviceParticles<T>& p, std::int64_t s) {
    return p.boxes ? p.boxes[s] : p.box;
}

/// The system of an atom.
template <class T>
__device__ std::int64_t system_of(const DeviceParticles<T>& p, std::int64_t atom) {
    std::int64_t low = 0, high = p.system_count - 1;
    while (low < high) {
        const std::int64_t middle = (low + high + 1) / 2;
        if (p.systems[middle] <= atom)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

template <class T>
__device__ void load_position(const DeviceParticles<T>& p, std::int64_t atom, T (&x)[3]) {
    for (int axis = 0; axis < 3; ++axis) x[axis] = axis < p.dimensions ? p.positions[atom * p.dimensions + axis] : T{0};
}

__device__ inline bool all_is_well(const NeighborStatus& status) {
    return status.bad_atom < 0 && status.bad_system < 0;
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

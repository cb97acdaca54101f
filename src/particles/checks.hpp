// What every build asks first: do the arguments fit each other, and what are the cutoffs?
#pragma once

#include <lanework/neighbors.hpp>
#include <string_view>

namespace lanework {

/// The cutoffs in the type of the positions.
template <class T>
struct Cutoffs {
    double largest = 0;                ///< of all pairs; > 0 unless every pair's is 0
    std::vector<T> squared = {};       ///< types × types squared cutoffs; 1 × 1 without types
    std::vector<double> lengths = {};  ///< types × types cutoffs, as they were given; empty without types
    std::int32_t types = 1;
    bool by_type = false;
};

/// Throws UsageError for a cutoff that is not a positive length with a square in T. `name` begins the message: "the
/// cutoff".
template <class T>
void check_cutoff(double cutoff, std::string_view name = "the cutoff");

/// Throws UsageError for a cutoff or a table that cannot be meant.
template <class T>
Cutoffs<T> checked_cutoffs(const NeighborOptions& options);

/// The options of the wide list of a skin. Throws UsageError for a skin or options that a list with one cannot have.
template <class T>
NeighborOptions checked_wide_options(const NeighborOptions& options, double skin);

/// Throws UsageError for shapes, offsets or types that do not fit. `types` is the number of rows of the cutoffs, 0
/// where types are not read.
template <class T>
void check_particles(const Particles<T>& particles, std::int32_t types);

/// Throws UsageError that names the atom: a coordinate that is not finite, or too many boxes away.
template <class T>
[[noreturn]] void refuse_atom(const Particles<T>& particles, std::int64_t atom);
/// Leaves out what no two atoms look for: the largest cutoff becomes that of types that there are.
template <class T>
void keep_present(Cutoffs<T>& cutoffs, const Particles<T>& particles);
/// Throws UsageError for a periodic vector of this system's box that is not finite, or too short or too long.
void check_vectors(const PeriodicBox& box, std::int64_t system);
/// Throws UsageError that names the atom: rounding where it is moves it through more than 2^16 images of its box.
template <class T>
[[noreturn]] void refuse_rounding(const Particles<T>& particles, std::int64_t atom, std::int64_t system);
/// Throws UsageError: the periodic vectors of this system are not independent.
[[noreturn]] void refuse_box(const PeriodicBox& box, std::int64_t system);
/// Throws it where they are not.
void check_independent(const PeriodicBox& box, std::int64_t system);
/// Throws UsageError: the cutoff reaches through more images of this system's box than can be numbered.
[[noreturn]] void refuse_images(double cutoff, std::int64_t system);

/// The atoms of one system, and its box (open space when there is none).
struct SystemRange {
    std::int64_t begin = 0, end = 0;
    PeriodicBox box;

    std::int64_t atoms() const { return end - begin; }
};
template <class T>
std::vector<SystemRange> systems_of(const Particles<T>& particles);

/// Bytes of the arrays of a list.
template <class T>
std::uint64_t list_bytes(const NeighborOptions& options, std::uint64_t atoms, std::uint64_t pairs);
/// The pairs of a list: all of them, or so many at least.
struct PairCount {
    std::uint64_t pairs;
    bool exact = true;
};
/// Pairs of a list for which the options leave room, or where they leave that open, the memory that this process can
/// still take.
template <class T>
std::uint64_t pairs_that_fit(const NeighborOptions& options, std::uint64_t atoms);
/// Throws NeighborMemoryError when the list is larger than the options allow, or where they leave that open, when it
/// and `scratch` bytes beside it are more than this process can still allocate.
template <class T>
void check_memory(const NeighborOptions& options, std::uint64_t atoms, PairCount count, std::uint64_t scratch = 0);
/// From so many pairs on a list is refused as soon as that many are known not to fit: counting the rest may take long.
inline constexpr std::uint64_t kCountedPairs = std::uint64_t{1} << 22;

/// Gives the arrays of pairs of a list that has been counted their sizes: what its last offset says.
template <class T>
void size_pairs(const NeighborOptions& options, NeighborList<T>& list);
/// A list with these offsets, its arrays of pairs allocated.
template <class T>
NeighborList<T> allocate_list(const NeighborOptions& options, NeighborArray<std::int64_t> offsets);

}  // namespace lanework

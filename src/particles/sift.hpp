// Testing an atom against candidates, a vector of them at a time. Nearly all are decided in single precision, seen from
// the middle of the cell and in units of the cutoff; only what is as far as the cutoff within the rounding of that is
// tested by the arithmetic that counts (arithmetic.hpp).
#pragma once

#include <cstdint>

#include "src/particles/arithmetic.hpp"

namespace lanework {

/// Squared distances in single precision: below the first is a neighbour, from the second on none is.
struct Thresholds {
    float sure = -1, maybe = -1;
};

/// Candidates as arrays, in the order of the list. Every array may be read, whole vectors at a time, up to kSiftPadding
/// elements past the count; there nothing may be near: what is seen is kUnseen, and `limit` is negative.
template <class T>
struct Candidates {
    const float *seen_x, *seen_y, *seen_z;  ///< positions as seen from the cell
    const float *sure, *maybe;              ///< by candidate; null where they are the same for all
    Thresholds same;                        ///< which those are then
    const T *x, *y, *z;                     ///< positions as given
    const T *tx, *ty, *tz;                  ///< translations of their images
    const T* limit;                         ///< squared cutoffs
    std::int64_t count;
};
inline constexpr std::int64_t kSiftPadding = 64;
inline constexpr float kUnseen = 1e30F;  // its square is infinite

/// The atom whose neighbours are looked for: as it is given, and as it is seen.
template <class T>
struct Centre {
    Vec3<T> given{};
    Vec3<float> seen{};
    std::int64_t self = -1;  ///< its slot, which is not its neighbour; −1: it is none of the candidates
};

/// A cuboid, how far around it candidates are looked for, and the image in which they are.
struct Surroundings {
    Vec3<double> low, high;
    double squared_ball;
    Vec3<double> translation;
};

template <class T>
struct SiftKernels {
    /// How many of the candidates from `begin` on are nearer to the atom than their limit.
    std::int64_t (*count)(const Candidates<T>&, const Centre<T>& atom, std::int64_t begin);
    /// Writes which those are, ascending; returns how many. Room for kSiftPadding more is needed, and is overwritten.
    std::int64_t (*select)(const Candidates<T>&, const Centre<T>& atom, std::int64_t begin, std::int32_t* slots);
    /// Writes D and d of `count` selected candidates; a null array is not wanted.
    void (*measure)(const Candidates<T>&, const Centre<T>& atom, const std::int32_t* slots, std::int64_t count,
                    T* vectors, T* distances);
    /// seen[k] = float((x[k] + t[k] − origin) · scale) along one axis. Whole vectors: up to kSiftPadding more.
    void (*see)(const T* x, const T* t, std::int64_t count, double origin, double scale, float* seen);
};

/// For the processor that this is.
template <class T>
SiftKernels<T> sift_kernels();

/// Of `count` points whose images may lie in the surroundings, writes those that do as keys: atom << bits | code.
/// Returns how many. Room for kSiftPadding more is needed, and is overwritten.
using KeysAround = std::int64_t (*)(const Surroundings& around, const double* x, const double* y, const double* z,
                                    const std::int32_t* atoms, std::int64_t count, int bits, std::uint64_t code,
                                    std::uint64_t* keys);
KeysAround keys_around();

}  // namespace lanework

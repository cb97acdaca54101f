// Testing an atom against candidates, a vector of them at a time.
#pragma once

#include <cstdint>
#include <type_traits>

namespace lanework {

/// Candidates as arrays, in the order of the list. Every array may be read, whole vectors at a time, up to kSiftPadding
/// elements past the count; there `limit` must be negative.
template <class T>
struct Candidates {
    const T *x, *y, *z;     ///< positions as given
    const T *tx, *ty, *tz;  ///< translations of their images
    const T* limit;         ///< squared cutoffs
    std::int64_t count;
};
inline constexpr std::int64_t kSiftPadding = 64;

/// An integer as wide as T, so that one mask serves both.
template <class T>
using SlotOf = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

/// The candidates that pass: which they are, their D and d². Room for kSiftPadding more than there are candidates.
template <class T>
struct Sifted {
    SlotOf<T>* slot;
    T *dx, *dy, *dz, *squared;
};

template <class T>
struct SiftKernels {
    /// How many of the candidates [begin, end) are nearer to (x, y, z) than their limit.
    std::int64_t (*count)(const Candidates<T>&, T x, T y, T z, std::int64_t begin, std::int64_t end);
    /// Writes those from element `written` on; returns how many there are in all then. D only where `with_vectors`.
    std::int64_t (*select)(const Candidates<T>&, T x, T y, T z, std::int64_t begin, std::int64_t end, bool with_vectors,
                           const Sifted<T>& sifted, std::int64_t written);
    /// to[k] = √(squared[k])
    void (*roots)(const T* squared, T* to, std::int64_t count);
};

/// For the processor that this is.
template <class T>
SiftKernels<T> sift_kernels();

}  // namespace lanework

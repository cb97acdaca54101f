// Rows that begin anywhere are read and written from boundary to boundary: four bytes at a time, or an element that is
// larger, in shared memory as far from boundaries as in global.
#pragma once

#include <type_traits>

#include "ops/transpose/operation.hpp"
#include "src/cuda/copies_to_shared.cuh"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// What a matrix covers, first byte to last: nothing else is read.
struct InputSpan {
    const unsigned char *begin, *end;
};
template <class T>
__device__ InputSpan span_of(const TransposeArgsOf<T>& a) {
    return {reinterpret_cast<const unsigned char*>(a.in),
            reinterpret_cast<const unsigned char*>(a.in + (a.rows - 1) * a.in_pitch + a.cols)};
}

/// What a lane writes at a time.
template <class T>
using Unit = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
template <class T>
inline constexpr int kUnit = static_cast<int>(sizeof(Unit<T>));
/// Elements of it.
template <class T>
inline constexpr int kPerUnit = kUnit<T> / static_cast<int>(sizeof(T));

/// Bytes from a boundary of kBytes to `at`.
template <int kBytes, class T>
__device__ int past_boundary(const T* at) {
    return static_cast<int>(reinterpret_cast<std::uintptr_t>(at) % kBytes);
}
/// Elements from `at` to the next boundary of kBytes.
template <int kBytes, class T>
__device__ int ahead_of_boundary(const T* at) {
    return static_cast<int>(-reinterpret_cast<std::uintptr_t>(at) % kBytes / sizeof(T));
}

/// Copies the kBytes at `from`, a boundary, to shared memory, and of those that reach out of the span only its own.
template <int kBytes>
__device__ void copy_within(InputSpan span, unsigned char* to, const unsigned char* from) {
    if (from >= span.begin && from + kBytes <= span.end) return copy_async<kBytes>(to, from, kBytes);
#pragma unroll
    for (int i = 0; i < kBytes; ++i)
        if (from + i >= span.begin && from + i < span.end) to[i] = from[i];
}

/// As many elements as a unit has, from a function of the i-th.
template <class T, class Element>
__device__ Unit<T> unit_of(Element element) {
    if constexpr (sizeof(T) >= 4)
        return static_cast<Unit<T>>(element(0));
    else if constexpr (sizeof(T) == 2)
        return __byte_perm(element(0), element(1), 0x5410);
    else
        return __byte_perm(__byte_perm(element(0), element(1), 0x0040), __byte_perm(element(2), element(3), 0x0040),
                           0x5410);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

// What a thread's chain holds, for each type: one element, or the two that an instruction for half precision takes at
// once.
#pragma once

#include <cuda_fp16.h>

#include "ops/fma/operation.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

template <class T>
struct Chain {
    using Held = T;
    static constexpr int kElements = 1;

    static __device__ T start(const T* starts, std::int64_t i, std::int64_t elements) {
        return i < elements ? starts[i % kStarts] : T{};
    }
    static __device__ T repeated(T coefficient) { return coefficient; }
    static __device__ void store(T x, T* out, std::int64_t i, std::int64_t elements) {
        if (i < elements) out[i] = x;
    }
};

template <>
struct Chain<float16> {
    using Held = __half2;
    static constexpr int kElements = 2;

    /// Elements i and i + 1; i is even, and so is kStarts.
    static __device__ __half2 start(const float16* starts, std::int64_t i, std::int64_t elements) {
        return __halves2half2(one(starts, i, elements), one(starts, i + 1, elements));
    }
    static __device__ __half2 repeated(float16 coefficient) { return __half2half2(of_bits(coefficient)); }
    static __device__ void store(__half2 x, float16* out, std::int64_t i, std::int64_t elements) {
        if (i < elements) reinterpret_cast<__half*>(out)[i] = __low2half(x);
        if (i + 1 < elements) reinterpret_cast<__half*>(out)[i + 1] = __high2half(x);
    }

private:
    static __device__ __half of_bits(float16 h) { return __ushort_as_half(h.bits); }
    static __device__ __half one(const float16* starts, std::int64_t i, std::int64_t elements) {
        return of_bits(i < elements ? starts[i % kStarts] : float16{});
    }
};

__device__ inline float multiply_add(float x, float a, float b) { return fmaf(x, a, b); }
__device__ inline double multiply_add(double x, double a, double b) { return fma(x, a, b); }
__device__ inline __half2 multiply_add(__half2 x, __half2 a, __half2 b) { return __hfma2(x, a, b); }
__device__ inline std::int32_t multiply_add(std::int32_t x, std::int32_t a, std::int32_t b) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(x) * static_cast<std::uint32_t>(a) +
                                     static_cast<std::uint32_t>(b));
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

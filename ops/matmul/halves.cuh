// The device's own types for elements of 16 bits, and what 16-byte copies of their rows need.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "ops/matmul/copies.cuh"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// The type by which the device knows an element.
template <class T>
using Native = std::conditional_t<std::is_same_v<T, bfloat16>, __nv_bfloat16, __half>;

/// Writes a float as an element, rounded to nearest.
__device__ inline void put(float16* to, float value) { *reinterpret_cast<__half*>(to) = __float2half_rn(value); }
__device__ inline void put(bfloat16* to, float value) {
    *reinterpret_cast<__nv_bfloat16*>(to) = __float2bfloat16_rn(value);
}

/// An element as the number that it is, by the device's own conversion.
__device__ inline float number_at(const float16* from) { return __half2float(*reinterpret_cast<const __half*>(from)); }
template <class Out>
__device__ auto number_at(const Out* from) {
    return widened(*from);
}

/// What TMA asks of matrices in memory: rows that start on 16-byte boundaries.
template <class T>
bool on_16_bytes(const T* first, std::int64_t pitch) {
    return reinterpret_cast<std::uintptr_t>(first) % 16 == 0 && pitch * static_cast<std::int64_t>(sizeof(T)) % 16 == 0;
}
inline constexpr std::string_view kRowsOn16Bytes =
    "plain products by rows (variant nn) that start on 16-byte boundaries (n and k multiples of 8 where rows touch)";

template <class T>
bool rows_on_16_bytes(const MatmulArgs<T>& x) {
    return b_by_rows(x) && on_16_bytes(x.a, x.a_pitch) && on_16_bytes(x.b, x.b_pitch) && on_16_bytes(x.c, x.c_pitch);
}
template <class T>
bool plain_rows_on_16_bytes(const MatmulArgs<T>& x) {
    return rows_on_16_bytes(x) && x.finish.plain();
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

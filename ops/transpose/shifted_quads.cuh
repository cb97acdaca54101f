// Sixteen bytes that begin anywhere, shifted together from the two quads at boundaries that they lie in.
#pragma once

#include "ops/transpose/boundaries.cuh"
#include "ops/transpose/squares.cuh"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// The 16 bytes that begin `past` % 4 bytes behind the begin of five words.
__device__ inline uint4 shifted_bytes(const unsigned (&w)[5], unsigned past) {
    const unsigned bits = past % 4 * 8;
    return make_uint4(__funnelshift_r(w[0], w[1], bits), __funnelshift_r(w[1], w[2], bits),
                      __funnelshift_r(w[2], w[3], bits), __funnelshift_r(w[3], w[4], bits));
}

/// The 16 bytes that begin `past` bytes (0 to 15) behind the begin of low.
__device__ inline uint4 shifted(const uint4& low, const uint4& high, unsigned past) {
    const unsigned w[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
    unsigned pairs[6], words[5];
#pragma unroll
    for (int i = 0; i < 6; ++i) pairs[i] = past & 8 ? w[i + 2] : w[i];
#pragma unroll
    for (int i = 0; i < 5; ++i) words[i] = past & 4 ? pairs[i + 1] : pairs[i];
    return shifted_bytes(words, past);
}

/// At the begin and the end of a matrix, where a read at a boundary would leave it.
__device__ __noinline__ inline uint4 read_singly(const unsigned char* from, InputSpan span) {
    unsigned w[4] = {0, 0, 0, 0};
#pragma unroll
    for (int i = 0; i < kQuad; ++i)
        if (from + i < span.end) w[i / 4] |= unsigned{from[i]} << i % 4 * 8;
    return make_uint4(w[0], w[1], w[2], w[3]);
}

/// The 16 bytes at `from`, of which those behind the matrix are zeros.
__device__ inline uint4 read_shifted(const unsigned char* from, InputSpan span) {
    const auto past = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(from) % kQuad);
    const unsigned char *const low = from - past, *const high = past == 0 ? low : low + kQuad;
    if (low < span.begin || high + kQuad > span.end) return read_singly(from, span);
    return shifted(*reinterpret_cast<const uint4*>(low), *reinterpret_cast<const uint4*>(high), past);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

// Constant memory for the rungs that read it. The coefficients lie there twice in a row, so that a walk may begin at
// any of them and goes on without a wrap-around; so 64 KiB hold half as many.
#pragma once

#include "ops/coefficients/elements.hpp"
#include "src/cuda/check.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr std::int64_t kMostCoefficients = (64 << 10) / sizeof(std::int32_t) / 2;

/// What a rung's `__constant__` variable is.
struct TwiceInARow {
    std::int32_t value[2 * kMostCoefficients];
};

inline std::string_view refuse_beyond_constant_memory(const Problem& p) {
    return p.lengths<CoefficientsAxes>().degree <= kMostCoefficients
               ? std::string_view()
               : "constant memory is 64 KiB, which is 8192 coefficients twice: no more are possible";
}

/// Copies the coefficients from the device's global memory to its constant memory, on the stream.
inline void load_constants(TwiceInARow& bank, const CoefficientsArgs& a, cudaStream_t stream) {
    const std::size_t bytes = static_cast<std::size_t>(a.degree) * sizeof(std::int32_t);
    if (bytes == 0) return;
    for (const std::size_t copy : {std::size_t{0}, bytes})
        LANEWORK_CHECK(cudaMemcpyToSymbolAsync(bank, a.coefficients, bytes, copy, cudaMemcpyDeviceToDevice, stream));
}

/// The coefficient with which walk `walk` of `walks` begins: they begin as far from each other as there is room for.
__device__ inline unsigned first_of(unsigned walk, unsigned walks, std::int64_t degree) {
    return walk * static_cast<unsigned>(degree) / walks;
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

// GELU in a dozen instructions: with sixteen bytes per access the arithmetic, not the memory, would become the limit of
// half-precision arrays; and at the end of a product no tensor core has work meanwhile.
#pragma once

#include <lanework/on_device.hpp>

#include "src/core/gelu.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

// One instruction each on a GPU, exact to about two units in the last place; numbers below 2^-126 count as zero, which
// changes no result that the tolerance could tell.
#ifdef __CUDA_ARCH__
__device__ inline float quick_exp2(float x) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
__device__ inline float quick_reciprocal(float x) {
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
#else
__device__ inline float quick_exp2(float x) { return exp2f(x); }
__device__ inline float quick_reciprocal(float x) { return 1.0F / x; }
#endif

inline constexpr float kLog2E = 1.44269504088896340736F;

/// Where Φ(x) is long 0: from here on x is replaced by it where it is multiplied by that, since ∞·0 is no number. A NaN
/// is in the other factor too.
inline constexpr float kBeyond = 1e4F;

/// x·Φ(x) = max(x, 0) − |x|/2·erfc(|x|/√2): no sign to treat apart, and no cancellation. For z ≥ 0,
/// erfc(z) ≈ (a₁t + … + a₅t⁵)·e^(−z²), t = 1/(1 + pz), to 1.5·10⁻⁷ (Abramowitz and Stegun, Handbook of Mathematical
/// Functions, 7.1.26). The coefficients here hold the factor ½. The sign is that of x, of a zero too.
__device__ inline float quick_gelu_erf(float x) {
    constexpr float kP = static_cast<float>(0.3275911 * kSqrtHalf);
    const float magnitude = fabsf(x), t = quick_reciprocal(fmaf(kP, magnitude, 1.0F));
    float sum = 0.5F * 1.061405429F;
    sum = fmaf(sum, t, 0.5F * -1.453152027F);
    sum = fmaf(sum, t, 0.5F * 1.421413741F);
    sum = fmaf(sum, t, 0.5F * -0.284496736F);
    sum = fmaf(sum, t, 0.5F * 0.254829592F);
    const float half_erfc = sum * t * quick_exp2(x * x * (-0.5F * kLog2E));
    return copysignf(fmaf(-fminf(magnitude, kBeyond), half_erfc, fmaxf(x, 0.0F)), x);
}

/// (1 + tanh u)/2 is 1/(1 + e^(−2u)).
__device__ inline float quick_gelu_tanh(float x) {
    constexpr float kLinear = static_cast<float>(-2 * kSqrtTwoOverPi) * kLog2E;
    constexpr float kThird = static_cast<float>(-2 * kSqrtTwoOverPi * kCubic) * kLog2E;
    return fmaxf(x, -kBeyond) * quick_reciprocal(1.0F + quick_exp2(x * fmaf(kThird, x * x, kLinear)));
}

template <GeluForm form>
__device__ float quick_gelu(float x) {
    return form == GeluForm::erf ? quick_gelu_erf(x) : quick_gelu_tanh(x);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

// GELU of one number: the definition in double, and on a processor in float. For the ladder of that name, and for
// products that end with it.
#pragma once

#include <cmath>
#include <lanework/array_view.hpp>

namespace lanework {

inline constexpr double kSqrtHalf = 0.70710678118654752440;  // 1/√2
inline constexpr double kSqrtTwoOverPi = 0.79788456080286535588;
inline constexpr double kCubic = 0.044715;

/// Any number is defined: where Φ(x) rounds to 0 the product is −0, that of −∞ too; +∞ stays, ±0 keeps its sign, NaN is
/// NaN.
inline double exact_gelu(double x, GeluForm form) {
    const double twice_phi =
        form == GeluForm::erf ? std::erfc(-x * kSqrtHalf) : 1 + std::tanh(kSqrtTwoOverPi * (x + kCubic * x * x * x));
    return twice_phi == 0 ? -0.0 : x / 2 * twice_phi;
}

template <GeluForm form>
float gelu_of(float x) {
    float twice_phi;
    if constexpr (form == GeluForm::erf)
        twice_phi = std::erfc(-x * static_cast<float>(kSqrtHalf));
    else
        twice_phi = 1.0F + std::tanh(static_cast<float>(kSqrtTwoOverPi) * (x + static_cast<float>(kCubic) * x * x * x));
    return twice_phi == 0 ? -0.0F : 0.5F * x * twice_phi;  // −∞·0 is no number
}

/// What that errs by where |x| ≤ 8: a few roundings of |x| times a number near 1, a polynomial for erf with an error
/// of 1.5·10⁻⁷ and the cancellation in 1 + erf; and as a share of the value. Beyond that Φ is 0 or 1 to the last bit.
inline constexpr double kGeluAbsolute = 5e-7, kGeluRelative = 1e-6;

}  // namespace lanework

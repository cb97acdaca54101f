// The elementary functions on float, computed in double: no branch and no call, so that a loop over them becomes
// vectors. Each is within one unit of the last place of the true value, for every float (scripts/float-errors), and the
// same wherever a program runs: no product is fused with a sum.
#pragma once

#include <math.h>

#include <cstdint>

namespace lanework_simt::floats {

#define LANEWORK_SIMT_FLOAT [[gnu::always_inline]] inline

constexpr double kLog2OfE = 0x1.71547652b82fep+0, kLnOf2 = 0x1.62e42fefa39efp-1;
constexpr double kLog2Of10 = 0x1.a934f0979a371p+1, kLnOf10 = 0x1.26bb1bbb55516p+1;
constexpr double kLog10Of2 = 0x1.34413509f79ffp-2, kLog10OfE = 0x1.bcb7b1526e50ep-2;
constexpr double kPi = 0x1.921fb54442d18p+1;
/// Added to a number below 2^51, it leaves the nearest whole number in the last bits.
constexpr double kShift = 0x1.8p52;
constexpr float kInfinity = __builtin_inff(), kNaN = __builtin_nanf("");

LANEWORK_SIMT_FLOAT std::uint64_t bits_of(double x) { return __builtin_bit_cast(std::uint64_t, x); }
LANEWORK_SIMT_FLOAT double of_bits(std::uint64_t bits) { return __builtin_bit_cast(double, bits); }
LANEWORK_SIMT_FLOAT double magnitude(double x) { return __builtin_fabs(x); }
LANEWORK_SIMT_FLOAT float with_sign(float x, float sign) { return __builtin_copysignf(x, sign); }
/// x within [−limit, limit]; NaN stays.
LANEWORK_SIMT_FLOAT double limited(double x, double limit) {
    x = x < -limit ? -limit : x;
    return x > limit ? limit : x;
}

// -- exponentials -----------------------------------------------------------------------------------------------------

/// 2^k and e^r − 1.
struct Power {
    double whole, part;
    LANEWORK_SIMT_FLOAT double value() const { return whole + whole * part; }
};
/// `shifted` is kShift + k with |k| < 1000, |r| ≤ ln(2)/2.
LANEWORK_SIMT_FLOAT Power power(double shifted, double r) {
    const double square = r * r;
    const double low = 0x1.0000000b9129bp-1 + r * 0x1.5555555a78ed4p-3;
    const double middle = 0x1.5554e9063586ep-5 + r * 0x1.1110e0f238322p-7;
    const double high = 0x1.6d43246b523b4p-10 + r * 0x1.a124f19fe89acp-13;
    const double sum = low + square * (middle + square * high);
    return {of_bits((bits_of(shifted) + 1023) << 52), r + square * sum};
}
/// Beyond ±110 every result is what it is there: 0 or infinity as a float.
LANEWORK_SIMT_FLOAT Power power_of_e(double x) {
    x = limited(x, 110);
    const double shifted = x * kLog2OfE + kShift;
    return power(shifted, x - (shifted - kShift) * kLnOf2);
}
LANEWORK_SIMT_FLOAT double power_of_2(double x) {
    x = limited(x, 160);
    const double shifted = x + kShift;
    return power(shifted, (x - (shifted - kShift)) * kLnOf2).value();
}

LANEWORK_SIMT_FLOAT float exp(float x) { return static_cast<float>(power_of_e(x).value()); }
LANEWORK_SIMT_FLOAT float exp2(float x) { return static_cast<float>(power_of_2(x)); }
LANEWORK_SIMT_FLOAT float exp10(float x) {
    const double limit = limited(x, 48), shifted = limit * kLog2Of10 + kShift;
    return static_cast<float>(power(shifted, limit * kLnOf10 - (shifted - kShift) * kLnOf2).value());
}
/// e^x − 1
LANEWORK_SIMT_FLOAT double less_one(double x) {
    const Power e = power_of_e(x);
    return e.whole * e.part + (e.whole - 1);
}
LANEWORK_SIMT_FLOAT float expm1(float x) { return x == 0 ? x : static_cast<float>(less_one(x)); }
LANEWORK_SIMT_FLOAT float sinh(float x) {
    const double e = less_one(magnitude(x));
    return with_sign(static_cast<float>(0.5 * (e + e / (e + 1))), x);
}
LANEWORK_SIMT_FLOAT float cosh(float x) {
    const double e = power_of_e(x).value();
    return static_cast<float>(0.5 * (e + 1 / e));
}
LANEWORK_SIMT_FLOAT float tanh(float x) {
    const double e = less_one(2 * limited(x, 10));
    return x == 0 ? x : static_cast<float>(e / (e + 2));
}

// -- logarithms -------------------------------------------------------------------------------------------------------

/// x = 2^k · (1 + f) with 1 + f within [√½, √2), of a positive number.
struct Parts {
    double k, f;
};
LANEWORK_SIMT_FLOAT Parts parts(double x) {
    constexpr std::uint64_t kLeast = 0x3fe6a09e667f3bcd, kFraction = 0x000fffffffffffff;
    constexpr std::uint64_t kBias = 1024;
    const std::uint64_t above = bits_of(x) - kLeast;
    // A whole number below 2^52 becomes a double by its bits.
    const std::uint64_t exponent = ((above + (kBias << 52)) >> 52) | 0x4330000000000000;
    return {of_bits(exponent) - (0x1p52 + kBias), of_bits((above & kFraction) + kLeast) - 1};
}
/// ln(1 + f), by the hyperbolic tangent's inverse.
LANEWORK_SIMT_FLOAT double ln_of(double f) {
    const double s = f / (2 + f), square = s * s;
    const double low = 0x1.5555554bb1b2fp-1 + square * 0x1.9999eb63e783dp-2;
    const double high = 0x1.245c40aecb50cp-2 + square * 0x1.ddcf7101b6371p-3;
    return 2 * s + s * square * (low + square * square * high);
}
/// What a logarithm is where x is no positive finite number.
LANEWORK_SIMT_FLOAT float logarithm(float x, double value) {
    const float ordinary = x > 0 ? static_cast<float>(value) : x == 0 ? -kInfinity : kNaN;
    return x < kInfinity ? ordinary : x;
}
LANEWORK_SIMT_FLOAT double log2_of(double x) {
    const Parts p = parts(x);
    return p.k + ln_of(p.f) * kLog2OfE;
}

LANEWORK_SIMT_FLOAT float log(float x) {
    const Parts p = parts(x);
    return logarithm(x, p.k * kLnOf2 + ln_of(p.f));
}
LANEWORK_SIMT_FLOAT float log2(float x) { return logarithm(x, log2_of(x)); }
LANEWORK_SIMT_FLOAT float log10(float x) {
    const Parts p = parts(x);
    return logarithm(x, p.k * kLog10Of2 + ln_of(p.f) * kLog10OfE);
}
LANEWORK_SIMT_FLOAT float log1p(float x) {
    const double sum = 1 + static_cast<double>(x);
    const Parts p = parts(sum);
    // A small x would have lost its last bits in the sum.
    const double value = p.k * kLnOf2 + ln_of(p.k == 0 ? static_cast<double>(x) : p.f);
    const float ordinary = x > -1 ? static_cast<float>(value) : x == -1 ? -kInfinity : kNaN;
    return x < kInfinity && x != 0 ? ordinary : x;
}

/// As C's annex F has it. Conditions are joined without a branch.
LANEWORK_SIMT_FLOAT float pow(float x, float y) {
    const double base = magnitude(x), half = 0.5 * y;
    double exponent = log2_of(base);
    exponent = base == 0 ? -HUGE_VAL : exponent;
    exponent = base < HUGE_VAL ? exponent : base;
    const float value = static_cast<float>(power_of_2(y * exponent));
    const bool whole = __builtin_floorf(y) == y, even = __builtin_floor(half) == half;
    const bool negative = bool((x < 0) & (x > -kInfinity)), endless = __builtin_fabsf(y) == kInfinity;
    const float of_sign = bool(whole & !even) ? with_sign(value, x) : value;
    float result = bool(negative & !whole) ? kNaN : of_sign;
    result = x != x ? x : result;
    result = y != y ? y : result;
    return bool((y == 0) | (x == 1) | ((x == -1) & endless)) ? 1.0f : result;
}

// -- angles -----------------------------------------------------------------------------------------------------------

/// 2/π · 2^e for e from −149 up to 127, in three parts: the first two have 29 bits each, so that a float's 24 times
/// them is exact. Bits that are whole turns for every float are left out. The last entry is for what is no number.
inline constexpr int kLeastExponent = -149, kExponents = 278;
struct QuarterTurns {
    double high[kExponents], middle[kExponents], low[kExponents];
};
extern const QuarterTurns kQuarterTurns;

/// x as whole quarter turns, in the last bits, and the angle that is left, at most π/4 about zero.
struct Angle {
    std::uint64_t quarters;
    double rest;
};
LANEWORK_SIMT_FLOAT Angle angle(float x) {
    constexpr std::uint64_t kFraction = 0x000fffffffffffff, kOne = 0x3ff0000000000000;
    const std::uint64_t bits = bits_of(magnitude(x));
    const std::int64_t exponent = static_cast<std::int64_t>(bits >> 52) - (1023 + kLeastExponent);
    const std::int64_t some = exponent < 0 ? 0 : exponent, i = some < kExponents - 1 ? some : kExponents - 1;
    const double fraction = of_bits((bits & kFraction) | kOne);
    const double high = fraction * kQuarterTurns.high[i], middle = fraction * kQuarterTurns.middle[i];
    const double shifted = high + middle + kShift;
    const double rest = high - (shifted - kShift) + middle + fraction * kQuarterTurns.low[i];
    return {bits_of(shifted), rest * (kPi / 2)};
}
LANEWORK_SIMT_FLOAT double sine_of(double rest) {
    const double square = rest * rest;
    const double low = -0x1.555555545dd83p-3 + square * 0x1.11110deeb33b2p-7;
    const double high = -0x1.a013a6edc8f34p-13 + square * 0x1.6dbdd26f56d2dp-19;
    return rest + rest * square * (low + square * square * high);
}
LANEWORK_SIMT_FLOAT double cosine_of(double rest) {
    const double square = rest * rest, fourth = square * square;
    const double low = 0x1.5555555502be6p-5 - square * 0x1.6c16bf5495185p-10;
    const double high = 0x1.a015c40ec65ecp-16 - square * 0x1.25242a3a17327p-22;
    return 1 - 0.5 * square + fourth * (low + fourth * high);
}
/// The sine of so many quarter turns and a rest.
LANEWORK_SIMT_FLOAT double sine(std::uint64_t quarters, double sine, double cosine) {
    const double value = quarters & 1 ? cosine : sine;
    return of_bits(bits_of(value) ^ (quarters & 2) << 62);
}

LANEWORK_SIMT_FLOAT float sin(float x) {
    const Angle a = angle(x);
    const float value = static_cast<float>(sine(a.quarters, sine_of(a.rest), cosine_of(a.rest)));
    return x == 0 ? x : x < 0 ? -value : value;
}
LANEWORK_SIMT_FLOAT float cos(float x) {
    const Angle a = angle(x);
    const float value = static_cast<float>(sine(a.quarters + 1, sine_of(a.rest), cosine_of(a.rest)));
    return x == 0 ? 1.0f : value;
}
LANEWORK_SIMT_FLOAT float tan(float x) {
    const Angle a = angle(x);
    const double s = sine_of(a.rest), c = cosine_of(a.rest);
    const bool turned = (a.quarters & 1) != 0;
    const float value = static_cast<float>((turned ? -c : s) / (turned ? s : c));
    return x == 0 ? x : x < 0 ? -value : value;
}

/// The arc of a tangent ≥ 0.
LANEWORK_SIMT_FLOAT double arc(double tangent) {
    const bool far = tangent > 1;
    const double near = far ? 1 / tangent : tangent;
    const double t = near * near, t2 = t * t, t4 = t2 * t2;
    const double first =
        (-0x1.555555543c557p-2 + t * 0x1.9999971f594e7p-3) + t2 * (-0x1.2491d128f2977p-3 + t * 0x1.c70a6be6d4163p-4);
    const double second =
        (-0x1.73a719b0b93d9p-4 + t * 0x1.36bfd2210f14ap-4) + t2 * (-0x1.ffb2b9595f5b2p-5 + t * 0x1.837061ab40426p-5);
    const double third =
        (-0x1.ea18af61c3e87p-6 + t * 0x1.cd243cc325c05p-7) + t2 * (-0x1.14abab0185470p-8 + t * 0x1.36ecfc48d188bp-11);
    const double of_near = near + near * t * (first + t4 * (second + t4 * third));
    return far ? kPi / 2 - of_near : of_near;
}
LANEWORK_SIMT_FLOAT float atan(float x) { return with_sign(static_cast<float>(arc(magnitude(x))), x); }
LANEWORK_SIMT_FLOAT float asin(float x) {
    const double d = magnitude(x);
    return with_sign(static_cast<float>(arc(d / __builtin_sqrt((1 - d) * (1 + d)))), x);
}
LANEWORK_SIMT_FLOAT float acos(float x) {
    const double d = x;
    return static_cast<float>(2 * arc(__builtin_sqrt((1 - d) / (1 + d))));
}
LANEWORK_SIMT_FLOAT float atan2(float y, float x) {
    const double up = magnitude(y), along = magnitude(x);
    const double ratio = up == along ? (up == 0 ? 0 : 1) : up / along;
    const double flat = arc(ratio), turned = __builtin_signbit(x) ? kPi - flat : flat;
    return x != x ? x : y != y ? y : with_sign(static_cast<float>(turned), y);
}

#undef LANEWORK_SIMT_FLOAT

/// The same, compiled in the library.
#define LANEWORK_SIMT_FLOATS_OF_ONE(F) \
    F(sin)                             \
    F(cos)                             \
    F(tan)                             \
    F(asin) F(acos) F(atan) F(sinh) F(cosh) F(tanh) F(exp) F(exp2) F(exp10) F(expm1) F(log) F(log2) F(log10) F(log1p)
namespace called {
#define LANEWORK_SIMT_DECLARED(function) float function(float x);
LANEWORK_SIMT_FLOATS_OF_ONE(LANEWORK_SIMT_DECLARED)
#undef LANEWORK_SIMT_DECLARED
float pow(float x, float y);
float atan2(float y, float x);
}  // namespace called

}  // namespace lanework_simt::floats

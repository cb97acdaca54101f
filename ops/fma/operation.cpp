// What repeated multiply-adds are, and which lengths they are verified and timed on.
#include "ops/fma/operation.hpp"

#include <bit>
#include <cmath>
#include <lanework/operation.hpp>
#include <vector>

#include "src/core/fill.hpp"
#include "src/core/hard_inputs.hpp"

namespace {

constexpr Extents kVerified[] = {extents(0, 16),    extents(1, 0),     extents(1, 1),     extents(3, 5),
                                 extents(1000, 17), extents(4099, 64), extents(65537, 33)};
constexpr Extents kCuda[] = {extents(1 << 24, 1024)};
constexpr Extents kSimt[] = {extents(1 << 14, 64)};
constexpr Extents kCpu[] = {extents(1 << 16, 512)};

std::size_t elements(const Problem& p) { return static_cast<std::size_t>(p.lengths<FmaAxes>().elements); }
std::size_t starts(const Problem& p) {
    return static_cast<std::size_t>(std::min(p.lengths<FmaAxes>().elements, kStarts));
}

template <class T>
T multiply_add(T x, T a, T b) {
    return std::fma(x, a, b);
}
// Wraps around at 2^32.
template <>
std::int32_t multiply_add(std::int32_t x, std::int32_t a, std::int32_t b) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(x) * static_cast<std::uint32_t>(a) +
                                     static_cast<std::uint32_t>(b));
}

// Rounded once. On the way to a float the last bit says whether anything was lost, so that the second rounding does not
// take for a tie what is none.
float16 to_nearest_half(double exact) {
    auto value = static_cast<float>(exact);
    if (static_cast<double>(value) == exact) return to_float16(value);
    if (std::abs(static_cast<double>(value)) > std::abs(exact)) value = std::nextafter(value, 0.0F);
    return to_float16(std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) | 1U));
}
// Product and sum are exact in double: with a a multiple of 2^-11 and the others of 2^-24, below 8 in magnitude, that
// is 38 bits.
template <>
float16 multiply_add(float16 x, float16 a, float16 b) {
    return to_nearest_half(double{to_float(x)} * double{to_float(a)} + double{to_float(b)});
}

template <class T>
void reference(const FmaArgs<T>& a) {
    const std::int64_t distinct = std::min(a.elements, kStarts);
    for (std::int64_t i = 0; i < distinct; ++i) {
        T x = a.starts[i];
        for (std::int64_t step = 0; step < a.steps; ++step) x = multiply_add(x, a.coefficients[0], a.coefficients[1]);
        a.out[i] = x;
    }
    for (std::int64_t i = distinct; i < a.elements; ++i) a.out[i] = a.out[i - kStarts];
}

// Starts and b anywhere in [-1, 1); a just inside -1, so that elements keep apart for thousands of steps and stay
// below 2 in magnitude.
template <class T>
void fill_floats(const Problem& p, std::uint64_t seed, const Buffers& b) {
    const auto [first, coefficients] = b.arrays<T, T>();
    fill_uniform(first, starts(p), seed);
    fill_uniform(coefficients, 2, ~seed);
    coefficients[0] = -1 + std::abs(coefficients[0]) / 2048;
}

// As the other floats; a is rounded to a multiple of 2^-11, and is never -1 itself, which would only swap two values.
void fill_halves(const Problem& p, std::uint64_t seed, const Buffers& b) {
    std::vector<float> values(starts(p) + 2);
    fill_uniform(values.data(), values.size(), seed);
    const auto [first, coefficients] = b.arrays<float16, float16>();
    for (std::size_t i = 0; i < starts(p); ++i) first[i] = to_float16(values[i]);
    coefficients[0] = to_float16(-1 + (1 + std::floor(std::abs(values[starts(p)]) * 4)) / 2048);
    coefficients[1] = to_float16(values[starts(p) + 1]);
}

// Any integers; a is odd, so that multiplying by it loses no bits.
void fill_integers(const Problem& p, std::uint64_t seed, const Buffers& b) {
    const auto [first, coefficients] = b.arrays<std::int32_t, std::int32_t>();
    fill_uniform(first, starts(p), seed);
    fill_uniform(coefficients, 2, ~seed);
    coefficients[0] |= 1;
}

void fill(const Problem& p, std::uint64_t seed, const Buffers& b) {
    if (p.dtype == DType::float32) return fill_floats<float>(p, seed, b);
    if (p.dtype == DType::float64) return fill_floats<double>(p, seed, b);
    if (p.dtype == DType::float16) return fill_halves(p, seed, b);
    fill_integers(p, seed, b);
}

/// Starts of any size; a and b stay random, and a between −1 and 0, or errors would grow. Integers may be anything.
constexpr Input kInputs[] = {
    {"constant", "1.23", in_first_array<patterns::constant>, has_floats},
    {"alternating", "±1.23", in_first_array<patterns::alternating>, has_floats},
    {"signed_zeros", "+0, −0, …", in_first_array<patterns::signed_zeros>, has_floats},
    {"subnormal", "below the smallest normal number", in_first_array<patterns::subnormal>, has_floats},
    {"large", "max/3", in_first_array<patterns::third_of_largest>, has_floats},
    {"infinite", "+∞, −∞, …", in_first_array<patterns::infinities>, has_floats},
    {"nan", "random with a NaN", in_first_array<patterns::one_nan>, has_floats},
    {"zeros", "0", in_every_array<patterns::zeros>, has_integers},
    {"all_ones", "−1", in_every_array<patterns::all_ones>, has_integers},
    {"lowest", "min", in_every_array<patterns::lowest>, has_integers},
    {"largest", "max", in_every_array<patterns::largest>, has_integers}};

/// No x is larger than this: with a in [−1, 0] each step goes no further from the fixed point b/(1 − a) than the start
/// was, and that is at most |b|.
template <class T>
void magnitudes(const FmaArgs<T>& a, double* of) {
    for (std::int64_t i = 0; i < a.elements; ++i)
        of[i] = std::abs(static_cast<double>(a.starts[i % kStarts])) + 2 * std::abs(double{a.coefficients[1]});
}

/// Each step rounds a product and a sum, neither larger than the magnitude: ε of it in all. What was lost before is
/// multiplied by |a| ≤ 1. Twice that covers the roundings' own growth, and below the normal numbers each rounding is of
/// a fixed size.
Tolerance tolerance(const Problem& p) {
    if (p.dtype == DType::int32) return {.reason = "integers wrap around exactly"};
    if (p.dtype == DType::float16) return {.reason = "each step rounds an exact result once"};
    const bool single = p.dtype == DType::float32;
    const auto steps = static_cast<double>(p.lengths<FmaAxes>().steps);
    return {.absolute = steps * (single ? 0x1p-149 : 0x1p-1074),
            .of_magnitude = 2 * steps * (single ? 0x1p-23 : 0x1p-52),
            .reason = "processors without a fused multiply-add round twice per step, and |a| ≤ 1 lets no error grow"};
}

std::vector<BufferSpec> buffers(const Problem& p) {
    return {{"starts", Role::input, p.dtype, starts(p)},
            {"coefficients", Role::input, p.dtype, 2},
            {"out", Role::output, p.dtype, elements(p)}};
}

}  // namespace

LANEWORK_OPERATION(fma,
                   {
                       .summary = "B[i] = x after `steps` times x ← x·a + b, from x = A[i mod 4096]",
                       .axes = FmaAxes::names,
                       .verified = kVerified,
                       .timed = {.cuda = kCuda, .simt = kSimt, .cpu = kCpu},
                       .buffers = buffers,
                       .work =
                           [](const Problem& p) {
                               return work_of(buffers(p),
                                              2 * elements(p) * static_cast<std::uint64_t>(p.lengths<FmaAxes>().steps));
                           },
                       .fill = fill,
                       .inputs = kInputs,
                       .reference = {reference<float>, reference<double>, reference<std::int32_t>, reference<float16>},
                       .magnitudes = {magnitudes<float>, magnitudes<double>},
                       .tolerance = tolerance,
                   });

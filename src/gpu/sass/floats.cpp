// Arithmetic of single and double precision.
//
// MUFU's approximations are computed to the nearest number: a GPU's may differ in the last bits, which what is counted
// does not hang on, unless a kernel branches on them.
#include <algorithm>
#include <cfenv>
#include <cmath>
#include <iterator>

#include "src/gpu/sass/comparisons.hpp"
#include "src/gpu/sass/warp.hpp"

namespace lanework::machine {
namespace {

enum Flag : std::uint32_t { kFlush = 1, kSaturate = 2 };

/// Arithmetic that is not rounded to the nearest, while it lives.
class Rounding {
public:
    explicit Rounding(std::uint32_t mode) : other_(mode != FE_TONEAREST) {
        if (other_) std::fesetround(static_cast<int>(mode));
    }
    Rounding(const Rounding&) = delete;
    Rounding& operator=(const Rounding&) = delete;
    ~Rounding() {
        if (other_) std::fesetround(FE_TONEAREST);
    }

private:
    bool other_;
};
std::uint32_t taken_rounding(Decoding& d) {
    d.take("RN");
    return d.take("RM") ? FE_DOWNWARD : d.take("RP") ? FE_UPWARD : d.take("RZ") ? FE_TOWARDZERO : FE_TONEAREST;
}

constexpr int kScaleBias = 8;  // of exponents in a step's variant

float flushed(float value) { return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value; }
float finished(float value, std::uint32_t flags) {
    if (flags & kFlush) value = flushed(value);
    if (flags & kSaturate) value = std::isnan(value) ? 0.0f : std::clamp(value, 0.0f, 1.0f);
    return value;
}

// The compiler must not move arithmetic out of the rounding that it is meant for.
template <class T>
[[gnu::noinline]] T sum(T a, T b) {
    return a + b;
}
template <class T>
[[gnu::noinline]] T product(T a, T b) {
    return a * b;
}
template <class T>
[[gnu::noinline]] T fused(T a, T b, T c) {
    return std::fma(a, b, c);
}

template <class Function>
void map_floats(Warp& warp, const Step& step, std::uint32_t lanes, unsigned count, Function function) {
    std::array<Words, 3> spare;
    std::array<const Words*, 3> in{};
    for (unsigned k = 0; k < 3; ++k) in[k] = k < count ? &floats(warp, step.source[k], spare[k]) : &kZeros;
    Words result;
    const auto operand = [&](unsigned k, unsigned i) {
        const auto value = bits_as<float>((*in[k])[i]);
        return step.flags & kFlush ? flushed(value) : value;
    };
    for (unsigned i = 0; i < kWarp; ++i) {
        const float value = function(operand(0, i), operand(1, i), operand(2, i));
        result[i] = bits_as<std::uint32_t>(step.flags ? finished(value, step.flags) : value);
    }
    put(warp, step, result, lanes);
}

void add(Warp& warp, const Step& step, std::uint32_t lanes) {
    if (step.variant == FE_TONEAREST)
        return map_floats(warp, step, lanes, 2, [](float a, float b, float) { return a + b; });
    const Rounding rounding(step.variant);
    map_floats(warp, step, lanes, 2, [](float a, float b, float) { return sum(a, b); });
}
void multiply(Warp& warp, const Step& step, std::uint32_t lanes) {
    if (step.variant == FE_TONEAREST)
        return map_floats(warp, step, lanes, 2, [](float a, float b, float) { return a * b; });
    const Rounding rounding(step.variant);
    map_floats(warp, step, lanes, 2, [](float a, float b, float) { return product(a, b); });
}
void multiply_add(Warp& warp, const Step& step, std::uint32_t lanes) {
    const Rounding rounding(step.variant);
    map_floats(warp, step, lanes, 3, [](float a, float b, float c) { return fused(a, b, c); });
}
// A product's second factor is scaled by a power of two, and rounded once.
void multiply_scaled(Warp& warp, const Step& step, std::uint32_t lanes) {
    const Rounding rounding(step.variant & 0xffff);
    const int exponent = static_cast<int>(step.variant >> 16) - kScaleBias;
    map_floats(warp, step, lanes, 2, [&](float a, float b, float) {
        return static_cast<float>(std::ldexp(static_cast<double>(a) * static_cast<double>(b), exponent));
    });
}

template <Action Of, unsigned Count>
void decode_arithmetic(Decoding& d, Step& step) {
    step.action = Of;
    step.variant = taken_rounding(d);
    if (d.take("FTZ")) step.flags |= kFlush;
    if (d.take("SAT")) step.flags |= kSaturate;
    d.target(step);
    for (unsigned i = 0; i < Count; ++i) step.source[i] = d.source(Decoding::Type::single);
}

void choose(Warp& warp, const Step& step, std::uint32_t lanes) {
    std::array<Words, 2> spare;
    const Words &a = floats(warp, step.source[0], spare[0]), &b = floats(warp, step.source[1], spare[1]);
    const std::uint32_t first = warp.test(step.test[0]);
    Words result;
    for (unsigned i = 0; i < kWarp; ++i) result[i] = first >> i & 1 ? a[i] : b[i];
    put(warp, step, result, lanes);
}
float lesser(float a, float b, bool least) {
    if (std::isnan(a)) return std::isnan(b) ? bits_as<float>(0x7fffffffu) : b;
    if (std::isnan(b)) return a;
    if (a == b) return std::signbit(a) == least ? a : b;
    return (a < b) == least ? a : b;
}
void extreme(Warp& warp, const Step& step, std::uint32_t lanes) {
    const std::uint32_t least = warp.test(step.test[0]);
    unsigned lane = 0;
    map_floats(warp, step, lanes, 2, [&](float a, float b, float) { return lesser(a, b, least >> lane++ & 1); });
}
template <Action Of>
void decode_choice(Decoding& d, Step& step) {
    decode_arithmetic<Of, 2>(d, step);
    d.take("NAN");
    step.test[0] = d.test();
}

void decode_multiply(Decoding& d, Step& step) {
    constexpr std::string_view kScales[] = {"D8", "D4", "D2", "M2", "M4", "M8"};
    constexpr int kExponents[] = {-3, -2, -1, 1, 2, 3};
    for (std::size_t i = 0; i < std::size(kScales); ++i)
        if (d.take(kScales[i])) {
            decode_arithmetic<multiply_scaled, 2>(d, step);
            step.variant |= static_cast<std::uint32_t>(kExponents[i] + kScaleBias) << 16;
            return;
        }
    decode_arithmetic<multiply, 2>(d, step);
}

// -- comparisons ------------------------------------------------------------------------------------------------------

void set_compared(Warp& warp, const Step& step, std::uint32_t lanes, std::uint32_t result) {
    const std::uint32_t first = combined(warp, step, result), second = combined(warp, step, ~result);
    warp.set(step.set[0], first, lanes);
    warp.set(step.set[1], second, lanes);
}

/// In which lanes the relation holds.
std::uint32_t compared(const Warp& warp, const Step& step) {
    std::array<Words, 2> spare;
    const Words &a = floats(warp, step.source[0], spare[0]), &b = floats(warp, step.source[1], spare[1]);
    const auto operand = [&](std::uint32_t bits) {
        return step.flags & kFlush ? flushed(bits_as<float>(bits)) : bits_as<float>(bits);
    };
    return mask_of([&](unsigned i) { return (relation(operand(a[i]), operand(b[i])) & step.variant) != 0; });
}
void compare(Warp& warp, const Step& step, std::uint32_t lanes) {
    set_compared(warp, step, lanes, compared(warp, step));
}
void take_compared(Decoding& d, Step& step) {
    if (d.take("FTZ")) step.flags |= kFlush;
    step.variant = taken_combination(d) | taken_relation(d);
}
void take_operands(Decoding& d, Step& step) {
    step.source[0] = d.source(Decoding::Type::single);
    step.source[1] = d.source(Decoding::Type::single);
    step.test[0] = d.test();
}
void decode_compare(Decoding& d, Step& step) {
    step.action = compare;
    take_compared(d, step);
    d.set(step);
    take_operands(d, step);
}

// A comparison as a number: 1 or 0.
void compare_to_number(Warp& warp, const Step& step, std::uint32_t lanes) {
    const std::uint32_t yes = combined(warp, step, compared(warp, step));
    Words result;
    for (unsigned i = 0; i < kWarp; ++i) result[i] = yes >> i & 1 ? bits_as<std::uint32_t>(1.0f) : 0;
    put(warp, step, result, lanes);
}
void decode_compare_to_number(Decoding& d, Step& step) {
    step.action = compare_to_number;
    if (!d.take("BF")) d.refuse("a comparison as a mask");
    take_compared(d, step);
    d.target(step);
    take_operands(d, step);
}

void check_division(Warp& warp, const Step& step, std::uint32_t lanes) {
    warp.set(step.set[0], ~short_quotients(warp, step, 0), lanes);
}
void decode_check_division(Decoding& d, Step& step) {
    step.action = check_division;
    d.ignore({"DIVIDE"});
    d.set(step, 1);
    step.source[0] = d.source(Decoding::Type::single);
    step.source[1] = d.source(Decoding::Type::single);
}

// -- functions --------------------------------------------------------------------------------------------------------

enum Function : std::uint32_t { kReciprocal, kRootReciprocal, kRoot, kPower, kLogarithm, kSine, kCosine, kTangent };
constexpr double kTurn = 6.283185307179586;  // MUFU's angles are turns

double value_of(std::uint32_t function, double x) {
    switch (function) {
        case kReciprocal: return 1 / x;
        case kRootReciprocal: return 1 / std::sqrt(x);
        case kRoot: return std::sqrt(x);
        case kPower: return std::exp2(x);
        case kLogarithm: return std::log2(x);
        case kSine: return std::sin(x * kTurn);
        case kCosine: return std::cos(x * kTurn);
        default: return std::tanh(x);
    }
}
void special(Warp& warp, const Step& step, std::uint32_t lanes) {
    map_floats(warp, step, lanes, 1,
               [&](float a, float, float) { return static_cast<float>(value_of(step.variant, flushed(a))); });
}
// Of the upper word of a double the upper word of the result.
void special_of_double(Warp& warp, const Step& step, std::uint32_t lanes) {
    Words spare, result;
    const Words& high = floats(warp, step.source[0], spare);
    for (unsigned i = 0; i < kWarp; ++i) {
        const double value = value_of(step.variant, bits_as<double>(std::uint64_t{high[i]} << 32));
        result[i] = static_cast<std::uint32_t>(bits_as<std::uint64_t>(value) >> 32);
    }
    put(warp, step, result, lanes);
}
void decode_special(Decoding& d, Step& step) {
    constexpr std::string_view kNames[] = {"RCP", "RSQ", "SQRT", "EX2", "LG2", "SIN", "COS", "TANH"};
    step.action = special;
    if (d.take("RCP64H")) {
        step.action = special_of_double;
        step.variant = kReciprocal;
    } else if (d.take("RSQ64H")) {
        step.action = special_of_double;
        step.variant = kRootReciprocal;
    } else {
        const auto found = std::ranges::find_if(kNames, [&](std::string_view name) { return d.take(name); });
        if (found == std::end(kNames)) d.refuse("its function");
        step.variant = static_cast<std::uint32_t>(found - std::begin(kNames));
    }
    d.target(step);
    step.source[0] = d.source(Decoding::Type::single);
}

// -- doubles ----------------------------------------------------------------------------------------------------------

using Doubles = std::array<double, kWarp>;

void put_doubles(Warp& warp, const Step& step, const Doubles& value, std::uint32_t lanes) {
    Longs bits;
    std::memcpy(bits.data(), value.data(), sizeof bits);
    put_longs(warp, step, bits, lanes);
}
enum Kind : std::uint32_t { kSum, kProduct, kFused };
template <Kind Of>
void double_arithmetic(Warp& warp, const Step& step, std::uint32_t lanes) {
    Doubles a, b, c;
    doubles(warp, step.source[0], a);
    doubles(warp, step.source[1], b);
    if (Of == kFused) doubles(warp, step.source[2], c);
    const Rounding rounding(step.variant);
    for (unsigned i = 0; i < kWarp; ++i)
        a[i] = Of == kSum ? sum(a[i], b[i]) : Of == kProduct ? product(a[i], b[i]) : fused(a[i], b[i], c[i]);
    put_doubles(warp, step, a, lanes);
}
template <Kind Of>
void decode_double_arithmetic(Decoding& d, Step& step) {
    step.action = double_arithmetic<Of>;
    step.variant = taken_rounding(d);
    d.target(step);
    for (unsigned i = 0; i < (Of == kFused ? 3u : 2u); ++i) step.source[i] = d.source(Decoding::Type::double_high);
}
void compare_doubles(Warp& warp, const Step& step, std::uint32_t lanes) {
    Doubles a, b;
    doubles(warp, step.source[0], a);
    doubles(warp, step.source[1], b);
    set_compared(warp, step, lanes, mask_of([&](unsigned i) { return (relation(a[i], b[i]) & step.variant) != 0; }));
}
// Whether the first is the lesser, or the greater, of two, or the only number; and whether neither is one.
void compare_for_extreme(Warp& warp, const Step& step, std::uint32_t lanes) {
    Doubles a, b;
    doubles(warp, step.source[0], a);
    doubles(warp, step.source[1], b);
    const auto first = [&](unsigned i) { return (relation(a[i], b[i]) & step.variant) != 0 || std::isnan(b[i]); };
    warp.set(step.set[0], mask_of(first), lanes);
    warp.set(step.set[1], mask_of([&](unsigned i) { return std::isnan(a[i]) && std::isnan(b[i]); }), lanes);
}
void decode_compare_doubles(Decoding& d, Step& step) {
    step.action = compare_doubles;
    step.variant = taken_combination(d);
    if (const bool least = d.take("MIN"); least || d.take("MAX")) {
        step.action = compare_for_extreme;
        step.variant |= least ? kLess : kGreater;
    } else {
        step.variant |= taken_relation(d);
    }
    d.set(step);
    step.source[0] = d.source(Decoding::Type::double_high);
    step.source[1] = d.source(Decoding::Type::double_high);
    step.test[0] = d.test();
}

}  // namespace

// The borders are those that a GPU has: its branches were counted on both sides of each. A zero above the line takes
// the long way, too.
std::uint32_t short_quotients(const Warp& warp, const Step& step, int margin) {
    std::array<Words, 2> spare;
    const Words &a = floats(warp, step.source[0], spare[0]), &b = floats(warp, step.source[1], spare[1]);
    const auto exponent = [](std::uint32_t bits) { return static_cast<int>(bits >> 23 & 0xff); };
    const auto between = [margin](int low, int value, int high) {
        return value > low + margin && value < high - margin;
    };
    return mask_of([&](unsigned i) {
        const int x = exponent(a[i]), y = exponent(b[i]);
        return between(1, y, 252) && between(24, x, 255) && between(-125, x - y, 127);
    });
}

Decoder float_decoder(std::string_view name) {
    struct Named {
        std::string_view name;
        Decoder decoder;
    };
    constexpr Named kNamed[] = {
        {"FADD", decode_arithmetic<add, 2>},
        {"FMUL", decode_multiply},
        {"FFMA", decode_arithmetic<multiply_add, 3>},
        {"FSEL", decode_choice<choose>},
        {"FMNMX", decode_choice<extreme>},
        {"FSET", decode_compare_to_number},
        {"FSETP", decode_compare},
        {"FCHK", decode_check_division},
        {"MUFU", decode_special},
        {"DADD", decode_double_arithmetic<kSum>},
        {"DMUL", decode_double_arithmetic<kProduct>},
        {"DFMA", decode_double_arithmetic<kFused>},
        {"DSETP", decode_compare_doubles},
    };
    const auto found = std::ranges::find(kNamed, name, &Named::name);
    return found == std::end(kNamed) ? nullptr : found->decoder;
}

}  // namespace lanework::machine

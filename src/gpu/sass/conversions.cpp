// Conversions between integers and floating-point numbers, and between those of different widths.
#include <algorithm>
#include <cfenv>
#include <cmath>
#include <iterator>
#include <limits>

#include "src/gpu/sass/halves.hpp"
#include "src/gpu/sass/warp.hpp"

namespace lanework::machine {
namespace {

// A type of numbers, as modifiers name them: the width in bits, and what they are.
constexpr std::uint32_t kSigned = 1 << 8, kUnsigned = 1 << 9, kFloat = 1 << 10, kBrain = 1 << 11, kBits = 0xff;

std::uint32_t taken_type(Decoding& d, std::initializer_list<std::pair<std::string_view, std::uint32_t>> types,
                         std::uint32_t otherwise) {
    for (const auto& [name, type] : types)
        if (d.take(name)) return type;
    return otherwise;
}
std::uint32_t taken_integer(Decoding& d) {
    return taken_type(d,
                      {{"U8", kUnsigned | 8},
                       {"U16", kUnsigned | 16},
                       {"U32", kUnsigned | 32},
                       {"U64", kUnsigned | 64},
                       {"S8", kSigned | 8},
                       {"S16", kSigned | 16},
                       {"S32", kSigned | 32},
                       {"S64", kSigned | 64}},
                      kSigned | 32);
}
std::uint32_t taken_float(Decoding& d) {
    return taken_type(d, {{"F64", kFloat | 64}, {"F16", kFloat | 16}, {"BF16", kBrain | 16}}, kFloat | 32);
}

// How it is rounded, in the bits above the two types'.
constexpr std::uint32_t kNearest = 0, kDown = 1, kUp = 2, kToZero = 3;
std::uint32_t taken_rounding(Decoding& d) {
    d.ignore({"RN", "ROUND"});
    if (d.take("RM") || d.take("FLOOR")) return kDown;
    if (d.take("RP") || d.take("CEIL")) return kUp;
    return d.take("RZ") || d.take("TRUNC") ? kToZero : kNearest;
}
int as_environment(std::uint32_t round) {
    constexpr int kModes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    return kModes[round];
}
double rounded(double value, std::uint32_t round) {
    switch (round) {
        case kDown: return std::floor(value);
        case kUp: return std::ceil(value);
        case kToZero: return std::trunc(value);
        default: return std::nearbyint(value);
    }
}

std::uint64_t cut(std::uint64_t value, std::uint32_t type) {
    const unsigned bits = type & kBits;
    if (bits == 64) return value;
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1, sign = std::uint64_t{1} << (bits - 1);
    value &= mask;
    return type & kSigned && value & sign ? value | ~mask : value;
}

void read_floats(const Warp& warp, const Source& source, std::uint32_t type, std::array<double, kWarp>& out) {
    if ((type & kBits) == 64) return doubles(warp, source, out);
    Words spare;
    if ((type & kBits) == 32) {
        const Words& words = floats(warp, source, spare);
        for (unsigned i = 0; i < kWarp; ++i) out[i] = static_cast<double>(bits_as<float>(words[i]));
        return;
    }
    Source plain = source;
    plain.negative = plain.absolute = false;
    const Words& words = integers(warp, plain, spare);
    for (unsigned i = 0; i < kWarp; ++i) {
        const auto bits = static_cast<std::uint16_t>(words[i]);
        double value = static_cast<double>(type & kBrain ? bfloat_value(bits) : half_value(bits));
        if (source.absolute) value = std::fabs(value);
        out[i] = source.negative ? -value : value;
    }
}
void put_floats(Warp& warp, const Step& step, std::uint32_t type, const std::array<double, kWarp>& value,
                std::uint32_t lanes) {
    Longs bits{};
    for (unsigned i = 0; i < kWarp; ++i) {
        switch (type & kBits) {
            case 64: bits[i] = bits_as<std::uint64_t>(value[i]); break;
            case 32: bits[i] = bits_as<std::uint32_t>(static_cast<float>(value[i])); break;
            default: bits[i] = type & kBrain ? bfloat_bits(value[i]) : half_bits(value[i]);
        }
    }
    if ((type & kBits) == 64) return put_longs(warp, step, bits, lanes);
    Words words;
    for (unsigned i = 0; i < kWarp; ++i) words[i] = static_cast<std::uint32_t>(bits[i]);
    put(warp, step, words, lanes);
}

// `variant` is the type that is read, `flags` the one that is made, `to` the rounding.

template <class T>
[[gnu::noinline]] T converted(std::uint64_t value, bool is_signed) {
    return is_signed ? static_cast<T>(static_cast<std::int64_t>(value)) : static_cast<T>(value);
}
void integer_to_float(Warp& warp, const Step& step, std::uint32_t lanes) {
    Longs in{};
    if ((step.variant & kBits) == 64) {
        longs(warp, step.source[0], in);
    } else {
        Words spare;
        const Words& words = integers(warp, step.source[0], spare);
        for (unsigned i = 0; i < kWarp; ++i) in[i] = cut(words[i], step.variant);
    }
    std::array<double, kWarp> out;
    std::fesetround(as_environment(step.to));
    const bool is_signed = step.variant & kSigned;
    for (unsigned i = 0; i < kWarp; ++i)
        out[i] = (step.flags & kBits) == 64 ? converted<double>(in[i], is_signed)
                                            : static_cast<double>(converted<float>(in[i], is_signed));
    std::fesetround(FE_TONEAREST);
    put_floats(warp, step, step.flags, out, lanes);
}
void decode_integer_to_float(Decoding& d, Step& step) {
    step.action = integer_to_float;
    if (d.take("F32"))
        step.flags = kFloat | 32;
    else
        step.flags = taken_float(d);
    step.variant = taken_integer(d);
    step.to = taken_rounding(d);
    d.target(step);
    step.source[0] = d.source((step.variant & kBits) == 64 ? Decoding::Type::long_integer : Decoding::Type::integer);
}

/// The nearest number that the type has; zero for what is none, as U32 and S32 conversions do.
std::uint64_t saturated(double value, std::uint32_t type) {
    const unsigned bits = type & kBits;
    if (std::isnan(value)) return bits == 64 ? std::uint64_t{1} << 63 : 0;
    if (type & kUnsigned) {
        if (value <= 0) return 0;
        if (value >= std::ldexp(1.0, static_cast<int>(bits))) return cut(~std::uint64_t{0}, type);
        return static_cast<std::uint64_t>(value);
    }
    const double most = std::ldexp(1.0, static_cast<int>(bits) - 1);
    if (value >= most) return (std::uint64_t{1} << (bits - 1)) - 1;
    if (value <= -most) return 0 - (std::uint64_t{1} << (bits - 1));
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
}
void float_to_integer(Warp& warp, const Step& step, std::uint32_t lanes) {
    std::array<double, kWarp> in;
    read_floats(warp, step.source[0], step.variant, in);
    Longs out;
    for (unsigned i = 0; i < kWarp; ++i) out[i] = saturated(rounded(in[i], step.to), step.flags);
    if ((step.flags & kBits) == 64) return put_longs(warp, step, out, lanes);
    Words words;
    for (unsigned i = 0; i < kWarp; ++i) words[i] = static_cast<std::uint32_t>(out[i]);
    put(warp, step, words, lanes);
}
Decoding::Type literal_type(std::uint32_t type) {
    return (type & kBits) == 64 ? Decoding::Type::double_high : Decoding::Type::single;
}
void decode_float_to_integer(Decoding& d, Step& step) {
    step.action = float_to_integer;
    d.ignore({"FTZ", "NTZ"});
    step.flags = taken_integer(d);
    step.variant = d.take("F32") ? kFloat | 32 : taken_float(d);
    step.to = taken_rounding(d);
    d.target(step);
    step.source[0] = d.source(literal_type(step.variant));
}

void float_to_float(Warp& warp, const Step& step, std::uint32_t lanes) {
    std::array<double, kWarp> value;
    read_floats(warp, step.source[0], step.variant, value);
    std::fesetround(as_environment(step.to));
    put_floats(warp, step, step.flags, value, lanes);
    std::fesetround(FE_TONEAREST);
}
// The type that is made is named before the one that is read.
void decode_float_to_float(Decoding& d, Step& step) {
    step.action = float_to_float;
    d.ignore({"FTZ"});
    const std::string_view name = d.instruction.name;
    const auto type = [&](std::string_view word) -> std::uint32_t {
        return word == "F64"    ? kFloat | 64
               : word == "F32"  ? kFloat | 32
               : word == "F16"  ? kFloat | 16
               : word == "BF16" ? kBrain | 16
                                : 0;
    };
    const auto first = name.find('.') + 1, second = name.find('.', first) + 1;
    step.flags = type(name.substr(first, second - first - 1));
    step.variant = type(name.substr(second, name.find('.', second) - second));
    if (step.flags == 0 || step.variant == 0) d.refuse();
    d.ignore({"F64", "F32", "F16", "BF16"});
    step.to = taken_rounding(d);
    d.target(step);
    step.source[0] = d.source(literal_type(step.variant));
}

void round_float(Warp& warp, const Step& step, std::uint32_t lanes) {
    std::array<double, kWarp> value;
    read_floats(warp, step.source[0], step.variant, value);
    for (double& each : value) each = rounded(each, step.to);
    put_floats(warp, step, step.variant, value, lanes);
}
void decode_round_float(Decoding& d, Step& step) {
    step.action = round_float;
    d.ignore({"FTZ"});
    step.variant = taken_float(d);
    step.to = taken_rounding(d);
    d.target(step);
    step.source[0] = d.source(literal_type(step.variant));
}

// Two numbers of 32 bits as one word of two numbers of 16: the first is the upper half.
void pack(Warp& warp, const Step& step, std::uint32_t lanes) {
    std::array<double, kWarp> high, low;
    read_floats(warp, step.source[0], kFloat | 32, high);
    read_floats(warp, step.source[1], kFloat | 32, low);
    Words result;
    const auto narrow = [&](double value) { return step.flags & kBrain ? bfloat_bits(value) : half_bits(value); };
    for (unsigned i = 0; i < kWarp; ++i) result[i] = static_cast<std::uint32_t>(narrow(high[i])) << 16 | narrow(low[i]);
    put(warp, step, result, lanes);
}
void decode_pack(Decoding& d, Step& step) {
    step.action = pack;
    if (!d.take("F32") || !d.take("PACK_AB")) d.refuse();
    step.flags = taken_float(d);
    if ((step.flags & kBits) != 16) d.refuse();
    d.target(step);
    step.source[0] = d.source(Decoding::Type::single);
    step.source[1] = d.source(Decoding::Type::single);
}

}  // namespace

Decoder conversion_decoder(std::string_view name) {
    struct Named {
        std::string_view name;
        Decoder decoder;
    };
    constexpr Named kNamed[] = {
        {"I2F", decode_integer_to_float}, {"I2FP", decode_integer_to_float}, {"F2I", decode_float_to_integer},
        {"F2F", decode_float_to_float},   {"FRND", decode_round_float},      {"F2FP", decode_pack},
    };
    const auto found = std::ranges::find(kNamed, name, &Named::name);
    return found == std::end(kNamed) ? nullptr : found->decoder;
}

}  // namespace lanework::machine

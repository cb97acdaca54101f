// Arithmetic and comparisons of pairs of 16-bit numbers, and the sums of single halves that give 32 bits.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "src/gpu/sass/comparisons.hpp"
#include "src/gpu/sass/halves.hpp"
#include "src/gpu/sass/warp.hpp"

namespace lanework::machine {
namespace {

enum Flag : std::uint32_t { kBrain = 1, kSaturate = 2, kWide = 4, kNumbers = 8 };

double value_of(std::uint16_t bits, std::uint32_t flags) {
    return static_cast<double>(flags & kBrain ? bfloat_value(bits) : half_value(bits));
}
std::uint32_t bits_of(double value, std::uint32_t flags) {
    if (flags & kSaturate) value = std::isnan(value) ? 0 : std::clamp(value, 0.0, 1.0);
    return flags & kBrain ? bfloat_bits(value) : half_bits(value);
}

/// Both halves of an operand, or one of them twice, with its signs.
struct Halves {
    std::array<std::array<double, 2>, kWarp> value;

    Halves(const Warp& warp, const Source& source, std::uint32_t flags) {
        Source plain = source;
        plain.negative = plain.absolute = false;
        plain.half = MachineOperand::Half::both;
        Words spare;
        const Words& words = raw(warp, plain, spare);
        for (unsigned i = 0; i < kWarp; ++i)
            for (unsigned half = 0; half < 2; ++half) {
                const bool upper =
                    source.half == MachineOperand::Half::both ? half == 1 : source.half == MachineOperand::Half::high;
                double each = value_of(static_cast<std::uint16_t>(words[i] >> (upper ? 16 : 0)), flags);
                if (source.absolute) each = std::fabs(each);
                value[i][half] = source.negative ? -each : each;
            }
    }
};

template <class Function>
void map_halves(Warp& warp, const Step& step, std::uint32_t lanes, unsigned count, Function function) {
    const Source nothing;
    const Halves a(warp, step.source[0], step.flags), b(warp, count > 1 ? step.source[1] : nothing, step.flags),
        c(warp, count > 2 ? step.source[2] : nothing, step.flags);
    Words result;
    for (unsigned i = 0; i < kWarp; ++i) {
        const auto one = [&](unsigned half) {
            return function(a.value[i][half], b.value[i][half], c.value[i][half], i);
        };
        if (step.flags & kWide)
            result[i] = bits_as<std::uint32_t>(static_cast<float>(one(0)));
        else
            result[i] = bits_of(one(0), step.flags) | bits_of(one(1), step.flags) << 16;
    }
    put(warp, step, result, lanes);
}

void add(Warp& warp, const Step& step, std::uint32_t lanes) {
    map_halves(warp, step, lanes, 2, [](double a, double b, double, unsigned) { return a + b; });
}
void multiply(Warp& warp, const Step& step, std::uint32_t lanes) {
    map_halves(warp, step, lanes, 2, [](double a, double b, double, unsigned) { return a * b; });
}
void multiply_add(Warp& warp, const Step& step, std::uint32_t lanes) {
    map_halves(warp, step, lanes, 3, [](double a, double b, double c, unsigned) { return std::fma(a, b, c); });
}
void extreme(Warp& warp, const Step& step, std::uint32_t lanes) {
    const std::uint32_t least = warp.test(step.test[0]);
    map_halves(warp, step, lanes, 2, [&](double a, double b, double, unsigned i) {
        if (std::isnan(a)) return b;
        if (std::isnan(b)) return a;
        return (a < b) == static_cast<bool>(least >> i & 1) ? a : b;
    });
}

template <Action Of, unsigned Count>
void decode_halves(Decoding& d, Step& step) {
    step.action = Of;
    if (d.take("BF16_V2") || d.take("BF16")) step.flags |= kBrain;
    if (d.take("F32")) step.flags |= kWide;
    if (d.take("SAT")) step.flags |= kSaturate;
    d.ignore({"MMA", "FTZ"});
    d.target(step);
    for (unsigned i = 0; i < Count; ++i) step.source[i] = d.source(Decoding::Type::two_halves);
    // Literals are read as halves of the common kind.
    if (step.flags & kBrain)
        for (unsigned i = 0; i < Count; ++i)
            if (step.source[i].from == Source::From::value && step.source[i].value != 0) d.refuse("a literal");
    if (Of == static_cast<Action>(extreme)) step.test[0] = d.test();
}

// -- comparisons ------------------------------------------------------------------------------------------------------

/// In which lanes the relation holds of this half, with the predicate that it is combined with.
std::uint32_t compared(const Warp& warp, const Step& step, unsigned half) {
    const Halves a(warp, step.source[0], step.flags), b(warp, step.source[1], step.flags);
    return combined(warp, step, mask_of([&](unsigned i) {
                        return (relation(a.value[i][half], b.value[i][half]) & step.variant) != 0;
                    }));
}
void set_compared(Warp& warp, const Step& step, std::uint32_t lanes) {
    warp.set(step.set[0], compared(warp, step, 0), lanes);
}
// As numbers, 1 or 0, or as masks of 16 bits.
void compare_to_halves(Warp& warp, const Step& step, std::uint32_t lanes) {
    const std::uint32_t low = compared(warp, step, 0), high = compared(warp, step, 1);
    const std::uint32_t yes = step.flags & kNumbers ? bits_of(1, step.flags) : 0xffff;
    Words result;
    for (unsigned i = 0; i < kWarp; ++i) result[i] = (low >> i & 1 ? yes : 0) | (high >> i & 1 ? yes : 0) << 16;
    put(warp, step, result, lanes);
}
void take_comparison(Decoding& d, Step& step) {
    if (d.take("BF16_V2")) step.flags |= kBrain;
    if (d.take("BF")) step.flags |= kNumbers;
    step.variant = taken_combination(d) | taken_relation(d);
}
void take_compared(Decoding& d, Step& step) {
    for (unsigned i = 0; i < 2; ++i) step.source[i] = d.source(Decoding::Type::two_halves);
    if (step.flags & kBrain && step.source[1].from == Source::From::value && step.source[1].value != 0)
        d.refuse("a literal");
    step.test[0] = d.test();
}
void decode_compare(Decoding& d, Step& step) {
    step.action = set_compared;
    take_comparison(d, step);
    d.set(step);
    if (step.set[1].index != kTruePredicate) d.refuse("a second predicate");
    take_compared(d, step);
}
void decode_compare_to_halves(Decoding& d, Step& step) {
    step.action = compare_to_halves;
    take_comparison(d, step);
    d.target(step);
    take_compared(d, step);
}

}  // namespace

Decoder half_decoder(std::string_view name) {
    struct Named {
        std::string_view name;
        Decoder decoder;
    };
    constexpr Named kNamed[] = {
        {"HADD2", decode_halves<add, 2>},
        {"HMUL2", decode_halves<multiply, 2>},
        {"HFMA2", decode_halves<multiply_add, 3>},
        {"HMNMX2", decode_halves<extreme, 2>},
        {"HSETP2", decode_compare},
        {"HSET2", decode_compare_to_halves},
    };
    const auto found = std::ranges::find(kNamed, name, &Named::name);
    return found == std::end(kNamed) ? nullptr : found->decoder;
}

}  // namespace lanework::machine

// Arithmetic of pairs of 16-bit numbers, and the sums of single halves that give 32 bits.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "src/gpu/sass/halves.hpp"
#include "src/gpu/sass/warp.hpp"

namespace lanework::machine {
namespace {

enum Flag : std::uint32_t { kBrain = 1, kSaturate = 2, kWide = 4 };

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
    };
    const auto found = std::ranges::find(kNamed, name, &Named::name);
    return found == std::end(kNamed) ? nullptr : found->decoder;
}

}  // namespace lanework::machine

// Results that differ from this processor's in their last places: those of functions that a GPU approximates, within
// the errors that the PTX ISA states, and those of products that are rounded before they are added.
//
// Sums and products of their own are rounded alike everywhere, and stay.
#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <utility>

#include "src/gpu/sass/instructions.hpp"
#include "src/gpu/sass/warp.hpp"

namespace lanework::machine {
namespace {

constexpr unsigned kProducts = 8;  // of which so many are unfused

bool by_lot(Warp& warp) {
    Launch& launch = *warp.block->launch;
    return draw(launch, kProducts) < launch.about.variation.unfused;
}

/// Executes the step, and then `change` on each lane's result.
template <class Change>
void change_words(Warp& warp, const Step& step, std::uint32_t lanes, Change change) {
    warp.block->launch->unvaried[step.index](warp, step, lanes);
    if (step.target == kZeroRegister || step.uniform_target) return;
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        change(warp.reg[step.target][lane], lane);
    }
}

// -- functions --------------------------------------------------------------------------------------------------------

/// How far a function's result may be from the true one: by a part of it, by itself, or by one in its last place.
struct Error {
    std::string_view name;
    double relative, absolute;
    bool last_place = false;
};
// "PTX ISA", "Floating Point Instructions": the maximum errors of rcp, rsqrt, sqrt, ex2, lg2, sin, cos and tanh with
// .approx. Of rcp it is one in the last place, on which the compiler relies where it divides integers: with two, some
// quotients are wrong.
constexpr double kPlace = 0x1p-23;
constexpr Error kErrors[] = {
    {".RCP64H", 0, 0, true},   {".RSQ64H", 0, 0, true}, {".RCP", 0, 0, true},       {".RSQ", 0x1p-22, 0},
    {".SQRT", kPlace, 0},      {".EX2", 0x1p-22, 0},    {".LG2", 0x1p-22, 0x1p-22}, {".SIN", kPlace, 0x1p-20},
    {".COS", kPlace, 0x1p-20}, {".TANH", 0x1p-11, 0},
};

template <std::size_t Of>
void vary_function(Warp& warp, const Step& step, std::uint32_t lanes) {
    constexpr Error kError = kErrors[Of];
    constexpr std::uint64_t kSteps = 5;  // from one end to the other
    change_words(warp, step, lanes, [&](std::uint32_t& word, unsigned) {
        const double part = (static_cast<double>(draw(*warp.block->launch, kSteps)) - 2) / 2;
        // It was drawn all the same: the order of threads is that of the run whose functions are off.
        if (!warp.block->launch->about.variation.functions) return;
        const float value = bits_as<float>(word);
        // Infinite or 0, also where it is the upper word of a double.
        if (!std::isfinite(value) || value == 0) return;
        if constexpr (kError.last_place) {
            word += static_cast<std::uint32_t>(std::lround(part));
        } else {
            const double most = std::fabs(value) * kError.relative + kError.absolute;
            word = bits_as<std::uint32_t>(static_cast<float>(value + part * most));
        }
    });
}

template <std::size_t... Of>
Action action_of(std::string_view name, std::index_sequence<Of...>) {
    constexpr Action kActions[] = {vary_function<Of>...};
    for (std::size_t i = 0; i < std::size(kErrors); ++i)
        if (name.find(kErrors[i].name) != name.npos) return kActions[i];
    return nullptr;
}

// -- products that are added ------------------------------------------------------------------------------------------

[[gnu::noinline]] float product(float a, float b) { return a * b; }
[[gnu::noinline]] double product(double a, double b) { return a * b; }

void unfuse(Warp& warp, const Step& step, std::uint32_t lanes) {
    std::array<Words, 3> spare;
    Words unfused;
    const Words &a = floats(warp, step.source[0], spare[0]), &b = floats(warp, step.source[1], spare[1]),
                &c = floats(warp, step.source[2], spare[2]);
    for (unsigned i = 0; i < kWarp; ++i)
        unfused[i] = bits_as<std::uint32_t>(product(bits_as<float>(a[i]), bits_as<float>(b[i])) + bits_as<float>(c[i]));
    change_words(warp, step, lanes, [&](std::uint32_t& word, unsigned lane) {
        if (std::isfinite(bits_as<float>(unfused[lane])) && by_lot(warp)) word = unfused[lane];
    });
}
void unfuse_doubles(Warp& warp, const Step& step, std::uint32_t lanes) {
    std::array<double, kWarp> a, b, c;
    doubles(warp, step.source[0], a);
    doubles(warp, step.source[1], b);
    doubles(warp, step.source[2], c);
    change_words(warp, step, lanes, [&](std::uint32_t& word, unsigned lane) {
        const double unfused = product(a[lane], b[lane]) + c[lane];
        if (!std::isfinite(unfused) || !by_lot(warp)) return;
        const auto bits = bits_as<std::uint64_t>(unfused);
        word = static_cast<std::uint32_t>(bits);
        warp.reg[step.target + 1][lane] = static_cast<std::uint32_t>(bits >> 32);
    });
}

}  // namespace

std::uint64_t draw(Launch& launch, std::uint64_t end) {
    // George Marsaglia's xorshift, "Xorshift RNGs", 2003.
    launch.lot ^= launch.lot << 13;
    launch.lot ^= launch.lot >> 7;
    launch.lot ^= launch.lot << 17;
    return launch.lot % end;
}

void vary(Launch& launch, const MachineInstruction& instruction, Step& step, bool of_quotient) {
    const std::string_view name = instruction.name;
    Action action = nullptr;
    if (name.starts_with("MUFU.")) action = action_of(name, std::make_index_sequence<std::size(kErrors)>());
    const bool unfuses = launch.about.variation.unfused != 0 && !of_quotient;
    if (unfuses && (name == "FFMA" || name == "FFMA.FTZ")) action = unfuse;
    if (unfuses && name == "DFMA") action = unfuse_doubles;
    launch.unvaried.push_back(step.action);
    if (action) step.action = action;
}

}  // namespace lanework::machine

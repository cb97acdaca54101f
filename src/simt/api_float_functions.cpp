// What the float functions of kernels need beside their formulas: the digits of 2/π, and calls for code that is
// watched, in which they would count as accesses of the kernel.
#include <lanework_simt/float_functions.hpp>

namespace lanework_simt {
namespace floats {
namespace {

/// The first 256 bits of 2/π behind the point.
constexpr std::uint64_t kTwoByPi[] = {0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561};

constexpr double power_of_two(int exponent) {
    double power = 1;
    for (; exponent > 0; --exponent) power *= 2;
    for (; exponent < 0; ++exponent) power /= 2;
    return power;
}

/// The bits of 2/π · 2^e from 2^first down, `count` of them.
constexpr double bits_of_turns(int e, int first, int count) {
    double sum = 0, weight = power_of_two(first);
    for (int w = first; w > first - count; --w, weight /= 2) {
        const int bit = e - w - 1;  // of 2/π, counted from 0 behind the point
        if (bit >= 0 && (kTwoByPi[bit / 64] >> (63 - bit % 64) & 1) != 0) sum += weight;
    }
    return sum;
}

constexpr int kExact = 29, kRest = 53;
/// 2^25 times the last of a float's 24 bits is one turn of four quarters.
constexpr int kMost = 24;

constexpr QuarterTurns quarter_turns() {
    QuarterTurns turns{};
    for (int i = 0; i + 1 < kExponents; ++i) {
        const int e = kLeastExponent + i, first = e - 1 < kMost ? e - 1 : kMost;
        turns.high[i] = bits_of_turns(e, first, kExact);
        turns.middle[i] = bits_of_turns(e, first - kExact, kExact);
        turns.low[i] = bits_of_turns(e, first - 2 * kExact, kRest);
    }
    turns.high[kExponents - 1] = static_cast<double>(kNaN);
    return turns;
}
}  // namespace

constexpr QuarterTurns kQuarterTurns = quarter_turns();

namespace called {
#define LANEWORK_SIMT_DEFINED(function) \
    float function(float x) { return floats::function(x); }
LANEWORK_SIMT_FLOATS_OF_ONE(LANEWORK_SIMT_DEFINED)
#undef LANEWORK_SIMT_DEFINED
float pow(float x, float y) { return floats::pow(x, y); }
float atan2(float y, float x) { return floats::atan2(y, x); }
}  // namespace called

}  // namespace floats
}  // namespace lanework_simt

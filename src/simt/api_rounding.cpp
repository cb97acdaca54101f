// Arithmetic and conversions in a given rounding direction: the processor does them, told to round that way.
#include <cfenv>
#include <cmath>
#include <lanework_simt/conversions.hpp>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace lanework_simt {
namespace {

#if defined(__SSE2__)
// Vector units alone compute floats and doubles on x86-64; the C library would set the x87's mode, too, which costs
// more than the arithmetic.
using Mode = unsigned;
Mode present_mode() { return _mm_getcsr(); }
void set_mode(Mode mode) { _mm_setcsr(mode); }
Mode towards(directed::Direction direction, Mode before) {
    const unsigned bits = direction == directed::Direction::zero ? _MM_ROUND_TOWARD_ZERO
                          : direction == directed::Direction::up ? _MM_ROUND_UP
                                                                 : _MM_ROUND_DOWN;
    return (before & ~static_cast<unsigned>(_MM_ROUND_MASK)) | bits;
}
#else
using Mode = int;
Mode present_mode() { return std::fegetround(); }
void set_mode(Mode mode) { std::fesetround(mode); }
Mode towards(directed::Direction direction, Mode) {
    switch (direction) {
        case directed::Direction::zero: return FE_TOWARDZERO;
        case directed::Direction::up: return FE_UPWARD;
        default: return FE_DOWNWARD;
    }
}
#endif

class Rounding {
public:
    explicit Rounding(directed::Direction direction) : before_(present_mode()) {
        set_mode(towards(direction, before_));
    }
    ~Rounding() { set_mode(before_); }
    Rounding(const Rounding&) = delete;
    Rounding& operator=(const Rounding&) = delete;

private:
    Mode before_;
};

// The operands and the result are volatile, so that the operation stays between the changes of the mode.
template <class T, class Compute>
T rounded(T x, T y, directed::Direction direction, Compute compute) {
    const Rounding rounding(direction);
    const volatile T left = x, right = y;
    const volatile T result = compute(T(left), T(right));
    return result;
}

template <class T>
T rounded_fused(T x, T y, T z, directed::Direction direction) {
    const Rounding rounding(direction);
    const volatile T a = x, b = y, c = z;
    const volatile T result = std::fma(T(a), T(b), T(c));
    return result;
}

template <class To, class From>
To rounded_cast(From x, directed::Direction direction) {
    const Rounding rounding(direction);
    const volatile From from = x;
    const volatile To result = To(From(from));
    return result;
}

}  // namespace

namespace directed {

float add(float x, float y, Direction d) {
    return rounded(x, y, d, [](float a, float b) { return a + b; });
}
float multiply(float x, float y, Direction d) {
    return rounded(x, y, d, [](float a, float b) { return a * b; });
}
float divide(float x, float y, Direction d) {
    return rounded(x, y, d, [](float a, float b) { return a / b; });
}
float root(float x, Direction d) {
    return rounded(x, 0.0f, d, [](float a, float) { return std::sqrt(a); });
}
float fused(float x, float y, float z, Direction d) { return rounded_fused(x, y, z, d); }

double add(double x, double y, Direction d) {
    return rounded(x, y, d, [](double a, double b) { return a + b; });
}
double multiply(double x, double y, Direction d) {
    return rounded(x, y, d, [](double a, double b) { return a * b; });
}
double divide(double x, double y, Direction d) {
    return rounded(x, y, d, [](double a, double b) { return a / b; });
}
double root(double x, Direction d) {
    return rounded(x, 0.0, d, [](double a, double) { return std::sqrt(a); });
}
double fused(double x, double y, double z, Direction d) { return rounded_fused(x, y, z, d); }

}  // namespace directed

namespace conversion {

float narrow(double x, directed::Direction direction) { return rounded_cast<float>(x, direction); }

float to_float(long long x, directed::Direction direction) { return rounded_cast<float>(x, direction); }
double to_double(long long x, directed::Direction direction) { return rounded_cast<double>(x, direction); }

// x86 has no conversion from 64 bits without a sign: a value above the signed range is halved, its last bit kept as a
// sticky bit, and doubled again, which is exact.
template <class To>
To of_unsigned(unsigned long long x, directed::Direction direction) {
    if (x >> 63 == 0) return rounded_cast<To>(static_cast<long long>(x), direction);
    return 2 * rounded_cast<To>(static_cast<long long>(x >> 1 | (x & 1)), direction);
}
float to_float(unsigned long long x, directed::Direction direction) { return of_unsigned<float>(x, direction); }
double to_double(unsigned long long x, directed::Direction direction) { return of_unsigned<double>(x, direction); }

}  // namespace conversion
}  // namespace lanework_simt

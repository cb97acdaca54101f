// The functions of device mathematics that the C library lacks: half turns, inverse error functions, Bessel functions.
#include <cmath>
#include <lanework_simt/math.hpp>
#include <limits>

namespace lanework_simt {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInverseRootPi = 0.56418958354775628695;  // 1/√π
constexpr int kNewtonSteps = 8;                            // twice what the worst starting value needs

/// Winitzki's closed form, right to two digits: where Newton's method starts. `tail` is 1 − |y|.
double erfinv_estimate(double tail) {
    constexpr double kA = 0.147;
    const double log_term = std::log(tail * (2.0 - tail));
    const double middle = 2.0 / (M_PI * kA) + log_term / 2.0;
    return std::sqrt(std::sqrt(middle * middle - log_term / kA) - middle);
}

/// The x ≥ 0 whose erfc is `tail`, for a tail in (0, 1/2]: Newton's method on the logarithm, where the tail is nearly
/// a parabola, so that the smallest tails keep their relative accuracy.
double erfcinv_of_tail(double tail) {
    double x = erfinv_estimate(tail);
    for (int step = 0; step < kNewtonSteps; ++step) {
        const double value = std::erfc(x);
        const double slope = 2.0 * kInverseRootPi * std::exp(-x * x) / value;
        const double change = std::log(value / tail) / slope;
        x += change;
        if (std::fabs(change) < 1e-16 * x) break;
    }
    return x;
}

/// The x whose erf is y, for |y| ≤ 1/2.
double erfinv_near_zero(double y) {
    double x = y / (2.0 * kInverseRootPi);
    for (int step = 0; step < kNewtonSteps; ++step) {
        const double change = (std::erf(x) - y) / (2.0 * kInverseRootPi * std::exp(-x * x));
        x -= change;
        if (std::fabs(change) <= 1e-17 * std::fabs(x)) break;
    }
    return x;
}

/// The continued fraction of √π·erfcx, for large x, from its far end.
double erfcx_tail(double x) {
    double fraction = 0.0;
    for (int term = 60; term >= 1; --term) fraction = 0.5 * term / (x + fraction);
    return kInverseRootPi / (x + fraction);
}

/// The modified Bessel function of order 0 or 1: its power series, all of whose terms have one sign, while it is short.
double bessel_i(int order, double x) {
    if (std::isnan(x)) return x;
    if (std::fabs(x) > 30.0) {
        const double value = std::cyl_bessel_i(double(order), std::fabs(x));
        return order == 1 ? std::copysign(value, x) : value;
    }
    const double square = x * x / 4.0;
    double term = order == 1 ? x / 2.0 : 1.0, sum = 0.0;
    for (int k = 1; sum + term != sum; ++k) {
        sum += term;
        term *= square / (double(k) * (k + order));
    }
    return sum;
}

/// x reduced to [−1, 1] by whole turns of 2; exact.
double turn(double x) { return std::remainder(x, 2.0); }

}  // namespace

namespace half_turns {

double sine(double x) {
    double part = turn(x);
    if (std::fabs(part) > 0.5) part = std::copysign(1.0, part) - part;  // sin(π − a) = sin a
    if (part == 0.0) return std::copysign(0.0, x);
    return std::sin(M_PI * part);
}

double cosine(double x) {
    const double part = std::fabs(turn(x));
    return part <= 0.25 ? std::cos(M_PI * part) : std::sin(M_PI * (0.5 - part));
}

}  // namespace half_turns

double api::erfinv(double y) {
    const double magnitude = std::fabs(y);
    if (!(magnitude <= 1.0)) return kNaN;
    if (magnitude == 1.0) return std::copysign(kInfinity, y);
    if (magnitude <= 0.5) return erfinv_near_zero(y);
    return std::copysign(erfcinv_of_tail(1.0 - magnitude), y);
}

double api::erfcinv(double y) {
    if (!(y >= 0.0 && y <= 2.0)) return kNaN;
    if (y == 0.0) return kInfinity;
    if (y == 2.0) return -kInfinity;
    if (y < 0.5) return erfcinv_of_tail(y);
    if (y > 1.5) return -erfcinv_of_tail(2.0 - y);
    return erfinv_near_zero(1.0 - y);
}

double api::erfcx(double x) {
    if (x > 3.0) return erfcx_tail(x);
    if (x < -27.0) return kInfinity;
    const double square = x * x, rest = std::fma(x, x, -square);
    return std::exp(square) * (1.0 + rest) * std::erfc(x);
}

double api::normcdf(double x) {
    // x/√2 is kept in two parts: far out in the tail, the rounding of one would show as a thousand ulps.
    constexpr double kRootHalfRest = -4.8336466567264567e-17;  // 1/√2 − M_SQRT1_2
    const double scaled = -x * M_SQRT1_2;
    if (!(std::fabs(scaled) < 30.0)) return 0.5 * std::erfc(scaled);
    const double rest = std::fma(-x, M_SQRT1_2, -scaled) - x * kRootHalfRest;
    return 0.5 * (std::erfc(scaled) - 2.0 * kInverseRootPi * std::exp(-scaled * scaled) * rest);
}

double api::cyl_bessel_i0(double x) { return bessel_i(0, x); }
double api::cyl_bessel_i1(double x) { return bessel_i(1, x); }

}  // namespace lanework_simt

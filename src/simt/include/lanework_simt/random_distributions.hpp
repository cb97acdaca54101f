// Distributions over cuRAND's generators: uniform in (0, 1], normal by Box and Muller's transform, log-normal, Poisson.
#pragma once

#include <type_traits>

#include <lanework_simt/math.hpp>
#include <lanework_simt/random_generators.hpp>
#include <lanework_simt/sobol.hpp>

namespace lanework_simt {
namespace random_distributions {
inline constexpr float kTo1 = 2.3283064e-10f, kTwoPi = 6.2831855f;
inline constexpr double kTo1Double = 1.1102230246251565e-16, kMrgTo1 = 2.3283065498378288e-10;

LANEWORK_SIMT_BUILTIN float uniform(unsigned int x) { return float(x) * kTo1 + kTo1 / 2; }
LANEWORK_SIMT_BUILTIN float uniform(unsigned long long x) { return uniform(static_cast<unsigned int>(x >> 32)); }
/// Of one number, unlike most generators' of two.
LANEWORK_SIMT_BUILTIN double uniform_double(unsigned int x) { return x * 0x1p-32 + 0x1p-32; }
LANEWORK_SIMT_BUILTIN double uniform_double(unsigned long long x) {
    return double(x >> 11) * kTo1Double + kTo1Double / 2;
}
/// Of the lower 53 bits of two numbers put side by side.
LANEWORK_SIMT_BUILTIN double uniform(unsigned int x, unsigned int y) {
    const unsigned long long both = x ^ static_cast<unsigned long long>(y) << 21;
    return double(both) * kTo1Double + kTo1Double / 2;
}
LANEWORK_SIMT_BUILTIN float2 normals(float u, float angle) {
    const float radius = sqrtf(-2.0f * logf(u));
    return {sinf(angle) * radius, cosf(angle) * radius};
}
LANEWORK_SIMT_BUILTIN double2 normals(double u, double half_turns) {
    const double radius = sqrt(-2.0 * log(u));
    double2 result;
    sincospi(half_turns, &result.x, &result.y);
    return {result.x * radius, result.y * radius};
}
LANEWORK_SIMT_BUILTIN float2 normals_of(unsigned int x, unsigned int y) {
    constexpr float kAngle = kTo1 * kTwoPi;
    return normals(uniform(x), float(y) * kAngle + kAngle / 2);
}
LANEWORK_SIMT_BUILTIN double2 normals_of(unsigned int x0, unsigned int x1, unsigned int y0, unsigned int y1) {
    const unsigned long long y = y0 ^ static_cast<unsigned long long>(y1) << 21;
    return normals(uniform(x0, x1), double(y) * (2 * kTo1Double) + kTo1Double);
}

/// The normal number below which a share of all is: one number of a sequence makes one, so that dimensions stay apart.
/// The upper half is the lower one's mirror, which loses no digits.
LANEWORK_SIMT_BUILTIN float normal_of(unsigned int x) {
    const bool upper = x > 0x80000000u;
    const float size = 1.4142135f * erfcinvf(2 * uniform(upper ? ~x : x));
    return upper ? size : -size;
}
LANEWORK_SIMT_BUILTIN float normal_of(unsigned long long x) { return normal_of(static_cast<unsigned int>(x >> 32)); }
LANEWORK_SIMT_BUILTIN double normal_double_of(unsigned int x) {
    const bool upper = x > 0x80000000u;
    const double size = M_SQRT2 * erfcinv(2 * uniform_double(upper ? ~x : x));
    return upper ? size : -size;
}
LANEWORK_SIMT_BUILTIN double normal_double_of(unsigned long long x) {
    const bool upper = x > 0x8000000000000000u;
    const double size = M_SQRT2 * erfcinv(2 * uniform_double(upper ? ~x : x));
    return upper ? size : -size;
}

/// Functions that draw several numbers are no quasi-random generators', whose dimensions they would mix.
template <class State>
inline constexpr bool is_quasi = std::is_base_of_v<SobolSequence<unsigned int>, State> ||
                                 std::is_base_of_v<SobolSequence<unsigned long long>, State>;
template <class State, class Result>
using OfPseudo = std::enable_if_t<!is_quasi<State>, Result>;
template <class State, class Result>
using OfQuasi = std::enable_if_t<is_quasi<State>, Result>;
}  // namespace random_distributions
inline namespace api {

// Uniform.
template <class State>
LANEWORK_SIMT_BUILTIN float curand_uniform(State* state) {
    return random_distributions::uniform(curand(state));
}
LANEWORK_SIMT_BUILTIN float curand_uniform(curandStateMRG32k3a* state) {
    return float(random_generators::mrg32k3a(state) * random_distributions::kMrgTo1);
}
template <class State>
LANEWORK_SIMT_BUILTIN random_distributions::OfPseudo<State, double> curand_uniform_double(State* state) {
    const unsigned int x = curand(state), y = curand(state);
    return random_distributions::uniform(x, y);
}
LANEWORK_SIMT_BUILTIN double curand_uniform_double(curandStateMRG32k3a* state) {
    return random_generators::mrg32k3a(state) * random_distributions::kMrgTo1;
}
/// Of one number, unlike the others'.
LANEWORK_SIMT_BUILTIN double curand_uniform_double(curandStatePhilox4_32_10* state) {
    return random_distributions::uniform_double(curand(state));
}
LANEWORK_SIMT_BUILTIN float4 curand_uniform4(curandStatePhilox4_32_10* state) {
    using random_distributions::uniform;
    const uint4 x = curand4(state);
    return {uniform(x.x), uniform(x.y), uniform(x.z), uniform(x.w)};
}
LANEWORK_SIMT_BUILTIN double2 curand_uniform2_double(curandStatePhilox4_32_10* state) {
    const uint4 x = curand4(state);
    return {random_distributions::uniform(x.x, x.y), random_distributions::uniform(x.z, x.w)};
}

// Normal, two at a time; the single forms keep the second for the next call.
template <class State>
LANEWORK_SIMT_BUILTIN random_distributions::OfPseudo<State, float2> curand_normal2(State* state) {
    const unsigned int x = curand(state), y = curand(state);
    return random_distributions::normals_of(x, y);
}
LANEWORK_SIMT_BUILTIN float2 curand_normal2(curandStateMRG32k3a* state) {
    const float u = curand_uniform(state), angle = curand_uniform(state) * random_distributions::kTwoPi;
    return random_distributions::normals(u, angle);
}
LANEWORK_SIMT_BUILTIN float4 curand_normal4(curandStatePhilox4_32_10* state) {
    const uint4 x = curand4(state);
    const float2 a = random_distributions::normals_of(x.x, x.y), b = random_distributions::normals_of(x.z, x.w);
    return {a.x, a.y, b.x, b.y};
}
template <class State>
LANEWORK_SIMT_BUILTIN random_distributions::OfPseudo<State, double2> curand_normal2_double(State* state) {
    const unsigned int x0 = curand(state), x1 = curand(state), y0 = curand(state), y1 = curand(state);
    return random_distributions::normals_of(x0, x1, y0, y1);
}
LANEWORK_SIMT_BUILTIN double2 curand_normal2_double(curandStateMRG32k3a* state) {
    const double u = curand_uniform_double(state), half_turns = curand_uniform_double(state) * 2.0;
    return random_distributions::normals(u, half_turns);
}
template <class State>
LANEWORK_SIMT_BUILTIN random_distributions::OfPseudo<State, float> curand_normal(State* state) {
    if ((state->boxmuller_flag = !state->boxmuller_flag) == 0) return state->boxmuller_extra;
    const float2 both = curand_normal2(state);
    state->boxmuller_extra = both.y;
    return both.x;
}
template <class State>
LANEWORK_SIMT_BUILTIN random_distributions::OfPseudo<State, double> curand_normal_double(State* state) {
    if ((state->boxmuller_flag_double = !state->boxmuller_flag_double) == 0) return state->boxmuller_extra_double;
    const double2 both = curand_normal2_double(state);
    state->boxmuller_extra_double = both.y;
    return both.x;
}

// Of quasi-random generators: each of one number.
template <class State>
LANEWORK_SIMT_BUILTIN random_distributions::OfQuasi<State, double> curand_uniform_double(State* state) {
    return random_distributions::uniform_double(curand(state));
}
template <class State>
LANEWORK_SIMT_BUILTIN random_distributions::OfQuasi<State, float> curand_normal(State* state) {
    return random_distributions::normal_of(curand(state));
}
template <class State>
LANEWORK_SIMT_BUILTIN random_distributions::OfQuasi<State, double> curand_normal_double(State* state) {
    return random_distributions::normal_double_of(curand(state));
}

// Log-normal: the exponential of a normal number of that mean and deviation.
template <class State>
LANEWORK_SIMT_BUILTIN float curand_log_normal(State* state, float mean, float deviation) {
    return expf(mean + deviation * curand_normal(state));
}
template <class State>
LANEWORK_SIMT_BUILTIN double curand_log_normal_double(State* state, double mean, double deviation) {
    return exp(mean + deviation * curand_normal_double(state));
}

/// Poisson by counting arrivals. The distribution is CUDA's, its sequence is not.
template <class State>
LANEWORK_SIMT_BUILTIN random_distributions::OfPseudo<State, unsigned int> curand_poisson(State* state, double lambda) {
    unsigned int arrivals = 0;
    for (double left = lambda - -log(curand_uniform_double(state)); left > 0; ++arrivals)
        left += log(curand_uniform_double(state));
    return arrivals;
}

}  // namespace api
}  // namespace lanework_simt

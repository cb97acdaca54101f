// CUDA's device mathematics on floating point, in the global scope as kernels expect it. What the C library already
// has (sqrtf, fmaf, erff, …) is used as it is; this file adds what only CUDA knows.
#pragma once

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <lanework_simt/float_functions.hpp>
#include <lanework_simt/qualifiers.hpp>

// The C library declares these names for itself but does not export them. Here an approximation may be as exact as it
// likes: a kernel that is right with the precise function is right with the fast one.
#define __sinf __sn
#define __cosf __cs
#define __tanf __tn
#define __sincosf __sncos
#define __expf __ep
#define __exp10f __ep10
#define __logf __lg
#define __log2f __lg2
#define __log10f __lg10
#define __powf __pw
#define __tanhf __tnh

namespace lanework_simt {
inline namespace api {

// The elementary functions of kernels, by names as long as CUDA's: cudafe writes __sn where a kernel calls sinf. Code
// that is watched calls the library, where its table counts as no access of the kernel.
#if defined(LANEWORK_SIMT_WATCHED)
#define LANEWORK_SIMT_FLOATS floats::called
#else
#define LANEWORK_SIMT_FLOATS floats
#endif
#define LANEWORK_SIMT_FLOAT_FUNCTION(name, function) \
    LANEWORK_SIMT_BUILTIN float name(float x) { return LANEWORK_SIMT_FLOATS::function(x); }
LANEWORK_SIMT_FLOAT_FUNCTION(__sn, sin)
LANEWORK_SIMT_FLOAT_FUNCTION(__cs, cos)
LANEWORK_SIMT_FLOAT_FUNCTION(__tn, tan)
LANEWORK_SIMT_FLOAT_FUNCTION(__asn, asin)
LANEWORK_SIMT_FLOAT_FUNCTION(__acs, acos)
LANEWORK_SIMT_FLOAT_FUNCTION(__atn, atan)
LANEWORK_SIMT_FLOAT_FUNCTION(__snh, sinh)
LANEWORK_SIMT_FLOAT_FUNCTION(__csh, cosh)
LANEWORK_SIMT_FLOAT_FUNCTION(__tnh, tanh)
LANEWORK_SIMT_FLOAT_FUNCTION(__ep, exp)
LANEWORK_SIMT_FLOAT_FUNCTION(__ep2, exp2)
LANEWORK_SIMT_FLOAT_FUNCTION(__ep10, exp10)
LANEWORK_SIMT_FLOAT_FUNCTION(__epm1, expm1)
LANEWORK_SIMT_FLOAT_FUNCTION(__lg, log)
LANEWORK_SIMT_FLOAT_FUNCTION(__lg2, log2)
LANEWORK_SIMT_FLOAT_FUNCTION(__lg10, log10)
LANEWORK_SIMT_FLOAT_FUNCTION(__lg1p, log1p)
LANEWORK_SIMT_BUILTIN float __pw(float x, float y) { return LANEWORK_SIMT_FLOATS::pow(x, y); }
LANEWORK_SIMT_BUILTIN float __atn2(float y, float x) { return LANEWORK_SIMT_FLOATS::atan2(y, x); }
LANEWORK_SIMT_BUILTIN void __sncos(float x, float* sine, float* cosine) {
    const float both[] = {__sn(x), __cs(x)};
    *sine = both[0];
    *cosine = both[1];
}
#undef LANEWORK_SIMT_FLOAT_FUNCTION
#undef LANEWORK_SIMT_FLOATS

// min and max for every pair of types that CUDA overloads them for; the result type follows C's conversions.
#define LANEWORK_SIMT_MIN_MAX(result, left, right)                                               \
    inline result min(left a, right b) { return (result)a < (result)b ? (result)a : (result)b; } \
    inline result max(left a, right b) { return (result)a > (result)b ? (result)a : (result)b; }
#define LANEWORK_SIMT_MIN_MAX_INTEGER(type)                            \
    LANEWORK_SIMT_MIN_MAX(type, type, type)                            \
    LANEWORK_SIMT_MIN_MAX(unsigned type, unsigned type, unsigned type) \
    LANEWORK_SIMT_MIN_MAX(unsigned type, type, unsigned type)          \
    LANEWORK_SIMT_MIN_MAX(unsigned type, unsigned type, type)
LANEWORK_SIMT_MIN_MAX_INTEGER(int)
LANEWORK_SIMT_MIN_MAX_INTEGER(long)
LANEWORK_SIMT_MIN_MAX_INTEGER(long long)
#undef LANEWORK_SIMT_MIN_MAX_INTEGER
#undef LANEWORK_SIMT_MIN_MAX

// Of a number and a NaN, floating-point min and max return the number.
#define LANEWORK_SIMT_MIN_MAX_FLOAT(result, left, right)                                   \
    inline result min(left a, right b) { return a < b || b != b ? (result)a : (result)b; } \
    inline result max(left a, right b) { return a > b || b != b ? (result)a : (result)b; }
LANEWORK_SIMT_MIN_MAX_FLOAT(float, float, float)
LANEWORK_SIMT_MIN_MAX_FLOAT(double, double, double)
LANEWORK_SIMT_MIN_MAX_FLOAT(double, float, double)
LANEWORK_SIMT_MIN_MAX_FLOAT(double, double, float)
#undef LANEWORK_SIMT_MIN_MAX_FLOAT

inline unsigned int umin(unsigned int a, unsigned int b) { return min(a, b); }
inline unsigned int umax(unsigned int a, unsigned int b) { return max(a, b); }
inline long long llmin(long long a, long long b) { return min(a, b); }
inline long long llmax(long long a, long long b) { return max(a, b); }
inline unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
inline unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }

inline float fdividef(float x, float y) { return x / y; }
/// The fast division: a divisor above 2^126 gives zero, as the hardware's reciprocal underflows.
inline float __fdividef(float x, float y) {
    const bool reciprocal_underflows = fabsf(y) > 0x1p126f && !isinf(y);
    return reciprocal_underflows ? x * copysignf(0.0f, y) : x / y;
}
/// x limited to [0, 1]; NaN becomes 0.
inline float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
inline float saturatef(float x) { return __saturatef(x); }

// Reciprocal square roots. The C library has them since glibc 2.42.
#if !defined(__GLIBC__) || !__GLIBC_PREREQ(2, 42)
inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline double rsqrt(double x) { return 1.0 / sqrt(x); }
#endif
inline float rsqrt(float x) { return 1.0f / sqrtf(x); }
inline float rcbrtf(float x) { return 1.0f / cbrtf(x); }
inline double rcbrt(double x) { return 1.0 / cbrt(x); }
inline float rcbrt(float x) { return rcbrtf(x); }
inline float rhypotf(float x, float y) { return 1.0f / hypotf(x, y); }
inline double rhypot(double x, double y) { return 1.0 / hypot(x, y); }

// Trigonometry in half turns, exact where the argument is a multiple of 1/2.
}  // namespace api
namespace half_turns {
double sine(double x);
double cosine(double x);
}  // namespace half_turns
inline namespace api {
#if !defined(__GLIBC__) || !__GLIBC_PREREQ(2, 41)
inline double sinpi(double x) { return half_turns::sine(x); }
inline double cospi(double x) { return half_turns::cosine(x); }
inline float sinpif(float x) { return float(half_turns::sine(double(x))); }
inline float cospif(float x) { return float(half_turns::cosine(double(x))); }
#endif
inline float sinpi(float x) { return float(half_turns::sine(double(x))); }
inline float cospi(float x) { return float(half_turns::cosine(double(x))); }
inline void sincospi(double x, double* sine, double* cosine) {
    *sine = half_turns::sine(x);
    *cosine = half_turns::cosine(x);
}
inline void sincospif(float x, float* sine, float* cosine) {
    *sine = sinpi(x);
    *cosine = cospi(x);
}

// Lengths of vectors, without overflow in between.
inline double norm3d(double x, double y, double z) { return hypot(hypot(x, y), z); }
inline float norm3df(float x, float y, float z) { return float(norm3d(double(x), double(y), double(z))); }
inline double norm4d(double x, double y, double z, double w) { return hypot(hypot(x, y), hypot(z, w)); }
inline float norm4df(float x, float y, float z, float w) {
    return float(norm4d(double(x), double(y), double(z), double(w)));
}
inline double rnorm3d(double x, double y, double z) { return 1.0 / norm3d(x, y, z); }
inline float rnorm3df(float x, float y, float z) { return 1.0f / norm3df(x, y, z); }
inline double rnorm4d(double x, double y, double z, double w) { return 1.0 / norm4d(x, y, z, w); }
inline float rnorm4df(float x, float y, float z, float w) { return 1.0f / norm4df(x, y, z, w); }
inline double norm(int dimensions, const double* p) {
    double length = 0;
    for (int i = 0; i < dimensions; ++i) length = hypot(length, p[i]);
    return length;
}
inline float normf(int dimensions, const float* p) {
    double length = 0;
    for (int i = 0; i < dimensions; ++i) length = hypot(length, double(p[i]));
    return float(length);
}
inline double rnorm(int dimensions, const double* p) { return 1.0 / norm(dimensions, p); }
inline float rnormf(int dimensions, const float* p) { return 1.0f / normf(dimensions, p); }

// The error function's relatives, and the normal distribution built from them.
double erfinv(double y);
double erfcinv(double y);
double erfcx(double x);
double normcdf(double x);
double cyl_bessel_i0(double x);
double cyl_bessel_i1(double x);
inline double normcdfinv(double p) { return -M_SQRT2 * erfcinv(2.0 * p); }
inline float erfinvf(float y) { return float(erfinv(double(y))); }
inline float erfcinvf(float y) { return float(erfcinv(double(y))); }
inline float erfcxf(float x) { return float(erfcx(double(x))); }
inline float normcdff(float x) { return float(normcdf(double(x))); }
inline float normcdfinvf(float p) { return float(normcdfinv(double(p))); }
inline float cyl_bessel_i0f(float x) { return float(cyl_bessel_i0(double(x))); }
inline float cyl_bessel_i1f(float x) { return float(cyl_bessel_i1(double(x))); }

// Arithmetic in a given rounding direction: zero, up or down. To nearest is the compiler's own arithmetic; only the
// fused form rounds once.
}  // namespace api
namespace directed {
enum class Direction : int { zero, up, down };
float add(float x, float y, Direction direction);
float multiply(float x, float y, Direction direction);
float divide(float x, float y, Direction direction);
float fused(float x, float y, float z, Direction direction);
float root(float x, Direction direction);
double add(double x, double y, Direction direction);
double multiply(double x, double y, Direction direction);
double divide(double x, double y, Direction direction);
double fused(double x, double y, double z, Direction direction);
double root(double x, Direction direction);
}  // namespace directed
inline namespace api {

#define LANEWORK_SIMT_DIRECTED(prefix, fma, type, suffix, direction)                                 \
    inline type prefix##add_##suffix(type x, type y) { return directed::add(x, y, direction); }      \
    inline type prefix##sub_##suffix(type x, type y) { return directed::add(x, -y, direction); }     \
    inline type prefix##mul_##suffix(type x, type y) { return directed::multiply(x, y, direction); } \
    inline type prefix##div_##suffix(type x, type y) { return directed::divide(x, y, direction); }   \
    inline type prefix##rcp_##suffix(type x) { return directed::divide(type(1), x, direction); }     \
    inline type prefix##sqrt_##suffix(type x) { return directed::root(x, direction); }               \
    inline type fma##_##suffix(type x, type y, type z) { return directed::fused(x, y, z, direction); }
LANEWORK_SIMT_DIRECTED(__f, __fmaf, float, rz, directed::Direction::zero)
LANEWORK_SIMT_DIRECTED(__f, __fmaf, float, ru, directed::Direction::up)
LANEWORK_SIMT_DIRECTED(__f, __fmaf, float, rd, directed::Direction::down)
LANEWORK_SIMT_DIRECTED(__d, __fma, double, rz, directed::Direction::zero)
LANEWORK_SIMT_DIRECTED(__d, __fma, double, ru, directed::Direction::up)
LANEWORK_SIMT_DIRECTED(__d, __fma, double, rd, directed::Direction::down)
#undef LANEWORK_SIMT_DIRECTED

// A host compiler may fuse a product with a following sum; hiding the product from it for a moment forbids that, as the
// intrinsic promises.
#if defined(__x86_64__)
#define LANEWORK_SIMT_HIDE(x) __asm__("" : "+x"(x))
#else
#define LANEWORK_SIMT_HIDE(x) __asm__("" : "+w"(x))
#endif
#define LANEWORK_SIMT_NEAREST(prefix, fused, type, root)         \
    inline type prefix##add_rn(type x, type y) { return x + y; } \
    inline type prefix##sub_rn(type x, type y) { return x - y; } \
    inline type prefix##mul_rn(type x, type y) {                 \
        type product = x * y;                                    \
        LANEWORK_SIMT_HIDE(product);                             \
        return product;                                          \
    }                                                            \
    inline type prefix##div_rn(type x, type y) { return x / y; } \
    inline type prefix##rcp_rn(type x) { return type(1) / x; }   \
    inline type prefix##sqrt_rn(type x) { return root(x); }      \
    inline type fused##_rn(type x, type y, type z) { return ::fma(x, y, z); }
LANEWORK_SIMT_NEAREST(__f, __fmaf, float, sqrtf)
LANEWORK_SIMT_NEAREST(__d, __fma, double, ::sqrt)
#undef LANEWORK_SIMT_NEAREST
#undef LANEWORK_SIMT_HIDE
inline float __frsqrt_rn(float x) { return float(1.0 / sqrt(double(x))); }

}  // namespace api
}  // namespace lanework_simt

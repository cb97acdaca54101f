// CUDA's half precision for the simt device: IEEE 754 binary16, in ones and pairs.
#pragma once

#include <lanework_simt/half_functions.hpp>

namespace lanework_simt {

using __half = halves::Number<halves::Binary16>;
using __half2 = halves::Pair<halves::Binary16>;
using half = __half;
using half2 = __half2;
using nv_half = __half;
using nv_half2 = __half2;

inline __half __float2half(float x) { return __half(x); }
inline __half __float2half_rn(float x) { return __half(x); }
inline __half __float2half_rz(float x) { return halves::directed<halves::Binary16>(x, directed::Direction::zero); }
inline __half __float2half_ru(float x) { return halves::directed<halves::Binary16>(x, directed::Direction::up); }
inline __half __float2half_rd(float x) { return halves::directed<halves::Binary16>(x, directed::Direction::down); }
inline __half __double2half(double x) { return __half(x); }
inline float __half2float(__half a) { return a; }

// From integers to the nearest; to integers, saturating, in the four directions.
#define LANEWORK_SIMT_HALF_INTEGER(name, type)                            \
    inline __half __##name##2half_rn(type x) { return __half(x); }        \
    inline type __half2##name##_rz(__half a) { return (type)(a); }        \
    inline type __half2##name##_rn(__half a) { return (type)(hrint(a)); } \
    inline type __half2##name##_ru(__half a) { return (type)(hceil(a)); } \
    inline type __half2##name##_rd(__half a) { return (type)(hfloor(a)); }
LANEWORK_SIMT_HALF_INTEGER(short, short)
LANEWORK_SIMT_HALF_INTEGER(ushort, unsigned short)
LANEWORK_SIMT_HALF_INTEGER(int, int)
LANEWORK_SIMT_HALF_INTEGER(uint, unsigned int)
LANEWORK_SIMT_HALF_INTEGER(ll, long long)
LANEWORK_SIMT_HALF_INTEGER(ull, unsigned long long)
#undef LANEWORK_SIMT_HALF_INTEGER

inline __half2 make_half2(__half low, __half high) { return {low, high}; }
inline __half2 __halves2half2(__half low, __half high) { return {low, high}; }
inline __half2 __half2half2(__half a) { return {a, a}; }
inline __half2 __float2half2_rn(float x) { return {__half(x), __half(x)}; }
inline __half2 __floats2half2_rn(float low, float high) { return {__half(low), __half(high)}; }
inline __half2 __float22half2_rn(float2 pair) { return {__half(pair.x), __half(pair.y)}; }
inline float2 __half22float2(__half2 a) { return make_float2(a.x, a.y); }
inline __half __low2half(__half2 a) { return a.x; }
inline __half __high2half(__half2 a) { return a.y; }
inline __half2 __low2half2(__half2 a) { return {a.x, a.x}; }
inline __half2 __high2half2(__half2 a) { return {a.y, a.y}; }

inline short __half_as_short(__half a) { return short(a.__x); }
inline unsigned short __half_as_ushort(__half a) { return a.__x; }
inline __half __short_as_half(short bits) { return __half::of_bits((unsigned short)(bits)); }
inline __half __ushort_as_half(unsigned short bits) { return __half::of_bits(bits); }

}  // namespace lanework_simt

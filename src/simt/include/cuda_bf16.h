// CUDA's bfloat16 for the simt device: the upper half of a float, in ones and pairs.
#pragma once

#include <lanework_simt/half_functions.hpp>

namespace lanework_simt {

using __nv_bfloat16 = halves::Number<halves::Brain16>;
using __nv_bfloat162 = halves::Pair<halves::Brain16>;
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

inline __nv_bfloat16 __float2bfloat16(float x) { return __nv_bfloat16(x); }
inline __nv_bfloat16 __float2bfloat16_rn(float x) { return __nv_bfloat16(x); }
inline __nv_bfloat16 __float2bfloat16_rz(float x) {
    return halves::directed<halves::Brain16>(x, directed::Direction::zero);
}
inline __nv_bfloat16 __float2bfloat16_ru(float x) {
    return halves::directed<halves::Brain16>(x, directed::Direction::up);
}
inline __nv_bfloat16 __float2bfloat16_rd(float x) {
    return halves::directed<halves::Brain16>(x, directed::Direction::down);
}
inline __nv_bfloat16 __double2bfloat16(double x) { return __nv_bfloat16(x); }
inline float __bfloat162float(__nv_bfloat16 a) { return a; }

// From integers to the nearest; to integers, saturating, in the four directions.
#define LANEWORK_SIMT_HALF_INTEGER(name, type)                                       \
    inline __nv_bfloat16 __##name##2bfloat16_rn(type x) { return __nv_bfloat16(x); } \
    inline type __bfloat162##name##_rz(__nv_bfloat16 a) { return (type)(a); }        \
    inline type __bfloat162##name##_rn(__nv_bfloat16 a) { return (type)(hrint(a)); } \
    inline type __bfloat162##name##_ru(__nv_bfloat16 a) { return (type)(hceil(a)); } \
    inline type __bfloat162##name##_rd(__nv_bfloat16 a) { return (type)(hfloor(a)); }
LANEWORK_SIMT_HALF_INTEGER(short, short)
LANEWORK_SIMT_HALF_INTEGER(ushort, unsigned short)
LANEWORK_SIMT_HALF_INTEGER(int, int)
LANEWORK_SIMT_HALF_INTEGER(uint, unsigned int)
LANEWORK_SIMT_HALF_INTEGER(ll, long long)
LANEWORK_SIMT_HALF_INTEGER(ull, unsigned long long)
#undef LANEWORK_SIMT_HALF_INTEGER

inline __nv_bfloat162 make_bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) { return {low, high}; }
inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) { return {low, high}; }
inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return {a, a}; }
inline __nv_bfloat162 __float2bfloat162_rn(float x) { return {__nv_bfloat16(x), __nv_bfloat16(x)}; }
inline __nv_bfloat162 __floats2bfloat162_rn(float low, float high) { return {__nv_bfloat16(low), __nv_bfloat16(high)}; }
inline __nv_bfloat162 __float22bfloat162_rn(float2 pair) { return {__nv_bfloat16(pair.x), __nv_bfloat16(pair.y)}; }
inline float2 __bfloat1622float2(__nv_bfloat162 a) { return make_float2(a.x, a.y); }
inline __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
inline __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }
inline __nv_bfloat162 __low2bfloat162(__nv_bfloat162 a) { return {a.x, a.x}; }
inline __nv_bfloat162 __high2bfloat162(__nv_bfloat162 a) { return {a.y, a.y}; }
inline __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return {a.x, b.x}; }
inline __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return {a.y, b.y}; }

inline short __bfloat16_as_short(__nv_bfloat16 a) { return short(a.__x); }
inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 a) { return a.__x; }
inline __nv_bfloat16 __short_as_bfloat16(short bits) { return __nv_bfloat16::of_bits((unsigned short)(bits)); }
inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) { return __nv_bfloat16::of_bits(bits); }

}  // namespace lanework_simt

// The functions that carry a 16-bit format's name in their own: `half` in cuda_fp16.h, `bfloat16` in cuda_bf16.h.
#pragma once

#include <lanework_simt/half_functions.hpp>

// From floats, rounded as the name says; and back, exactly. `Format` is the class of halves:: that holds the format.
#define LANEWORK_SIMT_HALF_ROUNDING(name, Format)                                                    \
    inline halves::Number<Format> __float2##name##_rz(float x) {                                     \
        return halves::directed<Format>(x, directed::Direction::zero);                               \
    }                                                                                                \
    inline halves::Number<Format> __float2##name##_ru(float x) {                                     \
        return halves::directed<Format>(x, directed::Direction::up);                                 \
    }                                                                                                \
    inline halves::Number<Format> __float2##name##_rd(float x) {                                     \
        return halves::directed<Format>(x, directed::Direction::down);                               \
    }                                                                                                \
    inline halves::Number<Format> __float2##name##_rn(float x) { return halves::Number<Format>(x); } \
    inline halves::Number<Format> __float2##name(float x) { return halves::Number<Format>(x); }      \
    inline halves::Number<Format> __double2##name(double x) { return halves::Number<Format>(x); }    \
    inline float __##name##2float(halves::Number<Format> a) { return a; }

// From an integer to the nearest; to an integer, saturating, in the four directions.
#define LANEWORK_SIMT_HALF_INTEGER(name, Format, integer, type)                                           \
    inline halves::Number<Format> __##integer##2##name##_rn(type x) { return halves::Number<Format>(x); } \
    inline type __##name##2##integer##_rz(halves::Number<Format> a) { return (type)(a); }                 \
    inline type __##name##2##integer##_rn(halves::Number<Format> a) { return (type)(hrint(a)); }          \
    inline type __##name##2##integer##_ru(halves::Number<Format> a) { return (type)(hceil(a)); }          \
    inline type __##name##2##integer##_rd(halves::Number<Format> a) { return (type)(hfloor(a)); }
#define LANEWORK_SIMT_HALF_INTEGERS(name, Format)                    \
    LANEWORK_SIMT_HALF_INTEGER(name, Format, short, short)           \
    LANEWORK_SIMT_HALF_INTEGER(name, Format, ushort, unsigned short) \
    LANEWORK_SIMT_HALF_INTEGER(name, Format, int, int)               \
    LANEWORK_SIMT_HALF_INTEGER(name, Format, uint, unsigned int)     \
    LANEWORK_SIMT_HALF_INTEGER(name, Format, ll, long long)          \
    LANEWORK_SIMT_HALF_INTEGER(name, Format, ull, unsigned long long)

// Pairs of ones, and ones of pairs.
#define LANEWORK_SIMT_HALF_PAIRS(name, One, Two)                                              \
    inline Two make_##name##2(One low, One high) { return {low, high}; }                      \
    inline Two __halves2##name##2(One low, One high) { return {low, high}; }                  \
    inline Two __##name##2##name##2(One a) { return {a, a}; }                                 \
    inline Two __float2##name##2_rn(float x) { return {One(x), One(x)}; }                     \
    inline Two __floats2##name##2_rn(float low, float high) { return {One(low), One(high)}; } \
    inline Two __float22##name##2_rn(float2 pair) { return {One(pair.x), One(pair.y)}; }      \
    inline float2 __##name##22float2(Two a) { return make_float2(a.x, a.y); }                 \
    inline One __low2##name(Two a) { return a.x; }                                            \
    inline One __high2##name(Two a) { return a.y; }                                           \
    inline Two __low2##name##2(Two a) { return {a.x, a.x}; }                                  \
    inline Two __high2##name##2(Two a) { return {a.y, a.y}; }                                 \
    inline Two __lows2##name##2(Two a, Two b) { return {a.x, b.x}; }                          \
    inline Two __highs2##name##2(Two a, Two b) { return {a.y, b.y}; }

// Bits.
#define LANEWORK_SIMT_HALF_BITS(name, One)                                                    \
    inline short __##name##_as_short(One a) { return short(a.__x); }                          \
    inline unsigned short __##name##_as_ushort(One a) { return a.__x; }                       \
    inline One __short_as_##name(short bits) { return One::of_bits((unsigned short)(bits)); } \
    inline One __ushort_as_##name(unsigned short bits) { return One::of_bits(bits); }

#define LANEWORK_SIMT_HALF_NAMES(name, Format)                                   \
    LANEWORK_SIMT_HALF_ROUNDING(name, Format)                                    \
    LANEWORK_SIMT_HALF_INTEGERS(name, Format)                                    \
    LANEWORK_SIMT_HALF_PAIRS(name, halves::Number<Format>, halves::Pair<Format>) \
    LANEWORK_SIMT_HALF_BITS(name, halves::Number<Format>)

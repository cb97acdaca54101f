// CUDA's conversions between numbers in a given rounding direction, and between numbers and their bits. Unlike a cast
// in C++, a conversion to an integer is defined for every argument: it saturates.
#pragma once

#include <lanework_simt/math.hpp>

namespace lanework_simt {

template <class To, class From>
inline To reinterpret_bits(From from) {
    static_assert(sizeof(To) == sizeof(From), "bits are kept, so sizes must agree");
    To to;
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
}

inline namespace api {

inline int __float_as_int(float x) { return reinterpret_bits<int>(x); }
inline unsigned int __float_as_uint(float x) { return reinterpret_bits<unsigned int>(x); }
inline float __int_as_float(int x) { return reinterpret_bits<float>(x); }
inline float __uint_as_float(unsigned int x) { return reinterpret_bits<float>(x); }
inline long long __double_as_longlong(double x) { return reinterpret_bits<long long>(x); }
inline double __longlong_as_double(long long x) { return reinterpret_bits<double>(x); }
inline int __double2hiint(double x) { return int(__double_as_longlong(x) >> 32); }
inline int __double2loint(double x) { return int(unsigned(__double_as_longlong(x))); }
inline double __hiloint2double(int high, int low) {
    return __longlong_as_double((long long)((unsigned long long)(unsigned(high)) << 32 | unsigned(low)));
}

}  // namespace api
namespace conversion {
/// An integral value as an integer: limits where it does not fit. NaN gives 0, except that a double source or a 64-bit
/// result give the result's top bit alone (PTX ISA, cvt).
template <class Integer, class Float>
inline Integer saturate(Float x) {
    constexpr int kBits = int(sizeof(Integer)) * 8;
    constexpr bool kSigned = Integer(-1) < Integer(0);
    constexpr Integer kMax = Integer(~(unsigned long long)(0) >> (64 - kBits + (kSigned ? 1 : 0)));
    constexpr Integer kMin = Integer(-kMax - Integer(1)) < 0 ? Integer(-kMax - Integer(1)) : Integer(0);
    constexpr Integer kTopBit = Integer(1ull << (kBits - 1));
    if (x != x) return sizeof(Float) == 8 || sizeof(Integer) == 8 ? kTopBit : Integer(0);
    const Float above = Float(kBits == 64 ? 0x1p63 : 0x1p31) * Float(kSigned ? 1 : 2);
    if (x >= above) return kMax;
    if (x < Float(kMin)) return kMin;
    return Integer(x);
}
float narrow(double x, directed::Direction direction);
float to_float(long long x, directed::Direction direction);
float to_float(unsigned long long x, directed::Direction direction);
double to_double(long long x, directed::Direction direction);
double to_double(unsigned long long x, directed::Direction direction);
}  // namespace conversion
inline namespace api {

// From floating point to integers: rn to the nearest (ties to even), rz towards zero, ru up, rd down.
#define LANEWORK_SIMT_TO_INTEGER(name, from, to)                                   \
    inline to name##_rn(from x) { return conversion::saturate<to>(nearbyint(x)); } \
    inline to name##_rz(from x) { return conversion::saturate<to>(trunc(x)); }     \
    inline to name##_ru(from x) { return conversion::saturate<to>(ceil(x)); }      \
    inline to name##_rd(from x) { return conversion::saturate<to>(floor(x)); }
LANEWORK_SIMT_TO_INTEGER(__float2int, float, int)
LANEWORK_SIMT_TO_INTEGER(__float2uint, float, unsigned int)
LANEWORK_SIMT_TO_INTEGER(__float2ll, float, long long)
LANEWORK_SIMT_TO_INTEGER(__float2ull, float, unsigned long long)
LANEWORK_SIMT_TO_INTEGER(__double2int, double, int)
LANEWORK_SIMT_TO_INTEGER(__double2uint, double, unsigned int)
LANEWORK_SIMT_TO_INTEGER(__double2ll, double, long long)
LANEWORK_SIMT_TO_INTEGER(__double2ull, double, unsigned long long)
#undef LANEWORK_SIMT_TO_INTEGER

// From integers to floating point; `wide` is the 64-bit type that holds the source.
#define LANEWORK_SIMT_FROM_INTEGER(name, from, wide, to)                                            \
    inline to name##_rn(from x) { return to(x); }                                                   \
    inline to name##_rz(from x) { return conversion::to_##to((wide)x, directed::Direction::zero); } \
    inline to name##_ru(from x) { return conversion::to_##to((wide)x, directed::Direction::up); }   \
    inline to name##_rd(from x) { return conversion::to_##to((wide)x, directed::Direction::down); }
LANEWORK_SIMT_FROM_INTEGER(__int2float, int, long long, float)
LANEWORK_SIMT_FROM_INTEGER(__uint2float, unsigned int, unsigned long long, float)
LANEWORK_SIMT_FROM_INTEGER(__ll2float, long long, long long, float)
LANEWORK_SIMT_FROM_INTEGER(__ull2float, unsigned long long, unsigned long long, float)
LANEWORK_SIMT_FROM_INTEGER(__ll2double, long long, long long, double)
LANEWORK_SIMT_FROM_INTEGER(__ull2double, unsigned long long, unsigned long long, double)
#undef LANEWORK_SIMT_FROM_INTEGER
inline double __int2double_rn(int x) { return x; }
inline double __uint2double_rn(unsigned int x) { return x; }

inline float __double2float_rn(double x) { return float(x); }
inline float __double2float_rz(double x) { return conversion::narrow(x, directed::Direction::zero); }
inline float __double2float_ru(double x) { return conversion::narrow(x, directed::Direction::up); }
inline float __double2float_rd(double x) { return conversion::narrow(x, directed::Direction::down); }

}  // namespace api
}  // namespace lanework_simt

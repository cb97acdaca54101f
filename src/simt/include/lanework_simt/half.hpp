// CUDA's 16-bit floating-point numbers for a host compiler: __half and __nv_bfloat16 are one template over a format.
// They compute in float and round once, which gives the bits that arithmetic in the format itself would give: float has
// more than twice their digits and two to spare (Figueroa, When is double rounding innocuous?).
#pragma once

#include <cuda_runtime.h>

#include <lanework/half.hpp>
#include <lanework_simt/atomics.hpp>
#include <lanework_simt/conversions.hpp>
#include <lanework_simt/warp.hpp>
#include <type_traits>

namespace lanework_simt {
inline namespace api {
/// What a call in another namespace, which has functions of the same name, finds CUDA's functions of halves by
/// (argument-dependent lookup): CUDA's types and functions stand in one namespace.
struct FoundByArguments {};
}  // namespace api
namespace halves {

/// The two formats: how they lie in 16 bits, and how a float becomes one.
struct Binary16 : FoundByArguments {
    static float widen(unsigned short bits) { return lanework::to_float(lanework::float16{bits}); }
    static unsigned short round(float x) { return lanework::to_float16(x).bits; }
    static constexpr unsigned short kInfinity = 0x7c00;
};
struct Brain16 : FoundByArguments {
    static float widen(unsigned short bits) { return lanework::to_float(lanework::bfloat16{bits}); }
    static unsigned short round(float x) { return lanework::to_bfloat16(x).bits; }
    static constexpr unsigned short kInfinity = 0x7f80;
};

/// A double as a float that a second rounding cannot lead astray: if it is not exact, its last bit is set ("to odd").
inline float odd_float(double x) {
    const float nearest = float(x);
    if (double(nearest) == x || x != x || isinf(nearest)) return nearest;
    const unsigned bits = reinterpret_bits<unsigned>(nearest);
    if (bits & 1) return nearest;
    const bool grows = (double(nearest) < x) == (x > 0);  // away from zero is up in bits
    return reinterpret_bits<float>(grows ? bits + 1 : bits - 1);
}

/// The same for the sum of two doubles.
inline double odd_sum(double a, double b) {
    const double sum = a + b;
    if (isinf(sum) || sum != sum) return sum;
    const double of_b = sum - a, error = (a - (sum - of_b)) + (b - of_b);  // Knuth's two-sum: sum + error is exact
    const auto bits = reinterpret_bits<unsigned long long>(sum);
    if (error == 0 || bits & 1) return sum;
    return reinterpret_bits<double>((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

/// A 64-bit integer as a double, to odd.
inline double odd_double(unsigned long long x) {
    return x >> 53 ? double(x >> 11 | ((x & 0x7ff) != 0)) * 2048.0 : double(x);
}
inline double odd_double(long long x) {
    return x < 0 ? -odd_double(0ull - (unsigned long long)(x)) : odd_double((unsigned long long)(x));
}

/// The bits alone.
template <class Format>
struct __align__(2) Raw {
    unsigned short x;
};
template <class Format>
struct __align__(4) RawPair {
    unsigned short x, y;
};

template <class Format>
struct __align__(2) Number {
    unsigned short __x;

    Number() = default;
    Number(const Raw<Format>& raw) : __x(raw.x) {}
    operator Raw<Format>() const { return {__x}; }
    Number(float x) : __x(Format::round(x)) {}
    Number(double x) : __x(Format::round(odd_float(x))) {}
    Number(int x) : Number(double(x)) {}
    Number(unsigned int x) : Number(double(x)) {}
    Number(short x) : Number(float(x)) {}
    Number(unsigned short x) : Number(float(x)) {}
    Number(long x) : Number(odd_double((long long)(x))) {}
    Number(unsigned long x) : Number(odd_double((unsigned long long)(x))) {}
    Number(long long x) : Number(odd_double(x)) {}
    Number(unsigned long long x) : Number(odd_double(x)) {}
    /// From the other 16-bit format.
    template <class Other>
    explicit Number(const Number<Other>& x) : Number(float(x)) {}

    static Number of_bits(unsigned short bits) {
        Number n;
        n.__x = bits;
        return n;
    }

    operator float() const { return Format::widen(__x); }
    explicit operator bool() const { return (__x & 0x7fff) != 0; }
    // To integers: towards zero, saturating.
    operator signed char() const { return (signed char)(__float2int_rz(limited(-128, 127))); }
    operator char() const { return char(__float2int_rz(char(-1) < 0 ? limited(-128, 127) : limited(0, 255))); }
    operator unsigned char() const { return (unsigned char)(__float2int_rz(limited(0, 255))); }
    operator short() const { return short(__float2int_rz(limited(-32768, 32767))); }
    operator unsigned short() const { return (unsigned short)(__float2int_rz(limited(0, 65535))); }
    operator int() const { return __float2int_rz(float(*this)); }
    operator unsigned int() const { return __float2uint_rz(float(*this)); }
    operator long() const { return long(__float2ll_rz(float(*this))); }
    operator unsigned long() const { return (unsigned long)(__float2ull_rz(float(*this))); }
    operator long long() const { return __float2ll_rz(float(*this)); }
    operator unsigned long long() const { return __float2ull_rz(float(*this)); }

    Number& operator=(float x) { return *this = Number(x); }
    Number& operator=(double x) { return *this = Number(x); }
    Number& operator=(int x) { return *this = Number(x); }

    friend Number operator+(const Number& a, const Number& b) { return Number(float(a) + float(b)); }
    friend Number operator-(const Number& a, const Number& b) { return Number(float(a) - float(b)); }
    friend Number operator*(const Number& a, const Number& b) { return Number(float(a) * float(b)); }
    friend Number operator/(const Number& a, const Number& b) { return Number(float(a) / float(b)); }
    friend Number operator+(const Number& a) { return a; }
    friend Number operator-(const Number& a) { return of_bits((unsigned short)(a.__x ^ 0x8000)); }
    Number& operator+=(const Number& b) { return *this = *this + b; }
    Number& operator-=(const Number& b) { return *this = *this - b; }
    Number& operator*=(const Number& b) { return *this = *this * b; }
    Number& operator/=(const Number& b) { return *this = *this / b; }
    Number& operator++() { return *this = *this + Number(1.0f); }
    Number& operator--() { return *this = *this - Number(1.0f); }
    Number operator++(int) {
        const Number old = *this;
        ++*this;
        return old;
    }
    Number operator--(int) {
        const Number old = *this;
        --*this;
        return old;
    }

    friend bool operator==(const Number& a, const Number& b) { return float(a) == float(b); }
    friend bool operator!=(const Number& a, const Number& b) {  // as CUDA has it: false for NaN
        return float(a) < float(b) || float(a) > float(b);
    }
    friend bool operator<(const Number& a, const Number& b) { return float(a) < float(b); }
    friend bool operator>(const Number& a, const Number& b) { return float(a) > float(b); }
    friend bool operator<=(const Number& a, const Number& b) { return float(a) <= float(b); }
    friend bool operator>=(const Number& a, const Number& b) { return float(a) >= float(b); }

private:
    /// The value within [low, high]; NaN becomes 0.
    float limited(float low, float high) const {
        const float x = *this;
        return x != x ? 0.0f : x < low ? low : x > high ? high : x;
    }
};

/// Two numbers in a word: x is the low half.
template <class Format>
struct __align__(4) Pair {
    using Element = Number<Format>;
    Element x, y;

    Pair() = default;
    Pair(const Element& a, const Element& b) : x(a), y(b) {}
    Pair(const RawPair<Format>& raw) : x(Element::of_bits(raw.x)), y(Element::of_bits(raw.y)) {}
    operator RawPair<Format>() const { return {x.__x, y.__x}; }

    friend Pair operator+(const Pair& a, const Pair& b) { return {a.x + b.x, a.y + b.y}; }
    friend Pair operator-(const Pair& a, const Pair& b) { return {a.x - b.x, a.y - b.y}; }
    friend Pair operator*(const Pair& a, const Pair& b) { return {a.x * b.x, a.y * b.y}; }
    friend Pair operator/(const Pair& a, const Pair& b) { return {a.x / b.x, a.y / b.y}; }
    friend Pair operator+(const Pair& a) { return a; }
    friend Pair operator-(const Pair& a) { return {-a.x, -a.y}; }
    Pair& operator+=(const Pair& b) { return *this = *this + b; }
    Pair& operator-=(const Pair& b) { return *this = *this - b; }
    Pair& operator*=(const Pair& b) { return *this = *this * b; }
    Pair& operator/=(const Pair& b) { return *this = *this / b; }

    // True where it holds for both.
    friend bool operator==(const Pair& a, const Pair& b) { return a.x == b.x && a.y == b.y; }
    friend bool operator!=(const Pair& a, const Pair& b) { return a.x != b.x && a.y != b.y; }
    friend bool operator<(const Pair& a, const Pair& b) { return a.x < b.x && a.y < b.y; }
    friend bool operator>(const Pair& a, const Pair& b) { return a.x > b.x && a.y > b.y; }
    friend bool operator<=(const Pair& a, const Pair& b) { return a.x <= b.x && a.y <= b.y; }
    friend bool operator>=(const Pair& a, const Pair& b) { return a.x >= b.x && a.y >= b.y; }
};

/// An argument that takes part in no deduction, so that it converts as a plain parameter would.
template <class T>
struct Given {
    using Type = T;
};
template <class F>
using Also = typename Given<Number<F>>::Type;
template <class F>
using AlsoPair = typename Given<Pair<F>>::Type;

/// The format of a class that converts to one of the two by itself, and is neither.
template <class T>
constexpr bool kIsNumber = std::is_same<T, Number<Binary16>>::value || std::is_same<T, Number<Brain16>>::value;
template <class T, class F>
constexpr bool kConverts = std::is_class<T>::value && !kIsNumber<T> && std::is_convertible<const T&, Number<F>>::value;
template <class T>
using FormatOf = typename std::enable_if<kConverts<T, Binary16> != kConverts<T, Brain16>,
                                         std::conditional<kConverts<T, Binary16>, Binary16, Brain16>>::type::type;
template <class F>
inline Number<F> given(Number<F> number) {
    return number;
}

/// float to a format in a direction: from the nearest one step back where that lies beyond.
template <class F>
inline Number<F> directed(float x, directed::Direction direction) {
    using directed::Direction;
    Number<F> nearest(x);
    if (x != x || float(nearest) == x) return nearest;
    const bool above = float(nearest) > x, negative = x < 0;
    const bool up = direction == Direction::up || (direction == Direction::zero && negative);
    if (above == up) return nearest;
    // One step towards the other side; in bits that is by magnitude, and zero has two neighbours of different sign.
    const unsigned short magnitude = nearest.__x & 0x7fff;
    const unsigned short sign = negative ? 0x8000 : 0;
    const bool grows = up != negative;
    return Number<F>::of_bits((unsigned short)(sign | (grows ? magnitude + 1 : magnitude - 1)));
}

}  // namespace halves
}  // namespace lanework_simt

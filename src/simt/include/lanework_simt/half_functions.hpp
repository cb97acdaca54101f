// The functions that CUDA has for both 16-bit formats under the same names; those that name a format are in its header.
#pragma once

#include <lanework_simt/half.hpp>

namespace lanework_simt {

using halves::Also;
using halves::AlsoPair;
using halves::Number;
using halves::Pair;
template <class T>
using AlsoOf = typename halves::Given<T>::Type;

namespace halves {
template <class F>
inline Number<F> saturated(Number<F> a) {
    return Number<F>(__saturatef(float(a)));
}
/// a·b + c, rounded once: the product is exact in double, the sum is rounded to odd on the way.
template <class F>
inline Number<F> fused(Number<F> a, Number<F> b, Number<F> c) {
    return Number<F>(odd_float(odd_sum(double(float(a)) * double(float(b)), double(float(c)))));
}
template <class F>
inline Number<F> rectified(Number<F> a) {
    return float(a) < 0 ? Number<F>(0.0f) : a;
}
}  // namespace halves
inline namespace api {

// Arithmetic. The _rn forms are those that no compiler may fuse, which here none is; _sat limits to [0, 1].
#define LANEWORK_SIMT_HALF_BINARY(name, expression)                    \
    template <class F>                                                 \
    inline Number<F> __h##name(Number<F> a, Also<F> b) {               \
        return expression;                                             \
    }                                                                  \
    template <class F>                                                 \
    inline Number<F> __h##name##_rn(Number<F> a, Also<F> b) {          \
        return expression;                                             \
    }                                                                  \
    template <class F>                                                 \
    inline Number<F> __h##name##_sat(Number<F> a, Also<F> b) {         \
        return halves::saturated<F>(expression);                       \
    }                                                                  \
    template <class F>                                                 \
    inline Pair<F> __h##name##2(Pair<F> a, AlsoPair<F> b) {            \
        return {__h##name(a.x, b.x), __h##name(a.y, b.y)};             \
    }                                                                  \
    template <class F>                                                 \
    inline Pair<F> __h##name##2_rn(Pair<F> a, AlsoPair<F> b) {         \
        return {__h##name(a.x, b.x), __h##name(a.y, b.y)};             \
    }                                                                  \
    template <class F>                                                 \
    inline Pair<F> __h##name##2_sat(Pair<F> a, AlsoPair<F> b) {        \
        return {__h##name##_sat(a.x, b.x), __h##name##_sat(a.y, b.y)}; \
    }
LANEWORK_SIMT_HALF_BINARY(add, a + b)
LANEWORK_SIMT_HALF_BINARY(sub, a - b)
LANEWORK_SIMT_HALF_BINARY(mul, a* b)
#undef LANEWORK_SIMT_HALF_BINARY

template <class F>
inline Number<F> __hdiv(Number<F> a, Also<F> b) {
    return a / b;
}
template <class F>
inline Pair<F> __h2div(Pair<F> a, AlsoPair<F> b) {
    return a / b;
}
template <class F>
inline Number<F> __hfma(Number<F> a, Also<F> b, Also<F> c) {
    return halves::fused<F>(a, b, c);
}
template <class F>
inline Number<F> __hfma_sat(Number<F> a, Also<F> b, Also<F> c) {
    return halves::saturated<F>(halves::fused<F>(a, b, c));
}
template <class F>
inline Number<F> __hfma_relu(Number<F> a, Also<F> b, Also<F> c) {
    return halves::rectified<F>(halves::fused<F>(a, b, c));
}
template <class F>
inline Pair<F> __hfma2(Pair<F> a, AlsoPair<F> b, AlsoPair<F> c) {
    return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
template <class F>
inline Pair<F> __hfma2_sat(Pair<F> a, AlsoPair<F> b, AlsoPair<F> c) {
    return {__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)};
}
template <class F>
inline Pair<F> __hfma2_relu(Pair<F> a, AlsoPair<F> b, AlsoPair<F> c) {
    return {__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)};
}
template <class F>
inline Number<F> __hneg(Number<F> a) {
    return -a;
}
template <class F>
inline Pair<F> __hneg2(Pair<F> a) {
    return -a;
}
template <class F>
inline Number<F> __habs(Number<F> a) {
    return Number<F>::of_bits(a.__x & 0x7fff);
}
template <class F>
inline Pair<F> __habs2(Pair<F> a) {
    return {__habs(a.x), __habs(a.y)};
}

// Comparisons. The forms in u also hold where one of the two is NaN.
#define LANEWORK_SIMT_HALF_COMPARE(name, operation)                                                  \
    template <class F>                                                                               \
    inline bool __h##name(Number<F> a, Also<F> b) {                                                  \
        return a operation b;                                                                        \
    }                                                                                                \
    template <class F>                                                                               \
    inline bool __h##name##u(Number<F> a, Also<F> b) {                                               \
        return __hisnan(a) || __hisnan(b) || a operation b;                                          \
    }                                                                                                \
    template <class F>                                                                               \
    inline Pair<F> __h##name##2(Pair<F> a, AlsoPair<F> b) {                                          \
        return {Number<F>(float(__h##name(a.x, b.x))), Number<F>(float(__h##name(a.y, b.y)))};       \
    }                                                                                                \
    template <class F>                                                                               \
    inline Pair<F> __h##name##u2(Pair<F> a, AlsoPair<F> b) {                                         \
        return {Number<F>(float(__h##name##u(a.x, b.x))), Number<F>(float(__h##name##u(a.y, b.y)))}; \
    }                                                                                                \
    template <class F>                                                                               \
    inline bool __hb##name##2(Pair<F> a, AlsoPair<F> b) {                                            \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                           \
    }                                                                                                \
    template <class F>                                                                               \
    inline bool __hb##name##u2(Pair<F> a, AlsoPair<F> b) {                                           \
        return __h##name##u(a.x, b.x) && __h##name##u(a.y, b.y);                                     \
    }                                                                                                \
    template <class F>                                                                               \
    inline unsigned int __h##name##2_mask(Pair<F> a, AlsoPair<F> b) {                                \
        return (__h##name(a.x, b.x) ? 0xffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u);      \
    }
template <class F>
inline bool __hisnan(Number<F> a) {
    return (a.__x & 0x7fff) > F::kInfinity;
}
template <class F>
inline Pair<F> __hisnan2(Pair<F> a) {
    return {Number<F>(float(__hisnan(a.x))), Number<F>(float(__hisnan(a.y)))};
}
/// 1 for +∞, −1 for −∞, else 0.
template <class F>
inline int __hisinf(Number<F> a) {
    return (a.__x & 0x7fff) != F::kInfinity ? 0 : a.__x & 0x8000 ? -1 : 1;
}
LANEWORK_SIMT_HALF_COMPARE(eq, ==)
LANEWORK_SIMT_HALF_COMPARE(ne, !=)
LANEWORK_SIMT_HALF_COMPARE(lt, <)
LANEWORK_SIMT_HALF_COMPARE(gt, >)
LANEWORK_SIMT_HALF_COMPARE(le, <=)
LANEWORK_SIMT_HALF_COMPARE(ge, >=)
#undef LANEWORK_SIMT_HALF_COMPARE

// The smaller and the larger: +0 is larger than −0. Of a number and a NaN the number; the _nan forms give NaN.
}  // namespace api
namespace halves {
/// An order of all numbers: bits as sign and magnitude.
template <class F>
inline int rank(Number<F> a) {
    return a.__x & 0x8000 ? -int(a.__x & 0x7fff) - 1 : int(a.__x);
}
template <class F>
inline Number<F> nan() {
    return Number<F>::of_bits(0x7fff);
}
}  // namespace halves
inline namespace api {
#define LANEWORK_SIMT_HALF_EXTREME(name, operation)                                    \
    template <class F>                                                                 \
    inline Number<F> __h##name(Number<F> a, Also<F> b) {                               \
        if (__hisnan(a)) return __hisnan(b) ? halves::nan<F>() : Number<F>(b);         \
        return __hisnan(b) || halves::rank<F>(a) operation halves::rank<F>(b) ? a : b; \
    }                                                                                  \
    template <class F>                                                                 \
    inline Number<F> __h##name##_nan(Number<F> a, Also<F> b) {                         \
        return __hisnan(a) || __hisnan(b) ? halves::nan<F>() : __h##name(a, b);        \
    }                                                                                  \
    template <class F>                                                                 \
    inline Pair<F> __h##name##2(Pair<F> a, AlsoPair<F> b) {                            \
        return {__h##name(a.x, b.x), __h##name(a.y, b.y)};                             \
    }                                                                                  \
    template <class F>                                                                 \
    inline Pair<F> __h##name##2_nan(Pair<F> a, AlsoPair<F> b) {                        \
        return {__h##name##_nan(a.x, b.x), __h##name##_nan(a.y, b.y)};                 \
    }
LANEWORK_SIMT_HALF_EXTREME(min, <)
LANEWORK_SIMT_HALF_EXTREME(max, >)
#undef LANEWORK_SIMT_HALF_EXTREME

// Mathematical functions, computed in float and rounded.
#define LANEWORK_SIMT_HALF_FUNCTION(name, expression) \
    template <class F>                                \
    inline Number<F> h##name(Number<F> a) {           \
        const float x = a;                            \
        return Number<F>(expression);                 \
    }                                                 \
    template <class F>                                \
    inline Pair<F> h2##name(Pair<F> a) {              \
        return {h##name(a.x), h##name(a.y)};          \
    }
LANEWORK_SIMT_HALF_FUNCTION(sqrt, sqrtf(x))
LANEWORK_SIMT_HALF_FUNCTION(rsqrt, rsqrtf(x))
LANEWORK_SIMT_HALF_FUNCTION(rcp, 1.0f / x)
LANEWORK_SIMT_HALF_FUNCTION(log, logf(x))
LANEWORK_SIMT_HALF_FUNCTION(log2, log2f(x))
LANEWORK_SIMT_HALF_FUNCTION(log10, log10f(x))
LANEWORK_SIMT_HALF_FUNCTION(exp, expf(x))
LANEWORK_SIMT_HALF_FUNCTION(exp2, exp2f(x))
LANEWORK_SIMT_HALF_FUNCTION(exp10, exp10f(x))
LANEWORK_SIMT_HALF_FUNCTION(cos, cosf(x))
LANEWORK_SIMT_HALF_FUNCTION(sin, sinf(x))
LANEWORK_SIMT_HALF_FUNCTION(tanh, tanhf(x))
LANEWORK_SIMT_HALF_FUNCTION(tanh_approx, tanhf(x))
LANEWORK_SIMT_HALF_FUNCTION(trunc, truncf(x))
LANEWORK_SIMT_HALF_FUNCTION(ceil, ceilf(x))
LANEWORK_SIMT_HALF_FUNCTION(floor, floorf(x))
LANEWORK_SIMT_HALF_FUNCTION(rint, rintf(x))
#undef LANEWORK_SIMT_HALF_FUNCTION

// A class that converts to one of the formats, as PyTorch's and CUTLASS's numbers do, converts for these functions of
// CUDA's, too.
#define LANEWORK_SIMT_HALF_CONVERTED(name)                           \
    template <class T, class F = halves::FormatOf<T>, class... More> \
    inline auto name(const T& a, const More&... more) {              \
        return name(halves::given<F>(a), halves::given<F>(more)...); \
    }
LANEWORK_SIMT_HALF_CONVERTED(__hadd)
LANEWORK_SIMT_HALF_CONVERTED(__hadd_rn)
LANEWORK_SIMT_HALF_CONVERTED(__hadd_sat)
LANEWORK_SIMT_HALF_CONVERTED(__hsub)
LANEWORK_SIMT_HALF_CONVERTED(__hsub_rn)
LANEWORK_SIMT_HALF_CONVERTED(__hsub_sat)
LANEWORK_SIMT_HALF_CONVERTED(__hmul)
LANEWORK_SIMT_HALF_CONVERTED(__hmul_rn)
LANEWORK_SIMT_HALF_CONVERTED(__hmul_sat)
LANEWORK_SIMT_HALF_CONVERTED(__hdiv)
LANEWORK_SIMT_HALF_CONVERTED(__hfma)
LANEWORK_SIMT_HALF_CONVERTED(__hfma_sat)
LANEWORK_SIMT_HALF_CONVERTED(__hfma_relu)
LANEWORK_SIMT_HALF_CONVERTED(__hneg)
LANEWORK_SIMT_HALF_CONVERTED(__habs)
LANEWORK_SIMT_HALF_CONVERTED(__heq)
LANEWORK_SIMT_HALF_CONVERTED(__hequ)
LANEWORK_SIMT_HALF_CONVERTED(__hne)
LANEWORK_SIMT_HALF_CONVERTED(__hneu)
LANEWORK_SIMT_HALF_CONVERTED(__hlt)
LANEWORK_SIMT_HALF_CONVERTED(__hltu)
LANEWORK_SIMT_HALF_CONVERTED(__hgt)
LANEWORK_SIMT_HALF_CONVERTED(__hgtu)
LANEWORK_SIMT_HALF_CONVERTED(__hle)
LANEWORK_SIMT_HALF_CONVERTED(__hleu)
LANEWORK_SIMT_HALF_CONVERTED(__hge)
LANEWORK_SIMT_HALF_CONVERTED(__hgeu)
LANEWORK_SIMT_HALF_CONVERTED(__hmin)
LANEWORK_SIMT_HALF_CONVERTED(__hmax)
LANEWORK_SIMT_HALF_CONVERTED(__hmin_nan)
LANEWORK_SIMT_HALF_CONVERTED(__hmax_nan)
LANEWORK_SIMT_HALF_CONVERTED(__hisnan)
LANEWORK_SIMT_HALF_CONVERTED(__hisinf)
LANEWORK_SIMT_HALF_CONVERTED(hsqrt)
LANEWORK_SIMT_HALF_CONVERTED(hrsqrt)
LANEWORK_SIMT_HALF_CONVERTED(hrcp)
LANEWORK_SIMT_HALF_CONVERTED(hlog)
LANEWORK_SIMT_HALF_CONVERTED(hlog2)
LANEWORK_SIMT_HALF_CONVERTED(hlog10)
LANEWORK_SIMT_HALF_CONVERTED(hexp)
LANEWORK_SIMT_HALF_CONVERTED(hexp2)
LANEWORK_SIMT_HALF_CONVERTED(hexp10)
LANEWORK_SIMT_HALF_CONVERTED(hcos)
LANEWORK_SIMT_HALF_CONVERTED(hsin)
LANEWORK_SIMT_HALF_CONVERTED(htanh)
LANEWORK_SIMT_HALF_CONVERTED(htrunc)
LANEWORK_SIMT_HALF_CONVERTED(hceil)
LANEWORK_SIMT_HALF_CONVERTED(hfloor)
LANEWORK_SIMT_HALF_CONVERTED(hrint)
#undef LANEWORK_SIMT_HALF_CONVERTED

// Halves of pairs.
template <class F>
inline Pair<F> __lowhigh2highlow(Pair<F> a) {
    return {a.y, a.x};
}
template <class F>
inline float __low2float(Pair<F> a) {
    return a.x;
}
template <class F>
inline float __high2float(Pair<F> a) {
    return a.y;
}

#define LANEWORK_SIMT_HALF_ATOMIC(type)                                                      \
    template <class F>                                                                       \
    LANEWORK_SIMT_BUILTIN type<F> atomicAdd(type<F>* address, AlsoOf<type<F>> value) {       \
        spin_hint(address);                                                                  \
        return atomic_update::update(address, [value](type<F> old) { return old + value; }); \
    }
/// Each half of a pair is added atomically, as CUDA promises; here even both at once.
LANEWORK_SIMT_HALF_ATOMIC(Number)
LANEWORK_SIMT_HALF_ATOMIC(Pair)
#undef LANEWORK_SIMT_HALF_ATOMIC

}  // namespace api
}  // namespace lanework_simt

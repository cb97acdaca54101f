// What instructions of inline PTX compute of values alone: arithmetic, bits, choices, comparisons, conversions.
#pragma once

#include <lanework/half.hpp>
#include <lanework_simt/conversions.hpp>
#include <lanework_simt/integers.hpp>
#include <lanework_simt/math.hpp>
#include <lanework_simt/ptx_registers.hpp>
#include <lanework_simt/thread.hpp>
#include <limits>
#include <type_traits>

namespace lanework_simt::ptx {

// -- arithmetic -------------------------------------------------------------------------------------------------------

/// Wide enough that nothing of a product is lost.
template <class T>
struct Wide;
#define LANEWORK_SIMT_WIDE(narrow, wide) \
    template <>                          \
    struct Wide<narrow> {                \
        using Type = wide;               \
    };
LANEWORK_SIMT_WIDE(short, int)
LANEWORK_SIMT_WIDE(unsigned short, unsigned int)
LANEWORK_SIMT_WIDE(int, long long)
LANEWORK_SIMT_WIDE(unsigned int, unsigned long long)
LANEWORK_SIMT_WIDE(long long, lanework_int128)
LANEWORK_SIMT_WIDE(unsigned long long, lanework_uint128)
#undef LANEWORK_SIMT_WIDE
template <class T>
using WideOf = typename Wide<T>::Type;
/// Integers wrap around, as no signed type of C++ does.
template <class T>
constexpr bool kIsInteger = std::is_integral_v<T>;
template <class T>
LANEWORK_SIMT_BUILTIN auto wrapping(T value) {
    if constexpr (kIsInteger<T>)
        return static_cast<std::make_unsigned_t<T>>(value);
    else
        return value;
}

template <class T>
LANEWORK_SIMT_BUILTIN T op_add(T a, T b) {
    return static_cast<T>(wrapping(a) + wrapping(b));
}
template <class T>
LANEWORK_SIMT_BUILTIN T op_sub(T a, T b) {
    return static_cast<T>(wrapping(a) - wrapping(b));
}
template <class T>
LANEWORK_SIMT_BUILTIN T op_mul(T a, T b) {
    return a * b;
}
inline int clamped(long long value) {
    return value > 2147483647 ? 2147483647 : value < -2147483647 - 1 ? -2147483647 - 1 : static_cast<int>(value);
}
LANEWORK_SIMT_BUILTIN int op_add_sat(int a, int b) { return clamped(static_cast<long long>(a) + b); }
LANEWORK_SIMT_BUILTIN int op_sub_sat(int a, int b) { return clamped(static_cast<long long>(a) - b); }
template <class T>
LANEWORK_SIMT_BUILTIN WideOf<T> op_mul_wide(T a, T b) {
    return static_cast<WideOf<T>>(static_cast<WideOf<T>>(a) * b);
}
template <class T>
LANEWORK_SIMT_BUILTIN T op_mul_lo(T a, T b) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<Unsigned>(a) * static_cast<unsigned long long>(static_cast<Unsigned>(b)));
}
template <class T>
LANEWORK_SIMT_BUILTIN T op_mul_hi(T a, T b) {
    return static_cast<T>(op_mul_wide(a, b) >> (8 * sizeof(T)));
}
template <class T>
LANEWORK_SIMT_BUILTIN T op_mul24_lo(T a, T b) {
    if constexpr (std::is_signed_v<T>)
        return __mul24(a, b);
    else
        return __umul24(a, b);
}
template <class T>
LANEWORK_SIMT_BUILTIN T op_mad24_lo(T a, T b, T c) {
    return op_add(op_mul24_lo(a, b), c);
}
template <class T>
LANEWORK_SIMT_BUILTIN T op_mad_lo(T a, T b, T c) {
    return op_add(op_mul_lo(a, b), c);
}
template <class T>
LANEWORK_SIMT_BUILTIN T op_mad_hi(T a, T b, T c) {
    return op_add(op_mul_hi(a, b), c);
}
template <class T>
LANEWORK_SIMT_BUILTIN WideOf<T> op_mad_wide(T a, T b, WideOf<T> c) {
    return op_add(op_mul_wide(a, b), c);
}
LANEWORK_SIMT_BUILTIN float op_fma(float a, float b, float c) { return ::fmaf(a, b, c); }
LANEWORK_SIMT_BUILTIN double op_fma(double a, double b, double c) { return ::fma(a, b, c); }
/// Division by zero gives all ones, as it does on a GPU.
template <class T>
LANEWORK_SIMT_BUILTIN T op_div(T a, T b) {
    if constexpr (kIsInteger<T>) {
        if (b == 0) return static_cast<T>(-1);
        if (std::is_signed_v<T> && b == static_cast<T>(-1)) return static_cast<T>(0u - wrapping(a));
    }
    return static_cast<T>(a / b);
}
template <class T>
LANEWORK_SIMT_BUILTIN T op_rem(T a, T b) {
    if (b == 0) return a;
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
    return static_cast<T>(a % b);
}
template <class T>
LANEWORK_SIMT_BUILTIN T op_neg(T a) {
    if constexpr (kIsInteger<T>)
        return static_cast<T>(0u - wrapping(a));
    else
        return -a;
}
template <class T>
LANEWORK_SIMT_BUILTIN T op_abs(T a) {
    if constexpr (kIsInteger<T>)
        return a < 0 ? op_neg(a) : a;
    else
        return __builtin_copysign(a, T(1));
}
LANEWORK_SIMT_BUILTIN float op_abs(float a) { return __builtin_fabsf(a); }
/// The one that is a number, where one of two floats is none.
template <class T>
LANEWORK_SIMT_BUILTIN T op_min(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
        return static_cast<T>(fmin(a, b));
    else
        return b < a ? b : a;
}
template <class T>
LANEWORK_SIMT_BUILTIN T op_max(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
        return static_cast<T>(fmax(a, b));
    else
        return a < b ? b : a;
}
template <class T>
LANEWORK_SIMT_BUILTIN unsigned int op_sad(T a, T b, T c) {
    if constexpr (std::is_signed_v<T>)
        return __sad(a, b, static_cast<unsigned>(c));
    else
        return __usad(a, b, c);
}
/// PTX copies the sign of the first operand to the second.
template <class T>
LANEWORK_SIMT_BUILTIN T op_copysign(T sign, T magnitude) {
    return static_cast<T>(__builtin_copysign(magnitude, sign));
}
template <class T>
LANEWORK_SIMT_BUILTIN T op_rcp(T a) {
    return T(1) / a;
}
template <class T>
LANEWORK_SIMT_BUILTIN T op_sqrt(T a) {
    return static_cast<T>(std::is_same_v<T, float> ? ::sqrtf(static_cast<float>(a)) : ::sqrt(a));
}
template <class T>
LANEWORK_SIMT_BUILTIN T op_rsqrt(T a) {
    return static_cast<T>(1.0 / ::sqrt(static_cast<double>(a)));
}
LANEWORK_SIMT_BUILTIN float op_sin(float a) { return ::sinf(a); }
LANEWORK_SIMT_BUILTIN float op_cos(float a) { return ::cosf(a); }
LANEWORK_SIMT_BUILTIN float op_lg2(float a) { return ::log2f(a); }
LANEWORK_SIMT_BUILTIN float op_ex2(float a) { return ::exp2f(a); }
LANEWORK_SIMT_BUILTIN float op_tanh(float a) { return ::tanhf(a); }

/// .ftz: subnormal numbers are zero, with their sign. .sat: within [0, 1], and NaN is 0.
LANEWORK_SIMT_BUILTIN float flushed(float a) {
    return __builtin_fabsf(a) < 1.17549435e-38f ? __builtin_copysignf(0.0f, a) : a;
}
template <class T>
LANEWORK_SIMT_BUILTIN T saturated(T a) {
    return a > T(0) ? (a < T(1) ? a : T(1)) : T(0);
}

// -- arithmetic of many words: the carry is the thread's, and lasts from one statement to the next --------------------

#if defined(__x86_64__)
LANEWORK_SIMT_BUILTIN void set_carry(unsigned int carry) { asm("movl %1, %0" : "=m"(context.carry) : "r"(carry)); }
#else
__attribute__((no_sanitize("thread"))) inline void set_carry(unsigned int carry) { context.carry = carry; }
#endif
LANEWORK_SIMT_BUILTIN unsigned int carry() { return quiet_load(context.carry); }

template <bool Set, class T>
LANEWORK_SIMT_BUILTIN T sum_with(T a, T b, unsigned int carry_in) {
    using Unsigned = std::make_unsigned_t<T>;
    const auto sum = static_cast<WideOf<Unsigned>>(static_cast<Unsigned>(a)) + static_cast<Unsigned>(b) + carry_in;
    if constexpr (Set) set_carry(static_cast<unsigned>(sum >> (8 * sizeof(T))) & 1u);
    return static_cast<T>(sum);
}
template <bool Set, class T>
LANEWORK_SIMT_BUILTIN T difference_with(T a, T b, unsigned int borrow) {
    using Unsigned = std::make_unsigned_t<T>;
    const auto difference = static_cast<WideOf<Unsigned>>(static_cast<Unsigned>(a)) - static_cast<Unsigned>(b) - borrow;
    if constexpr (Set) set_carry(static_cast<unsigned>(difference >> (8 * sizeof(T))) & 1u);
    return static_cast<T>(difference);
}
template <class T>
LANEWORK_SIMT_BUILTIN T op_add_cc(T a, T b) {
    return sum_with<true>(a, b, 0);
}
template <class T>
LANEWORK_SIMT_BUILTIN T op_addc(T a, T b) {
    return sum_with<false>(a, b, carry());
}
template <class T>
LANEWORK_SIMT_BUILTIN T op_addc_cc(T a, T b) {
    return sum_with<true>(a, b, carry());
}
template <class T>
LANEWORK_SIMT_BUILTIN T op_sub_cc(T a, T b) {
    return difference_with<true>(a, b, 0);
}
template <class T>
LANEWORK_SIMT_BUILTIN T op_subc(T a, T b) {
    return difference_with<false>(a, b, carry());
}
template <class T>
LANEWORK_SIMT_BUILTIN T op_subc_cc(T a, T b) {
    return difference_with<true>(a, b, carry());
}
template <class T>
LANEWORK_SIMT_BUILTIN T op_mad_lo_cc(T a, T b, T c) {
    return op_add_cc(op_mul_lo(a, b), c);
}
template <class T>
LANEWORK_SIMT_BUILTIN T op_mad_hi_cc(T a, T b, T c) {
    return op_add_cc(op_mul_hi(a, b), c);
}
template <class T>
LANEWORK_SIMT_BUILTIN T op_madc_lo(T a, T b, T c) {
    return op_addc(op_mul_lo(a, b), c);
}
template <class T>
LANEWORK_SIMT_BUILTIN T op_madc_hi(T a, T b, T c) {
    return op_addc(op_mul_hi(a, b), c);
}
template <class T>
LANEWORK_SIMT_BUILTIN T op_madc_lo_cc(T a, T b, T c) {
    return op_addc_cc(op_mul_lo(a, b), c);
}
template <class T>
LANEWORK_SIMT_BUILTIN T op_madc_hi_cc(T a, T b, T c) {
    return op_addc_cc(op_mul_hi(a, b), c);
}

// -- bits -------------------------------------------------------------------------------------------------------------

template <class T>
LANEWORK_SIMT_BUILTIN T op_and(T a, T b) {
    return static_cast<T>(a & b);
}
template <class T>
LANEWORK_SIMT_BUILTIN T op_or(T a, T b) {
    return static_cast<T>(a | b);
}
template <class T>
LANEWORK_SIMT_BUILTIN T op_xor(T a, T b) {
    return static_cast<T>(a ^ b);
}
template <class T>
LANEWORK_SIMT_BUILTIN T op_not(T a) {
    if constexpr (std::is_same_v<T, bool>)
        return !a;
    else
        return static_cast<T>(~a);
}
template <class T>
LANEWORK_SIMT_BUILTIN T op_cnot(T a) {
    return a == 0 ? 1 : 0;
}
/// Shifts by the width or more shift everything out.
template <class T>
LANEWORK_SIMT_BUILTIN T op_shl(T a, unsigned int count) {
    return count < 8 * sizeof(T) ? static_cast<T>(a << count) : T(0);
}
template <class T>
LANEWORK_SIMT_BUILTIN T op_shr(T a, unsigned int count) {
    constexpr unsigned kBits = 8 * sizeof(T);
    if (count < kBits) return static_cast<T>(a >> count);
    return std::is_signed_v<T> ? static_cast<T>(a >> (kBits - 1)) : T(0);
}
/// Bit i of the table is the result where the bits of a, b and c are those of i, a's the highest.
LANEWORK_SIMT_BUILTIN unsigned int op_lop3(unsigned int a, unsigned int b, unsigned int c, unsigned int table) {
    unsigned int result = 0;
    for (unsigned int i = 0; i < 8; ++i)
        if (table >> i & 1) result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    return result;
}
/// Bit 3 of each nibble of the selector asks for the sign of the byte instead.
inline unsigned int op_prmt(unsigned int a, unsigned int b, unsigned int selector) {
    unsigned int result = __byte_perm(a, b, selector);
    for (unsigned int i = 0; i < 4; ++i)
        if (selector >> (4 * i + 3) & 1)
            result = (result & ~(0xffu << 8 * i)) | (result >> (8 * i + 7) & 1 ? 0xffu << 8 * i : 0u);
    return result;
}
inline unsigned int selector_of(const unsigned short (&table)[4], unsigned int selector) { return table[selector & 3]; }
#define LANEWORK_SIMT_PRMT(mode, first, second, third, fourth)                                              \
    LANEWORK_SIMT_BUILTIN unsigned int op_prmt_##mode(unsigned int a, unsigned int b, unsigned int which) { \
        const unsigned short table[4] = {first, second, third, fourth};                                     \
        return __byte_perm(a, b, selector_of(table, which));                                                \
    }
LANEWORK_SIMT_PRMT(f4e, 0x3210, 0x4321, 0x5432, 0x6543)
LANEWORK_SIMT_PRMT(b4e, 0x5670, 0x6701, 0x7012, 0x0123)
LANEWORK_SIMT_PRMT(rc8, 0x0000, 0x1111, 0x2222, 0x3333)
LANEWORK_SIMT_PRMT(ecl, 0x3210, 0x3211, 0x3222, 0x3333)
LANEWORK_SIMT_PRMT(ecr, 0x0000, 0x1110, 0x2210, 0x3210)
LANEWORK_SIMT_PRMT(rc16, 0x1010, 0x3232, 0x1010, 0x3232)
#undef LANEWORK_SIMT_PRMT

/// `length` bits from `start`, with the sign of the last that is there.
template <class T>
LANEWORK_SIMT_BUILTIN T op_bfe(T a, unsigned int start, unsigned int length) {
    constexpr unsigned int kBits = 8 * sizeof(T);
    using Unsigned = std::make_unsigned_t<T>;
    start &= 0xff;
    length &= 0xff;
    if (length == 0) return 0;
    const unsigned int last = start + length - 1 < kBits ? start + length - 1 : kBits - 1;
    const bool negative = std::is_signed_v<T> && (static_cast<Unsigned>(a) >> last & 1);
    const Unsigned moved = start < kBits ? static_cast<Unsigned>(static_cast<Unsigned>(a) >> start) : Unsigned(0);
    const Unsigned mask = length < kBits ? static_cast<Unsigned>((Unsigned(1) << length) - 1) : ~Unsigned(0);
    // Beyond the register's end there are copies of the sign.
    const Unsigned there = start < kBits && kBits - start < kBits ? (Unsigned(1) << (kBits - start)) - 1
                           : start < kBits                        ? ~Unsigned(0)
                                                                  : Unsigned(0);
    const Unsigned low = moved & mask & there;
    return static_cast<T>(negative ? low | ~(mask & there) : low);
}
template <class T>
LANEWORK_SIMT_BUILTIN T op_bfi(T bits, T into, unsigned int start, unsigned int length) {
    constexpr unsigned int kBits = 8 * sizeof(T);
    start &= 0xff;
    length &= 0xff;
    if (length == 0 || start >= kBits) return into;
    const T mask = static_cast<T>((length < kBits ? (T(1) << length) - 1 : ~T(0)) << start);
    return static_cast<T>((into & ~mask) | (static_cast<T>(bits << start) & mask));
}
/// The highest bit that is not the sign's; all ones if there is none. The other form gives the shift that puts it
/// first.
template <class T>
LANEWORK_SIMT_BUILTIN unsigned int op_bfind(T a) {
    using Unsigned = std::make_unsigned_t<T>;
    const Unsigned bits = static_cast<Unsigned>(a < T(0) ? ~a : a);
    if (bits == 0) return 0xffffffffu;
    return 63u - static_cast<unsigned>(__builtin_clzll(bits));
}
template <class T>
LANEWORK_SIMT_BUILTIN unsigned int op_bfind_shiftamt(T a) {
    const unsigned int found = op_bfind(a);
    return found == 0xffffffffu ? found : static_cast<unsigned>(8 * sizeof(T)) - 1 - found;
}
LANEWORK_SIMT_BUILTIN unsigned int op_bmsk_clamp(unsigned int start, unsigned int length) {
    if (start >= 32 || length == 0) return 0;
    return (length >= 32 ? ~0u : (1u << length) - 1) << start;
}
LANEWORK_SIMT_BUILTIN unsigned int op_bmsk_wrap(unsigned int start, unsigned int length) {
    return op_bmsk_clamp(start & 31, length & 31);
}
template <class T>
LANEWORK_SIMT_BUILTIN T op_szext_clamp(T a, T bits) {
    const auto count = static_cast<unsigned int>(bits);
    return count >= 32 ? a : op_bfe(a, 0, count);
}
template <class T>
LANEWORK_SIMT_BUILTIN T op_szext_wrap(T a, T bits) {
    return op_bfe(a, 0, static_cast<unsigned int>(bits) & 31);
}
LANEWORK_SIMT_BUILTIN unsigned int op_popc(unsigned int a) { return static_cast<unsigned>(__popc(a)); }
LANEWORK_SIMT_BUILTIN unsigned int op_popc(unsigned long long a) { return static_cast<unsigned>(__popcll(a)); }
LANEWORK_SIMT_BUILTIN unsigned int op_clz(unsigned int a) { return static_cast<unsigned>(__clz(static_cast<int>(a))); }
LANEWORK_SIMT_BUILTIN unsigned int op_clz(unsigned long long a) {
    return static_cast<unsigned>(__clzll(static_cast<long long>(a)));
}
LANEWORK_SIMT_BUILTIN unsigned int op_brev(unsigned int a) { return __brev(a); }
LANEWORK_SIMT_BUILTIN unsigned long long op_brev(unsigned long long a) { return __brevll(a); }

// -- choices and comparisons ------------------------------------------------------------------------------------------

template <class T>
LANEWORK_SIMT_BUILTIN T op_selp(T a, T b, bool which) {
    return which ? a : b;
}

template <class T>
LANEWORK_SIMT_BUILTIN bool is_nan(T a, T b) {
    return a != a || b != b;
}
template <class T>
LANEWORK_SIMT_BUILTIN bool is_num(T a, T b) {
    return a == a && b == b;
}
#define LANEWORK_SIMT_COMPARISON(name, condition)       \
    template <class T>                                  \
    LANEWORK_SIMT_BUILTIN bool is_##name(T a, T b) {    \
        return condition;                               \
    }                                                   \
    template <class T>                                  \
    LANEWORK_SIMT_BUILTIN bool is_##name##u(T a, T b) { \
        return (condition) || is_nan(a, b);             \
    }
LANEWORK_SIMT_COMPARISON(eq, a == b)
LANEWORK_SIMT_COMPARISON(ne, a != b && is_num(a, b))
LANEWORK_SIMT_COMPARISON(lt, a < b)
LANEWORK_SIMT_COMPARISON(le, a <= b)
LANEWORK_SIMT_COMPARISON(gt, a > b)
LANEWORK_SIMT_COMPARISON(ge, a >= b)
LANEWORK_SIMT_COMPARISON(lo, a < b)
LANEWORK_SIMT_COMPARISON(ls, a <= b)
LANEWORK_SIMT_COMPARISON(hi, a > b)
LANEWORK_SIMT_COMPARISON(hs, a >= b)
#undef LANEWORK_SIMT_COMPARISON

// -- conversions ------------------------------------------------------------------------------------------------------

/// To the nearest, to zero, down, up; the second four give integers, in a float if they are asked to.
enum class Rounding { rn, rz, rm, rp, rni, rzi, rmi, rpi };

template <Rounding How, class T>
LANEWORK_SIMT_BUILTIN T rounded(T a) {
    if constexpr (How == Rounding::rni)
        return static_cast<T>(nearbyint(a));
    else if constexpr (How == Rounding::rzi || How == Rounding::rz)
        return static_cast<T>(trunc(a));
    else if constexpr (How == Rounding::rmi || How == Rounding::rm)
        return static_cast<T>(floor(a));
    else if constexpr (How == Rounding::rpi || How == Rounding::rp)
        return static_cast<T>(ceil(a));
    else
        return a;
}
template <class To, class From>
LANEWORK_SIMT_BUILTIN To clamped_to(From a) {
    using Limits = std::numeric_limits<To>;
    if constexpr (std::is_signed_v<From> && !std::is_signed_v<To>) {
        if (a < 0) return 0;
        return static_cast<std::make_unsigned_t<From>>(a) > Limits::max() ? Limits::max() : static_cast<To>(a);
    } else if constexpr (!std::is_signed_v<From> && std::is_signed_v<To>) {
        return a > static_cast<std::make_unsigned_t<To>>(Limits::max()) ? Limits::max() : static_cast<To>(a);
    } else {
        return a > Limits::max() ? Limits::max() : a < Limits::min() ? Limits::min() : static_cast<To>(a);
    }
}
template <Rounding How, class To>
LANEWORK_SIMT_BUILTIN To narrowed(double a) {
    if constexpr (!std::is_same_v<To, float>)
        return a;
    else if constexpr (How == Rounding::rz)
        return __double2float_rz(a);
    else if constexpr (How == Rounding::rm)
        return __double2float_rd(a);
    else if constexpr (How == Rounding::rp)
        return __double2float_ru(a);
    else
        return static_cast<float>(a);
}
template <Rounding How, class From>
LANEWORK_SIMT_BUILTIN float float_from(From a) {
    if constexpr (How == Rounding::rn)
        return static_cast<float>(a);
    else if constexpr (sizeof(From) < 8)
        return narrowed<How, float>(static_cast<double>(a));
    else if constexpr (std::is_signed_v<From>)
        return How == Rounding::rz ? __ll2float_rz(a) : How == Rounding::rm ? __ll2float_rd(a) : __ll2float_ru(a);
    else
        return How == Rounding::rz ? __ull2float_rz(a) : How == Rounding::rm ? __ull2float_rd(a) : __ull2float_ru(a);
}

// The 16-bit formats, which only conversions know here.
struct Half {
    lanework::float16 number;
};
struct Brain {
    lanework::bfloat16 number;
};
/// Two in a register.
struct Halves {
    Half low, high;
};
struct Brains {
    Brain low, high;
};
inline float widened(Half a) { return lanework::to_float(a.number); }
inline float widened(Brain a) { return lanework::to_float(a.number); }
inline void narrow(float a, Half& to) { to.number = lanework::to_float16(a); }
inline void narrow(float a, Brain& to) { to.number = lanework::to_bfloat16(a); }
template <class Pair>
inline Pair pair(float high, float low) {
    Pair result;
    narrow(high, result.high);
    narrow(low, result.low);
    return result;
}
/// 10 bits of fraction, ties away from zero.
inline unsigned int to_tf32(float a) {
    const auto bits = bits_as<unsigned int>(a);
    return a != a || (bits & 0x7f800000u) == 0x7f800000u ? bits : (bits + 0x1000u) & ~0x1fffu;
}

template <class To, Rounding How, bool Saturate, class From>
LANEWORK_SIMT_BUILTIN To convert(From a) {
    if constexpr (!std::is_arithmetic_v<From>) {
        return convert<To, How, Saturate>(widened(a));
    } else if constexpr (!std::is_arithmetic_v<To>) {
        static_assert(How == Rounding::rn, "to 16-bit numbers inline PTX rounds to the nearest here");
        To value;
        narrow(convert<float, How, Saturate>(a), value);
        return value;
    } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
        if constexpr (sizeof(To) < 4)
            return clamped_to<To>(conversion::saturate<int>(rounded<How>(a)));
        else
            return conversion::saturate<To>(rounded<How>(a));
    } else if constexpr (std::is_integral_v<From> && std::is_integral_v<To>) {
        if constexpr (Saturate)
            return clamped_to<To>(a);
        else
            return static_cast<To>(a);
    } else {
        To value;
        if constexpr (std::is_integral_v<From> && std::is_same_v<To, float>)
            value = float_from<How>(a);
        else if constexpr (std::is_integral_v<From> || sizeof(To) > sizeof(From))
            value = static_cast<To>(a);
        else if constexpr (sizeof(To) == sizeof(From))
            value = rounded<How>(a);
        else
            value = narrowed<How, To>(a);
        if constexpr (Saturate) value = saturated(value);
        return value;
    }
}

}  // namespace lanework_simt::ptx

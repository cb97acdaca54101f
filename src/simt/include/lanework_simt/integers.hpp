// CUDA's integer intrinsics: counting and permuting bits, high halves of products, sums of differences, dot products.
#pragma once

#include <lanework_simt/vector_types.hpp>

namespace lanework_simt {
__extension__ typedef __int128 lanework_int128;
__extension__ typedef unsigned __int128 lanework_uint128;

inline namespace api {

inline int __popc(unsigned int x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x ? __builtin_clz(unsigned(x)) : 32; }
inline int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)(x)) : 64; }
/// The position of the lowest set bit, counted from 1; 0 if there is none.
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }

inline unsigned int __brev(unsigned int x) {
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}
inline unsigned long long __brevll(unsigned long long x) {
    return (unsigned long long)(__brev(unsigned(x))) << 32 | __brev(unsigned(x >> 32));
}

/// Picks four of the eight bytes of y:x; the low three bits of each nibble of `selector` name one.
inline unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) {
    unsigned int picked = 0;
    for (int i = 0; i < 4; ++i) {
        const unsigned int byte = selector >> 4 * i & 7, word = x ^ ((x ^ y) & -(byte >> 2));  // x or y
        picked |= (word >> 8 * (byte & 3) & 0xff) << 8 * i;
    }
    return picked;
}

/// The position of the n-th set bit of `mask` from `base` upwards (n > 0) or downwards (n < 0); n = 0 asks for `base`
/// itself; all ones if there is none.
inline unsigned int __fns(unsigned int mask, unsigned int base, int n) {
    const int step = n < 0 ? -1 : 1;
    int left = n == 0 ? 1 : n * step;
    for (int bit = int(base); bit >= 0 && bit < 32; bit += step) {
        if ((mask >> bit & 1) && --left == 0) return unsigned(bit);
        if (n == 0) break;
    }
    return 0xffffffffu;
}

inline int __mulhi(int x, int y) { return int((long long)(x)*y >> 32); }
inline unsigned int __umulhi(unsigned int x, unsigned int y) { return unsigned((unsigned long long)(x)*y >> 32); }
inline long long __mul64hi(long long x, long long y) { return (long long)(lanework_int128(x) * y >> 64); }
inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    return (unsigned long long)(lanework_uint128(x) * y >> 64);
}
inline int mulhi(int x, int y) { return __mulhi(x, y); }
inline unsigned int mulhi(unsigned int x, unsigned int y) { return __umulhi(x, y); }
inline unsigned int mulhi(int x, unsigned int y) { return __umulhi(unsigned(x), y); }
inline unsigned int mulhi(unsigned int x, int y) { return __umulhi(x, unsigned(y)); }
inline long long mul64hi(long long x, long long y) { return __mul64hi(x, y); }
inline unsigned long long mul64hi(unsigned long long x, unsigned long long y) { return __umul64hi(x, y); }

/// The low 32 bits of the product of the low 24 bits.
inline int __mul24(int x, int y) {
    const int a = int(unsigned(x) << 8) >> 8, b = int(unsigned(y) << 8) >> 8;
    return int(unsigned((long long)(a)*b));
}
inline unsigned int __umul24(unsigned int x, unsigned int y) { return (x & 0xffffffu) * (y & 0xffffffu); }

/// |x − y| + z.
inline unsigned int __sad(int x, int y, unsigned int z) {
    return (x > y ? unsigned(x) - unsigned(y) : unsigned(y) - unsigned(x)) + z;
}
inline unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) { return (x > y ? x - y : y - x) + z; }
/// The average of two integers, rounded down, without overflow; the r forms round up.
inline int __hadd(int x, int y) { return int(((long long)(x) + y) >> 1); }
inline int __rhadd(int x, int y) { return int(((long long)(x) + y + 1) >> 1); }
inline unsigned int __uhadd(unsigned int x, unsigned int y) { return unsigned(((unsigned long long)(x) + y) >> 1); }
inline unsigned int __urhadd(unsigned int x, unsigned int y) {
    return unsigned(((unsigned long long)(x) + y + 1) >> 1);
}

/// Shifts high:low and returns the high (l) or low (r) word; the c forms clamp the shift at 32, the others wrap it.
/// Nowhere is high:low put together in one integer: where the two were just loaded, the compiler would load that.
inline unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
    return high << (shift & 31) | low >> 1 >> (31 - (shift & 31));
}
inline unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
    return low >> (shift & 31) | high << 1 << (31 - (shift & 31));
}
inline unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift) {
    return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
inline unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift) {
    return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

/// The dot product of four bytes with four bytes, added to c.
inline int __dp4a(int a, int b, int c) {
    unsigned int sum = unsigned(c);
    for (int i = 0; i < 32; i += 8) sum += unsigned(int((signed char)(a >> i)) * int((signed char)(b >> i)));
    return int(sum);
}
inline unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) {
    for (int i = 0; i < 32; i += 8) c += (a >> i & 0xff) * (b >> i & 0xff);
    return c;
}
inline int __dp4a(char4 a, char4 b, int c) {
    return int(unsigned(c) + unsigned(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w));
}
inline unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c) {
    return c + unsigned(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);
}

/// The dot product of two 16-bit numbers with the low (lo) or high (hi) two bytes of b, added to c.
inline int __dp2a_lo(int a, int b, int c) {
    return int(unsigned(c) + unsigned(short(a)) * unsigned((signed char)(b)) +
               unsigned(a >> 16) * unsigned((signed char)(b >> 8)));
}
inline int __dp2a_hi(int a, int b, int c) { return __dp2a_lo(a, b >> 16, c); }
inline unsigned int __dp2a_lo(unsigned int a, unsigned int b, unsigned int c) {
    return c + (a & 0xffff) * (b & 0xff) + (a >> 16) * (b >> 8 & 0xff);
}
inline unsigned int __dp2a_hi(unsigned int a, unsigned int b, unsigned int c) { return __dp2a_lo(a, b >> 16, c); }
inline int __dp2a_lo(short2 a, char4 b, int c) { return int(unsigned(c) + unsigned(a.x * b.x) + unsigned(a.y * b.y)); }
inline int __dp2a_hi(short2 a, char4 b, int c) { return int(unsigned(c) + unsigned(a.x * b.z) + unsigned(a.y * b.w)); }
inline unsigned int __dp2a_lo(ushort2 a, uchar4 b, unsigned int c) {
    return c + unsigned(a.x) * b.x + unsigned(a.y) * b.y;
}
inline unsigned int __dp2a_hi(ushort2 a, uchar4 b, unsigned int c) {
    return c + unsigned(a.x) * b.z + unsigned(a.y) * b.w;
}

}  // namespace api
}  // namespace lanework_simt

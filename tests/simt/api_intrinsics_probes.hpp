// One line per intrinsic: its name here and its call on inputs drawn from a counter. The same list is compiled with
// nvcc to record what a GPU answers, and with a host compiler to compare. Only functions with one right answer are
// listed.
#pragma once

#ifndef __CUDACC__
#define __CUDACC__ 1  // the device's language, too
#endif
#include <cuda_runtime.h>

namespace probes {

constexpr int kInputs = 4096;

/// Random bits of the index: the steps are those of SplitMix64 (Steele, Lea, Flood 2014).
__host__ __device__ inline unsigned long long random_bits(unsigned long long index) {
    unsigned long long z = (index + 1) * 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

/// Every other index draws plain bits; the rest draws corner cases of integers and floats, or numbers of modest size.
struct Inputs {
    unsigned a, b, c;
    unsigned long long la, lb;
    float f, g, h;
    double d, e, k;

    __host__ __device__ static unsigned word(unsigned long long seed) {
        const unsigned corners[] = {0u,          1u,          0x80000000u, 0x7fffffffu, 0xffffffffu, 0x3f800000u,
                                    0xbf800000u, 0x7f800000u, 0xff800000u, 0x7fc00000u, 0x00000001u, 0x807fffffu,
                                    0x4f000000u, 0x5f000000u, 0xcf000000u, 0x3effffffu};
        const unsigned long long bits = random_bits(seed);
        const unsigned modest = 0x3c000000u + unsigned(bits >> 32) % 0x10000000u + (unsigned(bits) & 0x80000000u);
        return bits % 4 == 0 ? corners[bits >> 60] : bits % 4 == 1 ? modest : unsigned(bits >> 16);
    }
    __host__ __device__ static double number(unsigned long long seed, float single) {
        const unsigned long long bits = random_bits(seed);
        // A product with a power of two is exact, so that it does not matter whether it is fused.
        double value = double(single) + double(bits >> 40) * 0x1p-30;
        if (bits % 3 == 0) __builtin_memcpy(&value, &bits, sizeof value);
        return value;
    }
    __host__ __device__ static float single(unsigned bits) {
        float value;
        __builtin_memcpy(&value, &bits, sizeof value);
        return value;
    }
    __host__ __device__ explicit Inputs(int index) {
        const unsigned long long at = 16ull * unsigned(index);
        a = word(at), b = word(at + 1), c = word(at + 2);
        la = random_bits(at + 3) >> (a & 63), lb = random_bits(at + 4) >> (b & 63);
        f = single(word(at + 5)), g = single(word(at + 6)), h = single(word(at + 7));
        d = number(at + 8, f), e = number(at + 9, g), k = number(at + 10, h);
    }
};

using Bits = unsigned long long;
__host__ __device__ inline Bits bits(int x) { return unsigned(x); }
__host__ __device__ inline Bits bits(unsigned x) { return x; }
__host__ __device__ inline Bits bits(long long x) { return Bits(x); }
__host__ __device__ inline Bits bits(Bits x) { return x; }
/// A NaN is any NaN, and a zero any zero: which one comes out is not part of the contract.
__host__ __device__ inline Bits bits(float x) {
    unsigned word;
    __builtin_memcpy(&word, &x, sizeof word);
    return x != x ? 0x7fc00000u : x == 0 ? 0 : word;
}
__host__ __device__ inline Bits bits(double x) {
    Bits word;
    __builtin_memcpy(&word, &x, sizeof word);
    return x != x ? 0x7ff8000000000000ull : x == 0 ? 0 : word;
}

/// Folds the outputs into one number (FNV-1a over words).
inline Bits digest(const Bits* outputs) {
    Bits hash = 0xcbf29ce484222325ull;
    for (int i = 0; i < kInputs; ++i) hash = (hash ^ outputs[i]) * 0x100000001b3ull;
    return hash;
}

}  // namespace probes

// The table, which the formatter cannot set.
// clang-format off
#define LANEWORK_ROUNDED_PROBES(X, mode) \
    X(fadd_##mode, __fadd_##mode(f, g)) X(fsub_##mode, __fsub_##mode(f, g)) X(fmul_##mode, __fmul_##mode(f, g)) \
    X(fdiv_##mode, __fdiv_##mode(f, g)) X(frcp_##mode, __frcp_##mode(f)) X(fsqrt_##mode, __fsqrt_##mode(f)) \
    X(fmaf_##mode, __fmaf_##mode(f, g, h)) X(dadd_##mode, __dadd_##mode(d, e)) X(dsub_##mode, __dsub_##mode(d, e)) \
    X(dmul_##mode, __dmul_##mode(d, e)) X(ddiv_##mode, __ddiv_##mode(d, e)) X(drcp_##mode, __drcp_##mode(d)) \
    X(dsqrt_##mode, __dsqrt_##mode(d)) X(fma_##mode, __fma_##mode(d, e, k)) \
    X(float2int_##mode, __float2int_##mode(f)) X(float2uint_##mode, __float2uint_##mode(f)) \
    X(float2ll_##mode, __float2ll_##mode(f)) X(float2ull_##mode, __float2ull_##mode(f)) \
    X(double2int_##mode, __double2int_##mode(d)) X(double2uint_##mode, __double2uint_##mode(d)) \
    X(double2ll_##mode, __double2ll_##mode(d)) X(double2ull_##mode, __double2ull_##mode(d)) \
    X(double2float_##mode, __double2float_##mode(d)) X(int2float_##mode, __int2float_##mode(int(a))) \
    X(uint2float_##mode, __uint2float_##mode(a)) X(ll2float_##mode, __ll2float_##mode((long long)la)) \
    X(ull2float_##mode, __ull2float_##mode(la)) X(ll2double_##mode, __ll2double_##mode((long long)la)) \
    X(ull2double_##mode, __ull2double_##mode(la))

#define LANEWORK_PACKED_PROBES(X, n) \
    X(vadd##n, __vadd##n(a, b)) X(vaddss##n, __vaddss##n(a, b)) X(vaddus##n, __vaddus##n(a, b)) \
    X(vsub##n, __vsub##n(a, b)) X(vsubss##n, __vsubss##n(a, b)) X(vsubus##n, __vsubus##n(a, b)) \
    X(vavgs##n, __vavgs##n(a, b)) X(vavgu##n, __vavgu##n(a, b)) X(vhaddu##n, __vhaddu##n(a, b)) \
    X(vabsdiffs##n, __vabsdiffs##n(a, b)) X(vabsdiffu##n, __vabsdiffu##n(a, b)) X(vmaxs##n, __vmaxs##n(a, b)) \
    X(vmaxu##n, __vmaxu##n(a, b)) X(vmins##n, __vmins##n(a, b)) X(vminu##n, __vminu##n(a, b)) \
    X(vabs##n, __vabs##n(a)) X(vabsss##n, __vabsss##n(a)) X(vneg##n, __vneg##n(a)) X(vnegss##n, __vnegss##n(a)) \
    X(vcmpeq##n, __vcmpeq##n(a, b)) X(vcmpne##n, __vcmpne##n(a, b)) X(vcmpges##n, __vcmpges##n(a, b)) \
    X(vcmpgeu##n, __vcmpgeu##n(a, b)) X(vcmpgts##n, __vcmpgts##n(a, b)) X(vcmpgtu##n, __vcmpgtu##n(a, b)) \
    X(vcmples##n, __vcmples##n(a, b)) X(vcmpleu##n, __vcmpleu##n(a, b)) X(vcmplts##n, __vcmplts##n(a, b)) \
    X(vcmpltu##n, __vcmpltu##n(a, b)) X(vseteq##n, __vseteq##n(a, b)) X(vsetgts##n, __vsetgts##n(a, b)) \
    X(vsetltu##n, __vsetltu##n(a, b)) X(vsads##n, __vsads##n(a, b)) X(vsadu##n, __vsadu##n(a, b))

#define LANEWORK_INTRINSIC_PROBES(X) \
    X(popc, __popc(a)) X(popcll, __popcll(la)) X(clz, __clz(int(a >> (b & 31)))) X(clzll, __clzll((long long)la)) \
    X(ffs, __ffs(int(a << (b & 31)))) X(ffsll, __ffsll((long long)(la << (b & 63)))) X(brev, __brev(a)) \
    X(brevll, __brevll(la)) X(byte_perm, __byte_perm(a, b, c)) X(fns, __fns(a, b & 31, int(c % 67) - 33)) \
    X(mulhi, __mulhi(int(a), int(b))) X(umulhi, __umulhi(a, b)) X(mul24, __mul24(int(a), int(b))) \
    X(umul24, __umul24(a, b)) X(mul64hi, __mul64hi((long long)la, (long long)lb)) X(umul64hi, __umul64hi(la, lb)) \
    X(sad, __sad(int(a), int(b), c)) X(usad, __usad(a, b, c)) X(hadd, __hadd(int(a), int(b))) \
    X(rhadd, __rhadd(int(a), int(b))) X(uhadd, __uhadd(a, b)) X(urhadd, __urhadd(a, b)) \
    X(funnelshift_l, __funnelshift_l(a, b, c)) X(funnelshift_lc, __funnelshift_lc(a, b, c & 63)) \
    X(funnelshift_r, __funnelshift_r(a, b, c)) X(funnelshift_rc, __funnelshift_rc(a, b, c & 63)) \
    X(dp4a, __dp4a(int(a), int(b), int(c))) X(udp4a, __dp4a(a, b, c)) X(dp2a_lo, __dp2a_lo(int(a), int(b), int(c))) \
    X(dp2a_hi, __dp2a_hi(int(a), int(b), int(c))) X(udp2a_lo, __dp2a_lo(a, b, c)) X(udp2a_hi, __dp2a_hi(a, b, c)) \
    X(saturate, __saturatef(f)) X(frsqrt_rn, __frsqrt_rn(f)) X(min_float, min(f, g)) X(max_double, max(d, e)) \
    X(max_mixed, max(f, e)) X(min_mixed, min(int(a), b)) X(max_long, max((long long)la, (long long)lb)) \
    X(hiint, __double2hiint(d)) X(loint, __double2loint(d)) X(hiloint, __hiloint2double(int(a), int(b))) \
    LANEWORK_ROUNDED_PROBES(X, rn) LANEWORK_ROUNDED_PROBES(X, rz) LANEWORK_ROUNDED_PROBES(X, ru) \
    LANEWORK_ROUNDED_PROBES(X, rd) LANEWORK_PACKED_PROBES(X, 2) LANEWORK_PACKED_PROBES(X, 4)
// clang-format on

#define LANEWORK_INTRINSIC_PROBE(name, ...)                                       \
    struct probe_##name {                                                         \
        __device__ static probes::Bits at(const probes::Inputs& in) {             \
            [[maybe_unused]] const auto [a, b, c, la, lb, f, g, h, d, e, k] = in; \
            return probes::bits(__VA_ARGS__);                                     \
        }                                                                         \
    };

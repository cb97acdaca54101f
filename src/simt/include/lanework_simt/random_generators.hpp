// Random generators as cuRAND has them: the same seed, subsequence and offset give the same numbers.
#pragma once

#include <math.h>

#include <lanework_simt/vector_types.hpp>

namespace lanework_simt {

inline namespace api {

// States lie in memory as cuRAND's own do, member by member: machine code that nvcc made of its headers reads and
// writes them, too. In every generator `boxmuller_…` is what is left of a pair of normal numbers.

// XORWOW: G. Marsaglia, Xorshift RNGs, 2003. Subsequences are 2^67 numbers apart.
struct curandStateXORWOW {
    unsigned int d, v[5];
    int boxmuller_flag = 0, boxmuller_flag_double = 0;
    float boxmuller_extra = 0;
    double boxmuller_extra_double = 0;
};
using curandStateXORWOW_t = curandStateXORWOW;
using curandState = curandStateXORWOW;
using curandState_t = curandStateXORWOW;

// MRG32k3a: P. L'Ecuyer, Good parameters and implementations for combined multiple recursive generators, 1999.
// Subsequences are 2^76 numbers apart.
struct curandStateMRG32k3a {
    unsigned int s1[3], s2[3];
    int boxmuller_flag = 0, boxmuller_flag_double = 0;
    float boxmuller_extra = 0;
    double boxmuller_extra_double = 0;
};
using curandStateMRG32k3a_t = curandStateMRG32k3a;

// Philox4x32-10: Salmon, Moraes, Dror and Shaw, Parallel random numbers: as easy as 1, 2, 3, 2011. A subsequence is the
// upper half of its counter.
struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    unsigned int STATE;
    int boxmuller_flag = 0, boxmuller_flag_double = 0;
    float boxmuller_extra = 0;
    double boxmuller_extra_double = 0;
};
using curandStatePhilox4_32_10_t = curandStatePhilox4_32_10;

}  // namespace api
namespace random_generators {
/// Moves on by `count` times 2^`log2_step` numbers.
void advance(unsigned int (&xorwow)[5], unsigned long long count, int log2_step);
void advance(unsigned int (&s1)[3], unsigned int (&s2)[3], unsigned long long count, int log2_step);

inline constexpr unsigned int kModulus1 = 4294967087u, kModulus2 = 4294944443u;

LANEWORK_SIMT_BUILTIN unsigned int product(unsigned int a, unsigned int b, unsigned int modulus) {
    return static_cast<unsigned int>(static_cast<unsigned long long>(a) * b % modulus);
}

LANEWORK_SIMT_BUILTIN uint4 philox(uint4 counter, uint2 key) {
    for (int round = 0; round < 10; ++round) {
        const unsigned long long a = 0xD2511F53ull * counter.x, b = 0xCD9E8D57ull * counter.z;
        counter = uint4{static_cast<unsigned int>(b >> 32) ^ counter.y ^ key.x, static_cast<unsigned int>(b),
                        static_cast<unsigned int>(a >> 32) ^ counter.w ^ key.y, static_cast<unsigned int>(a)};
        key.x += 0x9E3779B9u;
        key.y += 0xBB67AE85u;
    }
    return counter;
}
LANEWORK_SIMT_BUILTIN void add_low(uint4& counter, unsigned long long n) {
    const unsigned long long low = static_cast<unsigned long long>(counter.y) << 32 | counter.x, sum = low + n;
    counter.x = static_cast<unsigned int>(sum);
    counter.y = static_cast<unsigned int>(sum >> 32);
    if (sum < low && ++counter.z == 0) ++counter.w;
}
LANEWORK_SIMT_BUILTIN void add_high(uint4& counter, unsigned long long n) {
    const unsigned long long sum = (static_cast<unsigned long long>(counter.w) << 32 | counter.z) + n;
    counter.z = static_cast<unsigned int>(sum);
    counter.w = static_cast<unsigned int>(sum >> 32);
}
/// The next number of MRG32k3a, from 1 to 2^32 - 209.
LANEWORK_SIMT_BUILTIN unsigned int mrg32k3a(curandStateMRG32k3a* state) {
    const unsigned long long p1 = (1403580ull * state->s1[1] + 810728ull * (kModulus1 - state->s1[0])) % kModulus1;
    const unsigned long long p2 = (527612ull * state->s2[2] + 1370589ull * (kModulus2 - state->s2[0])) % kModulus2;
    state->s1[0] = state->s1[1];
    state->s1[1] = state->s1[2];
    state->s1[2] = static_cast<unsigned int>(p1);
    state->s2[0] = state->s2[1];
    state->s2[1] = state->s2[2];
    state->s2[2] = static_cast<unsigned int>(p2);
    return static_cast<unsigned int>(p1 <= p2 ? p1 - p2 + kModulus1 : p1 - p2);
}
}  // namespace random_generators
inline namespace api {

// -- XORWOW -----------------------------------------------------------------------------------------------------------

inline void skipahead(unsigned long long n, curandStateXORWOW* state) {
    random_generators::advance(state->v, n, 0);
    state->d += 362437u * static_cast<unsigned int>(n);
}
inline void skipahead_sequence(unsigned long long n, curandStateXORWOW* state) {
    random_generators::advance(state->v, n, 67);
}
inline void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                        curandStateXORWOW* state) {
    const unsigned int low = 1099087573u * (static_cast<unsigned int>(seed) ^ 0xaad26b49u);
    const unsigned int high = 2591861531u * (static_cast<unsigned int>(seed >> 32) ^ 0xf7dcefddu);
    *state = {};
    state->d = 6615241u + high + low;
    state->v[0] = 123456789u + low;
    state->v[1] = 362436069u ^ low;
    state->v[2] = 521288629u + high;
    state->v[3] = 88675123u ^ high;
    state->v[4] = 5783321u + low;
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
}
LANEWORK_SIMT_BUILTIN unsigned int curand(curandStateXORWOW* state) {
    const unsigned int t = state->v[0] ^ state->v[0] >> 2, last = state->v[4];
    state->v[0] = state->v[1];
    state->v[1] = state->v[2];
    state->v[2] = state->v[3];
    state->v[3] = last;
    state->v[4] = last ^ last << 4 ^ t ^ t << 1;
    state->d += 362437u;
    return state->v[4] + state->d;
}

// -- MRG32k3a ---------------------------------------------------------------------------------------------------------

inline void skipahead(unsigned long long n, curandStateMRG32k3a* state) {
    random_generators::advance(state->s1, state->s2, n, 0);
}
inline void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a* state) {
    random_generators::advance(state->s1, state->s2, n, 76);
}
inline void skipahead_sequence(unsigned long long n, curandStateMRG32k3a* state) {
    random_generators::advance(state->s1, state->s2, n, 127);
}
inline void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                        curandStateMRG32k3a* state) {
    using namespace random_generators;
    *state = {};
    const unsigned int low = static_cast<unsigned int>(seed) ^ 0x55555555u;
    const unsigned int high = static_cast<unsigned int>(seed >> 32) ^ 0xAAAAAAAAu;
    for (int i = 0; i < 3; ++i) {
        state->s1[i] = seed == 0 ? 12345u : product(i == 1 ? high : low, 12345u, kModulus1);
        state->s2[i] = seed == 0 ? 12345u : product(i == 1 ? low : high, 12345u, kModulus2);
    }
    skipahead_subsequence(subsequence, state);
    skipahead(offset, state);
}
/// Stretched to all of 32 bits.
LANEWORK_SIMT_BUILTIN unsigned int curand(curandStateMRG32k3a* state) {
    return static_cast<unsigned int>(random_generators::mrg32k3a(state) * 1.000000048662);
}

// -- Philox

inline void skipahead(unsigned long long n, curandStatePhilox4_32_10* state) {
    state->STATE += static_cast<unsigned int>(n & 3);
    n /= 4;
    if (state->STATE > 3) {
        ++n;
        state->STATE -= 4;
    }
    random_generators::add_low(state->ctr, n);
    state->output = random_generators::philox(state->ctr, state->key);
}
inline void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10* state) {
    random_generators::add_high(state->ctr, n);
    state->output = random_generators::philox(state->ctr, state->key);
}
inline void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                        curandStatePhilox4_32_10* state) {
    *state = {};
    state->key = uint2{static_cast<unsigned int>(seed), static_cast<unsigned int>(seed >> 32)};
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
}
LANEWORK_SIMT_BUILTIN unsigned int curand(curandStatePhilox4_32_10* state) {
    const uint4 four = state->output;
    const unsigned int at = state->STATE;
    const unsigned int result = at == 0 ? four.x : at == 1 ? four.y : at == 2 ? four.z : four.w;
    if (++state->STATE == 4) {
        random_generators::add_low(state->ctr, 1);
        state->output = random_generators::philox(state->ctr, state->key);
        state->STATE = 0;
    }
    return result;
}
LANEWORK_SIMT_BUILTIN uint4 curand4(curandStatePhilox4_32_10* state) {
    const uint4 a = state->output;
    random_generators::add_low(state->ctr, 1);
    const uint4 b = state->output = random_generators::philox(state->ctr, state->key);
    switch (state->STATE) {
        case 1: return {a.y, a.z, a.w, b.x};
        case 2: return {a.z, a.w, b.x, b.y};
        case 3: return {a.w, b.x, b.y, b.z};
        default: return a;
    }
}

}  // namespace api
}  // namespace lanework_simt

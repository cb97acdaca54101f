// Sobol's quasi-random sequences as cuRAND has them, in the order of Antonov and Saleev: number i + 1 differs from
// number i by one direction vector, that of the lowest bit of i which is not set. The first number is 0, or what a
// scrambled sequence begins with.
#pragma once

#include <lanework_simt/vector_types.hpp>

namespace lanework_simt {

/// A dimension's place in its sequence; `c` is what the sequence is scrambled by.
template <class Word>
struct SobolSequence {
    Word i, x, c;
    Word direction_vectors[sizeof(Word) * 8];
};

inline namespace api {

using curandDirectionVectors32_t = unsigned int[32];
using curandDirectionVectors64_t = unsigned long long[64];

struct curandStateSobol32 : SobolSequence<unsigned int> {};
struct curandStateScrambledSobol32 : SobolSequence<unsigned int> {};
struct curandStateSobol64 : SobolSequence<unsigned long long> {};
struct curandStateScrambledSobol64 : SobolSequence<unsigned long long> {};
using curandStateSobol32_t = curandStateSobol32;
using curandStateScrambledSobol32_t = curandStateScrambledSobol32;
using curandStateSobol64_t = curandStateSobol64;
using curandStateScrambledSobol64_t = curandStateScrambledSobol64;

}  // namespace api

namespace sobol {

/// Number `i`: the vectors of the bits that are set in its Gray code.
template <class Word>
LANEWORK_SIMT_BUILTIN void go_to(SobolSequence<Word>& sequence, Word i) {
    sequence.i = i;
    sequence.x = sequence.c;
    const Word gray = i ^ i >> 1;
    for (unsigned bit = 0; bit < sizeof(Word) * 8; ++bit)
        if (gray >> bit & 1) sequence.x ^= sequence.direction_vectors[bit];
}

template <class Word>
LANEWORK_SIMT_BUILTIN void begin(SobolSequence<Word>& sequence, const Word* direction_vectors, Word scramble, Word i) {
    for (unsigned bit = 0; bit < sizeof(Word) * 8; ++bit) sequence.direction_vectors[bit] = direction_vectors[bit];
    sequence.c = scramble;
    go_to(sequence, i);
}

template <class Word>
LANEWORK_SIMT_BUILTIN Word next(SobolSequence<Word>& sequence) {
    const Word number = sequence.x;
    const int bit = __builtin_ctzll(~static_cast<unsigned long long>(sequence.i));
    sequence.x ^= sequence.direction_vectors[bit < int(sizeof(Word) * 8) ? bit : 0];
    ++sequence.i;
    return number;
}

}  // namespace sobol

inline namespace api {

LANEWORK_SIMT_BUILTIN void curand_init(const unsigned int* direction_vectors, unsigned int offset,
                                       curandStateSobol32* state) {
    sobol::begin(*state, direction_vectors, 0u, offset);
}
LANEWORK_SIMT_BUILTIN void curand_init(const unsigned int* direction_vectors, unsigned int scramble,
                                       unsigned int offset, curandStateScrambledSobol32* state) {
    sobol::begin(*state, direction_vectors, scramble, offset);
}
LANEWORK_SIMT_BUILTIN void curand_init(const unsigned long long* direction_vectors, unsigned long long offset,
                                       curandStateSobol64* state) {
    sobol::begin(*state, direction_vectors, 0ull, offset);
}
LANEWORK_SIMT_BUILTIN void curand_init(const unsigned long long* direction_vectors, unsigned long long scramble,
                                       unsigned long long offset, curandStateScrambledSobol64* state) {
    sobol::begin(*state, direction_vectors, scramble, offset);
}

LANEWORK_SIMT_BUILTIN unsigned int curand(curandStateSobol32* state) { return sobol::next(*state); }
LANEWORK_SIMT_BUILTIN unsigned int curand(curandStateScrambledSobol32* state) { return sobol::next(*state); }
LANEWORK_SIMT_BUILTIN unsigned long long curand(curandStateSobol64* state) { return sobol::next(*state); }
LANEWORK_SIMT_BUILTIN unsigned long long curand(curandStateScrambledSobol64* state) { return sobol::next(*state); }

template <class Word>
LANEWORK_SIMT_BUILTIN void skipahead(Word n, SobolSequence<Word>* state) {
    sobol::go_to(*state, state->i + n);
}

}  // namespace api
}  // namespace lanework_simt

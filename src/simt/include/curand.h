// cuRAND's host functions for the simt device: XORWOW, MRG32k3a, Philox4x32-10 and Sobol in cuRAND's default order.
// Other generators do not compile by name, and are refused with CURAND_STATUS_TYPE_ERROR.
#pragma once

#include <lanework_simt/letters_aside.hpp>

#include <cuda_runtime.h>

#include <lanework_simt/sobol.hpp>

#define CURAND_H_  // programs ask by it whether cuRAND's header was read
#define CURAND_VERSION 10400
#define CURAND_VER_MAJOR 10

namespace lanework_simt {
inline namespace api {

enum curandStatus {
    CURAND_STATUS_SUCCESS = 0,
    CURAND_STATUS_VERSION_MISMATCH = 100,
    CURAND_STATUS_NOT_INITIALIZED = 101,
    CURAND_STATUS_ALLOCATION_FAILED = 102,
    CURAND_STATUS_TYPE_ERROR = 103,
    CURAND_STATUS_OUT_OF_RANGE = 104,
    CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
    CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
    CURAND_STATUS_LAUNCH_FAILURE = 201,
    CURAND_STATUS_PREEXISTING_FAILURE = 202,
    CURAND_STATUS_INITIALIZATION_FAILED = 203,
    CURAND_STATUS_ARCH_MISMATCH = 204,
    CURAND_STATUS_INTERNAL_ERROR = 999,
};
using curandStatus_t = curandStatus;

// A program that asks for one does not compile, with the line that asks.
#if __has_attribute(unavailable)
#define LANEWORK_SIMT_NO_GENERATOR                                                               \
    __attribute__((                                                                              \
        unavailable("the simt device has XORWOW, MRG32k3a, Philox4x32-10 and Sobol of cuRAND's " \
                    "generators")))
#else
#define LANEWORK_SIMT_NO_GENERATOR
#endif
enum curandRngType {
    CURAND_RNG_TEST = 0,
    CURAND_RNG_PSEUDO_DEFAULT = 100,
    CURAND_RNG_PSEUDO_XORWOW = 101,
    CURAND_RNG_PSEUDO_MRG32K3A = 121,
    CURAND_RNG_PSEUDO_MTGP32 LANEWORK_SIMT_NO_GENERATOR = 141,
    CURAND_RNG_PSEUDO_MT19937 LANEWORK_SIMT_NO_GENERATOR = 142,
    CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
    CURAND_RNG_QUASI_DEFAULT = 200,
    CURAND_RNG_QUASI_SOBOL32 = 201,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 LANEWORK_SIMT_NO_GENERATOR = 202,
    CURAND_RNG_QUASI_SOBOL64 = 203,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 LANEWORK_SIMT_NO_GENERATOR = 204,
};
using curandRngType_t = curandRngType;

/// NVIDIA's scrambling is in tables of its own.
enum curandDirectionVectorSet {
    CURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101,
    CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6 LANEWORK_SIMT_NO_GENERATOR = 102,
    CURAND_DIRECTION_VECTORS_64_JOEKUO6 = 103,
    CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6 LANEWORK_SIMT_NO_GENERATOR = 104,
};
#undef LANEWORK_SIMT_NO_GENERATOR
using curandDirectionVectorSet_t = curandDirectionVectorSet;

enum curandOrdering {
    CURAND_ORDERING_PSEUDO_BEST = 100,
    CURAND_ORDERING_PSEUDO_DEFAULT = 101,
    CURAND_ORDERING_PSEUDO_SEEDED = 102,
    CURAND_ORDERING_PSEUDO_LEGACY = 103,
    CURAND_ORDERING_PSEUDO_DYNAMIC = 104,
    CURAND_ORDERING_QUASI_DEFAULT = 201,
};
using curandOrdering_t = curandOrdering;

struct curandGenerator_st;
using curandGenerator_t = curandGenerator_st*;

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type);
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type);
curandStatus_t curandDestroyGenerator(curandGenerator_t generator);
curandStatus_t curandGetVersion(int* version);
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream);
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed);
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset);
/// Of a quasi-random generator, which has one at first: 3667 at most, where cuRAND has 20000.
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned int dimensions);
/// The vectors of 3667 dimensions, those of cuRAND's first ones.
curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t** vectors, curandDirectionVectorSet_t set);
curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t** vectors, curandDirectionVectorSet_t set);
/// The default order alone: what is best, legacy or dynamic is the same here.
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t ordering);
curandStatus_t curandGenerateSeeds(curandGenerator_t generator);

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* numbers, size_t count);
/// Of CURAND_RNG_QUASI_SOBOL64, whose numbers have 64 bits.
curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long* numbers, size_t count);
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* numbers, size_t count);
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* numbers, size_t count);
/// `count` is even; of quasi-random numbers, here and above, it is a multiple of the dimensions: all numbers of the
/// first one, then all of the second.
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* numbers, size_t count, float mean,
                                    float deviation);
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* numbers, size_t count, double mean,
                                          double deviation);
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* numbers, size_t count, float mean,
                                       float deviation);
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* numbers, size_t count, double mean,
                                             double deviation);
/// Of the mean `lambda`. The distribution is cuRAND's, the sequence is not.
curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int* numbers, size_t count, double lambda);

}  // namespace api
}  // namespace lanework_simt

#include <lanework_simt/letters_back.hpp>

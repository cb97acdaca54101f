// The numbers of CUDA's interface: sizes, alignments, codes. They are what NVIDIA's headers of CUDA 13.0 say.
#define __CUDACC__ 1  // the device's language, too
#include <cuda_runtime.h>
#include <curand_kernel.h>
#include <gtest/gtest.h>
#include <math_constants.h>

#include <cmath>
#include <cstddef>
#include <string>

namespace {

template <class T>
constexpr bool laid_out(std::size_t size, std::size_t alignment) {
    return sizeof(T) == size && alignof(T) == alignment;
}

static_assert(laid_out<char1>(1, 1) && laid_out<char2>(2, 2) && laid_out<char3>(3, 1) && laid_out<char4>(4, 4));
static_assert(laid_out<uchar1>(1, 1) && laid_out<uchar2>(2, 2) && laid_out<uchar3>(3, 1) && laid_out<uchar4>(4, 4));
static_assert(laid_out<short1>(2, 2) && laid_out<short2>(4, 4) && laid_out<short3>(6, 2) && laid_out<short4>(8, 8));
static_assert(laid_out<ushort2>(4, 4) && laid_out<ushort3>(6, 2) && laid_out<ushort4>(8, 8));
static_assert(laid_out<int1>(4, 4) && laid_out<int2>(8, 8) && laid_out<int3>(12, 4) && laid_out<int4>(16, 16));
static_assert(laid_out<uint2>(8, 8) && laid_out<uint3>(12, 4) && laid_out<uint4>(16, 16));
static_assert(laid_out<long2>(16, 16) && laid_out<long3>(24, 8) && laid_out<long4>(32, 16));
static_assert(laid_out<longlong2>(16, 16) && laid_out<ulonglong2>(16, 16) && laid_out<longlong4>(32, 16));
static_assert(laid_out<float1>(4, 4) && laid_out<float2>(8, 8) && laid_out<float3>(12, 4) && laid_out<float4>(16, 16));
static_assert(laid_out<double1>(8, 8) && laid_out<double2>(16, 16) && laid_out<double3>(24, 8));
static_assert(laid_out<double4>(32, 16) && laid_out<double4_16a>(32, 16) && laid_out<double4_32a>(32, 32));
static_assert(laid_out<dim3>(12, 4));

static_assert(sizeof(cudaDeviceProp) == 1008 && offsetof(cudaDeviceProp, totalGlobalMem) == 288);
static_assert(offsetof(cudaDeviceProp, multiProcessorCount) == 384 && offsetof(cudaDeviceProp, clockRate) == 784);
static_assert(sizeof(cudaFuncAttributes) == 144 && sizeof(cudaPointerAttributes) == 88 && sizeof(cudaMemLocation) == 8);

static_assert(cudaSuccess == 0 && cudaErrorInvalidValue == 1 && cudaErrorMemoryAllocation == 2);
static_assert(cudaErrorInvalidConfiguration == 9 && cudaErrorInvalidMemcpyDirection == 21);
static_assert(cudaErrorInvalidDevice == 101 && cudaErrorInvalidResourceHandle == 400 && cudaErrorNotReady == 600);
static_assert(cudaErrorIllegalAddress == 700 && cudaErrorLaunchTimeout == 702 && cudaErrorAssert == 710);
static_assert(cudaErrorMisalignedAddress == 716 && cudaErrorLaunchFailure == 719 && cudaErrorNotSupported == 801);
static_assert(cudaErrorUnknown == 999);
static_assert(cudaMemcpyDefault == 4 && cudaMemoryTypeManaged == 3 && cudaMemAdviseSetAccessedBy == 5);
static_assert(cudaDevAttrMultiProcessorCount == 16 && cudaDevAttrMaxSharedMemoryPerBlockOptin == 97);
static_assert(cudaDevAttrMax == 148 && cudaFuncAttributeMaxDynamicSharedMemorySize == 8);

// A pair's second normal number, behind the generator's own numbers, wherever these end.
template <class State>
constexpr bool keeps_normals(std::size_t flag, std::size_t number, std::size_t wide_number, std::size_t size) {
    return offsetof(State, boxmuller_flag) == flag && offsetof(State, boxmuller_flag_double) == flag + 4 &&
           offsetof(State, boxmuller_extra) == number && offsetof(State, boxmuller_extra_double) == wide_number &&
           sizeof(State) == size;
}
static_assert(offsetof(curandState, d) == 0 && offsetof(curandState, v) == 4);
static_assert(keeps_normals<curandState>(24, 32, 40, 48));
static_assert(offsetof(curandStateMRG32k3a, s1) == 0 && offsetof(curandStateMRG32k3a, s2) == 12);
static_assert(keeps_normals<curandStateMRG32k3a>(24, 32, 40, 48));
static_assert(offsetof(curandStatePhilox4_32_10, output) == 16 && offsetof(curandStatePhilox4_32_10, key) == 32);
static_assert(keeps_normals<curandStatePhilox4_32_10>(44, 52, 56, 64));
static_assert(sizeof(curandStateSobol32) == 140 && offsetof(curandStateSobol32, direction_vectors) == 12);

TEST(Types, MakersPutArgumentsInOrder) {
    const float4 v = make_float4(1, 2, 3, 4);
    EXPECT_TRUE(v.x == 1 && v.y == 2 && v.z == 3 && v.w == 4);
    const uchar3 c = make_uchar3(7, 8, 9);
    EXPECT_TRUE(c.x == 7 && c.y == 8 && c.z == 9);
}

TEST(Types, Dim3FillsWithOnesAndMeetsUint3) {
    const dim3 block(16, 4);
    EXPECT_TRUE(block.x == 16 && block.y == 4 && block.z == 1);
    const uint3 plain = block;
    const dim3 back = plain;
    EXPECT_TRUE(back.x == 16 && back.y == 4 && back.z == 1);
}

TEST(ErrorNames, AreCudas) {
    EXPECT_STREQ(cudaGetErrorName(cudaErrorInvalidConfiguration), "cudaErrorInvalidConfiguration");
    EXPECT_STREQ(cudaGetErrorString(cudaErrorInvalidConfiguration), "invalid configuration argument");
    EXPECT_STREQ(cudaGetErrorString(cudaSuccess), "no error");
    EXPECT_STREQ(cudaGetErrorString(cudaErrorIllegalAddress), "an illegal memory access was encountered");
    EXPECT_STREQ(cudaGetErrorName(cudaError_t(12345)), "unrecognized error code");
}

TEST(MathConstants, AreWhatTheirNamesSay) {
    EXPECT_TRUE(std::isinf(CUDART_INF_F) && std::isinf(CUDART_INF) && std::isnan(CUDART_NAN_F));
    EXPECT_EQ(CUDART_PI, M_PI);
    EXPECT_EQ(CUDART_MAX_NORMAL_F, 3.402823466e38f);
    EXPECT_TRUE(std::signbit(CUDART_NEG_ZERO_F));
}

}  // namespace

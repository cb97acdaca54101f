// The device, streams, events and kernels as values.
#undef NDEBUG         // assert is one of the things tested
#define __CUDACC__ 1  // the device's language, too
#include <cuda_runtime.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <lanework_simt/error.hpp>

#include <chrono>
#include <cmath>
#include <string>
#include <thread>
#include <utility>

#include "src/simt/gpu.hpp"

namespace {

__global__ void add_to(int* value, int amount) { atomicAdd(value, amount); }
__global__ void insist(int value) { assert(value == 1); }

class DeviceApi : public ::testing::Test {
protected:
    void SetUp() override { cudaDeviceReset(); }
    void TearDown() override {
        cudaDeviceReset();
        lanework_simt::present(lanework::gpus().front());
    }
};

TEST_F(DeviceApi, DescribesItselfAlikeInPropertiesAndAttributes) {
    cudaDeviceProp device;
    ASSERT_EQ(cudaGetDeviceProperties(&device, 0), cudaSuccess);
    EXPECT_STREQ(device.name, "SIMT device as NVIDIA H200 SXM");
    EXPECT_TRUE(device.major == 9 && device.minor == 0 && device.warpSize == 32 && device.maxThreadsPerBlock == 1024);
    EXPECT_EQ(device.multiProcessorCount, 132);
    const auto attribute = [](cudaDeviceAttr which) {
        int value = -1;
        EXPECT_EQ(cudaDeviceGetAttribute(&value, which, 0), cudaSuccess);
        return value;
    };
    EXPECT_EQ(attribute(cudaDevAttrMultiProcessorCount), 132);
    EXPECT_EQ(attribute(cudaDevAttrClockRate), 1980000);
    EXPECT_EQ(attribute(cudaDevAttrSingleToDoublePrecisionPerfRatio), 2);
    EXPECT_EQ(attribute(cudaDevAttrMaxBlockDimZ), 64);
    EXPECT_EQ(attribute(cudaDevAttrMaxGridDimX), 0x7fffffff);
    EXPECT_EQ(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin), 232448);
    EXPECT_EQ(attribute(cudaDevAttrCooperativeLaunch), 1);
}

TEST_F(DeviceApi, BringsStreamPrioritiesIntoTheirRange) {
    int least = 1, greatest = 1;
    EXPECT_EQ(cudaDeviceGetStreamPriorityRange(&least, &greatest), cudaSuccess);
    EXPECT_TRUE(least == 0 && greatest == -5);
    for (const auto& [asked, given] : {std::pair{-3, -3}, {-9, -5}, {4, 0}}) {
        cudaStream_t stream;
        int priority = 1;
        ASSERT_EQ(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, asked), cudaSuccess);
        EXPECT_EQ(cudaStreamGetPriority(stream, &priority), cudaSuccess);
        EXPECT_EQ(priority, given);
        cudaStreamDestroy(stream);
    }
    EXPECT_TRUE(cudaStreamGetPriority(nullptr, &least) == cudaSuccess && least == 0);
}

TEST_F(DeviceApi, IsTheGpuThatIsPresented) {
    constexpr int kMost = 64 * 1024;  // bytes of shared memory that a T4 gives a block
    int amount = 0;
    void *pointer = nullptr, *arguments[] = {&pointer, &amount};
    std::size_t free = 0, total = 0;
    EXPECT_EQ(cudaFuncSetAttribute(insist, cudaFuncAttributeMaxDynamicSharedMemorySize, 2 * kMost), cudaSuccess);
    lanework_simt::present(lanework::parse_gpu("t4"));
    cudaDeviceProp device;
    ASSERT_EQ(cudaGetDeviceProperties(&device, 0), cudaSuccess);
    EXPECT_STREQ(device.name, "SIMT device as NVIDIA T4");
    EXPECT_TRUE(device.major == 7 && device.minor == 5 && device.multiProcessorCount == 40);
    EXPECT_TRUE(device.maxThreadsPerMultiProcessor == 1024 && device.l2CacheSize == 4 << 20);
    EXPECT_EQ(device.sharedMemPerBlockOptin, std::size_t{kMost});
    cudaFuncAttributes about{};
    EXPECT_EQ(cudaFuncGetAttributes(&about, insist), cudaSuccess);
    EXPECT_EQ(about.binaryVersion, 75);
    EXPECT_EQ(about.maxDynamicSharedSizeBytes, 48 * 1024) << "what the other GPU was allowed";
    EXPECT_EQ(cudaFuncSetAttribute(insist, cudaFuncAttributeMaxDynamicSharedMemorySize, kMost), cudaSuccess);
    EXPECT_EQ(cudaFuncSetAttribute(insist, cudaFuncAttributeMaxDynamicSharedMemorySize, kMost + 1),
              cudaErrorInvalidValue);
    EXPECT_EQ(cudaLaunchKernel(add_to, dim3(1), dim3(1), arguments, kMost + 1), cudaErrorInvalidValue);
    int blocks = 0;
    EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_to, 256, 0), cudaSuccess);
    EXPECT_EQ(blocks, 4);
    EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
    EXPECT_EQ(total, std::size_t{16} << 30);
    EXPECT_EQ(cudaMalloc(&pointer, total + 1), cudaErrorMemoryAllocation);
}

TEST_F(DeviceApi, HasNoMoreMemoryThanThisMachine) {
    const auto machine =
        static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    void* pointer = nullptr;
    std::size_t free = 0, total = 0;
    EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
    EXPECT_EQ(total, 150'109'880'320u);
    EXPECT_LE(free, machine);
    EXPECT_EQ(cudaMalloc(&pointer, free + 1), cudaErrorMemoryAllocation);
    EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
}

TEST_F(DeviceApi, EventsMeasureTheTimeBetweenThem) {
    cudaEvent_t start = nullptr, end = nullptr;
    ASSERT_EQ(cudaEventCreate(&start), cudaSuccess);
    ASSERT_EQ(cudaEventCreate(&end), cudaSuccess);
    EXPECT_EQ(cudaEventRecord(start), cudaSuccess);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_EQ(cudaEventRecord(end), cudaSuccess);
    float elapsed = 0, back = 0;
    EXPECT_EQ(cudaEventElapsedTime(&elapsed, start, end), cudaSuccess);
    EXPECT_GE(elapsed, 5.0f);
    EXPECT_EQ(cudaEventElapsedTime(&back, end, start), cudaSuccess);
    EXPECT_FLOAT_EQ(back, -elapsed);
}

TEST_F(DeviceApi, HostFunctionsRunInOrder) {
    std::string said;
    const auto append = [](void* data) { *static_cast<std::string*>(data) += 'f'; };
    const auto callback = [](cudaStream_t, cudaError_t status, void* data) {
        *static_cast<std::string*>(data) += status == cudaSuccess ? 'c' : '!';
    };
    cudaStream_t stream = nullptr;
    ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    EXPECT_EQ(cudaLaunchHostFunc(stream, append, &said), cudaSuccess);
    EXPECT_EQ(cudaStreamAddCallback(stream, callback, &said, 0), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(said, "fc");
}

TEST_F(DeviceApi, DestroyedHandlesAreInvalid) {
    cudaStream_t stream = nullptr;
    cudaEvent_t event = nullptr;
    ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaEventDestroy(event), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaEventRecord(event), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaMemsetAsync(nullptr, 0, 0, stream), cudaErrorInvalidResourceHandle);
}

TEST_F(DeviceApi, LaunchesAKernelByItsAddress) {
    int *value = nullptr, amount = 3, result = 0;
    ASSERT_EQ(cudaMalloc(&value, sizeof *value), cudaSuccess);
    ASSERT_EQ(cudaMemset(value, 0, sizeof *value), cudaSuccess);
    void* arguments[] = {&value, &amount};
    EXPECT_EQ(cudaLaunchKernel(add_to, dim3(5), dim3(40), arguments), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(&result, value, sizeof result, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(result, 600);
}

TEST_F(DeviceApi, ALaunchReturnsItsOwnErrorAndKeepsTheLastOne) {
    int *value = nullptr, amount = 1;
    ASSERT_EQ(cudaMalloc(&value, sizeof *value), cudaSuccess);
    void* arguments[] = {&value, &amount};
    EXPECT_EQ(cudaSetDevice(7), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaLaunchKernel(add_to, dim3(1), dim3(1), arguments), cudaSuccess);
    EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(DeviceApi, AFailedAssertionEndsTheKernelAndSticks) {
    int value = 2;
    void* arguments[] = {&value};
    ::testing::internal::CaptureStderr();
    cudaLaunchKernel(insist, dim3(1), dim3(1), arguments);
    const std::string said = ::testing::internal::GetCapturedStderr();
    EXPECT_NE(said.find("block: [0,0,0], thread: [0,0,0] Assertion `value == 1` failed.\n"), std::string::npos) << said;
    EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorAssert);
    EXPECT_NE(lanework_simt::failure_detail().find("api_device_test.cpp:"), std::string::npos);
    EXPECT_NE(lanework_simt::failure_detail().find("value == 1"), std::string::npos);
    void* pointer = nullptr;
    int device = -1;
    EXPECT_EQ(cudaMalloc(&pointer, 10), cudaErrorAssert);
    EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);
    EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
    EXPECT_EQ(cudaMalloc(&pointer, 10), cudaSuccess);
}

TEST(DeviceApiDeathTest, AnAssertionOnTheHostAborts) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const int one = 1;
    EXPECT_DEATH(assert(one == 2), "one == 2");
}

TEST_F(DeviceApi, PotentialBlockSizeHeedsSharedMemoryAndLimit) {
    int grid = 0, block = 0;
    const int multiprocessors = 132;
    EXPECT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, add_to), cudaSuccess);
    EXPECT_TRUE(block == 1024 && grid == 2 * multiprocessors);
    EXPECT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, add_to, 0, 200), cudaSuccess);
    EXPECT_TRUE(block == 128 &&
                grid == 16 * multiprocessors);  // 10 blocks of 192 hold 1920 threads, 16 of 128 hold 2048
    const auto per_thread = [](int size) { return std::size_t(size) * 220; };
    EXPECT_EQ(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, add_to, per_thread), cudaSuccess);
    EXPECT_LE(per_thread(block), std::size_t{227} * 1024);
}

TEST_F(DeviceApi, ClockAdvances) {
    const long long before = clock64();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_GT(clock64(), before);
}

}  // namespace

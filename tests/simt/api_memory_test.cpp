// Memory: what copies and fills move, how allocations are laid out and counted, and what a reset takes away.
#define __CUDACC__ 1  // the device's language, too
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

#include "src/simt/apart_memory.hpp"

namespace {

__constant__ int weights[8];
__device__ float scale = 2.5f;

class Memory : public ::testing::Test {
protected:
    void SetUp() override { cudaDeviceReset(); }
};

std::vector<int> counting(std::size_t count) {
    std::vector<int> values(count);
    std::iota(values.begin(), values.end(), 1);
    return values;
}

TEST_F(Memory, GoesToTheDeviceAndBackThroughEveryKind) {
    const std::vector<int> sent = counting(1000);
    std::vector<int> received(1000);
    const std::size_t bytes = sent.size() * sizeof(int);
    int *first = nullptr, *second = nullptr, *pinned = nullptr;
    ASSERT_EQ(cudaMalloc(&first, bytes), cudaSuccess);
    ASSERT_EQ(cudaMalloc(&second, bytes), cudaSuccess);
    ASSERT_EQ(cudaMallocHost(&pinned, bytes), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(first, sent.data(), bytes, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(second, first, bytes, cudaMemcpyDeviceToDevice), cudaSuccess);
    EXPECT_EQ(cudaMemcpyAsync(pinned, second, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(received.data(), pinned, bytes, cudaMemcpyHostToHost), cudaSuccess);
    EXPECT_EQ(received, sent);
}

TEST_F(Memory, CopiesPitchedRowsAndLeavesTheGapsAlone) {
    constexpr std::size_t kWidth = 5, kHeight = 3;
    unsigned char* device = nullptr;
    std::size_t pitch = 0;
    ASSERT_EQ(cudaMallocPitch(&device, &pitch, kWidth, kHeight), cudaSuccess);
    EXPECT_GE(pitch, kWidth);
    EXPECT_EQ(pitch % 256, 0u);
    EXPECT_EQ(cudaMemset(device, 9, pitch * kHeight), cudaSuccess);
    const std::vector<unsigned char> rows{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    EXPECT_EQ(cudaMemcpy2D(device, pitch, rows.data(), kWidth, kWidth, kHeight, cudaMemcpyHostToDevice), cudaSuccess);
    std::vector<unsigned char> all(pitch * kHeight), back(kWidth * kHeight);
    EXPECT_EQ(cudaMemcpy(all.data(), device, all.size(), cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_TRUE(all[0] == 1 && all[pitch] == 6 && all[2 * pitch + 4] == 15 && all[kWidth] == 9);
    EXPECT_EQ(cudaMemcpy2D(back.data(), kWidth, device, pitch, kWidth, kHeight, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(back, rows);
    EXPECT_EQ(cudaMemset2D(device, pitch, 0, 2, kHeight), cudaSuccess);
    EXPECT_TRUE(device[0] == 0 && device[1] == 0 && device[2] == 3 && device[pitch + 1] == 0 && device[pitch + 2] == 8);
}

TEST_F(Memory, IsRefusedBeyondAnAllocation) {
    char* device = nullptr;
    std::vector<char> host(2000);
    ASSERT_EQ(cudaMalloc(&device, 1000), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(device, host.data(), 1000, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(device, host.data(), 1001, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy(device + 999, host.data(), 2, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy(host.data(), device + 500, 501, cudaMemcpyDefault), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemset(device + 1, 0, 1000), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy2D(device, 100, host.data(), 100, 100, 11, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFree(device), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(device, host.data(), 10, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
}

TEST_F(Memory, IsAlignedAndNotZeroedWhenFresh) {
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{1000}, std::size_t{3} << 20, std::size_t{9} << 20}) {
        unsigned char* device = nullptr;
        ASSERT_EQ(cudaMalloc(&device, bytes), cudaSuccess);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(device) % 256, 0u);
        EXPECT_NE(device[0], 0);
        EXPECT_NE(device[bytes - 1], 0);
        EXPECT_EQ(cudaFree(device), cudaSuccess);
    }
}

TEST_F(Memory, IsCountedFromAllocationToFree) {
    std::size_t before = 0, during = 0, after = 0, total = 0;
    char* device = nullptr;
    EXPECT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
    ASSERT_EQ(cudaMalloc(&device, 1 << 20), cudaSuccess);
    EXPECT_EQ(cudaMemGetInfo(&during, &total), cudaSuccess);
    EXPECT_EQ(cudaFree(device), cudaSuccess);
    EXPECT_EQ(cudaMemGetInfo(&after, &total), cudaSuccess);
    EXPECT_EQ(before - during, std::size_t{1} << 20);
    EXPECT_EQ(after, before);
    EXPECT_EQ(cudaMalloc(&device, total + 1), cudaErrorMemoryAllocation);
    EXPECT_EQ(device, nullptr);
    EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(Memory, AnswersForPitchesThatOverflow) {
    char* device = nullptr;
    std::size_t pitch = 0;
    EXPECT_EQ(cudaMallocPitch(&device, &pitch, ~std::size_t{0}, 2), cudaErrorMemoryAllocation);
    EXPECT_EQ(cudaMallocPitch(&device, &pitch, std::size_t{1} << 40, std::size_t{1} << 40), cudaErrorMemoryAllocation);
}

TEST_F(Memory, IsGoneAfterAReset) {
    char* device = nullptr;
    std::size_t before = 0, after = 0, total = 0;
    cudaStream_t stream = nullptr;
    cudaEvent_t event = nullptr;
    EXPECT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
    ASSERT_EQ(cudaMalloc(&device, 1000), cudaSuccess);
    ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
    EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
    EXPECT_EQ(cudaMemGetInfo(&after, &total), cudaSuccess);
    EXPECT_EQ(after, before);
    EXPECT_EQ(cudaFree(device), cudaErrorInvalidValue);
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaEventSynchronize(event), cudaErrorInvalidResourceHandle);
}

TEST_F(Memory, RegisteredMemoryThatWasFreedDoesNotStandInTheWay) {
    for (int round = 0; round < 3; ++round) {
        char* device = nullptr;
        ASSERT_EQ(cudaMalloc(&device, 4096), cudaSuccess);
        cudaFree(device);
        // Whatever the heap gives next may lie where a stale registration was.
        std::vector<char> host(4096);
        EXPECT_EQ(cudaHostRegister(host.data(), host.size(), cudaHostRegisterDefault), cudaSuccess);
        std::vector<char>().swap(host);
        ASSERT_EQ(cudaMalloc(&device, 4096), cudaSuccess);
        EXPECT_EQ(cudaFree(device), cudaSuccess);
        cudaDeviceReset();
    }
}

TEST_F(Memory, SymbolsAreWrittenAndReadAtOffsets) {
    const std::vector<int> values = counting(8);
    std::vector<int> back(8);
    EXPECT_EQ(cudaMemcpyToSymbol(weights, values.data(), sizeof weights), cudaSuccess);
    EXPECT_EQ(weights[7], 8);
    EXPECT_EQ(cudaMemcpyToSymbol(weights, values.data() + 6, 4, 4), cudaSuccess);
    EXPECT_EQ(cudaMemcpyFromSymbol(back.data(), weights, 8), cudaSuccess);
    EXPECT_TRUE(back[0] == 1 && back[1] == 7);
    float factor = 0;
    EXPECT_EQ(cudaMemcpyFromSymbol(&factor, scale, sizeof factor), cudaSuccess);
    EXPECT_EQ(factor, 2.5f);
}

TEST_F(Memory, ASymbolsAddressIsDeviceMemory) {
    void* address = nullptr;
    ASSERT_EQ(cudaGetSymbolAddress(&address, weights), cudaSuccess);
    cudaPointerAttributes about{};
    EXPECT_EQ(cudaPointerGetAttributes(&about, address), cudaSuccess);
    EXPECT_EQ(about.type, cudaMemoryTypeDevice);
    std::vector<int> values(9, 3);
    EXPECT_EQ(cudaMemcpy(address, values.data(), sizeof weights, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(weights[7], 3);
    EXPECT_EQ(cudaMemcpy(address, values.data(), sizeof weights + 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFree(address), cudaErrorInvalidValue);
}

TEST(ApartMemory, IsOfWholeStepsThatAreTakenAndGivenBack) {
    using namespace lanework_simt;
    constexpr std::size_t kMega = 1 << 20;
    EXPECT_EQ(take_apart_memory(1), nullptr) << "nothing is kept apart";
    keep_device_memory_apart(8 * kMega);
    auto* const first = static_cast<unsigned char*>(take_apart_memory(3 * kMega));
    ASSERT_NE(first, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % (2 * kMega), 0u);
    shift_apart_memory(512);
    void* const second = take_apart_memory(100);
    EXPECT_EQ(second, first + 4 * kMega + 512);
    EXPECT_EQ(take_apart_memory(4 * kMega), nullptr) << "two of eight are left";
    first[0] = first[3 * kMega - 1] = 1;
    EXPECT_TRUE(give_back_apart_memory(first));
    EXPECT_FALSE(give_back_apart_memory(first)) << "twice";
    EXPECT_FALSE(give_back_apart_memory(first + 5)) << "of nobody";
    EXPECT_TRUE(give_back_apart_memory(second));
    shift_apart_memory(0);
    EXPECT_EQ(take_apart_memory(8 * kMega), first) << "what was given back is one piece again";
    EXPECT_EQ(first[0] + first[3 * kMega - 1], 0) << "zeros again";
    EXPECT_TRUE(give_back_apart_memory(first));
}

}  // namespace

// Textures over linear memory: what a fetch returns, inside and beyond the ends, and which textures there cannot be.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <vector>

namespace {

template <class T>
__global__ void fetch(cudaTextureObject_t texture, int first, int count, T* out) {
    const int i = threadIdx.x;
    if (i < count) out[i] = tex1Dfetch<T>(texture, first + i);
}

class Texture : public ::testing::Test {
protected:
    void SetUp() override { cudaDeviceReset(); }
};

cudaResourceDesc linear(void* memory, std::size_t bytes, cudaChannelFormatDesc format) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = format;
    resource.res.linear.sizeInBytes = bytes;
    return resource;
}

/// 512-byte aligned device memory that holds the values.
template <class T>
T* upload(const std::vector<T>& values) {
    char* memory = nullptr;
    EXPECT_EQ(cudaMalloc(&memory, values.size() * sizeof(T) + 512), cudaSuccess);
    T* const aligned = reinterpret_cast<T*>((reinterpret_cast<std::size_t>(memory) + 511) / 512 * 512);
    EXPECT_EQ(cudaMemcpy(aligned, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice), cudaSuccess);
    return aligned;
}

template <class T>
std::vector<T> fetched(const std::vector<T>& values, int first, int count) {
    const cudaResourceDesc resource = linear(upload(values), values.size() * sizeof(T), cudaCreateChannelDesc<T>());
    const cudaTextureDesc reading{};
    cudaTextureObject_t texture = 0;
    EXPECT_EQ(cudaCreateTextureObject(&texture, &resource, &reading, nullptr), cudaSuccess);
    T* const out = upload(std::vector<T>(static_cast<std::size_t>(count)));
    fetch<<<1, 32>>>(texture, first, count, out);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
    std::vector<T> result(static_cast<std::size_t>(count));
    EXPECT_EQ(cudaMemcpy(result.data(), out, result.size() * sizeof(T), cudaMemcpyDeviceToHost), cudaSuccess);
    return result;
}

TEST_F(Texture, ReturnsItsElements) {
    EXPECT_EQ(fetched<int>({3, -5, 7, 9}, 1, 2), (std::vector<int>{-5, 7}));
    EXPECT_EQ(fetched<float>({0.5f, 1.5f}, 0, 2), (std::vector<float>{0.5f, 1.5f}));
    EXPECT_EQ(fetched<unsigned char>({200, 100}, 1, 1), (std::vector<unsigned char>{100}));
}

TEST_F(Texture, ReturnsZeroBeyondItsEnds) {
    EXPECT_EQ(fetched<int>({3, -5, 7}, -1, 5), (std::vector<int>{0, 3, -5, 7, 0}));
}

TEST_F(Texture, TellsWhatItWasCreatedFrom) {
    int* const memory = upload(std::vector<int>{1, 2});
    const cudaResourceDesc resource = linear(memory, 8, cudaCreateChannelDesc<int>());
    const cudaTextureDesc reading{};
    cudaTextureObject_t texture = 0;
    ASSERT_EQ(cudaCreateTextureObject(&texture, &resource, &reading, nullptr), cudaSuccess);
    cudaResourceDesc answer{};
    EXPECT_EQ(cudaGetTextureObjectResourceDesc(&answer, texture), cudaSuccess);
    EXPECT_TRUE(answer.res.linear.devPtr == memory && answer.res.linear.sizeInBytes == 8);
    EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
    EXPECT_EQ(cudaGetTextureObjectResourceDesc(&answer, texture), cudaErrorInvalidValue);
    EXPECT_EQ(cudaDestroyTextureObject(texture), cudaErrorInvalidValue);
}

TEST_F(Texture, IsRefusedWhereItCouldNotBeRead) {
    int* const memory = upload(std::vector<int>{1, 2, 3});
    const cudaTextureDesc reading{};
    cudaTextureDesc interpolated{};
    interpolated.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t texture = 0;
    const auto created = [&](const cudaResourceDesc& resource, const cudaTextureDesc& texture_desc) {
        return cudaCreateTextureObject(&texture, &resource, &texture_desc, nullptr);
    };
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    EXPECT_EQ(created(linear(memory + 1, 8, format), reading), cudaErrorInvalidValue);
    EXPECT_EQ(created(linear(nullptr, 8, format), reading), cudaErrorInvalidValue);
    EXPECT_EQ(created(linear(memory, 0, format), reading), cudaErrorInvalidValue);
    EXPECT_EQ(created(linear(memory, 8, {7, 0, 0, 0, cudaChannelFormatKindSigned}), reading),
              cudaErrorInvalidChannelDescriptor);
    EXPECT_EQ(created(linear(memory, 8, format), interpolated), cudaErrorInvalidFilterSetting);
}

}  // namespace

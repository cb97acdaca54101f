// A call that a CUDA graph captured, replayed with other inputs: what the tests of images and of detections in graphs
// share. For sources that are read as CUDA.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <lanework/device.hpp>
#include <lanework/image.hpp>
#include <random>
#include <vector>

namespace lanework::test {

using Bytes = std::vector<std::uint8_t>;

class Replay : public ::testing::Test {
protected:
    /// Enqueues what is tested; it writes outputs and scratch memory only.
    using Call = std::function<void(Target target)>;

    /// An array whose values draw(random) makes anew before every call and replay.
    template <class T, class Draw>
    const T* input(std::size_t count, Draw draw) {
        inputs_.push_back({device_->allocate(count * sizeof(T)), [=](std::uint64_t seed) {
                               std::mt19937_64 random(seed);
                               std::vector<T> values(count);
                               for (T& value : values) value = draw(random);
                               const auto* const bytes = reinterpret_cast<const std::uint8_t*>(values.data());
                               return Bytes(bytes, bytes + count * sizeof(T));
                           }});
        return reinterpret_cast<const T*>(inputs_.back().memory.data());
    }
    /// An array that is compared, and holds something else before every call and replay.
    template <class T>
    T* output(std::size_t count) {
        outputs_.push_back(device_->allocate(count * sizeof(T)));
        return reinterpret_cast<T*>(outputs_.back().data());
    }
    /// The same without being compared.
    void* scratch(std::size_t bytes) {
        scratch_ = device_->allocate(bytes);
        return scratch_.data();
    }

    /// Captured, a call does nothing; each replay does what a call would do with what the inputs hold then.
    void expect_replays(const Call& call) {
        cudaGraphExec_t executable = nullptr;
        prepare(1);
        const Bytes before = downloaded();
        ASSERT_NO_FATAL_FAILURE(capture(call, executable));
        EXPECT_EQ(downloaded(), before) << "a captured call computes nothing yet";
        const Bytes first = called(call, 2), second = called(call, 3);
        EXPECT_NE(first, before);
        EXPECT_NE(first, second) << "the inputs make no difference";
        EXPECT_EQ(replayed(executable, 2), first);
        EXPECT_EQ(replayed(executable, 3), second);
        EXPECT_EQ(replayed(executable, 2), first);
        EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
    }

private:
    struct Input {
        DeviceMemory memory;
        std::function<Bytes(std::uint64_t seed)> draw;
    };
    static constexpr std::byte kPoison{0x7b};

    void capture(const Call& call, cudaGraphExec_t& executable) {
        cudaGraph_t graph = nullptr;
        const std::size_t free = free_bytes();
        ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), cudaSuccess);
        EXPECT_NO_THROW(call({*device_, stream_}));
        ASSERT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess) << "it waits";
        EXPECT_EQ(free_bytes(), free) << "it allocates";
        ASSERT_EQ(cudaGraphInstantiate(&executable, graph), cudaSuccess);
        EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    }
    static std::size_t free_bytes() {
        std::size_t free = 0, all = 0;
        EXPECT_EQ(cudaMemGetInfo(&free, &all), cudaSuccess);
        return free;
    }
    void prepare(std::uint64_t seed) {
        for (Input& input : inputs_) {
            const Bytes bytes = input.draw(seed);
            device_->upload(input.memory.data(), bytes.data(), bytes.size());
        }
        for (DeviceMemory& output : outputs_) device_->fill(output.data(), kPoison, output.bytes());
        if (scratch_.bytes() > 0) device_->fill(scratch_.data(), kPoison, scratch_.bytes());
    }
    Bytes downloaded() {
        device_->synchronize();
        Bytes all;
        for (const DeviceMemory& output : outputs_) {
            all.resize(all.size() + output.bytes());
            device_->download(all.data() + all.size() - output.bytes(), output.data(), output.bytes());
        }
        return all;
    }
    Bytes called(const Call& call, std::uint64_t seed) {
        prepare(seed);
        call({*device_, stream_});
        return downloaded();
    }
    Bytes replayed(cudaGraphExec_t executable, std::uint64_t seed) {
        prepare(seed);
        EXPECT_EQ(cudaGraphLaunch(executable, stream_), cudaSuccess);
        return downloaded();
    }

    std::unique_ptr<Device> device_ = open_device("simt");
    cudaStream_t stream_ = static_cast<cudaStream_t>(device_->stream());
    std::vector<Input> inputs_;
    std::vector<DeviceMemory> outputs_;
    DeviceMemory scratch_;
};

}  // namespace lanework::test

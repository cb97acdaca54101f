// Every function of images in a captured graph: replayed with other pixels it gives what a direct call gives for those.
#include <gtest/gtest.h>

#include <functional>
#include <lanework/image.hpp>
#include <random>
#include <vector>

namespace lanework {
namespace {

constexpr std::int64_t kHeight = 37, kWidth = 53, kOutHeight = 41, kOutWidth = 29;
constexpr int kChannels = 3;

using Bytes = std::vector<std::uint8_t>;

Bytes random_bytes(std::size_t count, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    Bytes bytes(count);
    for (std::uint8_t& each : bytes) each = static_cast<std::uint8_t>(random());
    return bytes;
}

class ImageGraph : public ::testing::Test {
protected:
    /// Enqueues the call that is tested: from the picture to the result, which has room for 4-byte samples.
    using Call = std::function<void(ImageTarget target)>;

    ImageView<const std::uint8_t> picture() const {
        return ImageView<const std::uint8_t>::tight(reinterpret_cast<const std::uint8_t*>(picture_.data()), kHeight,
                                                    kWidth, kChannels);
    }
    template <class T = std::uint8_t>
    T* result() const {
        return reinterpret_cast<T*>(result_.data());
    }
    static ImageView<std::uint8_t> result_of(std::uint8_t* pixels) {
        return ImageView<std::uint8_t>::tight(pixels, kOutHeight, kOutWidth, kChannels);
    }
    Affine* to_source() const { return reinterpret_cast<Affine*>(to_source_.data()); }

    void upload(std::uint64_t seed) {
        const Bytes pixels = random_bytes(picture_.bytes(), seed);
        device_->upload(picture_.data(), pixels.data(), pixels.size());
        device_->fill(result_.data(), std::byte{0x7b}, result_.bytes());
        device_->fill(to_source_.data(), std::byte{0x7b}, to_source_.bytes());
    }
    /// All that a call may write.
    Bytes downloaded() {
        device_->synchronize();
        Bytes bytes(result_.bytes() + to_source_.bytes());
        device_->download(bytes.data(), result_.data(), result_.bytes());
        device_->download(bytes.data() + result_.bytes(), to_source_.data(), to_source_.bytes());
        return bytes;
    }
    Bytes called(const Call& call, std::uint64_t seed) {
        upload(seed);
        call({*device_, stream_});
        return downloaded();
    }

    void expect_replays(const Call& call) {
        cudaGraph_t graph = nullptr;
        cudaGraphExec_t executable = nullptr;
        upload(1);
        const Bytes before = downloaded();
        ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), cudaSuccess);
        call({*device_, stream_});
        ASSERT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
        ASSERT_EQ(cudaGraphInstantiate(&executable, graph), cudaSuccess);
        EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
        EXPECT_EQ(downloaded(), before) << "a captured call computes nothing yet";
        for (const std::uint64_t seed : {2, 3}) {
            const Bytes right = called(call, seed);
            EXPECT_NE(right, before);
            upload(seed);
            EXPECT_EQ(cudaGraphLaunch(executable, stream_), cudaSuccess);
            EXPECT_EQ(downloaded(), right);
        }
        EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
    }

    std::unique_ptr<Device> device_ = open_device("simt");
    cudaStream_t stream_ = static_cast<cudaStream_t>(device_->stream());
    DeviceMemory picture_ = device_->allocate(kHeight * kWidth * kChannels),
                 result_ = device_->allocate(kOutHeight * kOutWidth * kChannels * sizeof(float)),
                 to_source_ = device_->allocate(sizeof(Affine));
};

TEST_F(ImageGraph, Resizes) {
    expect_replays(
        [&](ImageTarget target) { resize<std::uint8_t>(picture(), result_of(result()), Convention::opencv, target); });
}

TEST_F(ImageGraph, Warps) {
    const WarpOptions options{.affine = {{{{0.8, 0.3, -2}, {-0.3, 0.8, 9}}}}, .border = {1, 2, 3}};
    expect_replays([&](ImageTarget target) { warp(picture(), result_of(result()), options, target); });
}

TEST_F(ImageGraph, Letterboxes) {
    expect_replays(
        [&](ImageTarget target) { letterbox<std::uint8_t>(picture(), result_of(result()), {}, to_source(), target); });
}

TEST_F(ImageGraph, MakesTensors) {
    const TensorView<float> out{result<float>(), 1, kChannels, kOutHeight, kOutWidth};
    expect_replays([&](ImageTarget target) { tensor<std::uint8_t>(picture(), out, {}, to_source(), target); });
}

}  // namespace
}  // namespace lanework

// Frames come out in their order even where each other one is only done after the next.
#include <gtest/gtest.h>

#include <condition_variable>
#include <lanework/device.hpp>
#include <mutex>
#include <set>

#include "src/pictures/video.hpp"
#include "tests/pictures/videos.hpp"

namespace lanework::test {
namespace {

/// Lets go of an even frame when the odd one behind it is computed.
class Gate {
public:
    void computed(int frame) {
        std::unique_lock lock(mutex_);
        computed_.insert(frame);
        changed_.notify_all();
        if (frame % 2 == 0) changed_.wait(lock, [&] { return computed_.contains(frame + 1); });
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::set<int> computed_;
};

/// A queue of frames whose samples are all their number.
class GatedQueue final : public Queue {
public:
    GatedQueue(std::unique_ptr<Queue> queue, Gate& gate) : queue_(std::move(queue)), gate_(gate) {}

    void* stream() override { return queue_->stream(); }
    void upload(void* device, const void* host, std::size_t bytes) override {
        frame_ = *static_cast<const std::uint8_t*>(host);
        queue_->upload(device, host, bytes);
    }
    void download(void* host, const void* device, std::size_t bytes) override { queue_->download(host, device, bytes); }
    void wait() override {
        queue_->wait();
        gate_.computed(frame_);
    }

private:
    std::unique_ptr<Queue> queue_;
    Gate& gate_;
    int frame_ = 0;
};

/// The simt device with gated queues.
class GatedDevice final : public Device {
public:
    const DeviceInfo& info() const override { return device_->info(); }
    DeviceMemory allocate(std::size_t bytes) override { return device_->allocate(bytes); }
    DeviceMemory allocate_in(Memory memory, std::size_t bytes) override { return device_->allocate_in(memory, bytes); }
    void upload(void* device, const void* host, std::size_t bytes) override { device_->upload(device, host, bytes); }
    void download(void* host, const void* device, std::size_t bytes) override {
        device_->download(host, device, bytes);
    }
    void fill(void* device, std::byte value, std::size_t bytes) override { device_->fill(device, value, bytes); }
    std::unique_ptr<Queue> open_queue() override { return std::make_unique<GatedQueue>(device_->open_queue(), gate_); }
    void* stream() override { return device_->stream(); }
    void check_launch() override { device_->check_launch(); }
    void synchronize() override { device_->synchronize(); }
    std::vector<double> time(int count, const std::function<void()>& before,
                             const std::function<void()>& body) override {
        return device_->time(count, before, body);
    }
    void evict(std::span<const std::pair<const void*, std::size_t>> ranges) override { device_->evict(ranges); }

protected:
    void release(void*) noexcept override {}  // the memory is the other device's

private:
    std::unique_ptr<Device> device_ = open_device("simt");
    Gate gate_;
};

TEST(VideoOrder, IsKeptWhereLaterFramesAreDoneFirst) {
    if (availability(DeviceKind::simt).count == 0) GTEST_SKIP() << "this build has no simt device";
    constexpr int kFrames = 200;
    const Y4mHeader header = video_of(5, 3, Chroma::mono);
    std::vector<Bytes> frames;
    for (int i = 0; i < kFrames; ++i) frames.emplace_back(frame_bytes(header), static_cast<std::uint8_t>(i));
    Bytes out;
    GatedDevice device;
    Y4mReader reader(source_of(written(header, frames)), "video");
    std::mutex mutex;  // so that frames in the wrong order are that and nothing worse
    const auto sink = [&](auto part) {
        const std::lock_guard lock(mutex);
        out.insert(out.end(), part.begin(), part.end());
    };
    EXPECT_EQ(run_video(device, parse_recipe({.operation = "blur"}), reader, sink, 2, [](auto) {}), kFrames);
    EXPECT_EQ(frames_of(out), frames);
}

}  // namespace
}  // namespace lanework::test

// A device that can be held back is given time until a run is queued; one whose launches are done at once cannot.
#define LANEWORK_DEVICE simt
#include <gtest/gtest.h>

#include "src/cuda/properties.hpp"
#include "src/cuda/runtime_device.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {
namespace {

// A run that waits for the device has its first mark reached before it is queued: for a device that holds back, too
// late.
class PatientDevice final : public RuntimeDevice {
public:
    explicit PatientDevice(bool waits) : RuntimeDevice(describe_device(DeviceKind::simt, 0)), waits_(waits) {}

    void evict(std::span<const std::pair<const void*, std::size_t>>) override {}
    std::vector<double> holds;

protected:
    bool hold_back(double seconds) override {
        if (waits_) holds.push_back(seconds);
        return waits_;
    }

private:
    bool waits_;
};

struct Runs {
    int before = 0, body = 0;
    std::size_t samples = 0;
};

Runs timed(PatientDevice& device, int count) {
    Runs runs;
    runs.samples = device
                       .time(
                           count, [&] { ++runs.before; },
                           [&] {
                               ++runs.body;
                               device.synchronize();
                           })
                       .size();
    return runs;
}

TEST(HeldBack, RunsThatWereQueuedTooLateAreTakenAgainAndNotForEver) {
    PatientDevice device(true);
    const Runs runs = timed(device, 3);
    EXPECT_EQ(runs.samples, 3u);
    EXPECT_EQ(runs.body, 3 + 3) << "three runs, and three that came too late";
    EXPECT_EQ(runs.before, runs.body);
    ASSERT_EQ(device.holds.size(), 3u);
    EXPECT_EQ(device.holds[0], 0);
    EXPECT_GT(device.holds[1], 0) << "twice what it took to queue the run";
}

TEST(HeldBack, WhatCannotWaitIsTimedOnce) {
    PatientDevice device(false);
    const Runs runs = timed(device, 5);
    EXPECT_EQ(runs.samples, 5u);
    EXPECT_EQ(runs.body, 5);
    EXPECT_EQ(runs.before, 5);
}

TEST(HeldBack, HotRunsAreNotHeldBack) {
    PatientDevice device(true);
    int runs = 0;
    EXPECT_EQ(device.time(4, {}, [&] { ++runs; }).size(), 4u);
    EXPECT_EQ(runs, 4);
    EXPECT_TRUE(device.holds.empty());
}

}  // namespace
}  // namespace lanework::inline LANEWORK_ON_DEVICE

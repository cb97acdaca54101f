// The course of a measurement: what is timed, what is withheld, and what a figure below the limit leads to.
#include "src/measure/measure.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <utility>

#include "src/measure/ceiling_cache.hpp"
#include "src/measure/published_limit.hpp"
#include "tests/measure/doubles.hpp"

namespace lanework::testing {
namespace {

constexpr std::int64_t kCount = 1 << 14;
constexpr std::uint64_t kBytes = 8 * kCount;

int launches = 0;
std::set<const void*> inputs_seen;

void counted(const IncrementArgs& a, Team) {
    ++launches;
    inputs_seen.insert(a.in);
    increment_all(a);
}

// Everything takes this long at every size.
Ceilings flat_ceilings(double seconds) {
    Ceilings ceilings;
    ceilings.fingerprint = "scripted";
    ceilings.copy = ceilings.read = ceilings.write = {{kBytes, seconds}};
    return ceilings;
}

class Measure : public ::testing::Test {
protected:
    void SetUp() override {
        launches = 0;
        inputs_seen.clear();
        folder_ = std::filesystem::temp_directory_path() / ("lanework_measure_test." + std::to_string(::getpid()));
        ::setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    Measurement measure_with(const IncrementEntry& entry, Ceilings* ceilings = nullptr) {
        const Rung rung = rung_of(entry);
        MeasureOptions options{.max_seconds = 0.05};
        options.notice = [this](std::string_view line) { notices_.emplace_back(line); };
        return measure(device_, increment, rung, {extents(kCount)}, ceilings, options);
    }
    ScriptedDevice device_;
    std::vector<std::string> notices_;
    std::filesystem::path folder_;
};

TEST_F(Measure, DescribesWhatWasMeasured) {
    const Measurement result = measure_with({.climbs_from = "foot", .lesson = "Add one.", .launch = counted});
    EXPECT_TRUE(result.ok()) << result.reason;
    EXPECT_EQ(result.operation, "increment");
    EXPECT_EQ(result.rung, "tested");
    EXPECT_EQ(result.device, "scripted");
    EXPECT_EQ(result.axes, std::vector<std::string>{"count"});
    EXPECT_EQ(result.climbs_from, "foot");
    EXPECT_EQ(result.lesson, "Add one.");
    EXPECT_EQ(result.work.bytes(), kBytes);
    EXPECT_FALSE(result.limit);
    EXPECT_DOUBLE_EQ(summarize(result.cold_s).median, 1e-3);
}

TEST_F(Measure, EvictsBeforeEveryColdRunAndTakesTurnsBetweenInputs) {
    const Measurement result = measure_with({.launch = counted});
    EXPECT_EQ(device_.evictions, static_cast<int>(result.cold_s.size()));
    EXPECT_GE(inputs_seen.size(), 3U);  // two input sets beside the one of the verification
}

TEST_F(Measure, DividesAHotSampleByTheRunsItIsMadeOf) {
    int before = 0;
    device_.seconds = [&] {
        const double seconds = 1e-6 * (launches - before);
        before = launches;
        return seconds;
    };
    const Measurement result = measure_with({.launch = counted});
    const Summary hot = summarize(result.hot_s);
    EXPECT_NEAR(hot.median, 1e-6, 1e-9);
    EXPECT_GT(launches, 200 * static_cast<int>(hot.count) / 2);  // a sample of 200 µs holds about 200 runs
}

TEST_F(Measure, WithholdsTheTimesOfARungThatIsWrong) {
    const auto wrong = [](const IncrementArgs& a, Team) { a.out[0] = 0; };
    const Measurement result = measure_with({.launch = +wrong});
    EXPECT_EQ(result.verdict, Verdict::wrong);
    EXPECT_NE(result.reason, "");
    EXPECT_TRUE(result.cold_s.empty());
    EXPECT_TRUE(result.hot_s.empty());
}

TEST_F(Measure, VerifiesAgainAfterTiming) {
    const auto tires = [](const IncrementArgs& a, Team team) {
        counted(a, team);
        if (launches > 4) a.out[3] = 0;
    };
    const Measurement result = measure_with({.launch = +tires});
    EXPECT_EQ(result.verdict, Verdict::wrong);
    EXPECT_EQ(result.reason.find("after timing, out[3] is 0 where"), 0U) << result.reason;
    EXPECT_TRUE(result.cold_s.empty());
}

TEST_F(Measure, FailsARungWhoseDeviceFails) {
    device_.error = "the device is gone";
    const Measurement result = measure_with({.launch = counted});
    EXPECT_EQ(result.verdict, Verdict::failed);
    EXPECT_EQ(result.reason, "the device is gone");
}

// The tested rung takes so long, the rungs that the ceilings are measured with take 1 ms.
std::function<double()> faster_than_the_ceilings(double tested) {
    return [tested, last = 0]() mutable { return std::exchange(last, launches) != launches ? tested : 1e-3; };
}

TEST_F(Measure, RaisesTheCeilingToATimeThatBeatsIt) {
    device_.seconds = faster_than_the_ceilings(0.6e-3);
    Ceilings ceilings = flat_ceilings(1e-3);
    const Measurement result = measure_with({.launch = counted}, &ceilings);
    EXPECT_TRUE(result.ok()) << result.reason;
    EXPECT_DOUBLE_EQ(summarize(result.cold_s).median, 0.6e-3);
    EXPECT_DOUBLE_EQ(result.limit->seconds, 0.6e-3);
    EXPECT_DOUBLE_EQ(*fraction_of_limit(result), 1);
    EXPECT_DOUBLE_EQ(ceilings.copy.front().seconds, 0.6e-3);
    EXPECT_DOUBLE_EQ(ceilings.read.front().seconds, 1e-3);  // half of the bytes are written: this says nothing of it
    const auto cached = load_ceilings(ceiling_cache_file(), "scripted");
    ASSERT_TRUE(cached);
    EXPECT_DOUBLE_EQ(cached->copy.front().seconds, 0.6e-3);
    ASSERT_EQ(notices_.size(), 1U);
    EXPECT_EQ(
        notices_.front(),
        "increment/tested took 600 µs, the limit was 1.00 ms: scripted proved faster than its ceilings said, they "
        "are raised");
}

TEST_F(Measure, MeasuresAgainATimeThatBeatsTheLimit) {
    // Fast in the first measurement only, as if the clock had been set.
    device_.seconds = [before_ceilings = true, last = 0]() mutable {
        const bool tested = std::exchange(last, launches) != launches;
        before_ceilings = before_ceilings && tested;
        return before_ceilings ? 0.6e-3 : 1e-3;
    };
    Ceilings ceilings = flat_ceilings(1e-3);
    const Measurement result = measure_with({.launch = counted}, &ceilings);
    EXPECT_TRUE(result.ok()) << result.reason;
    EXPECT_DOUBLE_EQ(summarize(result.cold_s).median, 1e-3);
    EXPECT_DOUBLE_EQ(ceilings.copy.front().seconds, 1e-3);
    EXPECT_TRUE(notices_.empty());
}

TEST_F(Measure, RejectsATimeThatThePublishedPeakRulesOut) {
    device_.set_name("Tesla T4");  // 320 GB/s
    constexpr std::int64_t kLarge = 1 << 22;
    device_.seconds = faster_than_the_ceilings(20e-6);  // 32 MiB in it are 1.7 TB/s
    Ceilings ceilings;
    ceilings.fingerprint = "scripted";
    ceilings.copy = ceilings.read = ceilings.write = {{8 * kLarge, 1e-3}};
    const IncrementEntry entry{.launch = counted};
    const Measurement result =
        measure(device_, increment, rung_of(entry), {extents(kLarge)}, &ceilings, {.max_seconds = 0.05});
    EXPECT_EQ(result.verdict, Verdict::failed);
    EXPECT_NE(result.reason.find("the published peak of Tesla T4"), std::string::npos) << result.reason;
    EXPECT_TRUE(result.cold_s.empty());
    EXPECT_TRUE(result.hot_s.empty());
    EXPECT_DOUBLE_EQ(ceilings.copy.front().seconds, 1e-3);
}

TEST(PublishedLimit, LetsTheLastCacheHoldWhatItCan) {
    DeviceInfo gpu;
    gpu.kind = DeviceKind::cuda;
    gpu.name = "Tesla T4";
    const Work small{.bytes_read = 2 << 20, .bytes_written = 2 << 20}, large{.bytes_read = (4 << 20) + 320'000};
    const Limit memory{Bound::memory, 1};
    EXPECT_EQ(published_limit(gpu, small, DType::float32, memory), 0);
    EXPECT_DOUBLE_EQ(published_limit(gpu, large, DType::float32, memory), 1e-6);
    gpu.kind = DeviceKind::simt;
    EXPECT_EQ(published_limit(gpu, large, DType::float32, memory), 0);
    gpu.kind = DeviceKind::cpu;
    gpu.name = "Intel(R) Xeon(R) Processor";
    EXPECT_EQ(published_limit(gpu, large, DType::float32, memory), 0);
}

TEST_F(Measure, MeasuresTheCeilingsAgainBeforeItBelievesThatATimeBeatsThem) {
    Ceilings ceilings = flat_ceilings(2e-3);  // measured too slow: everything takes 1 ms
    const Measurement result = measure_with({.launch = counted}, &ceilings);
    EXPECT_TRUE(result.ok()) << result.reason;
    ASSERT_TRUE(result.limit);
    EXPECT_DOUBLE_EQ(result.limit->seconds, 1e-3);
    EXPECT_DOUBLE_EQ(ceilings.copy.front().seconds, 1e-3);
    EXPECT_TRUE(std::filesystem::exists(folder_ / "lanework" / "ceilings.json"));
}

TEST_F(Measure, AcceptsATimeWithinNoiseOfTheLimit) {
    Ceilings ceilings = flat_ceilings(1.01e-3);
    const Measurement result = measure_with({.launch = counted}, &ceilings);
    EXPECT_TRUE(result.ok()) << result.reason;
    EXPECT_DOUBLE_EQ(result.limit->seconds, 1.01e-3);
    EXPECT_DOUBLE_EQ(*fraction_of_limit(result), 1);
}

}  // namespace
}  // namespace lanework::testing

// Surveys: every figure of the plan can be measured, its value is work ÷ time, and the cache gives back what it was
// given.
#include "src/measure/survey.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <lanework/registry.hpp>

#include "src/measure/cache_file.hpp"
#include "src/measure/ceiling_cache.hpp"
#include "src/measure/launch_costs.hpp"
#include "src/measure/survey_plan.hpp"
#include "tests/measure/doubles.hpp"

namespace lanework {
namespace {

DeviceInfo info_of(DeviceKind kind) {
    DeviceInfo info;
    info.kind = kind;
    info.last_level_cache_bytes = std::size_t{60} << 20;
    info.threads = 2;
    return info;
}

// The plan names operations, rungs and variants by text: here nothing may be misspelt, or refuse.
TEST(SurveyPlan, NamesRungsThatComputeItsProblems) {
    for (const DeviceKind kind : kDeviceKinds)
        for (const Probe& probe : probes_for(info_of(kind))) {
            const Operation& operation = find_operation(probe.operation);
            if (ladder(operation, kind).empty()) continue;  // not in this build
            Problem problem{probe.extent, operation.default_dtype(), 0};
            if (!probe.variant.empty()) problem.variant = parse_variant(operation, probe.variant);
            if (!probe.rung.empty()) {
                EXPECT_EQ(refusal(find_rung(operation, probe.rung, kind), problem), "") << probe.name;
            }
            EXPECT_GT(probe.amount(operation.work(problem)), 0) << probe.name;
        }
}

TEST(SurveyPlan, CountsTheBytesThatAreReadFromSharedMemory) {
    for (const Probe& probe : probes_for(info_of(DeviceKind::cuda)))
        if (probe.operation == "banks") {
            // n elements, each through 32 rows of 32 words of 4 bytes, so many times.
            const double bytes = 4.0 * 32 * 32 * static_cast<double>(probe.extent[0] * probe.extent[1]);
            EXPECT_DOUBLE_EQ(probe.amount(find_operation("banks").work({probe.extent, DType::int32})), bytes);
        }
}

TEST(SurveyPlan, KeepsManagedMemorySmall) {
    for (const Probe& probe : probes_for(info_of(DeviceKind::cuda)))
        if (probe.operation == "transfer") {
            EXPECT_LE(4 * probe.extent[0], std::int64_t{64} << 20) << probe.name;
        }
}

TEST(Resolution, IsTheLeastDifferenceThatIsNotZero) {
    EXPECT_DOUBLE_EQ(resolution_of({5, 2, 5, 2.5, 9}), 0.5);
    EXPECT_EQ(resolution_of({3, 3, 3}), 0);
    EXPECT_EQ(resolution_of({}), 0);
}

class SurveyCache : public ::testing::Test {
protected:
    void SetUp() override {
        ::setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
        std::filesystem::remove_all(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    const std::filesystem::path folder_ =
        std::filesystem::temp_directory_path() / ("lanework_survey_test." + std::to_string(::getpid()));
};

Survey example() {
    return {.device = "cuda:0",
            .fingerprint = "one",
            .measured_at = "2026-01-31T12:00:00Z",
            .readings = {{"memory", "copy 1 GiB", "copy/vectorized", Unit::bytes_per_second, 4.3e12, Part::memory,
                          DType::float32},
                         {"arithmetic", "multiply-add float16", "fma", Unit::flops_per_second, 0.1 + 0.2,
                          Part::arithmetic, DType::float16}}};
}

DeviceInfo named(const char* fingerprint) {
    DeviceInfo info = info_of(DeviceKind::cuda);
    info.id = "cuda:0";
    info.fingerprint = fingerprint;
    return info;
}

TEST_F(SurveyCache, ReturnsWhatWasStoredForTheSameDevice) {
    store_survey(example());
    EXPECT_FALSE(cached_survey(named("two")));
    const auto found = cached_survey(named("one"));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->measured_at, "2026-01-31T12:00:00Z");
    ASSERT_EQ(found->readings.size(), 2u);
    EXPECT_EQ(found->readings[0].name, "copy 1 GiB");
    EXPECT_EQ(found->readings[0].part, Part::memory);
    EXPECT_EQ(found->readings[1].dtype, DType::float16);
    EXPECT_EQ(found->readings[1].unit, Unit::flops_per_second);
    EXPECT_EQ(found->readings[1].value, 0.1 + 0.2);
}

TEST_F(SurveyCache, LivesBesideTheCeilings) {
    Ceilings ceilings;
    ceilings.fingerprint = "one";
    ceilings.copy = ceilings.read = ceilings.write = {{1000, 1.0}};
    store_survey(example());
    store_ceilings(ceiling_cache_file(), ceilings);
    EXPECT_TRUE(cached_survey(named("one")));
    store_survey(example());
    EXPECT_TRUE(load_ceilings(ceiling_cache_file(), "one"));
}

TEST_F(SurveyCache, IgnoresWhatItDoesNotUnderstand) {
    std::filesystem::create_directories(folder_ / "lanework");
    for (const char* surveys : {"7", "[]", R"({"one":7})", R"({"one":{"measured_at":"","readings":[{}]}})",
                                R"({"one":{"measured_at":"","readings":[{"group":"","name":"","by":"","unit":"s",)"
                                R"("value":-1,"part":"none","dtype":"int32"}]}})"}) {
        std::ofstream(ceiling_cache_file()) << R"({"schema":1,"devices":{},"surveys":)" << surveys << "}";
        EXPECT_FALSE(cached_survey(named("one"))) << surveys;
    }
    store_survey(example());
    EXPECT_TRUE(cached_survey(named("one")));
}

TEST_F(SurveyCache, TheFiguresOfASurveyAreWorkByTime) {
    testing::ScriptedDevice device;  // every run takes a millisecond
    Ceilings ceilings;
    ceilings.copy = {{std::uint64_t{1} << 30, 0.5}};
    ceilings.fma = {{DType::float64, 7e9}};
    int told = 0;
    const Survey survey = lanework::survey(device, ceilings, [&told](std::string_view) { ++told; });
    EXPECT_GT(told, 3);
    const auto find = [&](const std::string& group, const std::string& name) -> const Reading* {
        for (const Reading& reading : survey.readings)
            if (reading.group == group && reading.name.starts_with(name)) return &reading;
        return nullptr;
    };
    ASSERT_NE(find("atomics", "all cores: one cell"), nullptr);
    EXPECT_NEAR(find("atomics", "all cores: one cell")->value, 4096.0 * 64 / 1e-3, 1);
    EXPECT_EQ(find("atomics", "all cores: one cell")->by, "tally/atomics");
    ASSERT_NE(find("memory", "copy 1.00 GiB"), nullptr);
    EXPECT_DOUBLE_EQ(find("memory", "copy")->value, (std::uint64_t{1} << 30) / 0.5);
    ASSERT_NE(find("arithmetic", "multiply-add float64"), nullptr);
    EXPECT_EQ(find("arithmetic", "multiply-add float64")->value, 7e9);
    ASSERT_NE(find("launch", "call the threads together"), nullptr);
    EXPECT_NEAR(find("launch", "call the threads together")->value, 1e-3 / 256, 1e-9);
    EXPECT_NE(find("launch", "between two marks"), nullptr);
}

}  // namespace
}  // namespace lanework

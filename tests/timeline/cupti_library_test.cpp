// Where CUPTI is looked for, and what is said when it cannot be had.
#include "src/timeline/cupti_library.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <lanework/device.hpp>
#include <lanework/error.hpp>
#include <lanework/registry.hpp>
#include <map>

#include "src/timeline/recording.hpp"
#include "tests/cli/run.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

const char* nothing(const char*) { return nullptr; }

void touch(const fs::path& file) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << "x";
}

TEST(CuptiLibrary, IsLookedForInTheToolkitAndInPythonsPackages) {
    const Folder root;
    touch(root / "usr/local/cuda/extras/CUPTI/lib64/libcupti.so.13");
    touch(root / "usr/local/lib/python3.11/dist-packages/nvidia/cu13/lib/libcupti.so.13");
    touch(root / "usr/lib/python3/dist-packages/nvidia/cu12/lib/libcupti.so.12");
    const std::vector<std::string> expected{
        "libcupti.so.13", (root / "usr/local/cuda/extras/CUPTI/lib64/libcupti.so.13").string(),
        (root / "usr/local/lib/python3.11/dist-packages/nvidia/cu13/lib/libcupti.so.13").string()};
    EXPECT_EQ(cupti_candidates(13, nothing, root.string()), expected);
}

TEST(CuptiLibrary, IsTheOneThatTheEnvironmentNames) {
    const Folder root;
    touch(root / "mine/lib64/libcupti.so.13");
    const std::string mine = (root / "mine").string();
    const std::map<std::string, std::string> set{{"CUDA_HOME", mine}};
    const auto home = [&](const char* name) { return set.count(name) ? set.at(name).c_str() : nullptr; };
    EXPECT_EQ(cupti_candidates(13, home, root.string()).at(1), mine + "/lib64/libcupti.so.13");
    const auto own = [](const char* name) {
        return std::string(name) == "LANEWORK_CUPTI" ? "/x/libcupti.so" : nullptr;
    };
    EXPECT_EQ(cupti_candidates(13, own, root.string()), std::vector<std::string>{"/x/libcupti.so"});
}

TEST(CuptiLibrary, SaysWhatAFailureMeans) {
    constexpr int kPrivileges = 35, kSubscribers = 39, kUnknown = 999;
    const auto said = [](int code) { return cupti_failure("cuptiActivityEnable", code, "CUPTI_ERROR_X"); };
    EXPECT_TRUE(contains(said(kPrivileges), "NVreg_RestrictProfilingToAdminUsers=0")) << said(kPrivileges);
    EXPECT_TRUE(contains(said(kSubscribers), "another profiler")) << said(kSubscribers);
    EXPECT_TRUE(contains(said(kUnknown), "CUPTI_ERROR_X of cuptiActivityEnable")) << said(kUnknown);
    for (const int code : {kPrivileges, kSubscribers, kUnknown}) EXPECT_FALSE(contains(said(code), "\n"));
}

TEST(CuptiLibrary, OfAnotherGenerationIsRefused) {
    EXPECT_EQ(cupti_version_refusal(130001, 130001), "");
    EXPECT_EQ(cupti_version_refusal(130500, 130001), "");
    EXPECT_TRUE(contains(cupti_version_refusal(140000, 130001), "CUPTI 14.0.0 was found"))
        << cupti_version_refusal(140000, 130001);
    EXPECT_TRUE(contains(cupti_version_refusal(26, 130001), "CUPTI 26 was found"));
}

bool has_gpu() { return availability(DeviceKind::cuda).count > 0; }

// On a device that is no GPU nothing can be recorded, whatever is installed: one line says why.
TEST(CuptiLibrary, RefusesWithOneLineWhereThereIsNoGpu) {
    if (has_gpu()) GTEST_SKIP() << "there is a GPU here";
    const auto cpu = open_device("cpu");
    const Operation& add = find_operation("add");
    const Rung& rung = *ladder(add, DeviceKind::cpu).front();
    const Problem problem{extents(64), add.default_dtype(), 0};
    EXPECT_THROW(timeline_of(*cpu, {&add, &rung, problem}, published_speeds(parse_gpu("h200"))), UnavailableError);
    try {
        EXPECT_TRUE(recorded_timeline(*cpu, {&add, &rung, problem}).spans.empty());
        ADD_FAILURE() << "it recorded a GPU";
    } catch (const UnavailableError& error) {
        EXPECT_TRUE(contains(error.what(), "CUPTI")) << error.what();
        EXPECT_FALSE(contains(error.what(), "\n")) << error.what();
    }
}

}  // namespace
}  // namespace lanework

// What devices and doctor say of this machine, whatever it is.
#include <gtest/gtest.h>

#include "tests/cli/run.hpp"

#include "src/io/json.hpp"

namespace lanework {
namespace {

const Json* measured(const Json& device, const std::string& group, const std::string& name) {
    for (const Json& reading : device["measured"])
        if (reading["group"] == group && reading["name"].get<std::string>().starts_with(name)) return &reading;
    return nullptr;
}

TEST(Devices, DescribeTheProcessorsCaches) {
    const Json device = Json::parse(lanework_with("devices --device cpu --json").out)["devices"][0];
    for (const char* fact : {"name", "threads", "vectors", "memory", "L1 data cache, per core", "last-level cache"})
        EXPECT_TRUE(device["facts"].contains(fact)) << fact;
    EXPECT_GT(device["figures"]["memory_bytes"].get<double>(), 0);
}

TEST(Devices, DescribeTheModelAsTheRuntimeDoes) {
    const Json device = Json::parse(lanework_with("devices --device simt --json").out)["devices"][0];
    if (device["facts"].contains("not here")) GTEST_SKIP() << "no simt device in this build";
    for (const char* fact : {"compute capability",
                             "global memory",
                             "L2 cache",
                             "SM clock",
                             "SMs",
                             "cores per SM",
                             "warp size",
                             "threads per block",
                             "threads per SM",
                             "blocks per SM",
                             "block dimensions",
                             "grid dimensions",
                             "shared memory per block",
                             "shared memory per block, opt-in",
                             "shared memory per SM",
                             "registers per block",
                             "registers per SM",
                             "copy engines",
                             "integrated",
                             "managed memory",
                             "concurrent managed access"})
        EXPECT_TRUE(device["facts"].contains(fact)) << fact;
}

TEST(Devices, ShowWhatWasMeasuredUntilItIsMeasuredAgain) {
    const Said run = shell(
        "export XDG_CACHE_HOME=$(mktemp -d)\n"
        "lanework devices --device cpu --measure --json >\"$XDG_CACHE_HOME/first\"\n"
        "lanework devices --device cpu --json\n"
        "lanework doctor >\"$XDG_CACHE_HOME/doctor\"; grep 'all of it at' \"$XDG_CACHE_HOME/doctor\" >&2\n"
        "lanework devices --device cpu --json | cmp - \"$XDG_CACHE_HOME/first\" >&2\n"
        "rm -r \"$XDG_CACHE_HOME\"");
    ASSERT_EQ(run.status, 0) << run.err;
    const Json device = Json::parse(run.out)["devices"][0];
    ASSERT_TRUE(device.contains("measured")) << run.out;
    EXPECT_TRUE(contains(run.err, device["measured_at"])) << run.err;
    EXPECT_FALSE(contains(run.err, "differ")) << run.err;
    const Json* read = measured(device, "cache", "read");
    ASSERT_NE(read, nullptr) << run.out;
    EXPECT_EQ((*read)["unit"], "bytes/s");
    EXPECT_GT((*read)["value"].get<double>(), 1e8);
    const Json* launch = measured(device, "launch", "call the threads together");
    ASSERT_NE(launch, nullptr);
    EXPECT_GT((*launch)["value"].get<double>(), 1e-8);
    EXPECT_LT((*launch)["value"].get<double>(), 0.1);
    EXPECT_NE(measured(device, "memory", "copy"), nullptr);
    EXPECT_NE(measured(device, "atomics", "all cores: one cell"), nullptr);
}

TEST(Devices, RefuseWhatIsNoDevice) {
    expect_mistake("devices --device gpu", 2, "there is no device `gpu`");
    expect_mistake("devices --mesure", 2, "--mesure");
}

TEST(Doctor, SaysWhatIsThereOrWhatToInstall) {
    const Said run = lanework_with("doctor --json");
    EXPECT_EQ(run.status, 0) << run.err;
    const Json document = Json::parse(run.out);
    const auto section = [&](const std::string& title) -> Json {
        for (const Json& each : document["doctor"])
            if (each["title"] == title) return each["facts"];
        return {};
    };
    EXPECT_TRUE(section("driver").contains("NVIDIA driver")) << run.out;
    EXPECT_EQ(section("tools").size(), 4u) << run.out;
    EXPECT_TRUE(contains(section("measured ceilings")["cpu"], "devices --measure") ||
                contains(section("measured ceilings")["cpu"], "all of it at"));
    bool gpu = false;
    for (const Json& each : document["doctor"]) gpu = gpu || each["title"].get<std::string>().starts_with("GPU ");
    const Json driver = section("driver");
    EXPECT_EQ(gpu + driver.contains("no GPU") + driver.contains("GPU state"), 1) << "a GPU, or why there is none\n"
                                                                                 << run.out;
}

/// With one blank between words: how wide a column is depends on what the build has.
std::string in_one_column(const std::string& text) {
    std::string narrow;
    for (const char c : text)
        if (c != ' ' || !narrow.ends_with(' ')) narrow += c;
    return narrow;
}

TEST(Doctor, SaysWhatProgramsAreBuiltWithOrWhatIsMissing) {
    const std::string with = in_one_column(shell("CXX=g++ lanework doctor").out);
    EXPECT_TRUE(contains(with, "\n compiler " + shell("printf %s $(command -v g++)").out)) << with;
    EXPECT_TRUE(contains(with, "\n Thrust, CUB, libcu++ ")) << with;
    const std::string without = in_one_column(shell("unset CXX; PATH=/nowhere lanework doctor").out);
    EXPECT_TRUE(
        contains(without, "\n compiler not here: programs are built with g++ or clang++, and neither is on the path"))
        << without;
}

TEST(Doctor, SaysThatTheEnvironmentHidesEveryGpu) {
    const Said run = shell("CUDA_VISIBLE_DEVICES= lanework doctor");
    if (contains(run.out, "GPU 0")) GTEST_SKIP() << "NVML shows a GPU all the same";
    EXPECT_TRUE(contains(run.out, "CUDA_VISIBLE_DEVICES")) << run.out;
}

}  // namespace
}  // namespace lanework

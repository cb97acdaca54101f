// simt as the GPU that --gpu names, in every command that runs on it.
#include <gtest/gtest.h>

#include <lanework/device.hpp>

#include "tests/cli/run.hpp"

#include "src/io/json.hpp"

namespace lanework {
namespace {

class SimtGpu : public testing::Test {
protected:
    void SetUp() override {
        if (availability(DeviceKind::simt).count == 0) GTEST_SKIP() << "no simt device in this build";
    }
};

Json facts_of(const std::string& words) {
    const Said run = lanework_with("devices --json " + words);
    EXPECT_EQ(run.status, 0) << run.err;
    const Json devices = Json::parse(run.out)["devices"];
    return devices.back()["facts"];
}

TEST_F(SimtGpu, IsTheH200ThatWasSeen) {
    const Json seen = Json::parse(contents(LANEWORK_SOURCE_DIR "/results/h200/devices.json"))["devices"][0]["facts"];
    const Json simt = facts_of("--device simt");
    for (const char* fact : {"compute capability",
                             "global memory",
                             "L2 cache",
                             "memory bus",
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
                             "constant memory",
                             "concurrent kernels",
                             "integrated",
                             "managed memory",
                             "concurrent managed access"})
        EXPECT_EQ(simt[fact], seen[fact]) << fact;
    EXPECT_TRUE(contains(simt["name"], "NVIDIA H200")) << simt["name"];
}

TEST_F(SimtGpu, IsAnotherOnRequestAndSaysHowManyThreadsWork) {
    const Said run = shell("export LANEWORK_SIMT_THREADS=3; lanework devices --gpu t4 --device simt --json");
    ASSERT_EQ(run.status, 0) << run.err;
    const Json device = Json::parse(run.out)["devices"][0], facts = device["facts"];
    EXPECT_EQ(device["title"], "simt:t4");
    EXPECT_EQ(facts["SMs"], "40");
    EXPECT_EQ(facts["compute capability"], "7.5");
    EXPECT_EQ(facts["shared memory per block, opt-in"], "64.0 KiB");
    EXPECT_EQ(facts["global memory"], "16.0 GiB");
    EXPECT_EQ(facts["CPU threads"], "3");
    EXPECT_EQ(facts_of("--device simt:t4"), facts_of("--device simt --gpu T4"));
}

/// The device of the first result.
std::string device_of(const std::string& words) {
    const Said run = lanework_with(words + " --json -");
    EXPECT_EQ(run.status, 0) << words << "\n" << run.err;
    return Json::parse(run.out)["results"][0]["device"];
}

TEST_F(SimtGpu, IsChosenByEveryCommandThatRunsThere) {
    EXPECT_EQ(device_of("verify add/coalesced --size 100 --gpu t4"), "simt:t4");
    EXPECT_EQ(device_of("bench add/coalesced --size 1000 --max-time 0.01 --device simt --gpu l4"), "simt:l4");
    EXPECT_EQ(device_of("climb index/1d_1d --max-time 0.01 --gpu t4"), "simt:t4");
    EXPECT_EQ(device_of("explain add/coalesced --size 1000 --gpu t4"), "simt:t4");
    EXPECT_EQ(device_of("explain add/coalesced --size 1000"), "simt");
    EXPECT_EQ(Json::parse(lanework_with("index --gpu t4 --json -").out)["device"], "simt:t4");
    EXPECT_TRUE(contains(lanework_with("info add --gpu t4").out, "simt:t4 work"));
    EXPECT_TRUE(contains(lanework_with("occupancy --threads 1024 --gpu t4").out, "7.5"));
    EXPECT_EQ(lanework_with("profile pipeline/graph --timeline --gpu l4").status, 0);
}

TEST_F(SimtGpu, ClimbEstimatesTheTimeOnTheGpuThatIsMeant) {
    const std::string ladder = "climb transpose/coalesced_read transpose/coalesced_write --size 256x256 --device simt ";
    const auto estimate_of = [&](const std::string& more) {
        const Json result = Json::parse(lanework_with(ladder + more + " --json -").out)["results"][1];
        EXPECT_TRUE(result["samples_s"].empty()) << result;
        return result["estimate"];
    };
    const Json h200 = estimate_of(""), t4 = estimate_of("--gpu t4");
    EXPECT_EQ(h200["gpu"], "NVIDIA H200 SXM");
    EXPECT_LE(h200["limit_s"].get<double>(), h200["high_s"].get<double>());
    EXPECT_GT(t4["low_s"].get<double>(), h200["low_s"].get<double>()) << "a T4 is slower";
    EXPECT_GT(h200["sectors_per_request"].get<double>(), 4.0) << "one side does not coalesce";
    EXPECT_TRUE(h200["wavefronts_per_request"].is_null()) << "no shared memory";

    const Said drawn = lanework_with(ladder);
    EXPECT_TRUE(contains(drawn.out, "estimated time")) << drawn.out;
    EXPECT_FALSE(contains(drawn.out, "best: ")) << drawn.out;
    const Said emulated = lanework_with(ladder + "--emulation-times --max-time 0.01");
    EXPECT_TRUE(contains(emulated.out, "rank nothing on a GPU")) << emulated.out;
    EXPECT_TRUE(contains(emulated.out, "best: ")) << emulated.out;
}

TEST_F(SimtGpu, ClimbAndExplainSayTheSame) {
    const Json climbed =
        Json::parse(lanework_with("climb reduce/grid_stride --device simt --max-time 0.01 --json -").out)["results"][0];
    const std::string size = std::to_string(climbed["problem"]["n"].get<long>());
    const Json explained = Json::parse(
        lanework_with("explain reduce/grid_stride --as-written --size " + size + " --json -").out)["results"][0];
    EXPECT_EQ(climbed["problem"], explained["problem"]);
    const std::string why = climbed["why"];
    EXPECT_FALSE(contains(why, "16 of 132 SMs")) << why;
    const Json& first = explained["findings"][0];
    EXPECT_TRUE(contains(why, first["rule"])) << why << "\n" << first;
}

TEST_F(SimtGpu, MistakesSayWhatWouldBeRight) {
    expect_mistake("verify add --gpu riva128", 2, "there are: h200, h100");
    expect_mistake("verify add --device simt:riva128", 2, "there are: h200, h100");
    expect_mistake("bench add --device cpu --gpu t4", 2, "--device simt");
    expect_mistake("climb add --device simt:l4 --gpu t4", 2, "both name a GPU");
    expect_mistake("verify add --device simt,simt:h200", 2, "named twice");
    expect_mistake("occupancy --threads 256 --arch 90 --gpu t4", 2, "--arch 90 and --gpu t4");
}

}  // namespace
}  // namespace lanework

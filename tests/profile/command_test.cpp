// lanework profile where there is no GPU: what is predicted is shown, and the reason why nothing else is.
#include <lanework/device.hpp>

#include "tests/cli/run.hpp"

#include "src/io/json.hpp"

namespace lanework {
namespace {

bool has_gpu() { return availability(DeviceKind::cuda).count > 0; }

TEST(ProfileCommand, ShowsPredictedCountersWithoutAGpu) {
    if (has_gpu()) GTEST_SKIP() << "there is a GPU here";
    const Said run = lanework_with("profile transpose/padded_tile --size 31x33 --as-written");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(contains(run.out, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum")) << run.out;
    EXPECT_TRUE(contains(run.out, "padded_tile")) << run.out;
    EXPECT_TRUE(run.out.starts_with("Predicted for an NVIDIA H200 SXM\n")) << run.out;
    EXPECT_TRUE(contains(run.err, "predicted ones only")) << run.err;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
}

TEST(ProfileCommand, WritesJsonForSeveralSizes) {
    if (has_gpu()) GTEST_SKIP() << "there is a GPU here";
    const Said run = lanework_with("profile transpose/padded_tile --size 31x33,64x64 --json");
    ASSERT_EQ(run.status, 0) << run.err;
    const auto document = Json::parse(run.out);
    EXPECT_EQ(document["schema"], 1);
    ASSERT_EQ(document["profiles"].size(), 2u);
    const auto& profile = document["profiles"][1];
    EXPECT_EQ(profile["problem"], "64x64 int32");
    EXPECT_NE(profile["no_hardware"], "");
    const auto& counters = profile["launches"][0]["counters"];
    const auto blocks = std::find_if(counters.begin(), counters.end(),
                                     [](const auto& counter) { return counter["metric"] == "launch__grid_size"; });
    ASSERT_NE(blocks, counters.end());
    EXPECT_EQ((*blocks)["predicted"], 4);
    EXPECT_TRUE((*blocks)["hardware"].is_null());
    const Said read = lanework_with("profile transpose/padded_tile --size 64x64");
    EXPECT_TRUE(contains(read.out, "counter ")) << read.out;
    EXPECT_FALSE(contains(read.out, "hardware")) << "there is none to show\n" << read.out;
}

TEST(ProfileCommand, KeepsWhatWasFinishedWhenSomebodyPressesCtrlC) {
    if (has_gpu()) GTEST_SKIP() << "there is a GPU here";
    const Folder folder;
    const std::string json = (folder / "r.json").string();
    const Said run = interrupted("profile transpose/padded_tile --size 31x33,20000x20000 --json '" + json + "'");
    EXPECT_EQ(run.status, 130) << run.err;
    EXPECT_TRUE(contains(run.err, "interrupted, 1 of 2 finished; what was finished is in " + json)) << run.err;
    const auto document = Json::parse(contents(json));
    ASSERT_EQ(document["profiles"].size(), 1u);
    EXPECT_EQ(document["profiles"][0]["problem"], "31x33 int32");
    EXPECT_EQ(document["environment"]["interrupted"], "1 of 2");
}

TEST(ProfileCommand, LaunchesOnceOnSimtToo) {
    const Said run = lanework_with("profile --launch-once --device simt --size 31x33 transpose");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.out, "");
}

TEST(ProfileCommand, SaysWhatIsWrong) {
    expect_mistake("profile", 2, "name what to profile: OP or OP/RUNG");
    expect_mistake("profile transpose --size 31", 2, "31");
    if (!has_gpu()) expect_mistake("profile transpose --record /tmp", 77, "");
}

}  // namespace
}  // namespace lanework

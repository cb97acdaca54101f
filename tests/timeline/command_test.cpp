// lanework profile --timeline, and the picture in the lesson of `pipeline`.
#include <lanework/device.hpp>

#include "tests/cli/run.hpp"
#include "tests/report/svg_well_formed.hpp"

#include "src/io/json.hpp"

namespace lanework {
namespace {

bool has_gpu() { return availability(DeviceKind::cuda).count > 0; }
bool has_simt() { return availability(DeviceKind::simt).count > 0; }

TEST(TimelineCommand, DrawsALadderOnOneScale) {
    if (!has_simt()) GTEST_SKIP() << availability(DeviceKind::simt).reason;
    const Folder folder;
    const std::string svg = (folder / "new/pipeline.svg").string();
    const Said run = lanework_with("profile pipeline --timeline --device simt --size 10000 --svg " + svg);
    ASSERT_EQ(run.status, 0) << run.err;
    for (const char* rung :
         {"one_stream", "two_streams_depth_first", "two_streams_breadth_first", "four_streams", "graph"})
        EXPECT_EQ(count_of(std::string("pipeline/") + rung, run.out), 2) << "a drawing and a line of the summary";
    EXPECT_EQ(count_of("Modelled, not measured", run.out), 1) << run.out;
    EXPECT_EQ(svg_fault(contents(svg)), "");
}

TEST(TimelineCommand, WritesJson) {
    if (!has_simt()) GTEST_SKIP() << availability(DeviceKind::simt).reason;
    const Said run = lanework_with("profile pipeline/graph --timeline --device simt --size 3000 --json");
    ASSERT_EQ(run.status, 0) << run.err;
    const auto document = Json::parse(run.out);
    ASSERT_EQ(document["timelines"].size(), 1U);
    EXPECT_EQ(document["timelines"][0]["spans"].size(), 12U) << "three chunks of two uploads, a kernel, a download";
    EXPECT_FALSE(document["environment"].empty());
}

TEST(TimelineCommand, NamesRungsThatCannotBeDrawnAndGoesOn) {
    if (!has_simt()) GTEST_SKIP() << availability(DeviceKind::simt).reason;
    const Said run = lanework_with("profile pipeline --timeline --device simt --size 3000 --variant pageable");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(contains(run.err, "pipeline/graph: copies of pageable memory need the host's thread")) << run.err;
    EXPECT_EQ(count_of("pipeline/graph", run.out), 0);
}

TEST(TimelineCommand, SaysWhatIsWrong) {
    expect_mistake("profile --timeline", 2, "name what to draw");
    expect_mistake("profile pipeline --svg a.svg", 2, "--svg belongs to --timeline");
    expect_mistake("profile pipeline --timeline --device simt --speeds fast", 2, "--speeds `fast`");
    for (const char* name : {"link", "upload", "memory"})
        expect_mistake(std::string("profile pipeline --timeline --device simt --speeds ") + name + "=0", 2,
                       std::string("--speeds `") + name + "=0`: a bandwidth is above 0 GB/s");
    expect_mistake("profile pipeline --timeline --device simt --zoom 20", 2, "--zoom `20`");
    expect_mistake("profile pipeline --timeline --device simt --gpu riva128", 2, "riva128");
    expect_mistake("profile pipeline --timeline --device simt --gpu b200", 2, "--speeds link=GB/s");
    expect_mistake("profile pipeline/serial --timeline --device cpu", 77, "cpu has no streams");
    if (!has_gpu()) expect_mistake("profile pipeline --timeline --device cuda", 77, "");
}

/// The lines of a README between a line of three back-quotes after `mark` and the next.
std::string block_after(const std::string& readme, const std::string& mark) {
    const auto begin = readme.find("```\n", readme.find(mark)) + 4;
    return readme.substr(begin, readme.find("```", begin) - begin);
}

TEST(TimelineCommand, DrawsWhatTheLessonShows) {
    if (!has_simt()) GTEST_SKIP() << availability(DeviceKind::simt).reason;
    const std::pair<std::string, std::string> lessons[] = {
        {"pipeline",
         "pipeline/one_stream pipeline/two_streams_depth_first pipeline/four_streams --timeline --device simt "
         "--zoom 0-40"},
        {"overlap",
         "overlap/one_stream overlap/default_stream overlap/four_streams --timeline --device simt --size 8x4096"}};
    for (const auto& [operation, words] : lessons) {
        const std::string readme =
            contents(std::filesystem::path(LANEWORK_SOURCE_DIR) / "ops" / operation / "README.md");
        const std::string command = "profile " + words;
        ASSERT_TRUE(contains(readme, "lanework " + command));
        const Said run = lanework_with(command);
        ASSERT_EQ(run.status, 0) << run.err;
        const std::string drawn = run.out.substr(0, run.out.find("\n█"));
        EXPECT_EQ(block_after(readme, "lanework " + command), drawn);
    }
}

}  // namespace
}  // namespace lanework

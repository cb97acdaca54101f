// What the commands print when all is well.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/cli/run.hpp"

#include "src/io/json.hpp"

namespace lanework {
namespace {

constexpr const char* kSmall = " --device cpu --size 100x50 --max-time 0.01 ";

TEST(Verify, CountsInOneLineAndSaysOfWhatInAnother) {
    const Said run = lanework_with("verify transpose/serial --device cpu");
    EXPECT_EQ(run.status, 0) << run.out << run.err;
    EXPECT_NE(run.out.find(" ok; "), std::string::npos) << run.out;
    EXPECT_TRUE(contains(
        run.out, " runs with hard inputs\n  transpose/serial: int32, uint8, uint16, uint64; 16 sizes from 0x0 to "))
        << run.out;
    EXPECT_EQ(std::count(run.out.begin(), run.out.end(), '\n'), 2) << run.out;
    EXPECT_EQ(run.err, "") << "progress is for terminals";
}

TEST(Verify, ListsEveryCheckWhenAsked) {
    EXPECT_NE(
        lanework_with("verify reduce/simd --device cpu --size 99 --dtype float32 --variant sum --input constant -v")
            .out.find("99 sum, constant input"),
        std::string::npos);
    const Said run = lanework_with("verify transpose/serial --device cpu --dtype int32 --size 3x5 -v");
    EXPECT_EQ(run.status, 0);
    EXPECT_TRUE(contains(run.out, "transpose/serial  cpu     int32  3x5      ok")) << run.out;
    EXPECT_TRUE(contains(run.out, "1 check: 1 ok")) << run.out;
    EXPECT_TRUE(contains(run.out, "\n  transpose/serial: int32; 3x5; on cpu\n")) << run.out;
}

TEST(Verify, SaysWhichGpuSimtStandsFor) {
    const Said run = lanework_with("verify transpose/padded_tile --gpu t4 --dtype int32 --size 33x5");
    if (run.status == 77) GTEST_SKIP() << run.err;  // a build without simt
    EXPECT_TRUE(contains(run.out, "\n  transpose/padded_tile: int32; 33x5; on simt:t4 (for an NVIDIA T4)\n"))
        << run.out;
}

TEST(Bench, WritesJsonAloneToStdout) {
    const Said run = lanework_with("bench transpose" + std::string(kSmall) + "--json");
    EXPECT_EQ(run.status, 0) << run.err;
    const Json document = Json::parse(run.out);
    EXPECT_EQ(document["schema"], 1);
    EXPECT_EQ(document["results"][0]["operation"], "transpose");
    EXPECT_EQ(document["results"][0]["problem"]["rows"], 100);
    EXPECT_EQ(document["results"][0]["verdict"], "ok") << document["results"][0]["reason"];
    EXPECT_GE(document["results"][0]["samples_s"].size(), 3u);
    EXPECT_TRUE(document["environment"].contains("cpu"));
}

TEST(Bench, WritesFilesInFoldersThatItMakesBesideTheTable) {
    const Folder folder;
    const std::string json = (folder / "new/folder/r.json").string(), csv = (folder / "r.csv").string(),
                      markdown = (folder / "r.md").string();
    const Said run = lanework_with("bench transpose/serial" + std::string(kSmall) + "--json " + json + " --csv " + csv +
                                   " --md " + markdown);
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(contains(run.out, "transpose/serial")) << run.out;
    EXPECT_TRUE(contains(run.out, "\ncpu is ")) << run.out;
    EXPECT_EQ(Json::parse(contents(json))["results"].size(), 1u);
    EXPECT_TRUE(contents(csv).starts_with("operation,rung,"));
    EXPECT_TRUE(contents(markdown).starts_with("| rung |"));
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.string()))
        files += entry.is_regular_file();
    EXPECT_EQ(files, 3u) << "no temporary is left";
}

TEST(Climb, PrintsAPlainTableIntoAPipe) {
    const Said run = lanework_with("climb transpose" + std::string(kSmall));
    EXPECT_EQ(run.status, 0) << run.out << run.err;
    EXPECT_EQ(run.err, "");
    EXPECT_EQ(run.out.find('\033'), std::string::npos);
    EXPECT_EQ(run.out.find("█"), std::string::npos);
    for (const char* part : {"transpose", "100x50 int32 on cpu", "limit ", ", measured", "serial", "simd", "best: "})
        EXPECT_TRUE(contains(run.out, part)) << part << "\n" << run.out;
}

TEST(Climb, DrawsBarsAndColoursWhenTold) {
    const Said run = shell("COLUMNS=90 lanework climb transpose --color always" + std::string(kSmall));
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(contains(run.out, "\033[1m")) << run.out;
    EXPECT_TRUE(contains(run.out, "│")) << run.out;
}

TEST(Climb, KeepsToAsciiWhereTheLocaleAsksForIt) {
    const Said run = shell("LC_ALL=C COLUMNS=90 lanework climb transpose --color always" + std::string(kSmall));
    EXPECT_TRUE(std::all_of(run.out.begin(), run.out.end(), [](char byte) { return byte > 0; })) << run.out;
}

TEST(Compare, FindsAFileTheSameAsItselfAndASlowerOneWorse) {
    const Folder folder;
    const std::string before = (folder / "before.json").string(), after = (folder / "after.json").string();
    ASSERT_EQ(lanework_with("bench transpose/serial" + std::string(kSmall) + "--json " + before).status, 0);
    EXPECT_EQ(lanework_with("compare " + before + " " + before).status, 0);

    Json slower = Json::parse(contents(before));
    for (auto& sample : slower["results"][0]["samples_s"]) sample = sample.get<double>() * 10;
    std::ofstream(after) << slower;
    const Said run = lanework_with("compare " + before + " " + after);
    EXPECT_EQ(run.status, 1) << run.out << run.err;
    EXPECT_TRUE(contains(run.out, "slower")) << run.out;
    EXPECT_EQ(lanework_with("compare " + after + " " + before).status, 0) << "faster is no regression";
}

TEST(List, NamesWhatCanBeSelected) {
    const Said run = lanework_with("list --names");
    EXPECT_EQ(run.status, 0);
    EXPECT_TRUE(contains(run.out, "transpose\n"));
    EXPECT_TRUE(contains(run.out, "transpose/serial\n"));
}

TEST(List, ShowsALadderWithItsLessons) {
    const Said run = lanework_with("list transpose --device cpu");
    EXPECT_EQ(run.status, 0) << run.err;
    for (const char* part : {"rows x cols", "int32", "climbs from", "serial", "simd"})
        EXPECT_TRUE(contains(run.out, part)) << part << "\n" << run.out;
    const Json document = Json::parse(lanework_with("list --json").out);
    EXPECT_EQ(document["devices"].size(), 3u);
}

TEST(List, TakesAnOperationThatIsNamedLikeACommand) {
    EXPECT_EQ(lanework_with("list index").status, 0);
    EXPECT_EQ(lanework_with("verify index --device cpu --size 10").status, 0);
}

TEST(Info, DescribesARungAndItsWork) {
    const Said run = lanework_with("info transpose/serial --device cpu --size 1000x500");
    EXPECT_EQ(run.status, 0) << run.err;
    for (const char* part : {"ops/transpose/cpu/serial.cpp", "1000x500 int32: reads 2.00 MB, writes 2.00 MB"})
        EXPECT_TRUE(contains(run.out, part)) << part << "\n" << run.out;
    expect_mistake("info transpose/seriall", 2, "did you mean `transpose/serial`?");
}

TEST(Info, HasTheLimitOfTheGpuThatSimtStandsForAsClimbHas) {
    const Said climb = lanework_with("climb transpose/padded_tile --device simt --size 1024x1024");
    if (climb.status == 77) GTEST_SKIP() << "no simt device in this build";
    EXPECT_TRUE(contains(climb.out, "limit 1.75 µs")) << climb.out;
    const Json info = Json::parse(lanework_with("info transpose --device simt --json").out)["info"];
    EXPECT_EQ(info[1]["facts"]["simt limit"], "1.75 µs on an NVIDIA H200 SXM, bound by memory, from published figures");
    const Json device = Json::parse(lanework_with("devices --device simt --json").out)["devices"][0];
    EXPECT_EQ(device["facts"]["published memory"], "4.80 TB/s");
    EXPECT_FALSE(device["facts"].contains("measured copy")) << "that is the processor's";
}

TEST(Index, PrintsThreadByThreadWhatALaunchSees) {
    const Said run = lanework_with("index --grid 2,2 --block 2,2 --device cpu --csv");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(
        run.out.starts_with("blockIdx,threadIdx,gridDim,blockDim,in block,block,in grid,\"(x,y,z)\"\n"
                            "\"(0,0,0)\",\"(0,0,0)\",\"(2,2,1)\",\"(2,2,1)\",0,0,0,\"(0,0,0)\"\n"
                            "\"(0,0,0)\",\"(1,0,0)\",\"(2,2,1)\",\"(2,2,1)\",1,0,1,\"(1,0,0)\"\n"))
        << run.out;
    EXPECT_TRUE(run.out.ends_with("\"(1,1,0)\",\"(1,1,0)\",\"(2,2,1)\",\"(2,2,1)\",3,3,15,\"(3,3,0)\"\n")) << run.out;
    const Json document = Json::parse(lanework_with("index --grid 3 --block 4 --device cpu --json").out);
    EXPECT_EQ(document["threads"].size(), 12u);
    EXPECT_EQ(document["threads"][7]["coordinate"], Json({7, 0, 0}));
}

TEST(Devices, DescribesWhatIsHere) {
    const Said run = lanework_with("devices --device cpu");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(contains(run.out, "threads")) << run.out;
}

TEST(Doctor, SaysThatSomethingCanRun) {
    const Said run = lanework_with("doctor");
    EXPECT_EQ(run.status, 0) << run.err;
    for (const char* part : {"build", "CUDA toolkit", "cuda", "simt", "cpu", "measured ceilings"})
        EXPECT_TRUE(contains(run.out, part)) << part << "\n" << run.out;
}

TEST(Output, EndsWithAClearLineWhenTheDiskIsFull) {
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
    const Said run = shell("lanework list >/dev/full");
    EXPECT_EQ(run.status, 6);
    EXPECT_TRUE(contains(run.err, "cannot be written")) << run.err;
}

TEST(Interrupt, LeavesNothingHalfWritten) {
    const Folder folder;
    const Said run = shell("timeout --signal INT 0.5 '" LANEWORK_BINARY
                           "' bench matmul --device cpu --size 3000x3000x3000 "
                           "--json '" +
                           (folder / "r.json").string() + "'");
    EXPECT_NE(run.status, 0);
    EXPECT_TRUE(folder.empty());
}

}  // namespace
}  // namespace lanework

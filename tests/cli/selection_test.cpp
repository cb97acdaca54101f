// What words, sizes and sweeps of a command line select.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/run.hpp"

namespace lanework {
namespace {

// "transpose/serial 8x8 | …": what is measured of a selection, in its order.
std::string measured(const std::string& words) {
    const Said run = lanework_with("bench " + words + " --device cpu --max-time 0.001 --min-samples 1 --json");
    EXPECT_EQ(run.status, 0) << words << "\n" << run.err;
    const auto document = nlohmann::ordered_json::parse(run.out, nullptr, false);
    if (document.is_discarded()) return "no JSON";
    std::string text;
    for (const auto& result : document["results"]) {
        text += (text.empty() ? "" : " | ") + result["operation"].get<std::string>() + "/" +
                result["rung"].get<std::string>();
        std::string size;
        for (const auto& [axis, length] : result["problem"].items())
            if (axis != "seed") size += (size.empty() ? " " : "x") + length.dump();
        text += size;
    }
    return text;
}

TEST(Sizes, AreListedByCommasAndMayBePowers) {
    EXPECT_EQ(measured("transpose/serial --size 8x4,2^4x2^3"), "transpose/serial 8x4 | transpose/serial 16x8");
    expect_mistake("bench add --size 2^", 2, "size `2^`: `2^` is not a length");
    expect_mistake("bench add --size 2^99", 2, "size `2^99`: 2^99 is beyond 64 bits");
    expect_mistake("bench add --size 8,", 2, "`` is not a length");
}

// Halves are added exactly on few calls a cell: the first of the timed problems has too many.
TEST(Sizes, ByDefaultAreTheFirstThatARungComputes) {
    EXPECT_EQ(measured("atomics/serial"), "atomics/serial 4194304x4096x\"add\"");
    EXPECT_EQ(measured("atomics/serial --dtype bfloat16"), "atomics/serial 4194304x128x\"add\"");
}

TEST(Sweeps, RunThroughAllAxesOrThroughOne) {
    EXPECT_EQ(measured("transpose/serial --sweep size=2^2..2^4"),
              "transpose/serial 4x4 | transpose/serial 8x8 | transpose/serial 16x16");
    EXPECT_EQ(measured("transpose/serial --size 3x5 --sweep rows=10..30+10"),
              "transpose/serial 10x5 | transpose/serial 20x5 | transpose/serial 30x5");
    EXPECT_EQ(measured("transpose/serial --sweep rows=1..9*3 --sweep cols=2..4"),
              "transpose/serial 1x2 | transpose/serial 1x4 | transpose/serial 3x2 | transpose/serial 3x4 | "
              "transpose/serial 9x2 | transpose/serial 9x4");
}

TEST(Sweeps, SayWhatIsWrongWithThem) {
    expect_mistake("bench transpose --sweep depth=1..2", 2,
                   "transpose has no axis `depth`; it has rows, cols, and `size`");
    expect_mistake("bench transpose --sweep size=9..2", 2, "--sweep `size=9..2`: it begins above its end");
    expect_mistake("bench transpose --sweep size=0..2", 2, "it would not end");
    expect_mistake("bench transpose --sweep size=1..2*1", 2, "it would not end");
    expect_mistake("bench transpose --sweep size=1..9999+1", 2, "it has more than 1000 sizes");
    expect_mistake("bench transpose --sweep 1..2", 2, "it is not AXIS=FROM..TO; right is size=2^10..2^28");
    expect_mistake("bench transpose --sweep size=a..2", 2, "`a` is not a length");
    expect_mistake("bench transpose --sweep size=2^10..2^60", 2, "overflows");
    // Few lengths, of which each is a tile of 64 KiB.
    expect_mistake("verify mma --size 15855547423x27", 2, "mma would need more than 2^47 bytes");
}

TEST(Patterns, SelectOperationsAndRungs) {
    EXPECT_EQ(measured("\"transpo*/s*\" --size 8x8"), "transpose/serial 8x8 | transpose/simd 8x8");
    EXPECT_EQ(measured("transpose/simd transpose/serial --size 8x8"), "transpose/serial 8x8 | transpose/simd 8x8")
        << "the rungs of one operation are one ladder";
    EXPECT_EQ(measured("\"*[du]/serial\" --size 64"), "add/serial 64 | gelu/serial 64x\"erf\" | read/serial 64");
    expect_mistake("bench \"zz*\"", 2, "nothing matches `zz*`; `lanework list --names` shows what there is");
    expect_mistake("bench \"transpose/zz*\"", 2, "nothing matches `transpose/zz*`");
}

TEST(Statistics, ShowHowSamplesAreSpread) {
    const std::string words = "bench transpose/serial --device cpu --size 64x64 --max-time 0.01 --warmup 0 ";
    const Said run = lanework_with(words + "--stats");
    EXPECT_EQ(run.status, 0) << run.err;
    for (const char* title : {"samples of", "least", "5%", "median", "95%", "most", "least to most"})
        EXPECT_TRUE(contains(run.out, title)) << run.out;
    EXPECT_TRUE(contains(lanework_with(words + "--csv").out,
                         ",cold_min_s,cold_p5_s,cold_p25_s,cold_p75_s,cold_p95_s,cold_max_s\n"));
    expect_mistake("bench add --warmup -1", 2, "--warmup: `-1` is not a finite number from 0 on");
}

TEST(List, ShowsWhatComputesAType) {
    const std::string all = lanework_with("list").out, some = lanework_with("list --dtype float64").out;
    EXPECT_TRUE(contains(some, "reduce")) << some;
    EXPECT_FALSE(contains(some, "transpose ")) << "it computes 32 bits";
    EXPECT_LT(some.size(), all.size());
    expect_mistake("list --dtype complex", 2, "there is no type `complex`; there are: ");
    expect_mistake("list sobel --dtype float64", 2, "sobel is not defined for float64");
}

TEST(ManPages, AreWrittenForEveryCommand) {
    const Folder folder;
    const Said run = shell("lanework help --man-pages '" + (folder / "man1").string() + "' && cd '" +
                           (folder / "man1").string() + "' && ls && cat lanework-climb.1");
    EXPECT_EQ(run.status, 0) << run.err;
    for (const char* part : {"lanework.1\n", "lanework-compare-images.1\n", ".TH LANEWORK-CLIMB 1", ".SH OPTIONS\n",
                             "\\fB\\-\\-sweep\\fR \\fIAXIS=FROM..TO\\fR", "lanework climb transpose"})
        EXPECT_TRUE(contains(run.out, part)) << part << "\n" << run.out;
}

// A command that is ended in its middle leaves what it had finished in every form.
TEST(Interrupted, LeavesCsvAndMarkdownAsItLeavesJson) {
    const Folder folder;
    const std::string file = (folder / "r").string();
    const Said run = interrupted(
        "bench transpose/serial transpose/blocked --device cpu --max-time 3 --sweep size=2^8..2^13 --json '" + file +
        ".json' --csv '" + file + ".csv' --md '" + file + ".md'");
    EXPECT_EQ(run.status, 130) << run.err;
    EXPECT_TRUE(contains(run.err, "interrupted, ")) << run.err;
    EXPECT_TRUE(contains(contents(file + ".csv"), "transpose,serial,cpu")) << run.err;
    EXPECT_TRUE(contains(contents(file + ".md"), "| transpose/serial |"));
    EXPECT_TRUE(contains(contents(file + ".md"), "interrupted "));
    EXPECT_TRUE(contains(contents(file + ".json"), "\"interrupted\""));
}

}  // namespace
}  // namespace lanework

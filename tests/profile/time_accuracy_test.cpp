// The model of time against the times that an H200 took: what the page says is what the model gives, and both halves
// of the ladders are predicted as near as the page claims.
#include "src/profile/time_accuracy.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>

#include "src/trace/analyse/estimate.hpp"

namespace lanework {
namespace {

const std::string kSource = LANEWORK_SOURCE_DIR;
const std::string kTimes = kSource + "/tests/golden/times/h200.json";

std::string read_text(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(TimeAccuracy, EveryLadderIsInOneHalf) {
    std::set<std::string> seen, unseen;
    for (const TimedRun& run : read_timed_runs(kTimes, false)) {
        EXPECT_GT(run.measured_s, 0) << run.key;
        (run.seen ? seen : unseen).insert(run.operation);
    }
    for (const std::string& name : seen) EXPECT_FALSE(unseen.contains(name)) << name;
    EXPECT_LE(seen.size(), unseen.size() + 1);
    EXPECT_LE(unseen.size(), seen.size() + 1);
    EXPECT_GE(seen.size(), 9u);
}

TEST(TimeAccuracy, ThePageSaysWhatTheModelGives) {
    EXPECT_EQ(read_text(kSource + "/docs/explain-times.md"), time_accuracy_page(kTimes))
        << "make it again: time_model page tests/golden/times/h200.json docs";
    EXPECT_EQ(read_text(kSource + "/docs/explain-times.svg"), time_accuracy_svg(read_timed_runs(kTimes, false)));
}

TEST(TimeAccuracy, TheBandHoldsFourOfFive) {
    std::vector<TimedRun> runs = read_timed_runs(kTimes, false);
    EXPECT_GE(time_accuracy(runs, false).in_band, 0.85);
    EXPECT_LE(time_accuracy(runs, false).median_error, 0.2);
    for (TimedRun& run : runs) run.seen = false;
    const TimeAccuracy all = time_accuracy(runs, false);
    EXPECT_GE(all.in_band, 0.9);
    EXPECT_LE(all.median_error, 0.15);
    EXPECT_GE(all.ranked, 0.9);
}

TEST(TimeAccuracy, NineOfTenAreWithinAThirdWhereTheMachineCodeWasFollowed) {
    std::vector<TimedRun> runs = read_timed_runs(kTimes, true);
    EXPECT_GE(runs.size() * 10, 9 * read_timed_runs(kTimes, false).size());
    for (const bool seen : {false, true}) {
        EXPECT_GE(time_accuracy(runs, seen).within_35, 0.9) << seen;
        EXPECT_LE(time_accuracy(runs, seen).median_error, 0.15) << seen;
        EXPECT_GE(time_accuracy(runs, seen).in_band, 0.95) << seen;
    }
}

TEST(TimeAccuracy, RunsAreOfTheProblemsThatTheResultsMean) {
    // Results leave out the last axes of a problem where they have their usual lengths: nms keeps boxes of 80 classes,
    // without a limit to their number, and an image has three channels.
    double comparisons = 0, taps = 0;
    for (const TimedRun& run : read_timed_runs(kTimes, false)) {
        if (run.key == "nms/naive float32 8000 per_class")
            for (const Demand& launch : run.demands) comparisons += launch.load_requests;
        if (run.key == "blur/naive uint8 720x1280")
            for (const Demand& launch : run.demands) taps += launch.load_requests;
    }
    EXPECT_GT(comparisons, 5e6) << "as if one box were kept";
    EXPECT_GT(taps, 9.0 * 3 * 720 * 1280 / 32 * 0.99);
}

TEST(TimeAccuracy, CountsErrorsSharesAndPairs) {
    const std::vector<TimedRun> all = read_timed_runs(kTimes, false);
    std::vector<TimedRun> two(all.begin(), all.begin() + 1);
    two.push_back(two.front());
    two[0].key = "a/x int32 1";
    two[1].key = "a/y int32 1";
    two[0].operation = two[1].operation = "a";
    two[0].seen = two[1].seen = false;
    const double predicted = predicted_seconds(two[0]);
    two[0].measured_s = predicted;
    const double band = band_of(false, false);
    two[1].measured_s = predicted * band * 1.01;
    const TimeAccuracy found = time_accuracy(two, false);
    EXPECT_EQ(found.times, 2u);
    EXPECT_EQ(found.pairs, 1u);
    EXPECT_EQ(found.in_band, 0.5);
    EXPECT_EQ(found.within_35, 0.5);
    EXPECT_NEAR(found.band_of_90, band * 1.01, 1e-9);
    two[1].measured_s = predicted * band / 1.01;
    EXPECT_EQ(time_accuracy(two, false).in_band, 1);
    for (TimedRun& run : two) run.of_machine_code = true;
    EXPECT_EQ(time_accuracy(two, false).in_band, 0.5) << "a narrower one";
    EXPECT_EQ(time_accuracy(two, true).times, 0u);
}

}  // namespace
}  // namespace lanework

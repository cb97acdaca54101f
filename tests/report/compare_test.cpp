// Comparing results files.
#include "src/report/results/compare.hpp"

#include <gtest/gtest.h>

#include <lanework/error.hpp>

#include <functional>

#include "tests/report/sample.hpp"

namespace lanework {
namespace {

// The change of one rung from `before` to `after` at a threshold of 5%.
Change change(Measurement before, Measurement after) {
    const Results old{{}, {std::move(before)}}, now{{}, {std::move(after)}};
    const auto comparisons = compare(old, now, 0.05);
    EXPECT_EQ(comparisons.size(), 1u);
    return comparisons.front().change;
}

TEST(Compare, CallsADifferenceBeyondThresholdAndNoiseSlowerOrFaster) {
    EXPECT_EQ(change(sample("a", {1.0}), sample("a", {1.2})), Change::slower);
    EXPECT_EQ(change(sample("a", {1.2}), sample("a", {1.0})), Change::faster);
}

TEST(Compare, CallsADifferenceBelowTheThresholdTheSame) {
    EXPECT_EQ(change(sample("a", {1.0}), sample("a", {1.04})), Change::same);
    EXPECT_EQ(change(sample("a", {1.0}), sample("a", {0.97})), Change::same);
}

TEST(Compare, CallsADifferenceWithinTheNoiseTheSame) {
    EXPECT_EQ(change(sample("a", {0.5, 1.0, 1.5}), sample("a", {0.7, 1.2, 1.7})), Change::same);
    EXPECT_EQ(change(sample("a", {0.99, 1.0, 1.01}), sample("a", {1.19, 1.2, 1.21})), Change::slower);
}

TEST(Compare, CallsALostRightAnswerBroken) {
    EXPECT_EQ(change(sample("a", {1.0}), failing("a", Verdict::wrong, "w")), Change::broken);
    EXPECT_EQ(change(failing("a", Verdict::failed, "f"), sample("a", {1.0})), Change::mended);
    EXPECT_EQ(change(failing("a", Verdict::refused, "r"), failing("a", Verdict::refused, "r")), Change::same);
}

TEST(Compare, MatchesByEverythingButTheSeed) {
    Measurement other_seed = sample("a", {1.0});
    other_seed.seed = 99;
    EXPECT_EQ(change(sample("a", {1.0}), other_seed), Change::same);

    for (const auto& alter : std::vector<std::function<void(Measurement&)>>{
             [](auto& m) { m.rung = "b"; }, [](auto& m) { m.device = "simt"; }, [](auto& m) { m.operation = "add"; },
             [](auto& m) { m.problem.dtype = DType::float32; }, [](auto& m) { m.problem.extent[0] = 1; },
             [](auto& m) { m.variant = "mean"; }}) {
        Measurement other = sample("a", {1.0});
        alter(other);
        const Results old{{}, {sample("a", {1.0})}}, now{{}, {other}};
        const auto comparisons = compare(old, now, 0.05);
        ASSERT_EQ(comparisons.size(), 2u);
        EXPECT_EQ(comparisons[0].change, Change::added);
        EXPECT_EQ(comparisons[1].change, Change::removed);
        EXPECT_FALSE(any_matched(comparisons));
        EXPECT_FALSE(regressed(comparisons));
    }
}

TEST(Compare, MatchesLengthsByTheNamesOfTheirAxes) {
    Measurement turned = sample("a", {1.0});
    turned.axes = {"cols", "rows"};
    turned.problem = {extents(500, 1000), DType::int32, 0};
    EXPECT_EQ(change(sample("a", {1.0}), turned), Change::same);
}

TEST(Compare, TakesTheLastOfSeveralResultsOfTheSame) {
    const Results old{{}, {sample("a", {1.0})}}, now{{}, {sample("a", {9.0}), sample("a", {1.0})}};
    const auto comparisons = compare(old, now, 0.05);
    ASSERT_EQ(comparisons.size(), 1u);
    EXPECT_EQ(comparisons[0].change, Change::same);
}

TEST(Compare, ShowsRatioAndMeaning) {
    const Results old{{}, {sample("a", {1e-3}), sample("b", {1e-3})}},
        now{{}, {sample("a", {2e-3}), failing("b", Verdict::wrong, "out[0] is 1, not 2")}};
    const auto comparisons = compare(old, now, 0.05);
    EXPECT_TRUE(regressed(comparisons));
    EXPECT_EQ(comparison_table(comparisons).rows[0],
              (std::vector<std::string>{"transpose/a", "cpu", "int32", "1000x500", "1.00 ms ± 0 s", "2.00 ms ± 0 s",
                                        "×2.000", "slower", "beyond the noise"}));
    EXPECT_EQ(comparison_table(comparisons).rows[1],
              (std::vector<std::string>{"transpose/b", "cpu", "int32", "1000x500", "1.00 ms ± 0 s", "wrong", "-",
                                        "broken", "out[0] is 1, not 2"}));
    EXPECT_EQ(count_changes(comparisons), "2 results compared: 1 slower, 1 broken");
}

TEST(Compare, ShowsTheRatioToTheLibraryOfTheSameFile) {
    Measurement library = sample("peer", {1e-3});
    library.library = true;
    const Results old{{}, {sample("a", {4e-3})}}, now{{}, {sample("a", {2e-3}), library}};
    const auto comparisons = compare(old, now, 0.05);
    const Table table = comparison_table(comparisons);
    EXPECT_EQ(table.columns[8].title, "vs library");
    EXPECT_EQ(table.rows[0][8], "×0.50");
    EXPECT_EQ(table.rows[1][8], "-") << "a library is no library's rival";
}

TEST(ParseThreshold, ReadsPercentagesAndShares) {
    EXPECT_DOUBLE_EQ(parse_threshold("5%"), 0.05);
    EXPECT_DOUBLE_EQ(parse_threshold("0.05"), 0.05);
    EXPECT_DOUBLE_EQ(parse_threshold("150%"), 1.5);
    EXPECT_DOUBLE_EQ(parse_threshold("0"), 0);
    for (const char* bad : {"", "%", "five", "5", "-1%", "nan", "inf%", "5%%", "5 %"})
        EXPECT_THROW(parse_threshold(bad), UsageError) << bad;
}

}  // namespace
}  // namespace lanework

// Tables and counts of measurements.
#include "src/report/results/results.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/report/sample.hpp"

namespace lanework {
namespace {

TEST(FormatAmount, UsesDecimalPrefixesAndThreeDigits) {
    EXPECT_EQ(format_amount(0, "B"), "0 B");
    EXPECT_EQ(format_amount(999, "B"), "999 B");
    EXPECT_EQ(format_amount(1000, "B"), "1.00 kB");
    EXPECT_EQ(format_amount(8e8, "B"), "800 MB");
    EXPECT_EQ(format_amount(2.147e9, "FLOP"), "2.15 GFLOP");
    EXPECT_EQ(format_amount(999'999, "B"), "1.00 MB");
}

TEST(FormatEstimate, HasTwoDigitsAndTheBandInTheUnitOfTheTime) {
    const auto of = [](double low, double time, double high) {
        EstimatedTime estimate;
        estimate.time_s = time;
        estimate.low_s = low;
        estimate.high_s = high;
        estimate.limit_s = 1e-6;
        return estimate;
    };
    EXPECT_EQ(format_estimate(of(2e-6, 4e-6, 8e-6)), "about 4.0 µs (2.0 to 8.0 µs)");
    EXPECT_EQ(format_estimate_short(of(2e-6, 4e-6, 8e-6)), "4.0 µs (2.0–8.0)");
    EXPECT_EQ(format_estimate_short(of(476e-9, 951e-9, 1902e-9)), "950 ns (480–1900)");
    EXPECT_EQ(format_estimate_short(of(498e-9, 996e-9, 1992e-9)), "1.0 µs (0.50–2.0)");
    EXPECT_EQ(format_estimate_short(of(0.604e-3, 1.208e-3, 2.416e-3)), "1.2 ms (0.60–2.4)");
    EXPECT_EQ(format_estimate_short(of(4.98e-5, 9.96e-5, 1.992e-4)), "100 µs (50–200)");
    EXPECT_EQ(format_share_of_limit(of(2e-6, 4e-6, 8e-6)), "25%");
    EXPECT_EQ(format_share_of_limit(of(5e-7, 8e-7, 2e-6)), "100%");
}

TEST(FormatRate, IsBandwidthOrArithmeticByWhatBounds) {
    Measurement m = sample("naive", {2e-3});
    EXPECT_EQ(format_rate(m), "2.00 GB/s");
    m.work.flops = 8'000'000;
    m.limit->bound = Bound::compute;
    EXPECT_EQ(format_rate(m), "4.00 GFLOP/s");
    m.limit.reset();
    EXPECT_EQ(format_rate(m), "2.00 GB/s");
    m.work.flops = 800'000'000;
    EXPECT_EQ(format_rate(m), "400 GFLOP/s");
    m.cold_s.clear();
    EXPECT_EQ(format_rate(m), "");
}

TEST(BenchTable, ComparesWithTheLimitAndTheFastestLibrary) {
    std::vector<Measurement> all{sample("naive", {4e-3, 4e-3, 4e-3}), sample("tiled", {2e-3, 2e-3, 2e-3}),
                                 library("slow_peer", {8e-3}), library("peer", {3e-3})};
    all[1].hot_s = {1e-3};
    const Table table = bench_table(all);
    EXPECT_EQ(table.rows[0], (std::vector<std::string>{"transpose/naive", "cpu", "int32", "1000x500", "4.00 ms ± 0 s",
                                                       "3", "-", "1.00 GB/s", "25.0%", "×0.75"}));
    EXPECT_EQ(table.rows[1], (std::vector<std::string>{"transpose/tiled", "cpu", "int32", "1000x500", "2.00 ms ± 0 s",
                                                       "3", "1.00 ms", "2.00 GB/s", "50.0%", "×1.50"}));
    EXPECT_EQ(table.rows[3][0], "transpose/peer (library)");
    EXPECT_EQ(table.rows[3][9], "-");
}

TEST(BenchTable, DoesNotCompareWithTheLibraryOfAnotherProblem) {
    std::vector<Measurement> all{sample("naive", {4e-3}), library("peer", {3e-3})};
    all[1].problem.extent[0] = 1;
    EXPECT_EQ(bench_table(all).rows[0][9], "-");
}

TEST(BenchTable, SaysWhyARungHasNoTimes) {
    const Table table =
        bench_table(std::vector{sample("naive", {4e-3}), failing("racy", Verdict::wrong, "out[3] is 1, not 2")});
    EXPECT_EQ(table.columns.back().title, "note");
    EXPECT_EQ(table.rows[0].back(), "");
    EXPECT_EQ(table.rows[1].back(), "wrong: out[3] is 1, not 2");
    EXPECT_EQ(table.rows[1][4], "-");
    for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size());
}

TEST(FiguresTable, KeepsEveryDigit) {
    Measurement m = sample("naive", {0.1 + 0.2});
    m.variant = "mean";
    const Table table = figures_table(std::span(&m, 1));
    ASSERT_EQ(table.rows[0].size(), table.columns.size());
    EXPECT_EQ(
        to_csv(table),
        "operation,rung,device,dtype,problem,variant,seed,verdict,reason,library,samples,cold_median_s,cold_iqr_s,"
        "hot_median_s,bytes,flops,bound,limit_s,fraction,cold_min_s,cold_p5_s,cold_p25_s,cold_p75_s,cold_p95_s,"
        "cold_max_s\n"
        "transpose,naive,cpu,int32,1000x500,mean,7,ok,,false,1,0.30000000000000004,0,,4000000,0,memory,0.001,"
        "0.003333333333333333,0.30000000000000004,0.30000000000000004,0.30000000000000004,"
        "0.30000000000000004,0.30000000000000004,0.30000000000000004\n");
}

TEST(FailureTable, HasWhatIsWrongAndRefusalsAreALineForAReason) {
    std::vector<Measurement> all{sample("a", {}),
                                 failing("a", Verdict::wrong, "out[3] is 1, not 2"),
                                 failing("b", Verdict::refused, "no GPU"),
                                 failing("b", Verdict::refused, "too large"),
                                 failing("b", Verdict::refused, "no GPU"),
                                 failing("a", Verdict::wrong, "out[3] is 1, not 2")};
    EXPECT_EQ(draw(failure_table(all), Style{}),
              "rung         device  type   problem   verdict  reason\n"
              "transpose/a  cpu     int32  1000x500  wrong    out[3] is 1, not 2\n"
              "transpose/a  cpu     int32  1000x500  wrong    out[3] is 1, not 2\n");
    EXPECT_EQ(describe_refusals(all),
              "  2 refused, transpose/b on cpu: no GPU\n"
              "  1 refused, transpose/b on cpu: too large\n");
    EXPECT_EQ(verdict_table(all).rows.size(), 6u);
}

TEST(CountVerdicts, NamesWhatOccurs) {
    const std::vector<Measurement> all{sample("a", {}), sample("b", {}), failing("c", Verdict::refused, "r"),
                                       failing("d", Verdict::wrong, "w")};
    EXPECT_EQ(count_verdicts(all), "4 checks: 2 ok, 1 wrong, 1 refused");
    EXPECT_EQ(count_verdicts(std::span(all).first(1)), "1 check: 1 ok");
    EXPECT_EQ(count_verdicts(std::span(all).last(1)), "1 check: 0 ok, 1 wrong");
}

TEST(DescribeChecks, SaysOperationTypesSizesAndDevicesInOneLine) {
    const auto device = [](const std::string& id) { return id + " (of a name)"; };
    std::vector<Measurement> all{sample("a", {})};
    EXPECT_EQ(describe_checks(all, device), "transpose/a: int32; 1000x500; on cpu (of a name)");
    all.push_back(sample("b", {}));
    all[1].problem.extent = extents(3, 0);
    all[1].problem.dtype = DType::float32;
    all[1].device = "simt";
    EXPECT_EQ(describe_checks(all, device),
              "transpose: int32, float32; 2 sizes from 3x0 to 1000x500; on cpu (of a name) and simt (of a name)");
    all[1].operation = "copy";
    EXPECT_EQ(describe_checks(all, device),
              "transpose, copy: int32, float32; 2 sizes; on cpu (of a name) and simt (of a name)");
    EXPECT_EQ(describe_checks({}, device), "");
}

TEST(DescribeRefusals, HasALineForAReasonHoweverManyRungsAndTypesItIsOf) {
    std::vector<Measurement> all;
    for (const char* rung : {"a", "b"})
        for (const char* type : {"int64", "float64"})
            all.push_back(failing(rung, Verdict::refused, std::string("computes int32 only, not ") + type));
    EXPECT_EQ(describe_refusals(all), "  4 refused, 2 rungs: computes int32 only\n");
    for (int i = 0; i < 10; ++i) all.push_back(failing("c", Verdict::refused, "reason " + std::to_string(i)));
    const std::string lines = describe_refusals(all);
    EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 9) << lines;
    EXPECT_TRUE(lines.ends_with("  and for 3 more reasons; --verbose lists every check\n")) << lines;
    EXPECT_EQ(describe_refusals(std::vector{sample("a", {})}), "");
}

TEST(StatusOf, IsOneForAWrongResultAndUnavailableWhenAllRefuse) {
    const Measurement good = sample("a", {}), refused = failing("b", Verdict::refused, "r"),
                      failed = failing("c", Verdict::failed, "f"), wrong = failing("d", Verdict::wrong, "w");
    EXPECT_EQ(status_of(std::vector{good, refused}), 0);
    EXPECT_EQ(status_of(std::vector{refused, refused}), 77);
    EXPECT_EQ(status_of(std::vector{good, failed}), 1);
    EXPECT_EQ(status_of(std::vector{refused, wrong}), 1);
    const Measurement starved = failing("e", Verdict::refused, "too little memory: for x");
    EXPECT_EQ(status_of(std::vector{good, starved}), 7);
    EXPECT_EQ(status_of(std::vector{wrong, starved}), 1);
}

TEST(ShareLimits, GivesEveryRungOfAProblemTheLowestLimit) {
    std::vector<Measurement> all{sample("a", {2e-3}), sample("b", {2e-3}), sample("other", {2e-3})};
    all[1].limit->seconds = 0.5e-3;
    all[2].device = "simt";
    share_limits(all);
    EXPECT_EQ(all[0].limit->seconds, 0.5e-3);
    EXPECT_EQ(all[1].limit->seconds, 0.5e-3);
    EXPECT_EQ(all[2].limit->seconds, 1e-3);
}

}  // namespace
}  // namespace lanework

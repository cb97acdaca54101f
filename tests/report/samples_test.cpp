// Percentiles and histograms of samples.
#include "src/report/results/samples.hpp"

#include <gtest/gtest.h>

#include "tests/report/sample.hpp"

namespace lanework {
namespace {

TEST(Histogram, IsAsHighAsItHasSamples) {
    EXPECT_EQ(histogram(std::vector{1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 4.0}, 4), "█▄ ▂");
    EXPECT_EQ(histogram(std::vector{1.0, 1.0}, 3), "█  ") << "all alike";
    EXPECT_EQ(histogram(std::vector<double>(1000, 1.0), 1), "█");
    EXPECT_EQ(histogram({}, 8), "");
}

TEST(Histogram, ShowsASingleSampleBesideManyOthers) {
    std::vector<double> samples(1000, 1.0);
    samples.push_back(2.0);
    EXPECT_EQ(histogram(samples, 2), "█▁");
}

TEST(Samples, HaveLeastPercentilesAndMost) {
    std::vector<double> cold;
    for (int i = 100; i >= 0; --i) cold.push_back(i * 1e-6);
    const std::vector<Measurement> all{sample("naive", cold), failing("racy", Verdict::wrong, "w")};
    const Table table = samples_table(all);
    ASSERT_EQ(table.rows.size(), 1u) << "what has no samples has no row";
    const std::vector<std::string> expected{"transpose/naive on cpu",
                                            "1000x500",
                                            "101",
                                            "0 s",
                                            "5.00 µs",
                                            "25.0 µs",
                                            "50.0 µs",
                                            "75.0 µs",
                                            "95.0 µs",
                                            "100 µs"};
    EXPECT_EQ(std::vector(table.rows[0].begin(), table.rows[0].end() - 1), expected);
}

}  // namespace
}  // namespace lanework

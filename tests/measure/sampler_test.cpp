// The stopping rule: bound by noise, by time and by number.
#include "src/measure/sampler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace lanework {
namespace {

// A clock that moves by each sample's cost, and samples from a list that repeats.
struct Script {
    std::vector<double> samples;
    double cost = 0.01;
    double clock = 100;
    std::vector<int> batches = {};

    std::vector<double> run(const StoppingRule& rule) {
        std::size_t next = 0;
        return collect(
            rule, [this] { return clock; },
            [this, &next](int count) {
                batches.push_back(count);
                clock += count * cost;
                std::vector<double> batch;
                for (int i = 0; i < count; ++i) batch.push_back(samples[next++ % samples.size()]);
                return batch;
            });
    }
};

TEST(Sampling, StopsAsSoonAsTheFigureIsSteady) {
    Script script{.samples = {1.0, 1.001}};
    const auto taken = script.run({.steady = 0.01, .min_samples = 5, .max_seconds = 10});
    EXPECT_GE(taken.size(), 5U);
    EXPECT_LE(taken.size(), 8U);
}

TEST(Sampling, GoesOnUntilTheTimeIsUpWhileTheFigureIsNoisy) {
    Script script{.samples = {1, 2, 3}};
    const auto taken = script.run({.steady = 0.01, .min_samples = 5, .max_seconds = 1});
    EXPECT_GE(script.clock - 100, 1);
    EXPECT_LT(script.clock - 100, 1.2);  // a batch is a small part of the budget
    EXPECT_NEAR(static_cast<double>(taken.size()), 100, 20);
}

TEST(Sampling, TakesThreeSamplesHoweverLongTheyLast) {
    Script script{.samples = {1}, .cost = 60};
    EXPECT_EQ(script.run({.steady = 0.01, .min_samples = 5, .max_seconds = 0.5}).size(), 3U);
    EXPECT_EQ(script.batches, (std::vector<int>{1, 1, 1}));
}

TEST(Sampling, StopsAtTheGreatestNumber) {
    Script script{.samples = {1, 2, 3}, .cost = 0};
    const auto taken = script.run({.steady = 0.01, .min_samples = 5, .max_seconds = 1, .max_samples = 50});
    EXPECT_GE(taken.size(), 50U);
    EXPECT_LT(taken.size(), 100U);
}

TEST(Sampling, KeepsSamplesInTheOrderInWhichTheyWereTaken) {
    std::vector<double> samples(200);
    std::iota(samples.begin(), samples.end(), 1.0);
    Script script{.samples = samples};
    const auto taken = script.run({.steady = 0, .min_samples = 5, .max_seconds = 0.5});
    ASSERT_GT(taken.size(), 10U);
    EXPECT_TRUE(std::equal(taken.begin(), taken.end(), samples.begin()));
}

}  // namespace
}  // namespace lanework

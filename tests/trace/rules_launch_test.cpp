// Rules about branches and launches speak from their thresholds on; findings are sorted by what they cost.
#include "src/trace/rules/rules.hpp"

#include <gtest/gtest.h>

#include "tests/trace/rule_samples.hpp"

namespace lanework {
namespace {

TEST(Rules, BranchesDivergeFromATenthOfTheTimes) {
    const auto branch = [](std::uint64_t divergent, std::uint64_t lanes) {
        PlacedSite site = placed(EventKind::path);
        site.site.space = Space::unknown;
        site.site.branch = {.entries = 100, .lanes = lanes, .branches = 100, .divergent = divergent};
        return site;
    };
    EXPECT_EQ(severity_of(Rule::divergent_branch, branch(10, 1600)), "warning");
    EXPECT_EQ(severity_of(Rule::divergent_branch, branch(9, 1600)), "");
    EXPECT_EQ(severity_of(Rule::divergent_branch, branch(50, 3100)), "advice");
    EXPECT_EQ(severity_of(Rule::divergent_branch, branch(50, 3150)), "") << "hardly a lane idles";
    EXPECT_EQ(severity_of(Rule::divergent_branch, branch(0, 1600)), "");
}

TEST(Rules, HalfOfTheWarpsIsOccupancyEnough) {
    const auto with_shared = [](std::size_t kibibytes) {
        KernelTrace launch = full_launch();
        launch.shape.dynamic_shared = kibibytes << 10;
        return std::vector<KernelTrace>{launch};
    };
    EXPECT_EQ(severity_of(Rule::low_occupancy, with_shared(50)), "") << "4 blocks: 32 of 64 warps";
    EXPECT_EQ(severity_of(Rule::low_occupancy, with_shared(60)), "advice") << "3 blocks";
    EXPECT_EQ(severity_of(Rule::low_occupancy, with_shared(100)), "advice") << "2 blocks: 16 of 64 warps";
    EXPECT_EQ(severity_of(Rule::low_occupancy, with_shared(120)), "warning") << "1 block";
    const std::vector<Finding> findings = findings_of(with_shared(120));
    const Finding* finding = find(findings, Rule::low_occupancy);
    ASSERT_TRUE(finding);
    EXPECT_TRUE(contains(finding->evidence, "8 of 64 warps fit on an SM (12%), limited by shared memory"))
        << finding->evidence;
    EXPECT_EQ(finding->place.line, 50) << "the launch's";
}

std::vector<KernelTrace> launch_of(unsigned blocks, unsigned threads = 256) {
    KernelTrace launch = full_launch();
    launch.shape.grid = {blocks, 1, 1};
    launch.shape.block = {threads, 1, 1};
    return {launch};
}

TEST(Rules, EverySmWantsABlock) {
    const auto sms = static_cast<unsigned>(h200().sms);
    EXPECT_EQ(severity_of(Rule::few_blocks, launch_of(sms)), "");
    EXPECT_EQ(severity_of(Rule::few_blocks, launch_of(sms - 1)), "advice");
    EXPECT_EQ(severity_of(Rule::few_blocks, launch_of(sms / 2)), "advice");
    EXPECT_EQ(severity_of(Rule::few_blocks, launch_of(sms / 2 - 1)), "warning");
    const std::vector<Finding> findings = findings_of(launch_of(1));
    ASSERT_TRUE(find(findings, Rule::few_blocks));
    EXPECT_EQ(find(findings, Rule::few_blocks)->evidence, "1 block keeps 1 of 132 SMs busy");
}

TEST(Rules, ATailMattersUntilFullRoundsHideIt) {
    const unsigned round = static_cast<unsigned>(h200().sms) * 8;
    EXPECT_EQ(severity_of(Rule::few_blocks, launch_of(2 * round)), "");
    EXPECT_EQ(severity_of(Rule::few_blocks, launch_of(round + 1)), "advice");
    EXPECT_EQ(severity_of(Rule::few_blocks, launch_of(2 * round - 1)), "") << "nearly full";
    EXPECT_EQ(severity_of(Rule::few_blocks, launch_of(7 * round + 1)), "advice");
    EXPECT_EQ(severity_of(Rule::few_blocks, launch_of(8 * round + 1)), "");
}

TEST(Rules, BlocksAreWholeWarpsAndNotTiny) {
    EXPECT_EQ(severity_of(Rule::block_size, launch_of(10'000, 256)), "");
    EXPECT_EQ(severity_of(Rule::block_size, launch_of(10'000, 128)), "");
    EXPECT_EQ(severity_of(Rule::block_size, launch_of(10'000, 96)), "advice") << "small";
    EXPECT_EQ(severity_of(Rule::block_size, launch_of(10'000, 255)), "advice");
    EXPECT_EQ(severity_of(Rule::block_size, launch_of(10'000, 24)), "advice") << "a quarter is lost";
    EXPECT_EQ(severity_of(Rule::block_size, launch_of(10'000, 23)), "warning");
    const auto evidence = [](unsigned blocks, unsigned threads) {
        const std::vector<Finding> findings = findings_of(launch_of(blocks, threads));
        return find(findings, Rule::block_size)->evidence;
    };
    EXPECT_EQ(evidence(10'000, 32),
              "blocks of 32 threads are small: an SM holds at most 32 blocks, which are 32 of its 64 warps");
    EXPECT_EQ(evidence(10'000, 64), "blocks of 64 threads are small: each of 10000 blocks is started by itself")
        << "an SM holds as many warps as it can";
    std::vector<KernelTrace> large = launch_of(10'000, 32);
    large.front().shape.dynamic_shared = 20 << 10;
    const std::vector<Finding> findings = findings_of(large);
    EXPECT_EQ(find(findings, Rule::block_size)->evidence,
              "blocks of 32 threads are small: each of 10000 blocks is started by itself")
        << "shared memory keeps blocks out before their number does";
    for (const unsigned threads : {32, 64})
        EXPECT_EQ(severity_of(Rule::block_size, launch_of(10, threads)), "") << "each has an SM of its own";
    EXPECT_EQ(evidence(10, 1), "blocks of 1 thread leave 31 of 32 lanes unused in their last warp");
}

TEST(Rules, WhatASmallLaunchCostsIsAdvice) {
    KernelTrace large = full_launch(), small = full_launch();
    large.sites = {global_site({.requests = 1, .sectors = 8000, .ideal_sectors = 8000})};
    small.sites = {global_site({.requests = 100, .sectors = 800, .ideal_sectors = 100}, EventKind::load, 2)};
    const std::vector<Finding> findings = findings_of(std::vector<KernelTrace>{large, small});
    const Finding* finding = find(findings, Rule::uncoalesced_access);
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::advice) << "800 of 8800 sectors";
    EXPECT_NEAR(finding->weight, 700.0 / 8800, 1e-9);
    large.sites[0].site.global = {.requests = 1, .sectors = 7100, .ideal_sectors = 7100};
    EXPECT_EQ(severity_of(Rule::uncoalesced_access, std::vector<KernelTrace>{large, small}), "warning");
}

TEST(Rules, ALaunchThatFailedIsNotJudged) {
    KernelTrace failed = full_launch();
    failed.sites = {global_site({.requests = 100, .sectors = 3200, .ideal_sectors = 400})};
    failed.error = "an illegal memory access was encountered";
    EXPECT_TRUE(findings_of(std::vector<KernelTrace>{failed}).empty());
}

Finding finding_of(Rule rule, Severity severity, double weight, int line = 1) {
    return {.rule = rule,
            .severity = severity,
            .place = {.file = "a.cu", .line = line, .column = 1, .function = {}},
            .evidence = {},
            .remedy = {},
            .weight = weight,
            .other = {}};
}

TEST(SortedFindings, AreErrorsFirstThenWhatCostsMost) {
    std::vector<Finding> findings{finding_of(Rule::narrow_vectors, Severity::advice, 0.05),
                                  finding_of(Rule::bank_conflict, Severity::warning, 0.1),
                                  finding_of(Rule::uncoalesced_access, Severity::warning, 0.5),
                                  finding_of(Rule::uncoalesced_access, Severity::advice, 0.01, 2),
                                  finding_of(Rule::race, Severity::error, 1)};
    sort_findings(findings);
    std::vector<Rule> order;
    for (const Finding& finding : findings) order.push_back(finding.rule);
    EXPECT_EQ(order, (std::vector<Rule>{Rule::race, Rule::uncoalesced_access, Rule::uncoalesced_access,
                                        Rule::bank_conflict, Rule::narrow_vectors}))
        << "what a rule found stands together";
}

TEST(SortedFindings, SayEachRuleAndPlaceOnceByItsHeaviest) {
    std::vector<Finding> findings{finding_of(Rule::bank_conflict, Severity::advice, 0.02),
                                  finding_of(Rule::bank_conflict, Severity::warning, 0.3),
                                  finding_of(Rule::bank_conflict, Severity::warning, 0.2, 2),
                                  finding_of(Rule::race, Severity::error, 1),
                                  finding_of(Rule::race, Severity::error, 1)};
    sort_findings(findings);
    ASSERT_EQ(findings.size(), 4u) << "errors are all kept";
    EXPECT_EQ(findings[2].weight, 0.3);
    EXPECT_EQ(findings[3].place.line, 2);
}

}  // namespace
}  // namespace lanework

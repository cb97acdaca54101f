// Which hazards are one finding, and which remain two, on warps that are told and not run.
#include <gtest/gtest.h>

#include "tests/trace/synthetic_warps.hpp"

namespace lanework {
namespace {

using enum EventKind;

/// Each site of SyntheticLaunch is in a line of its own: the first one in line 1.
SourcePlace line_of(std::uint64_t pc) {
    return {.file = "a.cu", .line = static_cast<int>((pc - 0x1000) / 0x10), .column = 1, .function = "synthetic"};
}

std::vector<Finding> found(SyntheticLaunch& launch) {
    launch.finish();
    return findings_of(launch.hazards().list(), line_of);
}

TEST(HazardGroups, OneBarrierThatIsMissingIsOneFinding) {
    SyntheticLaunch launch;
    launch.begin(0);
    Site &left = launch.site(store, Space::shared), &right = launch.site(store, Space::shared);
    Site &first = launch.site(load, Space::shared), &second = launch.site(load, Space::shared);
    for (const unsigned warp : {0u, 1u}) {
        launch.access(left, 0, warp, warp * 128);
        launch.access(right, 0, warp, 256 + warp * 128);
        launch.access(first, 0, warp, 128 - warp * 128);
        launch.access(second, 0, warp, 256 + 128 - warp * 128);
    }
    launch.end(0);
    const std::vector<Finding> findings = found(launch);
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].rule, Rule::race);
    EXPECT_EQ(further_places(findings[0]), "lines 2 and 4");
    EXPECT_NE(findings[0].remedy.find("behind line 2 and before line 3"), std::string::npos) << findings[0].remedy;
}

TEST(HazardGroups, TwoBarriersThatAreMissingAreTwo) {
    SyntheticLaunch launch;
    launch.begin(0);
    fill_shared(launch, 0);
    Site &read = launch.site(load, Space::shared), &write = launch.site(store, Space::shared);
    Site& again = launch.site(load, Space::shared);
    for (const unsigned warp : {0u, 1u}) {
        launch.access(read, 0, warp, 128 - warp * 128);
        launch.access(write, 0, warp, warp * 128);
        launch.access(again, 0, warp, 128 - warp * 128);
    }
    launch.end(0);
    EXPECT_EQ(found(launch).size(), 2u);
}

TEST(HazardGroups, PartsOfTheKernelBetweenOtherBarriersAreApart) {
    SyntheticLaunch launch;
    launch.begin(0);
    fill_shared(launch, 0);
    for (int part = 0; part < 2; ++part) {
        Site &write = launch.site(store, Space::shared), &read = launch.site(load, Space::shared);
        for (const unsigned warp : {0u, 1u}) {
            launch.access(write, 0, warp, warp * 128);
            launch.access(read, 0, warp, 128 - warp * 128);
        }
        launch.barrier(0);
    }
    launch.end(0);
    EXPECT_EQ(found(launch).size(), 2u);
}

/// All blocks read (line 1) and write (line 2) one word, and other blocks' threads of their own do.
TEST(HazardGroups, AnUpdateThatIsNotAtomicIsOneAndThatOfAnotherArrayAnother) {
    SyntheticLaunch launch;
    const Array count(launch), sum(launch);
    Site &read = launch.site(load, Space::global), &write = launch.site(store, Space::global);
    Site &read_sum = launch.site(load, Space::global), &write_sum = launch.site(store, Space::global);
    for (const std::uint64_t block : {0u, 1u}) {
        launch.begin(block);
        for (const unsigned thread : {0u, 1u, 40u}) {
            launch.single(read, block, thread, count[0]);
            launch.single(write, block, thread, count[0]);
        }
        launch.single(read_sum, block, 0, sum[0]);
        launch.single(write_sum, block, 0, sum[0]);
        launch.end(block);
    }
    const std::vector<Finding> findings = found(launch);
    ASSERT_EQ(findings.size(), 2u);
    for (const Finding& finding : findings) {
        EXPECT_TRUE(finding.error());
        EXPECT_NE(finding.remedy.find("Make the update atomic"), std::string::npos) << finding.remedy;
    }
}

TEST(HazardGroups, AnUpdateWithinABlockWantsAnAtomicOperationAndNoBarrier) {
    SyntheticLaunch launch;
    launch.begin(0);
    fill_shared(launch, 0);
    Site &read = launch.site(load, Space::shared), &write = launch.site(store, Space::shared);
    for (const unsigned thread : {0u, 1u, 40u}) {
        launch.single(read, 0, thread, 64);
        launch.single(write, 0, thread, 64);
    }
    launch.end(0);
    const std::vector<Finding> findings = found(launch);
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].rule, Rule::race);
    EXPECT_NE(findings[0].remedy.find("Make the update atomic"), std::string::npos) << findings[0].remedy;
}

TEST(HazardGroups, OneIndexBeyondSeveralArraysIsOneFindingAndAnotherIndexAnother) {
    SyntheticLaunch launch;
    const Array a(launch), b(launch);
    const std::size_t behind = a.bytes() / sizeof(std::uint32_t);
    Site &of_a = launch.site(load, Space::global), &of_b = launch.site(load, Space::global);
    Site& other = launch.site(store, Space::global);
    launch.begin(0);
    launch.single(of_a, 0, 5, a[behind]);
    launch.single(of_b, 0, 5, b[behind]);
    launch.single(other, 0, 9, a[behind + 2]);
    launch.end(0);
    const std::vector<Finding> findings = found(launch);
    ASSERT_EQ(findings.size(), 2u);
    EXPECT_EQ(further_places(findings[0]), "line 2");
}

TEST(HazardGroups, WhatIsReadTooEarlyIsTheRaceThatItIs) {
    SyntheticLaunch launch;
    launch.begin(0);
    Site &write = launch.site(store, Space::shared), &read = launch.site(load, Space::shared);
    for (const unsigned warp : {0u, 1u}) {
        launch.access(write, 0, warp, warp * 128);
        launch.access(read, 0, warp, 128 - warp * 128);
    }
    launch.end(0);
    const std::vector<Finding> findings = found(launch);
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].rule, Rule::race);

    SyntheticLaunch never;  // nor does any thread write what is read here
    never.begin(0);
    Site& alone = never.site(load, Space::shared);
    never.access(alone, 0, 0, 512);
    never.end(0);
    EXPECT_EQ(found(never).at(0).rule, Rule::uninitialised_read);
}

TEST(HazardGroups, AnotherRunAddsPlacesToACauseThatIsKnown) {
    const auto finding = [](int line, int other) {
        return Finding{.rule = Rule::race,
                       .severity = Severity::error,
                       .place = line_of(0x1000 + 0x10 * static_cast<unsigned>(line)),
                       .evidence = {},
                       .remedy = {},
                       .other = line_of(0x1000 + 0x10 * static_cast<unsigned>(other))};
    };
    std::vector<Finding> known{finding(1, 2)};
    Finding further = finding(3, 4);
    further.also = {{known[0].other, known[0].place}};
    add_finding(known, further);
    ASSERT_EQ(known.size(), 1u);
    EXPECT_EQ(further_places(known[0]), "lines 3 and 4");
    add_finding(known, finding(2, 3));
    EXPECT_EQ(known.size(), 2u);
}

}  // namespace
}  // namespace lanework

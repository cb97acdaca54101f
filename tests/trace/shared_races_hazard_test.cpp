// Which accesses of shared memory race, on warps that are told and not run.
#include <gtest/gtest.h>

#include "tests/trace/synthetic_warps.hpp"

namespace lanework {
namespace {

using enum EventKind;

TEST(SharedRaces, AReadOfWhatAnotherWarpWroteRaces) {
    SyntheticLaunch launch;
    launch.begin(0);
    Site& write = launch.site(store, Space::shared);
    Site& read = launch.site(load, Space::shared);
    launch.access(write, 0, 0, 0);
    launch.access(read, 0, 1, 0);
    launch.end(0);
    const auto& hazards = launch.finish();
    ASSERT_EQ(hazards.size(), 1u);
    EXPECT_EQ(hazards[0].rule, Rule::race);
    EXPECT_EQ(hazards[0].severity, Severity::error);
    EXPECT_EQ(hazards[0].site.pc, write.pc);
    EXPECT_EQ(hazards[0].other.pc, read.pc);
    EXPECT_EQ(hazards[0].thread.thread, 0u);
    EXPECT_EQ(hazards[0].other_thread.thread, 32u);
    EXPECT_EQ(hazards[0].count, 32u);
}

TEST(SharedRaces, ABarrierBetweenThemOrders) {
    SyntheticLaunch launch;
    launch.begin(0);
    Site& write = launch.site(store, Space::shared);
    Site& read = launch.site(load, Space::shared);
    launch.access(write, 0, 0, 0);
    launch.access(write, 0, 1, 128);
    launch.barrier(0);
    launch.access(read, 0, 1, 0);
    launch.access(read, 0, 0, 128);
    launch.barrier(0);
    launch.access(write, 0, 0, 128);
    launch.end(0);
    EXPECT_TRUE(launch.finish().empty());
}

TEST(SharedRaces, AWriteOfWhatAnotherWarpReadsRaces) {
    SyntheticLaunch launch;
    launch.begin(0);
    fill_shared(launch, 0);
    Site& read = launch.site(load, Space::shared);
    Site& write = launch.site(store, Space::shared);
    launch.access(read, 0, 0, 128);
    launch.access(write, 0, 1, 128);
    launch.end(0);
    const auto& hazards = launch.finish();
    ASSERT_EQ(hazards.size(), 1u);
    EXPECT_EQ(hazards[0].rule, Rule::race);
    EXPECT_EQ(hazards[0].site.pc, write.pc);
}

TEST(SharedRaces, AReaderIsRememberedBehindTheWritersOwnRead) {
    for (const bool own_first : {true, false}) {
        SyntheticLaunch launch;
        launch.begin(0);
        fill_shared(launch, 0);
        Site& read = launch.site(load, Space::shared);
        Site& write = launch.site(store, Space::shared);
        launch.single(read, 0, own_first ? 0 : 33, 64);
        launch.single(read, 0, own_first ? 33 : 0, 64);
        launch.single(write, 0, 0, 64);
        launch.end(0);
        EXPECT_EQ(launch.finish().size(), 1u) << own_first;
    }
}

TEST(SharedRaces, AReaderOfAnotherWarpIsRememberedAmongManyOfOne) {
    SyntheticLaunch launch(96);
    launch.begin(0);
    fill_shared(launch, 0, 3);
    Site& read = launch.site(load, Space::shared);
    Site& write = launch.site(store, Space::shared);
    launch.access(read, 0, 0, 0);             // each its own
    launch.access(read, 0, 0, 0, kLanes, 0);  // all of them word 0
    launch.single(read, 0, 64, 0);
    launch.single(read, 0, 0, 0);
    launch.meet(0, 0);
    launch.single(write, 0, 0, 0);
    launch.end(0);
    const auto& hazards = launch.finish();
    ASSERT_EQ(hazards.size(), 1u);
    EXPECT_EQ(hazards[0].rule, Rule::race);
    EXPECT_EQ(hazards[0].other_thread.thread, 64u);
}

TEST(SharedRaces, ManyReadersDoNotRace) {
    SyntheticLaunch launch;
    launch.begin(0);
    fill_shared(launch, 0);
    Site& read = launch.site(load, Space::shared);
    for (int repeat = 0; repeat < 3; ++repeat)
        for (unsigned warp = 0; warp < 2; ++warp) {
            launch.access(read, 0, warp, 0);
            launch.access(read, 0, warp, 64, kLanes, 0);
        }
    launch.end(0);
    EXPECT_TRUE(launch.finish().empty());
}

TEST(SharedRaces, BytesOfOneWordAreApart) {
    SyntheticLaunch launch;
    launch.begin(0);
    Site& write = launch.site(store, Space::shared, 1);
    Site& read = launch.site(load, Space::shared, 1);
    launch.access(write, 0, 0, 0, 32, 1);
    launch.access(write, 0, 1, 32, 32, 1);
    launch.access(read, 0, 0, 0, 32, 1);
    launch.access(read, 0, 1, 32, 32, 1);
    launch.end(0);
    EXPECT_TRUE(launch.finish().empty());
}

TEST(SharedRaces, OneByteOfAnothersWordRaces) {
    SyntheticLaunch launch;
    launch.begin(0);
    Site& write = launch.site(store, Space::shared, 4);
    Site& read = launch.site(load, Space::shared, 1);
    launch.access(write, 0, 0, 0);
    launch.single(read, 0, 40, 3);
    launch.end(0);
    EXPECT_EQ(launch.finish().size(), 1u);
}

TEST(SharedRaces, AVectorRacesInEachOfItsWords) {
    SyntheticLaunch launch;
    launch.begin(0);
    Site& write = launch.site(store, Space::shared, 16);
    Site& read = launch.site(load, Space::shared, 4);
    launch.access(write, 0, 0, 0, 32, 16);
    launch.barrier(0);
    launch.access(write, 0, 0, 0, 32, 16);
    launch.single(read, 0, 63, 31 * 16 + 12);
    launch.end(0);
    const auto& hazards = launch.finish();
    ASSERT_EQ(hazards.size(), 1u);
    EXPECT_EQ(hazards[0].thread.thread, 31u);
}

TEST(SharedRaces, AnotherBlocksSharedMemoryIsAnother) {
    SyntheticLaunch launch;
    launch.begin(0);
    launch.begin(1);
    Site& write = launch.site(store, Space::shared);
    launch.access(write, 0, 0, 0);
    launch.access(write, 1, 1, 0);
    launch.end(0);
    launch.end(1);
    launch.begin(2);  // in the place of one of them
    launch.access(write, 2, 0, 0);
    launch.end(2);
    EXPECT_TRUE(launch.finish().empty());
}

TEST(SharedRaces, OneStatementThatWritesOneWordIsAWarning) {
    SyntheticLaunch launch;
    launch.begin(0);
    Site& flag = launch.site(store, Space::shared);
    launch.access(flag, 0, 0, 0, kLanes, 0);
    launch.access(flag, 0, 1, 0, kLanes, 0);
    launch.end(0);
    const auto& hazards = launch.finish();
    ASSERT_FALSE(hazards.empty());
    for (const Hazard& hazard : hazards) EXPECT_EQ(hazard.severity, Severity::warning);
}

TEST(SharedRaces, AtomicsRaceWithPlainAccessesAndNotWithEachOther) {
    for (const EventKind second : {atomic, reduction, load, store}) {
        SyntheticLaunch launch;
        launch.begin(0);
        fill_shared(launch, 0);
        Site& add = launch.site(reduction, Space::shared);
        Site& other = launch.site(second, Space::shared);
        launch.access(add, 0, 0, 0, kLanes, 0);
        launch.single(other, 0, 50, 0);
        launch.end(0);
        EXPECT_EQ(launch.finish().size(), second == load || second == store ? 1u : 0u);
    }
}

}  // namespace
}  // namespace lanework

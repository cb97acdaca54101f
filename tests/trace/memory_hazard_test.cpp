// Addresses outside of memory, memory that nobody wrote, and vectors at odd addresses, on warps that are told and not
// run.
#include <gtest/gtest.h>

#include "tests/trace/synthetic_warps.hpp"

namespace lanework {
namespace {

using enum EventKind;

class Memory {
public:
    Memory(SyntheticLaunch& launch, std::size_t bytes, bool written) : bytes_(bytes), storage_(bytes + kEdge) {
        launch.hazards().memory_allocated({base(), bytes});
        if (written) launch.hazards().memory_written({base(), bytes});
    }
    const std::byte* base() const {
        return reinterpret_cast<const std::byte*>((number(storage_.data()) + kEdge - 1) / kEdge * kEdge);
    }
    std::uint64_t at(std::size_t offset) const { return number(base()) + offset; }
    MemoryRange range() const { return {base(), bytes_}; }

private:
    static constexpr std::size_t kEdge = 256;
    std::size_t bytes_;
    std::vector<std::byte> storage_;
};

TEST(Bounds, OneElementPastTheEnd) {
    SyntheticLaunch launch;
    const Memory memory(launch, 30 * 4, true);
    Site& read = launch.site(load, Space::global);
    launch.begin(1);
    launch.access(read, 1, 0, memory.at(0), 31);
    launch.end(1);
    const auto& hazards = launch.finish();
    ASSERT_EQ(hazards.size(), 1u);
    EXPECT_EQ(hazards[0].rule, Rule::out_of_bounds);
    EXPECT_EQ(hazards[0].thread, (ThreadId{1, 30}));
    EXPECT_EQ(hazards[0].nearest.bytes, 120u);
    EXPECT_EQ(hazards[0].nearest.offset, 120);
    EXPECT_EQ(hazards[0].count, 1u);
}

TEST(Bounds, BeforeTheStartAndAcrossTheEnd) {
    SyntheticLaunch launch;
    const Memory memory(launch, 100, true);
    Site& before = launch.site(store, Space::global);
    Site& across = launch.site(store, Space::global, 8);
    launch.begin(0);
    launch.single(before, 0, 0, memory.at(0) - 4);
    launch.single(across, 0, 0, memory.at(96));
    launch.end(0);
    const auto& hazards = launch.finish();
    ASSERT_EQ(hazards.size(), 2u);
    EXPECT_EQ(hazards[0].nearest.offset, -4);
    EXPECT_EQ(hazards[1].nearest.offset, 96);
}

TEST(Bounds, TheLastElementIsInside) {
    SyntheticLaunch launch;
    const Memory memory(launch, 32 * 16, true);
    launch.begin(0);
    launch.access(launch.site(load, Space::global, 16), 0, 0, memory.at(0), 32, 16);
    launch.end(0);
    EXPECT_TRUE(launch.finish().empty());
}

TEST(Bounds, FreedMemoryIsNamed) {
    SyntheticLaunch launch;
    const Memory memory(launch, 400, true);
    launch.hazards().memory_released(memory.range());
    launch.begin(0);
    launch.single(launch.site(load, Space::global), 0, 0, memory.at(40));
    launch.end(0);
    const auto& hazards = launch.finish();
    ASSERT_EQ(hazards.size(), 1u);
    EXPECT_EQ(hazards[0].rule, Rule::use_after_free);
}

TEST(Bounds, MemoryThatWasAllocatedAnewIsNotFreed) {
    SyntheticLaunch launch;
    const Memory memory(launch, 400, true);
    launch.hazards().memory_released(memory.range());
    launch.hazards().memory_allocated(memory.range());
    launch.begin(0);
    launch.single(launch.site(store, Space::global), 0, 0, memory.at(40));
    launch.end(0);
    EXPECT_TRUE(launch.finish().empty());
}

TEST(Bounds, BehindANewAllocationInFreedMemoryIsBehindIt) {
    SyntheticLaunch launch;
    const Memory memory(launch, 400, true);
    launch.hazards().memory_released(memory.range());
    launch.hazards().memory_allocated({memory.base(), 100});
    launch.begin(0);
    launch.single(launch.site(store, Space::global), 0, 0, memory.at(100));
    launch.end(0);
    const auto& hazards = launch.finish();
    ASSERT_EQ(hazards.size(), 1u);
    EXPECT_EQ(hazards[0].rule, Rule::out_of_bounds);
}

TEST(Bounds, SharedMemoryEndsWhereTheLaunchSays) {
    SyntheticLaunch launch(64, 4, 128);
    Site& inside = launch.site(store, Space::shared);
    Site& outside = launch.site(store, Space::shared);
    launch.begin(0);
    launch.access(inside, 0, 0, 0);
    launch.barrier(0);
    launch.access(outside, 0, 0, 4);
    launch.end(0);
    const auto& hazards = launch.finish();
    ASSERT_EQ(hazards.size(), 1u);
    EXPECT_EQ(hazards[0].rule, Rule::out_of_bounds);
    EXPECT_EQ(hazards[0].site.pc, outside.pc);
    EXPECT_EQ(hazards[0].thread.thread, 31u);
    EXPECT_EQ(hazards[0].nearest.offset, 128);
}

TEST(Bounds, AnIndexOutsideOfItsArray) {
    SyntheticLaunch launch;
    launch.begin(0);
    Site& site = launch.site(store, Space::shared);
    launch.hazards().index_out_of_bounds({&site, 2, 7, 33});
    const auto& hazards = launch.finish();
    ASSERT_EQ(hazards.size(), 1u);
    EXPECT_EQ(hazards[0].rule, Rule::out_of_bounds);
    EXPECT_EQ(hazards[0].index, 33);
}

TEST(Alignment, AVectorAtAnOddWordIsMisaligned) {
    SyntheticLaunch launch;
    const Memory memory(launch, 1024, true);
    Site& odd = launch.site(load, Space::global, 16);
    launch.begin(0);
    launch.access(odd, 0, 0, memory.at(4), 32, 16);
    launch.access(launch.site(load, Space::global, 16), 0, 0, memory.at(16), 32, 16);
    launch.end(0);
    const auto& hazards = launch.finish();
    ASSERT_EQ(hazards.size(), 1u);
    EXPECT_EQ(hazards[0].rule, Rule::misaligned_access);
    EXPECT_EQ(hazards[0].site.pc, odd.pc);
}

TEST(Uninitialised, FreshMemoryIsReadBeforeItIsWritten) {
    SyntheticLaunch launch;
    const Memory memory(launch, 400, false);
    Site& read = launch.site(load, Space::global);
    launch.hazards().memory_written({memory.base(), 40});
    launch.begin(0);
    launch.access(read, 0, 0, memory.at(0), 11);
    launch.end(0);
    const auto& hazards = launch.finish();
    ASSERT_EQ(hazards.size(), 1u);
    EXPECT_EQ(hazards[0].rule, Rule::uninitialised_read);
    EXPECT_EQ(hazards[0].thread.thread, 10u);
    EXPECT_EQ(hazards[0].address, memory.at(40));
}

TEST(Uninitialised, EachByteCounts) {
    SyntheticLaunch launch;
    const Memory memory(launch, 400, false);
    launch.hazards().memory_written({memory.base(), 399});
    launch.begin(0);
    launch.single(launch.site(load, Space::global, 1), 0, 0, memory.at(398));
    EXPECT_TRUE(launch.hazards().list().hazards().empty());
    launch.single(launch.site(load, Space::global, 4), 0, 0, memory.at(396));
    launch.end(0);
    EXPECT_EQ(launch.finish().size(), 1u);
}

TEST(Uninitialised, ThePaddingOfAStructureIsNot) {
    SyntheticLaunch launch;
    const Memory memory(launch, 400, false);
    launch.hazards().memory_written({memory.base(), 12});
    Site& copy = launch.site(load, Space::global, 16);
    launch.begin(0);
    launch.single(copy, 0, 0, memory.at(0));
    EXPECT_TRUE(launch.hazards().list().hazards().empty());
    launch.access(copy, 0, 0, memory.at(0), 2, 16);
    launch.end(0);
    const auto& hazards = launch.finish();
    ASSERT_EQ(hazards.size(), 1u);
    EXPECT_EQ(hazards[0].thread.thread, 1u);
}

TEST(Uninitialised, WhatAKernelWroteIsWritten) {
    SyntheticLaunch launch;
    const Memory memory(launch, 3 * kPageBytes, false);
    launch.begin(0);
    launch.access(launch.site(store, Space::global), 0, 0, memory.at(kPageBytes - 64));
    launch.end(0);
    launch.next_launch();
    launch.begin(0);
    launch.access(launch.site(load, Space::global), 0, 1, memory.at(kPageBytes - 64));
    launch.end(0);
    EXPECT_TRUE(launch.finish().empty());
}

TEST(Uninitialised, AnAtomicReadsToo) {
    SyntheticLaunch launch;
    const Memory memory(launch, 16, false);
    launch.begin(0);
    launch.access(launch.site(reduction, Space::global), 0, 0, memory.at(0), kLanes, 0);
    launch.end(0);
    ASSERT_EQ(launch.finish().size(), 1u);
}

TEST(Uninitialised, SharedMemoryIsFreshForEachBlock) {
    SyntheticLaunch launch;
    Site& write = launch.site(store, Space::shared);
    Site& read = launch.site(load, Space::shared);
    launch.begin(0);
    launch.access(write, 0, 0, 0);
    launch.barrier(0);
    launch.access(read, 0, 1, 0);
    launch.end(0);
    EXPECT_TRUE(launch.hazards().list().hazards().empty());
    launch.begin(1);
    launch.access(read, 1, 1, 0);
    launch.end(1);
    const auto& hazards = launch.finish();
    ASSERT_EQ(hazards.size(), 1u);
    EXPECT_EQ(hazards[0].rule, Rule::uninitialised_read);
    EXPECT_EQ(hazards[0].thread.block, 1u);
}

/// A block copies what nobody wrote, from the start of its shared memory to byte 256 of it.
class CopyWithinShared {
public:
    explicit CopyWithinShared(SyntheticLaunch& launch)
        : launch_(launch),
          read(launch.site(load, Space::shared)),
          write(launch.site(store, Space::shared)),
          use(launch.site(load, Space::shared)) {
        launch.only_moves(read, {&write});
        launch.begin(0);
    }
    void copy() {
        launch_.access(read, 0, 0, 0);
        launch_.access(write, 0, 0, 256);
    }
    const std::vector<Hazard>& finish() {
        launch_.end(0);
        return launch_.finish();
    }

private:
    SyntheticLaunch& launch_;

public:
    Site &read, &write, &use;
};

TEST(Uninitialised, WhatIsOnlyMovedWithinSharedMemoryIsNotTold) {
    SyntheticLaunch launch;
    CopyWithinShared kernel(launch);
    kernel.copy();
    EXPECT_TRUE(kernel.finish().empty());
}

TEST(Uninitialised, WhereItWasMovedToItIsStillUnwritten) {
    SyntheticLaunch launch;
    CopyWithinShared kernel(launch);
    kernel.copy();
    launch.single(kernel.use, 0, 5, 256 + 5 * 4);
    const auto& hazards = kernel.finish();
    ASSERT_EQ(hazards.size(), 1u);
    EXPECT_EQ(hazards[0].rule, Rule::uninitialised_read);
    EXPECT_EQ(hazards[0].site.pc, kernel.use.pc);
    EXPECT_EQ(hazards[0].thread.thread, 5u);
}

TEST(Uninitialised, WhatOverwritesAWrittenPlaceUnwritesIt) {
    SyntheticLaunch launch;
    CopyWithinShared kernel(launch);
    launch.access(launch.site(store, Space::shared), 0, 0, 256);
    kernel.copy();
    launch.single(kernel.use, 0, 0, 256);
    EXPECT_EQ(kernel.finish().size(), 1u);
}

TEST(Uninitialised, AStoreOfAnotherValueWritesIt) {
    SyntheticLaunch launch;
    CopyWithinShared kernel(launch);
    kernel.copy();
    launch.access(launch.site(store, Space::shared), 0, 0, 0);
    kernel.copy();
    launch.access(kernel.use, 0, 0, 256);
    EXPECT_TRUE(kernel.finish().empty()) << "the second copy is of what was written";
}

TEST(Uninitialised, WhatIsLoadedAgainIsNotTheOlderValue) {
    SyntheticLaunch launch;
    CopyWithinShared kernel(launch);
    launch.access(kernel.read, 0, 0, 0);
    launch.access(launch.site(store, Space::shared), 0, 0, 0);
    kernel.copy();
    launch.access(kernel.use, 0, 0, 256);
    EXPECT_TRUE(kernel.finish().empty());
}

TEST(Uninitialised, TheSameStoreOfWhatWasNotLoadedWritesIt) {
    SyntheticLaunch launch;
    CopyWithinShared kernel(launch);
    kernel.copy();
    launch.access(kernel.write, 0, 0, 256);
    launch.access(kernel.use, 0, 0, 256);
    EXPECT_TRUE(kernel.finish().empty());
}

TEST(Uninitialised, WhatLeavesTheBlockIsToldWhereItWasRead) {
    for (const Space space : {Space::global, Space::local}) {
        SyntheticLaunch launch;
        const Array out(launch);
        Site& read = launch.site(load, Space::shared);
        Site& write = launch.site(store, space);
        launch.only_moves(read, {&write});
        launch.begin(0);
        launch.access(read, 0, 0, 0);
        launch.access(write, 0, 0, out[0], 3);
        launch.end(0);
        const auto& hazards = launch.finish();
        ASSERT_EQ(hazards.size(), 1u);
        EXPECT_EQ(hazards[0].rule, Rule::uninitialised_read);
        EXPECT_EQ(hazards[0].site.pc, read.pc);
        EXPECT_EQ(hazards[0].count, 3u);
    }
}

TEST(Uninitialised, APartOfWhatWasLoadedIsTold) {
    SyntheticLaunch launch;
    Site& read = launch.site(load, Space::shared, 4);
    Site& write = launch.site(store, Space::shared, 1);
    launch.only_moves(read, {&write});
    launch.begin(0);
    launch.single(read, 0, 0, 0);
    launch.single(write, 0, 0, 256);
    launch.end(0);
    EXPECT_EQ(launch.finish().size(), 1u);
}

TEST(HazardText, NamesThreadsAddressesAndLines) {
    SyntheticLaunch launch;
    const Memory memory(launch, 400, true);
    Site& write = launch.site(store, Space::global);
    Site& read = launch.site(load, Space::global);
    launch.begin(0);
    launch.single(write, 0, 3, memory.at(0));
    launch.end(0);
    launch.begin(1);
    launch.single(read, 1, 33, memory.at(0));
    launch.single(read, 1, 5, memory.at(408));
    launch.end(1);
    launch.finish();
    const auto findings = findings_of(launch.hazards().list(), [&](std::uint64_t pc) {
        return SourcePlace{"a.cu", pc == write.pc ? 10 : 20, 0, "kernel"};
    });
    ASSERT_EQ(findings.size(), 2u);
    EXPECT_NE(findings[0].evidence.find("thread (5,0,0) of block (1,0,0) reads 4 bytes"), std::string::npos)
        << findings[0].evidence;
    EXPECT_NE(findings[0].evidence.find("8 bytes past the end of the nearest allocation of 400 bytes"),
              std::string::npos)
        << findings[0].evidence;
    EXPECT_NE(findings[1].evidence.find("thread (3,0,0) of block (0,0,0) writes 4 bytes at 0x"), std::string::npos)
        << findings[1].evidence;
    EXPECT_NE(findings[1].evidence.find("that thread (33,0,0) of block (1,0,0) reads in line 20; nothing orders them"),
              std::string::npos)
        << findings[1].evidence;
    EXPECT_EQ(findings[1].place.line, 10);
    EXPECT_EQ(findings[1].other.line, 20);
    EXPECT_TRUE(findings[1].error());
}

}  // namespace
}  // namespace lanework

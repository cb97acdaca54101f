// Which managed memory lies on the device, as the host's code and launches touch it in turns.
#include "src/trace/record/managed_pages.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "src/gpu/memory_units.hpp"
#include "src/gpu/page_faults.hpp"
#include "src/simt/host_touches.hpp"

namespace lanework {
namespace {

constexpr std::uint64_t kPieces = 4, kAll = kPieces * kFaultBytes;

/// Managed memory of four pieces, as the hooks see the host touch it.
class Managed : public testing::Test {
protected:
    Managed() : memory_(kAll) { pages_.allocated(memory_.data(), kAll); }
    ~Managed() override { pages_.stop(); }

    std::uint64_t at(std::uint64_t piece) const {
        return reinterpret_cast<std::uint64_t>(memory_.data()) + piece * kFaultBytes;
    }
    void host_reads(std::uint64_t piece) { touches(piece, false); }
    void host_writes(std::uint64_t piece) { touches(piece, true); }
    /// Bytes that come when a launch reads everything. `meanwhile` is the host's.
    template <class Meanwhile>
    std::uint64_t launch(Meanwhile&& meanwhile) {
        TouchedMemory touched;
        touched.read.insert(at(0) / kSectorBytes, at(kPieces) / kSectorBytes);
        pages_.launch_begins();
        meanwhile();
        return pages_.launch_ends(touched);
    }
    std::uint64_t launch() {
        return launch([] {});
    }

    std::vector<std::byte> memory_;
    ManagedPages pages_;

private:
    void touches(std::uint64_t piece, bool writes) {
        lanework_simt::engine::see_host_access(reinterpret_cast<const void*>(at(piece) + 5), writes);
    }
};

TEST_F(Managed, ComesOnceAndAgainWhereTheHostTouchedIt) {
    EXPECT_EQ(launch(), kAll);
    EXPECT_EQ(launch(), 0u);
    host_reads(1);
    host_reads(1);
    host_writes(3);
    EXPECT_EQ(launch(), 2 * kFaultBytes);
    EXPECT_EQ(launch(), 0u);
    host_reads(1);
    EXPECT_EQ(launch(), kFaultBytes) << "what a thread remembers is of before the launch";
}

TEST_F(Managed, GoesHomeBehindALaunchDuringWhichTheHostTouchedIt) {
    launch();
    EXPECT_EQ(launch([&] { std::thread([&] { host_reads(2); }).join(); }), 0u);
    EXPECT_EQ(launch(), kFaultBytes);
    pages_.launch_unseen();
    host_reads(0);
    EXPECT_EQ(launch(), kFaultBytes);
}

TEST_F(Managed, KeepsWhatTheHostTouchedWhenOtherMemoryIsSent) {
    std::vector<std::byte> other(kAll);
    pages_.allocated(other.data(), kAll);
    launch();
    host_reads(1);
    host_reads(2);
    pages_.sent(reinterpret_cast<std::uint64_t>(other.data()), kAll);
    pages_.sent(at(2), kFaultBytes);
    EXPECT_EQ(launch(), kFaultBytes);
    pages_.released(other.data());
}

TEST_F(Managed, StaysWhereItIsAdvisedToBeReadMostlyAndRead) {
    pages_.read_mostly(at(0), 2 * kFaultBytes, true);
    pages_.sent(at(0), kAll);
    for (std::uint64_t piece = 0; piece < kPieces; ++piece) host_reads(piece);
    EXPECT_EQ(launch(), 2 * kFaultBytes) << "only what has no advice went home";
    host_reads(0);
    host_writes(0);
    EXPECT_EQ(launch(), kFaultBytes) << "a write leaves no copy";
    host_reads(3);
    pages_.read_mostly(at(0), 2 * kFaultBytes, false);
    EXPECT_EQ(launch(), kFaultBytes) << "new advice forgets no touch";
    host_reads(0);
    EXPECT_EQ(launch(), kFaultBytes);
}

TEST_F(Managed, IsNotLookedAtOnceItIsFreed) {
    launch();
    pages_.released(memory_.data());
    host_reads(0);
    EXPECT_TRUE(lanework_simt::take_host_touches().empty());
    pages_.allocated(memory_.data(), kAll);
    EXPECT_EQ(launch(), kAll);
    host_reads(0);
    pages_.stop();
    EXPECT_TRUE(lanework_simt::take_host_touches().empty());
}

/// A list of nodes, each allocated by itself. A pass over all ranges for each touch took half a minute.
TEST_F(Managed, TakesManyAllocationsInOnePass) {
    constexpr std::size_t kNodes = 10000, kBytes = 512;
    std::vector<std::byte> nodes(kNodes * kBytes);
    for (std::size_t i = 0; i < kNodes; ++i) pages_.allocated(&nodes[i * kBytes], kBytes);
    const auto begin = std::chrono::steady_clock::now();
    pages_.launch_unseen();
    for (std::size_t i = 0; i < kNodes; ++i) lanework_simt::engine::see_host_access(&nodes[i * kBytes], false);
    EXPECT_EQ(launch(), 0u);
    TouchedMemory touched;
    const auto first = reinterpret_cast<std::uint64_t>(nodes.data());
    touched.read.insert(first / kSectorBytes, (first + nodes.size()) / kSectorBytes);
    EXPECT_EQ(pages_.launch_ends(touched), kNodes * kBytes);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

/// Another thread may hold the table while one forks: nobody in the child would give it back.
TEST_F(Managed, IsTouchedByTheChildOfAFork) {
    launch();
    std::atomic<bool> done{false};
    std::thread other([&] {
        while (!done) lanework_simt::take_host_touches();
    });
    for (int i = 0; i < 200; ++i) {
        const pid_t child = fork();
        ASSERT_NE(child, -1);
        if (child == 0) {
            alarm(10);  // seconds; ends a child that waits
            host_reads(1);
            _exit(0);
        }
        int status = -1;
        waitpid(child, &status, 0);
        if (status != 0) ADD_FAILURE() << "child " << i << " ended with status " << status;
        if (status != 0) break;
    }
    done = true;
    other.join();
}

}  // namespace
}  // namespace lanework

// Ranges divided among threads: all of it once, whoever comes, and nobody waits for those who do not.
#include "src/cpu/in_shares.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <thread>
#include <vector>

using namespace lanework;

namespace {

using Visits = std::vector<std::atomic<int>>;

void visit(Visits& visits, Share share) {
    for (std::int64_t i = share.begin; i < share.end; ++i) visits[static_cast<std::size_t>(i)].fetch_add(1);
}

bool all_are_one(const Visits& visits) {
    return std::all_of(visits.begin(), visits.end(), [](const auto& each) { return each.load() == 1; });
}

/// Whether the condition came to hold before any patience would have ended.
bool comes(const std::function<bool()>& condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!condition() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    return condition();
}

TEST(InShares, VisitsEveryElementOnceInPartsThatBeginAtMultiplesOfTheGrain) {
    for (const int threads : {1, 2, 3, 8})
        for (const std::int64_t count : {0, 1, 7, 64, 65, 1000, 4097})
            for (const std::int64_t grain : {1, 2, 64, 5000}) {
                Visits visits(static_cast<std::size_t>(count));
                std::atomic<bool> aligned{true};
                in_shares(Team{threads}, count, grain, [&](Share share) {
                    if (share.begin % grain != 0 && share.size() > 0) aligned = false;
                    visit(visits, share);
                });
                EXPECT_TRUE(all_are_one(visits)) << count << " elements in grains of " << grain << " on " << threads;
                EXPECT_TRUE(aligned) << count << " elements in grains of " << grain << " on " << threads;
            }
}

TEST(InShares, TakesOnePartWhereThereIsOneGrainOrOneThread) {
    for (const Team team : {Team{1}, Team{4}}) {
        std::vector<std::int64_t> sizes;
        in_shares(team, 100, team.threads == 1 ? 10 : 100, [&](Share share) { sizes.push_back(share.size()); });
        EXPECT_EQ(sizes, std::vector<std::int64_t>{100});
    }
}

/// Whether another thread takes one of two parts while this one has the other.
bool another_takes_part() {
    std::atomic<int> begun{0};
    std::atomic<bool> both{true};
    in_shares(Team{2}, 2, 1, [&](Share) {
        ++begun;
        if (!comes([&] { return begun == 2; })) both = false;
    });
    return both;
}

TEST(InShares, GivesAPartToAnotherThread) { EXPECT_TRUE(another_takes_part()); }

TEST(InShares, LeavesToTheFasterThreadWhatTheSlowerHasNotBegun) {
    const auto caller = std::this_thread::get_id();
    for (const bool caller_is_slow : {false, true}) {
        constexpr std::int64_t kParts = 2 * kSharesOfAThread;
        Visits visits(kParts);
        std::atomic<int> done{0};
        std::atomic<bool> first{true}, left_alone{false};
        in_shares(Team{2}, kParts, 1, [&](Share share) {
            const bool slow = (std::this_thread::get_id() == caller) == caller_is_slow;
            if (slow && first.exchange(false)) left_alone = comes([&] { return done == kParts - 1; });
            if (!slow) comes([&] { return !first; });
            visit(visits, share);
            ++done;
        });
        EXPECT_TRUE(left_alone);
        EXPECT_TRUE(all_are_one(visits)) << (caller_is_slow ? "the caller is slow" : "the helper is slow");
    }
}

TEST(InShares, DoesTheWorkAloneWhileAllHelpersAreElsewhere) {
    std::atomic<bool> done{false};
    std::atomic<int> begun{0};
    std::thread other([&] {  // with every helper that there is by now
        in_shares(Team{9}, 9, 1, [&](Share) {
            ++begun;
            comes([&] { return done.load(); });
        });
    });
    ASSERT_TRUE(comes([&] { return begun == 9; }));
    Visits visits(100);
    in_shares(Team{9}, 100, 1, [&](Share share) { visit(visits, share); });
    EXPECT_FALSE(done);
    EXPECT_TRUE(all_are_one(visits));
    done = true;
    other.join();
}

TEST(InShares, ServesSeveralCallersAndCallsWithinCalls) {
    constexpr int kCallers = 4, kRounds = 300, kCount = 500;
    std::atomic<std::int64_t> sum{0};
    std::vector<std::thread> callers;
    for (int caller = 0; caller < kCallers; ++caller)
        callers.emplace_back([&] {
            for (int round = 0; round < kRounds; ++round)
                in_shares(Team{3}, kCount, 50, [&](Share outer) {
                    in_shares(Team{2}, outer.size(), 10, [&](Share inner) { sum += inner.size(); });
                });
        });
    for (std::thread& caller : callers) caller.join();
    EXPECT_EQ(sum, std::int64_t{kCallers} * kRounds * kCount);
}

TEST(InShares, HasHelpersOfItsOwnInAForkedProcess) {
    ASSERT_TRUE(another_takes_part());
    const pid_t child = fork();
    if (child == 0) _exit(another_takes_part() ? 0 : 1);
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace

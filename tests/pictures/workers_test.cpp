// Threads in a row: everything comes in its order, and one failure ends all.
#include "src/pictures/workers.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

namespace lanework::test {
namespace {

TEST(Workers, HandOverInOrderWhateverOrderTheyComeIn) {
    std::vector<int> taken;
    InOrder<int> in_order([&](int value) { taken.push_back(value); });
    for (const int number : {2, 0, 3, 1, 5}) in_order.put(static_cast<std::size_t>(number), 10 * number);
    EXPECT_EQ(taken, (std::vector<int>{0, 10, 20, 30}));
    in_order.put(4, 40);
    EXPECT_EQ(taken, (std::vector<int>{0, 10, 20, 30, 40, 50}));
}

TEST(Workers, WaitForTheirTurns) {
    Turns turns;
    std::atomic<std::size_t> next{0};
    std::vector<std::size_t> order;
    on_threads(
        4,
        [&](int) {
            for (std::size_t item = next++; item < 200; item = next++) {
                if (item % 3 == 0) std::this_thread::yield();
                ASSERT_TRUE(turns.wait_for(item));
                order.push_back(item);
                turns.pass();
            }
        },
        [] {});
    std::vector<std::size_t> expected(200);
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(order, expected);
}

TEST(Workers, EndTogetherWithTheFirstFailure) {
    Turns turns;
    int told = 0;
    const auto body = [&](int worker) {
        if (worker == 2) throw std::runtime_error("no more");
        EXPECT_FALSE(turns.wait_for(99));  // whose turn never comes
    };
    const auto on_failure = [&] {
        ++told;
        turns.end();
    };
    EXPECT_THROW(on_threads(4, body, on_failure), std::runtime_error);
    EXPECT_EQ(told, 1);
}

TEST(Workers, KeepNoMoreCoresBusyThanThereAre) {
    std::counting_semaphore<> cores(2);
    std::atomic<int> busy{0}, most{0};
    on_threads(
        8,
        [&](int) {
            for (int i = 0; i < 50; ++i) {
                const Core core(cores);
                const int now = ++busy;
                for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
                }
                std::this_thread::yield();
                --busy;
            }
        },
        [] {});
    EXPECT_LE(most, 2);
    EXPECT_GE(most, 1);
}

}  // namespace
}  // namespace lanework::test

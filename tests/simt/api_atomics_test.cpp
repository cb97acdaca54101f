// Atomic functions against a serial model: the old value they return and the value they leave; and under threads.
#define __CUDACC__ 1  // the device's language, too
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <thread>
#include <vector>

namespace {

template <class T>
std::vector<T> interesting() {
    std::vector<T> values{
        T(0), T(1), T(2), T(7), T(100), std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest()};
    if constexpr (std::is_signed_v<T>) values.push_back(T(-1));
    return values;
}

/// Checks the plain, the _block and the _system form on every pair of interesting values.
template <class T, class Plain, class Block, class System, class Model>
void agrees(const char* name, Plain plain, Block block, System system, Model model) {
    for (const T start : interesting<T>())
        for (const T operand : interesting<T>()) {
            T plain_value = start, block_value = start, system_value = start;
            const T expected = model(start, operand);
            EXPECT_EQ(plain(&plain_value, operand), start) << name;
            EXPECT_EQ(block(&block_value, operand), start) << name;
            EXPECT_EQ(system(&system_value, operand), start) << name;
            EXPECT_EQ(plain_value, expected) << name << '(' << start << ", " << operand << ')';
            EXPECT_EQ(block_value, expected) << name << "_block";
            EXPECT_EQ(system_value, expected) << name << "_system";
        }
}

#define LANEWORK_AGREES(T, function, ...)                                                                    \
    agrees<T>(                                                                                               \
        #function " of " #T, [](T* p, T v) { return function(p, v); },                                       \
        [](T* p, T v) { return function##_block(p, v); }, [](T* p, T v) { return function##_system(p, v); }, \
        [](T old, T v) -> T { return __VA_ARGS__; })

using uint = unsigned int;
using ull = unsigned long long;

TEST(Atomics, AddWrapsAround) {
    LANEWORK_AGREES(int, atomicAdd, int(uint(old) + uint(v)));
    LANEWORK_AGREES(uint, atomicAdd, old + v);
    LANEWORK_AGREES(ull, atomicAdd, old + v);
    LANEWORK_AGREES(float, atomicAdd, old + v);
    LANEWORK_AGREES(double, atomicAdd, old + v);
}

TEST(Atomics, SubWrapsAround) {
    LANEWORK_AGREES(int, atomicSub, int(uint(old) - uint(v)));
    LANEWORK_AGREES(uint, atomicSub, old - v);
}

TEST(Atomics, ExchLeavesTheOperand) {
    LANEWORK_AGREES(int, atomicExch, (void)old, v);
    LANEWORK_AGREES(uint, atomicExch, (void)old, v);
    LANEWORK_AGREES(ull, atomicExch, (void)old, v);
    LANEWORK_AGREES(float, atomicExch, (void)old, v);
}

TEST(Atomics, MinAndMaxKnowTheSign) {
    LANEWORK_AGREES(int, atomicMin, old < v ? old : v);
    LANEWORK_AGREES(uint, atomicMin, old < v ? old : v);
    LANEWORK_AGREES(long long, atomicMin, old < v ? old : v);
    LANEWORK_AGREES(ull, atomicMin, old < v ? old : v);
    LANEWORK_AGREES(int, atomicMax, old > v ? old : v);
    LANEWORK_AGREES(uint, atomicMax, old > v ? old : v);
    LANEWORK_AGREES(long long, atomicMax, old > v ? old : v);
    LANEWORK_AGREES(ull, atomicMax, old > v ? old : v);
}

TEST(Atomics, IncStartsAgainAtZeroAndDecAtTheOperand) {
    LANEWORK_AGREES(uint, atomicInc, old >= v ? 0 : old + 1);
    LANEWORK_AGREES(uint, atomicDec, old == 0 || old > v ? v : old - 1);
}

TEST(Atomics, BitsAreCombined) {
    LANEWORK_AGREES(int, atomicAnd, old& v);
    LANEWORK_AGREES(uint, atomicOr, old | v);
    LANEWORK_AGREES(ull, atomicXor, old ^ v);
    LANEWORK_AGREES(ull, atomicAnd, old & v);
    LANEWORK_AGREES(int, atomicXor, old ^ v);
}

template <class T>
void compare_and_swap() {
    T value = 5;
    EXPECT_EQ(atomicCAS(&value, T(4), T(9)), T(5));
    EXPECT_EQ(value, T(5));
    EXPECT_EQ(atomicCAS_block(&value, T(5), T(9)), T(5));
    EXPECT_EQ(atomicCAS_system(&value, T(9), T(1)), T(9));
    EXPECT_EQ(value, T(1));
}

TEST(Atomics, CasSwapsOnlyTheExpectedValue) {
    compare_and_swap<int>();
    compare_and_swap<uint>();
    compare_and_swap<ull>();
    compare_and_swap<unsigned short>();
}

TEST(Atomics, ADoubleCanBeAddedByCas) {
    ull bits = ull(__double_as_longlong(1.5));
    ull* address = &bits;
    ull old = *address, assumed = 0;
    do {
        assumed = old;
        old = atomicCAS(address, assumed, ull(__double_as_longlong(2.25 + __longlong_as_double((long long)assumed))));
    } while (assumed != old);
    EXPECT_EQ(__longlong_as_double((long long)bits), 3.75);
}

TEST(Atomics, VectorsAreAddedElementByElement) {
    float4 value = make_float4(1, 2, 3, 4);
    const float4 old = atomicAdd(&value, make_float4(10, 20, 30, 40));
    EXPECT_TRUE(old.x == 1 && old.w == 4 && value.x == 11 && value.y == 22 && value.z == 33 && value.w == 44);
}

TEST(Atomics, NothingIsLostBetweenThreads) {
    constexpr int kThreads = 4, kRounds = 20000;
    int sum = 0;
    float floats = 0;
    double doubles = 0;
    uint ring = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
        threads.emplace_back([&] {
            for (int i = 0; i < kRounds; ++i) {
                atomicAdd(&sum, 1), atomicAdd(&floats, 1.0f), atomicAdd(&doubles, 0.5);
                atomicInc(&ring, 6);  // counts modulo 7
            }
        });
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(sum, kThreads * kRounds);
    EXPECT_EQ(floats, float(kThreads * kRounds));
    EXPECT_EQ(doubles, 0.5 * kThreads * kRounds);
    EXPECT_EQ(ring, uint(kThreads * kRounds) % 7);
}

struct alignas(16) Pair {
    long long low, high;
};

TEST(Atomics, OfSixteenBytesReplaceThemAsOne) {
    Pair pair{1, 2};
    const Pair kept = atomicCAS(&pair, Pair{1, 3}, Pair{5, 6});
    EXPECT_TRUE(kept.low == 1 && kept.high == 2 && pair.low == 1 && pair.high == 2);
    const Pair swapped = atomicCAS_block(&pair, Pair{1, 2}, Pair{5, 6});
    EXPECT_TRUE(swapped.low == 1 && swapped.high == 2 && pair.low == 5 && pair.high == 6);
    const Pair exchanged = atomicExch_system(&pair, Pair{-1, 9});
    EXPECT_TRUE(exchanged.low == 5 && exchanged.high == 6 && pair.low == -1 && pair.high == 9);
    __extension__ unsigned __int128 wide = 7;
    EXPECT_TRUE(atomicExch(&wide, decltype(wide){1} << 100) == 7 && wide == decltype(wide){1} << 100);
}

TEST(Atomics, OfSixteenBytesLoseNoUpdateOfManyThreads) {
    constexpr long long kThreads = 4, kTimes = 20'000;
    Pair count{0, 0};
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < kThreads; ++t)
            threads.emplace_back([&] {
                for (int i = 0; i < kTimes; ++i)
                    for (Pair seen{0, 0};;) {
                        const Pair found = atomicCAS(&count, seen, Pair{seen.low + 1, seen.high - 1});
                        if (found.low == seen.low && found.high == seen.high) break;
                        seen = found;
                    }
            });
    }
    EXPECT_EQ(count.low, kThreads * kTimes);
    EXPECT_EQ(count.high, -kThreads * kTimes);
}

}  // namespace

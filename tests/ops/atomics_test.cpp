// The serial model against CUDA's definitions, the ledger against lost updates, and every function, type and scope
// under many schedules.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "ops/atomics/operation.hpp"
#include "src/measure/verify.hpp"
#include "tests/ops/unaligned.hpp"

namespace lanework {
namespace {

constexpr int kFunctions = 11;

using Word = std::uint32_t;

TEST(Atomics, IncCountsUpToItsBoundAndThenFromZero) {
    EXPECT_EQ(after<Word>(AtomicFunction::inc, 3, 5), 4U);
    EXPECT_EQ(after<Word>(AtomicFunction::inc, 5, 5), 0U);
    EXPECT_EQ(after<Word>(AtomicFunction::inc, 9, 5), 0U);
    EXPECT_EQ(after<Word>(AtomicFunction::inc, 0, 0), 0U);
}

TEST(Atomics, DecCountsDownToZeroAndThenFromItsBound) {
    EXPECT_EQ(after<Word>(AtomicFunction::dec, 3, 5), 2U);
    EXPECT_EQ(after<Word>(AtomicFunction::dec, 0, 5), 5U);
    EXPECT_EQ(after<Word>(AtomicFunction::dec, 9, 5), 5U);
    EXPECT_EQ(after<Word>(AtomicFunction::dec, 5, 5), 4U);
}

TEST(Atomics, TheOthersDoWhatTheirNamesSay) {
    EXPECT_EQ(after<std::int32_t>(AtomicFunction::add, 2147483647, 1), -2147483647 - 1);
    EXPECT_EQ(after<Word>(AtomicFunction::sub, 1, 2), 0xFFFFFFFFU);
    EXPECT_EQ(after<float>(AtomicFunction::exch, 1.5F, 2.5F), 2.5F);
    EXPECT_EQ(after<std::int64_t>(AtomicFunction::min, -3, 2), -3);
    EXPECT_EQ(after<std::uint64_t>(AtomicFunction::max, 3, ~std::uint64_t{0}), ~std::uint64_t{0});
    EXPECT_EQ(after<std::uint16_t>(AtomicFunction::cas, 65535, 2), 1);
    EXPECT_EQ(after<Word>(AtomicFunction::bit_and, 12, 10), 8U);
    EXPECT_EQ(after<Word>(AtomicFunction::bit_or, 12, 10), 14U);
    EXPECT_EQ(after<Word>(AtomicFunction::bit_xor, 12, 10), 6U);
}

/// The ledger of calls that happen one after the other, in the given order.
std::uint64_t serial_ledger(AtomicFunction function, Word first, const std::vector<Word>& values) {
    std::uint64_t entries = 0;
    Word now = first;
    for (const Word value : values) {
        entries += ledger_entry(function, now, value);
        now = after(function, now, value);
    }
    return entries + mixed(now);
}

TEST(Atomics, TheLedgerIsTheSameInEveryOrderOfTheCalls) {
    std::mt19937 random(7);
    for (int function = 0; function < kFunctions; ++function) {
        std::vector<Word> values(20);
        for (Word& value : values) value = random() % 30;
        for (int order = 0; order < 50; ++order) {
            std::shuffle(values.begin(), values.end(), random);
            ASSERT_EQ(serial_ledger(static_cast<AtomicFunction>(function), 13, values), mixed(Word{13}))
                << "function " << function;
        }
    }
}

TEST(Atomics, TheLedgerSeesALostUpdate) {
    const auto add = AtomicFunction::add;
    // Two calls both read 10 and write 11.
    EXPECT_NE(ledger_entry<Word>(add, 10, 1) + ledger_entry<Word>(add, 10, 1) + mixed(Word{11}), mixed(Word{10}));
    // The sum is right, but both calls were told that it was 10.
    EXPECT_NE(ledger_entry<Word>(add, 10, 1) + ledger_entry<Word>(add, 10, 1) + mixed(Word{12}), mixed(Word{10}));
    EXPECT_EQ(ledger_entry<Word>(add, 11, 1) + ledger_entry<Word>(add, 10, 1) + mixed(Word{12}), mixed(Word{10}));
}

TEST(Atomics, EveryCombinationIsComputedOrRefusedInOneSentence) {
    int computed = 0;
    for (std::uint8_t function = 0; function < kFunctions; ++function)
        for (const DType dtype : kDTypes) {
            const Problem problem{extents(10, 2), dtype, function};
            const bool there = exists(static_cast<AtomicFunction>(function), dtype);
            EXPECT_EQ(refuse_call(problem).empty(), there) << name_of(dtype) << " function " << int{function};
            computed += there;
        }
    EXPECT_EQ(computed, 36);
}

TEST(Atomics, EveryFunctionTypeAndScopeIsRightUnderManySchedules) {
    if (availability(DeviceKind::simt).count == 0) GTEST_SKIP() << availability(DeviceKind::simt).reason;
    const Operation& atomics = find_operation("atomics");
    const auto device = open_device("simt");
    int verified = 0;
    for (const Rung* rung : ladder(atomics, DeviceKind::simt))
        for (const Operation::Typed& typed : atomics.types)
            for (std::uint8_t function = 0; function < kFunctions; ++function) {
                const Problem problem{extents(290, 97), typed.dtype, function};
                if (!refusal(*rung, problem).empty()) continue;
                ++verified;
                for (std::uint64_t seed = 1; seed <= 3; ++seed) {  // two schedules each
                    const Verification found = verify(*device, atomics, *rung, problem, seed);
                    ASSERT_EQ(found.verdict, Verdict::ok) << rung->name << " " << name_of(typed.dtype) << " "
                                                          << atomics.variants[function] << ": " << found.reason;
                }
            }
    // atomicCAS has no scopes for uint16, nor atomicAdd for halves; doubles by compare-and-swap, pairs of halves, and
    // of words, which are exchanged or compared and swapped.
    EXPECT_EQ(verified, 36 + 33 + 33 + 1 + 2 + 2);
}

}  // namespace
}  // namespace lanework

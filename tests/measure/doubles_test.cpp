// The operation of the test doubles, and a test that the doubles themselves hold.
#include <gtest/gtest.h>

#include <lanework/error.hpp>

#include "src/core/fill.hpp"
#include "tests/measure/doubles.hpp"

namespace lanework::testing {
namespace {

constexpr Extents kProblems[] = {extents(64)};

std::size_t count_of(const Problem& p) { return static_cast<std::size_t>(p.lengths<IncrementAxes>().count); }

constexpr OperationEntry<increment_signature> kIncrement{
    .summary = "out[i] = in[i] + 1",
    .axes = IncrementAxes::names,
    .verified = kProblems,
    .timed = {.cuda = kProblems, .simt = kProblems, .cpu = kProblems},
    .buffers = [](const Problem& p) -> std::vector<BufferSpec> {
        return {{"in", Role::input, p.dtype, count_of(p)}, {"out", Role::output, p.dtype, count_of(p)}};
    },
    .work =
        [](const Problem& p) {
            const auto bytes = 4 * count_of(p);
            return Work{.bytes_read = bytes, .bytes_written = bytes};
        },
    .fill =
        [](const Problem& p, std::uint64_t seed, const Buffers& b) {
            const auto [in] = b.arrays<std::int32_t>();
            fill_uniform(in, count_of(p), seed);
        },
    .reference = increment_all,
    .tolerance = [](const Problem&) { return Tolerance{}; },
};

}  // namespace

constinit const Operation increment = detail::erase(kIncrement, "increment");

void increment_all(const IncrementArgs& args) {
    for (std::int64_t i = 0; i < args.count; ++i)
        args.out[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(args.in[i]) + 1);
}

void ScriptedDevice::synchronize() {
    if (!error.empty()) throw DeviceError(error);
}

TEST(ScriptedDevice, ReportsTheScriptedSecondsOfEveryRun) {
    ScriptedDevice device;
    double next = 0;
    device.seconds = [&] { return ++next; };
    EXPECT_EQ(device.time(3, {}, [] {}), (std::vector<double>{1, 2, 3}));
}

}  // namespace lanework::testing

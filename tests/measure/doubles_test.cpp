// The operation of the test doubles, and a test that the doubles themselves hold.
#include <gtest/gtest.h>

#include <lanework/error.hpp>

#include "src/core/fill.hpp"
#include "tests/measure/doubles.hpp"

namespace lanework::testing {
namespace {

constexpr std::string_view kAxes[] = {"count"};
constexpr Extents kProblems[] = {extents(64)};

constexpr OperationEntry<increment_signature> kIncrement{
    .summary = "out[i] = in[i] + 1",
    .axes = kAxes,
    .verified = kProblems,
    .timed = {.cuda = kProblems, .simt = kProblems, .cpu = kProblems},
    .buffers = [](const Problem& p) -> std::vector<BufferSpec> {
        const auto count = static_cast<std::size_t>(p.extent[0]);
        return {{"in", Role::input, p.dtype, count}, {"out", Role::output, p.dtype, count}};
    },
    .work =
        [](const Problem& p) {
            const auto bytes = 4 * static_cast<std::uint64_t>(p.extent[0]);
            return Work{.bytes_read = bytes, .bytes_written = bytes};
        },
    .fill =
        [](const Problem& p, std::uint64_t seed, const Buffers& b) {
            fill_uniform(static_cast<std::int32_t*>(b.data[0]), static_cast<std::size_t>(p.extent[0]), seed);
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

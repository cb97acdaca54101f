// What the generic verification of a histogram does not reach: input that begins anywhere, bytes that are all the same,
// and what the skewed ones are.
#include <gtest/gtest.h>

#include <lanework/device.hpp>
#include <lanework/execute.hpp>
#include <lanework/registry.hpp>

#include "ops/histogram/operation.hpp"
#include "tests/ops/unaligned.hpp"

namespace lanework {
namespace {

const Operation& histogram() { return find_operation("histogram"); }

using Counts = std::vector<std::uint64_t>;

/// The counts of the bytes, which begin `offset` bytes into an allocation.
Counts counts_on(Device& device, const Rung& rung, const std::vector<std::uint8_t>& bytes, std::size_t offset = 0) {
    const Problem problem{extents(bytes.size()), DType::uint8};
    const DeviceMemory in = device.allocate(offset + bytes.size()),
                       out = device.allocate(kBins * sizeof(std::uint64_t));
    device.upload(in.data() + offset, bytes.data(), bytes.size());
    void* const arrays[] = {in.data() + offset, out.data()};
    const Rung::Typed& typed = *rung.typed(DType::uint8);
    const DeviceMemory workspace = device.allocate(typed.workspace(rung.entry, problem, {arrays}));
    typed.launch(rung.entry, problem, {arrays, workspace.data()}, device.stream());
    device.check_launch();
    device.synchronize();
    Counts counts(kBins);
    device.download(counts.data(), out.data(), kBins * sizeof(std::uint64_t));
    return counts;
}

TEST(Histogram, TakesInputOfAnyAlignment) {
    for (const auto& device : devices_here())
        for (const Rung* rung : ladder(histogram(), device->info().kind))
            for (const std::size_t offset : {1, 7, 15})
                for (const std::size_t n : {1, 9, 16, 31, 1000}) {
                    std::vector<std::uint8_t> bytes(n);
                    Counts expected(kBins);
                    for (std::size_t i = 0; i < n; ++i) ++expected[bytes[i] = static_cast<std::uint8_t>(37 * i + 5)];
                    EXPECT_EQ(counts_on(*device, *rung, bytes, offset), expected)
                        << rung->name << ", " << n << " bytes from " << offset;
                }
}

TEST(Histogram, CountsBytesThatAreAllTheSame) {
    const std::size_t n = std::size_t{1} << 20;
    const std::vector<std::uint8_t> bytes(n, 0xff);
    Counts expected(kBins);
    expected[0xff] = n;
    for (const auto& device : devices_here())
        for (const Rung* rung : ladder(histogram(), device->info().kind)) {
            if (rung->name == "global_atomics" && device->info().kind == DeviceKind::simt) continue;  // slow, and sure
            EXPECT_EQ(counts_on(*device, *rung, bytes), expected) << rung->name;
        }
}

TEST(Histogram, SkewedBytesAreHalfZeroAndAQuarterOne) {
    const Problem problem{extents(1 << 16), DType::uint8, parse_variant(histogram(), "skewed")};
    HostArrays arrays(histogram(), problem);
    histogram().fill(problem, 3, arrays.buffers());
    histogram().reference(problem, arrays.buffers());
    const auto* const counts = reinterpret_cast<const std::uint64_t*>(arrays.data(1));
    EXPECT_NEAR(static_cast<double>(counts[0]), 0x1p15, 1000);
    EXPECT_NEAR(static_cast<double>(counts[1]), 0x1p14, 1000);
    EXPECT_NEAR(static_cast<double>(counts[2]), 0x1p13, 1000);
}

}  // namespace
}  // namespace lanework

// Where the arrays of a transfer live, what crosses the link, and what managed memory may take.
#include <gtest/gtest.h>

#include <lanework/device.hpp>
#include <lanework/execute.hpp>
#include <lanework/registry.hpp>

#include "tests/ops/unaligned.hpp"

namespace lanework {
namespace {

const Operation& transfer() { return find_operation("transfer"); }

Problem problem_of(std::int64_t words, const char* direction) {
    return {extents(words), DType::int32, parse_variant(transfer(), direction)};
}

TEST(Transfer, PutsTheHostsArrayIntoTheMemoryThatTheRungAsksFor) {
    const auto host_array = [](const char* direction, std::size_t array, const char* rung) {
        const auto specs = transfer().buffers(problem_of(10, direction));
        return memory_of(specs[array], find_rung(transfer(), rung, DeviceKind::simt));
    };
    if (availability(DeviceKind::simt).count == 0) GTEST_SKIP() << availability(DeviceKind::simt).reason;
    EXPECT_EQ(host_array("upload", 0, "pageable"), Memory::pageable);
    EXPECT_EQ(host_array("upload", 0, "pinned"), Memory::pinned);
    EXPECT_EQ(host_array("upload", 0, "zero_copy"), Memory::pinned);
    EXPECT_EQ(host_array("upload", 0, "managed"), Memory::managed);
    EXPECT_EQ(host_array("upload", 1, "pinned"), Memory::device);
    EXPECT_EQ(host_array("download", 0, "managed"), Memory::device);
    EXPECT_EQ(host_array("download", 1, "managed"), Memory::managed);
}

TEST(Transfer, CountsTheBytesThatCrossInOneDirection) {
    const Work up = transfer().work(problem_of(1000, "upload")), down = transfer().work(problem_of(1000, "download"));
    EXPECT_EQ(up.bytes_uploaded, 4000U);
    EXPECT_EQ(up.bytes_downloaded, 0U);
    EXPECT_EQ(down.bytes_downloaded, 4000U);
    EXPECT_EQ(down.bytes_uploaded, 0U);
    EXPECT_EQ(up.bytes(), 4000U);
}

TEST(Transfer, RefusesManagedArraysBeyondAHundredAndTwentyEightMebibytes) {
    if (availability(DeviceKind::simt).count == 0) GTEST_SKIP() << availability(DeviceKind::simt).reason;
    for (const char* name : {"managed", "managed_prefetched"}) {
        const Rung& rung = find_rung(transfer(), name, DeviceKind::simt);
        EXPECT_EQ(refusal(rung, problem_of(1 << 25, "upload")), "") << name;
        EXPECT_NE(refusal(rung, problem_of((1 << 25) + 1, "upload")).find("128 MiB"), std::string::npos) << name;
    }
    for (const Extents& timed : transfer().timed.cuda) EXPECT_LE(timed[0], 1 << 25);
}

TEST(Transfer, BytesArriveIntactOnEveryDevice) {
    std::vector<std::int32_t> in(5003), out;
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::int32_t>(i * i + 1);
    for (const auto& device : devices_here())
        for (const Rung* rung : ladder(transfer(), device->info().kind))
            for (const char* direction : {"upload", "download"}) {
                out.assign(in.size(), 0);
                void* const arrays[] = {in.data(), out.data()};
                execute(*device, transfer(), *rung, problem_of(static_cast<std::int64_t>(in.size()), direction),
                        {arrays});
                EXPECT_EQ(out, in) << rung->name << ", " << direction;
            }
}

TEST(HostMemory, IsReadAndWrittenThroughTheDeviceLikeItsOwn) {
    for (const auto& device : devices_here())
        for (const Memory memory : {Memory::device, Memory::pageable, Memory::pinned, Memory::managed}) {
            const std::vector<std::uint8_t> bytes{1, 2, 3, 4, 5};
            std::vector<std::uint8_t> back(2);
            const DeviceMemory array = device->allocate_in(memory, bytes.size());
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array.data()) % 256, 0U);
            device->upload(array.data(), bytes.data(), bytes.size());
            device->download(back.data(), array.data() + 3, back.size());
            EXPECT_EQ(back, (std::vector<std::uint8_t>{4, 5}));
            EXPECT_NO_THROW(device->allocate_in(memory, 0));
        }
}

}  // namespace
}  // namespace lanework

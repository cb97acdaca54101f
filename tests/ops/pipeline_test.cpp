// What the pipeline computes at its borders, that chunks meet without a seam, and that what a rung prepared serves many
// launches.
#include <gtest/gtest.h>

#include <lanework/device.hpp>
#include <lanework/execute.hpp>
#include <lanework/registry.hpp>

#include "tests/ops/unaligned.hpp"

namespace lanework {
namespace {

const Operation& pipeline() { return find_operation("pipeline"); }

Problem problem_of(std::size_t n, const char* memory) {
    return {extents(n), DType::float32, parse_variant(pipeline(), memory)};
}

/// What the rung leaves of c; an empty vector when it refuses.
std::vector<float> run(Device& device, const Rung& rung, const char* memory, std::vector<float> a,
                       std::vector<float> b) {
    const Problem problem = problem_of(a.size(), memory);
    std::vector<float> c(a.size());
    if (!refusal(rung, problem).empty()) return {};
    void* const arrays[] = {a.data(), b.data(), c.data()};
    execute(device, pipeline(), rung, problem, {arrays});
    return c;
}

TEST(Pipeline, TheEndsElementCountsBeyondTheEnd) {
    for (const auto& device : devices_here())
        for (const Rung* rung : ladder(pipeline(), device->info().kind)) {
            const auto c = run(*device, *rung, "pinned", {3, 6, 9, 12}, {0, 0, 0, 6});
            ASSERT_EQ(c.size(), 4U) << rung->name;
            EXPECT_FLOAT_EQ(c[0], 2) << rung->name;    // (3 + 3 + 6)/3 = 4 and 0
            EXPECT_FLOAT_EQ(c[1], 3) << rung->name;    // 6 and 0
            EXPECT_FLOAT_EQ(c[2], 5.5) << rung->name;  // 9 and 2
            EXPECT_FLOAT_EQ(c[3], 7.5) << rung->name;  // (9 + 12 + 12)/3 = 11 and 4
        }
}

TEST(Pipeline, ChunksMeetWithoutASeam) {
    std::vector<float> rising(70'001), zero(rising.size());
    for (std::size_t i = 0; i < rising.size(); ++i) rising[i] = static_cast<float>(6 * i);
    for (const auto& device : devices_here())
        for (const Rung* rung : ladder(pipeline(), device->info().kind))
            for (const char* memory : {"pinned", "pageable"}) {
                const auto c = run(*device, *rung, memory, rising, zero);
                for (std::size_t i = 1; i + 1 < c.size(); ++i)
                    ASSERT_EQ(c[i], static_cast<float>(3 * i)) << rung->name << " at " << i;
            }
}

TEST(Pipeline, WhatWasPreparedServesManyLaunches) {
    const Problem problem = problem_of(10'000, "pinned");
    for (const auto& device : devices_here())
        for (const Rung* rung : ladder(pipeline(), device->info().kind)) {
            const Rung::Typed& typed = *rung->typed(DType::float32);
            std::vector<DeviceMemory> memory;
            std::vector<void*> arrays;
            for (const BufferSpec& spec : pipeline().buffers(problem)) {
                memory.push_back(device->allocate_in(memory_of(spec, *rung), spec.count * sizeof(float)));
                arrays.push_back(memory.back().data());
            }
            const DeviceMemory workspace = device->allocate(typed.workspace(rung->entry, problem, {arrays}));
            const auto prepared = typed.prepare(rung->entry, problem, {arrays, workspace.data()}, device->stream());
            for (const float value : {1.0F, 2.0F, 3.0F}) {
                const std::vector<float> filled(10'000, value);
                device->upload(arrays[0], filled.data(), filled.size() * sizeof(float));
                device->upload(arrays[1], filled.data(), filled.size() * sizeof(float));
                typed.launch(rung->entry, problem, {arrays, workspace.data(), prepared.get()}, device->stream());
                device->check_launch();
                device->synchronize();
                std::vector<float> c(10'000);
                device->download(c.data(), arrays[2], c.size() * sizeof(float));
                EXPECT_EQ(c, filled) << rung->name;
            }
        }
}

TEST(Pipeline, AGraphRefusesPageableMemory) {
    if (availability(DeviceKind::simt).count == 0) GTEST_SKIP() << availability(DeviceKind::simt).reason;
    const Rung& graph = find_rung(pipeline(), "graph", DeviceKind::simt);
    EXPECT_NE(refusal(graph, problem_of(1000, "pageable")), "");
    EXPECT_EQ(refusal(graph, problem_of(1000, "pinned")), "");
}

}  // namespace
}  // namespace lanework

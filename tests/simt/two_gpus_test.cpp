// Rungs on simt as two GPUs in one process: what a launch asks of the device must be the device's that it runs on.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <lanework/device.hpp>
#include <lanework/registry.hpp>
#include <regex>

#include "src/measure/verify.hpp"
#include "src/simt/gpu.hpp"
#include "src/trace/record/explain.hpp"

namespace lanework {
namespace {

/// A rung whose first launch has as many blocks as a GPU holds at once: of an H200 of 132 multiprocessors with 2048
/// threads, of a T4 of 40 with 1024.
struct Grids {
    const char *operation, *rung, *size;
    unsigned on_h200, on_t4;
};

constexpr Grids kGrids[] = {
    {"add", "grid_stride", "300000", 1056, 160},          {"read", "grid_stride", "1500000", 528, 160},
    {"reduce", "grid_stride", "300000", 1056, 160},       {"reduce", "atomic_finish", "300000", 1056, 160},
    {"reduce", "warp_shuffle", "300000", 1056, 160},      {"reduce", "single_pass", "1000000", 245, 160},
    {"histogram", "global_atomics", "300000", 1056, 320}, {"histogram", "shared_private", "300000", 528, 160},
    {"histogram", "warp_aggregated", "300000", 528, 160}, {"histogram", "vectorized", "2700000", 83, 80},
    {"histogram", "thread_private", "2700000", 95, 40},
};

unsigned first_grid(const Grids& each, const char* gpu) {
    const Operation& operation = find_operation(each.operation);
    const Rung& rung = find_rung(operation, each.rung, DeviceKind::simt);
    const Problem problem = parse_problem(operation, each.size, operation.default_dtype());
    const Explanation explanation =
        explain(operation, rung, problem, 1, {.schedule = 0, .hazards = false, .gpu = &parse_gpu(gpu)});
    return explanation.kernels.empty() ? 0 : explanation.kernels.front().shape.grid[0];
}

TEST(TwoGpus, EachGetsItsOwnGridWhicheverCameFirst) {
    for (const Grids& each : kGrids)
        for (const auto& [gpu, grid] : {std::pair("h200", each.on_h200), {"t4", each.on_t4}, {"h200", each.on_h200}})
            EXPECT_EQ(first_grid(each, gpu), grid) << each.operation << "/" << each.rung << " on " << gpu;
}

/// The largest of the problems that are verified with so little to do.
Problem small_problem(const Operation& operation) {
    constexpr std::uint64_t kLittle = 1 << 16;
    Problem best{operation.verified.front(), operation.default_dtype()};
    std::uint64_t most = 0;
    for (const Extents& shape : operation.verified) {
        const Problem problem{shape, operation.default_dtype()};
        const Work work = operation.work(problem);
        const std::uint64_t effort = work.bytes() + work.flops;
        if (effort <= most || effort > kLittle) continue;
        most = effort;
        best = problem;
    }
    return best;
}

TEST(TwoGpus, EveryRungIsRightOnEitherWhileBothAreOpen) {
    const auto h200 = open_device("simt"), t4 = open_device("simt:t4");
    EXPECT_EQ(h200->info().id, "simt");
    EXPECT_EQ(t4->info().id, "simt:t4");
    for (const Operation* operation : operations()) {
        const Problem problem = small_problem(*operation);
        References references;
        for (const Rung* rung : ladder(*operation, DeviceKind::simt))
            for (Device* device : {h200.get(), t4.get()}) {
                const Verification verification =
                    verify(*device, *operation, *rung, problem, 1, &references, {.drawn = 1});
                EXPECT_TRUE(verification.verdict == Verdict::ok || verification.verdict == Verdict::refused)
                    << operation->name << "/" << rung->name << " on " << device->info().id << ": "
                    << verification.reason;
            }
    }
}

TEST(TwoGpus, TheDeviceThatIsUsedIsTheCurrentOne) {
    const auto h200 = open_device("simt"), t4 = open_device("simt:t4");
    const auto queue = h200->open_queue();
    EXPECT_EQ(lanework_simt::presented_gpu().name, "h200");
    t4->stream();
    EXPECT_EQ(lanework_simt::presented_gpu().name, "t4");
    const DeviceMemory memory = h200->allocate(16);
    EXPECT_EQ(lanework_simt::presented_gpu().name, "h200");
    t4->fill(memory.data(), std::byte{0}, 16);
    EXPECT_EQ(lanework_simt::presented_gpu().name, "t4");
    queue->stream();
    EXPECT_EQ(lanework_simt::presented_gpu().name, "h200");
}

// A static keeps what the first device said. Libraries keep addresses of functions, which no device changes.
TEST(TwoGpus, NoKernelsFileKeepsAFactInAStatic) {
    const std::regex kept(R"(^\s+static (const |thread_local )?[^(]*=)"), harmless(R"(constexpr|static_assert)");
    int read = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(LANEWORK_SOURCE_DIR "/ops")) {
        const std::filesystem::path& file = entry.path();
        const bool kernels = file.extension() == ".cu" || file.extension() == ".cuh";
        if (!kernels || file.parent_path().filename() == "library") continue;
        ++read;
        std::ifstream text(file);
        for (std::string line; std::getline(text, line);)
            EXPECT_FALSE(std::regex_search(line, kept) && !std::regex_search(line, harmless)) << file << ": " << line;
    }
    EXPECT_GT(read, 90);
}

}  // namespace
}  // namespace lanework

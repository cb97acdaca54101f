// Reading the management library: one that knows everything, one that knows little, one that does not start.
#include "src/machine/management.hpp"

#include <gtest/gtest.h>

#include <cstring>

#ifdef LANEWORK_NVML_HEADER  // the toolkit's, not the simt device's of that name
#include LANEWORK_NVML_HEADER
static_assert(sizeof(lanework::Management::Process) == sizeof(nvmlProcessInfo_t));
#endif

namespace lanework {
namespace {

using Device = Management::Device;

constexpr int kNotSupported = 3, kInsufficientSize = 7;

int fine() { return 0; }

Management small() {
    Management nvml;
    nvml.init = fine;
    nvml.shutdown = fine;
    nvml.driver_version = [](char* text, unsigned) { return std::strcpy(text, "580.65.06"), 0; };
    nvml.cuda_version = [](int* version) { return *version = 13000, 0; };
    nvml.count = [](unsigned* count) { return *count = 2, 0; };
    nvml.handle = [](unsigned index, Device** device) {
        *device = reinterpret_cast<Device*>(std::uintptr_t{index} + 1);
        return 0;
    };
    nvml.name = [](Device* device, char* text, unsigned) {
        std::strcpy(text, reinterpret_cast<std::uintptr_t>(device) == 1 ? "first" : "second");
        return 0;
    };
    return nvml;
}

TEST(Management, ReadsEveryGpu) {
    const DriverState state = read_driver(small(), 1);
    EXPECT_EQ(state.reason, "");
    EXPECT_EQ(state.version, "580.65.06");
    EXPECT_EQ(state.cuda, 13000);
    ASSERT_EQ(state.gpus.size(), 2u);
    EXPECT_EQ(state.gpus[0].name, "first");
    EXPECT_EQ(state.gpus[1].name, "second");
}

TEST(Management, LeavesOutWhatALibraryHasNotOrAGpuCannot) {
    Management nvml = small();
    nvml.temperature = [](Device*, int, unsigned*) { return kNotSupported; };
    const DriverState state = read_driver(nvml, 1);
    EXPECT_FALSE(state.gpus[0].temperature);
    EXPECT_FALSE(state.gpus[0].power);
    EXPECT_FALSE(state.gpus[0].others);
    EXPECT_TRUE(state_facts(state.gpus[0]).empty());
}

TEST(Management, AsksForTheSmClockAndTheMemoryClock) {
    Management nvml = small();
    nvml.clock = [](Device*, int which, unsigned* megahertz) { return *megahertz = 1000u + unsigned(which), 0; };
    nvml.power = [](Device*, unsigned* milliwatts) { return *milliwatts = 70500, 0; };
    nvml.ecc = [](Device*, int* now, int* later) { return *now = 0, *later = 1, 0; };
    nvml.capability = [](Device*, int* major, int* minor) { return *major = 12, *minor = 1, 0; };
    const GpuState gpu = read_driver(nvml, 1).gpus[0];
    EXPECT_EQ(gpu.sm_clock, 1001);
    EXPECT_EQ(gpu.memory_clock, 1002);
    EXPECT_EQ(gpu.power, 70.5);
    EXPECT_EQ(gpu.ecc, false) << "what holds now, not after the next start";
    EXPECT_EQ(gpu.capability, 121);
}

TEST(Management, LeavesThisProcessOutOfThoseThatUseAGpu) {
    Management nvml = small();
    nvml.processes = [](Device*, unsigned* count, Management::Process* processes) {
        if (*count < 2 || !processes) return *count = 2, kInsufficientSize;
        processes[0] = {.id = 41, .memory = 0, .instance = 0, .compute_instance = 0};
        processes[1] = {.id = 42, .memory = 0, .instance = 0, .compute_instance = 0};
        return *count = 2, 0;
    };
    EXPECT_EQ(read_driver(nvml, 41).gpus[0].others, std::vector<unsigned>{42});
}

TEST(Management, SaysWhyItDoesNotStart) {
    Management nvml = small();
    nvml.init = [] { return 9; };
    nvml.error_text = [](int) { return "Driver Not Loaded"; };
    const DriverState state = read_driver(nvml, 1);
    EXPECT_NE(state.reason.find("Driver Not Loaded"), std::string::npos);
    EXPECT_TRUE(state.gpus.empty());
    EXPECT_NE(read_driver(Management(), 1).reason, "");
}

}  // namespace
}  // namespace lanework

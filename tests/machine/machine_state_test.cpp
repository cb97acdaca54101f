// Drivers, permissions and states of GPUs that are not here, as sentences.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "src/machine/counter_permission.hpp"
#include "src/machine/driver_support.hpp"
#include "src/machine/gpu_state.hpp"
#include "src/machine/missing_gpu.hpp"
#include "tests/temporary_folder.hpp"

namespace lanework {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Toolkit, ThatABuildLeftOutIsNamedWithTheCommandThatPutsItIn) {
    EXPECT_EQ(describe_toolkit("13.0", "90", ""), "compiled with CUDA 13.0, code for 90");
    EXPECT_TRUE(contains(describe_toolkit("", "", ""), "install a CUDA toolkit"));
    const std::string here = describe_toolkit("", "", "/opt/cuda/bin/nvcc");
    EXPECT_TRUE(contains(here, "left out of this build, though /opt/cuda/bin/nvcc is here")) << here;
    EXPECT_TRUE(contains(here, "`CUDACXX=/opt/cuda/bin/nvcc cmake --preset release -DLANEWORK_CUDA=ON && ")) << here;
    EXPECT_FALSE(contains(here, "install")) << here;
}

TEST(CudaVersion, IsReadFromVersionsOfTwoAndOfThreeParts) {
    EXPECT_EQ(parse_cuda_version("13.0"), 13000);
    EXPECT_EQ(parse_cuda_version("12.8.93"), 12080);
    for (const char* none : {"", "13", "x.y", "13."}) EXPECT_EQ(parse_cuda_version(none), 0) << none;
}

TEST(Driver, OfTheSameOrANewerCudaRunsEverything) {
    EXPECT_TRUE(contains(describe_driver(13000, 13000), "supports CUDA 13.0")) << describe_driver(13000, 13000);
    EXPECT_FALSE(contains(describe_driver(13010, 12080), "too old"));
}

TEST(Driver, ALittleOlderRunsMachineCodeOnly) {
    EXPECT_TRUE(contains(describe_driver(12020, 12080), "PTX of this toolkit does not"));
}

TEST(Driver, OfAnOlderMajorReleaseIsTooOldAndSaysWhatToInstall) {
    const std::string text = describe_driver(12080, 13000);
    for (const char* part : {"too old", "driver 580 or newer", "CUDA 12.x toolkit", "cuda-compat-13-0"})
        EXPECT_TRUE(contains(text, part)) << part << "\n" << text;
    EXPECT_TRUE(contains(describe_driver(11040, 12000), "driver 525"));
}

constexpr std::uint64_t kAdmin = std::uint64_t{1} << 21, kPerfmon = std::uint64_t{1} << 38;

TEST(Counters, AreForEverybodyWhereTheDriverSaysSo) {
    EXPECT_TRUE(describe_counter_permission("Mobile: 1\nRmProfilingAdminOnly: 0\n", 0).starts_with("yes"));
}

TEST(Counters, AreForAdministratorsElseWithTheRemedy) {
    const std::string no = describe_counter_permission("RmProfilingAdminOnly: 1\n", 0);
    EXPECT_TRUE(no.starts_with("no")) << no;
    EXPECT_TRUE(contains(no, "NVreg_RestrictProfilingToAdminUsers=0")) << no;
    EXPECT_TRUE(describe_counter_permission("RmProfilingAdminOnly: 1\n", kAdmin).starts_with("yes"));
    EXPECT_TRUE(contains(describe_counter_permission("RmProfilingAdminOnly: 1\n", kPerfmon), "565"));
}

TEST(Counters, AreUnknownWhereTheDriverDoesNotSay) {
    EXPECT_TRUE(describe_counter_permission(std::nullopt, kAdmin).starts_with("unknown"));
    EXPECT_TRUE(describe_counter_permission("RmProfilingAdminOnly: \n", 0).starts_with("unknown"));
}

TEST(Counters, ReadTheCapabilitiesOfAProcess) {
    EXPECT_EQ(effective_capabilities("CapPrm:\t0\nCapEff:\t0000000000200000\nCapBnd:\tff\n"), kAdmin);
    EXPECT_EQ(effective_capabilities("nothing of the kind"), 0u);
}

TEST(HeldBack, NamesEveryReason) {
    EXPECT_EQ(words_of_held_back(0), "nothing");
    EXPECT_EQ(words_of_held_back(1), "it is idle");
    EXPECT_EQ(words_of_held_back(0x4 | 0x40), "its power limit, heat (the hardware slows it down)");
    EXPECT_TRUE(contains(words_of_held_back(0x80000), "0x80000"));
}

std::string fact(const GpuState& state, const char* name) {
    for (const Fact& each : state_facts(state))
        if (each.name == name) return each.value;
    return "";
}

TEST(State, LeavesOutWhatTheDriverDidNotAnswer) {
    GpuState state;
    EXPECT_TRUE(state_facts(state).empty());
    state.ecc = true;
    EXPECT_EQ(state_facts(state).size(), 1u);
}

TEST(State, SaysWhatIsInTheWayOfAMeasurement) {
    GpuState state;
    state.ecc = true;
    state.uncorrected_errors = 2;
    state.multi_instance = true;
    state.persistent = false;
    state.others = {17, 23};
    state.power = 312.4;
    state.power_limit = 700;
    state.sm_clock = 345;
    state.most_sm_clock = 1980;
    state.link_generation = 1;
    state.most_link_generation = 5;
    state.link_width = 16;
    state.most_link_width = 16;
    EXPECT_TRUE(contains(fact(state, "ECC"), "2 errors could not be corrected"));
    EXPECT_TRUE(contains(fact(state, "MIG"), "one instance"));
    EXPECT_TRUE(contains(fact(state, "persistence"), "nvidia-smi -pm 1"));
    EXPECT_EQ(fact(state, "other processes"), "processes 17, 23: figures suffer");
    EXPECT_EQ(fact(state, "power"), "312 W of 700 W");
    EXPECT_EQ(fact(state, "SM clock"), "345 of at most 1980 MHz");
    EXPECT_EQ(fact(state, "link"), "PCIe 1.0 x16, 5.0 under load");
    state.link_width = 4;
    EXPECT_TRUE(contains(fact(state, "link"), "x4 of x16"));
    state.others = std::vector<unsigned>();
    EXPECT_EQ(fact(state, "other processes"), "none");
}

TEST(MissingGpu, IsExplainedByTheFirstThingThatIsMissing) {
    const auto says = [](const GpuTraces& found, const char* part) {
        EXPECT_TRUE(contains(why_no_gpu(found), part)) << why_no_gpu(found);
    };
    says({}, "no NVIDIA GPU on the PCI bus");
    says({.container = true}, "--gpus all");
    says({.nvidia_on_bus = true}, "without its driver");
    says({.nvidia_on_bus = true, .nouveau = true}, "nouveau");
    says({.nvidia_on_bus = true, .kernel_module = true, .driver_library = true}, "/dev/nvidiactl is missing");
    says({.kernel_module = true, .container = true}, "Container Toolkit");
    says({.kernel_module = true, .device_nodes = true}, "libcuda.so.1 is missing");
    says({.device_nodes = true}, "modprobe nvidia");
    says({.windows_subsystem = true}, "in Windows");
    says({.nvidia_on_bus = true, .kernel_module = true, .hidden = true}, "CUDA_VISIBLE_DEVICES");
    says({.management_tool = true}, "parts of a driver");
}

TEST(GpuTraces, AreWhatLiesUnderTheRoot) {
    namespace fs = std::filesystem;
    const TemporaryFolder folder;
    const fs::path& root = folder.path();
    EXPECT_FALSE(look_around(root).nvidia_on_bus);
    const fs::path device = root / "sys/bus/pci/devices/0000:01:00.0";
    fs::create_directories(device);
    fs::create_directories(root / "dev");
    std::ofstream(device / "vendor") << "0x10de\n";
    std::ofstream(device / "class") << "0x040300\n";
    EXPECT_FALSE(look_around(root).nvidia_on_bus) << "its sound device is no GPU";
    std::ofstream(device / "class") << "0x030200\n";
    std::ofstream(root / "dev/nvidiactl") << "";
    std::ofstream(root / ".dockerenv") << "";
    const GpuTraces found = look_around(root);
    EXPECT_TRUE(found.nvidia_on_bus && found.device_nodes && found.container);
    EXPECT_FALSE(found.kernel_module || found.nouveau || found.windows_subsystem);
}

}  // namespace
}  // namespace lanework

// lanework info --registers, --ptx and --sass as a user types it.
#include <lanework/device.hpp>

#include "src/io/json.hpp"
#include "src/machine/cuda_toolkit.hpp"
#include "tests/cli/run.hpp"

namespace lanework {
namespace {

bool has_cuda() { return availability(DeviceKind::cuda).compiled; }

TEST(InfoOfKernels, SaysWhatIsWrongInOneLine) {
    expect_mistake("info gelu --sass", 2, "--registers, --ptx and --sass are of one rung: name it, as in gelu/RUNG");
    expect_mistake("info gelu/serial --ptx", 2, "gelu/serial has no CUDA kernels: ops/gelu/cpu/serial.cpp");
    expect_mistake("info gelu/serial --arch 90", 2, "give one of these, too");
    if (!has_cuda()) GTEST_SKIP() << "built without a CUDA toolkit";
    expect_mistake("info gelu/vectorized --registers --arch 5.0", 2, "`5.0` is not a compute capability");
    expect_mistake("info gelu/vectorized --registers --kernel naive", 2,
                   "there is no kernel naive here, but vectorized<");
    expect_mistake("info gelu/vectorized --registers --arch 121", 77, "nothing was recorded for architecture 121");
}

TEST(InfoOfKernels, ShowsWhatTheCompilerGaveThem) {
    if (!has_cuda()) GTEST_SKIP() << "built without a CUDA toolkit";
    const Said run = lanework_with("info transpose/padded_tile --registers --json -");
    ASSERT_EQ(run.status, 0) << run.err;
    const auto kernel = Json::parse(run.out)["info"][0];
    EXPECT_EQ(kernel["facts"]["kernel"], "padded_tile");
    EXPECT_EQ(kernel["figures"]["static_shared_bytes"], 32 * 33 * 4);
    EXPECT_EQ(kernel["figures"]["largest_block"], 1024);
}

// Half types come in packs of 16 bytes as floats do: nvcc takes a structure of halves apart where it is copied as one.
TEST(InfoOfKernels, ShowsThatGeluMovesSixteenBytesPerAccessOfEveryType) {
    if (!has_cuda()) GTEST_SKIP() << "built without a CUDA toolkit";
    if (find_toolkit_program("nvcc").empty()) GTEST_SKIP() << "nvcc is not on PATH";
    const Said run = lanework_with("info gelu/vectorized --ptx --arch 80 --json -");
    ASSERT_EQ(run.status, 0) << run.err;
    const auto kernels = Json::parse(run.out)["info"];
    EXPECT_EQ(kernels.size(), 6u) << "three types, two variants";
    for (const auto& kernel : kernels) {
        const std::string summary = kernel["facts"]["summary"];
        EXPECT_TRUE(contains(summary, "global loads 1 × 16 B, ")) << kernel["facts"]["kernel"] << ": " << summary;
        EXPECT_TRUE(contains(summary, "global stores 1 × 16 B, ")) << kernel["facts"]["kernel"] << ": " << summary;
    }
}

TEST(InfoOfKernels, ShowsTheMachineCodeOfThisProgram) {
    if (!has_cuda()) GTEST_SKIP() << "built without a CUDA toolkit";
    if (find_toolkit_program("cuobjdump").empty()) GTEST_SKIP() << "cuobjdump is not on PATH";
    const Said run = lanework_with("info transpose/padded_tile --sass");
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(contains(run.out, "padded_tile, sm_")) << run.out;
    EXPECT_TRUE(contains(run.out, "shared loads")) << run.out;
    EXPECT_TRUE(contains(run.out, "BAR.SYNC")) << run.out;
    EXPECT_EQ(run.err, "code from this program\n");
}

/// What `explain` says on stderr where PATH begins with this folder and no other toolkit is named.
std::string said_beside(const std::filesystem::path& folder, const std::string& more = "") {
    const Said run = shell("export CUDA_HOME= CUDA_PATH= HOME='" + folder.string() + "' PATH='" + folder.string() +
                           "':/usr/bin:/bin; lanework explain add/coalesced --size 1000 --json - " + more);
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_LE(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    EXPECT_EQ(Json::parse(run.out)["results"][0]["kernels"][0]["machine_code"], nullptr);
    return run.err;
}

TEST(ClimbWithoutMachineCode, SaysWhatIsMissingWhereItIsAskedFor) {
    if (availability(DeviceKind::simt).count == 0) GTEST_SKIP() << "no simt device in this build";
    const Folder folder;
    const ToolkitPlaces here{.path = "/usr/bin:/bin"};
    // A toolkit may be installed where every program is: then nothing is missing.
    if (!find_toolkit_program("nvcc", here).empty() && !find_toolkit_program("nvdisasm", here).empty()) return;
    const Said run =
        shell("export CUDA_HOME= CUDA_PATH= HOME='" + (folder / "").string() +
              "' PATH=/usr/bin:/bin; lanework climb add/coalesced --size 1000 --device simt --machine-code");
    EXPECT_EQ(run.status, 77) << run.err;
    EXPECT_TRUE(contains(run.err, "was not found on PATH")) << run.err;
}

TEST(ExplainWithoutMachineCode, SaysWhyInOneLine) {
    if (availability(DeviceKind::simt).count == 0) GTEST_SKIP() << "no simt device in this build";
    const Folder folder;
    const ToolkitPlaces here{.path = "/usr/bin:/bin"};
    for (const char* tool : {"nvcc", "nvdisasm"})
        if (find_toolkit_program(tool, here).empty()) {
            EXPECT_TRUE(
                contains(said_beside(folder / ""), std::string("counted as written: ") + tool + " was not found"));
            break;
        }
    for (const char* tool : {"nvcc", "nvdisasm"}) {
        std::ofstream(folder / tool) << "#!/bin/sh\necho 'error: not today' >&2\nexit 1\n";
        std::filesystem::permissions(folder / tool, std::filesystem::perms::owner_all);
    }
    EXPECT_TRUE(contains(said_beside(folder / ""), "counted as written: nvcc does not compile ops/add/coalesced.cu"));
    EXPECT_EQ(said_beside(folder / "", "--as-written"), "") << "that was asked for";
}

}  // namespace
}  // namespace lanework

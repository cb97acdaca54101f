// lanework occupancy as a user types it.
#include <lanework/device.hpp>

#include "src/gpu/kernel_records.hpp"
#include "src/io/json.hpp"
#include "tests/cli/run.hpp"

namespace lanework {
namespace {

TEST(OccupancyCommand, AnswersForAKernelThatIsDescribed) {
    const Said run = lanework_with("occupancy --threads 256 --regs 40 --smem 8K --arch 90");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.err, "");
    EXPECT_TRUE(contains(run.out, "6 blocks of 8 warps: 48 of 64 warps, 75.0%, limited by registers")) << run.out;
}

TEST(OccupancyCommand, ReadsEverySpelling) {
    const auto json = [](const std::string& words) { return lanework_with("occupancy --json - " + words).out; };
    const std::string expected = json("--threads 256 --smem 8K --arch 86");
    EXPECT_EQ(json("--threads 256 --smem 8192 --arch 8.6"), expected);
    EXPECT_EQ(json("--threads 256 --smem 8KiB --arch sm_86"), expected);
    EXPECT_EQ(Json::parse(expected)["occupancy"][0]["resources"]["dynamic_shared_bytes"], 8192);
    EXPECT_EQ(json("--threads 256 --smem 1M --arch 86"), json("--threads 256 --smem 1024K --arch 86"));
}

TEST(OccupancyCommand, SaysWhatIsWrongInOneLine) {
    expect_mistake("occupancy", 2, "give --threads (and --regs, --smem), or OP/RUNG");
    expect_mistake("occupancy --threads 0", 2, "--threads: `0` is not a whole number above 0");
    expect_mistake("occupancy --threads 256 --arch 5.0", 2, "`5.0` is not a compute capability");
    expect_mistake("occupancy --threads 256 --smem 8Q", 2, "--smem `8Q` is not a size");
    expect_mistake("occupancy --threads 256 --smem -1", 2, "--smem");
    expect_mistake("occupancy --threads 256 --smem 99999999999999999999", 2, "--smem");
    expect_mistake("occupancy --threads 256 --carveout 101", 2, "--carveout `101` is not a percentage");
    expect_mistake("occupancy transpose", 2, "transpose: name one of its rungs");
    expect_mistake("occupancy transpoze/naive", 2, "did you mean `transpose`?");
    expect_mistake("occupancy transpose/serial", 2, "transpose/serial is a rung for cpu: it has no kernels");
    if (availability(DeviceKind::simt).compiled || availability(DeviceKind::cuda).compiled)
        expect_mistake("occupancy transpose/paded_tile", 2, "did you mean `transpose/padded_tile`?");
}

TEST(OccupancyCommand, TakesImpossibleFiguresAsAQuestion) {
    const Said run = lanework_with("occupancy --threads 2147483647 --regs 2147483647 --smem 1073741824");
    EXPECT_EQ(run.status, 1) << run.err;
    EXPECT_TRUE(contains(run.out, "impossible: 2147483647 threads per block")) << run.out;
}

TEST(OccupancyCommand, DrawsAPicture) {
    const Said run =
        shell("cd $(mktemp -d) && lanework occupancy --threads 256 --svg a/b.svg >/dev/null && cat a/b.svg");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(run.out.starts_with("<")) << run.out;
    EXPECT_TRUE(contains(run.out, "threads per block"));
}

TEST(OccupancyCommand, KnowsTheRegistersOfRungs) {
    const Said run = lanework_with("occupancy transpose/padded_tile --threads 256");
    if (recorded_capabilities().empty()) {
        EXPECT_NE(run.status, 0);
        return;
    }
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(contains(run.out, "transpose/padded_tile as compiled for Hopper 9.0")) << run.out;
    const Said unsized = lanework_with("occupancy transpose/padded_tile");
    EXPECT_EQ(unsized.status, 0) << unsized.err;
    EXPECT_TRUE(contains(unsized.err, "add --threads")) << unsized.err;
    expect_mistake("occupancy transpose/padded_tile --threads 256 --arch 7.5", 77, "nothing was compiled for sm_75");
}

}  // namespace
}  // namespace lanework

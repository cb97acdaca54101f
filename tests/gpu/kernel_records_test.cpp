// What the compiler said of kernels: reading its report, and finding kernels in the record of this build.
#include "src/gpu/kernel_records.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <lanework/device.hpp>
#include <lanework/registry.hpp>

#include "src/gpu/ptxas_report.hpp"

namespace lanework {
namespace {

// As ptxas of CUDA 13 and of CUDA 12 print it; the second kernel calls a function that was not inlined.
constexpr const char* kReport =
    "ptxas info    : 0 bytes gmem\n"
    "ptxas info    : Compiling entry function '_Z3sumPKi' for 'sm_90'\n"
    "ptxas info    : Function properties for _Z3sumPKi\n"
    "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
    "ptxas info    : Used 32 registers, used 1 barriers, 4224 bytes smem\n"
    "ptxas info    : Compile time = 24.954 ms\n"
    "ptxas info    : Compiling entry function '_Z4bigPKi' for 'sm_100a'\n"
    "ptxas info    : Function properties for _Z4bigPKi\n"
    "    40 bytes stack frame, 36 bytes spill stores, 52 bytes spill loads\n"
    "ptxas info    : Function properties for _Z6helperv\n"
    "    8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads\n"
    "ptxas info    : Used 255 registers, 48 bytes cumulative stack size, 380 bytes cmem[0], 24 bytes cmem[3]\n";

TEST(PtxasReport, IsReadKernelByKernel) {
    const auto kernels = parse_ptxas_report(kReport);
    ASSERT_EQ(kernels.size(), 2u);
    EXPECT_EQ(kernels[0].symbol, "_Z3sumPKi");
    EXPECT_EQ(kernels[0].capability, 90);
    EXPECT_EQ(kernels[0].registers, 32);
    EXPECT_EQ(kernels[0].barriers, 1);
    EXPECT_EQ(kernels[0].static_shared_bytes, 4224);
    EXPECT_EQ(kernels[0].stack_bytes, 0);
    EXPECT_EQ(kernels[1].symbol, "_Z4bigPKi");
    EXPECT_EQ(kernels[1].capability, 100);
    EXPECT_EQ(kernels[1].registers, 255);
    EXPECT_EQ(kernels[1].barriers, 0);
    EXPECT_EQ(kernels[1].static_shared_bytes, 0);
    EXPECT_EQ(kernels[1].stack_bytes, 40);
    EXPECT_EQ(kernels[1].spill_store_bytes, 36);
    EXPECT_EQ(kernels[1].spill_load_bytes, 52);
    EXPECT_EQ(kernels[0].constant_bytes, kNotTold);
    EXPECT_EQ(kernels[1].constant_bytes, 380 + 24);
}

TEST(PtxasReport, MayHoldAnything) {
    EXPECT_TRUE(parse_ptxas_report("").empty());
    EXPECT_TRUE(parse_ptxas_report("warning: x\n    1 bytes stack frame\nptxas info    : Used 9 registers").empty());
    EXPECT_EQ(parse_ptxas_report("Compiling entry function 'f' for 'sm_75'").size(), 1u);
    EXPECT_EQ(parse_ptxas_report("Compiling entry function 'f").front().symbol, "");
}

KernelRecord record(const std::string& function, const std::string& arguments) {
    KernelRecord record{};
    record.function = function;
    record.arguments = arguments;
    return record;
}

TEST(KernelRecords, AreFoundByTheNameOfTheLaunch) {
    const KernelRecord plain = record("shared_tile", ""), typed = record("sum", "int, 4");
    EXPECT_TRUE(launches("shared_tile", plain));
    EXPECT_TRUE(launches("detail::shared_tile", plain));
    EXPECT_FALSE(launches("tile", plain));
    EXPECT_FALSE(launches("shared_tile_16", plain));
    EXPECT_TRUE(launches("sum<T, 4>", typed));
    EXPECT_TRUE(launches("sum<T, kWidth>", typed));
    EXPECT_TRUE(launches("sum<std::pair<A, B>, 4>", typed));
    EXPECT_TRUE(launches("sum", typed));
    EXPECT_FALSE(launches("sum<T, 8>", typed));
}

TEST(KernelRecords, AreNamedByTheirSymbols) {
    EXPECT_EQ(kernel_name("_ZN12_GLOBAL__N_13sumIiLi4EEEvPKT_i"), "sum<int, 4>");
    EXPECT_EQ(kernel_name("plain_c"), "plain_c");
    EXPECT_EQ(kernel_name("f"), "f") << "which as a mangled type is float";
    EXPECT_TRUE(is_kernel("sum<int, 4>", "sum"));
    EXPECT_TRUE(is_kernel("sum<int, 4>", "sum<int, 4>"));
    EXPECT_FALSE(is_kernel("sum<int, 4>", "su"));
    EXPECT_FALSE(is_kernel("sum", "sums"));
}

TEST(KernelRecords, OfUnknownThingsAreNone) {
    EXPECT_TRUE(kernel_records("transpose", "no_such_rung", 90).empty());
    EXPECT_TRUE(kernel_records("", "", 0).empty());
    EXPECT_TRUE(kernel_records("transpose", "padded_tile", 1).empty());
}

class RecordsOfThisBuild : public testing::Test {
protected:
    void SetUp() override {
        if (!availability(DeviceKind::cuda).compiled) GTEST_SKIP() << "built without a CUDA toolkit";
        ASSERT_FALSE(recorded_capabilities().empty());
    }
};

TEST_F(RecordsOfThisBuild, HoldEveryRungForGpus) {
    for (const int capability : recorded_capabilities())
        for (const Rung* rung : rungs()) {
            const bool copies_alone =
                rung->operation == "transfer" && (rung->name == "pageable" || rung->name == "pinned");
            const bool ours = rung->device == DeviceKind::cuda && !rung->library && !copies_alone;
            EXPECT_EQ(ours && kernel_records(rung->operation, rung->name, capability).empty(), false)
                << rung->operation << "/" << rung->name << " for " << capability;
        }
}

// A tile of 32 rows of 33 words, 4 bytes each; a reduction that is a template of its form and type.
TEST_F(RecordsOfThisBuild, AreWhatTheSourceSays) {
    const int capability = recorded_capabilities().front();
    const auto tile = kernel_records("transpose", "padded_tile", capability);
    ASSERT_EQ(tile.size(), 1u);
    EXPECT_EQ(tile[0].name, "padded_tile");
    EXPECT_EQ(tile[0].function, "padded_tile");
    EXPECT_EQ(kernel_name(std::string(tile[0].symbol)), "padded_tile");
    EXPECT_EQ(tile[0].static_shared_bytes, 32 * 33 * 4);
    EXPECT_EQ(tile[0].barriers, 1);
    EXPECT_GT(tile[0].registers_per_thread, 0);
    EXPECT_LE(tile[0].registers_per_thread, 255);
    const auto sums = kernel_records("reduce", "warp_shuffle", capability);
    EXPECT_TRUE(std::ranges::any_of(
        sums, [](const KernelRecord& each) { return each.arguments == "(lanework::ReduceForm)0, int"; }));
    for (const KernelRecord& each : sums) EXPECT_EQ(each.name, each.function + "<" + each.arguments + ">");
}

}  // namespace
}  // namespace lanework

// Which code of a program a GPU runs, for GPUs that are not here.
#include "src/machine/native_code.hpp"

#include <gtest/gtest.h>

namespace lanework {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

ChosenCode chosen(const char* architectures, int capability) {
    return choose_code(parse_compiled_code(architectures), capability);
}

TEST(CompiledCode, IsReadFromCMakesWords) {
    const auto code = parse_compiled_code("75-virtual;86,90a-real,native,120f,x,90-odd");
    ASSERT_EQ(code.size(), 4u);
    EXPECT_TRUE(code[0].number == 75 && code[0].ptx && !code[0].machine_code);
    EXPECT_TRUE(code[1].number == 86 && code[1].ptx && code[1].machine_code);
    EXPECT_TRUE(code[2].number == 90 && code[2].restriction == 'a' && code[2].machine_code && !code[2].ptx);
    EXPECT_TRUE(code[3].number == 120 && code[3].restriction == 'f' && code[3].ptx && code[3].machine_code);
    EXPECT_TRUE(parse_compiled_code("").empty());
}

TEST(ChosenCode, IsMachineCodeOfTheVeryCapabilityWhereThereIsSome) {
    EXPECT_EQ(chosen("75-virtual,90", 90).kind, CodeKind::exact);
    EXPECT_EQ(chosen("90a-real", 90).kind, CodeKind::exact);
    EXPECT_EQ(chosen("80,86,89", 89).code.number, 89);
}

TEST(ChosenCode, IsMachineCodeOfAnOlderCapabilityOfTheSameGeneration) {
    EXPECT_EQ(chosen("80", 86).kind, CodeKind::same_generation);
    EXPECT_EQ(chosen("80,86", 89).code.number, 86);
    EXPECT_NE(chosen("89-real", 86).kind, CodeKind::same_generation) << "not of a newer one";
    EXPECT_NE(chosen("86-real", 90).kind, CodeKind::same_generation) << "not of another generation";
    EXPECT_NE(chosen("100a-real", 103).kind, CodeKind::same_generation) << "not what is for one capability alone";
    EXPECT_EQ(chosen("100f-real", 103).kind, CodeKind::same_generation);
    EXPECT_NE(chosen("86-real", 87).kind, CodeKind::same_generation) << "not on a chip with its own system";
}

TEST(ChosenCode, IsTheNewestPtxThatIsNotNewerThanTheGpu) {
    const ChosenCode found = chosen("75-virtual,80-virtual,90", 89);
    EXPECT_EQ(found.kind, CodeKind::ptx);
    EXPECT_EQ(found.code.number, 80);
    EXPECT_EQ(chosen("75-virtual,90", 120).code.number, 90) << "a plain 90 has PTX too";
    EXPECT_EQ(chosen("90a", 100).kind, CodeKind::none) << "PTX for one capability alone goes no further";
}

TEST(ChosenCode, IsNoneForAGpuThatIsTooOld) {
    EXPECT_EQ(chosen("75-virtual,90", 61).kind, CodeKind::none);
    EXPECT_EQ(chosen("", 90).kind, CodeKind::none);
}

TEST(DescribedCode, SaysTheCostAndTheRemedy) {
    const auto words = [](const char* architectures, int capability, bool cache_off = false) {
        return describe_code(chosen(architectures, capability), capability, cache_off);
    };
    EXPECT_TRUE(contains(words("90", 90), "sm_90): starts at once")) << words("90", 90);
    EXPECT_TRUE(contains(words("80", 86), "CMAKE_CUDA_ARCHITECTURES=86")) << words("80", 86);
    EXPECT_TRUE(contains(words("75-virtual", 89), "compute_75")) << words("75-virtual", 89);
    EXPECT_TRUE(contains(words("75-virtual", 89), "ComputeCache")) << words("75-virtual", 89);
    EXPECT_TRUE(contains(words("75-virtual", 89, true), "at every start")) << words("75-virtual", 89, true);
    EXPECT_TRUE(contains(words("90", 61), "nothing in this program runs on sm_61")) << words("90", 61);
}

}  // namespace
}  // namespace lanework

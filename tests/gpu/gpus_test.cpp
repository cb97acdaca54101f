// Published figures: they follow from clocks and units, and must come out as the datasheets round them.
#include "src/gpu/gpus.hpp"

#include <gtest/gtest.h>

namespace lanework {
namespace {

double tera(const char* gpu, DType dtype) { return parse_gpu(gpu).peak_flops(dtype) / 1e12; }

TEST(Gpus, HaveTheRatesOfTheirDatasheets) {
    EXPECT_NEAR(tera("h200", DType::float32), 67, 0.5);
    EXPECT_NEAR(tera("h200", DType::float64), 34, 0.6);
    EXPECT_NEAR(tera("h200", DType::float16), 133.8, 0.5);
    EXPECT_NEAR(tera("a100", DType::float16), 78, 0.5);
    EXPECT_NEAR(tera("a100", DType::bfloat16), 39, 0.5);
    EXPECT_NEAR(tera("rtx3090", DType::float16), 35.6, 0.5);
    EXPECT_NEAR(tera("rtx4090", DType::float16), 82.6, 0.5);
    EXPECT_NEAR(tera("rtx5090", DType::float16), 104.8, 0.5);
}

TEST(Gpus, ReadSharedMemoryAt128BytesPerClockAndSm) {
    EXPECT_NEAR(parse_gpu("h200").peak_shared_bandwidth() / 1e12, 33.5, 0.1);
}

TEST(Gpus, AreFoundByTheirDriversName) {
    ASSERT_NE(find_gpu("NVIDIA H200"), nullptr);
    EXPECT_EQ(find_gpu("NVIDIA H200")->name, "h200");
    EXPECT_EQ(find_gpu("Tesla T4")->name, "t4");
    EXPECT_EQ(find_gpu("NVIDIA H200 NVL"), nullptr) << "another product with other figures";
    EXPECT_EQ(find_gpu(""), nullptr);
}

TEST(Capabilities, KnowTheCoresOfAnSm) {
    EXPECT_EQ(cores_per_sm(61), 128);
    EXPECT_EQ(cores_per_sm(70), 64);
    EXPECT_EQ(cores_per_sm(75), 64);
    EXPECT_EQ(cores_per_sm(80), 64);
    for (const int number : {86, 87, 89, 90, 100, 103, 110, 120, 121}) EXPECT_EQ(cores_per_sm(number), 128) << number;
    EXPECT_EQ(cores_per_sm(35), 0);
}

}  // namespace
}  // namespace lanework

// Limits: interpolated between sizes and between reading, copying and writing; and the ceilings that they come from.
#include "src/measure/ceilings.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "src/measure/ceiling_cache.hpp"
#include "tests/measure/doubles.hpp"

namespace lanework {
namespace {

TEST(Ceilings, OfNarrowTypesAreThoseOfTheTypesInWhichPlainUnitsComputeThem) {
    Ceilings ceilings;
    ceilings.fma = {{DType::int32, 10}, {DType::float32, 20}};
    EXPECT_EQ(ceilings.flops_per_second(DType::int8, Arithmetic::of_matrices), 10);
    EXPECT_EQ(ceilings.flops_per_second(DType::float8_e4m3, Arithmetic::of_matrices), 20);
    EXPECT_EQ(ceilings.flops_per_second(DType::tfloat32, Arithmetic::any), 20);
}

TEST(Ceilings, OfTensorCoresThatProveFasterLeaveThePlainUnitsAsTheyAre) {
    Ceilings ceilings;
    ceilings.fma = {{DType::int32, 10}};
    ceilings.mma = {{DType::float16, 900}};
    ceilings.raise_to({.flops = 1500}, DType::int8, 1, Arithmetic::of_matrices);
    EXPECT_EQ(ceilings.flops_per_second(DType::int8, Arithmetic::of_matrices), 1500);
    EXPECT_EQ(ceilings.flops_per_second(DType::int32, Arithmetic::of_matrices), 10);
    EXPECT_EQ(ceilings.flops_per_second(DType::float16, Arithmetic::of_matrices), 900);
}

TEST(Ceilings, AnOperationThatIsNoMultiplyAddTakesThePlaceOfOne) {
    Ceilings ceilings;
    ceilings.fma = {{DType::float32, 100}};
    EXPECT_EQ(ceilings.limit({.operations = 150}, DType::float32).seconds, 3);
    EXPECT_EQ(ceilings.limit({.flops = 100, .operations = 150}, DType::float32).seconds, 4);
    EXPECT_EQ(ceilings.limit({.operations = 150}, DType::float32).bound, Bound::compute);
    ceilings.raise_to({.operations = 150}, DType::float32, 2);
    EXPECT_EQ(ceilings.flops_per_second(DType::float32, Arithmetic::any), 150);
}

Ceilings example() {
    Ceilings ceilings;
    ceilings.read = {{1000, 1.0}, {3000, 2.0}};
    ceilings.copy = {{1000, 2.0}, {3000, 4.0}};
    ceilings.write = {{1000, 3.0}, {3000, 6.0}};
    ceilings.fma = {{DType::float32, 100}};
    return ceilings;
}

double seconds(const Work& work) { return example().limit(work, DType::int32).seconds; }

TEST(Ceilings, ProductsOfMatricesAreHeldAgainstTheFasterUnits) {
    Ceilings ceilings = example();
    ceilings.fma = {{DType::int32, 30}, {DType::float32, 60}, {DType::float16, 100}};
    ceilings.mma = {{DType::float16, 900}, {DType::bfloat16, 600}};
    EXPECT_EQ(ceilings.flops_per_second(DType::float16, Arithmetic::any), 100);
    EXPECT_EQ(ceilings.flops_per_second(DType::float16, Arithmetic::of_matrices), 900);
    EXPECT_EQ(ceilings.flops_per_second(DType::float32, Arithmetic::of_matrices), 600.0 / kPieceProducts);
    EXPECT_EQ(ceilings.flops_per_second(DType::int32, Arithmetic::of_matrices), 30);
    EXPECT_EQ(arithmetic_of("matmul"), Arithmetic::of_matrices);
    EXPECT_EQ(arithmetic_of("gelu"), Arithmetic::any);
}

TEST(Ceilings, AFasterProductRaisesTheRateOfTheUnitsOfMatricesAlone) {
    Ceilings ceilings = example();
    ceilings.fma = {{DType::float32, 60}, {DType::float16, 100}};
    ceilings.mma = {{DType::float16, 900}, {DType::bfloat16, 600}};
    ceilings.raise_to({.flops = 1000}, DType::float16, 1, Arithmetic::of_matrices);
    ceilings.raise_to({.flops = 240}, DType::float32, 1, Arithmetic::of_matrices);
    EXPECT_EQ(ceilings.flops_per_second(DType::float16, Arithmetic::any), 100);
    EXPECT_EQ(ceilings.flops_per_second(DType::float32, Arithmetic::any), 60);
    EXPECT_EQ(ceilings.flops_per_second(DType::float16, Arithmetic::of_matrices), 1000);
    EXPECT_EQ(ceilings.flops_per_second(DType::float32, Arithmetic::of_matrices), 240);
}

TEST(Limit, IsWhatWasMeasuredAtAMeasuredSize) {
    EXPECT_DOUBLE_EQ(seconds({.bytes_read = 1000}), 1);
    EXPECT_DOUBLE_EQ(seconds({.bytes_read = 500, .bytes_written = 500}), 2);
    EXPECT_DOUBLE_EQ(seconds({.bytes_written = 3000}), 6);
}

TEST(Limit, IsLinearBetweenMeasuredSizes) { EXPECT_DOUBLE_EQ(seconds({.bytes_read = 2000}), 1.5); }

TEST(Limit, FollowsTheLastBandwidthBeyondTheLargestSize) { EXPECT_DOUBLE_EQ(seconds({.bytes_read = 6000}), 4); }

TEST(Limit, ShrinksInProportionBelowTheSmallestSize) {
    EXPECT_DOUBLE_EQ(seconds({.bytes_read = 100}), 0.1);
    EXPECT_DOUBLE_EQ(seconds({}), 0);
}

TEST(Limit, MixesReadingCopyingAndWritingByTheShareWritten) {
    EXPECT_DOUBLE_EQ(seconds({.bytes_read = 750, .bytes_written = 250}), 1.5);
    EXPECT_DOUBLE_EQ(seconds({.bytes_read = 250, .bytes_written = 750}), 2.5);
}

TEST(Limit, IsTheLaterOfMovingAndComputing) {
    const Work work{.bytes_read = 1000, .flops = 250};
    const Limit limit = example().limit(work, DType::float32);
    EXPECT_EQ(limit.bound, Bound::compute);
    EXPECT_DOUBLE_EQ(limit.seconds, 2.5);
    EXPECT_EQ(example().limit({.bytes_read = 3000, .flops = 100}, DType::float32).bound, Bound::memory);
}

TEST(Limit, KnowsNoComputeBoundForATypeWithoutARate) {
    EXPECT_EQ(example().limit({.bytes_read = 1000, .flops = 1 << 30}, DType::uint8).bound, Bound::memory);
}

Ceilings with_link() {
    Ceilings ceilings = example();
    ceilings.upload = {{1000, 10.0}};
    ceilings.download = {{1000, 8.0}};
    return ceilings;
}

TEST(Limit, OfTheLinkIsTheLaterOfItsDirections) {
    const Limit up = with_link().limit({.bytes_uploaded = 1000, .bytes_downloaded = 1000}, DType::int32);
    EXPECT_EQ(up.bound, Bound::link);
    EXPECT_DOUBLE_EQ(up.seconds, 10);
    EXPECT_DOUBLE_EQ(with_link().limit({.bytes_uploaded = 500, .bytes_downloaded = 2000}, DType::int32).seconds, 16);
    EXPECT_EQ(with_link().limit({.bytes_read = 30'000, .bytes_uploaded = 1000}, DType::int32).bound, Bound::memory);
}

TEST(Limit, WithoutALinkIsOfReadingWhatWouldBeUploadedAndWritingWhatWouldBeDownloaded) {
    EXPECT_DOUBLE_EQ(seconds({.bytes_uploaded = 1000}), seconds({.bytes_read = 1000}));
    EXPECT_DOUBLE_EQ(seconds({.bytes_read = 500, .bytes_downloaded = 500}), 2);
    EXPECT_EQ(example().limit({.bytes_uploaded = 1000}, DType::int32).bound, Bound::memory);
}

TEST(Ceilings, NameTheBandwidthOfTheLargestSize) {
    EXPECT_DOUBLE_EQ(example().read_bandwidth(), 1500);
    EXPECT_DOUBLE_EQ(example().copy_bandwidth(), 750);
    EXPECT_DOUBLE_EQ(example().write_bandwidth(), 500);
    EXPECT_DOUBLE_EQ(Ceilings().copy_bandwidth(), 0);
}

TEST(Ceilings, KeepTheFasterOfTwoPointsAndRiseWithSize) {
    auto points = with_point({{1000, 2.0}, {3000, 3.0}}, {1000, 1.5});
    EXPECT_DOUBLE_EQ(points[0].seconds, 1.5);
    points = with_point(points, {1000, 9.0});
    EXPECT_DOUBLE_EQ(points[0].seconds, 1.5);
    points = with_point(points, {2000, 1.0});  // a larger size was faster: the smaller cannot take longer
    ASSERT_EQ(points.size(), 3U);
    EXPECT_EQ(points[1].bytes, 2000U);
    EXPECT_DOUBLE_EQ(points[0].seconds, 1.0);
}

TEST(Ceilings, ASlowerRunOfAnotherSizeLowersNothing) {
    const std::vector<TransferPoint> known{{1000, 1.0}, {2000, 2.0}};
    EXPECT_EQ(with_faster_point(known, {4000, 9.0}).size(), 2U);  // 4 s by the bandwidth of the largest
    EXPECT_EQ(with_faster_point(known, {1500, 1.6}).size(), 2U);  // 1.5 s by interpolation
    EXPECT_EQ(with_faster_point(known, {4000, 3.9}).back().seconds, 3.9);
    EXPECT_EQ(with_faster_point({}, {4000, 9.0}).size(), 1U);
}

TEST(Ceilings, RaisedToATimeGiveThatTimeAsTheLimit) {
    const Work works[] = {{.bytes_read = 2000},
                          {.bytes_read = 1500, .bytes_written = 500},
                          {.bytes_read = 1000, .bytes_written = 1000},
                          {.bytes_written = 5000},
                          {.bytes_read = 100, .bytes_written = 50},
                          {.bytes_read = 1000, .flops = 1000},
                          {.bytes_read = 1000, .bytes_uploaded = 4000, .bytes_downloaded = 3000}};
    for (const Work& work : works) {
        Ceilings ceilings = with_link();
        const double seconds = ceilings.limit(work, DType::float32).seconds / 16;
        ceilings.raise_to(work, DType::float32, seconds);
        EXPECT_NEAR(ceilings.limit(work, DType::float32).seconds, seconds, 1e-12);
    }
}

TEST(Ceilings, RaisedToATimeKeepWhatItSaysNothingOf) {
    Ceilings ceilings = with_link();
    ceilings.raise_to({.bytes_read = 1000, .flops = 10}, DType::float32, 0.5);
    EXPECT_DOUBLE_EQ(ceilings.read[0].seconds, 0.5);
    EXPECT_DOUBLE_EQ(ceilings.copy[0].seconds, 2);
    EXPECT_DOUBLE_EQ(ceilings.write[0].seconds, 3);
    EXPECT_DOUBLE_EQ(ceilings.fma[0].flops_per_second, 100);
    EXPECT_DOUBLE_EQ(ceilings.upload[0].seconds, 10);
    ceilings.raise_to({.bytes_read = 1000}, DType::float32, 9);
    EXPECT_DOUBLE_EQ(ceilings.read[0].seconds, 0.5);
}

// A folder of its own for the cache.
class CeilingCache : public ::testing::Test {
protected:
    void SetUp() override {
        ::setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
        std::filesystem::remove_all(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    void write(std::string_view text) {
        std::filesystem::create_directories(file_.parent_path());
        FILE* const stream = std::fopen(file_.c_str(), "w");
        ASSERT_NE(stream, nullptr);
        std::fwrite(text.data(), 1, text.size(), stream);
        std::fclose(stream);
    }
    const std::filesystem::path folder_ =
        std::filesystem::temp_directory_path() / ("lanework_ceilings_test." + std::to_string(::getpid()));
    const std::filesystem::path file_ = folder_ / "lanework" / "ceilings.json";
};

Ceilings stored(const std::string& fingerprint) {
    Ceilings ceilings = example();
    ceilings.device = "cpu";
    ceilings.fingerprint = fingerprint;
    ceilings.measured_at = "2026-01-31T12:00:00Z";
    ceilings.read[0].seconds = 0.1 + 0.2;
    return ceilings;
}

TEST_F(CeilingCache, LiesInTheUsersCacheFolder) { EXPECT_EQ(ceiling_cache_file(), file_); }

TEST_F(CeilingCache, ReturnsWhatWasStoredForTheSameDevice) {
    store_ceilings(file_, stored("one"));
    store_ceilings(file_, stored("two"));
    for (const std::string fingerprint : {"one", "two"}) {
        const auto loaded = load_ceilings(file_, fingerprint);
        ASSERT_TRUE(loaded);
        EXPECT_EQ(loaded->fingerprint, fingerprint);
        EXPECT_EQ(loaded->device, "cpu");
        EXPECT_EQ(loaded->measured_at, "2026-01-31T12:00:00Z");
        ASSERT_EQ(loaded->read.size(), 2U);
        EXPECT_EQ(loaded->read[0].bytes, 1000U);
        EXPECT_EQ(loaded->read[0].seconds, 0.1 + 0.2);
        ASSERT_EQ(loaded->fma.size(), 1U);
        EXPECT_EQ(loaded->fma[0].dtype, DType::float32);
        EXPECT_EQ(loaded->fma[0].flops_per_second, 100);
    }
    EXPECT_FALSE(load_ceilings(file_, "three"));
}

TEST_F(CeilingCache, KeepsTheLinkOfADeviceThatHasOne) {
    Ceilings linked = with_link();
    linked.fingerprint = "linked";
    store_ceilings(file_, linked);
    store_ceilings(file_, stored("alone"));
    const auto loaded = load_ceilings(file_, "linked");
    ASSERT_TRUE(loaded && loaded->has_link());
    EXPECT_EQ(loaded->upload[0].seconds, 10);
    EXPECT_EQ(loaded->download[0].seconds, 8);
    EXPECT_FALSE(load_ceilings(file_, "alone")->has_link());
}

TEST_F(CeilingCache, TakesATransferForACeilingOnlyWhereThereIsALink) {
    Measurement upload;
    upload.operation = "transfer";
    upload.variant = "upload";
    upload.work = {.bytes_written = 1000, .bytes_uploaded = 1000};
    upload.cold_s = {5.0};
    EXPECT_TRUE(is_ceiling(upload));
    Ceilings linked = with_link(), alone = stored("alone");
    raise(linked, upload);
    raise(alone, upload);
    EXPECT_DOUBLE_EQ(linked.upload[0].seconds, 5);
    EXPECT_DOUBLE_EQ(linked.download[0].seconds, 8);
    EXPECT_FALSE(alone.has_link());
}

TEST_F(CeilingCache, LeavesNoTemporaryFileBehind) {
    store_ceilings(file_, stored("one"));
    const auto files = std::filesystem::directory_iterator(file_.parent_path());
    EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST_F(CeilingCache, IgnoresAndReplacesAFileThatCannotBeUnderstood) {
    for (const std::string_view text :
         {"", "{", "[]", R"({"schema":2,"devices":{}})", R"({"schema":1,"devices":[]})",
          R"({"schema":1,"devices":{"one":7}})",
          R"({"schema":1,"devices":{"one":{"device":"cpu","measured_at":"","copy":[],"read":[],"write":[]}}})",
          R"({"schema":1,"devices":{"one":{"device":"cpu","measured_at":"","copy":[{"bytes":8,"seconds":-1}],)"
          R"("read":[{"bytes":8,"seconds":1}],"write":[{"bytes":8,"seconds":1}],"fma_flops_per_second":{}}}})"}) {
        write(text);
        EXPECT_FALSE(load_ceilings(file_, "one")) << text;
        store_ceilings(file_, stored("one"));
        EXPECT_TRUE(load_ceilings(file_, "one")) << text;
    }
}

TEST_F(CeilingCache, IsSilentWhereNothingCanBeWritten) {
    store_ceilings("/proc/lanework/ceilings.json", stored("one"));
    EXPECT_FALSE(load_ceilings("/proc/lanework/ceilings.json", "one"));
}

TEST_F(CeilingCache, LearnsFromAFasterRunOfACeilingsOwnOperation) {
    Ceilings known = stored("one");
    Measurement copy;
    copy.operation = "copy";
    copy.work = {.bytes_read = 500, .bytes_written = 500};
    copy.cold_s = {1.5, 1.25, 1.75};
    EXPECT_TRUE(is_ceiling(copy));
    raise(known, copy);
    EXPECT_DOUBLE_EQ(known.copy[0].seconds, 1.25);
    EXPECT_DOUBLE_EQ(load_ceilings(file_, "one")->copy[0].seconds, 1.25);

    Measurement fma;
    fma.operation = "fma";
    fma.problem.dtype = DType::float32;
    fma.work = {.flops = 300};
    fma.cold_s = {2.0};
    raise(known, fma);
    EXPECT_DOUBLE_EQ(known.fma[0].flops_per_second, 150);

    copy.cold_s = {9.0};
    raise(known, copy);
    EXPECT_DOUBLE_EQ(known.copy[0].seconds, 1.25);
    copy.operation = "transpose";
    EXPECT_FALSE(is_ceiling(copy));
}

TEST_F(CeilingCache, SparesMeasuringTheSameDeviceAgain) {
    testing::ScriptedDevice device;
    const Ceilings first = ceilings(device, {});
    EXPECT_FALSE(first.copy.empty());
    EXPECT_FALSE(first.read.empty());
    EXPECT_FALSE(first.write.empty());
    EXPECT_EQ(first.fma.size(), 3U);
    int measured = 0;
    const auto progress = [&measured](std::string_view) { ++measured; };
    EXPECT_EQ(ceilings(device, {.progress = progress}).measured_at, first.measured_at);
    EXPECT_EQ(measured, 0);
    static_cast<void>(ceilings(device, {.refresh = true, .progress = progress}));
    EXPECT_GT(measured, 0);
}

}  // namespace
}  // namespace lanework

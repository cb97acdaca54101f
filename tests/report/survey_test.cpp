// Surveys beside published figures.
#include "src/report/results/survey.hpp"
#include "src/io/json.hpp"

#include <gtest/gtest.h>

namespace lanework {
namespace {

Reading reading(Part part, Unit unit, double value, DType dtype = DType::float32) {
    return {"group", "name", "by", unit, value, part, dtype};
}

Survey example() {
    return {.device = "cuda:0",
            .fingerprint = "",
            .measured_at = "2026-01-31T12:00:00Z",
            .readings = {reading(Part::memory, Unit::bytes_per_second, 2.4e12),
                         reading(Part::none, Unit::seconds, 2.5e-6)}};
}

TEST(Survey, KnowsWhatIsPublishedOfEachPart) {
    const Gpu* const h200 = find_gpu("NVIDIA H200");
    ASSERT_NE(h200, nullptr);
    EXPECT_DOUBLE_EQ(*published(reading(Part::memory, Unit::bytes_per_second, 1), h200), 4.8e12);
    EXPECT_DOUBLE_EQ(*published(reading(Part::link, Unit::bytes_per_second, 1), h200), 64e9);
    EXPECT_NEAR(*published(reading(Part::arithmetic, Unit::flops_per_second, 1, DType::float64), h200), 33.5e12, 1e11);
    EXPECT_NEAR(*published(reading(Part::shared_memory, Unit::bytes_per_second, 1), h200), 33.5e12, 1e11);
    EXPECT_FALSE(published(reading(Part::none, Unit::seconds, 1), h200));
    EXPECT_FALSE(published(reading(Part::memory, Unit::bytes_per_second, 1), nullptr));
    EXPECT_FALSE(published(reading(Part::link, Unit::bytes_per_second, 1), find_gpu("NVIDIA B200"))) << "no source";
}

TEST(Survey, IsATableWithTheShareOfThePublishedFigure) {
    const Table table = survey_table(example(), find_gpu("NVIDIA H200"));
    ASSERT_EQ(table.columns.size(), 5u);
    EXPECT_EQ(table.rows[0], (std::vector<std::string>{"group", "name", "2.40 TB/s", "50.0% of 4.80 TB/s", "by"}));
    EXPECT_EQ(table.rows[1], (std::vector<std::string>{"", "name", "2.50 µs", "", "by"}));
}

TEST(Survey, HasNoColumnOfPublishedFiguresWhereThereAreNone) {
    EXPECT_EQ(survey_table(example(), nullptr).columns.size(), 4u);
}

TEST(Survey, IsJsonWithNumbersAndUnits) {
    const DescribedDevice device{.facts = {"cuda:0", {}, {}}, .survey = example(), .gpu = find_gpu("NVIDIA H200")};
    const auto document = Json::parse(devices_to_json(std::span(&device, 1)));
    const auto& measured = document["devices"][0]["measured"];
    EXPECT_EQ(document["schema"], 1);
    EXPECT_EQ(document["devices"][0]["measured_at"], "2026-01-31T12:00:00Z");
    EXPECT_EQ(measured[0]["value"], 2.4e12);
    EXPECT_EQ(measured[0]["unit"], "bytes/s");
    EXPECT_EQ(measured[0]["published"], 4.8e12);
    EXPECT_EQ(measured[0]["fraction"], 0.5);
    EXPECT_EQ(measured[1]["unit"], "s");
    EXPECT_FALSE(measured[1].contains("fraction"));
}

TEST(Survey, OfTheModelSaysThatItsTimesAreNotAGpus) {
    DescribedDevice device{.facts = {"simt", {}, {}}, .survey = example()};
    device.survey->device = "simt";
    EXPECT_NE(draw(std::span(&device, 1), {}).find("not a GPU's"), std::string::npos);
    device.survey->device = "cuda:0";
    EXPECT_EQ(draw(std::span(&device, 1), {}).find("not a GPU's"), std::string::npos);
}

}  // namespace
}  // namespace lanework

// Differences of pictures: counted by hand where they are few.
#include "src/pictures/image_comparison.hpp"
#include "src/io/json.hpp"

#include <gtest/gtest.h>

#include <lanework/error.hpp>

#include "src/report/results/json.hpp"

namespace lanework {
namespace {

const Image kFirst{2, 2, 3, {10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120}};

Image changed() {
    Image image = kFirst;
    image.pixels[1] = 23;    // x 0, y 0, green: 3 up
    image.pixels[5] = 40;    // x 1, y 0, blue: 20 down
    image.pixels[9] = 120;   // x 1, y 1, red: 20 up, later
    image.pixels[11] = 121;  // 1 up
    return image;
}

TEST(ImageComparison, CountsAndPlacesDifferences) {
    const ImageComparison c = compare_images(kFirst, changed());
    EXPECT_EQ(c.samples, 12);
    EXPECT_EQ(c.mismatches(), 4);
    EXPECT_EQ(c.histogram[0], 8);
    EXPECT_EQ(c.histogram[1], 1);
    EXPECT_EQ(c.histogram[3], 1);
    EXPECT_EQ(c.histogram[20], 2);
    EXPECT_EQ(c.largest, (SampleDifference{1, 0, 2, 60, 40}));
    EXPECT_EQ(c.most(), 20);
    // 10·log₁₀(255² · 12 / (9 + 400 + 400 + 1))
    EXPECT_NEAR(c.psnr().value(), 29.83777, 1e-5);
}

TEST(ImageComparison, FindsNothingInEqualPictures) {
    const ImageComparison c = compare_images(kFirst, kFirst);
    EXPECT_EQ(c.mismatches(), 0);
    EXPECT_FALSE(c.largest);
    EXPECT_FALSE(c.psnr());
}

TEST(ImageComparison, ReachesTheLargestDifferenceThereIs) {
    const ImageComparison c = compare_images({1, 2, 1, {0, 255}}, {1, 2, 1, {255, 0}});
    EXPECT_EQ(c.histogram[255], 2);
    EXPECT_EQ(c.largest, (SampleDifference{0, 0, 0, 0, 255}));
    EXPECT_EQ(c.psnr(), 0.0);
}

TEST(ImageComparison, SaysHowShapesDiffer) {
    const auto expect = [](const Image& second, const std::string& what) {
        try {
            compare_images(kFirst, second);
            FAIL() << what;
        } catch (const UsageError& error) {
            EXPECT_EQ(std::string(error.what()), what);
        }
    };
    expect({2, 2, 1, {1, 2, 3, 4}}, "2×2 with 3 channels and 2×2 with 1 channel: their sizes or channels differ");
    expect({1, 1, 3, {1, 2, 3}}, "2×2 with 3 channels and 1×1 with 3 channels: their sizes or channels differ");
}

TEST(ImageComparison, IsDrawnWithEveryDifferenceInABin) {
    Image first{1, 256, 1, std::vector<std::uint8_t>(256)}, second = first;
    for (std::size_t i = 0; i < 256; ++i) second.pixels[i] = static_cast<std::uint8_t>(i);
    const ComparedFiles files{"a.png", "b.png", 1, compare_images(first, second), {}};
    const std::string text = draw(std::span(&files, 1), {});
    for (const char* part : {"a.png and b.png", "255, 99.6094%", "255 at x 255, y 0, gray: 0 and 255", "9–16", "17–32",
                             "33–64", "65–128", "129–255"})
        EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
    EXPECT_NE(text.find("129–255      127"), std::string::npos) << text;
}

TEST(ImageComparison, IsATableOfSeveral) {
    const ComparedFiles files[] = {{"a/1.png", "b/1.png", 3, compare_images(kFirst, changed()), {}},
                                   {"a/2.png", "", 0, {}, "it is in one folder only"}};
    const std::string text = draw(files, {});
    EXPECT_NE(text.find("20 at x 1, y 0, blue: 60 and 40"), std::string::npos) << text;
    EXPECT_NE(text.find("it is in one folder only"), std::string::npos) << text;
}

TEST(ImageComparison, IsJson) {
    const ComparedFiles files[] = {{"a/1.png", "b/1.png", 3, compare_images(kFirst, changed()), {}},
                                   {"a/2.png", "b/2.png", 3, compare_images(kFirst, kFirst), {}},
                                   {"a/3.png", "", 0, {}, "it is in one folder only"}};
    const auto json = Json::parse(comparisons_to_json(files));
    EXPECT_EQ(json["schema"], 1);
    const auto& pictures = json["pictures"];
    EXPECT_EQ(pictures[0]["mismatches"], 4);
    EXPECT_EQ(pictures[0]["largest"]["x"], 1);
    EXPECT_EQ(pictures[0]["largest"]["channel"], 2);
    EXPECT_EQ(pictures[0]["histogram"][1]["difference"], 1);
    EXPECT_TRUE(pictures[1]["largest"].is_null());
    EXPECT_TRUE(pictures[1]["psnr_db"].is_null());
    EXPECT_TRUE(pictures[2]["samples"].is_null());
    EXPECT_EQ(pictures[2]["problem"], "it is in one folder only");
}

}  // namespace
}  // namespace lanework

// decode through its public function: both layouts, ties, thresholds, and decode followed by nms.
#include <gtest/gtest.h>

#include <cmath>
#include <lanework/error.hpp>
#include <limits>

#include "src/core/fill.hpp"
#include "tests/image/detection_fixture.hpp"

namespace lanework::test {
namespace {

constexpr float kNone = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();

struct Decoded {
    std::vector<float> boxes, scores;
    std::vector<std::int32_t> classes;
};

/// The values begin so many numbers behind an address that is a multiple of 256.
Decoded decode_on(const std::string& name, std::vector<float> values, HeadOutput head, float threshold,
                  std::size_t ahead = 0) {
    values.insert(values.begin(), ahead, 77);
    const auto device = open_device(name);
    const auto all = static_cast<std::size_t>(head.images * head.count);
    const There<float> there(*device, values), boxes(*device, std::vector<float>(4 * all, 77)),
        scores(*device, std::vector<float>(all, 77));
    const There<std::int32_t> classes(*device, std::vector<std::int32_t>(all, 77));
    head.values = there.get() + ahead;
    decode(head, threshold, {boxes.get(), scores.get(), classes.get()}, target_of(*device));
    device->synchronize();
    return {boxes.values(), scores.values(), classes.values()};
}

class Decode : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Devices, Decode, testing::ValuesIn(device_names_here()),
                         [](const auto& device) { return device.param; });

TEST_P(Decode, ReadsRowsOfV5) {
    const std::vector<float> rows{10, 20, 4, 8, 0.5F, 0.25F, 0.75F, 0.75F,   // the first of the best classes
                                  1,  2,  3, 4, 0.5F, 0.5F,  0.5F,  0.25F};  // exactly the threshold
    const Decoded decoded = decode_on(GetParam(), rows, {.form = HeadForm::v5, .count = 2, .classes = 3}, 0.25F);
    EXPECT_EQ(decoded.boxes, (std::vector<float>{8, 16, 12, 24, -0.5F, 0, 2.5F, 4}));
    EXPECT_EQ(decoded.scores, (std::vector<float>{0.375F, -kInfinity}));
    EXPECT_EQ(decoded.classes, (std::vector<std::int32_t>{1, 0}));
}

TEST_P(Decode, ReadsColumnsOfV8) {
    const std::vector<float> columns{10, 1, 20, 2, 4, 3, 8, 4, 0.25F, 0.5F, 0.75F, 0.125F};
    const Decoded decoded = decode_on(GetParam(), columns, {.form = HeadForm::v8, .count = 2, .classes = 2}, 0.5F);
    EXPECT_EQ(decoded.boxes, (std::vector<float>{8, 16, 12, 24, -0.5F, 0, 2.5F, 4}));
    EXPECT_EQ(decoded.scores, (std::vector<float>{0.75F, -kInfinity}));
    EXPECT_EQ(decoded.classes, (std::vector<std::int32_t>{1, 0}));
}

TEST_P(Decode, LetsNoNumberHideBehindABetterScore) {
    const Decoded decoded = decode_on(GetParam(), {0, 0, 1, 1, 0.25F, kNone, 0.75F, kNone},
                                      {.form = HeadForm::v8, .count = 1, .classes = 4}, 0.5F);
    EXPECT_TRUE(std::isnan(decoded.scores[0]));
    EXPECT_EQ(decoded.classes, std::vector<std::int32_t>{1});
}

TEST_P(Decode, TakesValuesAtAnyAddressHoweverManyTheyAre) {
    for (const HeadForm form : {HeadForm::v5, HeadForm::v8})
        for (const std::int64_t count : {77, 70'000}) {
            const HeadOutput head{.form = form, .images = 2, .count = count, .classes = 3};
            std::vector<float> values(static_cast<std::size_t>(2 * count * (form == HeadForm::v5 ? 8 : 7)));
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] = static_cast<float>(random_bits(11, i) >> 40) * 0x1p-24F;
            const Decoded expected = decode_on("cpu", values, head, 0.5F);
            for (std::size_t ahead = 0; ahead < 4; ++ahead) {
                const Decoded decoded = decode_on(GetParam(), values, head, 0.5F, ahead);
                EXPECT_EQ(decoded.boxes, expected.boxes);
                EXPECT_EQ(decoded.scores, expected.scores);
                EXPECT_EQ(decoded.classes, expected.classes);
            }
        }
}

TEST_P(Decode, GivesNmsWhatItTakes) {
    // Two that overlap, one that is not above the threshold, one whose score is no number.
    const std::vector<float> rows{5,  5,  10, 10, 1, 0.5F,  0.25F, 6,  6,  10, 10, 1, 0.75F, 0.25F,
                                  50, 50, 10, 10, 1, 0.25F, 0.25F, 90, 90, 10, 10, 1, kNone, 0.25F};
    const Decoded decoded = decode_on(GetParam(), rows, {.form = HeadForm::v5, .count = 4, .classes = 2}, 0.25F);
    const Kept kept = nms_on(GetParam(), {decoded.boxes, decoded.scores, decoded.classes}, {}, 4);
    EXPECT_EQ(kept.indices, (std::vector<std::int32_t>{1, -1, -1, -1}));
    EXPECT_EQ(kept.dropped, std::vector<std::int32_t>{1});
}

std::string objection(const HeadOutput& head, float threshold, const DecodedBoxes& out) {
    try {
        decode(head, threshold, out, Team{1});
    } catch (const UsageError& error) {
        return error.what();
    }
    return "";
}

TEST(DecodeArguments, AreCheckedAndNamed) {
    alignas(16) float values[5]{}, boxes[4]{}, scores[1]{};
    std::int32_t classes[1]{};
    const HeadOutput head{.values = values, .form = HeadForm::v8, .count = 1, .classes = 1};
    HeadOutput wrong = head;
    EXPECT_EQ(objection(head, 0, {boxes, scores, classes}), "");
    EXPECT_EQ(objection(head, 0, {boxes, nullptr, classes}), "decode: out.scores has no address");
    EXPECT_EQ(objection(head, kNone, {boxes, scores, classes}),
              "decode: score_threshold is NaN, with which nothing can be compared");
    wrong.classes = 0;
    EXPECT_EQ(objection(wrong, 0, {boxes, scores, classes}),
              "decode: head.classes is 0; a candidate has one class at least");
    wrong = head;
    wrong.count = -5;
    EXPECT_EQ(objection(wrong, 0, {boxes, scores, classes}), "decode: head.count is -5; 0 … 2³¹ − 1 is right");
}

}  // namespace
}  // namespace lanework::test

// nms through its public function: what is kept, in which order, and what is said of arguments that cannot be.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <algorithm>
#include <lanework/error.hpp>
#include <lanework/registry.hpp>
#include <limits>

#include "ops/nms/overlap.hpp"
#include "src/core/fill.hpp"
#include "src/measure/verify.hpp"
#include "tests/image/detection_fixture.hpp"

namespace lanework::test {
namespace {

using Indices = std::vector<std::int32_t>;
constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

/// The two left boxes overlap by 81 / 119, the others not at all.
Scene three_boxes() { return {.boxes = {0, 0, 10, 10, 1, 1, 11, 11, 20, 20, 30, 30}, .scores = {0.8F, 0.9F, 0.7F}}; }

class Nms : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Devices, Nms, testing::ValuesIn(device_names_here()),
                         [](const auto& device) { return device.param; });

TEST_P(Nms, KeepsTheBestOfThoseThatOverlap) {
    const Kept kept = nms_on(GetParam(), three_boxes(), {}, 3);
    EXPECT_EQ(kept.indices, (Indices{1, 2, -1}));
    EXPECT_EQ(kept.counts, Indices{2});
    EXPECT_EQ(kept.dropped, Indices{0});
    EXPECT_EQ(kept.boxes, (std::vector<float>{1, 1, 11, 11, 20, 20, 30, 30, 0, 0, 0, 0}));
}

TEST_P(Nms, ComparesWithinAClassOnly) {
    Scene scene = three_boxes();
    scene.classes = {5, -1'000'000'000, 5};
    EXPECT_EQ(nms_on(GetParam(), scene, {}, 3).indices, (Indices{1, 0, 2}));
}

TEST_P(Nms, DoesNotSuppressAtTheThresholdItself) {
    const Scene half{.boxes = {0, 0, 2, 2, 0, 0, 2, 1}, .scores = {0.9F, 0.8F}};  // 2 / (4 + 2 − 2)
    EXPECT_EQ(nms_on(GetParam(), half, {.iou_threshold = 0.5F}, 2).counts, Indices{2});
    EXPECT_EQ(nms_on(GetParam(), half, {.iou_threshold = 0.49999997F}, 2).counts, Indices{1});
}

/// Corners that are whole numbers, so that quotients repeat; every fourth pair has a side that is 0, negative or no
/// number.
Corners odd_corners(std::uint64_t pair, std::uint64_t which) {
    const auto drawn = [&](std::uint64_t k) {
        return static_cast<float>(random_bits(7, 8 * pair + 4 * which + k) % 16);
    };
    Corners box{drawn(0), drawn(1), 0, 0};
    box.x2 = box.x1 + drawn(2) + 1;
    box.y2 = box.y1 + drawn(3) + 1;
    if (pair % 4 == 1) box.x2 = box.x1 - drawn(2);
    if (pair % 32 == 3) box.y2 = pair % 64 == 3 ? kNone : std::numeric_limits<float>::infinity();
    if (pair % 32 == 7) box = {box.x1 * 1e-22F, box.y1 * 1e-22F, box.x2 * 1e-22F, box.y2 * 1e-22F};
    return box;
}

TEST(Overlap, IsToldWithoutTheDivisionAsWithIt) {
    std::uint64_t at_the_threshold = 0, sure = 0;
    for (std::uint64_t pair = 0; pair < 20'000; ++pair) {
        const Corners a = odd_corners(pair, 0), b = odd_corners(pair, 1);
        const float width = std::min(a.x2, b.x2) - std::max(a.x1, b.x1);
        const float height = std::min(a.y2, b.y2) - std::max(a.y1, b.y1);
        const float both = std::max(0.0F, width) * std::max(0.0F, height);
        const float quotient = both / ((area_of(a) + area_of(b)) - both);
        for (const float threshold :
             {quotient, std::nextafter(quotient, -1.0F), std::nextafter(quotient, 2.0F), quotient * (1 + 0x1p-21F),
              quotient * (1 - 0x1p-21F), 0.5F, 0.0F, -1.0F, 1e-30F, kNone}) {
            const bool divided = overlap_exceeds(a, area_of(a), b, area_of(b), threshold);
            const OverlapGuess guess = guess_overlap(a, area_of(a), b, area_of(b), OverlapThreshold::of(threshold));
            EXPECT_EQ(guess.unsure ? divided : guess.above, divided) << pair << " " << threshold;
            EXPECT_FALSE(guess.unsure && guess.above);
            at_the_threshold += threshold == quotient && quotient > 0 ? 1 : 0;
            sure += threshold == 0.5F && !guess.unsure ? 1 : 0;
        }
    }
    EXPECT_GT(at_the_threshold, 5000u);
    EXPECT_GT(sure, 13'000u);
}

TEST_P(Nms, ClassesAreNumbersOfAnyKind) {
    // Two of each class, of which the second overlaps the first: more classes than there are groups to sort them into.
    Scene scene;
    for (std::int32_t k = 0; k < 1200; ++k) {
        const auto x = static_cast<float>(k / 600);
        scene.boxes.insert(scene.boxes.end(), {x, 0, x + 10, 10});
        scene.scores.push_back(1 - static_cast<float>(k) / 2000);
        scene.classes.push_back((k % 600) * 3'000'017 - 900'000'000);
    }
    const Kept kept = nms_on(GetParam(), scene, {}, 1200);
    EXPECT_EQ(kept.counts, Indices{600});
    for (std::int32_t k = 0; k < 600; ++k) ASSERT_EQ(kept.indices[static_cast<std::size_t>(k)], k);
}

TEST_P(Nms, ReadsCornersSizesAndCentres) {
    const NmsOptions corner{.form = BoxForm::xywh}, centre{.form = BoxForm::cxcywh};
    const Scene one{.boxes = {4, 6, 2, 8}, .scores = {1}};
    EXPECT_EQ(nms_on(GetParam(), one, corner, 1).boxes, (std::vector<float>{4, 6, 6, 14}));
    EXPECT_EQ(nms_on(GetParam(), one, centre, 1).boxes, (std::vector<float>{3, 2, 5, 10}));
}

TEST_P(Nms, KeepsEqualScoresByIndexAndZerosAreEqual) {
    Scene scene;
    for (int k = 0; k < 5; ++k) {
        const auto x = static_cast<float>(10 * k);
        scene.boxes.insert(scene.boxes.end(), {x, 0, x + 5, 5});
    }
    scene.scores = {0.0F, -0.0F, 0.5F, 0.0F, 0.5F};
    EXPECT_EQ(nms_on(GetParam(), scene, {}, 5).indices, (Indices{2, 4, 0, 1, 3}));
}

TEST_P(Nms, LetsASuppressedBoxSuppressNothing) {
    // A chain: each overlaps the next by 2/3, those two apart by 3/7.
    const Scene chain{.boxes = {0, 0, 10, 1, 2, 0, 12, 1, 4, 0, 14, 1}, .scores = {0.9F, 0.8F, 0.7F}};
    EXPECT_EQ(nms_on(GetParam(), chain, {.iou_threshold = 0.5F}, 3).indices, (Indices{0, 2, -1}));
}

TEST_P(Nms, CountsBoxesWithoutNumbersAndLeavesThemOut) {
    Scene scene = three_boxes();
    scene.boxes[5] = kNone;
    scene.scores[2] = kNone;
    const Kept kept = nms_on(GetParam(), scene, {}, 3);
    EXPECT_EQ(kept.indices, (Indices{0, -1, -1}));
    EXPECT_EQ(kept.dropped, Indices{2});
}

TEST_P(Nms, LooksAtScoresAboveTheThresholdAndAtTheTop) {
    EXPECT_EQ(nms_on(GetParam(), three_boxes(), {.score_threshold = 0.7F}, 3).indices, (Indices{1, -1, -1}));
    EXPECT_EQ(nms_on(GetParam(), three_boxes(), {.top = 2}, 3).indices, (Indices{1, -1, -1}));
    EXPECT_EQ(nms_on(GetParam(), three_boxes(), {}, 1).indices, Indices{1});
}

TEST_P(Nms, MapsKeptBoxesToTheirSourceAndClipsThem) {
    Scene scene{.boxes = {0, 10, 10, 20, 20, 20, 630, 300}, .scores = {0.9F, 0.8F}};
    const FittedImage fitted = fit_image(360, 480, 640, 640, Fit::centred, true);
    ASSERT_EQ(fitted.top, 80);
    scene.to_source = {to_source(fitted, 360, 480)};
    EXPECT_EQ(nms_on(GetParam(), scene, {}, 2).boxes, (std::vector<float>{0, -52.5F, 7.5F, -45, 15, -45, 472.5F, 165}));
    scene.sizes = {{150, 470}};
    EXPECT_EQ(nms_on(GetParam(), scene, {}, 2).boxes, (std::vector<float>{0, 0, 7.5F, 0, 15, 0, 470, 150}));
}

TEST_P(Nms, ComputesEachImageByItself) {
    Scene two = three_boxes();
    two.images = 2;
    two.boxes.insert(two.boxes.end(), {0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1});
    two.scores.insert(two.scores.end(), {0.1F, 0.2F, 0.3F});
    const Kept kept = nms_on(GetParam(), two, {}, 2);
    EXPECT_EQ(kept.indices, (Indices{1, 2, 2, -1}));
    EXPECT_EQ(kept.counts, (Indices{2, 1}));
}

/// Classes of every number of boxes begin anywhere, so that whole vectors and the rest of one lie anywhere, too.
TEST(NmsOfVectors, IsRightOnProcessorsWithNarrowerVectors) {
    const auto device = open_device("cpu");
    const Operation& nms = find_operation("nms");
    const Rung& rung = find_rung(nms, "simd", DeviceKind::cpu);
    for (std::int64_t left = hwy::SupportedTargets(); left != 0; left &= left - 1) {
        hwy::SetSupportedTargetsForTest(left & -left);
        for (const std::int64_t classes : {1, 3, 20}) {
            const Problem problem{extents(700, classes, 2, 0, 0, 0), DType::float32};
            const Verification verified = verify(*device, nms, rung, problem, 5);
            EXPECT_EQ(verified.verdict, Verdict::ok) << hwy::TargetName(left & -left) << ": " << verified.reason;
        }
    }
    hwy::SetSupportedTargetsForTest(0);
}

TEST_P(Nms, HasNothingToKeepOfNothing) {
    const Kept kept = nms_on(GetParam(), {}, {}, 2);
    EXPECT_EQ(kept.counts, Indices{0});
    EXPECT_EQ(kept.indices, (Indices{-1, -1}));
    EXPECT_TRUE(nms_on(GetParam(), {.boxes = {}, .scores = {}, .classes = {}, .images = 0}, {}, 2).counts.empty());
    EXPECT_EQ(nms_on(GetParam(), three_boxes(), {}, 0).counts, Indices{0});
}

/// What scripts/torchvision_nms.py computes in NumPy, and compares with torchvision.
TEST_P(Nms, KeepsOfRandomBoxesWhatAnotherProgramKeeps) {
    constexpr std::uint64_t kBoxes = 3000, kClasses = 20;
    const auto unit = [](std::uint64_t k) { return static_cast<float>(random_bits(7, k) >> 40) * 0x1p-24F; };
    Scene scene;
    for (std::uint64_t i = 0; i < kBoxes; ++i) {
        const float x = 100 * unit(8 * i), y = 100 * unit(8 * i + 1);
        scene.boxes.insert(scene.boxes.end(), {x, y, x + 100 * unit(8 * i + 2), y + 100 * unit(8 * i + 3)});
        scene.scores.push_back(static_cast<float>(random_bits(7, 8 * i + 4) >> 54) / 1024);
        scene.classes.push_back(static_cast<std::int32_t>(random_bits(7, 8 * i + 5) % kClasses));
    }
    const auto checksum = [](const Indices& indices) {
        std::uint64_t sum = 0;
        for (const std::int32_t index : indices)
            if (index >= 0) sum = sum * 31 + static_cast<std::uint64_t>(index);
        return sum;
    };
    const Kept by_class = nms_on(GetParam(), scene, {}, kBoxes);
    EXPECT_EQ(by_class.counts, Indices{2120});
    EXPECT_EQ(checksum(by_class.indices), 29586092242658953U);
    scene.classes.clear();
    const Kept agnostic = nms_on(GetParam(), scene, {}, kBoxes);
    EXPECT_EQ(agnostic.counts, Indices{936});
    EXPECT_EQ(checksum(agnostic.indices), 5247010396426223879U);
}

/// The message of the UsageError that nms throws.
template <class Change>
std::string objection(Change change) {
    alignas(16) float boxes[4]{}, scores[1]{}, kept[4]{};
    std::int32_t indices[1]{}, counts[1]{}, dropped[1]{};
    alignas(64) std::byte workspace[4096]{};
    BoxBatch batch{boxes, scores, nullptr, 1, 1};
    NmsOptions options;
    Detections out{indices, counts, dropped, kept, 1};
    std::size_t bytes = sizeof(workspace);
    change(batch, options, out, bytes);
    try {
        nms(batch, options, {}, out, {workspace, bytes}, Team{1});
    } catch (const UsageError& error) {
        return error.what();
    }
    return "";
}

TEST(NmsArguments, AreCheckedAndNamed) {
    using B = BoxBatch;
    using O = NmsOptions;
    using D = Detections;
    EXPECT_EQ(objection([](B&, O&, D&, std::size_t&) {}), "");
    EXPECT_EQ(objection([](B& b, O&, D&, std::size_t&) { b.count = -1; }),
              "nms: boxes.count is -1; 0 … 2³¹ − 1 is right");
    EXPECT_EQ(objection([](B& b, O&, D&, std::size_t&) { b.scores = nullptr; }), "nms: boxes.scores has no address");
    EXPECT_EQ(objection([](B& b, O&, D&, std::size_t&) { ++b.boxes; }),
              "nms: boxes.boxes does not begin at a multiple of 16 bytes");
    EXPECT_EQ(objection([](B&, O& o, D&, std::size_t&) { o.score_threshold = kNone; }),
              "nms: score_threshold is NaN, with which nothing can be compared");
    for (const float fine : {0.0F, 1.0F})
        EXPECT_EQ(objection([&](B&, O& o, D&, std::size_t&) { o.iou_threshold = fine; }), "");
    for (const float wrong : {kNone, 1.45F, -0.1F, std::numeric_limits<float>::infinity()})
        EXPECT_EQ(objection([&](B&, O& o, D&, std::size_t&) { o.iou_threshold = wrong; }),
                  fmt::format("nms: iou_threshold is {}; from 0 to 1 is right", wrong));
    EXPECT_EQ(objection([](B&, O& o, D&, std::size_t&) { o.top = -2; }), "nms: top is -2; 0 (all) or more is right");
    EXPECT_EQ(objection([](B&, O&, D& d, std::size_t&) { d.indices = nullptr; }), "nms: out.indices has no address");
    const std::string small = objection([](B&, O&, D&, std::size_t& bytes) { bytes = 8; });
    EXPECT_TRUE(small.starts_with("nms: the workspace has 8 bytes and needs ")) << small;
}

}  // namespace
}  // namespace lanework::test

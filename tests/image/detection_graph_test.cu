// decode and nms in a captured graph: replayed with another network's output they find what a direct call finds in
// that.
#include <lanework/detection.hpp>

#include "tests/image/replay.hpp"

namespace lanework::test {
namespace {

constexpr std::int64_t kImages = 2, kCount = 300, kClasses = 5, kCapacity = 40;

class DetectionGraph : public Replay {
protected:
    /// Uniform numbers from 0 to `end`.
    const float* numbers(std::int64_t count, float end) {
        return input<float>(static_cast<std::size_t>(count),
                            [end](auto& random) { return std::uniform_real_distribution<float>(0, end)(random); });
    }
    template <class T>
    T* results(std::int64_t count) {
        return output<T>(static_cast<std::size_t>(count));
    }
    DecodedBoxes decoded() {
        return {results<float>(4 * kImages * kCount), results<float>(kImages * kCount),
                results<std::int32_t>(kImages * kCount)};
    }
    Detections detections() {
        return {results<std::int32_t>(kImages * kCapacity), results<std::int32_t>(kImages),
                results<std::int32_t>(kImages), results<float>(4 * kImages * kCapacity), kCapacity};
    }
    void suppress(const BoxBatch& boxes, const SourceImages& sources, const Detections& out, Target target) {
        nms(boxes, {.iou_threshold = 0.4F}, sources, out, {workspace_, workspace_bytes_}, target);
    }

private:
    std::size_t workspace_bytes_ = nms_workspace(kCount, kImages);
    void* workspace_ = scratch(workspace_bytes_);
};

TEST_F(DetectionGraph, DecodesRowsAndColumns) {
    for (const HeadForm form : {HeadForm::v5, HeadForm::v8}) {
        const HeadOutput head{numbers(kImages * kCount * (5 + kClasses), 1), form, kImages, kCount, kClasses};
        expect_replays([&, out = decoded()](Target target) { decode(head, 0.25F, out, target); });
    }
}

TEST_F(DetectionGraph, SuppressesBoxesAndMapsThemToTheirSource) {
    const BoxBatch boxes{.boxes = numbers(4 * kImages * kCount, 100),
                         .scores = numbers(kImages * kCount, 1),
                         .classes = input<std::int32_t>(
                             kImages * kCount, [](auto& random) { return static_cast<std::int32_t>(random() % 3); }),
                         .images = kImages,
                         .count = kCount};
    const SourceImages sources{.to_source = input<Affine>(kImages,
                                                          [](auto& random) {
                                                              const double scale =
                                                                  1 + static_cast<double>(random() % 4);
                                                              return Affine{{{{scale, 0, -3}, {0, scale, 5}}}};
                                                          }),
                               .sizes = input<ImageSize>(kImages, [](auto& random) {
                                   return ImageSize{static_cast<std::int32_t>(100 + random() % 100), 150};
                               })};
    expect_replays([&, out = detections()](Target target) { suppress(boxes, sources, out, target); });
}

TEST_F(DetectionGraph, DecodesAndSuppressesInOneGo) {
    const HeadOutput head{numbers(kImages * kCount * (4 + kClasses), 1), HeadForm::v8, kImages, kCount, kClasses};
    expect_replays([&, between = decoded(), out = detections()](Target target) {
        decode(head, 0.25F, between, target);
        suppress({between.boxes, between.scores, between.classes, kImages, kCount}, {}, out, target);
    });
}

}  // namespace
}  // namespace lanework::test

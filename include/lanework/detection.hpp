// Detections: a network's rows become boxes (decode), and of boxes that overlap the best is kept (nms), with the same
// result on every device.
//
// As in <lanework/image.hpp> every function takes the caller's memory and says where it computes. Nothing is allocated,
// copied to the host or waited for, so that a CUDA graph can capture the calls; where scratch memory is needed, a
// function says how much. All arrays are in the memory of the target. Arguments are checked first: UsageError says
// which is wrong. The arithmetic is part of the interface: every product, sum and quotient is rounded by itself.
#pragma once

#include <cstddef>
#include <lanework/array.hpp>
#include <lanework/image.hpp>
#include <limits>

namespace lanework {

/// What the four numbers of a box are: two corners; a corner and the size; the centre and the size. A centre becomes
/// corners by c − s/2 and c + s/2.
enum class BoxForm : std::uint8_t { xyxy, xywh, cxcywh };

/// In pixels.
struct ImageSize {
    std::int32_t height = 0, width = 0;
};

/// The boxes of a batch of images: as many for each, those of an image side by side.
struct BoxBatch {
    const float* boxes = nullptr;           ///< [images][count][4]; begins at a multiple of 16 bytes
    const float* scores = nullptr;          ///< [images][count]
    const std::int32_t* classes = nullptr;  ///< [images][count]; null: all boxes are of one class
    std::int64_t images = 1;
    std::int64_t count = 0;  ///< from 0 to 2³¹ − 1, as the number of images
};

struct NmsOptions {
    BoxForm form = BoxForm::xyxy;
    /// A kept box suppresses the later ones of its class with intersection / (area + area − intersection) > this, from
    /// 0 to 1.
    float iou_threshold = 0.5F;
    /// Boxes with score > this are candidates. The default lets all pass but a score of −∞.
    float score_threshold = -std::numeric_limits<float>::infinity();
    /// Of each image only so many candidates with the highest scores, over all classes, are looked at; 0: all.
    std::int64_t top = 0;
};

/// Where kept boxes come from: they are mapped to source images by scale and translation and clipped to them.
struct SourceImages {
    const Affine* to_source = nullptr;  ///< [images], as letterbox and tensor return it; null: boxes stay as they are.
                                        ///< m[0][1] and m[1][0] are not read: boxes do not turn
    const ImageSize* sizes = nullptr;   ///< [images]; null: nothing is clipped
};

/// What is kept: in each image by descending score, of equal scores the lower index first.
struct Detections {
    std::int32_t* indices = nullptr;  ///< [images][capacity]: which of the image's boxes; −1 behind the last
    std::int32_t* counts = nullptr;   ///< [images]: how many are kept
    /// [images]: boxes that were left out because their score or one of their corners is NaN.
    std::int32_t* dropped = nullptr;
    /// [images][capacity][4]: the kept boxes' corners x1 y1 x2 y2, 0 behind the last; null if they are not wanted.
    /// Begins at a multiple of 16 bytes.
    float* boxes = nullptr;
    /// The most that are kept in an image, and the length of its part of the arrays. From 0 to 2³¹ − 1.
    std::int64_t capacity = 0;
};

/// Bytes of scratch memory that nms needs for `count` boxes in each of `images` images.
std::size_t nms_workspace(std::int64_t count, std::int64_t images);

/// Greedy suppression as torchvision's nms and batched_nms define it: the candidates are visited by descending score
/// (equal ones by ascending index), and each that no kept box of its class suppresses is kept. Corners may be in any
/// order and areas 0 or infinite: where the quotient is NaN nothing is suppressed.
void nms(const BoxBatch& boxes, const NmsOptions& options, const SourceImages& sources, const Detections& out,
         const Workspace& workspace, Target target);

/// How a detection network lays out its rows.
enum class HeadForm : std::uint8_t {
    v5,  ///< [images][count][5 + classes]: cx, cy, w, h, objectness, class scores; score = objectness · the best
         ///< class's
    v8,  ///< [images][4 + classes][count]: rows of cx, cy, w, h and of each class's scores; score = the best class's
};

/// The output of a YOLO network as it is exported: after the sigmoid, in pixels of its input.
struct HeadOutput {
    const float* values = nullptr;
    HeadForm form = HeadForm::v5;
    std::int64_t images = 1;
    std::int64_t count = 0;    ///< candidates of an image, from 0 to 2³¹ − 1, as the number of images
    std::int64_t classes = 1;  ///< at least one
};

struct DecodedBoxes {
    float* boxes = nullptr;           ///< [images][count][4]: x1 y1 x2 y2; begins at a multiple of 16 bytes
    float* scores = nullptr;          ///< [images][count]
    std::int32_t* classes = nullptr;  ///< [images][count]: the class with the highest score; of equal ones the first
};

/// Every candidate's box, score and class. A score that is not above score_threshold becomes −∞, which nms leaves out.
/// Where a score of a class, or the objectness, is NaN, the score is NaN and the class that of the first NaN, or of the
/// highest score.
void decode(const HeadOutput& head, float score_threshold, const DecodedBoxes& out, Target target);

}  // namespace lanework

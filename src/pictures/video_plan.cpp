// The arithmetic of planes: sizes, offsets, transforms and pads.
#include <fmt/format.h>

#include <algorithm>
#include <lanework/error.hpp>
#include <numeric>

#include "src/pictures/video.hpp"

namespace lanework {
namespace {

using Op = PictureOperation;

constexpr float kBlack = 16, kBlackOfFullRange = 0, kNoColour = 128;

/// Luma samples for each of a plane, down and across.
struct Spacing {
    std::int64_t down = 1, across = 1;
};
Spacing spacing_of(const Y4mHeader& header, std::size_t plane) {
    if (plane == 0) return {};
    const auto [across, down] = subsampling(header.chroma);
    return {down, across};
}

/// Y, U and V of what lies around the picture.
std::array<float, 3> pads_of(const PictureStep& step, const Y4mHeader& in) {
    const auto& pad = step.pad;
    if (pad.size() == 4) throw UsageError("--pad for a video is one value, Y, or three: Y,U,V");
    if (pad.size() == 3) return {pad[0], pad[1], pad[2]};
    const float black = in.is_full_range() ? kBlackOfFullRange : kBlack;
    return {pad.empty() ? black : pad[0], kNoColour, kNoColour};
}

void require_possible(const PictureStep& step) {
    if (step.operation == Op::tensor)
        throw UsageError("image tensor takes pictures, not video; let ffmpeg write its frames into a folder first");
    if (step.operation == Op::gray && step.gray != GrayForm::opencv)
        throw UsageError("image gray of a video is its luma; --variant is for pictures");
}

/// Pixels become wider or higher as the picture is stretched, so that it is shown with the same shape.
std::array<std::int64_t, 2> stretched_aspect(const Y4mHeader& in, const PictureShape& out) {
    std::int64_t wide = 0, high = 0;
    if (in.aspect[0] == 0 || in.aspect[1] == 0 || __builtin_mul_overflow(in.aspect[0], in.width * out.height, &wide) ||
        __builtin_mul_overflow(in.aspect[1], in.height * out.width, &high))
        return {0, 0};
    const std::int64_t common = std::gcd(wide, high);
    return {wide / common, high / common};
}

Y4mHeader header_of(const PictureStep& step, const Y4mHeader& in) {
    const PictureShape shape = shape_of_output(step, {in.height, in.width, 1});
    Y4mHeader out = in;
    out.width = shape.width;
    out.height = shape.height;
    const bool stretched =
        step.operation == Op::resize || (step.operation == Op::letterbox && step.letterbox.fit == Fit::stretch);
    if (stretched) out.aspect = stretched_aspect(in, shape);
    if (step.operation != Op::gray && step.operation != Op::sobel) return out;
    out.chroma = Chroma::mono;
    std::erase_if(out.comments, [](const std::string& comment) { return comment.starts_with("YSCSS="); });
    return out;
}

PictureStep resize_to(const PictureStep& step, const PlaneSize& size) {
    PictureStep resize;
    resize.operation = Op::resize;
    resize.convention = step.convention;
    resize.size = {size.width, size.height, 0};
    return resize;
}

/// The transform of a plane: samples lie in the middle of the luma samples that they stand for.
Affine in_plane(const Affine& luma, const Spacing& spacing) {
    const auto across = static_cast<double>(spacing.across), down = static_cast<double>(spacing.down);
    const double x = (across - 1) / 2, y = (down - 1) / 2;
    const auto& m = luma.m;
    return {{{{m[0][0], m[0][1] * down / across, (m[0][0] * x + m[0][1] * y + m[0][2] - x) / across},
              {m[1][0] * across / down, m[1][1], (m[1][0] * x + m[1][1] * y + m[1][2] - y) / down}}}};
}

PictureStep warp_in(const PictureStep& step, const Affine& luma, const Spacing& spacing, const PlanePlan& plane) {
    PictureStep warp = step;
    warp.rotate.reset();
    warp.affine = in_plane(luma, spacing);
    warp.size = {plane.out.width, plane.out.height, 0};
    warp.pad = {static_cast<float>(plane.pad)};
    return warp;
}

/// Begins and ends at whole samples of chroma, except where the output ends.
void widen(std::int64_t& begin, std::int64_t& length, std::int64_t spacing, std::int64_t end) {
    begin = begin / spacing * spacing;
    length = std::min((length + spacing - 1) / spacing * spacing, end - begin);
}

/// Where the picture lies in a letterboxed plane.
void place(PlanePlan& plane, FittedImage luma, const Spacing& spacing) {
    plane.top = luma.top / spacing.down;
    plane.left = luma.left / spacing.across;
    plane.made = {(luma.height + spacing.down - 1) / spacing.down, (luma.width + spacing.across - 1) / spacing.across};
}

FittedImage fitted(const PictureStep& step, const Y4mHeader& in, const Y4mHeader& out) {
    FittedImage luma =
        fit_image(in.height, in.width, out.height, out.width, step.letterbox.fit, step.letterbox.scale_up);
    const Spacing chroma = spacing_of(out, 1);
    widen(luma.top, luma.height, chroma.down, out.height);
    widen(luma.left, luma.width, chroma.across, out.width);
    return luma;
}

/// What the step does to a plane whose sizes, offsets and pad are known.
void choose(PlanePlan& plane, const PictureStep& step, const Y4mHeader& in, const Y4mHeader& out,
            const Spacing& spacing) {
    plane.made = plane.out;
    switch (step.operation) {
        case Op::gray:
        case Op::tensor: return;
        case Op::blur:
        case Op::sobel: plane.step = step; return;
        case Op::resize: plane.step = resize_to(step, plane.made); return;
        case Op::letterbox:
            place(plane, fitted(step, in, out), spacing);
            plane.step = resize_to(step, plane.made);
            return;
        case Op::warp: {
            const Affine luma = transform_of(step, {in.height, in.width, 1}, {out.height, out.width, 1});
            plane.step = warp_in(step, luma, spacing, plane);
            return;
        }
    }
}

}  // namespace

VideoPlan plan_video(const PictureStep& step, const Y4mHeader& in) {
    require_possible(step);
    VideoPlan plan{header_of(step, in), {}};
    const std::vector<PlaneSize> from = planes_of(in), to = planes_of(plan.out);
    const std::array<float, 3> pads = pads_of(step, in);
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < to.size(); ++i) {
        PlanePlan plane;
        plane.in = from[i];
        plane.in_offset = offset;
        plane.out = to[i];
        plane.pad = static_cast<std::uint8_t>(pads[i]);
        choose(plane, step, in, plan.out, spacing_of(plan.out, i));
        offset += plane.in.bytes();
        plan.planes.push_back(std::move(plane));
    }
    return plan;
}

}  // namespace lanework

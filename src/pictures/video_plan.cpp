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
struct Step {
    std::int64_t down = 1, across = 1;
};
Step step_of(const Y4mHeader& header, std::size_t plane) {
    if (plane == 0) return {};
    const auto [across, down] = subsampling(header.chroma);
    return {down, across};
}

/// Y, U and V of what lies around the picture.
std::array<float, 3> pads_of(const PictureRecipe& recipe, const Y4mHeader& in) {
    const auto& pad = recipe.pad;
    if (pad.size() == 4) throw UsageError("--pad for a video is one value, Y, or three: Y,U,V");
    if (pad.size() == 3) return {pad[0], pad[1], pad[2]};
    const float black = in.is_full_range() ? kBlackOfFullRange : kBlack;
    return {pad.empty() ? black : pad[0], kNoColour, kNoColour};
}

void require_possible(const PictureRecipe& recipe) {
    if (recipe.operation == Op::tensor)
        throw UsageError("image tensor takes pictures, not video; let ffmpeg write its frames into a folder first");
    if (recipe.operation == Op::gray && recipe.gray != GrayForm::opencv)
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

Y4mHeader header_of(const PictureRecipe& recipe, const Y4mHeader& in) {
    const PictureShape shape = shape_of_output(recipe, {in.height, in.width, 1});
    Y4mHeader out = in;
    out.width = shape.width;
    out.height = shape.height;
    const bool stretched =
        recipe.operation == Op::resize || (recipe.operation == Op::letterbox && recipe.letterbox.fit == Fit::stretch);
    if (stretched) out.aspect = stretched_aspect(in, shape);
    if (recipe.operation != Op::gray && recipe.operation != Op::sobel) return out;
    out.chroma = Chroma::mono;
    std::erase_if(out.comments, [](const std::string& comment) { return comment.starts_with("YSCSS="); });
    return out;
}

PictureRecipe resize_to(const PictureRecipe& recipe, const PlaneSize& size) {
    PictureRecipe resize;
    resize.operation = Op::resize;
    resize.convention = recipe.convention;
    resize.size = {size.width, size.height, 0};
    return resize;
}

/// The transform of a plane: samples lie in the middle of the luma samples that they stand for.
Affine in_plane(const Affine& luma, const Step& step) {
    const auto across = static_cast<double>(step.across), down = static_cast<double>(step.down);
    const double x = (across - 1) / 2, y = (down - 1) / 2;
    const auto& m = luma.m;
    return {{{{m[0][0], m[0][1] * down / across, (m[0][0] * x + m[0][1] * y + m[0][2] - x) / across},
              {m[1][0] * across / down, m[1][1], (m[1][0] * x + m[1][1] * y + m[1][2] - y) / down}}}};
}

PictureRecipe warp_in(const PictureRecipe& recipe, const Affine& luma, const Step& step, const PlanePlan& plane) {
    PictureRecipe warp = recipe;
    warp.rotate.reset();
    warp.affine = in_plane(luma, step);
    warp.size = {plane.out.width, plane.out.height, 0};
    warp.pad = {static_cast<float>(plane.pad)};
    return warp;
}

/// Begins and ends at whole steps, except where the output ends.
void widen(std::int64_t& begin, std::int64_t& length, std::int64_t step, std::int64_t end) {
    begin = begin / step * step;
    length = std::min((length + step - 1) / step * step, end - begin);
}

/// Where the picture lies in a letterboxed plane.
void place(PlanePlan& plane, FittedImage luma, const Step& step) {
    plane.top = luma.top / step.down;
    plane.left = luma.left / step.across;
    plane.made = {(luma.height + step.down - 1) / step.down, (luma.width + step.across - 1) / step.across};
}

FittedImage fitted(const PictureRecipe& recipe, const Y4mHeader& in, const Y4mHeader& out) {
    FittedImage luma =
        fit_image(in.height, in.width, out.height, out.width, recipe.letterbox.fit, recipe.letterbox.scale_up);
    const Step chroma = step_of(out, 1);
    widen(luma.top, luma.height, chroma.down, out.height);
    widen(luma.left, luma.width, chroma.across, out.width);
    return luma;
}

/// What the recipe does to a plane whose sizes, offsets and pad are known.
void choose(PlanePlan& plane, const PictureRecipe& recipe, const Y4mHeader& in, const Y4mHeader& out,
            const Step& step) {
    plane.made = plane.out;
    switch (recipe.operation) {
        case Op::gray:
        case Op::tensor: return;
        case Op::blur:
        case Op::sobel: plane.recipe = recipe; return;
        case Op::resize: plane.recipe = resize_to(recipe, plane.made); return;
        case Op::letterbox:
            place(plane, fitted(recipe, in, out), step);
            plane.recipe = resize_to(recipe, plane.made);
            return;
        case Op::warp: {
            const Affine luma = transform_of(recipe, {in.height, in.width, 1}, {out.height, out.width, 1});
            plane.recipe = warp_in(recipe, luma, step, plane);
            return;
        }
    }
}

}  // namespace

VideoPlan plan_video(const PictureRecipe& recipe, const Y4mHeader& in) {
    require_possible(recipe);
    VideoPlan plan{header_of(recipe, in), {}};
    const std::vector<PlaneSize> from = planes_of(in), to = planes_of(plan.out);
    const std::array<float, 3> pads = pads_of(recipe, in);
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < to.size(); ++i) {
        PlanePlan plane;
        plane.in = from[i];
        plane.in_offset = offset;
        plane.out = to[i];
        plane.pad = static_cast<std::uint8_t>(pads[i]);
        choose(plane, recipe, in, plan.out, step_of(plan.out, i));
        offset += plane.in.bytes();
        plan.planes.push_back(std::move(plane));
    }
    return plan;
}

}  // namespace lanework

// The arithmetic of planes: sizes, offsets and pads.
#include <fmt/format.h>

#include <lanework/error.hpp>
#include <numeric>

#include "src/pictures/video.hpp"

namespace lanework {
namespace {

constexpr float kBlack = 16, kBlackOfFullRange = 0, kNoColour = 128;

PlaneSpacing spacing_of(const Y4mHeader& header, std::size_t plane) {
    if (plane == 0) return {};
    const auto [across, down] = subsampling(header.chroma);
    return {down, across};
}

/// Y, U and V of what lies around the picture.
std::array<float, 3> pads_of(const ImageStep& step, const Y4mHeader& in) {
    const ImageOption* const option = step.option(ImageOptionKind::colour);
    const WantedColour pad = option ? step.at<WantedColour>(option->offset) : WantedColour{};
    if (pad.given == 4) throw UsageError(fmt::format("{} for a video is one value, Y, or three: Y,U,V", option->word));
    if (pad.given == 3) return {pad.values[0], pad.values[1], pad.values[2]};
    const float black = in.is_full_range() ? kBlackOfFullRange : kBlack;
    return {pad.given == 0 ? black : pad.values[0], kNoColour, kNoColour};
}

/// Pixels become wider or higher as the picture is stretched, so that it is shown with the same shape.
std::array<std::int64_t, 2> stretched_aspect(const Y4mHeader& in, const Y4mHeader& out) {
    std::int64_t wide = 0, high = 0;
    if (in.aspect[0] == 0 || in.aspect[1] == 0 || __builtin_mul_overflow(in.aspect[0], in.width * out.height, &wide) ||
        __builtin_mul_overflow(in.aspect[1], in.height * out.width, &high))
        return {0, 0};
    const std::int64_t common = std::gcd(wide, high);
    return {wide / common, high / common};
}

Y4mHeader header_of(const ImageStep& step, const Y4mHeader& in) {
    const PictureShape shape = shape_of_output(step, {in.height, in.width, 1});
    Y4mHeader out = in;
    out.width = shape.width;
    out.height = shape.height;
    if (!makes_gray(step)) return out;
    out.chroma = Chroma::mono;
    std::erase_if(out.comments, [](const std::string& comment) { return comment.starts_with("YSCSS="); });
    return out;
}

}  // namespace

VideoPlan plan_video(const ImageStep& step, const Y4mHeader& in) {
    const ImageOperation& operation = step.operation();
    if (!operation.plane)
        throw UsageError(fmt::format("{} takes pictures, not video; let ffmpeg write its frames into a folder first",
                                     operation.name));
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
        plane.does = operation.plane(step, {.luma = {in.height, in.width, 1},
                                            .made_luma = {plan.out.height, plan.out.width, 1},
                                            .made = {plane.out.height, plane.out.width, 1},
                                            .spacing = spacing_of(plan.out, i),
                                            .chroma = spacing_of(plan.out, 1),
                                            .pad = plane.pad});
        if (plane.does.stretches) plan.out.aspect = stretched_aspect(in, plan.out);
        offset += plane.in.bytes();
        plan.planes.push_back(std::move(plane));
    }
    return plan;
}

}  // namespace lanework

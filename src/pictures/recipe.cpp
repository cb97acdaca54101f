// Shapes and transforms that a recipe makes of a picture.
#include "src/pictures/recipe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <lanework/error.hpp>
#include <lanework/image_file.hpp>

#include "src/pixels/affine.hpp"

namespace lanework {
namespace {

bool makes_planes(const ImageStep& step) { return step.operation().makes == ImageResult::array; }

/// A side as a factor or an aspect ratio makes it: rounded half up, at least one pixel.
std::int64_t rounded_side(double length) {
    if (!(length < static_cast<double>(kMostPixels))) return kMostPixels + 1;
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::floor(length + 0.5)));
}

PictureShape sized(const WantedSize& wanted, const PictureShape& in) {
    const auto width = static_cast<double>(in.width), height = static_cast<double>(in.height);
    if (wanted.factor > 0)
        return {rounded_side(height * wanted.factor), rounded_side(width * wanted.factor), in.channels};
    if (wanted.width == 0 && wanted.height == 0) return in;
    return {wanted.height > 0 ? wanted.height : rounded_side(height * static_cast<double>(wanted.width) / width),
            wanted.width > 0 ? wanted.width : rounded_side(width * static_cast<double>(wanted.height) / height),
            in.channels};
}

}  // namespace

bool makes_gray(const ImageStep& step) {
    return step.operation().makes == ImageResult::gray || step.operation().of_colours;
}

bool makes_array(const PictureRecipe& recipe) { return recipe.steps.back().element() != DType::uint8; }

bool makes_planes(const PictureRecipe& recipe) { return makes_planes(recipe.steps.back()); }

bool needs_colour(const ImageStep& step) {
    const ImageOption* const colour = step.option(ImageOptionKind::colour);
    return makes_planes(step) || (colour && !step.at<WantedColour>(colour->offset).is_gray());
}

bool needs_colour(const PictureRecipe& recipe) {
    return std::ranges::any_of(recipe.steps, [](const ImageStep& step) { return needs_colour(step); });
}

bool keeps_alpha(const PictureRecipe& recipe) {
    return std::ranges::none_of(recipe.steps,
                                [](const ImageStep& step) { return makes_gray(step) || makes_planes(step); });
}

std::vector<ImageStep> computed_steps(const PictureRecipe& recipe, int channels) {
    std::vector<ImageStep> steps;
    for (const ImageStep& step : recipe.steps) {
        if (const ImageOperation* const first = step.operation().of_colours; first && channels > 1)
            steps.emplace_back(*first);
        if (channels > 1 || step.operation().makes != ImageResult::gray) steps.push_back(step);
        if (makes_gray(step)) channels = 1;
    }
    return steps;
}

PictureShape shape_of_output(const ImageStep& step, const PictureShape& in) {
    const ImageOption* const size = step.option(ImageOptionKind::size);
    PictureShape out = size ? sized(step.at<WantedSize>(size->offset), in) : in;
    if (makes_gray(step)) out.channels = 1;
    if (makes_planes(step)) out.channels = 3;
    if (out.width > kMostPixels / out.height)
        throw FileError(
            fmt::format("it would become a picture of more than {} pixels, the most that is made", kMostPixels));
    return out;
}

PictureShape shape_of_output(const PictureRecipe& recipe, PictureShape in) {
    for (const ImageStep& step : recipe.steps) in = shape_of_output(step, in);
    return in;
}

std::uint64_t output_bytes(const PictureRecipe& recipe, const PictureShape& out) {
    return static_cast<std::uint64_t>(out.samples()) * size_of(recipe.steps.back().element());
}

Affine back_to_source(const PictureRecipe& recipe, PictureShape in) {
    Affine back;
    for (const ImageStep& step : recipe.steps) {
        const PictureShape out = shape_of_output(step, in);
        if (const auto of_step = step.operation().back) back = both(back, of_step(step, in, out));
        in = out;
    }
    return back;
}

}  // namespace lanework

// Shapes and transforms that a recipe makes of a picture.
#include "src/pictures/recipe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <lanework/error.hpp>
#include <numbers>

#include "src/codecs/image.hpp"

namespace lanework {
namespace {

constexpr std::string_view kNames[] = {"gray", "blur", "sobel", "resize", "letterbox", "warp", "tensor"};

/// A side as a factor or an aspect ratio makes it: rounded half up, at least one pixel.
std::int64_t rounded_side(double length) {
    if (!(length < static_cast<double>(kMostPixels))) return kMostPixels + 1;
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::floor(length + 0.5)));
}

/// First `first`, then `second`.
Affine both(const Affine& second, const Affine& first) {
    Affine product;
    for (std::size_t row = 0; row < 2; ++row) {
        for (std::size_t column = 0; column < 3; ++column)
            product.m[row][column] = second.m[row][0] * first.m[0][column] + second.m[row][1] * first.m[1][column];
        product.m[row][2] += second.m[row][2];
    }
    return product;
}

/// Of one step, from its output to its input.
Affine step_back(const PictureStep& step, const PictureShape& in, const PictureShape& out) {
    const auto stretched = [&] { return to_source(FittedImage{0, 0, out.height, out.width}, in.height, in.width); };
    switch (step.operation) {
        case PictureOperation::gray:
        case PictureOperation::blur:
        case PictureOperation::sobel: return {};
        case PictureOperation::resize: return stretched();
        case PictureOperation::letterbox:
        case PictureOperation::tensor:
            return to_source(
                fit_image(in.height, in.width, out.height, out.width, step.letterbox.fit, step.letterbox.scale_up),
                in.height, in.width);
        case PictureOperation::warp: {
            // Its coordinates count from the middle of the first pixel.
            constexpr Affine to_middle{{{{1, 0, -0.5}, {0, 1, -0.5}}}}, to_corner{{{{1, 0, 0.5}, {0, 1, 0.5}}}};
            return both(to_corner, both(inverse(transform_of(step, in, out)), to_middle));
        }
    }
    return {};
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

/// Counter-clockwise as it is seen, with rows that run downwards.
Affine rotation(double degrees, const PictureShape& in, const PictureShape& out) {
    const double angle = degrees * std::numbers::pi / 180;
    const bool quarters = std::fmod(degrees, 90) == 0;  // whose sines are exact
    const double c = quarters ? std::round(std::cos(angle)) : std::cos(angle),
                 s = quarters ? std::round(std::sin(angle)) : std::sin(angle);
    const auto middle = [](std::int64_t length) { return static_cast<double>(length - 1) / 2; };
    const double x = middle(in.width), y = middle(in.height);
    return {{{{c, s, middle(out.width) - c * x - s * y}, {-s, c, middle(out.height) + s * x - c * y}}}};
}

}  // namespace

std::string_view name_of(PictureOperation operation) { return kNames[static_cast<std::size_t>(operation)]; }

std::vector<std::string> picture_recipes() {
    std::vector<std::string> names{std::begin(kNames), std::end(kNames)};
    names.insert(names.end(), {"edges", "pipe"});
    return names;
}

bool makes_gray(const PictureStep& step) {
    return step.operation == PictureOperation::gray || step.operation == PictureOperation::sobel;
}

bool makes_array(const PictureRecipe& recipe) { return recipe.steps.back().operation == PictureOperation::tensor; }

std::array<float, 4> pad_of(const PictureStep& step, int channels) {
    const bool warp = step.operation == PictureOperation::warp;
    constexpr float gray = 114, opaque = 255;
    std::array<float, 4> pad{};
    for (std::size_t i = 0; i < 3; ++i)
        pad[i] = step.pad.empty() ? (warp ? 0 : gray) : step.pad[step.pad.size() >= 3 ? i : 0];
    if (channels == 4) pad[3] = step.pad.size() == 4 ? step.pad[3] : step.pad.empty() && warp ? 0 : opaque;
    return pad;
}

bool needs_colour(const PictureStep& step) {
    const auto& pad = step.pad;
    const bool coloured = pad.size() >= 3 && (pad[0] != pad[1] || pad[1] != pad[2]);
    return step.operation == PictureOperation::tensor || coloured;
}

bool needs_colour(const PictureRecipe& recipe) {
    return std::ranges::any_of(recipe.steps, [](const PictureStep& step) { return needs_colour(step); });
}

bool keeps_alpha(const PictureRecipe& recipe) {
    return std::ranges::none_of(recipe.steps, [](const PictureStep& step) {
        return makes_gray(step) || step.operation == PictureOperation::tensor;
    });
}

std::vector<PictureStep> computed_steps(const PictureRecipe& recipe, int channels) {
    std::vector<PictureStep> steps;
    for (const PictureStep& step : recipe.steps) {
        const bool sobel = step.operation == PictureOperation::sobel;
        if (makes_gray(step) && channels > 1) steps.push_back(sobel ? PictureStep{} : step);
        if (makes_gray(step)) channels = 1;
        if (step.operation != PictureOperation::gray) steps.push_back(step);
    }
    return steps;
}

PictureShape shape_of_output(const PictureStep& step, const PictureShape& in) {
    PictureShape out = sized(step.size, in);
    if (makes_gray(step)) out.channels = 1;
    if (step.operation == PictureOperation::tensor) out.channels = 3;
    if (out.width > kMostPixels / out.height)
        throw FileError(
            fmt::format("it would become a picture of more than {} pixels, the most that is made", kMostPixels));
    return out;
}

PictureShape shape_of_output(const PictureRecipe& recipe, PictureShape in) {
    for (const PictureStep& step : recipe.steps) in = shape_of_output(step, in);
    return in;
}

std::uint64_t output_bytes(const PictureRecipe& recipe, const PictureShape& out) {
    const std::uint64_t element = !makes_array(recipe) ? 1 : recipe.steps.back().half ? sizeof(float16) : sizeof(float);
    return static_cast<std::uint64_t>(out.samples()) * element;
}

Affine transform_of(const PictureStep& warp, const PictureShape& in, const PictureShape& out) {
    return warp.affine ? *warp.affine : rotation(warp.rotate.value_or(0), in, out);
}

Affine back_to_source(const PictureRecipe& recipe, PictureShape in) {
    Affine back;
    for (const PictureStep& step : recipe.steps) {
        const PictureShape out = shape_of_output(step, in);
        back = both(back, step_back(step, in, out));
        in = out;
    }
    return back;
}

}  // namespace lanework

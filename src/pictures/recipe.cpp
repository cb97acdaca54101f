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

std::vector<std::string> picture_operations() { return {std::begin(kNames), std::end(kNames)}; }

std::array<float, 4> pad_of(const PictureRecipe& recipe, int channels) {
    const bool warp = recipe.operation == PictureOperation::warp;
    constexpr float gray = 114, opaque = 255;
    std::array<float, 4> pad{};
    for (std::size_t i = 0; i < 3; ++i)
        pad[i] = recipe.pad.empty() ? (warp ? 0 : gray) : recipe.pad[recipe.pad.size() >= 3 ? i : 0];
    if (channels == 4) pad[3] = recipe.pad.size() == 4 ? recipe.pad[3] : recipe.pad.empty() && warp ? 0 : opaque;
    return pad;
}

bool needs_colour(const PictureRecipe& recipe) {
    const auto& pad = recipe.pad;
    const bool coloured = pad.size() >= 3 && (pad[0] != pad[1] || pad[1] != pad[2]);
    return recipe.operation == PictureOperation::tensor || coloured;
}

bool keeps_alpha(const PictureRecipe& recipe) {
    const PictureOperation op = recipe.operation;
    return op != PictureOperation::gray && op != PictureOperation::sobel && op != PictureOperation::tensor;
}

PictureShape shape_of_output(const PictureRecipe& recipe, const PictureShape& in) {
    PictureShape out = sized(recipe.size, in);
    if (recipe.operation == PictureOperation::gray || recipe.operation == PictureOperation::sobel) out.channels = 1;
    if (recipe.operation == PictureOperation::tensor) out.channels = 3;
    if (out.width > kMostPixels / out.height)
        throw FileError(
            fmt::format("it would become a picture of more than {} pixels, the most that is made", kMostPixels));
    return out;
}

std::uint64_t output_bytes(const PictureRecipe& recipe, const PictureShape& out) {
    const std::uint64_t element = recipe.operation != PictureOperation::tensor ? 1
                                  : recipe.half                                ? sizeof(float16)
                                                                               : sizeof(float);
    return static_cast<std::uint64_t>(out.samples()) * element;
}

Affine transform_of(const PictureRecipe& recipe, const PictureShape& in, const PictureShape& out) {
    return recipe.affine ? *recipe.affine : rotation(recipe.rotate.value_or(0), in, out);
}

}  // namespace lanework

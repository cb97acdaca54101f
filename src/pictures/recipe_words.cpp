// Reading a recipe from what a user typed.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "src/codecs/image.hpp"
#include "src/pictures/recipe.hpp"

namespace lanework {
namespace {

using Op = PictureOperation;

[[noreturn]] void reject(std::string_view option, std::string_view text, std::string_view right) {
    throw UsageError(fmt::format("{} `{}` is not {}", option, text, right));
}

template <class Number>
bool reads(std::string_view text, Number& value) {
    const char* end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && stopped == end;
}

std::int64_t side(std::string_view option, std::string_view text, std::string_view whole, std::string_view right) {
    std::int64_t value = 0;
    if (!reads(text, value) || value < 1 || value > kMostPixels) reject(option, whole, right);
    return value;
}

double real(std::string_view option, std::string_view text, std::string_view whole, std::string_view right) {
    double value = 0;
    if (!reads(text, value) || !std::isfinite(value)) reject(option, whole, right);
    return value;
}

std::vector<double> reals(std::string_view option, std::string_view text, std::string_view right) {
    std::vector<double> values;
    for (std::string_view rest = text;;) {
        const auto comma = rest.find(',');
        values.push_back(real(option, rest.substr(0, comma), text, right));
        if (comma == rest.npos) return values;
        rest.remove_prefix(comma + 1);
    }
}

/// The place of a word among names, which are the values of an enumeration in order.
template <class Enum>
Enum one_of(std::string_view option, std::string_view text, std::vector<std::string_view> names) {
    const auto found = std::find(names.begin(), names.end(), text);
    if (found == names.end()) reject(option, text, fmt::format("one of {}", fmt::join(names, ", ")));
    return static_cast<Enum>(found - names.begin());
}

/// Which operations take which options.
void check_taken(const RecipeWords& words, Op operation) {
    const std::vector<Op> sized{Op::resize, Op::letterbox, Op::warp, Op::tensor}, fitted{Op::letterbox, Op::tensor},
        scaled{Op::resize, Op::tensor}, network{Op::tensor};
    struct Option {
        std::string_view name;
        bool given;
        std::vector<Op> takers;
    };
    const Option options[] = {{"--variant", !words.variant.empty(), {Op::gray, Op::sobel}},
                              {"--size", !words.size.empty(), sized},
                              {"--width", !words.width.empty(), sized},
                              {"--height", !words.height.empty(), sized},
                              {"--scale", !words.scale.empty(), scaled},
                              {"--convention", !words.convention.empty(), sized},
                              {"--fit", !words.fit.empty(), fitted},
                              {"--no-scale-up", words.no_scale_up, fitted},
                              {"--pad", !words.pad.empty(), {Op::letterbox, Op::warp, Op::tensor}},
                              {"--affine", !words.affine.empty(), {Op::warp}},
                              {"--rotate", !words.rotate.empty(), {Op::warp}},
                              {"--mean", !words.mean.empty(), network},
                              {"--std", !words.std.empty(), network},
                              {"--swap", words.swap, network},
                              {"--dtype", !words.dtype.empty(), network}};
    for (const Option& option : options) {
        if (!option.given || std::find(option.takers.begin(), option.takers.end(), operation) != option.takers.end())
            continue;
        std::vector<std::string_view> names;
        for (const Op taker : option.takers) names.push_back(name_of(taker));
        throw UsageError(
            fmt::format("image {} takes no {}; it is for {}", name_of(operation), option.name, fmt::join(names, ", ")));
    }
}

WantedSize parse_size(const RecipeWords& words, Op operation) {
    WantedSize size;
    if (!words.size.empty()) {
        constexpr std::string_view right = "a size like 640x360: columns x rows, both above 0";
        const std::string_view text = words.size;
        const auto cross = text.find('x');
        if (cross == text.npos) reject("--size", text, right);
        size.width = side("--size", text.substr(0, cross), text, right);
        size.height = side("--size", text.substr(cross + 1), text, right);
        if (!words.width.empty() || !words.height.empty())
            throw UsageError("--size states both sides; leave --width and --height away");
    }
    constexpr std::string_view pixels = "a number of pixels above 0";
    if (!words.width.empty()) size.width = side("--width", words.width, words.width, pixels);
    if (!words.height.empty()) size.height = side("--height", words.height, words.height, pixels);
    if (operation != Op::resize || words.scale.empty()) return size;
    if (size != WantedSize{})
        throw UsageError("--scale states the size by itself; leave --size, --width and --height away");
    size.factor = real("--scale", words.scale, words.scale, "a number above 0, such as 0.5");
    if (!(size.factor > 0)) reject("--scale", words.scale, "a number above 0, such as 0.5");
    return size;
}

void require_size(const WantedSize& size, Op operation) {
    if (operation == Op::resize && size == WantedSize{})
        throw UsageError("image resize: the size is missing: --size 640x360, --width, --height or --scale 0.5");
    if ((operation == Op::letterbox || operation == Op::tensor) && (size.width == 0 || size.height == 0))
        throw UsageError(fmt::format("image {}: --size is missing, such as --size 640x640", name_of(operation)));
    if (operation == Op::warp && (size.width == 0) != (size.height == 0))
        throw UsageError(
            "image warp: --width and --height go together, as in --size 640x480; without both the "
            "picture keeps its size");
}

std::vector<float> parse_pad(std::string_view text) {
    constexpr std::string_view right = "1, 3 or 4 whole numbers from 0 to 255 like 114 or 0,128,255";
    std::vector<float> pad;
    if (text.empty()) return pad;
    for (const double value : reals("--pad", text, right)) {
        if (!(value >= 0 && value <= 255) || value != std::floor(value)) reject("--pad", text, right);
        pad.push_back(static_cast<float>(value));
    }
    if (pad.size() == 2 || pad.size() > 4) reject("--pad", text, right);
    return pad;
}

void parse_transform(const RecipeWords& words, PictureRecipe& recipe) {
    if (words.affine.empty() == words.rotate.empty())
        throw UsageError(words.affine.empty() ? "image warp: the transform is missing: --rotate DEGREES or --affine "
                                                "A,B,C,D,E,F"
                                              : "image warp: --affine and --rotate are both given; one is right");
    constexpr std::string_view right = "six numbers A,B,C,D,E,F: x' = Ax + By + C, y' = Dx + Ey + F";
    if (!words.rotate.empty()) {
        recipe.rotate = real("--rotate", words.rotate, words.rotate, "an angle in degrees");
        return;
    }
    const std::vector<double> m = reals("--affine", words.affine, right);
    if (m.size() != 6) reject("--affine", words.affine, right);
    recipe.affine = Affine{{{{m[0], m[1], m[2]}, {m[3], m[4], m[5]}}}};
    if (m[0] * m[4] - m[1] * m[3] == 0)
        throw UsageError(
            fmt::format("--affine `{}` is singular: it puts the whole picture on a line or a point", words.affine));
}

/// One value for all three channels, or three of them.
std::array<float, 4> per_channel(std::string_view option, std::string_view text) {
    constexpr std::string_view right = "one number or three, like 0.485,0.456,0.406";
    const std::vector<double> values = reals(option, text, right);
    if (values.size() != 1 && values.size() != 3) reject(option, text, right);
    std::array<float, 4> channels{};
    for (std::size_t i = 0; i < channels.size(); ++i) channels[i] = static_cast<float>(values[i % values.size()]);
    return channels;
}

void parse_normalization(const RecipeWords& words, PictureRecipe& recipe) {
    TensorOptions& tensor = recipe.tensor;
    if (!words.scale.empty()) {
        constexpr std::string_view right = "a number above 0, such as 1 or 0.0039215686";
        const double scale = real("--scale", words.scale, words.scale, right);
        tensor.scale = static_cast<float>(scale);
        if (!(tensor.scale > 0) || !std::isfinite(tensor.scale)) reject("--scale", words.scale, right);
    }
    if (!words.mean.empty()) tensor.mean = per_channel("--mean", words.mean);
    if (!words.std.empty()) tensor.std = per_channel("--std", words.std);
    for (const float value : tensor.std)
        if (value == 0) reject("--std", words.std, "numbers other than 0");
    tensor.swap_red_blue = words.swap;
    if (!words.dtype.empty()) recipe.half = one_of<int>("--dtype", words.dtype, {"float32", "float16"}) == 1;
}

void parse_fit(const RecipeWords& words, PictureRecipe& recipe) {
    LetterboxOptions& letterbox = recipe.letterbox;
    if (!words.fit.empty()) letterbox.fit = one_of<Fit>("--fit", words.fit, {"centred", "top-left", "stretch"});
    letterbox.scale_up = !words.no_scale_up;
    if (words.no_scale_up && letterbox.fit == Fit::stretch)
        throw UsageError("--no-scale-up and --fit stretch exclude each other");
}

Convention parse_convention(const RecipeWords& words, Op operation) {
    if (words.convention.empty()) return Convention::opencv;
    if (operation == Op::warp) return one_of<Convention>("--convention", words.convention, {"opencv", "float"});
    return one_of<Convention>("--convention", words.convention, {"opencv", "float", "legacy"});
}

}  // namespace

PictureRecipe parse_recipe(const RecipeWords& words) {
    const std::vector<std::string> names = picture_operations();
    PictureRecipe recipe;
    recipe.operation = one_of<Op>("operation", words.operation, {names.begin(), names.end()});
    const Op operation = recipe.operation;
    check_taken(words, operation);
    if (operation == Op::gray && !words.variant.empty())
        recipe.gray = one_of<GrayForm>("--variant", words.variant, {"opencv", "weighted", "mean", "max"});
    if (operation == Op::sobel && !words.variant.empty())
        recipe.sobel = one_of<SobelForm>("--variant", words.variant, {"half_sum", "magnitude"});
    recipe.size = parse_size(words, operation);
    require_size(recipe.size, operation);
    recipe.convention = parse_convention(words, operation);
    recipe.pad = parse_pad(words.pad);
    parse_fit(words, recipe);
    if (operation == Op::warp) parse_transform(words, recipe);
    if (operation == Op::tensor) parse_normalization(words, recipe);
    return recipe;
}

}  // namespace lanework

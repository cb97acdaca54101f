// Reading a recipe from what a user typed.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include "src/codecs/image.hpp"
#include "src/pictures/recipe.hpp"

namespace lanework {
namespace {

using Op = PictureOperation;

constexpr int kOperations = static_cast<int>(Op::tensor) + 1;

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
Enum one_of(std::string_view option, std::string_view text, const std::vector<std::string_view>& names) {
    const auto found = std::find(names.begin(), names.end(), text);
    if (found == names.end()) reject(option, text, fmt::format("one of {}", fmt::join(names, ", ")));
    return static_cast<Enum>(found - names.begin());
}

bool is_given(const RecipeWords& words, const RecipeOption& option) {
    return option.text ? !(words.*option.text).empty() : words.*option.flag;
}

/// Throws for an option that the operation does not take.
void check_taken(const RecipeWords& words, Op operation) {
    for (const RecipeOption& option : recipe_options()) {
        if (!is_given(words, option) || std::ranges::count(option.takers, operation) > 0) continue;
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

void parse_transform(const RecipeWords& words, PictureStep& step) {
    if (words.affine.empty() == words.rotate.empty())
        throw UsageError(words.affine.empty() ? "image warp: the transform is missing: --rotate DEGREES or --affine "
                                                "A,B,C,D,E,F"
                                              : "image warp: --affine and --rotate are both given; one is right");
    constexpr std::string_view right = "six numbers A,B,C,D,E,F: x' = Ax + By + C, y' = Dx + Ey + F";
    if (!words.rotate.empty()) {
        step.rotate = real("--rotate", words.rotate, words.rotate, "an angle in degrees");
        return;
    }
    const std::vector<double> m = reals("--affine", words.affine, right);
    if (m.size() != 6) reject("--affine", words.affine, right);
    step.affine = Affine{{{{m[0], m[1], m[2]}, {m[3], m[4], m[5]}}}};
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

void parse_normalization(const RecipeWords& words, PictureStep& step) {
    TensorOptions& tensor = step.tensor;
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
    if (!words.dtype.empty()) step.half = one_of<int>("--dtype", words.dtype, {"float32", "float16"}) == 1;
}

void parse_fit(const RecipeWords& words, PictureStep& step) {
    LetterboxOptions& letterbox = step.letterbox;
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

PictureStep parse_step(const RecipeWords& words, bool first) {
    PictureStep step;
    const std::vector<std::string> names = picture_recipes();
    step.operation = one_of<Op>("operation", words.operation, {names.begin(), names.begin() + kOperations});
    const Op operation = step.operation;
    check_taken(words, operation);
    if (operation == Op::gray && !words.variant.empty())
        step.gray = one_of<GrayForm>("--variant", words.variant, {"opencv", "weighted", "mean", "max"});
    if (operation == Op::sobel && !words.variant.empty())
        step.sobel = one_of<SobelForm>("--variant", words.variant, {"half_sum", "magnitude"});
    step.size = parse_size(words, operation);
    const bool keeps_size = operation == Op::tensor && !first && step.size == WantedSize{};
    if (!keeps_size) require_size(step.size, operation);
    step.convention = parse_convention(words, operation);
    step.pad = parse_pad(words.pad);
    parse_fit(words, step);
    if (operation == Op::warp) parse_transform(words, step);
    if (operation == Op::tensor) parse_normalization(words, step);
    return step;
}

/// A step of a pipe: its operation, perhaps a size, and its options.
RecipeWords words_of(const std::string& text) {
    std::istringstream in(text);
    RecipeWords words;
    in >> words.operation;
    for (std::string word; in >> word;) {
        if (word.front() != '-' && words.size.empty()) {
            const bool one_side = word.find_first_not_of("0123456789") == word.npos;
            words.size = one_side ? fmt::format("{0}x{0}", word) : word;
            continue;
        }
        const auto options = recipe_options();
        const auto equals = word.find('=');
        const auto option = std::ranges::find(options, std::string_view(word).substr(0, equals), &RecipeOption::name);
        if (option == options.end())
            throw UsageError(fmt::format("image pipe: `{}` of the step `{}` is no option of image", word, text));
        if (option->flag && equals == word.npos) {
            words.*option->flag = true;
            continue;
        }
        std::string value = equals == word.npos ? "" : word.substr(equals + 1);
        if (option->flag || (value.empty() && !(in >> value)))
            throw UsageError(fmt::format("image pipe: {} of the step `{}` {}", option->name, text,
                                         option->flag ? "takes no value" : "has no value"));
        words.*option->text = value;
    }
    return words;
}

std::string_view trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(" \t\n");
    return begin == text.npos ? "" : text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1);
}

/// Throws for a step that cannot follow those before.
void check_follows(const std::vector<PictureStep>& before, const PictureStep& step) {
    if (!before.empty() && before.back().operation == Op::tensor)
        throw UsageError(
            fmt::format("image pipe: {} cannot follow tensor, which is the last step", name_of(step.operation)));
    const auto gray = std::ranges::find_if(before, makes_gray);
    if (gray != before.end() && needs_colour(step))
        throw UsageError(fmt::format("image pipe: {} needs colours, and {} leaves none",
                                     step.operation == Op::tensor ? "tensor" : "--pad", name_of(gray->operation)));
}

std::vector<PictureStep> parse_steps(std::string_view text) {
    std::vector<PictureStep> steps;
    for (std::string_view rest = text;;) {
        const auto bar = rest.find('|');
        const std::string_view words = trimmed(rest.substr(0, bar));
        if (words.empty())
            throw UsageError(fmt::format(
                "image pipe: a step of `{}` is empty; right is an operation, or several with | between them", text));
        PictureStep step = parse_step(words_of(std::string(words)), steps.empty());
        check_follows(steps, step);
        steps.push_back(std::move(step));
        if (bar == rest.npos) return steps;
        rest.remove_prefix(bar + 1);
    }
}

}  // namespace

std::span<const RecipeOption> recipe_options() {
    using W = RecipeWords;
    static const std::vector<Op> sized{Op::resize, Op::letterbox, Op::warp, Op::tensor},
        fitted{Op::letterbox, Op::tensor}, network{Op::tensor};
    static const RecipeOption options[] = {
        {"--variant",
         "NAME",
         "gray: opencv, weighted, mean or max; sobel: half_sum or magnitude (the first)",
         &W::variant,
         nullptr,
         {Op::gray, Op::sobel}},
        {"--size", "WxH", "Columns x rows of the output: resize, letterbox, warp, tensor", &W::size, nullptr, sized},
        {"--width", "N", "Columns alone: resize keeps the aspect ratio", &W::width, nullptr, sized},
        {"--height", "N", "Rows alone: resize keeps the aspect ratio", &W::height, nullptr, sized},
        {"--scale",
         "X",
         "resize: factor of both sides; tensor: factor of the samples (1/255)",
         &W::scale,
         nullptr,
         {Op::resize, Op::tensor}},
        {"--convention", "NAME", "Sampling: opencv, float or legacy (warp: opencv or float; the first)", &W::convention,
         nullptr, sized},
        {"--fit", "NAME", "letterbox, tensor: centred, top-left or stretch (centred)", &W::fit, nullptr, fitted},
        {"--pad",
         "V[,V,V[,V]]",
         "Around the picture: letterbox, tensor (114), warp (0); for each colour, and alpha",
         &W::pad,
         nullptr,
         {Op::letterbox, Op::warp, Op::tensor}},
        {"--no-scale-up", "", "letterbox, tensor: small pictures keep their size", nullptr, &W::no_scale_up, fitted},
        {"--affine",
         "A,B,C,D,E,F",
         "warp: x' = Ax + By + C, y' = Dx + Ey + F, from input to output",
         &W::affine,
         nullptr,
         {Op::warp}},
        {"--rotate", "DEGREES", "warp: counter-clockwise about the middle", &W::rotate, nullptr, {Op::warp}},
        {"--mean", "V[,V,V]", "tensor: taken off the scaled samples (0)", &W::mean, nullptr, network},
        {"--std", "V[,V,V]", "tensor: what they are then divided by (1)", &W::std, nullptr, network},
        {"--swap", "", "tensor: blue, green, red instead of red, green, blue", nullptr, &W::swap, network},
        {"--dtype", "NAME", "tensor: float32 or float16 (float32)", &W::dtype, nullptr, network}};
    return options;
}

PictureRecipe parse_recipe(const RecipeWords& words) {
    const bool edges = words.operation == "edges";
    if (!edges && words.operation != "pipe") return {words.operation, {parse_step(words, true)}};
    for (const RecipeOption& option : recipe_options())
        if (is_given(words, option))
            throw UsageError(
                edges ? fmt::format("image edges takes no {}; it is gray, blur, sobel: use image pipe", option.name)
                      : fmt::format("image pipe: {} belongs into a step, as in 'blur | resize --width 640'",
                                    option.name));
    return edges ? PictureRecipe{"edges", parse_steps("gray | blur | sobel")}
                 : PictureRecipe{words.steps, parse_steps(words.steps)};
}

}  // namespace lanework

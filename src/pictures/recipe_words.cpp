// Reading a recipe from what a user typed.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <lanework/error.hpp>
#include <lanework/image_file.hpp>
#include <sstream>

#include "src/pictures/recipe.hpp"
#include "src/pixels/affine.hpp"

namespace lanework {
namespace {

using Kind = ImageOptionKind;
using Operations = std::vector<const ImageOperation*>;

constexpr std::string_view kPipe = "pipe";

[[noreturn]] void reject(std::string_view option, std::string_view text, std::string_view right) {
    throw UsageError(fmt::format("{} `{}` is not {}", option, text, right));
}

template <class Number>
bool reads(std::string_view text, Number& value) {
    const char* end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && stopped == end;
}

std::int64_t side(const ImageOption& option, std::string_view text, std::string_view whole) {
    std::int64_t value = 0;
    if (!reads(text, value) || value < 1 || value > kMostPixels) reject(option.word, whole, option.right);
    return value;
}

/// Numbers with commas between them, as they are rounded.
template <class Number>
std::vector<Number> numbers(const ImageOption& option, std::string_view text) {
    std::vector<Number> values;
    for (std::string_view rest = text;;) {
        const auto comma = rest.find(',');
        double value = 0;
        if (!reads(rest.substr(0, comma), value) || !std::isfinite(value)) reject(option.word, text, option.right);
        values.push_back(static_cast<Number>(value));
        if (option.fits && !(option.fits(static_cast<double>(values.back())) && std::isfinite(values.back())))
            reject(option.word, text, option.fitting.empty() ? option.right : option.fitting);
        if (comma == rest.npos) return values;
        rest.remove_prefix(comma + 1);
    }
}

template <class Number>
Number number(const ImageOption& option, std::string_view text) {
    const std::vector<Number> values = numbers<Number>(option, text);
    if (values.size() != 1) reject(option.word, text, option.right);
    return values.front();
}

/// The place of a word among names.
std::size_t one_of(std::string_view option, std::string_view text, std::span<const std::string_view> names) {
    const auto found = std::ranges::find(names, text);
    if (found == names.end()) reject(option, text, fmt::format("one of {}", fmt::join(names, ", ")));
    return static_cast<std::size_t>(found - names.begin());
}

WantedColour colour(const ImageOption& option, std::string_view text) {
    const std::vector<double> values = numbers<double>(option, text);
    const bool whole = std::ranges::all_of(
        values, [](double value) { return value >= 0 && value <= 255 && value == std::floor(value); });
    if (!whole || values.size() == 2 || values.size() > 4) reject(option.word, text, option.right);
    WantedColour result{{}, static_cast<std::int32_t>(values.size())};
    std::ranges::transform(values, result.values.begin(), [](double value) { return static_cast<float>(value); });
    return result;
}

/// One value for all three channels, or three of them.
std::array<float, 4> per_channel(const ImageOption& option, std::string_view text) {
    const std::vector<float> values = numbers<float>(option, text);
    if (values.size() != 1 && values.size() != 3) reject(option.word, text, option.right);
    std::array<float, 4> channels{};
    for (std::size_t i = 0; i < channels.size(); ++i) channels[i] = values[i % values.size()];
    return channels;
}

Affine affine(const ImageOption& option, std::string_view text) {
    const std::vector<double> m = numbers<double>(option, text);
    if (m.size() != 6) reject(option.word, text, option.right);
    const Affine result{{{{m[0], m[1], m[2]}, {m[3], m[4], m[5]}}}};
    if (determinant(result) == 0)
        throw UsageError(
            fmt::format("{} `{}` is singular: it puts the whole picture on a line or a point", option.word, text));
    return result;
}

/// The size, of which a side or the factor may be stated already: it must be stated once.
void read_size(const ImageOption& option, std::string_view text, WantedSize& size) {
    if (option.kind == Kind::width) size.width = side(option, text, text);
    if (option.kind == Kind::height) size.height = side(option, text, text);
    if (option.kind == Kind::size) {
        const auto cross = text.find('x');
        if (cross == text.npos) reject(option.word, text, option.right);
        size.height = side(option, text.substr(0, cross), text);
        size.width = side(option, text.substr(cross + 1), text);
    }
    if (option.kind != Kind::factor) return;
    if (size != WantedSize{})
        throw UsageError(
            fmt::format("{} states the size by itself; leave --size, --width and --height away", option.word));
    size.factor = number<double>(option, text);
    if (!(size.factor > 0)) reject(option.word, text, option.right);
}

void read(const ImageOption& option, std::string_view text, ImageStep& step) {
    const std::size_t at = option.offset;
    switch (option.kind) {
        case Kind::choice:
        case Kind::element:
            step.at<std::uint8_t>(at) = static_cast<std::uint8_t>(one_of(option.word, text, option.choices));
            return;
        case Kind::flag: step.at<bool>(at) = !step.at<bool>(at); return;
        case Kind::number: step.at<double>(at) = number<double>(option, text); return;
        case Kind::number32: step.at<float>(at) = number<float>(option, text); return;
        case Kind::channels: step.at<std::array<float, 4>>(at) = per_channel(option, text); return;
        case Kind::colour: step.at<WantedColour>(at) = colour(option, text); return;
        case Kind::affine: step.at<Affine>(at) = affine(option, text); return;
        case Kind::size:
        case Kind::width:
        case Kind::height:
        case Kind::factor: return read_size(option, text, step.at<WantedSize>(at));
    }
}

/// What was typed for an option; null for nothing. Of a flag the text is empty.
const std::string* typed(const RecipeWords& words, std::string_view option) {
    static const std::string none;
    if (const auto flag = words.flags.find(option); flag != words.flags.end() && flag->second) return &none;
    const auto value = words.values.find(option);
    return value == words.values.end() || value->second.empty() ? nullptr : &value->second;
}

std::vector<std::string_view> names_of(const Operations& operations) {
    std::vector<std::string_view> names;
    for (const ImageOperation* operation : operations) names.push_back(operation->name);
    return names;
}

const Operations& picture_operations() {
    static const Operations operations = [] {
        Operations those;
        std::ranges::copy_if(image_operations(), std::back_inserter(those), &ImageOperation::for_pictures);
        return those;
    }();
    return operations;
}

/// Those that are several.
std::vector<ImageRecipe> named_recipes() {
    std::vector<ImageRecipe> recipes;
    for (const ImageOperation* operation : picture_operations())
        if (!operation->recipe.name.empty()) recipes.push_back(operation->recipe);
    return recipes;
}

/// "gray, blur, sobel".
std::string steps_of(const ImageRecipe& recipe) {
    std::string steps(recipe.steps);
    for (auto bar = steps.find(" |"); bar != steps.npos; bar = steps.find(" |")) steps.replace(bar, 2, ",");
    return steps;
}

/// Throws for an option that the operation does not take.
void check_taken(const RecipeWords& words, const ImageOperation& operation) {
    for (const RecipeOption& option : recipe_options())
        if (typed(words, option.word) && std::ranges::count(option.takers, &operation) == 0)
            throw UsageError(fmt::format("{} takes no {}; it is for {}", operation.name, option.word,
                                         fmt::join(names_of(option.takers), ", ")));
}

/// Throws for a size that is stated whole and by its sides.
void check_size(const RecipeWords& words, const ImageOperation& operation) {
    bool whole = false, sides = false;
    for (const ImageOption& option : operation.options) {
        const bool given = !option.word.empty() && typed(words, option.word);
        whole = whole || (given && option.kind == Kind::size);
        sides = sides || (given && (option.kind == Kind::width || option.kind == Kind::height));
    }
    if (whole && sides) throw UsageError("--size states both sides; leave --width and --height away");
}

ImageStep parse_step(const RecipeWords& words, bool first) {
    const Operations& operations = picture_operations();
    if (std::ranges::find(image_operations_left_out(), words.operation) != image_operations_left_out().end())
        throw UnavailableError(fmt::format("this build leaves out {}; `make` builds every operation", words.operation));
    const ImageOperation& operation = *operations[one_of("operation", words.operation, names_of(operations))];
    check_taken(words, operation);
    check_size(words, operation);
    ImageStep step(operation);
    for (const ImageOption& option : operation.options)
        if (const std::string* const text = option.word.empty() ? nullptr : typed(words, option.word))
            read(option, *text, step);
    if (operation.check) operation.check(step, first);
    return step;
}

/// A step of a pipe: its operation, perhaps a size, and its options.
RecipeWords words_of(const std::string& text) {
    std::istringstream in(text);
    RecipeWords words;
    in >> words.operation;
    for (std::string word; in >> word;) {
        if (word.front() != '-' && words.values["--size"].empty()) {
            const bool one_side = word.find_first_not_of("0123456789") == word.npos;
            words.values["--size"] = one_side ? fmt::format("{0}x{0}", word) : word;
            continue;
        }
        const auto options = recipe_options();
        const auto equals = word.find('=');
        const auto option = std::ranges::find(options, std::string_view(word).substr(0, equals), &RecipeOption::word);
        if (option == options.end())
            throw UsageError(fmt::format("image pipe: `{}` of the step `{}` is no option of image", word, text));
        if (option->is_flag && equals == word.npos) {
            words.flags[option->word] = true;
            continue;
        }
        std::string value = equals == word.npos ? "" : word.substr(equals + 1);
        if (option->is_flag || (value.empty() && !(in >> value)))
            throw UsageError(fmt::format("image pipe: {} of the step `{}` {}", option->word, text,
                                         option->is_flag ? "takes no value" : "has no value"));
        words.values[option->word] = value;
    }
    return words;
}

std::string_view trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(" \t\n");
    return begin == text.npos ? "" : text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1);
}

/// Throws for a step that cannot follow those before.
void check_follows(const std::vector<ImageStep>& before, const ImageStep& step) {
    const auto is_array = [](const ImageStep& each) { return each.operation().makes == ImageResult::array; };
    if (!before.empty() && before.back().element() != DType::uint8)
        throw UsageError(fmt::format("image pipe: {} cannot follow {}, which is the last step", step.operation().name,
                                     before.back().operation().name));
    const auto gray = std::ranges::find_if(before, makes_gray);
    if (gray != before.end() && needs_colour(step))
        throw UsageError(fmt::format("image pipe: {} needs colours, and {} leaves none",
                                     is_array(step) ? step.operation().name : step.option(Kind::colour)->word,
                                     gray->operation().name));
}

std::vector<ImageStep> parse_steps(std::string_view text) {
    std::vector<ImageStep> steps;
    for (std::string_view rest = text;;) {
        const auto bar = rest.find('|');
        const std::string_view words = trimmed(rest.substr(0, bar));
        if (words.empty())
            throw UsageError(fmt::format(
                "image pipe: a step of `{}` is empty; right is an operation, or several with | between them", text));
        ImageStep step = parse_step(words_of(std::string(words)), steps.empty());
        check_follows(steps, step);
        steps.push_back(step);
        if (bar == rest.npos) return steps;
        rest.remove_prefix(bar + 1);
    }
}

/// One operation's help for an option, or that of several. Their names stand for `{}`, else before what begins with a
/// small letter.
std::string help_with_names(std::string_view help, const Operations& operations) {
    const std::string names = fmt::format("{}", fmt::join(names_of(operations), ", "));
    if (const auto place = help.find("{}"); place != help.npos)
        return fmt::format("{}{}{}", help.substr(0, place), names, help.substr(place + 2));
    return help.front() >= 'a' && help.front() <= 'z' ? fmt::format("{}: {}", names, help) : std::string(help);
}

/// What operations say of one of their options: what several of them say stands once. What begins with a bracket or
/// with names goes on with the sentence before.
std::string help_of(std::string_view word, const Operations& takers) {
    std::vector<std::pair<std::string_view, Operations>> said;
    for (const ImageOperation* operation : takers) {
        const std::string_view help = std::ranges::find(operation->options, word, &ImageOption::word)->help;
        if (help.empty()) continue;
        auto same = std::ranges::find(said, help, [](const auto& each) { return each.first; });
        if (same == said.end()) same = said.insert(said.end(), {help, {}});
        same->second.push_back(operation);
    }
    std::string all;
    for (const auto& [help, operations] : said) {
        if (!all.empty()) all += help.starts_with('(') ? " " : help.starts_with("{}") ? ", " : "; ";
        all += help_with_names(help, operations);
    }
    return all;
}

}  // namespace

std::vector<std::string> picture_recipes() {
    std::vector<std::string> names;
    for (const ImageOperation* operation : picture_operations()) names.emplace_back(operation->name);
    for (const ImageRecipe& recipe : named_recipes()) names.emplace_back(recipe.name);
    names.insert(names.end(), image_operations_left_out().begin(), image_operations_left_out().end());
    names.emplace_back(kPipe);
    return names;
}

std::string picture_recipes_help() {
    std::string help;
    for (const ImageOperation* operation : picture_operations())
        help += fmt::format("{}{}{}; ", operation->name, operation->help.empty() ? "" : ": ", operation->help);
    for (const ImageRecipe& recipe : named_recipes()) help += fmt::format("{}: {}; ", recipe.name, steps_of(recipe));
    return help + fmt::format("{}: the steps that the next word says", kPipe);
}

std::span<const RecipeOption> recipe_options() {
    static const std::vector<RecipeOption> options = [] {
        std::vector<RecipeOption> all;
        for (const ImageOperation* operation : picture_operations())
            for (const ImageOption& option : operation->options) {
                if (option.word.empty()) continue;
                auto known = std::ranges::find(all, option.word, &RecipeOption::word);
                if (known == all.end())
                    known = all.insert(
                        all.end(),
                        {std::string(option.word), std::string(option.placeholder), "", option.kind == Kind::flag, {}});
                known->takers.push_back(operation);
            }
        for (RecipeOption& option : all) option.help = help_of(option.word, option.takers);
        return all;
    }();
    return options;
}

PictureRecipe parse_recipe(const RecipeWords& words) {
    const std::vector<ImageRecipe> recipes = named_recipes();
    const auto recipe = std::ranges::find(recipes, words.operation, &ImageRecipe::name);
    const bool named = recipe != recipes.end();
    if (!named && words.operation != kPipe) return {words.operation, {parse_step(words, true)}};
    for (const RecipeOption& option : recipe_options())
        if (typed(words, option.word))
            throw UsageError(named
                                 ? fmt::format("image {} takes no {}; it is {}: use image pipe", recipe->name,
                                               option.word, steps_of(*recipe))
                                 : fmt::format("image pipe: {} belongs into a step, as in 'blur | resize --width 640'",
                                               option.word));
    return named ? PictureRecipe{words.operation, parse_steps(recipe->steps)}
                 : PictureRecipe{words.steps, parse_steps(words.steps)};
}

}  // namespace lanework

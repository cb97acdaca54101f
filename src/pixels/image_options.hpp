// Options that several operations on images have: the same words, values and help for each.
#pragma once

#include "src/pixels/image_operation.hpp"

namespace lanework::image_options {

inline constexpr std::string_view kConventions[] = {"opencv", "float", "legacy"};

/// One of a few names.
constexpr ImageOption choice(std::size_t offset, std::string_view word, std::string_view parameter,
                             std::span<const std::string_view> choices, std::string_view help = {}) {
    return {ImageOptionKind::choice, offset, word, parameter, choices, word.empty() ? "" : "NAME", help};
}
/// True or false; on the command line a word that turns the default around.
constexpr ImageOption flag(std::size_t offset, std::string_view word, std::string_view parameter,
                           std::string_view help) {
    return {ImageOptionKind::flag, offset, word, parameter, {}, {}, help};
}
/// A number, or of an array a number or three.
constexpr ImageOption number(ImageOptionKind kind, std::size_t offset, std::string_view word,
                             std::string_view parameter, std::string_view placeholder, std::string_view help,
                             std::string_view right, bool (*fits)(double) = nullptr, std::string_view fitting = {}) {
    return {kind, offset, word, parameter, {}, placeholder, help, right, fits, fitting};
}

/// The size of the output, in a member of WantedSize at `offset`.
constexpr ImageOption size(std::size_t offset) {
    return number(ImageOptionKind::size, offset, "--size", "size", "HxW", "Rows x columns of the output: {}",
                  "a size like 360x640: rows x columns, both above 0");
}
constexpr ImageOption width(std::size_t offset, std::string_view help = {}) {
    return number(ImageOptionKind::width, offset, "--width", {}, "N", help, "a number of pixels above 0");
}
constexpr ImageOption height(std::size_t offset, std::string_view help = {}) {
    return number(ImageOptionKind::height, offset, "--height", {}, "N", help, "a number of pixels above 0");
}

constexpr ImageOption convention(std::size_t offset, std::span<const std::string_view> choices = kConventions,
                                 std::string_view help = "Sampling: opencv, float or legacy") {
    return choice(offset, "--convention", "convention", choices, help);
}
constexpr ImageOption colour(std::size_t offset, std::string_view parameter, std::string_view help) {
    return number(ImageOptionKind::colour, offset, "--pad", parameter, "V[,V,V[,V]]", help,
                  "1, 3 or 4 whole numbers from 0 to 255 like 114 or 0,128,255");
}

}  // namespace lanework::image_options

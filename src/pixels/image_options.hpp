// Options that several operations on images have: the same words, values and help for each.
#pragma once

#include <lanework/error.hpp>

#include "src/pixels/image_operation.hpp"

namespace lanework::image_options {

inline constexpr std::string_view kConventions[] = {"opencv", "float", "legacy"};
inline constexpr std::string_view kFits[] = {"centred", "top-left", "stretch"};

/// The size of the output, in a member of WantedSize at `offset`.
constexpr ImageOption size(std::size_t offset) {
    return {.kind = ImageOptionKind::size,
            .offset = offset,
            .word = "--size",
            .parameter = "size",
            .placeholder = "WxH",
            .help = "Columns x rows of the output: {}",
            .right = "a size like 640x360: columns x rows, both above 0"};
}
constexpr ImageOption width(std::size_t offset, std::string_view help = {}) {
    return {.kind = ImageOptionKind::width, .offset = offset, .word = "--width", .placeholder = "N", .help = help};
}
constexpr ImageOption height(std::size_t offset, std::string_view help = {}) {
    return {.kind = ImageOptionKind::height, .offset = offset, .word = "--height", .placeholder = "N", .help = help};
}

constexpr ImageOption convention(std::size_t offset, std::span<const std::string_view> choices = kConventions,
                                 std::string_view help = "Sampling: opencv, float or legacy") {
    return {.kind = ImageOptionKind::choice,
            .offset = offset,
            .word = "--convention",
            .parameter = "convention",
            .choices = choices,
            .placeholder = "NAME",
            .help = help};
}
constexpr ImageOption fit(std::size_t offset) {
    return {.kind = ImageOptionKind::choice,
            .offset = offset,
            .word = "--fit",
            .parameter = "fit",
            .choices = kFits,
            .placeholder = "NAME",
            .help = "centred, top-left or stretch (centred)"};
}
constexpr ImageOption scale_up(std::size_t offset) {
    return {.kind = ImageOptionKind::flag,
            .offset = offset,
            .word = "--no-scale-up",
            .parameter = "scale_up",
            .help = "small pictures keep their size"};
}
constexpr ImageOption colour(std::size_t offset, std::string_view parameter, std::string_view help) {
    return {.kind = ImageOptionKind::colour,
            .offset = offset,
            .word = "--pad",
            .parameter = parameter,
            .placeholder = "V[,V,V[,V]]",
            .help = help,
            .right = "1, 3 or 4 whole numbers from 0 to 255 like 114 or 0,128,255"};
}

}  // namespace lanework::image_options

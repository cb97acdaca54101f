// What letterbox and tensor ask of their arguments beyond what every operation does.
#pragma once

#include <cmath>

#include "src/pixels/checks.hpp"

namespace lanework::image {

template <class T>
void require_counterparts(std::string_view operation, const ImageBatch<const T>& in, std::int64_t out_count,
                          std::int64_t out_channels) {
    if (in.channels != out_channels)
        throw UsageError(
            fmt::format("{}: in has {} channels and out {}; they must be equal", operation, in.channels, out_channels));
    if (in.count != out_count)
        throw UsageError(
            fmt::format("{}: in has {} images and out {}; they must be equal", operation, in.count, out_count));
}

/// The options, 0 for the channels that there are not: nobody reads them, but many convert all four. T is a sample.
template <class T>
LetterboxOptions checked(std::string_view operation, LetterboxOptions options, int channels) {
    if (options.fit == Fit::stretch && !options.scale_up)
        throw UsageError(
            fmt::format("{}: scale_up is false, and stretch fills the output: use centred or top_left", operation));
    for (std::size_t c = 0; c < static_cast<std::size_t>(channels); ++c) {
        const float pad = options.pad[c];
        if (std::is_same_v<T, std::uint8_t> && !(pad >= 0 && pad <= 255 && pad == std::floor(pad)))
            throw UsageError(fmt::format("{}: pad[{}] is {}; of 8-bit images it is a whole number from 0 to 255",
                                         operation, c, pad));
    }
    for (auto c = static_cast<std::size_t>(channels); c < options.pad.size(); ++c) options.pad[c] = 0;
    return options;
}

}  // namespace lanework::image

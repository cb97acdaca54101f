// How a processor filters an image: two rows at a time, which share what they compute of those around them.
#pragma once

#include <algorithm>
#include <lanework/image.hpp>

#include "src/cpu/in_shares.hpp"

namespace lanework {

/// Calls filter(Share) for shares of the image's rows that begin at even ones, on the team's threads.
template <class T, class Filter>
void in_shares_of_row_pairs(Team team, const ImageView<const T>& in, const Filter& filter) {
    constexpr std::int64_t kLeastBytes = 65536;  // for a thread to be worth its coming
    const std::int64_t row = in.width * in.channels * static_cast<std::int64_t>(sizeof(T));
    in_shares(team, in.height, 2 * ceil_div(kLeastBytes, 2 * row), filter);
}

/// The rows of a share in pairs; the last may be one alone. Of a row of `length` samples, registers(y, rows) computes
/// those with neighbours on both sides where they fill a register of `lanes` samples; samples(y, begin, end) all
/// others.
template <class Registers, class Samples>
void for_row_pairs(Share share, std::int64_t length, std::int64_t channels, std::int64_t lanes,
                   const Registers& registers, const Samples& samples) {
    const bool wide = lanes > 0 && length >= lanes + 2 * channels;
    for (std::int64_t y = share.begin; y < share.end; y += 2) {
        const std::int64_t rows = std::min<std::int64_t>(2, share.end - y);
        if (wide) registers(y, rows);
        for (std::int64_t row = y; row < y + rows; ++row) {
            samples(row, 0, wide ? channels : length);
            if (wide) samples(row, length - channels, length);
        }
    }
}

}  // namespace lanework

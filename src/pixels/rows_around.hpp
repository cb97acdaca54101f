// A row and its neighbours above and below, the border reflected.
#pragma once

#include "src/pixels/reflect.hpp"
#include "src/pixels/rows.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

template <class T>
struct RowsAround {
    const T *above, *here, *below;

    static RowsAround of(const ImageView<const T>& in, std::int64_t y) {
        return {row_of(in, reflect(y - 1, in.height)), row_of(in, y), row_of(in, reflect(y + 1, in.height))};
    }
};

/// The samples before and after one of a row, a pixel away.
struct SamplesBeside {
    std::int64_t left, right;

    static constexpr SamplesBeside of(std::int64_t sample, std::int64_t width, std::int64_t channels) {
        const std::int64_t left = sample - channels, right = sample + channels, length = width * channels;
        return {left < 0 ? reflect<std::int64_t>(-1, width) * channels + sample : left,
                right < length ? right : reflect(width, width) * channels + right - length};
    }
};

}  // namespace lanework::inline LANEWORK_ON_DEVICE

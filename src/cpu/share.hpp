// Dividing a range among the threads of a team, and the rows of a matrix that make it up.
#pragma once

#include <algorithm>
#include <cstdint>

namespace lanework {

/// A half-open range of elements.
struct Share {
    std::int64_t begin = 0, end = 0;
    std::int64_t size() const { return end - begin; }
};

/// The part of [0, count) that thread `index` of `threads` takes. Shares begin at multiples of `grain` (elements),
/// so that none but the last has a ragged end; some are empty when there are fewer grains than threads.
inline Share share_of(std::int64_t count, int threads, int index, std::int64_t grain) {
    const std::int64_t grains = (count + grain - 1) / grain;
    const std::int64_t begin = grains * index / threads, end = grains * (index + 1) / threads;
    return {std::min(count, begin * grain), std::min(count, end * grain)};
}

/// Of rows of `cols` elements, one after the other: calls stretch(row, begin, end) for the parts of rows that are this
/// share.
template <class Stretch>
void for_each_stretch(const Share& share, std::int64_t cols, const Stretch& stretch) {
    if (share.size() <= 0) return;
    std::int64_t row = share.begin / cols, begin = share.begin % cols;
    for (std::int64_t left = share.size(); left > 0; ++row, begin = 0) {
        const std::int64_t end = std::min(cols, begin + left);
        stretch(row, begin, end);
        left -= end - begin;
    }
}

}  // namespace lanework

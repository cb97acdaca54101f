// A tile of output columns as the vector code wants it: most rows are one, so that memory is walked in order, and its
// tables and two rows of sums stay in the second-level cache and on the stack, so that nothing is allocated.
#pragma once

#include <algorithm>

#include "ops/resize/pixel.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kTileSamples = 12288, kGroup = 4, kTileGroups = kTileSamples / kGroup;
inline constexpr int kWindow = 8;   ///< bytes that are loaded at once
inline constexpr int kSlack = 128;  ///< sums past a tile that vectors may read

/// The taps of a tile's samples one by one.
template <class Arithmetic>
struct TileSamples {
    std::int32_t first[kTileSamples], second[kTileSamples];
    typename Arithmetic::Weights weights[kTileSamples];
    int count = 0;
};

template <class Arithmetic, class T>
void fill_samples(TileSamples<Arithmetic>& tile, const ResizePair<T>& pair, Convention convention, std::int64_t begin,
                  int count) {
    const int channels = pair.in.channels;
    tile.count = count;
    with_convention(convention, [&]<Convention named>() {
        auto channel = static_cast<int>(begin % channels);
        std::int64_t x = begin / channels;
        for (int i = 0; i < count; ++x, channel = 0) {
            const Tap tap = column_tap<named>(pair.columns, x);
            const auto weights = Arithmetic::weights(tap);
            for (; channel < channels && i < count; ++channel, ++i) {
                tile.first[i] = tap.first * channels + channel;
                tile.second[i] = tap.second * channels + channel;
                tile.weights[i] = weights;
            }
        }
    });
}

template <class T>
Tap row_tap_of(const ResizePair<T>& pair, Convention convention, std::int64_t y) {
    Tap tap{};
    with_convention(convention, [&]<Convention named>() { tap = row_tap<named>(pair.rows, y); });
    return tap;
}

/// Bytes from the rows that output row y is made of to those that are asked for meanwhile: the next that are read,
/// which lie two rows on, or where the image shrinks by more than that, as far on as the next output row's. 0: there
/// are none.
template <class T>
std::int64_t bytes_to_next_rows(const ResizePair<T>& pair, Convention convention, std::int64_t y) {
    if (y + 1 >= pair.out.height) return 0;
    const Tap tap = row_tap_of(pair, convention, y), next = row_tap_of(pair, convention, y + 1);
    const std::int64_t rows = std::max(2, next.first - tap.first);
    return tap.second + rows < pair.in.height ? rows * pair.in.pitch : 0;
}

/// Four neighbouring 8-bit samples: two windows of 8 bytes of a row hold all that they need, `order` puts the two
/// bytes of each into a pair of 16-bit lanes, which their weights multiply.
struct TileGroups {
    alignas(64) std::int32_t base[kTileGroups][2];
    alignas(64) std::uint8_t order[kTileGroups][2 * kWindow];
    alignas(64) std::int16_t weights[kTileGroups][2 * kGroup];
    int count = 0;
};
inline constexpr std::uint8_t kZeroByte = 0x80;

inline std::int16_t pair_weight(const Bilinear<std::uint8_t, Convention::opencv>::Weights& weights, int which) {
    return static_cast<std::int16_t>(which == 0 ? weights.first : weights.second);
}

/// False where a group needs more than two windows (one channel, scaled down by more than 6), or a row is shorter.
template <class Arithmetic>
bool fill_groups(TileGroups& groups, const TileSamples<Arithmetic>& samples, std::int64_t row_bytes) {
    if (row_bytes < kWindow) return false;
    const auto last_base = static_cast<std::int32_t>(row_bytes - kWindow);
    groups.count = ceil_div(samples.count, kGroup);
    for (int group = 0; group < groups.count; ++group) {
        const int begin = group * kGroup, end = std::min(begin + kGroup, samples.count);
        // The second window begins with the first byte that the first does not hold.
        std::int32_t* base = groups.base[group];
        base[0] = std::min(*std::min_element(samples.first + begin, samples.first + end), last_base);
        std::int32_t rest = last_base;
        for (int i = begin; i < end; ++i)
            if (samples.second[i] - base[0] >= kWindow) rest = std::min(rest, samples.first[i]);
        base[1] = rest;
        for (int j = 0; j < kGroup; ++j) {
            const int i = std::min(begin + j, end - 1);
            const int window = samples.second[i] - base[0] < kWindow ? 0 : 1;
            const std::int32_t first = samples.first[i] - base[window], second = samples.second[i] - base[window];
            if (second >= kWindow) return false;
            std::uint8_t* order = groups.order[group] + 4 * j;
            order[0] = static_cast<std::uint8_t>(window * kWindow + first);
            order[2] = static_cast<std::uint8_t>(window * kWindow + second);
            order[1] = order[3] = kZeroByte;
            groups.weights[group][2 * j] = pair_weight(samples.weights[i], 0);
            groups.weights[group][2 * j + 1] = pair_weight(samples.weights[i], 1);
        }
    }
    return true;
}

/// As many samples as a vector has 32-bit lanes, out of one load: `lanes` distributes its 32-bit words so that each
/// block of 16 bytes holds what its four samples need, and `order` makes pairs of them as in TileGroups.
struct TileSpans {
    std::int32_t base[kTileGroups];
    alignas(64) std::int32_t lanes[kTileSamples];
    alignas(64) std::uint8_t order[kTileSamples * 4];
    alignas(64) std::int16_t weights[kTileSamples * 2];
    int count = 0;
};

/// False where the samples of a vector of `bytes` bytes lie further apart than it reaches: an image that is scaled down
/// by more than about 3, or a row shorter than a vector.
template <class Arithmetic>
bool fill_spans(TileSpans& spans, const TileSamples<Arithmetic>& samples, std::int64_t row_bytes, int bytes) {
    constexpr int kWord = 4, kBlock = 16;
    if (row_bytes < bytes) return false;
    const auto last_base = static_cast<std::int32_t>(row_bytes - bytes);
    const int per_span = bytes / 4;
    spans.count = ceil_div(samples.count, per_span);
    for (int block = 0; block < spans.count * per_span / kGroup; ++block) {
        const int span = block * kGroup / per_span, last = samples.count - 1;
        const auto lowest = [&](int begin, int count) {
            begin = std::min(begin, last);
            return *std::min_element(samples.first + begin, samples.first + std::min(begin + count, samples.count));
        };
        const std::int32_t begin = lowest(span * per_span, per_span), base = std::min(begin, last_base);
        spans.base[span] = base;
        const std::int32_t word = std::min((lowest(block * kGroup, kGroup) - base) / kWord, (bytes - kBlock) / kWord);
        for (int j = 0; j < kGroup; ++j) {
            const int i = std::min(block * kGroup + j, last), to = block * kGroup + j;
            const std::int32_t first = samples.first[i] - base - word * kWord;
            const std::int32_t second = samples.second[i] - base - word * kWord;
            if (second >= kBlock) return false;
            spans.lanes[to] = word + j;
            spans.order[4 * to] = static_cast<std::uint8_t>(first);
            spans.order[4 * to + 2] = static_cast<std::uint8_t>(second);
            spans.order[4 * to + 1] = spans.order[4 * to + 3] = kZeroByte;
            spans.weights[2 * to] = pair_weight(samples.weights[i], 0);
            spans.weights[2 * to + 1] = pair_weight(samples.weights[i], 1);
        }
    }
    return true;
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

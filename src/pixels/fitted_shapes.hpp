// Which shapes letterbox and tensor are verified and timed on, how their inputs are filled, and how much of them a
// device must read at least. Both operations have the same axes; this is read by their operation.cpp alone.
#pragma once

#include <vector>

#include "src/core/fill.hpp"
#include "src/gpu/memory_units.hpp"
#include "src/pixels/batch_sizes.hpp"
#include "src/pixels/fitted_source.hpp"

namespace lanework::fitting {

inline constexpr std::int64_t kUsual[] = {3, 1, 0, 0};  // channels, images, shrink, margin

/// Empty, tiny, ragged; smaller, larger, exactly half, of extreme aspect; batches of different sizes; with margins; so
/// many images that a rung which chooses by the amount of work chooses otherwise.
inline constexpr Extents kVerified[] = {
    extents(0, 0, 0, 0, 3, 1, 0, 0),      extents(5, 7, 0, 3, 3, 2, 0, 0),        extents(0, 4, 3, 5, 3, 1, 0, 0),
    extents(4, 4, 3, 5, 3, 0, 0, 0),      extents(1, 1, 1, 1, 1, 1, 0, 0),        extents(1, 1, 9, 5, 3, 1, 0, 0),
    extents(13, 1, 7, 11, 4, 1, 0, 1),    extents(3, 67, 40, 21, 3, 1, 0, 0),     extents(48, 64, 24, 32, 3, 1, 0, 0),
    extents(20, 15, 33, 47, 1, 3, 9, 2),  extents(36, 64, 40, 40, 4, 2, 7, 0),    extents(54, 96, 32, 32, 3, 5, 13, 1),
    extents(90, 160, 53, 51, 3, 1, 0, 0), extents(21, 140, 35, 150, 3, 2, 17, 5), extents(9, 8, 31, 1, 3, 300, 2, 1)};

constexpr Extents networks(std::int64_t height, std::int64_t width, std::int64_t images) {
    return extents(height, width, 640, 640, 3, images, 0, 0);
}
inline constexpr Extents kTimedOnGpu[] = {networks(1080, 1920, 64), networks(1080, 1920, 1), networks(2160, 3840, 8)};
inline constexpr Extents kTimedOnSimt[] = {extents(120, 160, 96, 96, 3, 1, 0, 0)};
inline constexpr Extents kTimedOnCpu[] = {networks(1080, 1920, 1), networks(2160, 3840, 1), networks(480, 640, 1)};

inline BufferSpec places_array(std::string_view name, const Problem& p) {
    return {name, Role::input, DType::int64, place_words(p)};
}
template <class PlaceOf>
void fill_places(void* array, const Problem& p, PlaceOf place_of) {
    if (place_words(p) == 0) return;
    for (std::int64_t k = 0; k < p.lengths<Axes>().images; ++k) static_cast<ImagePlace*>(array)[k] = place_of(p, k);
}

/// Affine transforms, as doubles; where nothing is computed, there are none.
inline std::size_t transform_words(const Problem& p) {
    const auto of = p.lengths<Axes>();
    const bool empty = of.out_height == 0 || of.out_width == 0;
    return empty ? 0 : static_cast<std::size_t>(of.images) * (sizeof(Affine) / sizeof(double));
}

/// The arrays of the images, whose samples have this type, and of their places, filled.
inline void fill_sources(const Problem& p, DType type, std::uint64_t seed, void* images, void* places) {
    const auto fill = [&]<class T>(T* samples) {
        fill_uniform(samples, source_shape(p).array(), seed);
        fill_places(places, p, source_place<T>);
    };
    if (type == DType::uint8) return fill(static_cast<std::uint8_t*>(images));
    fill(static_cast<float*>(images));
}

/// How many source rows have a weight in an output of this height.
template <class T, Convention convention>
std::int64_t rows_read(const FittedSource<T, convention>& source) {
    std::int64_t count = 0, last = -1;
    for (std::int64_t y = source.place.top; y < source.place.top + source.place.height; ++y) {
        const auto rows = source.rows(y);
        for (const auto& [row, weight] :
             {std::pair(rows.first, rows.first_weight), std::pair(rows.second, rows.second_weight)})
            if (row > last && weight != 0) ++count, last = row;
    }
    return count;
}

/// The bytes that a device must read of the sources: of each row that has a weight the sectors that hold
/// the columns asked for.
template <class T>
std::uint64_t least_bytes(const Problem& p, const LetterboxOptions& options) {
    const auto of = p.lengths<Axes>();
    std::int64_t bytes = 0;
    LinesToCount lines;
    with_convention(options.convention, [&]<Convention convention>() {
        for_each_source(p, [&](std::int64_t height, std::int64_t width, std::int64_t times) {
            const ImageView<const T> image{nullptr, height, width, static_cast<int>(of.channels), 0};
            const auto source = FittedSource<T, convention>::of(image, of.out_height, of.out_width, options);
            const std::int64_t row = image.width * image.channels * static_cast<std::int64_t>(sizeof(T));
            if (lines.take(source.place.height))
                bytes += times * rows_read(source) * std::min(row, source.place.width * std::int64_t{kSectorBytes});
        });
    });
    return static_cast<std::uint64_t>(bytes);
}

/// With sources of this type.
inline Work work(const Problem& p, DType type, const LetterboxOptions& options) {
    return {.bytes_read = type == DType::uint8 ? least_bytes<std::uint8_t>(p, options) : least_bytes<float>(p, options),
            .bytes_written = size_of(p.dtype) * target_shape(p, 0).samples()};
}

inline Tolerance tolerance(const Problem&) {
    return {.reason = "integers, or floats of which each sum is rounded by itself"};
}

/// A random shape of some thousand pixels, often degenerate; the same for the same seed.
inline Extents draw(std::uint64_t seed) {
    std::uint64_t index = 0;
    const auto below = [&](std::int64_t most) {
        return static_cast<std::int64_t>(random_bits(seed, index++) % static_cast<std::uint64_t>(most));
    };
    const auto side_of = [&] { return below(8) == 0 ? 1 + below(3) : 1 + below(150); };
    constexpr std::int64_t kChannels[] = {1, 3, 4};
    const auto named = [](const Extents& lengths) { return Problem{lengths}.lengths<Axes>(); };
    Axes of =
        named(extents(side_of(), side_of(), side_of(), side_of(), kChannels[below(3)], 1 + below(3), below(40), 0));
    const auto half = [](std::int64_t side) { return std::max<std::int64_t>(1, side / 2); };
    if (below(6) == 0) of.out_height = half(of.height), of.out_width = half(of.width);
    if (below(6) == 0) of.height = 2 * of.out_height, of.width = 2 * of.out_width, of.shrink = 0;
    if (below(10) == 0) of.height = 1 + below(4), of.width = 300 + below(3000);
    if (below(10) == 0) of.out_height = 1 + below(8), of.out_width = 1000 + below(1500);
    // The first is not scaled, but padded above and below, or on both sides.
    if (below(8) == 0) of.out_height = of.height + below(20), of.out_width = of.width;
    if (below(8) == 0) of.out_height = of.height, of.out_width = of.width + below(20);
    if (below(16) == 0)
        of = named(extents(1 + below(9), 1 + below(9), 16 + below(15), 1, of.channels, 520, below(3), 0));
    if (below(2) == 0) of.margin = 1 + below(9);
    return extents(of.height, of.width, of.out_height, of.out_width, of.channels, of.images, of.shrink, of.margin);
}

}  // namespace lanework::fitting

// Rows of fitted images with Highway, for the cpu rungs of letterbox and tensor: read once for each instruction set.
// Where arithmetic is of floats, samples are fetched pixel by pixel into arrays on the stack, since taps are anywhere,
// and mixed there by registers, one 32-bit lane a sample; byte_rows-inl.hpp has the other.
#if defined(LANEWORK_FITTED_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEWORK_FITTED_ROWS_INL
#undef LANEWORK_FITTED_ROWS_INL
#else
#define LANEWORK_FITTED_ROWS_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "src/cpu/share.hpp"
#include "src/pixels/byte_rows-inl.hpp"
#include "src/pixels/fitted_source.hpp"

HWY_BEFORE_NAMESPACE();
namespace lanework::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Some columns where arithmetic is of floats.
struct FloatColumns {
    alignas(64) std::int32_t first[kArray], second[kArray];  ///< samples from the row's begin
    alignas(64) float first_weight[kArray], second_weight[kArray];
    int count = 0;
    int whole = 0;  ///< so many can be loaded as words of four bytes that do not reach beyond the row

    template <class Source>
    void prepare(const Source& source, std::int64_t x, int columns) {
        const std::int32_t channels = source.image.channels;
        const std::int64_t last_word = source.image.width * channels - 4;
        count = columns;
        whole = 0;
        for (int i = 0; i < count; ++i) {
            const auto taps = source.columns(x + i);
            first[i] = taps.first * channels;
            second[i] = taps.second * channels;
            first_weight[i] = taps.first_weight;
            second_weight[i] = taps.second_weight;
            if (second[i] <= last_word) whole = i + 1;
        }
        std::fill_n(first_weight + count, kArray - kMostColumns, 0.0F);
        std::fill_n(second_weight + count, kArray - kMostColumns, 0.0F);
    }
};

template <int channels, class T, Convention convention>
using Columns =
    std::conditional_t<std::is_same_v<Mixed<T, convention>, std::int32_t>, ByteColumns<channels>, FloatColumns>;

/// Pixels of a row at the taps of its columns: 8-bit ones as words, floats one channel at a time.
struct FetchedRow {
    alignas(64) std::uint32_t first[kArray], second[kArray];

    template <int channels>
    void fetch(const std::uint8_t* row, const FloatColumns& taps, int) {
        const int words = channels == 1 ? 0 : taps.whole;
        for (int i = 0; i < words; ++i) {
            std::memcpy(&first[i], row + taps.first[i], sizeof(first[i]));
            std::memcpy(&second[i], row + taps.second[i], sizeof(second[i]));
        }
        for (int i = words; i < taps.count; ++i) {
            first[i] = second[i] = 0;
            for (int c = 0; c < channels; ++c) {
                first[i] |= std::uint32_t{row[taps.first[i] + c]} << (8 * c);
                second[i] |= std::uint32_t{row[taps.second[i] + c]} << (8 * c);
            }
        }
        clear(taps.count);
    }
    template <int channels>
    void fetch(const float* row, const FloatColumns& taps, int channel) {
        for (int i = 0; i < taps.count; ++i) {
            std::memcpy(&first[i], row + taps.first[i] + channel, sizeof(float));
            std::memcpy(&second[i], row + taps.second[i] + channel, sizeof(float));
        }
        clear(taps.count);
    }

private:
    void clear(int count) {  // the rest of the last register
        std::fill_n(first + count, kArray - kMostColumns, 0U);
        std::fill_n(second + count, kArray - kMostColumns, 0U);
    }
};

/// Channel `c` of the pixels in `words`.
template <class T>
HWY_INLINE hn::Vec<Real> channel_of(const std::uint32_t* words, int c) {
    const hn::RebindToUnsigned<Whole> bits;
    const auto word = hn::Load(bits, words);
    if constexpr (std::is_same_v<T, float>)
        return hn::BitCast(Real(), word);
    else
        return hn::ConvertTo(Real(),
                             hn::BitCast(Whole(), hn::And(hn::ShiftRightSame(word, 8 * c), hn::Set(bits, 0xFF))));
}

/// Two samples of a row, weighted: Bilinear::along.
template <class T>
HWY_INLINE hn::Vec<Real> along(const FetchedRow& row, const FloatColumns& taps, int i, int c) {
    return hn::Add(hn::Mul(channel_of<T>(row.first + i, c), hn::Load(Real(), taps.first_weight + i)),
                   hn::Mul(channel_of<T>(row.second + i, c), hn::Load(Real(), taps.second_weight + i)));
}

/// Mixes the columns of one output row; put(channel, column, lanes) takes a register of them. 8-bit rows without weight
/// are not read. Nothing is rounded to samples.
template <int channels, class T, class Put>
HWY_INLINE void mix_row(const ImageView<const T>& image, const FloatColumns& taps, const Neighbours<float>& rows,
                        Put put) {
    constexpr bool kBytes = std::is_same_v<T, std::uint8_t>;
    const int lanes = static_cast<int>(hn::Lanes(Whole()));
    const bool both = !kBytes || rows.second_weight != 0;
    const auto first = hn::Set(Real(), rows.first_weight), second = hn::Set(Real(), rows.second_weight);
    FetchedRow above, below;
    const auto fetch = [&](int c) {
        above.template fetch<channels>(row_of(image, rows.first), taps, c);
        if (both) below.template fetch<channels>(row_of(image, rows.second), taps, c);
    };
    const auto mix = [&](int c, int i) HWY_ATTR {
        const auto upper = along<T>(above, taps, i, c);
        const auto lower = both ? along<T>(below, taps, i, c) : hn::Zero(Real());
        put(c, i, hn::Add(hn::Mul(upper, first), hn::Mul(lower, second)));
    };
    if constexpr (kBytes) {
        fetch(0);
        for (int i = 0; i < taps.count; i += lanes)
            for (int c = 0; c < channels; ++c) mix(c, i);
    } else {
        for (int c = 0; c < channels; ++c) {
            fetch(c);
            for (int i = 0; i < taps.count; i += lanes) mix(c, i);
        }
    }
}

/// Rows of an output that its image reaches.
template <int channels, class T, Convention convention, class Output>
void mix_rows(const FittedSource<T, convention>& source, std::int64_t width, Share rows, const Output& output) {
    Columns<channels, T, convention> columns;
    const FittedImage& place = source.place;
    const std::int64_t right = place.left + place.width;
    for (std::int64_t x = place.left; x < right; x += kMostColumns) {
        columns.prepare(source, x, static_cast<int>(std::min<std::int64_t>(kMostColumns, right - x)));
        for (std::int64_t y = rows.begin; y < rows.end; ++y) {
            if (x == place.left) output.pad(y, 0, place.left);
            output.template mix<channels>(source.image, columns, source.rows(y), y, x);
            if (x + columns.count == right) output.pad(y, right, width);
        }
    }
}

/// The same where a sample of the output is one of the source: in every convention the weights are 1 and 0.
template <int channels, class Source, class Output>
void copy_rows(const Source& source, std::int64_t width, Share rows, const Output& output) {
    const FittedImage& place = source.place;
    for (std::int64_t y = rows.begin; y < rows.end; ++y) {
        output.pad(y, 0, place.left);
        output.template copy<channels>(row_of(source.image, y - place.top), y, place.left, place.width);
        output.pad(y, place.left + place.width, width);
    }
}

/// Rows [begin, end) of one output. An Output has pad(row, from, to), which fills columns [from, to),
/// mix<channels>(image, columns, rows, row, column), which mixes those columns, and copy<channels>(source row, row,
/// column, count), which takes 8-bit pixels as they are.
template <int channels, class T, Convention convention, class Output>
void fit_rows(const FittedSource<T, convention>& source, std::int64_t width, Share rows, const Output& output) {
    const FittedImage& place = source.place;
    const Share inside = {std::clamp(place.top, rows.begin, rows.end),
                          std::clamp(place.top + place.height, rows.begin, rows.end)};
    for (std::int64_t y = rows.begin; y < inside.begin; ++y) output.pad(y, 0, width);
    if (inside.size() > 0) {
        const bool scaled = place.height != source.image.height || place.width != source.image.width;
        // floats without weight count nevertheless: an infinity times 0 is no number
        if constexpr (std::is_same_v<T, std::uint8_t>)
            scaled ? mix_rows<channels>(source, width, inside, output)
                   : copy_rows<channels>(source, width, inside, output);
        else
            mix_rows<channels>(source, width, inside, output);
    }
    for (std::int64_t y = inside.end; y < rows.end; ++y) output.pad(y, 0, width);
}

/// The rows of a share of all images' rows. output_of(k) is the Output of image k.
template <int channels, class T, Convention convention, class OutputOf>
void fit_share(const ImageBatch<const T>& in, std::int64_t height, std::int64_t width, const LetterboxOptions& options,
               Affine* to_source, Share share, OutputOf output_of) {
    for (std::int64_t row = share.begin; row < share.end;) {
        const std::int64_t k = row / height, begin = row % height, end = std::min(height, begin + share.end - row);
        const auto source = FittedSource<T, convention>::of(image_of(in, k), height, width, options);
        if (begin == 0 && to_source) to_source[k] = source.to_source();
        fit_rows<channels>(source, width, {begin, end}, output_of(k));
        row += end - begin;
    }
}

}  // namespace lanework::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

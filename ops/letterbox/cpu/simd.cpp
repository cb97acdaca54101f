// A register of samples at a time, on all threads: rows are fetched and mixed channel by channel, and interleaved when
// they are stored.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/letterbox/cpu/simd.cpp"
#include <hwy/foreach_target.h>
// Highway compiles this file once for each instruction set, so its headers come second.
#include <hwy/highway.h>

#include "ops/letterbox/operation.hpp"
#include "src/cpu/in_shares.hpp"
#include "src/pixels/fitted_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
namespace rows = lanework::HWY_NAMESPACE;
using rows::kArray;
using rows::Real;
using rows::Whole;

/// A register of mixtures as samples.
HWY_INLINE void store(float* to, hn::Vec<Real> mixed) { hn::StoreU(mixed, Real(), to); }
HWY_INLINE void store(std::uint8_t* to, hn::Vec<Whole> mixed) {
    const hn::Rebind<std::uint8_t, Whole> bytes;
    hn::StoreU(hn::DemoteTo(bytes, mixed), bytes, to);
}
HWY_INLINE void store(std::uint8_t* to, hn::Vec<Real> mixed) { store(to, hn::NearestInt(mixed)); }

/// Interleaves the channels of `count` pixels.
template <int channels, class T>
void interleave(const T (&planes)[channels][kArray], int count, T* to) {
    const hn::ScalableTag<T> samples;
    const int lanes = static_cast<int>(hn::Lanes(samples));
    int i = 0;
    for (; i + lanes <= count; i += lanes) {
        const auto load = [&](int c) { return hn::LoadU(samples, planes[c] + i); };
        if constexpr (channels == 1)
            hn::StoreU(load(0), samples, to + i);
        else if constexpr (channels == 3)
            hn::StoreInterleaved3(load(0), load(1), load(2), samples, to + channels * i);
        else
            hn::StoreInterleaved4(load(0), load(1), load(2), load(3), samples, to + channels * i);
    }
    for (; i < count; ++i)
        for (int c = 0; c < channels; ++c) to[channels * i + c] = planes[c][i];
}

/// One image of an output.
template <class T>
struct ImageRows {
    ImageView<T> image;
    const LetterboxOptions& options;

    void pad(std::int64_t y, std::int64_t from, std::int64_t to) const {
        T sample[4];
        for (std::size_t c = 0; c < 4; ++c) sample[c] = static_cast<T>(options.pad[c]);
        T* const row = row_of(image, y);
        const bool gray = std::all_of(sample, sample + image.channels, [&](T s) { return s == sample[0]; });
        if (gray) {
            std::fill(row + from * image.channels, row + to * image.channels, sample[0]);
            return;
        }
        for (T* pixel = row + from * image.channels; pixel != row + to * image.channels; pixel += image.channels)
            std::copy_n(sample, image.channels, pixel);
    }

    template <int channels>
    void copy(const T* from, std::int64_t y, std::int64_t x, std::int64_t count) const {
        std::copy_n(from, count * channels, row_of(image, y) + x * channels);
    }

    template <int channels, class Image, class Columns, class Neighbours>
    HWY_NOINLINE void mix(const Image& source, Columns& columns, const Neighbours& neighbours, std::int64_t y,
                          std::int64_t x) const {
        alignas(64) T planes[channels][kArray];
        rows::mix_row<channels>(source, columns, neighbours,
                                [&](int c, int i, auto mixed) { store(planes[c] + i, mixed); });
        interleave<channels>(planes, columns.count, row_of(image, y) + x * channels);
    }
};

template <class T>
void compute(const LetterboxArgs<T>& a, Share share) {
    with_convention(a.options.convention, [&]<Convention convention>() {
        with_channels(a.out.channels, [&]<int channels>() {
            rows::fit_share<channels, T, convention>(a.in, a.out.most_height, a.out.most_width, a.options, a.to_source,
                                                     share, [&](std::int64_t k) {
                                                         return ImageRows<T>{image_of(a.out, k), a.options};
                                                     });
        });
    });
}

void compute_bytes(const LetterboxArgs<std::uint8_t>& a, Share share) { compute(a, share); }
void compute_floats(const LetterboxArgs<float>& a, Share share) { compute(a, share); }

}  // namespace HWY_NAMESPACE
}  // namespace
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace {
HWY_EXPORT(compute_bytes);
HWY_EXPORT(compute_floats);
constexpr std::int64_t kLeastSamples = 65536;  // for a thread: less is done before another has begun

template <class T, class Compute>
void launch_on(const LetterboxArgs<T>& a, Team team, Compute compute) {
    if (a.empty()) return;
    const std::int64_t grain = std::max<std::int64_t>(1, kLeastSamples / (a.out.channels * a.out.most_width));
    in_shares(team, a.out.count * a.out.most_height, grain, [&](Share share) { compute(a, share); });
}
void launch_bytes(const LetterboxArgs<std::uint8_t>& a, Team team) {
    launch_on(a, team, HWY_DYNAMIC_DISPATCH(compute_bytes));
}
void launch_floats(const LetterboxArgs<float>& a, Team team) {
    launch_on(a, team, HWY_DYNAMIC_DISPATCH(compute_floats));
}
}  // namespace

LANEWORK_RUNG(letterbox, simd,
              {
                  .climbs_from = "serial",
                  .lesson = "Rows are mixed channel by channel in registers and interleaved at last, on all threads.",
                  .launch = {launch_bytes, launch_floats},
              });
#endif

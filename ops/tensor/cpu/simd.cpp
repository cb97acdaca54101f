// A register of elements at a time, on all threads: rows are fetched, mixed, normalised and stored into their planes
// without an image in between.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/tensor/cpu/simd.cpp"
#include <hwy/foreach_target.h>
// Highway compiles this file once for each instruction set, so its headers come second.
#include <hwy/highway.h>

#include "ops/tensor/element.hpp"
#include "ops/tensor/planes.hpp"
#include "src/cpu/in_shares.hpp"
#include "src/pixels/fitted_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
namespace rows = lanework::HWY_NAMESPACE;
using rows::Real;
using rows::Whole;
using Floats = hn::Vec<Real>;
using Halves = hn::Rebind<std::uint16_t, Whole>;

/// What to_float16 computes, in lanes of 32 bits.
HWY_INLINE hn::Vec<hn::RebindToUnsigned<Whole> > half_bits_of(Floats values) {
    const hn::RebindToUnsigned<Whole> bits;
    const auto set = [&](std::uint32_t word) { return hn::Set(bits, word); };
    const auto word = hn::BitCast(bits, values);
    const auto sign = hn::And(hn::ShiftRight<16>(word), set(0x8000)), magnitude = hn::And(word, set(0x7FFFFFFF));
    const auto exponent = hn::Sub(magnitude, set((127U - 15U) << 23));
    const auto odd = hn::And(hn::ShiftRight<13>(exponent), set(1));
    const auto normal = hn::ShiftRight<13>(hn::Add(exponent, hn::Add(odd, set(0xFFF))));
    // ½ has an ulp of 2⁻²⁴, of which a subnormal half is a whole number: the sum rounds it
    const auto sum = hn::Add(hn::BitCast(Real(), magnitude), hn::Set(Real(), 0.5F));
    const auto subnormal = hn::Sub(hn::BitCast(bits, sum), set(0x3F000000));
    auto half = hn::IfThenElse(hn::Lt(magnitude, set(0x38800000)), subnormal, normal);
    half = hn::IfThenElse(hn::Gt(magnitude, set(0x477FEFFF)), set(0x7C00), half);
    half = hn::Or(half, sign);
    return hn::IfThenElse(hn::Gt(magnitude, set(0x7F800000)), set(lanework::half_bits::kHalfNan), half);
}

HWY_INLINE void store(float* to, Floats values) { hn::StoreU(values, Real(), to); }
HWY_INLINE void store(float16* to, Floats values) {
    const auto half = hn::BitCast(Whole(), half_bits_of(values));
    hn::StoreU(hn::DemoteTo(Halves(), half), Halves(), reinterpret_cast<std::uint16_t*>(to));
}

/// Where pixels of a row become elements: for each channel of the source its elements and what makes them.
template <class Out, int channels>
struct ElementRows {
    Out* begin[channels];
    float factor[channels], offset[channels];

    HWY_INLINE Floats element(int c, Floats samples) const {
        return hn::Add(hn::Mul(samples, hn::Set(Real(), factor[c])), hn::Set(Real(), offset[c]));
    }
    HWY_INLINE Floats element(int c, hn::Vec<Whole> samples) const {
        return element(c, hn::ConvertTo(Real(), samples));
    }
    Out element(int c, std::uint8_t sample) const { return as_element<Out>(sample * factor[c] + offset[c]); }
};

/// A register of pixels as they lie in a row, one vector of samples for each channel.
template <class D, class Put>
HWY_INLINE void part_channels(std::integral_constant<int, 1>, D d, const std::uint8_t* from, Put put) {
    put(0, hn::LoadU(d, from));
}
template <class D, class Put>
HWY_INLINE void part_channels(std::integral_constant<int, 3>, D d, const std::uint8_t* from, Put put) {
    hn::Vec<D> first, second, third;
    hn::LoadInterleaved3(d, from, first, second, third);
    put(0, first), put(1, second), put(2, third);
}
template <class D, class Put>
HWY_INLINE void part_channels(std::integral_constant<int, 4>, D d, const std::uint8_t* from, Put put) {
    hn::Vec<D> first, second, third, fourth;
    hn::LoadInterleaved4(d, from, first, second, third, fourth);
    put(0, first), put(1, second), put(2, third), put(3, fourth);
}

/// The planes of one image.
template <class Out>
struct PlaneRows {
    Out* image;
    std::int64_t width;
    const Planes& planes;
    int channels;

    void pad(std::int64_t y, std::int64_t from, std::int64_t to) const {
        for (int c = 0; c < channels; ++c)
            std::fill_n(image + planes.begin[c] + y * width + from, to - from, as_element<Out>(planes.padding[c]));
    }

    template <int kChannels, class Image, class Columns, class Neighbours>
    HWY_NOINLINE void mix(const Image& source, Columns& columns, const Neighbours& neighbours, std::int64_t y,
                          std::int64_t x) const {
        const int lanes = static_cast<int>(hn::Lanes(Whole()));
        const auto to = elements_at<kChannels>(y, x);
        rows::mix_row<kChannels>(source, columns, neighbours, [&](int c, int i, auto mixed) HWY_ATTR {
            const Floats element = to.element(c, mixed);
            if (i + lanes <= columns.count) return store(to.begin[c] + i, element);
            HWY_ALIGN Out last[64];
            store(last, element);
            std::copy_n(last, columns.count - i, to.begin[c] + i);
        });
    }

    template <int kChannels>
    HWY_NOINLINE void copy(const std::uint8_t* from, std::int64_t y, std::int64_t x, std::int64_t count) const {
        const hn::Rebind<std::uint8_t, Whole> bytes;
        const auto lanes = static_cast<std::int64_t>(hn::Lanes(bytes));
        const auto to = elements_at<kChannels>(y, x);
        std::int64_t i = 0;
        for (; i + lanes <= count; i += lanes)
            part_channels(std::integral_constant<int, kChannels>(), bytes, from + kChannels * i,
                          [&](int c, auto samples)
                              HWY_ATTR { store(to.begin[c] + i, to.element(c, hn::PromoteTo(Whole(), samples))); });
        for (; i < count; ++i)
            for (int c = 0; c < kChannels; ++c) to.begin[c][i] = to.element(c, from[kChannels * i + c]);
    }

private:
    template <int kChannels>
    ElementRows<Out, kChannels> elements_at(std::int64_t y, std::int64_t x) const {
        ElementRows<Out, kChannels> to;
        for (int c = 0; c < kChannels; ++c) {
            to.begin[c] = image + planes.begin[c] + y * width + x;
            to.factor[c] = planes.factor[c];
            to.offset[c] = planes.offset[c];
        }
        return to;
    }
};

template <class Out>
void compute(const TensorArgs<Out>& a, const Planes& planes, Share share) {
    with_input(a, [&]<class In, Convention convention>() {
        with_channels(static_cast<int>(a.out.channels), [&]<int channels>() {
            rows::fit_share<channels, In, convention>(
                a.template images<In>(), a.out.height, a.out.width, a.options.letterbox, a.to_source, share,
                [&](std::int64_t k) {
                    return PlaneRows<Out>{a.out.data + k * channels * a.plane(), a.out.width, planes, channels};
                });
        });
    });
}

void compute_float(const TensorArgs<float>& a, const Planes& planes, Share share) { compute(a, planes, share); }
void compute_half(const TensorArgs<float16>& a, const Planes& planes, Share share) { compute(a, planes, share); }

}  // namespace HWY_NAMESPACE
}  // namespace
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace {
HWY_EXPORT(compute_float);
HWY_EXPORT(compute_half);
constexpr std::int64_t kLeastElements = 32768;  // for a thread: less is done before another has begun

template <class Out, class Compute>
void launch_on(const TensorArgs<Out>& a, Team team, Compute compute) {
    if (a.empty()) return;
    const Planes planes = Planes::of(a);
    const std::int64_t grain = std::max<std::int64_t>(1, kLeastElements / (a.out.channels * a.out.width));
    in_shares(team, a.out.count * a.out.height, grain, [&](Share share) { compute(a, planes, share); });
}
void launch_float(const TensorArgs<float>& a, Team team) { launch_on(a, team, HWY_DYNAMIC_DISPATCH(compute_float)); }
void launch_half(const TensorArgs<float16>& a, Team team) { launch_on(a, team, HWY_DYNAMIC_DISPATCH(compute_half)); }
}  // namespace

LANEWORK_RUNG(tensor, simd,
              {
                  .climbs_from = "serial",
                  .lesson = "Rows are mixed, normalised and stored in registers, on all threads.",
                  .launch = {launch_float, launch_half},
              });
#endif

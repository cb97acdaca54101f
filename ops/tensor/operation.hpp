// Tensor: images of any sizes become a network's input in one step: resized or letterboxed, red and blue exchanged,
// normalised, and laid out in planes.
#pragma once

#include "src/pixels/fitted_problem.hpp"
#include "src/pixels/run_time_choice.hpp"

namespace lanework {

/// What turns a sample into an element: sample · factor + offset, for each channel of the output.
struct Normalisation {
    float factor[4], offset[4];

    static constexpr Normalisation of(const TensorOptions& options) {
        Normalisation result{};
        for (std::size_t c = 0; c < 4; ++c) {
            result.factor[c] = options.scale / options.std[c];
            result.offset[c] = -options.mean[c] / options.std[c];
        }
        return result;
    }
    /// Not fused: the product is rounded, then the sum.
    constexpr float element(int channel, float sample) const { return sample * factor[channel] + offset[channel]; }
};

template <class Out>
struct TensorArgs {
    using Element = Out;
    bool float_input;                      ///< samples are float; else 8-bit
    ImageBatch<const std::uint8_t> bytes;  ///< the images, whatever their samples are: see images()
    TensorView<Out> out;
    TensorOptions options;
    Affine* to_source;          ///< one for each image, or null
    void* workspace = nullptr;  ///< the bytes that the rung asked for

    static TensorArgs from(const Problem& p, const Buffers& buffers);
    constexpr bool empty() const { return elements() == 0; }
    constexpr std::int64_t plane() const { return out.height * out.width; }
    constexpr std::int64_t elements() const { return out.count * out.channels * plane(); }
    /// The channel of the source that becomes channel c.
    constexpr int source_channel(int c) const {
        return options.swap_red_blue && c < 3 && out.channels >= 3 ? 2 - c : c;
    }
    template <class In>
    constexpr ImageBatch<const In> images() const {
        ImageBatch<const In> batch;
        batch.base = reinterpret_cast<const In*>(bytes.base);
        batch.places = bytes.places;
        batch.count = bytes.count;
        batch.channels = bytes.channels;
        batch.most_height = bytes.most_height;
        batch.most_width = bytes.most_width;
        batch.only = bytes.only;
        return batch;
    }
};

/// A batch whose samples are named by TensorArgs::float_input.
template <class In>
ImageBatch<const std::uint8_t> as_bytes(const ImageBatch<const In>& batch) {
    ImageBatch<const std::uint8_t> bytes(reinterpret_cast<const std::uint8_t*>(batch.base), batch.places, batch.count,
                                         batch.channels, batch.most_height, batch.most_width);
    bytes.only = batch.only;
    return bytes;
}

/// A problem's variant names input type, fit and convention; images of `top_left` are not enlarged, and `stretch` keeps
/// the order of the colours.
struct TensorVariant {
    bool float_input;
    TensorOptions options;

    static constexpr TensorVariant of(int variant) {
        constexpr int kConventions = 3, kForms = 9;
        const int form = variant % kForms;
        const auto fit = static_cast<Fit>(form / kConventions);
        return {variant / kForms == 1,
                {.letterbox = {.fit = fit,
                               .convention = static_cast<Convention>(form % kConventions),
                               .scale_up = fit != Fit::top_left,
                               .pad = {114, 7, 201, 90}},
                 .swap_red_blue = fit != Fit::stretch,
                 .scale = 1.0F / 255,
                 .mean = {0.485F, 0.456F, 0.406F, 0.5F},
                 .std = {0.229F, 0.224F, 0.225F, 0.25F}}};
    }
};

template <class Out>
TensorArgs<Out> TensorArgs<Out>::from(const Problem& p, const Buffers& buffers) {
    const TensorVariant variant = TensorVariant::of(p.variant);
    const auto [in, in_places, out, to_source] = buffers.arrays<void, void, Out, Affine>();
    const auto of = p.lengths<fitting::Axes>();
    const auto batch = variant.float_input ? as_bytes(fitting::sources<float>(p, in, in_places))
                                           : as_bytes(fitting::sources<std::uint8_t>(p, in, in_places));
    return {variant.float_input, batch,     {out, of.images, of.channels, of.out_height, of.out_width},
            variant.options,     to_source, buffers.workspace};
}

/// Calls body.operator()<In, convention>() for the type of samples and the convention of the arguments.
template <class Out, class Body>
void with_input(const TensorArgs<Out>& a, const Body& body) {
    const auto with_samples = [&]<class In>() {
        with_convention(a.options.letterbox.convention,
                        [&]<Convention convention>() { body.template operator()<In, convention>(); });
    };
    if (a.float_input) return with_samples.template operator()<float>();
    with_samples.template operator()<std::uint8_t>();
}

}  // namespace lanework

using tensor_signature = lanework::Signature<lanework::TensorArgs<float>, lanework::TensorArgs<lanework::float16>>;
using namespace lanework;  // NOLINT: read by this operation's rungs only

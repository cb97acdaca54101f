// Letterbox: images of any sizes fitted into one size, what is left over filled with a pad value, and for each image
// the way back from output to source coordinates.
#pragma once

#include "src/pixels/fitted_problem.hpp"

namespace lanework {

template <class T>
struct LetterboxArgs {
    using Element = T;
    ImageBatch<const T> in;
    ImageBatch<T> out;  ///< all of one size, out.most_height × out.most_width
    LetterboxOptions options;
    Affine* to_source;  ///< one for each image, or null

    static LetterboxArgs from(const Problem& p, const Buffers& buffers);
    bool empty() const { return out.count == 0 || out.most_height == 0 || out.most_width == 0; }
};

/// The options of a problem: its variant names fit and convention, and images of `top_left` are not enlarged.
constexpr LetterboxOptions letterbox_options(int variant) {
    constexpr int kConventions = 3;
    const auto fit = static_cast<Fit>(variant / kConventions);
    return {.fit = fit,
            .convention = static_cast<Convention>(variant % kConventions),
            .scale_up = fit != Fit::top_left,
            .pad = {114, 7, 201, 90}};
}

template <class T>
LetterboxArgs<T> LetterboxArgs<T>::from(const Problem& p, const Buffers& buffers) {
    const auto [in, in_places, out_places, out, to_source] = buffers.arrays<void, void, void, void, Affine>();
    return {fitting::sources<T>(p, in, in_places), fitting::targets<T>(p, out, out_places),
            letterbox_options(p.variant), to_source};
}

}  // namespace lanework

using letterbox_signature = lanework::Signature<lanework::LetterboxArgs<std::uint8_t>, lanework::LetterboxArgs<float>>;
using namespace lanework;  // NOLINT: read by this operation's rungs only

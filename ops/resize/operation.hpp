// Resize: each image of a batch resampled bilinearly to another size, in one of three conventions. All of the
// arithmetic is of integers, or of floats of which every product and sum is rounded by itself: every device gives the
// same bytes.
#pragma once

#include <lanework/image_view.hpp>
#include <lanework/rung.hpp>

#include "src/image/bilinear.hpp"
#include "src/image/rows.hpp"

namespace lanework {

template <class T>
struct ResizeArgs {
    using Element = T;
    ImageBatch<const T> in;
    ImageBatch<T> out;  ///< as many images and channels; image k of `in` becomes image k of `out`
    Convention convention = Convention::opencv;

    static ResizeArgs from(const Problem& problem, const Buffers& buffers);
    bool empty() const {
        return out.count == 0 || out.most_height == 0 || out.most_width == 0 || in.most_height == 0 ||
               in.most_width == 0;
    }
};

/// Calls body.operator()<convention>() for the convention that is known only when the program runs.
template <class Body>
void with_convention(Convention convention, const Body& body) {
    switch (convention) {
        case Convention::opencv: return body.template operator()<Convention::opencv>();
        case Convention::floating: return body.template operator()<Convention::floating>();
        case Convention::legacy: return body.template operator()<Convention::legacy>();
    }
}

/// Where the images of one side of a problem lie in its array: image k is k·shrink pixels smaller, at least one. Of
/// equal images rows may be apart (the margin of problem_views.hpp); those of different sizes are packed tightly.
struct ResizeSide {
    std::int64_t height = 0, width = 0, channels = 1, images = 1, shrink = 0, margin = 0;

    static constexpr ResizeSide in(const Problem& p) {
        return {p.extent[0], p.extent[1], p.extent[4], p.extent[5], p.extent[6], p.extent[6] > 0 ? 0 : p.extent[7]};
    }
    /// Of an image without pixels nothing can be made.
    static constexpr ResizeSide out(const Problem& p) {
        const bool nothing = p.extent[0] == 0 || p.extent[1] == 0;
        ResizeSide side = in(p);
        side.height = nothing ? 0 : p.extent[2];
        side.width = nothing ? 0 : p.extent[3];
        return side;
    }
    constexpr std::int64_t smaller(std::int64_t side, std::int64_t image) const {
        const std::int64_t left = side - image * shrink;
        return left > 0 ? left : side > 0 ? 1 : 0;
    }
    /// Image `image`, `offset` samples from the begin of the array.
    constexpr ImagePlace place(std::int64_t image, std::int64_t offset, std::int64_t sample) const {
        const std::int64_t h = smaller(height, image), w = smaller(width, image);
        return {(offset + margin) * sample, (w * channels + 2 * margin) * sample, static_cast<std::int32_t>(h),
                static_cast<std::int32_t>(w)};
    }
    /// Samples that an image takes of the array.
    constexpr std::int64_t samples(std::int64_t image) const {
        return smaller(height, image) * (smaller(width, image) * channels + 2 * margin);
    }
    constexpr std::int64_t array() const {
        if (shrink == 0) return images * samples(0);
        std::int64_t sum = 0;
        for (std::int64_t image = 0; image < images; ++image) sum += samples(image);
        return sum;
    }
    template <class T>
    ImageBatch<T> batch(void* array, const ImagePlace* places) const {
        ImageBatch<T> result(static_cast<T*>(array), images == 1 ? nullptr : places, images, static_cast<int>(channels),
                             height, width);
        result.only = place(0, 0, sizeof(T));
        return result;
    }
};

/// A batch has two more arrays than an image: the places of its images in `in` and in `out`.
template <class T>
ResizeArgs<T> ResizeArgs<T>::from(const Problem& problem, const Buffers& buffers) {
    const auto places = [&](std::size_t array) {
        return problem.extent[5] == 1 ? nullptr : static_cast<const ImagePlace*>(buffers.data[array]);
    };
    return {ResizeSide::in(problem).batch<const T>(buffers.data[0], places(2)),
            ResizeSide::out(problem).batch<T>(buffers.data[1], places(3)), static_cast<Convention>(problem.variant)};
}

}  // namespace lanework

using resize_signature = lanework::Signature<lanework::ResizeArgs<std::uint8_t>, lanework::ResizeArgs<float>>;
using namespace lanework;  // NOLINT: read by this operation's rungs only

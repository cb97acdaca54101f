// Resize: each image of a batch resampled bilinearly to another size, in one of three conventions. All of the
// arithmetic is of integers, or of floats of which every product and sum is rounded by itself: every device gives the
// same bytes.
#pragma once

#include <lanework/image_view.hpp>
#include <lanework/rung.hpp>

#include "src/pixels/batch_sizes.hpp"
#include "src/pixels/bilinear.hpp"
#include "src/pixels/problem_views.hpp"
#include "src/pixels/rows.hpp"
#include "src/pixels/run_time_choice.hpp"

namespace lanework {

using ResizeAxes = fitting::Axes;

template <class T>
struct ResizeArgs {
    using Element = T;
    ImageBatch<const T> in;
    ImageBatch<T> out;  ///< as many images and channels; image k of `in` becomes image k of `out`
    Convention convention = Convention::opencv;
    Prepared* prepared = nullptr;  ///< what the rung prepared, if anything

    static ResizeArgs from(const Problem& problem, const Buffers& buffers);
    bool empty() const {
        return out.count == 0 || out.most_height == 0 || out.most_width == 0 || in.most_height == 0 ||
               in.most_width == 0;
    }
};

/// Where the images of one side of a problem lie in its array: image k is k·shrink pixels smaller, at least one. Of
/// equal images rows may be apart; those of different sizes are packed tightly, so that all of an output is written.
struct ResizeSide {
    ImageShape first;
    std::int64_t images = 1, shrink = 0;

    static constexpr ResizeSide in(const Problem& p) {
        const auto of = p.lengths<ResizeAxes>();
        return {{of.height, of.width, of.channels, of.shrink > 0 ? 0 : of.margin}, of.images, of.shrink};
    }
    /// Of an image without pixels nothing can be made.
    static constexpr ResizeSide out(const Problem& p) {
        const auto of = p.lengths<ResizeAxes>();
        const bool nothing = of.height == 0 || of.width == 0;
        ResizeSide side = in(p);
        side.first.height = nothing ? 0 : of.out_height;
        side.first.width = nothing ? 0 : of.out_width;
        return side;
    }
    constexpr ImageShape shape(std::int64_t image) const {
        const auto smaller = [&](std::int64_t side) {
            const std::int64_t left = side - image * shrink;
            return left > 0 ? left : side > 0 ? 1 : 0;
        };
        return {smaller(first.height), smaller(first.width), first.channels, first.margin};
    }
    /// Image `image`, `offset` samples from the begin of the array.
    constexpr ImagePlace place(std::int64_t image, std::int64_t offset, std::int64_t sample) const {
        const ImageShape own = shape(image);
        return {(offset + own.margin) * sample, own.pitch() * sample, static_cast<std::int32_t>(own.height),
                static_cast<std::int32_t>(own.width)};
    }
    /// All of them as one image.
    constexpr ImageShape array() const {
        if (shrink == 0) return {images * first.height, first.width, first.channels, first.margin};
        std::int64_t samples = 0;
        for_each_size(images, shrink, std::max(first.height, first.width), [&](std::int64_t image, std::int64_t times) {
            samples += times * shape(image).height * shape(image).row();
        });
        return {1, samples, 1, 0};
    }
    template <class T>
    ImageBatch<T> batch(void* array, const ImagePlace* places) const {
        if (images == 1) return image_view<T>(array, first);
        return {static_cast<T*>(array), places, images, static_cast<int>(first.channels), first.height, first.width};
    }
};

/// Calls use(in, out, times) for the shapes of each pair of sizes in a problem.
template <class Use>
void for_each_pair(const Problem& p, const Use& use) {
    const ResizeSide in = ResizeSide::in(p), out = ResizeSide::out(p);
    const std::int64_t longest = std::max({in.first.height, in.first.width, out.first.height, out.first.width});
    for_each_size(in.images, in.shrink, longest,
                  [&](std::int64_t image, std::int64_t times) { use(in.shape(image), out.shape(image), times); });
}

/// A batch has two more arrays than an image: the places of its images in `in` and in `out`.
template <class T>
ResizeArgs<T> ResizeArgs<T>::from(const Problem& problem, const Buffers& buffers) {
    const ResizeSide source = ResizeSide::in(problem), target = ResizeSide::out(problem);
    const auto convention = static_cast<Convention>(problem.variant);
    if (source.images == 1) {
        const auto [in, out] = buffers.arrays<void, void>();
        return {source.batch<const T>(in, nullptr), target.batch<T>(out, nullptr), convention, buffers.prepared};
    }
    const auto [in, out, in_places, out_places] = buffers.arrays<void, void, const ImagePlace, const ImagePlace>();
    return {source.batch<const T>(in, in_places), target.batch<T>(out, out_places), convention, buffers.prepared};
}

}  // namespace lanework

using resize_signature = lanework::Signature<lanework::ResizeArgs<std::uint8_t>, lanework::ResizeArgs<float>>;
using namespace lanework;  // NOLINT: read by this operation's rungs only

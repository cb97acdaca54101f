// Images for languages that call C: every operation on images behind one function, which knows none by name, and what
// there is to call as text. All memory is the caller's; what is thrown comes back as a kind and a message.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "python/native/errors.hpp"
#include "python/native/place.hpp"
#include "src/pixels/image_operation.hpp"

extern "C" {
/// An image, or all of an array: then `count` is its images and rows are tightly packed. python/lanework/images.py has
/// the same fields in the same order.
struct lanework_image {
    void* pixels;
    int64_t height, width;
    int64_t pitch;  ///< bytes from a row to the next
    int32_t channels;
    int32_t dtype;  ///< 0: uint8, 1: float32, 2: float16, which only tensors have, 3: int16, only derivatives
};
}

namespace {
using namespace lanework;

/// One call: an image each in `in` and `out`, or several; an array is one `out`.
struct Call {
    const lanework_image *in, *out;
    int64_t count;
    native::Place& place;

    /// Images that lie anywhere as one batch, counted from the first: the places that the batch points at.
    template <class Byte>
    ImageBatch<Byte> batch_of(const lanework_image* images, int64_t all, std::vector<ImagePlace>& places) const {
        const lanework_image& first = images[0];
        ImageBatch<Byte> batch(static_cast<Byte*>(first.pixels), nullptr, all, first.channels, first.height,
                               first.width);
        batch.only = {0, first.pitch, static_cast<std::int32_t>(first.height), static_cast<std::int32_t>(first.width)};
        if (all == 1) return batch;
        const auto address = [](const lanework_image& image) { return reinterpret_cast<std::intptr_t>(image.pixels); };
        for (const lanework_image& image : std::span(images, static_cast<std::size_t>(all))) {
            places.push_back({address(image) - address(first), image.pitch, static_cast<std::int32_t>(image.height),
                              static_cast<std::int32_t>(image.width)});
            batch.most_height = std::max(batch.most_height, image.height);
            batch.most_width = std::max(batch.most_width, image.width);
        }
        batch.places = place.copy(std::span<const ImagePlace>(places));
        return batch;
    }
};

PictureShape shape_of(const lanework_image& image) { return {image.height, image.width, image.channels}; }

/// A GPU's memory is not read here: for images there the same numbers are computed on the processor, and written to
/// to_source_there, if that is not null.
void run(const ImageStep& step, const Call& call, Affine* to_source, void* to_source_there) {
    if (call.count < 1) throw UsageError("there are no images");
    const ImageOperation& operation = step.operation();
    const bool on_gpu = call.place.on_gpu(), array = operation.makes == ImageResult::array;
    std::vector<ImagePlace> in, out;
    operation.apply({.in = call.batch_of<const std::byte>(call.in, call.count, in),
                     .out = call.batch_of<std::byte>(call.out, array ? 1 : call.count, out),
                     .samples = call.in->dtype == 1 ? DType::float32 : DType::uint8,
                     .step = step,
                     .to_source = on_gpu ? nullptr : to_source,
                     .target = call.place.target()});
    if (!on_gpu || (!to_source && !to_source_there)) return;
    std::vector<Affine> back(static_cast<std::size_t>(call.count));
    for (int64_t k = 0; k < call.count; ++k)
        back[static_cast<std::size_t>(k)] =
            operation.back(step, shape_of(call.in[k]), shape_of(call.out[array ? 0 : k]));
    if (to_source) std::ranges::copy(back, to_source);
    if (to_source_there) call.place.gpu().write(to_source_there, back.data(), back.size() * sizeof(Affine));
}

const ImageOperation& operation_of(std::string_view name) {
    for (const ImageOperation* operation : image_operations())
        if (operation->name == name) return *operation;
    throw UsageError("there is no such operation");
}

/// All operations in text, for python/lanework/images.py to read: fields end with \x1f, the options of an operation and
/// operations with \x1e.
std::string described_operations() {
    std::string text;
    const auto field = [&](std::string_view what) { text.append(what) += '\x1f'; };
    for (const ImageOperation* operation : image_operations()) {
        field(operation->name);
        field(operation->signature);
        field(operation->doc);
        field(kImageResults[static_cast<std::size_t>(operation->makes)]);
        field(operation->gives_back ? "gives back" : "");
        for (std::size_t k = 0; k < operation->block_bytes; ++k)
            text += fmt::format("{:02x}", static_cast<const unsigned char*>(operation->defaults)[k]);
        text += '\x1f';
        for (const ImageOption& option : operation->options) {
            if (option.parameter.empty()) continue;
            field(option.parameter);
            field(kImageOptionKinds[static_cast<std::size_t>(option.kind)]);
            field(fmt::format("{}", option.offset));
            field(fmt::format("{}", fmt::join(option.choices, ",")));
        }
        text += '\x1e';
    }
    return text;
}

}  // namespace

extern "C" {
/// Computes `operation` ("gray", …) of `count` images, all in the memory of the place; on a GPU the call enqueues its
/// kernels and returns. options: the operation's block. to_source: count × 6 doubles of the processor's memory, or
/// null; to_source_there: of the GPU's, likewise: a capture keeps what they are now. Returns a lanework_error, of which
/// lanework_message() then says what is wrong.
[[gnu::visibility("default")]] int32_t lanework_images(const char* operation, const lanework_image* in,
                                                       const lanework_image* out, int64_t count, const void* options,
                                                       double* to_source, void* to_source_there,
                                                       const lanework_place* place) noexcept {
    return native::guarded([&] {
        static_assert(sizeof(Affine) == 6 * sizeof(double));
        native::Place where(*place);
        ImageStep step(operation_of(operation));
        std::memcpy(step.block(), options, step.operation().block_bytes);
        run(step, {in, out, count, where}, reinterpret_cast<Affine*>(to_source), to_source_there);
    });
}

/// What there is, with the options' names and places.
[[gnu::visibility("default")]] const char* lanework_image_operations() noexcept {
    static const std::string text = described_operations();
    return text.c_str();
}
}

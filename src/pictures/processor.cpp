// Pinned memory on the host's side, so that what one processor copies overlaps the kernels of another.
#include "src/pictures/processor.hpp"

#include <algorithm>
#include <cstring>

namespace lanework {
namespace {

using Bytes = ImageView<const std::uint8_t>;
using Op = PictureOperation;

/// Sobel takes the gray of a colour picture.
std::size_t scratch_of(const PictureRecipe& recipe, const Bytes& in) {
    const bool gray_first = recipe.operation == Op::sobel && in.channels > 1;
    return gray_first ? static_cast<std::size_t>(in.height * in.width) : 0;
}

LetterboxOptions letterbox_of(const PictureRecipe& recipe, int channels) {
    LetterboxOptions options = recipe.letterbox;
    options.convention = recipe.convention;
    options.pad = pad_of(recipe, channels);
    return options;
}

template <class Element>
void make_tensor(const PictureRecipe& recipe, const Bytes& in, void* out, const PictureShape& shape, Target target) {
    TensorOptions options = recipe.tensor;
    options.letterbox = letterbox_of(recipe, in.channels);
    const TensorView<Element> view{static_cast<Element*>(out), 1, shape.channels, shape.height, shape.width};
    tensor<std::uint8_t, Element>(in, view, options, nullptr, target);
}

void apply(const PictureRecipe& recipe, const Bytes& in, void* out, const PictureShape& shape, std::uint8_t* scratch,
           Target target) {
    const auto result =
        ImageView<std::uint8_t>::tight(static_cast<std::uint8_t*>(out), shape.height, shape.width, shape.channels);
    switch (recipe.operation) {
        case Op::gray: return gray<std::uint8_t>(in, result, {recipe.gray, ChannelOrder::rgb}, target);
        case Op::blur: return blur<std::uint8_t>(in, result, target);
        case Op::sobel: {
            if (in.channels == 1) return sobel<std::uint8_t>(in, result, recipe.sobel, target);
            const auto grays = ImageView<std::uint8_t>::tight(scratch, in.height, in.width, 1);
            gray<std::uint8_t>(in, grays, {}, target);
            return sobel<std::uint8_t>(grays, result, recipe.sobel, target);
        }
        case Op::resize: return resize<std::uint8_t>(in, result, recipe.convention, target);
        case Op::letterbox:
            return letterbox<std::uint8_t>(in, result, letterbox_of(recipe, in.channels), nullptr, target);
        case Op::warp: {
            const PictureShape from{in.height, in.width, in.channels};
            return warp<std::uint8_t>(
                in, result, {transform_of(recipe, from, shape), recipe.convention, pad_of(recipe, in.channels)},
                target);
        }
        case Op::tensor:
            return recipe.half ? make_tensor<float16>(recipe, in, out, shape, target)
                               : make_tensor<float>(recipe, in, out, shape, target);
    }
}

/// Its rows one behind the other.
void pack(const Bytes& image, std::uint8_t* to) {
    const auto row = static_cast<std::size_t>(image.width * image.channels);
    for (std::int64_t y = 0; y < image.height; ++y) to = std::copy_n(image.pixels + y * image.pitch, row, to);
}

}  // namespace

PictureProcessor::PictureProcessor(SharedDevice& shared, PictureRecipe recipe)
    : shared_(shared), recipe_(std::move(recipe)) {
    if (shared.device.info().kind != DeviceKind::cpu) queue_ = shared.device.open_queue();
}

std::byte* PictureProcessor::at_least(DeviceMemory& memory, std::size_t bytes, Memory kind) {
    if (memory.bytes() < bytes) {
        const std::lock_guard lock(shared_.memory);
        memory = {};
        memory = shared_.device.allocate_in(kind, bytes);
    }
    return memory.data();
}

void PictureProcessor::start_on_device(const Bytes& in, std::size_t scratch_bytes) {
    const Stream stream = Stream::of(*queue_);  // first of all: it makes the device this thread's own
    const auto in_bytes = static_cast<std::size_t>(in.height * in.width * in.channels);
    auto* const sent = reinterpret_cast<std::uint8_t*>(at_least(sent_, in_bytes, Memory::pinned));
    auto* const up = reinterpret_cast<std::uint8_t*>(at_least(in_memory_, in_bytes, Memory::device));
    auto* const scratch = reinterpret_cast<std::uint8_t*>(at_least(scratch_memory_, scratch_bytes, Memory::device));
    std::byte* const made = at_least(out_memory_, out_bytes_, Memory::device);
    pack(in, sent);
    queue_->upload(up, sent, in_bytes);
    apply(recipe_, ImageView<std::uint8_t>::tight(up, in.height, in.width, in.channels), made, out_, scratch,
          {shared_.device, stream});
    queue_->download(at_least(received_, out_bytes_, Memory::pinned), made, out_bytes_);
    on_its_way_ = true;
}

void PictureProcessor::start(const Bytes& in) {
    out_ = shape_of_output(recipe_, {in.height, in.width, in.channels});
    out_bytes_ = output_bytes(recipe_, out_);
    on_its_way_ = false;
    if (recipe_.operation == Op::gray && in.channels == 1) {  // which every form leaves as it is
        result_.resize(out_bytes_);
        return pack(in, result_.data());
    }
    const std::size_t scratch_bytes = scratch_of(recipe_, in);
    if (queue_) return start_on_device(in, scratch_bytes);
    result_.resize(out_bytes_);
    std::vector<std::uint8_t> scratch(scratch_bytes);
    apply(recipe_, in, result_.data(), out_, scratch.data(), shared_.team);
}

std::vector<std::uint8_t> PictureProcessor::finish() {
    if (on_its_way_) {
        queue_->wait();
        result_.resize(out_bytes_);
        std::memcpy(result_.data(), received_.data(), out_bytes_);
        on_its_way_ = false;
    }
    return std::move(result_);
}

}  // namespace lanework

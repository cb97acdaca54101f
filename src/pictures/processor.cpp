// Pinned memory on the host's side, so that what one processor copies overlaps the kernels of another.
#include "src/pictures/processor.hpp"

#include <algorithm>
#include <cstring>

namespace lanework {
namespace {

using Bytes = ImageView<const std::uint8_t>;
void apply(const ImageStep& step, const Bytes& in, void* out, const PictureShape& shape, Target target) {
    using Sample = std::byte;
    const ImageView<const Sample> from{reinterpret_cast<const Sample*>(in.pixels), in.height, in.width, in.channels,
                                       in.pitch};
    const auto row = shape.width * shape.channels * static_cast<std::int64_t>(size_of(step.element()));
    const ImageView<Sample> made{static_cast<Sample*>(out), shape.height, shape.width, shape.channels, row};
    step.operation().apply({from, made, DType::uint8, step, nullptr, target});
}

/// The largest picture that lies between two steps, in bytes.
std::size_t largest_between(const std::vector<ImageStep>& steps, PictureShape shape) {
    std::size_t largest = 0;
    for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
        shape = shape_of_output(steps[i], shape);
        largest = std::max(largest, static_cast<std::size_t>(shape.samples()));
    }
    return largest;
}

/// All steps. `between` has room for two of the largest picture that lies between them: each step reads one and writes
/// the other.
void apply_all(const std::vector<ImageStep>& steps, Bytes in, void* out, std::uint8_t* between, std::size_t largest,
               Target target) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const PictureShape shape = shape_of_output(steps[i], {in.height, in.width, in.channels});
        if (i + 1 == steps.size()) return apply(steps[i], in, out, shape, target);
        std::uint8_t* const next = between + (i % 2) * largest;
        apply(steps[i], in, next, shape, target);
        in = ImageView<const std::uint8_t>::tight(next, shape.height, shape.width, shape.channels);
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

void PictureProcessor::start_on_device(const Bytes& in, const std::vector<ImageStep>& steps, std::size_t largest) {
    const Stream stream = Stream::of(*queue_);  // first of all: it makes the device this thread's own
    const auto in_bytes = static_cast<std::size_t>(in.height * in.width * in.channels);
    auto* const sent = reinterpret_cast<std::uint8_t*>(at_least(sent_, in_bytes, Memory::pinned));
    auto* const up = reinterpret_cast<std::uint8_t*>(at_least(in_memory_, in_bytes, Memory::device));
    auto* const between = reinterpret_cast<std::uint8_t*>(at_least(between_memory_, 2 * largest, Memory::device));
    std::byte* const made = at_least(out_memory_, out_bytes_, Memory::device);
    pack(in, sent);
    queue_->upload(up, sent, in_bytes);
    apply_all(steps, ImageView<std::uint8_t>::tight(up, in.height, in.width, in.channels), made, between, largest,
              {shared_.device, stream});
    queue_->download(at_least(received_, out_bytes_, Memory::pinned), made, out_bytes_);
    on_its_way_ = true;
}

void PictureProcessor::start(const Bytes& in) {
    const PictureShape shape{in.height, in.width, in.channels};
    out_ = shape_of_output(recipe_, shape);
    out_bytes_ = output_bytes(recipe_, out_);
    on_its_way_ = false;
    const std::vector<ImageStep> steps = computed_steps(recipe_, in.channels);
    if (steps.empty()) {
        result_.resize(out_bytes_);
        return pack(in, result_.data());
    }
    const std::size_t largest = largest_between(steps, shape);
    if (queue_) return start_on_device(in, steps, largest);
    result_.resize(out_bytes_);
    std::vector<std::uint8_t> between(2 * largest);
    apply_all(steps, in, result_.data(), between.data(), largest, shared_.team);
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

// The operations on images that the build listed.
#include "src/pixels/image_operation.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

namespace lanework {
namespace generated {
extern const std::span<const ImageOperation* const> image_operations;
extern const std::span<const std::string_view> image_operations_left_out;
}  // namespace generated

ImageStep::ImageStep(const ImageOperation& operation) : operation_(&operation) {
    std::memcpy(block_.data(), operation.defaults, operation.block_bytes);
}

const ImageOption* ImageStep::option(ImageOptionKind kind) const {
    const auto found = std::ranges::find(operation_->options, kind, &ImageOption::kind);
    return found == operation_->options.end() ? nullptr : &*found;
}

DType ImageStep::element() const {
    if (operation_->makes == ImageResult::derivatives) return DType::int16;
    if (operation_->makes != ImageResult::array) return DType::uint8;
    const ImageOption* const element = option(ImageOptionKind::element);
    const bool half = element && element->choices[at<std::uint8_t>(element->offset)] == name_of(DType::float16);
    return half ? DType::float16 : DType::float32;
}

std::span<const ImageOperation* const> image_operations() {
    static const std::vector<const ImageOperation*> sorted = [] {
        std::vector<const ImageOperation*> all(generated::image_operations.begin(), generated::image_operations.end());
        std::ranges::sort(all, {}, [](const ImageOperation* each) { return std::tuple(each->place, each->name); });
        return all;
    }();
    return sorted;
}

std::span<const std::string_view> image_operations_left_out() { return generated::image_operations_left_out; }

}  // namespace lanework

// What every public function on images asks of its views.
#pragma once

#include <fmt/format.h>

#include <lanework/image.hpp>
#include <string_view>

namespace lanework::image {

/// Throws UsageError where a view cannot be what it says: "gray: in.pitch is 10 bytes, a row of 4 pixels has 12".
template <class T>
void require_view(std::string_view operation, std::string_view name, const ImageView<T>& image);
template <class T>
void require_batch(std::string_view operation, std::string_view name, const ImageBatch<T>& batch);
/// Throws UsageError unless both have the same height, width and channels.
template <class A, class B>
void require_same_shape(std::string_view operation, const ImageView<A>& in, const ImageView<B>& out) {
    if (in.height != out.height || in.width != out.width || in.channels != out.channels)
        throw UsageError(
            fmt::format("{}: out is {}×{}×{} and in {}×{}×{} (height × width × channels); they must be equal",
                        operation, out.height, out.width, out.channels, in.height, in.width, in.channels));
}

}  // namespace lanework::image

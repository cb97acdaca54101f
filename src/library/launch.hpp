// What every function of <lanework/image.hpp> does once its arguments are checked: launch the top rung of a ladder.
#pragma once

#include <fmt/format.h>

#include <lanework/image.hpp>
#include <lanework/registry.hpp>

namespace lanework::image {

/// The highest rung of our own for an operation on a kind of device. Throws UnavailableError where this build has none.
const Rung& top_of(const Operation& operation, DeviceKind kind);

/// Launches it with arguments that no problem describes. Args is the operation's argument struct for an element type.
template <class Args>
void launch(const Operation& operation, const Args& args, ImageTarget target) {
    const Rung& rung = top_of(operation, target.kind());
    rung.typed(dtype_of<typename Args::Element>)->launch_args(rung.entry, &args, target.stream());
    if (Device* device = target.device()) device->check_launch();
}

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

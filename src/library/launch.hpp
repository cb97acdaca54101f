// What every function of <lanework/image.hpp> does once its arguments are checked: launch the rung that is chosen.
#pragma once

#include <fmt/format.h>

#include <array>
#include <lanework/image.hpp>
#include <lanework/registry.hpp>
#include <vector>

namespace lanework::image {

/// The rungs of an operation on every kind of device, in the order in which they are asked: listed once, so that a call
/// neither compares names nor allocates.
class Choice {
public:
    explicit Choice(const Operation& operation);
    /// The first that has the type and fits the arguments. Throws UnavailableError where this build has none.
    const Rung& rung(DeviceKind kind, DType dtype, const void* args) const;

private:
    const Operation& operation_;
    std::array<std::vector<const Rung*>, std::size(kDeviceKinds)> rungs_;  ///< by DeviceKind
};

/// Launches it with arguments that no problem describes. Args is the operation's argument struct for an element type.
template <class Args>
void launch(const Operation& operation, const Args& args, ImageTarget target) {
    static const Choice choice(operation);  // the one that has these arguments
    constexpr DType dtype = dtype_of<typename Args::Element>;
    const Rung& rung = choice.rung(target.kind(), dtype, &args);
    rung.typed(dtype)->launch_args(rung.entry, &args, target.stream());
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

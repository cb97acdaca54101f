// The checks and the launch that sobel and sobel_derivative share.
#pragma once

#include "ops/sobel/operation.hpp"
#include "src/core/launch.hpp"
#include "src/pixels/checks.hpp"

namespace lanework {

template <class T, class Out>
void require_sobel(std::string_view function, const ImageView<const T>& in, const ImageView<Out>& out) {
    image::require_view(function, "in", in);
    image::require_view(function, "out", out);
    image::require_same_shape(function, in, out);
}

template <class T>
void launch_sobel(const SobelArgs<T>& args, Target target) {
    if (!args.empty()) image::launch(find_operation("sobel"), args, target);
}

}  // namespace lanework

// sobel and sobel_derivative: checked arguments for the top rung of their ladder.
#include "ops/sobel/operation.hpp"

#include "src/core/launch.hpp"
#include "src/pixels/checks.hpp"

namespace lanework {
namespace {

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

template <class T, class Out>
void launch_derivative(const ImageView<const T>& in, const ImageView<Out>& out, SobelAxis axis, Target target) {
    require_sobel("sobel_derivative", in, out);
    launch_sobel(SobelArgs<T>{in, {}, out, axis == SobelAxis::x ? SobelOutput::gx : SobelOutput::gy}, target);
}

}  // namespace

template <class T>
void sobel(const ImageView<const T>& in, const ImageView<T>& out, SobelForm form, Target target) {
    require_sobel("sobel", in, out);
    launch_sobel(
        SobelArgs<T>{in, out, {}, form == SobelForm::half_sum ? SobelOutput::half_sum : SobelOutput::magnitude},
        target);
}

template void sobel(const ImageView<const std::uint8_t>&, const ImageView<std::uint8_t>&, SobelForm, Target);
template void sobel(const ImageView<const float>&, const ImageView<float>&, SobelForm, Target);

void sobel_derivative(const ImageView<const std::uint8_t>& in, const ImageView<std::int16_t>& out, SobelAxis axis,
                      Target target) {
    launch_derivative(in, out, axis, target);
}
void sobel_derivative(const ImageView<const float>& in, const ImageView<float>& out, SobelAxis axis, Target target) {
    launch_derivative(in, out, axis, target);
}

}  // namespace lanework

// sobel_derivative: checked arguments for the top rung of sobel's ladder.
#include "ops/sobel/image/sobel.hpp"
#include "src/pixels/image_options.hpp"

namespace lanework {
namespace {

template <class T, class Out>
void launch_derivative(const ImageView<const T>& in, const ImageView<Out>& out, SobelAxis axis, Target target) {
    require_sobel("sobel_derivative", in, out);
    launch_sobel(SobelArgs<T>{in, {}, out, axis == SobelAxis::x ? SobelOutput::gx : SobelOutput::gy}, target);
}

}  // namespace

void sobel_derivative(const ImageView<const std::uint8_t>& in, const ImageView<std::int16_t>& out, SobelAxis axis,
                      Target target) {
    launch_derivative(in, out, axis, target);
}
void sobel_derivative(const ImageView<const float>& in, const ImageView<float>& out, SobelAxis axis, Target target) {
    launch_derivative(in, out, axis, target);
}

}  // namespace lanework

extern const lanework::ImageOperation lanework_image_operation_gray;

namespace {

struct DerivativeOptions {
    SobelAxis axis = SobelAxis::x;
};
constexpr std::string_view kAxes[] = {"x", "y"};
constexpr ImageOption kOptions[] = {
    image_options::choice(offsetof(DerivativeOptions, axis), "--axis", "axis", kAxes, "x or y (the first)")};

void apply(const ImageCall& call) {
    with_samples(call, [&]<class T>() {
        sobel_derivative(call.input<T>(), call.output<SobelDerivative<T>>(), call.step.as<DerivativeOptions>().axis,
                         call.target);
    });
}

}  // namespace

LANEWORK_IMAGE_OPERATION(sobel_derivative, DerivativeOptions,
                         {
                             .help = "Gx or Gy, signed",
                             .place = 31,
                             .makes = ImageResult::derivatives,
                             .options = kOptions,
                             .apply = apply,
                             .of_colours = &lanework_image_operation_gray,
                             .signature = R"(image, axis="x")",
                             .doc = "The derivative of every channel along an axis: int16 of uint8, the bytes of "
                                    "cv2.Sobel; float32 of float32.",
                         });

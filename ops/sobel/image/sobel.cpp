// sobel: checked arguments for the top rung of its ladder.
#include "ops/sobel/image/sobel.hpp"

#include "src/pixels/image_options.hpp"

namespace lanework {

template <class T>
void sobel(const ImageView<const T>& in, const ImageView<T>& out, SobelForm form, Target target) {
    require_sobel("sobel", in, out);
    launch_sobel(
        SobelArgs<T>{in, out, {}, form == SobelForm::half_sum ? SobelOutput::half_sum : SobelOutput::magnitude},
        target);
}

template void sobel(const ImageView<const std::uint8_t>&, const ImageView<std::uint8_t>&, SobelForm, Target);
template void sobel(const ImageView<const float>&, const ImageView<float>&, SobelForm, Target);

}  // namespace lanework

extern const lanework::ImageOperation lanework_image_operation_gray;

namespace {

struct SobelPicture {
    SobelForm form = SobelForm::half_sum;
};
constexpr std::string_view kForms[] = {"half_sum", "magnitude"};
constexpr ImageOption kOptions[] = {image_options::choice(offsetof(SobelPicture, form), "--variant", "form", kForms,
                                                          "half_sum or magnitude (the first)")};

void apply(const ImageCall& call) {
    with_samples(call, [&]<class T>() {
        sobel<T>(call.input<T>(), call.output<T>(), call.step.as<SobelPicture>().form, call.target);
    });
}

}  // namespace

LANEWORK_IMAGE_OPERATION(
    sobel, SobelPicture,
    {
        .help = "the strength of edges",
        .place = 30,
        .options = kOptions,
        .apply = apply,
        .of_colours = &lanework_image_operation_gray,
        .plane = plane_like_picture,
        .recipe = {"edges", "gray | blur | sobel"},
        .signature = R"(image, form="half_sum")",
        .doc = "The strength of edges of every channel: (|Gx| + |Gy|) / 2 or the magnitude, border reflect-101.",
    });

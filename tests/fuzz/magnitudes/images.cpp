// The functions of <lanework/image.hpp> on a team, against the serial rung: all samples, options and shapes.
#include <cstring>
#include <lanework/image.hpp>
#include <lanework/registry.hpp>

#include "ops/blur/operation.hpp"
#include "ops/gray/operation.hpp"
#include "ops/letterbox/operation.hpp"
#include "ops/resize/operation.hpp"
#include "ops/sobel/operation.hpp"
#include "ops/tensor/operation.hpp"
#include "ops/warp/operation.hpp"
#include "src/pixels/image_operation.hpp"
#include "tests/fuzz/magnitudes/draw.hpp"

namespace lanework::magnitudes {
namespace {

template <class T>
T sample(Draw& draw, bool tame) {
    if constexpr (std::is_floating_point_v<T>)
        return tame ? static_cast<T>(draw.ordinary(0, 255)) : draw.real<T>();
    else
        return static_cast<T>(draw.bits());
}

/// Memory with drawn samples, and a view of it: one that fits, or one that no function may take.
template <class T>
struct Picture {
    std::vector<T> memory;
    ImageView<T> view;

    Picture(Draw& draw, std::int64_t height, std::int64_t width, int channels) {
        const std::int64_t row = fits(height, width, channels) ? width * channels : 0,
                           pitch = row + (draw.once_in(3) ? draw.below(9) : 0);
        memory.resize(static_cast<std::size_t>(fits(height, width, channels) ? height * pitch + 1 : 1));
        const bool tame = draw.once_in(2);
        for (T& one : memory) one = sample<T>(draw, tame);
        view = {memory.data(), height, width, channels, pitch * static_cast<std::int64_t>(sizeof(T))};
        if (draw.once_in(30)) view.pitch = wrong_pitch(draw, row * static_cast<std::int64_t>(sizeof(T)), height);
        if (draw.once_in(40)) view.pixels = nullptr;
        if (draw.once_in(30)) view.channels = draw.of({0, 2, 5, -1, 1 << 30, 0x7fffffff, -(1 << 30)});
    }
    operator ImageView<T>() const { return view; }

private:
    static bool fits(std::int64_t height, std::int64_t width, int channels) {
        return height >= 0 && width >= 0 && height < 1000 && width < 1000 && channels >= 1 && channels <= 4;
    }
    /// Less than a row; where there is no second row, anything.
    static std::int64_t wrong_pitch(Draw& draw, std::int64_t row, std::int64_t height) {
        const std::int64_t pitch = draw.whole();
        return pitch < row || height < 2 ? pitch : row - 1 - draw.below(100);
    }
};

template <class T>
Picture<T> picture(Draw& draw, int channels) {
    return {draw, draw.length(40), draw.length(40), channels};
}
int channels(Draw& draw) { return draw.of({1, 3, 4}); }
Team team(Draw& draw) { return {draw.once_in(40) ? draw.whole32() : draw.once_in(4) ? 2 : 1}; }

/// The samples that a function wrote.
template <class T>
std::vector<T> written(const ImageView<T>& view) {
    std::vector<T> samples;
    for (std::int64_t y = 0; y < view.height && view.width > 0; ++y) {
        const T* const row =
            reinterpret_cast<const T*>(reinterpret_cast<const std::byte*>(view.pixels) + y * view.pitch);
        samples.insert(samples.end(), row, row + view.width * view.channels);
    }
    return samples;
}

/// Byte by byte, but one NaN is another.
template <class T>
void require_same(const std::vector<T>& found, const std::vector<T>& right) {
    require(found.size() == right.size(), "another number of samples than the serial rung");
    for (std::size_t k = 0; k < found.size(); ++k)
        if (std::memcmp(&found[k], &right[k], sizeof(T)) != 0 && (found[k] == found[k] || right[k] == right[k]))
            throw WrongAnswer("sample " + std::to_string(k) + " is " + std::to_string(static_cast<double>(found[k])) +
                              ", the serial rung has " + std::to_string(static_cast<double>(right[k])));
}

template <class Args>
void launch_serial(const char* operation, const Args& args) {
    const Rung& rung = find_rung(find_operation(operation), "serial", DeviceKind::cpu);
    Team one{1};
    rung.typed(dtype_of<typename Args::Element>)->launch_args(rung.entry, &args, &one);
}

/// Computes into `out` by the serial rung what is there already, and compares. Args have been accepted.
template <class T, class Args>
void compare_with_serial(const char* operation, const Args& args, const ImageView<T>& out) {
    const std::vector<T> found = written(out);
    if (found.empty()) return;
    launch_serial(operation, args);
    require_same(found, written(out));
}

template <class T>
void call_gray(Draw& draw) {
    const Picture<T> in = picture<T>(draw, draw.once_in(20) ? 1 : draw.of({3, 4}));
    const Picture<T> out = draw.once_in(30) ? picture<T>(draw, 1) : Picture<T>(draw, in.view.height, in.view.width, 1);
    const GrayOptions options{draw.of({GrayForm::opencv, GrayForm::weighted, GrayForm::mean, GrayForm::max}),
                              draw.of({ChannelOrder::rgb, ChannelOrder::bgr})};
    gray<T>(in.view, out.view, options, team(draw));
    compare_with_serial("gray", GrayArgs<T>{in.view, out.view, options.form, options.order}, out.view);
}

template <class T>
void call_blur(Draw& draw) {
    const Picture<T> in = picture<T>(draw, channels(draw));
    const Picture<T> out(draw, in.view.height, in.view.width, in.view.channels);
    blur<T>(in.view, out.view, team(draw));
    compare_with_serial("blur", BlurArgs<T>{in.view, out.view}, out.view);
}

template <class T>
void call_sobel(Draw& draw) {
    const Picture<T> in = picture<T>(draw, channels(draw));
    if (draw.once_in(2)) {
        const Picture<T> out(draw, in.view.height, in.view.width, in.view.channels);
        const bool magnitude = draw.once_in(2);
        sobel<T>(in.view, out.view, magnitude ? SobelForm::magnitude : SobelForm::half_sum, team(draw));
        const auto output = magnitude ? SobelOutput::magnitude : SobelOutput::half_sum;
        compare_with_serial("sobel", SobelArgs<T>{in.view, out.view, {}, output}, out.view);
    } else {
        using Derivative = SobelDerivative<T>;
        const Picture<Derivative> out(draw, in.view.height, in.view.width, in.view.channels);
        const bool x = draw.once_in(2);
        sobel_derivative(ImageView<const T>(in.view), out.view, x ? SobelAxis::x : SobelAxis::y, team(draw));
        compare_with_serial("sobel", SobelArgs<T>{in.view, {}, out.view, x ? SobelOutput::gx : SobelOutput::gy},
                            out.view);
    }
}

Convention convention(Draw& draw) { return draw.of({Convention::opencv, Convention::floating, Convention::legacy}); }

template <class T>
void call_resize(Draw& draw) {
    const int of = channels(draw);
    const Picture<T> in = picture<T>(draw, of), out = picture<T>(draw, of);
    const Convention by = convention(draw);
    resize<T>(ImageView<const T>(in.view), out.view, by, team(draw));
    compare_with_serial("resize", ResizeArgs<T>{ImageView<const T>(in.view), out.view, by}, out.view);
}

Affine affine(Draw& draw) {
    Affine result;
    const int wild = draw.below(4);
    for (auto& row : result.m)
        for (double& value : row) value = draw.below(4) < wild ? draw.real<double>() : draw.ordinary(-4, 4);
    return result;
}
std::array<float, 4> four(Draw& draw) {
    std::array<float, 4> values{};
    const bool wild = draw.once_in(4);
    for (float& value : values) value = wild ? draw.real<float>() : static_cast<float>(draw.below(256));
    return values;
}

template <class T>
void call_warp(Draw& draw) {
    const int of = channels(draw);
    const Picture<T> in = picture<T>(draw, of), out = picture<T>(draw, of);
    const WarpOptions options{
        affine(draw), draw.once_in(10) ? Convention::legacy : draw.of({Convention::opencv, Convention::floating}),
        four(draw)};
    warp<T>(in.view, out.view, options, team(draw));
    WarpArgs<T> args{in.view, out.view, options.affine, inverse(options.affine), options.convention, {}};
    for (std::size_t c = 0; c < 4; ++c)
        args.border[c] = c < static_cast<std::size_t>(of) ? static_cast<T>(options.border[c]) : T{0};
    compare_with_serial("warp", args, out.view);
}

LetterboxOptions letterbox_options_of(Draw& draw) {
    return {draw.of({Fit::centred, Fit::top_left, Fit::stretch}), convention(draw), draw.below(4) != 0, four(draw)};
}

/// As a rung gets them: 0 for channels that there are not.
LetterboxOptions passed_on(LetterboxOptions options, int channels) {
    for (auto c = static_cast<std::size_t>(channels); c < 4; ++c) options.pad[c] = 0;
    return options;
}

template <class T>
void call_letterbox(Draw& draw) {
    const int of = channels(draw);
    const Picture<T> in = picture<T>(draw, of), out = picture<T>(draw, of);
    const LetterboxOptions options = letterbox_options_of(draw);
    Affine back;
    letterbox<T>(ImageView<const T>(in.view), out.view, options, draw.once_in(2) ? &back : nullptr, team(draw));
    compare_with_serial(
        "letterbox", LetterboxArgs<T>{ImageView<const T>(in.view), out.view, passed_on(options, of), &back}, out.view);
}

template <class In, class Out>
void call_tensor(Draw& draw) {
    const int of = channels(draw);
    const Picture<In> in = picture<In>(draw, of);
    const std::int64_t height = draw.length(30), width = draw.length(30);
    const bool fits = height >= 0 && width >= 0 && height <= 30 && width <= 30;
    std::vector<Out> memory(fits ? static_cast<std::size_t>(of * height * width + 1) : 1);
    TensorView<Out> out{memory.data(), 1, of, height, width};
    if (draw.once_in(30)) out.count = draw.of<std::int64_t>({-1, 2, std::int64_t{1} << 62});
    TensorOptions options{letterbox_options_of(draw), draw.once_in(2)};
    if (draw.once_in(3)) options.scale = draw.real<float>();
    if (draw.once_in(3)) options.mean = four(draw);
    if (draw.once_in(3)) options.std = four(draw);
    Affine back;
    tensor<In, Out>(ImageView<const In>(in.view), out, options, draw.once_in(2) ? &back : nullptr, team(draw));
    if (out.height == 0 || out.width == 0) return;
    const auto floats = [&] {
        std::vector<float> values;
        for (std::size_t k = 0; k + 1 < memory.size(); ++k)
            if constexpr (std::is_same_v<Out, float>)
                values.push_back(memory[k]);
            else
                values.push_back(to_float(memory[k]));
        return values;
    };
    const std::vector<float> found = floats();
    options.letterbox = passed_on(options.letterbox, of);
    launch_serial("tensor",
                  TensorArgs<Out>{std::is_same_v<In, float>,
                                  as_bytes(ImageBatch<const In>(ImageView<const In>(in.view))), out, options, &back});
    require_same(found, floats());
}

void call_fit(Draw& draw) {
    const Fit fit = draw.of({Fit::centred, Fit::top_left, Fit::stretch});
    const auto side = [&] {
        return draw.once_in(8) ? draw.whole() : static_cast<std::int64_t>(draw.bits() >> (33 + draw.below(31)));
    };
    const std::int64_t height = side(), width = side(), out_height = side(), out_width = side();
    const FittedImage place = fit_image(height, width, out_height, out_width, fit, draw.once_in(2));
    require(place.top >= 0 && place.left >= 0 && place.top + place.height <= out_height &&
                place.left + place.width <= out_width,
            "an image is fitted beyond the output");
    for (const auto& row : to_source(place, height, width).m)
        for (const double value : row) require(std::isfinite(value), "the way back is not finite");
}

void call_inverse(Draw& draw) {
    for (const auto& row : inverse(affine(draw)).m)
        for (const double value : row) require(std::isfinite(value), "the inverse is not finite");
}

template <class T>
void call_region(Draw& draw) {
    Picture<T> in = picture<T>(draw, channels(draw));
    const auto place = [&] { return draw.once_in(4) ? draw.whole() : draw.below(40); };
    const ImageView<T> part = region(in.view, place(), place(), place(), place());
    if (in.view.pixels && in.view.channels > 0 &&
        in.view.pitch / (in.view.channels * static_cast<std::int64_t>(sizeof(T))) >= in.view.width)
        for (const T one : written(part)) static_cast<void>(one);  // it must be inside
}

/// A value of an option: of names one that there is, of numbers any.
void draw_option(Draw& draw, const ImageOption& option, ImageStep& step) {
    using Kind = ImageOptionKind;
    const std::size_t at = option.offset;
    if (option.kind == Kind::choice || option.kind == Kind::element)
        step.at<std::uint8_t>(at) = static_cast<std::uint8_t>(draw.below(static_cast<int>(option.choices.size())));
    if (option.kind == Kind::flag) step.at<bool>(at) = draw.once_in(2);
    if (option.kind == Kind::number) step.at<double>(at) = draw.real<double>();
    if (option.kind == Kind::number32) step.at<float>(at) = draw.real<float>();
    if (option.kind == Kind::channels) step.at<std::array<float, 4>>(at) = four(draw);
    if (option.kind == Kind::colour) step.at<WantedColour>(at) = {four(draw), draw.of({0, 1, 3, 4})};
    if (option.kind == Kind::affine) step.at<Affine>(at) = affine(draw);
}

template <class T>
auto as_batch(const ImageView<T>& view) {
    using Byte = std::conditional_t<std::is_const_v<T>, const std::byte, std::byte>;
    return ImageBatch<Byte>(
        ImageView<Byte>{reinterpret_cast<Byte*>(view.pixels), view.height, view.width, view.channels, view.pitch});
}

/// An operation of the build, whichever, as the command line and Python call it.
template <class T>
void call_described(Draw& draw) {
    std::vector<const ImageOperation*> operations(image_operations().begin(), image_operations().end());
    std::erase_if(operations, [](const ImageOperation* each) { return each->makes == ImageResult::array; });
    const ImageOperation& operation =
        *operations[static_cast<std::size_t>(draw.below(static_cast<int>(operations.size())))];
    ImageStep step(operation);
    for (const ImageOption& option : operation.options)
        if (draw.once_in(2)) draw_option(draw, option, step);
    const bool gray = operation.makes == ImageResult::gray;
    const Picture<T> in = picture<T>(draw, gray ? draw.of({3, 4}) : channels(draw));
    const auto call = [&]<class Out>(Out) {
        const int of = gray ? 1 : in.view.channels;
        const Picture<Out> out =
            draw.once_in(4) ? picture<Out>(draw, of) : Picture<Out>(draw, in.view.height, in.view.width, of);
        Affine back;
        operation.apply({as_batch(ImageView<const T>(in.view)), as_batch(out.view), dtype_of<T>, step,
                         draw.once_in(2) ? &back : nullptr, team(draw)});
    };
    if (operation.makes == ImageResult::derivatives)
        call(SobelDerivative<T>());
    else
        call(T());
}

constexpr Fuzzed kTargets[] = {
    {"described uint8", call_described<std::uint8_t>},
    {"described float", call_described<float>},
    {"gray uint8", call_gray<std::uint8_t>},
    {"gray float", call_gray<float>},
    {"blur uint8", call_blur<std::uint8_t>},
    {"blur float", call_blur<float>},
    {"sobel uint8", call_sobel<std::uint8_t>},
    {"sobel float", call_sobel<float>},
    {"resize uint8", call_resize<std::uint8_t>},
    {"resize float", call_resize<float>},
    {"warp uint8", call_warp<std::uint8_t>},
    {"warp float", call_warp<float>},
    {"letterbox uint8", call_letterbox<std::uint8_t>},
    {"letterbox float", call_letterbox<float>},
    {"tensor uint8 float", call_tensor<std::uint8_t, float>},
    {"tensor uint8 float16", call_tensor<std::uint8_t, float16>},
    {"tensor float float", call_tensor<float, float>},
    {"tensor float float16", call_tensor<float, float16>},
    {"fit_image", call_fit},
    {"inverse", call_inverse},
    {"region uint8", call_region<std::uint8_t>},
    {"region float", call_region<float>},
};

}  // namespace

std::span<const Fuzzed> image_targets() { return kTargets; }

}  // namespace lanework::magnitudes

// Images for languages that call C: <lanework/image.hpp> behind one function and two plain structs.
// All memory is the caller's; what is thrown comes back as a kind and a message.
#include <algorithm>
#include <cstring>
#include <lanework/image.hpp>
#include <string_view>
#include <vector>

#include "python/native/errors.hpp"
#include "python/native/place.hpp"

extern "C" {
/// An image, or all of a tensor: then `count` is its images and rows are tightly packed. python/lanework/images.py has
/// the same fields in the same order, here and below.
struct lanework_image {
    void* pixels;
    int64_t height, width;
    int64_t pitch;  ///< bytes from a row to the next
    int32_t channels;
    int32_t dtype;  ///< 0: uint8, 1: float32, 2: float16, which only tensors have, 3: int16, only derivatives
};

/// Each number is read by the operations that have such an option; enumerations count as in <lanework/image.hpp>.
struct lanework_image_options {
    double affine[6];
    float border[4], mean[4], std[4];
    float scale;
    int32_t form;  ///< GrayForm, SobelForm or SobelAxis
    int32_t convention, fit;
    uint8_t bgr, scale_up, swap_red_blue;
};
}

namespace {
using namespace lanework;

/// One call: an image each in `in` and `out`, or several; a tensor is one `out`.
struct Call {
    const lanework_image *in, *out;
    int64_t count;
    const lanework_image_options& options;
    Affine* to_source;
    native::Place& place;

    Target target() const { return place.target(); }
    Convention convention() const { return static_cast<Convention>(options.convention); }
};

template <class T>
ImageView<T> view_of(const lanework_image& image) {
    return {static_cast<T*>(image.pixels), image.height, image.width, image.channels, image.pitch};
}

/// Images that lie anywhere as one batch, counted from the first: the places that the batch points at.
template <class T>
ImageBatch<T> batch_of(const lanework_image* images, int64_t count, std::vector<ImagePlace>& places,
                       native::Place& place) {
    ImageBatch<T> batch;
    if (count == 0) return batch;
    if (count == 1) return view_of<T>(images[0]);
    const auto address = [](const lanework_image& image) { return reinterpret_cast<std::intptr_t>(image.pixels); };
    for (int64_t k = 0; k < count; ++k) {
        const lanework_image& image = images[k];
        places.push_back({address(image) - address(images[0]), image.pitch, static_cast<std::int32_t>(image.height),
                          static_cast<std::int32_t>(image.width)});
        batch.most_height = std::max(batch.most_height, image.height);
        batch.most_width = std::max(batch.most_width, image.width);
    }
    batch.base = static_cast<T*>(images[0].pixels);
    batch.places = place.copy(places);
    batch.count = count;
    batch.channels = images[0].channels;
    return batch;
}

LetterboxOptions letterbox_of(const Call& call) {
    LetterboxOptions options{.fit = static_cast<Fit>(call.options.fit),
                             .convention = call.convention(),
                             .scale_up = call.options.scale_up != 0};
    std::copy_n(call.options.border, 4, options.pad.begin());
    return options;
}

/// Where letterbox and tensor write what maps to the sources: a GPU's memory is not read here, so they need not.
Affine* written_to_source(const Call& call) { return call.place.on_gpu() ? nullptr : call.to_source; }

/// The same numbers, computed here for images on a GPU.
void map_to_source(const Call& call, std::int64_t height, std::int64_t width) {
    if (!call.place.on_gpu() || !call.to_source) return;
    for (int64_t k = 0; k < call.count; ++k) {
        const lanework_image& in = call.in[k];
        const FittedImage fitted = fit_image(in.height, in.width, height, width, static_cast<Fit>(call.options.fit),
                                             call.options.scale_up != 0);
        call.to_source[k] = to_source(fitted, in.height, in.width);
    }
}

template <class T>
void run_gray(const Call& call) {
    const GrayOptions options{static_cast<GrayForm>(call.options.form),
                              call.options.bgr ? ChannelOrder::bgr : ChannelOrder::rgb};
    gray<T>(view_of<const T>(*call.in), view_of<T>(*call.out), options, call.target());
}

template <class T>
void run_blur(const Call& call) {
    blur<T>(view_of<const T>(*call.in), view_of<T>(*call.out), call.target());
}

template <class T>
void run_sobel(const Call& call) {
    sobel<T>(view_of<const T>(*call.in), view_of<T>(*call.out), static_cast<SobelForm>(call.options.form),
             call.target());
}

template <class T>
void run_sobel_derivative(const Call& call) {
    using Out = std::conditional_t<std::is_same_v<T, float>, float, std::int16_t>;
    sobel_derivative(view_of<const T>(*call.in), view_of<Out>(*call.out), static_cast<SobelAxis>(call.options.form),
                     call.target());
}

template <class T>
void run_resize(const Call& call) {
    std::vector<ImagePlace> in, out;
    resize<T>(batch_of<const T>(call.in, call.count, in, call.place),
              batch_of<T>(call.out, call.count, out, call.place), call.convention(), call.target());
}

template <class T>
void run_letterbox(const Call& call) {
    std::vector<ImagePlace> in, out;
    letterbox<T>(batch_of<const T>(call.in, call.count, in, call.place),
                 batch_of<T>(call.out, call.count, out, call.place), letterbox_of(call), written_to_source(call),
                 call.target());
    map_to_source(call, call.out->height, call.out->width);
}

template <class T>
void run_warp(const Call& call) {
    WarpOptions options{.convention = call.convention()};
    for (std::size_t k = 0; k < 6; ++k) options.affine.m[k / 3][k % 3] = call.options.affine[k];
    std::copy_n(call.options.border, 4, options.border.begin());
    warp<T>(view_of<const T>(*call.in), view_of<T>(*call.out), options, call.target());
}

template <class In, class Out>
void run_tensor_of(const Call& call) {
    TensorOptions options{
        .letterbox = letterbox_of(call), .swap_red_blue = call.options.swap_red_blue != 0, .scale = call.options.scale};
    std::copy_n(call.options.mean, 4, options.mean.begin());
    std::copy_n(call.options.std, 4, options.std.begin());
    std::vector<ImagePlace> in;
    const TensorView<Out> out{static_cast<Out*>(call.out->pixels), call.count, call.out->channels, call.out->height,
                              call.out->width};
    tensor<In, Out>(batch_of<const In>(call.in, call.count, in, call.place), out, options, written_to_source(call),
                    call.target());
    map_to_source(call, out.height, out.width);
}
template <class In>
void run_tensor(const Call& call) {
    call.out->dtype == 2 ? run_tensor_of<In, float16>(call) : run_tensor_of<In, float>(call);
}

struct Function {
    std::string_view name;
    void (*run[2])(const Call&);  ///< of 8-bit and of float samples
};
#define LANEWORK_FUNCTION(name)                                \
    {                                                          \
#name, { run_##name<std::uint8_t>, run_##name<float> } \
    }
constexpr Function kFunctions[] = {LANEWORK_FUNCTION(gray),      LANEWORK_FUNCTION(blur),
                                   LANEWORK_FUNCTION(sobel),     LANEWORK_FUNCTION(resize),
                                   LANEWORK_FUNCTION(letterbox), LANEWORK_FUNCTION(warp),
                                   LANEWORK_FUNCTION(tensor),    LANEWORK_FUNCTION(sobel_derivative)};
#undef LANEWORK_FUNCTION

void run(std::string_view operation, const Call& call) {
    for (const Function& function : kFunctions)
        if (function.name == operation) return function.run[call.in->dtype == 1 ? 1 : 0](call);
    throw UsageError("there is no such operation");
}

thread_local char message[512];
}  // namespace

extern "C" {
/// Computes `operation` ("gray", …) of `count` images, all in the memory of the place; on a GPU the call enqueues its
/// kernels and returns. to_source: count × 6 doubles of the processor's memory, or null. Returns a lanework_error, of
/// which lanework_images_message() then says what is wrong.
[[gnu::visibility("default")]] int32_t lanework_images(const char* operation, const lanework_image* in,
                                                       const lanework_image* out, int64_t count,
                                                       const lanework_image_options* options, double* to_source,
                                                       const lanework_place* place) noexcept {
    const auto fail = [](lanework_error error, const char* what) {
        std::strncpy(message, what, sizeof(message) - 1);
        return error;
    };
    try {
        static_assert(sizeof(Affine) == 6 * sizeof(double));
        native::Place where(*place);
        run(operation, {in, out, count, *options, reinterpret_cast<Affine*>(to_source), where});
        return lanework_ok;
    } catch (const std::exception& error) {
        return fail(native::kind_of(error), native::words_of(error));
    }
}

/// Of the last call of this thread that failed.
[[gnu::visibility("default")]] const char* lanework_images_message() noexcept { return message; }
}

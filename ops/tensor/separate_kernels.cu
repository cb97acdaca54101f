// The steps as separate kernels: fit, exchange the colours, normalise, part into planes. Each writes an image that the
// next one reads back: between the byte that is read and the float that is written, twelve bytes more go through
// memory.
#include "ops/tensor/element.hpp"

namespace {
constexpr int kThreads = 256;

/// A fitted sample: a byte where the convention rounds to 8 bits, as OpenCV's pipeline has it.
template <class In, Convention convention>
using Fitted = std::conditional_t<std::is_same_v<Mixed<In, convention>, std::int32_t>, std::uint8_t, float>;

/// The place of a sample in images of out's size, whose channels are interleaved.
struct Sample {
    std::int64_t image, y, x;
    int channel;

    template <class Out>
    __device__ static Sample at(const TensorArgs<Out>& a, std::int64_t i) {
        const std::int64_t pixel = i / a.out.channels;
        return {pixel / a.plane(), pixel / a.out.width % a.out.height, pixel % a.out.width,
                static_cast<int>(i % a.out.channels)};
    }
};

template <class In, Convention convention, class Out>
__global__ void fit(TensorArgs<Out> a, Fitted<In, convention>* fitted) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i >= a.elements()) return;
    const auto [k, y, x, c] = Sample::at(a, i);
    const auto source = FittedSource<In, convention>::of(image_of(a.template images<In>(), k), a.out.height,
                                                         a.out.width, a.options.letterbox);
    const auto rows = source.rows(y), columns = source.columns(x);
    const bool outside = rows.first < 0 || columns.first < 0;
    fitted[i] = outside ? static_cast<Fitted<In, convention>>(a.options.letterbox.pad[static_cast<std::size_t>(c)])
                        : static_cast<Fitted<In, convention>>(source.mixed(rows, columns, c));
    if (a.to_source && x == 0 && y == 0 && c == 0) store_transform(a.to_source[k], source.to_source());
}

template <class S, class Out>
__global__ void exchange_colours(TensorArgs<Out> a, const S* fitted, S* exchanged) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i >= a.elements()) return;
    const int c = Sample::at(a, i).channel;
    exchanged[i] = fitted[i - c + a.source_channel(c)];
}

template <class S, class Out>
__global__ void normalise(TensorArgs<Out> a, const S* exchanged, float* normalised) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i >= a.elements()) return;
    normalised[i] = Normalisation::of(a.options).element(Sample::at(a, i).channel, static_cast<float>(exchanged[i]));
}

template <class Out>
__global__ void part_into_planes(TensorArgs<Out> a, const float* normalised) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i >= a.elements()) return;
    const auto [k, y, x, c] = Sample::at(a, i);
    a.out.data[((k * a.out.channels + c) * a.out.height + y) * a.out.width + x] = as_element<Out>(normalised[i]);
}

/// For the fitted samples, the exchanged ones and the normalised ones, of 4 bytes each at most.
template <class Out>
std::size_t workspace(const TensorArgs<Out>& a) {
    return 3 * sizeof(float) * static_cast<std::size_t>(a.elements());
}

template <class Out>
void launch(const TensorArgs<Out>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const auto blocks = static_cast<unsigned>(ceil_div(a.elements(), kThreads));
    float* const normalised = static_cast<float*>(a.workspace);
    with_input(a, [&]<class In, Convention convention>() {
        using S = Fitted<In, convention>;
        S* const fitted = reinterpret_cast<S*>(normalised + a.elements());
        S* const exchanged = fitted + a.elements();
        fit<In, convention><<<blocks, kThreads, 0, stream>>>(a, fitted);
        exchange_colours<<<blocks, kThreads, 0, stream>>>(a, fitted, exchanged);
        normalise<<<blocks, kThreads, 0, stream>>>(a, exchanged, normalised);
    });
    part_into_planes<<<blocks, kThreads, 0, stream>>>(a, normalised);
}
}  // namespace

LANEWORK_RUNG(tensor, separate_kernels,
              {
                  .lesson = "Four kernels, as libraries are called: each writes an image that the next reads again.",
                  .launch = {launch<float>, launch<float16>},
                  .workspace = {workspace<float>, workspace<float16>},
              });

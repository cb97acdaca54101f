// One thread a sample: each works out the fit, its taps and its weights from the beginning.
#include "ops/letterbox/operation.hpp"
#include "src/pixels/fitted_source.hpp"

namespace {
constexpr int kThreads = 256;

template <Convention convention, class T>
__global__ void naive(LetterboxArgs<T> a) {
    const std::int64_t row = a.out.most_width * a.out.channels, image = a.out.most_height * row;
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i >= a.out.count * image) return;
    const std::int64_t k = i / image, y = i % image / row, x = i % row / a.out.channels;
    const int c = static_cast<int>(i % row % a.out.channels);
    const auto source =
        FittedSource<T, convention>::of(image_of(a.in, k), a.out.most_height, a.out.most_width, a.options);
    const auto rows = source.rows(y);
    const auto columns = source.columns(x);
    row_of(image_of(a.out, k), y)[i % row] = rows.first < 0 || columns.first < 0
                                                 ? static_cast<T>(a.options.pad[static_cast<std::size_t>(c)])
                                                 : as_sample<T>(source.mixed(rows, columns, c));
    if (a.to_source && i % image == 0) store_transform(a.to_source[k], source.to_source());
}

template <class T>
void launch(const LetterboxArgs<T>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const std::int64_t samples = a.out.count * a.out.most_height * a.out.most_width * a.out.channels;
    const auto blocks = static_cast<unsigned>(ceil_div(samples, kThreads));
    with_convention(a.options.convention,
                    [&]<Convention convention>() { naive<convention><<<blocks, kThreads, 0, stream>>>(a); });
}
}  // namespace

LANEWORK_RUNG(letterbox, naive,
              {
                  .lesson = "One thread a sample: the divisions of the fit take longer than the sample.",
                  .launch = {launch<std::uint8_t>, launch<float>},
              });

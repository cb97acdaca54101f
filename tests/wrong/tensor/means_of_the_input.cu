// expect: wrong — red and blue are exchanged, and their means and deviations stay behind
// says: where the reference has
// The network was trained with RGB means; here the red plane is normalised with the mean of blue.
#include "ops/tensor/element.hpp"

namespace {
constexpr int kThreads = 128;

__global__ void means_of_the_input(TensorArgs<float> a) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i >= a.elements()) return;
    const std::int64_t x = i % a.out.width, y = i / a.out.width % a.out.height;
    const int c = static_cast<int>(i / a.plane() % a.out.channels);
    const std::int64_t k = i / (a.plane() * a.out.channels);
    const auto source = FittedSource<std::uint8_t, Convention::opencv>::of(
        image_of(a.images<std::uint8_t>(), k), a.out.height, a.out.width, a.options.letterbox);
    const auto rows = source.rows(y);
    const auto columns = source.columns(x);
    const int from = a.source_channel(c);
    const float sample = rows.first < 0 || columns.first < 0 ? a.options.letterbox.pad[static_cast<std::size_t>(from)]
                                                             : static_cast<float>(source.mixed(rows, columns, from));
    a.out.data[i] = Normalisation::of(a.options).element(from, sample);  // c would be right
    if (x == 0 && y == 0 && c == 0) a.to_source[k] = source.to_source();
}

void launch(const TensorArgs<float>& a, cudaStream_t stream) {
    if (a.empty()) return;
    means_of_the_input<<<static_cast<unsigned>(ceil_div(a.elements(), kThreads)), kThreads, 0, stream>>>(a);
}
}  // namespace

LANEWORK_RUNG(tensor, means_of_the_input,
              {.lesson = "Never: mean and deviation belong to the output's channels.", .launch = {launch}});

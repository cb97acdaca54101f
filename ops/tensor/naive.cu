// One thread an element: each works out the fit, its taps and its weights from the beginning.
#include "ops/tensor/element.hpp"

namespace {
constexpr int kThreads = 256;

template <class In, Convention convention, class Out>
__global__ void naive(TensorArgs<Out> a) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i >= a.elements()) return;
    const std::int64_t x = i % a.out.width, y = i / a.out.width % a.out.height;
    const int c = static_cast<int>(i / a.plane() % a.out.channels);
    const std::int64_t k = i / (a.plane() * a.out.channels);
    const auto source = FittedSource<In, convention>::of(image_of(a.template images<In>(), k), a.out.height,
                                                         a.out.width, a.options.letterbox);
    a.out.data[i] = element_at(a, source, c, y, x);
    if (a.to_source && x == 0 && y == 0 && c == 0) store_transform(a.to_source[k], source.to_source());
}

template <class Out>
void launch(const TensorArgs<Out>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const auto blocks = static_cast<unsigned>(ceil_div(a.elements(), kThreads));
    with_input(a,
               [&]<class In, Convention convention>() { naive<In, convention><<<blocks, kThreads, 0, stream>>>(a); });
}
}  // namespace

LANEWORK_RUNG(tensor, naive,
              {
                  .climbs_from = "separate_kernels",
                  .lesson = "One thread an element: the divisions of the fit take longer than the pixel.",
                  .launch = {launch<float>, launch<float16>},
              });
// mends: separate_launches

// Sixteen bytes per access: four floats or eight halves. Then the arithmetic must be short as well, or it takes longer
// than the memory does.
#include "ops/gelu/pack.cuh"

namespace {
constexpr int kThreads = 256;

/// A thread for each pack, and one for each element after the last.
template <GeluForm form, class Two, class One>
__global__ void __launch_bounds__(kThreads) vectorized(const One* in, One* out, std::int64_t n, std::int64_t packs) {
    using P = GeluPack<Two>;
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i < packs) {
        const P pack = gelu_of_unit<form>(load_unit(reinterpret_cast<const P*>(in) + i));
        store_unit(pack, reinterpret_cast<P*>(out) + i);
    }
    if (const std::int64_t rest = packs * P::kElements + i; rest < n) out[rest] = gelu_of_unit<form>(in[rest]);
}

/// Of one row that begins at a boundary.
template <class T>
bool fits(const GeluArgs<T>& a) {
    return in_one_row(a) && on_boundaries(a);
}

template <class T>
void launch(const GeluArgs<T>& a, cudaStream_t stream) {
    using Two = typename NativeOf<T>::Two;
    if (a.n == 0) return;
    with_form(a.form, [&]<GeluForm form>() {
        const std::int64_t packs = a.n / GeluPack<Two>::kElements;
        const auto blocks = static_cast<unsigned>(packs / kThreads + 1);
        vectorized<form, Two><<<blocks, kThreads, 0, stream>>>(native(a.in), native(a.out), a.n, packs);
    });
}
}  // namespace

LANEWORK_RUNG(gelu, vectorized,
              {
                  .climbs_from = "naive",
                  .lesson = "Sixteen bytes per access, and a dozen instructions per element: the memory is the limit.",
                  .launch = {launch<float>, launch<float16>, launch<bfloat16>},
                  .fits = {fits<float>, fits<float16>, fits<bfloat16>},
                  .only = "arrays that begin at multiples of 16 bytes, with nothing between their rows",
              });
// mends: narrow_vectors, instruction_bound

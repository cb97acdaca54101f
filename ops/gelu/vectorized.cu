// Sixteen bytes per access: four floats or eight halves. Then the arithmetic must be short as well, or it takes longer
// than the memory does.
#include "ops/gelu/quick.cuh"

namespace {
constexpr int kThreads = 256;

/// The elements of one access; `Two` is a pair of them. It is loaded and stored as a whole: nvcc takes a copy of half
/// pairs apart, into four accesses of 4 bytes.
template <class Two>
struct alignas(uint4) Pack {
    static constexpr int kPairs = sizeof(uint4) / sizeof(Two);
    static constexpr int kElements = 2 * kPairs;
    Two pair[kPairs];

    __device__ uint4& whole() { return *reinterpret_cast<uint4*>(pair); }
};

template <GeluForm form, class Two>
__device__ void apply(Pack<Two>& pack) {
#pragma unroll
    for (int k = 0; k < Pack<Two>::kPairs; ++k) {
        const float2 x = widen(pack.pair[k]);
        narrow(make_float2(quick_gelu<form>(x.x), quick_gelu<form>(x.y)), pack.pair[k]);
    }
}

/// A thread for each pack, and one for each element after the last.
template <GeluForm form, class Two, class One>
__global__ void __launch_bounds__(kThreads) vectorized(const One* in, One* out, std::int64_t n, std::int64_t packs) {
    using P = Pack<Two>;
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i < packs) {
        P pack;
        pack.whole() = reinterpret_cast<const uint4*>(in)[i];
        apply<form>(pack);
        reinterpret_cast<uint4*>(out)[i] = pack.whole();
    }
    if (const std::int64_t rest = packs * P::kElements + i; rest < n)
        out[rest] = static_cast<One>(quick_gelu<form>(static_cast<float>(in[rest])));
}

/// Where an access of 16 bytes may begin.
template <class T>
bool on_boundaries(const GeluArgs<T>& a) {
    return (reinterpret_cast<std::uintptr_t>(a.in) | reinterpret_cast<std::uintptr_t>(a.out)) % sizeof(uint4) == 0;
}

template <class T>
void launch(const GeluArgs<T>& a, cudaStream_t stream) {
    using Two = typename NativeOf<T>::Two;
    if (a.n == 0) return;
    with_form(a.form, [&]<GeluForm form>() {
        const std::int64_t packs = a.n / Pack<Two>::kElements;
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
                  .fits = {on_boundaries<float>, on_boundaries<float16>, on_boundaries<bfloat16>},
                  .only = "arrays that begin at multiples of 16 bytes",
              });
// mends: narrow_vectors, instruction_bound

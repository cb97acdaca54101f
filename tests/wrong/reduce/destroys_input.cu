// expect: wrong — the tree is built in the caller's array: the sum is right, the input is gone
// says: the input `in` was changed
#include "ops/reduce/passes.hpp"

namespace {
constexpr int kBlock = 256;

template <class T>
__global__ void destroys_input(T* in, std::int64_t n, std::int64_t half) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i + half < n && i < half) in[i] = plus(in[i], in[i + half]);
}

template <class T>
__global__ void first_element(const T* in, T* out, std::int64_t n) {
    *out = n > 0 ? in[0] : T{};
}

template <class T>
void launch(const ReduceArgs<T>& a, cudaStream_t stream) {
    T* const in = const_cast<T*>(a.in);
    for (std::int64_t n = a.n; n > 1; n = ceil_div(n, 2)) {
        const std::int64_t half = ceil_div(n, 2);
        destroys_input<<<static_cast<unsigned>(ceil_div(half, kBlock)), kBlock, 0, stream>>>(in, n, half);
    }
    first_element<<<1, 1, 0, stream>>>(in, a.out, a.n);
}
}  // namespace

LANEWORK_RUNG(reduce, destroys_input,
              {
                  .lesson = "Never: a caller's array is not scratch memory.",
                  .launch = {launch<std::int32_t>, launch<float>, launch<double>},
              });

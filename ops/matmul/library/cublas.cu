// The peer: cuBLAS in its default math mode, which is full single precision.
#include "src/peers/cublas.hpp"

#include "ops/matmul/operation.hpp"
#include "src/cuda/check.hpp"

namespace {
void launch(const MatmulArgs<float>& x, cudaStream_t stream) {
    if (x.empty()) return;
    if (x.n == 0) {
        LANEWORK_CHECK(cudaMemsetAsync(x.c, 0, static_cast<std::size_t>(x.m * x.k) * sizeof(float), stream));
        return;
    }
    cublas_sgemm(x.a, x.b, x.c, x.m, x.n, x.k, stream);
}

std::string_view refuses(const Problem& p) {
    const auto [m, n, k] = p.lengths<MatmulAxes>();
    constexpr std::int64_t kMax = 2147483647;
    if (m > kMax || n > kMax || k > kMax) return "cublasSgemm takes lengths below 2^31";
    return cublas_refusal();
}
}  // namespace

LANEWORK_RUNG(matmul, cublas,
              {
                  .lesson = "cublasSgemm, NVIDIA's own, in full single precision.",
                  .launch = {launch},
                  .refuses = refuses,
                  .fits = {rows_touch_plain_by_rows<float>},
                  .only = kRowsTouchPlainByRows,
              });

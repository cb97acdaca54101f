// The peer at its best: cuBLASLt, the fastest of the eight algorithms that its heuristic names first.
#include "src/peers/cublaslt.hpp"

#include "ops/matmul/operation.hpp"
#include "src/cuda/check.hpp"

namespace {
template <class T>
void launch(const MatmulArgs<T>& x, cudaStream_t stream) {
    if (x.empty()) return;
    if (x.n == 0) {
        LANEWORK_CHECK(cudaMemsetAsync(x.c, 0, static_cast<std::size_t>(x.m * x.k) * sizeof(T), stream));
        return;
    }
    cublaslt_matmul(dtype_of<T>, x.a, x.b, x.c, x.m, x.n, x.k, x.workspace, stream);
}
template <class T>
std::size_t workspace(const MatmulArgs<T>& x) {
    return x.empty() || x.n == 0 ? 0 : kCublasLtWorkspace;
}

std::string_view refuses(const Problem& p) {
    constexpr std::int64_t kMax = 2147483647;
    if (p.extent[0] > kMax || p.extent[1] > kMax || p.extent[2] > kMax)
        return "cublasLtMatmul takes lengths below 2^31";
    return cublaslt_refusal();
}
}  // namespace

LANEWORK_RUNG(matmul, cublaslt,
              {
                  .lesson = "cublasLtMatmul, NVIDIA's own, summed in float: the fastest of its first eight algorithms.",
                  .launch = {launch<float>, launch<float16>, launch<bfloat16>},
                  .workspace = {workspace<float>, workspace<float16>, workspace<bfloat16>},
                  .refuses = refuses,
                  .fits = {rows_touch<float>, rows_touch<float16>, rows_touch<bfloat16>},
                  .only = kRowsTouch,
                  .about = cublaslt_about,
              });

// The peer at its best: cuBLASLt, the fastest of the eight algorithms that its heuristic names first.
#include "src/peers/cublaslt.hpp"

#include "ops/matmul/operation.hpp"
#include "src/cuda/check.hpp"

namespace {
template <class T>
void launch(const MatmulArgs<T>& x, cudaStream_t stream) {
    if (x.empty()) return;
    if (x.n == 0) {
        LANEWORK_CHECK(cudaMemsetAsync(x.c, 0, static_cast<std::size_t>(x.m * x.k) * sizeof(*x.c), stream));
        return;
    }
    cublaslt_matmul(dtype_of<T>, x.b_by_columns, x.a, x.b, x.c, x.m, x.n, x.k, x.workspace, stream);
}
template <class T>
std::size_t workspace(const MatmulArgs<T>& x) {
    return x.empty() || x.n == 0 ? 0 : kCublasLtWorkspace;
}

std::string_view refuses(const Problem& p) {
    const auto [m, n, k] = p.lengths<MatmulAxes>();
    constexpr std::int64_t kMax = 2147483647;
    if (m > kMax || n > kMax || k > kMax) return "cublasLtMatmul takes lengths below 2^31";
    if (p.dtype == DType::int8 || p.dtype == DType::float8_e4m3) {
        if (static_cast<MatmulForm>(p.variant) != MatmulForm::nt)
            return "cublasLtMatmul multiplies bytes with B by columns alone (variant nt)";
        const std::int64_t unit = p.dtype == DType::int8 ? 4 : 16;
        if (m % unit != 0 || n % unit != 0 || k % unit != 0)
            return unit == 4 ? "cublasLtMatmul multiplies int8 of lengths that are multiples of 4"
                             : "cublasLtMatmul multiplies float8_e4m3 of lengths that are multiples of 16";
    }
    return cublaslt_refusal();
}
}  // namespace

LANEWORK_RUNG(
    matmul, cublaslt,
    {
        .lesson = "cublasLtMatmul, NVIDIA's own, summed in float or int32: the fastest of its first eight algorithms.",
        .launch = {launch<float>, launch<float16>, launch<bfloat16>, launch<std::int8_t>, launch<float8_e4m3>,
                   launch<tfloat32>},
        .workspace = {workspace<float>, workspace<float16>, workspace<bfloat16>, workspace<std::int8_t>,
                      workspace<float8_e4m3>, workspace<tfloat32>},
        .refuses = refuses,
        .fits = {rows_touch<float>, rows_touch<float16>, rows_touch<bfloat16>, rows_touch<std::int8_t>,
                 rows_touch<float8_e4m3>, rows_touch<tfloat32>},
        .only = kRowsTouch,
        .about = cublaslt_about,
    });

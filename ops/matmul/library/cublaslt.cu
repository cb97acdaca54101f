// The peer at its best: cuBLASLt, the fastest of the eight algorithms that its heuristic names first.
#include "src/peers/cublaslt.hpp"

#include <algorithm>

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
    const Finish<T>& finish = x.finish;
    CublasLtProduct product{dtype_of<T>, x.b_by_columns, x.a, x.b, x.c, x.m, x.n, x.k, x.workspace, &finish.alpha};
    if (finish.beta != 0) {
        product.beta = &finish.beta;
        product.c_in = finish.c_in;
    }
    if (finish.adds_bias) product.bias = finish.bias;
    product.gelu = finish.activation == MatmulActivation::gelu_tanh;
    cublaslt_matmul(product, stream);
}
constexpr std::string_view kOnly =
    "matrices with nothing between their rows, with an epilogue sums of one term or more, of integers no bias, of 16 "
    "bits n and k that are multiples of 8 (others it rounds twice), GELU with tanh";
/// Whether rows of 16-bit elements are whole vectors.
template <class T>
bool whole_vectors(const MatmulArgs<T>& x) {
    return x.n % 8 == 0 && x.k % 8 == 0;
}
template <class T>
bool fits(const MatmulArgs<T>& x) {
    const Finish<T>& finish = x.finish;
    if (!rows_touch(x)) return false;
    if (finish.plain()) return true;
    return x.n > 0 && (finish.beta == 0 || finish.c_in_pitch == x.k) && finish.activation != MatmulActivation::gelu &&
           !(std::is_integral_v<SumOf<T>> && finish.adds_bias) && has_epilogue(x) &&
           (sizeof(T) != 2 || whole_vectors(x));
}
template <class T>
std::size_t workspace(const MatmulArgs<T>& x) {
    return x.empty() || x.n == 0 ? 0 : kCublasLtWorkspace;
}

constexpr std::int64_t kLargeEnoughForGelu = 1 << 20;

std::string_view refuses(const Problem& p) {
    const auto [m, n, k] = p.lengths<MatmulAxes>();
    constexpr std::int64_t kMax = 2147483647;
    if (m > kMax || n > kMax || k > kMax) return "cublasLtMatmul takes lengths below 2^31";
    if (p.dtype == DType::int8 || p.dtype == DType::float8_e4m3) {
        if (form_of(p) != MatmulForm::nt) return "cublasLtMatmul multiplies bytes with B by columns alone (variant nt)";
        const std::int64_t unit = p.dtype == DType::int8 ? 4 : 16;
        if (m % unit != 0 || n % unit != 0 || k % unit != 0)
            return unit == 4 ? "cublasLtMatmul multiplies int8 of lengths that are multiples of 4"
                             : "cublasLtMatmul multiplies float8_e4m3 of lengths that are multiples of 16";
    }
    // Measured on an H100: off by 2·10⁻⁶ where float allows 10⁻⁶ (300×1×200), and NaN of −∞.
    if (epilogue_of(p) == MatmulEpilogue::gelu_tanh && m * k < kLargeEnoughForGelu / std::max<std::int64_t>(n, 1))
        return "cublasLtMatmul's GELU is NaN of infinities, with which products of fewer than 2^20 terms are verified";
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
        .fits = {fits<float>, fits<float16>, fits<bfloat16>, fits<std::int8_t>, fits<float8_e4m3>, fits<tfloat32>},
        .only = kOnly,
        .about = cublaslt_about,
    });

// The peer at its best: cuBLASLt with strides from matrix to matrix, the fastest of the eight algorithms that its
// heuristic names first.
#include "src/peers/cublaslt.hpp"

#include "ops/batched_matmul/operation.hpp"
#include "src/cuda/check.hpp"

namespace {
template <class T>
void launch(const BatchedMatmulArgs<T>& x, cudaStream_t stream) {
    if (x.empty()) return;
    const MatmulArgs<T>& first = x.first;
    if (first.n == 0) {
        LANEWORK_CHECK(
            cudaMemsetAsync(first.c, 0, static_cast<std::size_t>(x.products * x.to_next_c) * sizeof(T), stream));
        return;
    }
    CublasLtProduct product{dtype_of<T>, first.b_by_columns, first.a, first.b, first.c, first.m, first.n,
                            first.k,     first.workspace};
    product.products = x.products;
    cublaslt_matmul(product, stream);
}
template <class T>
std::size_t workspace(const BatchedMatmulArgs<T>& x) {
    return x.empty() || x.first.n == 0 ? 0 : kCublasLtWorkspace;
}
template <class T>
bool touch(const BatchedMatmulArgs<T>& x) {
    const MatmulArgs<T>& one = x.first;
    return rows_touch(one) && x.to_next_a == one.m * one.n && x.to_next_b == one.n * one.k &&
           x.to_next_c == one.m * one.k;
}
std::string_view refuses(const Problem& p) {
    const auto [products, m, n, k] = p.lengths<BatchedMatmulAxes>();
    constexpr std::int64_t kMax = 2147483647;
    if (products > kMax || m > kMax || n > kMax || k > kMax) return "cublasLtMatmul takes lengths below 2^31";
    return cublaslt_refusal();
}
}  // namespace

LANEWORK_RUNG(batched_matmul, cublaslt,
              {
                  .lesson = "cublasLtMatmul of a batch with strides, NVIDIA's own: the fastest of its first eight "
                            "algorithms.",
                  .launch = {launch<float>, launch<float16>, launch<bfloat16>},
                  .workspace = {workspace<float>, workspace<float16>, workspace<bfloat16>},
                  .refuses = refuses,
                  .fits = {touch<float>, touch<float16>, touch<bfloat16>},
                  .only = "matrices with nothing between them or their rows",
                  .about = cublaslt_about,
              });

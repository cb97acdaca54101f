// Tensor cores through nvcuda::wmma: products of half, bfloat16, tf32, int8 and double fragments, in both layouts.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include <cmath>
#include <cstdio>

using namespace nvcuda;

/// One warp: c = a · b + c. `a` and `b` are by rows or by columns as their layouts say, `c` by rows.
template <int M, int N, int K, class T, class LayoutA, class LayoutB, class Stored, class Sum>
__global__ void product(const Stored* a, const Stored* b, Sum* c) {
    wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA> left;
    wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> right;
    wmma::fragment<wmma::accumulator, M, N, K, Sum> sum;
    constexpr bool a_by_rows = std::is_same<LayoutA, wmma::row_major>::value;
    constexpr bool b_by_rows = std::is_same<LayoutB, wmma::row_major>::value;
    wmma::load_matrix_sync(left, a, a_by_rows ? K : M);
    wmma::load_matrix_sync(right, b, b_by_rows ? N : K);
    wmma::load_matrix_sync(sum, c, N, wmma::mem_row_major);
    if constexpr (std::is_same<T, wmma::precision::tf32>::value) {
        for (int i = 0; i < left.num_elements; ++i) left.x[i] = wmma::__float_to_tf32(left.x[i]);
        for (int i = 0; i < right.num_elements; ++i) right.x[i] = wmma::__float_to_tf32(right.x[i]);
    }
    wmma::mma_sync(sum, left, right, sum);
    wmma::store_matrix_sync(c, sum, N, wmma::mem_row_major);
}

template <int M, int N, int K, class T, class LayoutA, class LayoutB, class Stored, class Sum>
void check(const char* name) {
    Stored *a, *b;
    Sum* c;
    cudaMallocManaged(&a, M * K * sizeof(Stored));
    cudaMallocManaged(&b, K * N * sizeof(Stored));
    cudaMallocManaged(&c, M * N * sizeof(Sum));
    const auto left = [](int row, int k) { return (row * 3 + k * 5) % 7 - 3; };
    const auto right = [](int k, int column) { return (k * 2 + column) % 5 - 2; };
    for (int row = 0; row < M; ++row)
        for (int k = 0; k < K; ++k)
            a[std::is_same<LayoutA, wmma::row_major>::value ? row * K + k : k * M + row] =
                Stored(static_cast<float>(left(row, k)));
    for (int k = 0; k < K; ++k)
        for (int column = 0; column < N; ++column)
            b[std::is_same<LayoutB, wmma::row_major>::value ? k * N + column : column * K + k] =
                Stored(static_cast<float>(right(k, column)));
    for (int i = 0; i < M * N; ++i) c[i] = Sum(static_cast<float>(i % 3));
    product<M, N, K, T, LayoutA, LayoutB><<<1, 32>>>(a, b, c);
    const cudaError_t error = cudaDeviceSynchronize();
    int wrong = 0;
    for (int row = 0; row < M; ++row)
        for (int column = 0; column < N; ++column) {
            int expected = (row * N + column) % 3;
            for (int k = 0; k < K; ++k) expected += left(row, k) * right(k, column);
            wrong += static_cast<float>(c[row * N + column]) != static_cast<float>(expected);
        }
    std::printf("%-28s %dx%dx%d: %s, %d wrong\n", name, M, N, K, cudaGetErrorName(error), wrong);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
}

/// A product of 64 × 64 matrices of half, a warp for each 16 × 16 tile, scaled in the fragment.
__global__ void scaled(const __half* a, const __half* b, float* c, int n, float scale) {
    const int row = blockIdx.y * 16, column = blockIdx.x * 16;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < n; k += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
        wmma::load_matrix_sync(left, a + row * n + k, n);
        wmma::load_matrix_sync(right, b + k * n + column, n);
        wmma::mma_sync(sum, left, right, sum);
    }
    for (int i = 0; i < sum.num_elements; ++i) sum.x[i] *= scale;
    wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

int main() {
    using row = wmma::row_major;
    using column = wmma::col_major;
    check<16, 16, 16, __half, row, column, __half, float>("half to float");
    check<16, 16, 16, __half, column, row, __half, __half>("half to half");
    check<32, 8, 16, __half, row, row, __half, float>("half to float");
    check<8, 32, 16, __half, column, column, __half, float>("half to float");
    check<16, 16, 16, __nv_bfloat16, row, column, __nv_bfloat16, float>("bfloat16 to float");
    check<8, 32, 16, __nv_bfloat16, column, row, __nv_bfloat16, float>("bfloat16 to float");
    check<16, 16, 8, wmma::precision::tf32, row, column, float, float>("tf32 to float");
    check<16, 16, 16, signed char, row, column, signed char, int>("int8 to int32");
    check<32, 8, 16, signed char, column, row, signed char, int>("int8 to int32");
    check<8, 8, 4, double, row, column, double, double>("double");

    constexpr int n = 64;
    __half *a, *b;
    float* c;
    cudaMallocManaged(&a, n * n * sizeof(__half));
    cudaMallocManaged(&b, n * n * sizeof(__half));
    cudaMallocManaged(&c, n * n * sizeof(float));
    for (int i = 0; i < n * n; ++i) {
        a[i] = __float2half(static_cast<float>(i % 5));
        b[i] = __float2half(static_cast<float>(i % 3));
    }
    scaled<<<dim3(n / 16, n / 16), 32>>>(a, b, c, n, 0.5f);
    cudaDeviceSynchronize();
    double largest = 0;
    for (int r = 0; r < n; ++r)
        for (int s = 0; s < n; ++s) {
            double expected = 0;
            for (int k = 0; k < n; ++k) expected += (r * n + k) % 5 * ((k * n + s) % 3) * 0.5;
            largest = std::fmax(largest, std::fabs(expected - static_cast<double>(c[r * n + s])));
        }
    std::printf("64 x 64 by tiles: largest difference %g\n", largest);
    return 0;
}

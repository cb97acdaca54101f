// What programs commonly call of cuBLAS, columns first.
#include <cublas_v2.h>

#include <cstdio>

template <class T>
static T* managed(int n) {
    T* memory;
    cudaMallocManaged(&memory, n * sizeof(T));
    return memory;
}

int main() {
    cublasHandle_t handle;
    cublasCreate(&handle);
    const int m = 2, n = 3, k = 4;
    double *a = managed<double>(m * k), *b = managed<double>(k * n), *c = managed<double>(m * n);
    for (int i = 0; i < m * k; ++i) a[i] = i + 1;
    for (int i = 0; i < k * n; ++i) b[i] = i % 3;
    for (int i = 0; i < m * n; ++i) c[i] = 1;
    double alpha = 2, beta = 10;
    cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, a, m, b, k, &beta, c, m);
    cudaDeviceSynchronize();
    printf("gemm %g %g %g %g %g %g\n", c[0], c[1], c[2], c[3], c[4], c[5]);
    beta = 0;
    cublasDgemm(handle, CUBLAS_OP_T, CUBLAS_OP_T, m, n, m, &alpha, a, m, b, n, &beta, c, m);
    cudaDeviceSynchronize();
    printf("transposed %g %g %g\n", c[0], c[1], c[5]);

    float *x = managed<float>(4), *y = managed<float>(4), length = 0, product = 0, half = 0.5f;
    for (int i = 0; i < 4; ++i) x[i] = i - 2, y[i] = 1;
    int largest = 0;
    cublasSnrm2(handle, 4, x, 1, &length);
    cublasIsamax(handle, 4, x, 1, &largest);
    cublasSaxpy(handle, 4, &half, x, 1, y, 1);
    cublasSdot(handle, 4, x, 1, y, 1, &product);
    cudaDeviceSynchronize();
    printf("length %g, largest at %d, y %g %g %g %g, product %g\n", length, largest, y[0], y[1], y[2], y[3], product);

    float *matrix = managed<float>(4), *inverse = managed<float>(4);
    matrix[0] = 0, matrix[1] = 2, matrix[2] = 4, matrix[3] = 2;
    float *const *matrices = nullptr, **pointers = managed<float*>(2);
    pointers[0] = matrix, pointers[1] = inverse;
    matrices = pointers;
    int *pivots = managed<int>(2), *info = managed<int>(1);
    cublasSgetrfBatched(handle, 2, matrices, 2, pivots, info, 1);
    cublasSgetriBatched(handle, 2, matrices, 2, pivots, matrices + 1, 2, info, 1);
    cudaDeviceSynchronize();
    printf("inverse %g %g %g %g\n", inverse[0], inverse[1], inverse[2], inverse[3]);
    cublasDestroy(handle);
}

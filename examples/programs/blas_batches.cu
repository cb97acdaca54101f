// Products of cuBLAS in several types: of whole numbers as floats, doubles, halves, bfloat16 and bytes, transposed or
// not, one by one, by pointers and by strides, beside plain loops; and a handle of cuBLASLt.
#include <cublasLt.h>
#include <cublas_v2.h>

#include <cstdio>

const int kRows = 37, kColumns = 29, kDepth = 41, kBatches = 3;

template <class T>
static T* managed(int n) {
    T* memory;
    cudaMallocManaged(&memory, n * sizeof(T));
    return memory;
}

template <class T, class Out>
struct Batches {
    T *a = managed<T>(kBatches * kRows * kDepth), *b = managed<T>(kBatches * kDepth * kColumns);
    Out* c = managed<Out>(kBatches * kRows * kColumns);

    Batches() {
        for (int i = 0; i < kBatches * kRows * kDepth; ++i) a[i] = T(float(i % 5 - 2));
        for (int i = 0; i < kBatches * kDepth * kColumns; ++i) b[i] = T(float(i % 3 - 1));
        clear();
    }
    void clear() {
        for (int i = 0; i < kBatches * kRows * kColumns; ++i) c[i] = Out(float(i % 2));
    }
    // Elements of c = 2·op(a)·op(b) + 3·c that are not the loops'.
    int wrong(bool turn_a, bool turn_b, int batches) {
        cudaDeviceSynchronize();
        int count = 0;
        for (int batch = 0; batch < batches; ++batch)
            for (int j = 0; j < kColumns; ++j)
                for (int i = 0; i < kRows; ++i) {
                    const int at = (batch * kColumns + j) * kRows + i;
                    float sum = 0;
                    for (int p = 0; p < kDepth; ++p)
                        sum += float(a[batch * kRows * kDepth + (turn_a ? p + i * kDepth : i + p * kRows)]) *
                               float(b[batch * kDepth * kColumns + (turn_b ? j + p * kColumns : p + j * kDepth)]);
                    count += float(c[at]) != 2 * sum + 3 * (at % 2);
                }
        return count;
    }
};

template <class T, class Out, class Scalar>
static void multiply(cublasHandle_t handle, const char* name, cudaDataType type, cudaDataType out,
                     cublasComputeType_t compute, cudaDataType compute_before) {
    Batches<T, Out> x;
    const Scalar alpha = Scalar(2.0f), beta = Scalar(3.0f);
    int wrong = 0;
    for (int turns = 0; turns < 4; ++turns) {
        const bool turn_a = turns % 2, turn_b = turns / 2;
        const cublasOperation_t opa = turn_a ? CUBLAS_OP_T : CUBLAS_OP_N, opb = turn_b ? CUBLAS_OP_T : CUBLAS_OP_N;
        const int lda = turn_a ? kDepth : kRows, ldb = turn_b ? kColumns : kDepth;
        x.clear();
        cublasGemmEx(handle, opa, opb, kRows, kColumns, kDepth, &alpha, x.a, type, lda, x.b, type, ldb, &beta, x.c, out,
                     kRows, compute, CUBLAS_GEMM_DEFAULT);
        wrong += x.wrong(turn_a, turn_b, 1);
        x.clear();
        cublasGemmStridedBatchedEx(handle, opa, opb, kRows, kColumns, kDepth, &alpha, x.a, type, lda, kRows * kDepth,
                                   x.b, type, ldb, kDepth * kColumns, &beta, x.c, out, kRows, kRows * kColumns,
                                   kBatches, compute_before, CUBLAS_GEMM_DEFAULT);
        wrong += x.wrong(turn_a, turn_b, kBatches);
        x.clear();
        const void **a = managed<const void*>(kBatches), **b = managed<const void*>(kBatches);
        void** c = managed<void*>(kBatches);
        for (int i = 0; i < kBatches; ++i) {
            a[i] = x.a + i * kRows * kDepth;
            b[i] = x.b + i * kDepth * kColumns;
            c[i] = x.c + i * kRows * kColumns;
        }
        cublasGemmBatchedEx(handle, opa, opb, kRows, kColumns, kDepth, &alpha, a, type, lda, b, type, ldb, &beta, c,
                            out, kRows, kBatches, compute, CUBLAS_GEMM_DEFAULT);
        wrong += x.wrong(turn_a, turn_b, kBatches);
    }
    printf("%s: %d elements differ\n", name, wrong);
}

// Bytes; a GPU asks for columns and addresses that are multiples of four.
static void multiply_bytes(cublasHandle_t handle) {
    const int m = 32, n = 24, k = 40, alpha = 2, beta = -1;
    signed char *a = managed<signed char>(m * k), *b = managed<signed char>(k * n);
    int* c = managed<int>(m * n);
    for (int i = 0; i < m * k; ++i) a[i] = static_cast<signed char>(i * 37);
    for (int i = 0; i < k * n; ++i) b[i] = static_cast<signed char>(i * 91);
    for (int i = 0; i < m * n; ++i) c[i] = i;
    const cublasStatus_t status =
        cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, a, CUDA_R_8I, m, b, CUDA_R_8I, k, &beta, c,
                     CUDA_R_32I, m, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i) {
            int sum = 0;
            for (int p = 0; p < k; ++p) sum += a[i + p * m] * b[p + j * k];
            wrong += c[i + j * m] != 2 * sum - (i + j * m);
        }
    printf("bytes, sums as int: %d, %d elements differ\n", status, wrong);
}

int main() {
    cublasHandle_t handle;
    cublasCreate(&handle);
    multiply<float, float, float>(handle, "float", CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_PEDANTIC, CUDA_R_32F);
    multiply<double, double, double>(handle, "double", CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F, CUDA_R_64F);
    multiply<__half, __half, float>(handle, "half", CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, CUDA_R_32F);
    multiply<__half, float, float>(handle, "half, sums as float", CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F,
                                   CUDA_R_32F);
    multiply<__nv_bfloat16, float, float>(handle, "bfloat16", CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F, CUDA_R_32F);
    multiply_bytes(handle);
    cublasDestroy(handle);
    cublasLtHandle_t light;
    printf("cuBLASLt: %d, ", cublasLtCreate(&light));
    printf("%d\n", cublasLtDestroy(light));
}

// Products of cuBLAS in several types: of whole numbers as floats, doubles, halves, bfloat16 and bytes, transposed or
// not, one by one, by pointers and by strides, beside plain loops; and a handle of cuBLASLt.
#include <cublasLt.h>
#include <cublas_v2.h>

#include <cstdio>

// Sizes at which nothing divides evenly; and those of bytes, of which a GPU asks that columns begin at whole words.
struct Odd {
    static const int kRows = 37, kColumns = 29, kDepth = 41;
};
struct Fours {
    static const int kRows = 32, kColumns = 24, kDepth = 40;
};
const int kBatches = 3;

template <class T>
static T* managed(int n) {
    T* memory;
    cudaMallocManaged(&memory, n * sizeof(T));
    return memory;
}

// A number of -span to span.
template <class T>
static T number(int i, int span) {
    return T(float(i * 37 % (2 * span + 1) - span));
}

template <class T, class Out, class Size>
struct Batches : Size {
    using Size::kColumns, Size::kDepth, Size::kRows;
    T *a = managed<T>(kBatches * kRows * kDepth), *b = managed<T>(kBatches * kDepth * kColumns);
    Out* c = managed<Out>(kBatches * kRows * kColumns);

    Batches(int span_a, int span_b) {
        for (int i = 0; i < kBatches * kRows * kDepth; ++i) a[i] = number<T>(i, span_a);
        for (int i = 0; i < kBatches * kDepth * kColumns; ++i) b[i] = number<T>(i, span_b);
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

template <class T, class Out, class Scalar, class Size = Odd>
static void multiply(cublasHandle_t handle, const char* name, cudaDataType type, cudaDataType out,
                     cublasComputeType_t compute, cudaDataType compute_before, int span_a = 2, int span_b = 1) {
    const int kRows = Size::kRows, kColumns = Size::kColumns, kDepth = Size::kDepth;
    Batches<T, Out, Size> x(span_a, span_b);
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

// Of bytes what cuBLAS does not take: columns that do not begin at whole words, a factor that does not, sums as double;
// and of any type columns that overlap.
static void refused(cublasHandle_t handle) {
    const int n = 8, one = 1, none = 0;
    const float alpha = 1, beta = 0;
    signed char* bytes = managed<signed char>(n * n);
    float *floats = managed<float>(n * n), *sums = managed<float>(n * n);
    const auto product = [&](const signed char* a, int lda, int ldb) {
        return cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, 4, 4, 4, &one, a, CUDA_R_8I, lda, bytes, CUDA_R_8I, ldb,
                            &none, sums, CUDA_R_32I, 4, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT);
    };
    printf("bytes: %d, not %d %d %d", product(bytes, 4, 8), product(bytes, 5, 8), product(bytes, 8, 6),
           product(bytes + 1, 4, 4));
    printf(" %d\n", cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &alpha, bytes, CUDA_R_8I, 4, bytes,
                                 CUDA_R_8I, 4, &beta, sums, CUDA_R_32F, 4, CUBLAS_COMPUTE_64F, CUBLAS_GEMM_DEFAULT));
    const auto columns = [&](cublasOperation_t opa, int lda, cublasOperation_t opb, int ldb) {
        return cublasSgemm(handle, opa, opb, 4, 3, 5, &alpha, floats, lda, floats, ldb, &beta, sums, 4);
    };
    printf("columns: %d %d, not %d %d %d %d\n", columns(CUBLAS_OP_N, 4, CUBLAS_OP_N, 5),
           columns(CUBLAS_OP_T, 5, CUBLAS_OP_T, 3), columns(CUBLAS_OP_N, 3, CUBLAS_OP_N, 5),
           columns(CUBLAS_OP_T, 4, CUBLAS_OP_T, 3), columns(CUBLAS_OP_N, 4, CUBLAS_OP_N, 4),
           columns(CUBLAS_OP_T, 5, CUBLAS_OP_T, 2));
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
    multiply<signed char, int, int, Fours>(handle, "bytes, sums as int", CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I,
                                           CUDA_R_32I, 127, 113);
    multiply<signed char, float, float, Fours>(handle, "bytes, sums as float", CUDA_R_8I, CUDA_R_32F,
                                               CUBLAS_COMPUTE_32F, CUDA_R_32F, 127, 113);
    refused(handle);
    cublasDestroy(handle);
    cublasLtHandle_t light;
    printf("cuBLASLt: %d, ", cublasLtCreate(&light));
    printf("%d\n", cublasLtDestroy(light));
}

// cuBLASLt, opened when it is first asked for: the product of matrices of each of its types at its best.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <lanework/dtype.hpp>
#include <string_view>

namespace lanework {

/// Device memory that a product may use.
inline constexpr std::size_t kCublasLtWorkspace = std::size_t{64} << 20;

/// Why cuBLASLt cannot be used, in one sentence; empty when it can.
std::string_view cublaslt_refusal();
/// Its version, and how its algorithm is chosen.
std::string_view cublaslt_about();

/// The operands of a product, row-major; with `b_by_columns` the array of B holds its k columns. Nothing lies between
/// the rows of any of them; every length is from 1 to 2^31 − 1.
struct CublasLtProduct {
    DType type;
    bool b_by_columns;
    const void *a, *b;
    void* c;
    std::int64_t m, n, k;
    void* workspace;  ///< kCublasLtWorkspace bytes
    // c = gelu(alpha·a·b + beta·c_in + bias): what is null is left out.
    const void *alpha = nullptr, *beta = nullptr;  ///< floats, or int32 of int8; of the host
    const void *c_in = nullptr, *bias = nullptr;   ///< m × k and k elements of C's type
    bool gelu = false;                             ///< the form with tanh, the one that cuBLASLt has
    std::int64_t products = 1;  ///< whose matrices lie one behind the other; of several none has an epilogue
};

/// C[m×k] = A[m×n]·B[n×k] of float16, bfloat16 or float32, of tfloat32 (C is of float32), int8 (of int32) or
/// float8_e4m3 (of bfloat16, with the fast sums that tensor cores make; B by columns alone for these two). The first
/// product of a shape tries the heuristic's first eight algorithms and waits for each; those after it launch the
/// fastest. Only where cublaslt_refusal() is empty. Throws DeviceError with cuBLAS's status, UnavailableError where the
/// heuristic names no algorithm.
void cublaslt_matmul(const CublasLtProduct& product, cudaStream_t stream);

}  // namespace lanework

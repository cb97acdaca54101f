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

/// C[m×k] = A[m×n]·B[n×k], row-major; with `b_by_columns` the array of B holds its k columns. Of float16, bfloat16 or
/// float32, of tfloat32 (C is of float32), int8 (of int32) or float8_e4m3 (of bfloat16, with the fast sums that tensor
/// cores make; B by columns alone for these two). The first product of a shape tries the heuristic's first eight
/// algorithms and waits for each; those after it launch the fastest. Only where cublaslt_refusal() is empty; every
/// length is from 1 to 2^31 − 1, and the workspace has kCublasLtWorkspace bytes. Throws DeviceError with cuBLAS's
/// status.
void cublaslt_matmul(DType type, bool b_by_columns, const void* a, const void* b, void* c, std::int64_t m,
                     std::int64_t n, std::int64_t k, void* workspace, cudaStream_t stream);

}  // namespace lanework

// cuBLAS, opened when it is first asked for: a program built with its headers starts on machines that lack it.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <string_view>

namespace lanework {

/// Why cuBLAS cannot be used, in one sentence; empty when it can.
std::string_view cublas_refusal();

/// C[m×k] = A[m×n]·B[n×k], row-major, in full single precision, on the current device's stream. Only where
/// cublas_refusal() is empty; every length is from 1 to 2^31 − 1. Throws DeviceError with cuBLAS's status.
void cublas_sgemm(const float* a, const float* b, float* c, std::int64_t m, std::int64_t n, std::int64_t k,
                  cudaStream_t stream);

}  // namespace lanework

// oneDNN's matrix product, opened when it is first asked for.
#pragma once

#include <cstdint>
#include <string>

namespace lanework {

struct OneDnnInfo {
    /// One sentence when it cannot be used: then the rest is empty.
    std::string reason;
    /// "oneDNN 3.2.0".
    std::string about;
};
const OneDnnInfo& onednn_info();

/// C[m×k] = A[m×n]·B[n×k], row-major, or B's transpose by rows, on that many threads. Only where onednn_info().reason
/// is empty.
void onednn_gemm(const float* a, const float* b, bool b_by_columns, float* c, std::int64_t m, std::int64_t n,
                 std::int64_t k, int threads);
void onednn_gemm(const std::int8_t* a, const std::int8_t* b, bool b_by_columns, std::int32_t* c, std::int64_t m,
                 std::int64_t n, std::int64_t k, int threads);

}  // namespace lanework

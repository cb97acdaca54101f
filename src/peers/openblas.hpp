// OpenBLAS, opened when it is first asked for: the newest that is here, with the fastest kernels that run here. Its own
// guess knows only the processors of its year, and falls back to kernels several times slower on newer ones.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lanework {

/// What OpenBLAS is here, for people.
struct OpenBlasInfo {
    /// One sentence when it cannot be used: then the rest is empty.
    std::string reason;
    /// The kernels it was told to use; empty when its choice was left to it.
    std::string asked_core;
    /// The kernels it says it uses: "SkylakeX".
    std::string core;
    /// Its version and these kernels, in one phrase.
    std::string about;
};
const OpenBlasInfo& openblas_info();

/// C[m×k] = A[m×n]·B[n×k], row-major, on that many threads. Only where openblas_info().reason is empty; every length
/// is from 1 to 2^31 − 1.
void openblas_sgemm(const float* a, const float* b, float* c, std::int64_t m, std::int64_t n, std::int64_t k,
                    int threads);

}  // namespace lanework

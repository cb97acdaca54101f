// One OpenBLAS, by whichever names it exports what is needed: Debian's, or that of Python's packages.
#pragma once

#include <cstdint>
#include <string>

namespace lanework {

class OpenBlasLibrary {
public:
    /// Opens a name or a path. With `core`, "SKYLAKEX", it is told to use these kernels. Never closed: its threads run
    /// until the program ends.
    OpenBlasLibrary(const std::string& path, const std::string& core);

    /// One sentence when it cannot be used: then nothing else may be asked.
    const std::string& reason() const { return reason_; }
    /// The kernels that it says it uses: "SkylakeX".
    const std::string& core() const { return core_; }
    /// "OpenBLAS 0.3.34.481.3".
    const std::string& version() const { return version_; }

    /// C[m×k] = A[m×n]·B[n×k], row-major, on that many threads; every length is from 1 to 2^31 − 1.
    void sgemm(const float* a, const float* b, float* c, std::int64_t m, std::int64_t n, std::int64_t k,
               int threads) const;

private:
    void find_functions(void* handle);

    std::string reason_, core_, version_;
    void* sgemm_ = nullptr;
    bool long_integers_ = false;
    void (*set_num_threads_)(int) = nullptr;
};

}  // namespace lanework

// OpenBLAS by dlopen: the type of the processor's cores must be in the environment before the library is loaded.
#include "src/cpu/openblas.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "src/core/shared_library.hpp"

namespace lanework {
namespace {

constexpr const char* kNames[] = {"libopenblas.so.0", "libopenblas.so"};
constexpr const char* kCoreType = "OPENBLAS_CORETYPE";

/// The name of OpenBLAS's kernels for what this processor can do; null leaves the choice to the library.
const char* kernels_for_this_processor() {
#if defined(__x86_64__)
    __builtin_cpu_init();
    const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512cd");
    if (avx512) return "SKYLAKEX";  // its float kernels serve every later AVX-512 core
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return __builtin_cpu_is("amd") ? "ZEN" : "HASWELL";
#endif
    return nullptr;
}

struct OpenBlas {
    // CBLAS's interface, 32-bit integers.
    using Sgemm = void (*)(int order, int transpose_a, int transpose_b, int m, int n, int k, float alpha,
                           const float* a, int lda, const float* b, int ldb, float beta, float* c, int ldc);
    OpenBlasInfo info;
    Sgemm sgemm = nullptr;
    void (*set_num_threads)(int) = nullptr;

    OpenBlas() {
        if (const char* kernels = kernels_for_this_processor()) setenv(kCoreType, kernels, 0);  // a user's own wins
        const char* asked = std::getenv(kCoreType);
        // Never closed: its threads run until the program ends.
        static const SharedLibrary& library = *new SharedLibrary(kNames);
        sgemm = library.function<Sgemm>("cblas_sgemm");
        set_num_threads = library.function<void (*)(int)>("openblas_set_num_threads");
        if (!library) {
            info.reason = "OpenBLAS was not found: libopenblas.so.0 cannot be opened (Debian package libopenblas0)";
        } else if (!sgemm || !set_num_threads) {
            info.reason = "the OpenBLAS that was found has no cblas_sgemm or openblas_set_num_threads";
        } else {
            info.asked_core = asked ? asked : "";
            info.core = text(library, "openblas_get_corename");
            const std::string config = text(library, "openblas_get_config");
            info.about = fmt::format("{}, {} kernels ({})", config.substr(0, config.find(" NO_")), info.core,
                                     asked ? fmt::format("{}={}", kCoreType, asked) : "its own choice");
        }
    }

    static std::string text(const SharedLibrary& library, const char* symbol) {
        const auto describe = library.function<const char* (*)()>(symbol);
        return describe ? describe() : "";
    }
};

const OpenBlas& openblas() {
    static const OpenBlas instance;
    return instance;
}

}  // namespace

const OpenBlasInfo& openblas_info() { return openblas().info; }

void openblas_sgemm(const float* a, const float* b, float* c, std::int64_t m, std::int64_t n, std::int64_t k,
                    int threads) {
    constexpr int kRowMajor = 101, kNoTranspose = 111;
    const OpenBlas& blas = openblas();
    blas.set_num_threads(threads);
    const int rows = static_cast<int>(m), inner = static_cast<int>(n), cols = static_cast<int>(k);
    blas.sgemm(kRowMajor, kNoTranspose, kNoTranspose, rows, cols, inner, 1.0F, a, inner, b, cols, 0.0F, c, cols);
}

}  // namespace lanework

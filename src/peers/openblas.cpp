// The OpenBLAS that was chosen, for the rungs that it is a peer of.
#include "src/peers/openblas.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <optional>

#include "src/peers/openblas_library.hpp"
#include "src/peers/openblas_trials.hpp"

namespace lanework {
namespace {

struct OpenBlas {
    OpenBlasInfo info;
    std::optional<OpenBlasLibrary> library;

    OpenBlas() {
        const OpenBlasChoice choice = choose_openblas();
        if (choice.path.empty()) {
            info.reason = "OpenBLAS was not found: install libopenblas0, or name a library in LANEWORK_OPENBLAS";
            return;
        }
        library.emplace(choice.path, choice.core);
        info.reason = library->reason();
        if (!info.reason.empty()) return;
        const char* const users = std::getenv("OPENBLAS_CORETYPE");
        info.asked_core = users ? users : choice.core;
        info.core = library->core();
        info.about = fmt::format(
            "{}, {} kernels ({})", library->version(), info.core,
            users ? fmt::format("OPENBLAS_CORETYPE={}", users) : fmt::format("the fastest of {}", choice.tried));
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
    openblas().library->sgemm(a, b, c, m, n, k, threads);
}

}  // namespace lanework

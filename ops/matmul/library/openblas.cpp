// The peer on the processor: OpenBLAS, with the kernels of the processor that this is.
#include "src/peers/openblas.hpp"

#include <algorithm>

#include "ops/matmul/operation.hpp"

namespace {
void launch(const MatmulArgs<float>& x, Team team) {
    if (x.empty()) return;
    if (x.n == 0) {
        std::fill_n(x.c, x.m * x.k, 0.0F);
        return;
    }
    openblas_sgemm(x.a, x.b, x.c, x.m, x.n, x.k, team.threads);
}

std::string_view refuses(const Problem& p) {
    const auto [m, n, k] = p.lengths<MatmulAxes>();
    constexpr std::int64_t kMax = 2147483647;
    if (m > kMax || n > kMax || k > kMax) return "cblas_sgemm takes lengths below 2^31";
    return openblas_info().reason;
}

std::string_view about() { return openblas_info().about; }
}  // namespace

LANEWORK_RUNG(matmul, openblas,
              {
                  .lesson = "cblas_sgemm, with the kernels of the processor that this is:",
                  .launch = {launch},
                  .refuses = refuses,
                  .fits = {rows_touch_plain_by_rows<float>},
                  .only = kRowsTouchPlainByRows,
                  .about = about,
              });

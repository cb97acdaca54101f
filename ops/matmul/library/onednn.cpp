// A peer on the processor: oneDNN, which makes its kernels for the processor while it runs.
#include "src/peers/onednn.hpp"

#include <algorithm>

#include "ops/matmul/operation.hpp"

namespace {
template <class T>
void launch(const MatmulArgs<T>& x, Team team) {
    if (x.empty()) return;
    if (x.n == 0) {
        std::fill_n(x.c, x.m * x.k, Result<T>{});
        return;
    }
    onednn_gemm(x.a, x.b, x.b_by_columns, x.c, x.m, x.n, x.k, team.threads);
}

std::string_view refuses(const Problem&) { return onednn_info().reason; }

std::string_view about() { return onednn_info().about; }
}  // namespace

LANEWORK_RUNG(matmul, onednn,
              {
                  .lesson = "dnnl_sgemm and dnnl_gemm_s8s8s32:",
                  .launch = {launch<float>, launch<std::int8_t>},
                  .refuses = refuses,
                  .fits = {rows_touch_plain<float>, rows_touch_plain<std::int8_t>},
                  .only = kRowsTouchPlain,
                  .about = about,
              });

// A peer on the processor: oneDNN, which makes its kernels for the processor while it runs.
#include "src/peers/onednn.hpp"

#include <algorithm>

#include "ops/matmul/operation.hpp"

namespace {
void launch(const MatmulArgs<float>& x, Team team) {
    if (x.empty()) return;
    if (x.n == 0) {
        std::fill_n(x.c, x.m * x.k, 0.0F);
        return;
    }
    onednn_sgemm(x.a, x.b, x.c, x.m, x.n, x.k, team.threads);
}

std::string_view refuses(const Problem&) { return onednn_info().reason; }

std::string_view about() { return onednn_info().about; }
}  // namespace

LANEWORK_RUNG(matmul, onednn,
              {
                  .lesson = "dnnl_sgemm, in single precision:",
                  .launch = {launch},
                  .refuses = refuses,
                  .fits = {rows_touch_plain_by_rows<float>},
                  .only = kRowsTouchPlainByRows,
                  .about = about,
              });

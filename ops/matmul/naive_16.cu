// Blocks of 16 × 16 threads: all lanes work. A warp covers 16 columns of two rows, so that its reads of B are 64 bytes
// wide and serve both rows.
#include "ops/matmul/one_element.hpp"

namespace {
constexpr int kBlock = 16;
}  // namespace

LANEWORK_RUNG(matmul, naive_16,
              {
                  .climbs_from = "naive_1",
                  .lesson = "Blocks of 16×16: every lane works; a warp covers two half rows.",
                  .launch = {launch_one_element_each<kBlock, std::int32_t>, launch_one_element_each<kBlock, float>},
                  .refuses = refuse_beyond_grid<kBlock, kBlock>,
                  .fits = {has_epilogue<std::int32_t>, has_epilogue<std::int8_t>},
                  .only = kGeluOfFloats,
              });
// mends: block_size

// One thread per element, columns along x: the lanes of a warp read neighbours in a row of B, write neighbours in a row
// of C, and share one element of A.
#include "ops/matmul/one_element.hpp"

namespace {
constexpr int kBlock = 32;
}  // namespace

LANEWORK_RUNG(matmul, naive,
              {
                  .climbs_from = "uncoalesced",
                  .lesson = "Columns along x: a warp reads one row of B side by side and one element of A for all.",
                  .launch = {launch_one_element_each<kBlock, std::int32_t>, launch_one_element_each<kBlock, float>,
                             launch_one_element_each<kBlock, float16>, launch_one_element_each<kBlock, bfloat16>,
                             launch_one_element_each<kBlock, std::int8_t>, launch_one_element_each<kBlock, float8_e4m3>,
                             launch_one_element_each<kBlock, tfloat32>},
                  .refuses = refuse_beyond_grid<kBlock, kBlock>,
                  .fits = {has_epilogue<std::int32_t>, has_epilogue<std::int8_t>},
                  .only = kGeluOfFloats,
              });
// mends: uncoalesced_access

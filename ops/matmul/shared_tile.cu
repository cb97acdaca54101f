// A block reads 32 × 32 tiles of A and B once and uses every element 32 times. Outside of the matrices the tiles are
// zero, so that no size has to divide another.
#include "ops/matmul/square_tile.hpp"

namespace {
constexpr int kTile = 32;
}  // namespace

LANEWORK_RUNG(matmul, shared_tile,
              {
                  .climbs_from = "naive",
                  .lesson = "Tiles of 32×32 in shared memory: each element from global memory is used 32 times.",
                  .launch = {launch_square_tiles<kTile, std::int32_t>, launch_square_tiles<kTile, float>,
                             launch_square_tiles<kTile, std::int8_t>, launch_square_tiles<kTile, float8_e4m3>,
                             launch_square_tiles<kTile, tfloat32>},
                  .refuses = refuse_beyond_grid<kTile, kTile>,
                  .fits = {rows_touch_plain_by_rows<std::int32_t>, rows_touch_plain_by_rows<float>,
                           rows_touch_plain_by_rows<std::int8_t>, rows_touch_plain_by_rows<float8_e4m3>,
                           rows_touch_plain_by_rows<tfloat32>},
                  .only = kRowsTouchPlainByRows,
              });
// mends: redundant_loads

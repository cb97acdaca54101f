// A block reads 16 × 16 tiles of A and B once and uses every element 16 times. Outside of the matrices the tiles are
// zero, so that no size has to divide another.
#include "ops/matmul/square_tile.hpp"

namespace {
constexpr int kTile = 16;
}  // namespace

LANEWORK_RUNG(matmul, shared_tile_16,
              {
                  .climbs_from = "naive_16",
                  .lesson = "Tiles of 16×16 in shared memory: each element from global memory is used 16 times.",
                  .launch = {launch_square_tiles<kTile, std::int32_t>, launch_square_tiles<kTile, float>},
                  .refuses = refuse_beyond_grid<kTile, kTile>,
                  .fits = {rows_touch_plain_by_rows<std::int32_t>, rows_touch_plain_by_rows<float>},
                  .only = kRowsTouchPlainByRows,
              });
// mends: redundant_loads

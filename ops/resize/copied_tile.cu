// What a warp needs of the input is copied into shared memory first, all of it in flight at once; computing then waits
// for memory no more, and asks nothing about rows and their ends.
#include "ops/resize/tile_strips.cuh"
#include "ops/resize/wide_halves.cuh"
#include "ops/resize/word_strips.cuh"

namespace {
template <class T>
void launch(const ResizeArgs<T>& a, cudaStream_t stream) {
    if (a.empty()) return;
    if constexpr (std::is_same_v<T, std::uint8_t>) {
        if (has_wide_half(a)) return resize_wide_half(a, stream);
        if (has_tiles(a)) return resize_by_tiles(a, stream);
    }
    resize_by_words(a, stream);
}
}  // namespace

LANEWORK_RUNG(resize, copied_tile,
              {
                  .climbs_from = "wide_halves",
                  .lesson = "A warp copies its part of the input into shared memory at once, before all else it does.",
                  .launch = {launch<std::uint8_t>, launch<float>},
              });

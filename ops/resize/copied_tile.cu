// What a warp needs of the input is copied into shared memory first, all of it in flight at once; computing then waits
// for memory no more, and asks nothing about rows and their ends.
#include "ops/resize/tile_strips.cuh"
#include "ops/resize/ways.cuh"
#include "ops/resize/wide_halves.cuh"

namespace lanework::inline LANEWORK_ON_DEVICE {
template <class T>
void resize_by_tiles(const ResizeArgs<T>& a, cudaStream_t stream) {
    if constexpr (std::is_same_v<T, std::uint8_t>)
        if (!a.empty() && !has_wide_half(a) && has_tiles(a)) return launch_tiles(a, stream);
    resize_by_halves(a, stream);
}
}  // namespace lanework::inline LANEWORK_ON_DEVICE

LANEWORK_RUNG(resize, copied_tile,
              {
                  .climbs_from = "wide_halves",
                  .lesson = "A warp copies its part of the input into shared memory at once, before all else it does.",
                  .launch = {resize_by_tiles<std::uint8_t>, resize_by_tiles<float>},
              });

// An exact double, as pyramids and the necks of networks ask for, has a kernel of its own: two sums in a word, and all
// rows of a warp in flight at once.
#include "ops/resize/wide_doubles.cuh"

#include "ops/resize/ways.cuh"

namespace {
template <class T>
void launch(const ResizeArgs<T>& a, cudaStream_t stream) {
    if constexpr (std::is_same_v<T, std::uint8_t>)
        if (!a.empty() && has_wide_double(a)) return launch_wide_double(a, stream);
    resize_by_tiles(a, stream);
}
}  // namespace

LANEWORK_RUNG(resize, wide_doubles,
              {
                  .climbs_from = "copied_tile",
                  .lesson = "An exact double: weights of ¼ and ¾ let two sums share a word; the rest as before.",
                  .launch = {launch<std::uint8_t>, launch<float>},
              });

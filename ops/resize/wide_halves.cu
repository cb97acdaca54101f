// The resize that is asked for most, an exact half, has a kernel of its own that waits for memory and nothing else.
#include "ops/resize/wide_halves.cuh"

#include "ops/resize/ways.cuh"

namespace lanework::inline LANEWORK_ON_DEVICE {
template <class T>
void resize_by_halves(const ResizeArgs<T>& a, cudaStream_t stream) {
    if constexpr (std::is_same_v<T, std::uint8_t>)
        if (!a.empty() && has_wide_half(a)) return launch_wide_half(a, stream);
    resize_by_words(a, stream);
}
}  // namespace lanework::inline LANEWORK_ON_DEVICE

LANEWORK_RUNG(resize, wide_halves,
              {
                  .climbs_from = "word_pairs",
                  .lesson = "An exact half by 16-byte loads of two rows, all in flight at once; the rest as before.",
                  .launch = {resize_by_halves<std::uint8_t>, resize_by_halves<float>},
              });

// The sizes of the images in a batch, each once: what a problem of a million images needs is told as soon as that of
// one.
#pragma once

#include <algorithm>

#include "src/pixels/fitted_problem.hpp"

namespace lanework {

/// Calls use(k, times) for image k of each size in a batch of which every image is `shrink` pixels smaller than the one
/// before it, until a single pixel is left; `times` says how many are as large as image k. `longest` is the longest
/// side of the first.
template <class Use>
constexpr void for_each_size(std::int64_t images, std::int64_t shrink, std::int64_t longest, const Use& use) {
    const std::int64_t different = std::min(images, shrink == 0 ? 1 : ceil_div(longest, shrink) + 1);
    for (std::int64_t k = 0; k < different; ++k) use(k, k + 1 < different ? std::int64_t{1} : images - k);
}

/// How many rows and columns may still be looked at, one by one, to tell what a problem must read at least: a tenth of
/// a second's work. What lies beyond them is taken to need nothing, which is true of a least.
class LinesToCount {
public:
    bool take(std::int64_t lines) { return (left_ -= std::min(lines, left_ + 1)) >= 0; }

private:
    std::int64_t left_ = std::int64_t{1} << 24;
};

namespace fitting {

/// Calls use(height, width, times) for each size that the sources of letterbox and tensor have.
template <class Use>
void for_each_source(const Problem& p, const Use& use) {
    const auto of = p.lengths<Axes>();
    for_each_size(of.images, of.shrink, std::max(of.height, of.width), [&](std::int64_t k, std::int64_t times) {
        use(side(of.height, of.shrink, k), side(of.width, of.shrink, k), times);
    });
}

}  // namespace fitting
}  // namespace lanework

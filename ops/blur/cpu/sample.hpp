// Single samples of a blur: what the cpu rungs do at borders and tails.
#pragma once

#include "ops/blur/operation.hpp"
#include "src/pixels/rows_around.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Samples begin … end − 1 of a row.
template <class T>
void blur_samples(const BlurArgs<T>& a, std::int64_t y, std::int64_t begin, std::int64_t end) {
    const auto rows = RowsAround<T>::of(a.in, y);
    T* const out = row_of(a.out, y);
    for (std::int64_t sample = begin; sample < end; ++sample) {
        const auto [left, right] = SamplesBeside::of(sample, a.in.width, a.in.channels);
        const auto sum = [&, l = left, r = right](const T* row) {
            return smooth<BlurSum<T>>(row[l], row[sample], row[r]);
        };
        out[sample] = blurred(smooth(sum(rows.above), sum(rows.here), sum(rows.below)));
    }
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

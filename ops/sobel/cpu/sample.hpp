// Single samples of edges: what the cpu rungs do at borders and tails.
#pragma once

#include "ops/sobel/operation.hpp"
#include "src/pixels/rows_around.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Samples begin … end − 1 of a row.
template <SobelOutput output, class T>
void find_edges_at(const SobelArgs<T>& a, std::int64_t y, std::int64_t begin, std::int64_t end) {
    using Number = SobelNumber<T>;
    const auto rows = RowsAround<T>::of(a.in, y);
    auto* const out = row_of(out_of<output>(a), y);
    for (std::int64_t sample = begin; sample < end; ++sample) {
        const auto [left, right] = SamplesBeside::of(sample, a.in.width, a.in.channels);
        const auto difference = [&, l = left, r = right](const T* row) { return Number{row[r]} - Number{row[l]}; };
        const auto sum = [&, l = left, r = right](const T* row) { return smooth<Number>(row[l], row[sample], row[r]); };
        out[sample] = edge_of<output>(smooth(difference(rows.above), difference(rows.here), difference(rows.below)),
                                      sum(rows.below) - sum(rows.above));
    }
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

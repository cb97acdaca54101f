// One element of a tensor, on every device: the source's mixture, or the padding, normalised and rounded.
#pragma once

#include "ops/tensor/operation.hpp"
#include "src/pixels/fitted_source.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

template <class Out>
constexpr Out as_element(float value) {
    if constexpr (std::is_same_v<Out, float>)
        return value;
    else
        return to_float16(value);
}

/// The element of channel c at (y, x). It computes all from the beginning; the rungs keep what columns and rows share.
template <class Out, class Source>
constexpr Out element_at(const TensorArgs<Out>& a, const Source& source, int c, std::int64_t y, std::int64_t x) {
    const int from = a.source_channel(c);
    const auto rows = source.rows(y);
    const auto columns = source.columns(x);
    const float sample = rows.first < 0 || columns.first < 0 ? a.options.letterbox.pad[static_cast<std::size_t>(from)]
                                                             : static_cast<float>(source.mixed(rows, columns, from));
    return as_element<Out>(Normalisation::of(a.options).element(c, sample));
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

// Arguments whose elements may lie in rows with gaps between them, and what rungs say that know of one row alone.
#pragma once

#include <lanework/rung.hpp>

#include "src/core/touching_rows.hpp"

namespace lanework {

/// Of arguments with `n` elements in rows of `cols`: whether they are one row. Rows that touch are one.
template <class Args>
bool in_one_row(const Args& a) {
    return a.cols == a.n;
}

/// The `.fits` of rungs that know of one row alone, with kRowsTouch as their `.only`.
template <class Sig>
struct OneRow;
template <class... Args>
struct OneRow<Signature<Args...>> {
    static constexpr PerType<bool (*)(const Args&)...> fits{in_one_row<Args>...};
};

}  // namespace lanework

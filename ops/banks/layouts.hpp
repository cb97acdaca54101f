// Where row r, word w of the table lies in shared memory: at word row(r) + word(w). Successive words lie in successive
// ones of 32 banks.
#pragma once

#include "ops/banks/operation.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Rows `stride` words apart, for a power of two up to 32: as many neighbouring words of a row as fit between it and
/// the next, then the next such part of all the rows. Word 0 of row r is word r·stride of shared memory, in bank
/// r·stride mod 32: 32/stride banks hold the words that a warp wants at once, and each is asked for `stride` of them.
template <unsigned stride>
struct Strided {
    static constexpr unsigned words = kTableWords;
    static constexpr unsigned row(unsigned r) { return r * stride; }
    static constexpr unsigned word(unsigned w) { return w % stride + w / stride * (stride * kRows); }
};

/// Whole rows with a word of padding behind each: rows lie 33 words apart, each begins one bank further.
struct Padded {
    static constexpr unsigned stride = kWords + 1;
    static constexpr unsigned words = kRows * stride;
    static constexpr unsigned row(unsigned r) { return r * stride; }
    static constexpr unsigned word(unsigned w) { return w; }
};

}  // namespace lanework::inline LANEWORK_ON_DEVICE

// Shifts in device code: by the width of a word or more they give 0, or the sign, as a GPU's instructions do, where C++
// leaves them undefined.
#pragma once

#include "src/cudafe/architecture.hpp"

namespace lanework::cudafe {

/// Puts a word between a shift and its amount, where that is no literal (lanework_simt/shifts.hpp):
///   a << n    a <<::lanework_simt::clamped<< n
///   a >>= n   a >>=::lanework_simt::clamped= n
/// Left alone are macros, which conditions of the preprocessor may use, members that are shifted in place, which may be
/// bit-fields, and statements that print.
void rewrite_shifts(const TokenizedFile& file, const Brackets& brackets, const DeviceCode& device, Edits& edits);

}  // namespace lanework::cudafe

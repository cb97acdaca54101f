// Which loops end by themselves, whatever other threads write.
#pragma once

#include "src/cudafe/brackets.hpp"

namespace lanework::cudafe {

/// Whether tokens [begin, end) have a loop that is not known to end by itself. One is known that compares a variable
/// which each of its rounds moves on, and nothing else in it changes: for (…; i < n; ++i), while (i < n) { …; i +=
/// step; }.
bool may_spin(const Stream& stream, const Brackets& brackets, std::size_t begin, std::size_t end);

}  // namespace lanework::cudafe

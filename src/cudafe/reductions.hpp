// Atomic operations whose old value nobody uses: nvcc makes a reduction of them, another instruction with counters of
// its own.
#pragma once

#include "src/cudafe/brackets.hpp"

namespace lanework::cudafe {

/// Marks atomic functions that stand alone as a statement, `atomicAdd(p, 1);`, by
///   ::lanework_simt::discard_old_value(), atomicAdd(p, 1);
void rewrite_reductions(const Stream& stream, const Brackets& brackets, Edits& edits);

}  // namespace lanework::cudafe

// How many pairs a list has at least, without looking for any: so that one that cannot fit is refused at once.
#pragma once

#include "src/particles/checks.hpp"

namespace lanework {

/// Pairs that the list of these particles has at least; 0 where there is no telling, or fewer than kCountedPairs. Of a
/// cutoff well beyond the box it is nearly all of them. Throws UsageError where a build would.
template <class T>
std::uint64_t least_pairs(const Particles<T>& particles, const Cutoffs<T>& cutoffs, bool half);

/// Throws NeighborMemoryError when so many do not fit.
template <class T>
void refuse_hopeless(const Particles<T>& particles, const Cutoffs<T>& cutoffs, const NeighborOptions& options);

}  // namespace lanework

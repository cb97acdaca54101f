// The page that says how near our counters come to the hardware's.
#pragma once

#include "src/profile/golden_files.hpp"

namespace lanework {

/// Markdown. The same for the same recordings and the same traces: it holds no date and nothing of this machine.
std::string accuracy_page(std::span<const Recording> recordings, const TracedRecordings& traced,
                          std::span<const KnownDifference> known);

/// "reduce/single_pass 65537 int32, launch 0: memory_l1_wavefronts_shared is 5 and traced 4".
std::string describe(const CounterComparison& comparison);

/// The same for figures of the machine code: how many of those marked exact are equal, which differ, and what was not
/// followed.
std::string machine_code_page(std::span<const Recording> recordings, const TracedRecordings& traced,
                              std::span<const KnownDifference> known);

}  // namespace lanework

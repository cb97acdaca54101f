// Two explanations side by side: what `lanework explain --compare` prints.
#pragma once

#include "src/draw/table.hpp"
#include "src/gpu/capabilities.hpp"
#include "src/report/explain/source_text.hpp"
#include "src/trace/analyse/explanation.hpp"

namespace lanework {

std::string draw_comparison(const Explanation& before, const Explanation& after, const Capability& sm,
                            SourceText& sources, const Style& style, const std::string& verdicts = {});

/// Counters that either has, before and after, and their ratio; launches of each are added up.
Table counter_changes(const Explanation& before, const Explanation& after, const Capability& sm);

enum class FindingChange { gone, appeared, stayed };
struct FindingPair {
    FindingChange change;
    /// Null where it did not exist.
    const Finding* before;
    const Finding* after;
};
/// Findings of one rule match in their order. Those that appeared first, then those that stayed, then those that are
/// gone; they live as long as the explanations.
std::vector<FindingPair> finding_changes(const Explanation& before, const Explanation& after);

/// Lines with counters, matched by their text in the order of the source: those that changed, were added or removed.
Table line_changes(const Explanation& before, const Explanation& after, SourceText& sources);

}  // namespace lanework

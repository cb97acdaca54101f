// What `lanework explain` prints: the findings, the source with its counters, and the counters of each launch under
// Nsight Compute's names.
#pragma once

#include <lanework/measurement.hpp>

#include "src/draw/style.hpp"
#include "src/gpu/capabilities.hpp"
#include "src/gpu/gpus.hpp"
#include "src/report/explain/source_text.hpp"
#include "src/trace/analyse/explanation.hpp"

namespace lanework {

/// Everything below, one after the other. `sm` is the compute capability that occupancy is figured for.
std::string draw(const Explanation& explanation, const Capability& sm, SourceText& sources, const Style& style,
                 const std::string& verdict = {});

/// Rung and problem, what matters most about it, its lesson, and a line for each launch.
std::string draw_heading(const Explanation& explanation, const Style& style, const std::string& verdict = {});
/// How many there are and a line for each, with the remedy of the first.
std::string draw_finding_lines(const Explanation& explanation, const Style& style);
/// Numbered from 1, with evidence, remedy and the picture of the worst request where a picture shows it.
std::string draw_findings(const Explanation& explanation, const Style& style);
/// Metrics that say something about these launches, a column for each launch, and how far each can be trusted.
std::string draw_counters(const Explanation& explanation, const Capability& sm, const Style& style);

/// "transpose/padded_tile_16 100x50 int32".
std::string title_of(const Explanation& explanation);
/// The same of the problem that times are for: "transpose/padded_tile_16 10000x10000 int32".
std::string timed_title_of(const Explanation& explanation);
/// "ops/transpose/padded_tile_16.cu:17:33"; empty for no place.
std::string format_place(const SourcePlace& place);
/// "3 findings: 1 error, 2 warnings", "no findings".
std::string count_findings(const Explanation& explanation);
/// The top finding in one line: "bank_conflict: …"; empty when there is none.
std::string why(const Explanation& explanation);

/// {"schema":1,"environment":{…},"results":[…]}: the results of verify and bench without samples, with "counters"
/// (summed over the launches), "findings", the "estimate" for `gpu`, and "kernels" with the counters of each launch and
/// each place.
std::string explanations_to_json(std::span<const Explanation> explanations, const Gpu& gpu,
                                 std::span<const Fact> environment);

}  // namespace lanework

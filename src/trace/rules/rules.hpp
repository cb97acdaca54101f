// The rules over the launches of an explanation, and what each finding would save.
#pragma once

#include <span>

#include "src/trace/rules/rule.hpp"

namespace lanework {

/// All of them, in the order of rules.def.
std::span<const CostRule* const> cost_rules();
/// Null for what makes a result wrong.
const CostRule* find_cost_rule(Rule rule);

/// What costs the launches of an explanation time, unordered. Each finding has what mending it would save by the model
/// of time. Those that would save less than a fiftieth are left out, and all of them where the time is the limit's,
/// unless the launches are too small to fill the GPU: then the model cannot tell what a larger problem would lose.
std::vector<Finding> performance_findings(const Explanation& explanation, const Gpu& gpu);

/// Errors first, then what costs most, with all that a rule found after its costliest; findings of one rule and place
/// are one.
void sort_findings(std::vector<Finding>& findings);

/// What the rules that ask no model find by each launch's counters, unordered and without gains.
std::vector<Finding> find_costs(const Explanation& explanation, const Gpu& gpu);

/// Adds what the rules find in the work of streams, with their gains.
void find_in_streams(const Explanation& explanation, const Gpu& gpu, std::vector<Finding>& findings);

/// Adds what the rules find that ask the model of time, and gives every finding its gain.
void rank_by_gain(const Explanation& explanation, const Gpu& gpu, std::vector<Finding>& findings);

}  // namespace lanework

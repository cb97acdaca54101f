// The rules that tell what costs a kernel time: each looks at the counters of a launch and says what it sees.
#pragma once

#include <lanework/problem.hpp>

#include "src/gpu/gpus.hpp"
#include "src/gpu/occupancy.hpp"
#include "src/trace/analyse/explanation.hpp"
#include "src/trace/analyse/time_model.hpp"

namespace lanework {

/// A launch, and what is known of where it would run.
struct RuleInputs {
    const KernelTrace& launch;
    KernelCounters counters;
    const Gpu& gpu;
    /// What the kernel asks of an SM; its registers are 0 where this build does not know them.
    KernelResources resources;
    /// Bytes of each thread's stack and of its spilled registers, from ptxas; nothing where it was not asked.
    std::optional<int> stack_bytes, spilled_bytes;
    /// What the launch asks of the GPU, and the time that this takes; null where nobody asked for it.
    const Demand* demand = nullptr;
    const ModelledTime* time = nullptr;
    /// What it computes with.
    DType dtype = DType::float32;
};

/// What costs the launches of an explanation time, unordered. Each finding has what mending it would save by the model
/// of time. Those that would save less than a fiftieth are left out, and all of them where the time is the limit's,
/// unless the launches are too small to fill the GPU: then the model cannot tell what a larger problem would lose.
std::vector<Finding> performance_findings(const Explanation& explanation, const Gpu& gpu);

/// Errors first, then what costs most, with all that a rule found after its costliest; findings of one rule and place
/// are one.
void sort_findings(std::vector<Finding>& findings);

/// What the rules that ask no model find by each launch's counters, unordered and without gains.
std::vector<Finding> find_costs(const Explanation& explanation, const Gpu& gpu);

/// Adds what the rules find that ask the model of time, and gives every finding its gain.
void rank_by_gain(const Explanation& explanation, const Gpu& gpu, std::vector<Finding>& findings);

// The rules, by what they look at.
void find_memory_costs(const RuleInputs& inputs, std::vector<Finding>& findings);
void find_shared_costs(const RuleInputs& inputs, std::vector<Finding>& findings);
void find_branch_costs(const RuleInputs& inputs, std::vector<Finding>& findings);
void find_launch_costs(const RuleInputs& inputs, std::vector<Finding>& findings);
// Those that ask the model of time what the launch waits for.
void find_contended_atomics(const RuleInputs& inputs, std::vector<Finding>& findings);
void find_few_loads_in_flight(const RuleInputs& inputs, std::vector<Finding>& findings);
void find_idle_threads(const RuleInputs& inputs, std::vector<Finding>& findings);
void find_shared_memory_bound(const RuleInputs& inputs, std::vector<Finding>& findings);
void find_uncached_reads(const RuleInputs& inputs, std::vector<Finding>& findings);
void find_dependent_arithmetic(const RuleInputs& inputs, std::vector<Finding>& findings);
void find_instruction_bound(const RuleInputs& inputs, std::vector<Finding>& findings);
/// Looks at all launches together.
void find_separate_launches(const Explanation& explanation, std::vector<Finding>& findings);

/// Whether a warp of the launch loads again and again, rather than a few times in its life.
bool loads_follow_each_other(const Demand& demand);

/// About how many clocks of an SM's memory pipe the launch keeps busy; what weights are a part of.
double memory_clocks(const KernelCounters& counters, const Gpu& gpu);
/// Clocks that one sector of global memory takes of an SM's share of the memory's bandwidth.
double clocks_per_sector(const Gpu& gpu);

}  // namespace lanework

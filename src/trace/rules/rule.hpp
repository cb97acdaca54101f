// A rule about what costs a kernel time: what it looks for, and what mending it would save. Each is one constant object
// in a file of its own; rules.def names it.
#pragma once

#include <algorithm>
#include <lanework/problem.hpp>
#include <memory>
#include <optional>
#include <vector>

#include "src/gpu/gpus.hpp"
#include "src/gpu/occupancy.hpp"
#include "src/timeline/engine_speeds.hpp"
#include "src/trace/analyse/explanation.hpp"
#include "src/trace/analyse/time_model.hpp"

namespace lanework {

/// A launch, and what is known of where it would run.
struct RuleInputs {
    const KernelTrace& launch;
    /// Of the machine code where it was followed, and the rule asks the model; else of the source.
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

/// What a finding's mending starts from.
struct Mending {
    const Finding& finding;
    const KernelTrace& launch;
    const Gpu& gpu;
    /// What it computes with.
    DType dtype;
    /// The launch's, and those at the finding's place.
    KernelCounters all, here;
};

/// A run's work in streams, as the model times it.
struct StreamInputs {
    const Explanation& explanation;
    const StreamTrace& trace;
    /// The trace's, with the seconds of its kernels and the bytes of the problem that is timed.
    const StreamWork& work;
    const EngineSpeeds& speeds;
    /// Of each task, the earlier ones whose results it reads, and those whose results it writes over in part or whole
    /// as a kernel: what it has to wait for in any order of the streams. One that is not known waits for all, and all
    /// for it.
    std::vector<std::vector<std::size_t>> reads, rewrites;
    /// When each task runs, and how long all of them take.
    std::vector<Interval> times;
    double seconds = 0;

    /// Of a task: all that it has to wait for.
    std::vector<std::size_t> needs(std::size_t task) const;
};

struct CostRule {
    /// Set by LANEWORK_COST_RULE.
    Rule rule = {};
    /// Looks at one site of a launch, or at the launch.
    void (*find_at)(const RuleInputs&, const PlacedSite&, std::vector<Finding>&) = nullptr;
    void (*find)(const RuleInputs&, std::vector<Finding>&) = nullptr;
    /// Looks at all launches together.
    void (*find_in_all)(const Explanation&, std::vector<Finding>&) = nullptr;
    /// Looks at what was handed to streams.
    void (*find_in_streams)(const StreamInputs&, std::vector<Finding>&) = nullptr;
    /// It needs the model's time, and what would save nothing of it says nothing.
    bool asks_the_model = false;
    /// Accesses take more passes than their bytes need: said though another part of the GPU hides them.
    bool repeats_passes = false;
    /// The memory that a finding's picture shows.
    std::optional<Space> picture = {};
    /// Takes off a launch's demand what mending the finding would; null: nothing.
    void (*mend)(Demand&, const Mending&) = nullptr;
    /// The same of all launches together.
    void (*mend_all)(std::vector<Demand>&, const Explanation&) = nullptr;
    /// The same of what holds for all launches.
    void (*mend_parameters)(TimeParameters&) = nullptr;
    /// Changes what was handed to streams as mending would; the least seconds, and part of the whole, that it has to
    /// save to be said.
    void (*mend_streams)(StreamWork&, const StreamInputs&) = nullptr;
    double least_saved_s = 0, least_saved = 0.02;
    /// Makes what counts for this rule alone, in every traced launch; null: the counters of sites do.
    std::unique_ptr<Analyser> (*analyser)() = nullptr;

    void look(const RuleInputs& inputs, std::vector<Finding>& findings) const {
        if (find) find(inputs, findings);
        if (!find_at) return;
        for (const PlacedSite& placed : inputs.launch.sites) find_at(inputs, placed, findings);
    }
};

constexpr CostRule named_rule(Rule rule, CostRule described) {
    described.rule = rule;
    return described;
}

/// LANEWORK_COST_RULE(bank_conflict, {.find = …, .mend = …}) defines a rule that rules.def names.
#define LANEWORK_COST_RULE(name, ...)            \
    extern constinit const CostRule name##_rule; \
    constinit const CostRule name##_rule = named_rule(Rule::name, CostRule __VA_ARGS__)

/// Parts of a kernel's cost from which a finding is a warning, and from which it is said.
inline constexpr double kSeriousCost = 0.10, kWorthSayingCost = 0.02;

/// per(part, whole), at most 1.
inline double share(std::uint64_t part, std::uint64_t whole) { return std::min(1.0, per(part, whole)); }

/// Where the launch is written.
SourcePlace place_of(const LaunchShape& shape);

/// About how many clocks of an SM's memory pipe the launch keeps busy; what weights are a part of.
double memory_clocks(const KernelCounters& counters, const Gpu& gpu);
/// Clocks that one sector of global memory takes of an SM's share of the memory's bandwidth.
double clocks_per_sector(const Gpu& gpu);

/// So large a part of the lanes take part that idled: as many fewer warps' instructions.
void fill_lanes(Demand& demand, double lanes);
/// Each block, or for shared memory each request, updates once.
void update_once(Demand& demand, const Mending& mending);

}  // namespace lanework

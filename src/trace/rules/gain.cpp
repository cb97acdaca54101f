// What mending a finding would save: the launch's demand without it, timed by the model beside the other launches.
#include <algorithm>
#include <cmath>

#include "src/trace/analyse/estimate.hpp"
#include "src/trace/rules/rules.hpp"

namespace lanework {
namespace {

constexpr double kWorthShowing = 0.02, kSerious = 0.10, kAtTheLimit = 1.03;
constexpr double kWorthSaying = 0.01;  // of the time, taken off one part of the GPU
constexpr double kVector = 16;         // bytes

/// The sums of what is counted at the finding's place.
KernelCounters counted_at(const Finding& finding, const KernelTrace& launch) {
    std::vector<PlacedSite> there;
    for (const PlacedSite& placed : launch.sites)
        if (placed.place.file == finding.place.file && placed.place.line == finding.place.line &&
            placed.place.column == finding.place.column)
            there.push_back(placed);
    return sum(there);
}

/// part ÷ whole, 0 … 1.
double share(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : std::min(1.0, static_cast<double>(part) / static_cast<double>(whole));
}

/// The sectors that loads and stores at one place bring for nothing.
void coalesce(Demand& d, const KernelCounters& here, const KernelCounters& all) {
    const auto wasted = [](const GlobalCounters& at, const GlobalCounters& total) {
        return share(at.sectors - std::min(at.sectors, at.ideal_sectors), total.sectors);
    };
    const auto wasted_lines = [](const GlobalCounters& at, const GlobalCounters& total) {
        const std::uint64_t ideal = std::max(at.requests, at.ideal_sectors / 4);
        return share(at.lines - std::min(at.lines, ideal), total.lines);
    };
    const double loads = 1 - wasted(here.global_loads, all.global_loads);
    const double stores = 1 - wasted(here.global_stores, all.global_stores);
    d.load_lines *= 1 - wasted_lines(here.global_loads, all.global_loads);
    d.l2_read_lines *= 1 - wasted_lines(here.global_loads, all.global_loads);
    d.l2_read_sectors *= loads;
    d.store_lines *= 1 - wasted_lines(here.global_stores, all.global_stores);
    d.written_lines *= 1 - wasted_lines(here.global_stores, all.global_stores);
    d.written_sectors *= stores;
    // Memory sends what the algorithm needs, once.
    d.memory_read_sectors = std::min(d.memory_read_sectors, std::max(d.first_read_sectors, d.l2_read_sectors));
    d.memory_written_sectors = std::min(d.memory_written_sectors, d.written_sectors);
    d.partly_written_sectors *= stores;
}

/// Vectors of 16 bytes instead of elements. A lane then does neighbouring elements, which share the index arithmetic.
void widen(Demand& d, const KernelCounters& here, const KernelCounters& all) {
    constexpr double kIndexing = 16, kMostIndexing = 0.5;  // instructions that go with an access; a part of all
    constexpr double kMostElements = 4;                    // of a lane
    const auto fewer = [](const GlobalCounters& at) {
        const double bytes = at.lanes == 0 ? kVector : static_cast<double>(at.bytes) / static_cast<double>(at.lanes);
        return 1 - std::max(1 / kMostElements, std::min(1.0, bytes / kVector));
    };
    const double loads = fewer(here.global_loads) * share(here.global_loads.requests, all.global_loads.requests);
    const double stores = fewer(here.global_stores) * share(here.global_stores.requests, all.global_stores.requests);
    const double requests = d.load_requests * loads + d.store_requests * stores;
    const double now = instructions_of(d);
    const double kept =
        now == 0 ? 1 : 1 - std::min(kMostIndexing * std::max(loads, stores), kIndexing * requests / now);
    d.instructions *= kept;
    d.host_instructions *= kept;
    d.steps *= kept;
    d.accesses -= std::min(d.accesses, requests);
    d.load_requests *= 1 - loads;
    d.store_requests *= 1 - stores;
}

/// The lines of a tile are loaded once and read from shared memory.
void stage(Demand& d, const KernelCounters& here, const KernelCounters& all) {
    const double again = share(here.global_loads.repeated_sectors, here.global_loads.sectors) *
                         share(here.global_loads.requests, all.global_loads.requests);
    const double requests = d.load_requests * again;
    d.load_requests -= requests;
    d.load_lines *= 1 - again;
    d.l2_read_sectors *= 1 - share(here.global_loads.repeated_sectors, all.global_loads.sectors);
    d.l2_read_lines *= 1 - share(here.global_loads.repeated_sectors, all.global_loads.sectors);
    d.memory_read_sectors = std::min(d.memory_read_sectors, std::max(d.first_read_sectors, d.l2_read_sectors));
    d.shared_requests += requests;
    d.shared_wavefronts += requests;
}

/// Each block, or for shared memory each request, updates once.
void part_updates(Demand& d, const Finding& finding, const KernelTrace& launch) {
    const KernelCounters here = counted_at(finding, launch);
    if (here.shared_atomics.requests != 0) {
        d.shared_atomic_wavefronts = std::max(0.0, d.shared_atomic_wavefronts - d.shared_collisions);
        d.shared_collisions = 0;
        return;
    }
    const double per_block = std::max(1.0, d.atomic_requests / d.blocks);
    constexpr double kSectors = 16;  // of the busiest region
    d.hottest_turns = std::min(d.hottest_turns, d.blocks);
    d.hottest_sectors = std::min(d.hottest_sectors, kSectors * d.blocks);
    d.atomic_requests /= per_block;
    d.atomic_addresses /= per_block;
    d.shared_requests += d.atomic_requests * (per_block - 1);
    d.shared_atomic_wavefronts += d.atomic_requests * (per_block - 1);
}

/// Every lane takes part: as many fewer warps' instructions.
void fill_lanes(Demand& d, double lanes) {
    for (double Demand::*const falls :
         {&Demand::instructions, &Demand::steps, &Demand::accesses, &Demand::host_instructions, &Demand::pipe_clocks,
          &Demand::shared_requests, &Demand::shared_wavefronts, &Demand::barriers})
        d.*falls *= lanes;
}

/// Four loads of a warp are on their way together; where it has but a few, a warp does the work of four.
void load_more_at_a_time(Demand& d) {
    constexpr double kTogether = 4;
    if (loads_follow_each_other(d)) {
        d.load_latency /= kTogether;
        return;
    }
    d.blocks = std::max(1.0, d.blocks / kTogether);
    for (double Demand::*const falls : {&Demand::barriers, &Demand::meetings, &Demand::shared_requests,
                                        &Demand::shared_wavefronts, &Demand::store_requests})
        d.*falls /= kTogether;
    for (double Demand::*const falls :
         {&Demand::instructions, &Demand::steps, &Demand::accesses, &Demand::host_instructions})
        d.*falls /= 2;
}

/// Whether the rule looks at the model's time, so that a finding without a gain says nothing.
bool asks_the_model(Rule rule) {
    return rule == Rule::contended_atomics || rule == Rule::few_loads_in_flight || rule == Rule::idle_threads ||
           rule == Rule::shared_memory_bound || rule == Rule::uncached_reads || rule == Rule::separate_launches ||
           rule == Rule::dependent_arithmetic || rule == Rule::instruction_bound;
}

/// The launch's demand without what the finding says.
Demand mended(const Finding& finding, const KernelTrace& launch, const Gpu& gpu, Demand d) {
    const KernelCounters all = launch.counters(), here = counted_at(finding, launch);
    const double most_warps = gpu.limits().warps_per_sm;
    switch (finding.rule) {
        case Rule::uncoalesced_access:
        case Rule::excessive_sectors: coalesce(d, here, all); break;
        case Rule::narrow_vectors: widen(d, here, all); break;
        case Rule::redundant_loads: stage(d, here, all); break;
        case Rule::bank_conflict: {
            const auto passes = [](const KernelCounters& c) {
                return c.shared_loads.wavefronts + c.shared_stores.wavefronts + c.shared_atomics.wavefronts;
            };
            const auto lost = [](const KernelCounters& c) {
                return c.shared_loads.conflicts() + c.shared_stores.conflicts() + c.shared_atomics.conflicts();
            };
            d.shared_wavefronts *= 1 - share(lost(here), passes(all));
            break;
        }
        case Rule::divergent_branch:
        case Rule::idle_threads: {
            const double lanes = share(all.branch.lanes, all.branch.entries * kLanes);
            const double here_part =
                finding.rule == Rule::idle_threads ? 1 : share(here.branch.divergent, all.branch.divergent);
            fill_lanes(d, 1 - (1 - lanes) * here_part);
            break;
        }
        case Rule::constant_serialised:
            d.constant_passes *=
                1 - share(here.constant.distinct_addresses - here.constant.requests, all.constant.distinct_addresses);
            break;
        case Rule::atomic_contention:
        case Rule::contended_atomics: part_updates(d, finding, launch); break;
        case Rule::local_memory: d.local_requests = 0; break;
        case Rule::low_occupancy:
            d.resident_blocks = std::max(d.resident_blocks, std::floor(most_warps / d.warps_per_block));
            break;
        case Rule::few_blocks: {
            // The same work in as many blocks as there is room for.
            const double room = gpu.sms * d.resident_blocks;
            const double rounds = std::max(1.0, std::ceil(d.blocks / room));
            d.blocks = room * rounds;
            break;
        }
        case Rule::block_size: {
            const double lanes = static_cast<double>(launch.shape.threads_per_block()) / (kLanes * d.warps_per_block);
            fill_lanes(d, lanes);
            d.resident_blocks = std::max(d.resident_blocks, std::floor(most_warps / d.warps_per_block));
            break;
        }
        case Rule::few_loads_in_flight: load_more_at_a_time(d); break;
        case Rule::shared_memory_bound: {
            const double fewer = 0.75 * d.shared_requests;
            d.shared_requests -= fewer;
            d.shared_wavefronts /= 2;
            d.accesses -= std::min(d.accesses, fewer);
            d.instructions -= std::min(d.instructions / 2, fewer);
            break;
        }
        case Rule::uncached_reads: d.memory_read_sectors = d.first_read_sectors; break;
        case Rule::dependent_arithmetic:
            // Four elements share a turn.
            d.steps /= 4;
            d.instructions /= 2;
            d.host_instructions /= 2;
            break;
        case Rule::instruction_bound:
            d.instructions /= 2;
            d.host_instructions /= 2;
            d.steps /= 2;
            break;
        default: break;
    }
    return d;
}

/// Whether the finding is of accesses that the memory serves in more passes than their bytes need.
bool repeats_passes(Rule rule) { return rule == Rule::bank_conflict || rule == Rule::uncoalesced_access; }

/// The most that the mending takes off what one part of the GPU needs, in seconds: another part may hide all of it.
double most_off_one_part(const Demand& now, const Demand& mended, const Gpu& gpu) {
    const ModelledTime before = time_of({&now, 1}, gpu), after = time_of({&mended, 1}, gpu);
    double most = 0;
    for (std::size_t part = 0; part < kBottlenecks; ++part)
        most = std::max(most, before.parts_s[part] - after.parts_s[part]);
    return most;
}

void add_modelled(const Explanation& explanation, const Gpu& gpu, std::span<const Demand> demands,
                  std::vector<Finding>& findings) {
    for (std::size_t i = 0; i < explanation.kernels.size(); ++i) {
        const KernelTrace& launch = explanation.kernels[i];
        if (!launch.error.empty()) continue;
        const ModelledTime time = time_of({&demands[i], 1}, gpu);
        RuleInputs inputs{.launch = launch,
                          .counters = metric_inputs(explanation, launch, gpu.limits()).counters,
                          .gpu = gpu,
                          .resources = resources_of(launch.shape, 0),
                          .stack_bytes = {},
                          .spilled_bytes = {},
                          .demand = &demands[i],
                          .time = &time,
                          .dtype = explanation.problem.dtype};
        const std::size_t first = findings.size();
        find_contended_atomics(inputs, findings);
        find_few_loads_in_flight(inputs, findings);
        find_idle_threads(inputs, findings);
        find_shared_memory_bound(inputs, findings);
        find_uncached_reads(inputs, findings);
        find_dependent_arithmetic(inputs, findings);
        find_instruction_bound(inputs, findings);
        for (std::size_t k = first; k < findings.size(); ++k) findings[k].launch = i;
    }
}

}  // namespace

void rank_by_gain(const Explanation& explanation, const Gpu& gpu, std::vector<Finding>& findings) {
    const Estimate now = estimate(explanation, gpu);
    if (now.demands.empty()) return;
    add_modelled(explanation, gpu, now.demands, findings);
    find_separate_launches(explanation, findings);
    const double seconds = time_of(now.demands, gpu).seconds;
    const Work& work = explanation.timed ? *explanation.timed : explanation.work;
    const double limit = roofline_limit(work, explanation.problem.dtype, gpu).seconds;
    const bool at_the_limit = limit > 0 && now.time_s <= kAtTheLimit * limit;
    // What a larger problem would lose is hidden behind round trips and the start of the launch. Passes that an access
    // repeats may be hidden behind another part of the GPU: they are a fault of the layout all the same.
    const bool small = now.bound == Bottleneck::latency || now.bound == Bottleneck::launch;
    std::erase_if(findings, [&](Finding& finding) {
        if (finding.error() || finding.launch >= now.demands.size()) return false;
        std::vector<Demand> demands = now.demands;
        demands[finding.launch] =
            mended(finding, explanation.kernels[finding.launch], gpu, now.demands[finding.launch]);
        TimeParameters parameters;
        if (finding.rule == Rule::separate_launches) parameters.further_launch = 0;
        const double without = std::min(seconds, time_of(demands, gpu, parameters).seconds);
        const double gain = std::max(0.0, (now.time_s - std::max(now.least_s, without)) / now.time_s);
        if (gain < kWorthShowing || at_the_limit) {
            finding.weight *= kWorthShowing;
            const bool hidden =
                repeats_passes(finding.rule) &&
                most_off_one_part(now.demands[finding.launch], demands[finding.launch], gpu) >= kWorthSaying * seconds;
            return at_the_limit || !(small || hidden) || asks_the_model(finding.rule);
        }
        finding.gain = finding.weight = gain;
        finding.time_s = now.time_s;
        finding.time_without_s = now.time_s * (1 - gain);
        finding.severity = gain >= kSerious ? Severity::warning : Severity::advice;
        return false;
    });
}

}  // namespace lanework

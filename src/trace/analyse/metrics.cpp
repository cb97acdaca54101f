// The table of metrics.
//
// Names: `ncu --query-metrics --chip gh100` of Nsight Compute 2025.3 and its documentation, "Metrics Reference"
// (https://docs.nvidia.com/nsight-compute/ProfilingGuide/index.html#metrics-reference).
#include "src/trace/analyse/metrics.hpp"

#include <algorithm>
#include <lanework/dtype.hpp>
#include <string>
#include <tuple>
#include <utility>

namespace lanework {
namespace {

using Inputs = const MetricInputs&;
using Value = std::optional<double>;

constexpr std::string_view kCompiled =
    "The compiler may join, drop or move accesses; with the machine code at hand the figure is exact.";
constexpr std::string_view kOwnLayout =
    "Each compiler drops the shared variables that nobody needs and aligns the rest; the machine code tells.";
constexpr std::string_view kArbitration =
    "The hardware's counter has passes in it that were lost to other requests, and varies from run to run.";
constexpr std::string_view kWaits = "How often threads ask for what others write depends on time.";
constexpr std::string_view kRounded =
    "Comparisons of fractions decide what is executed, and a GPU rounds some of them otherwise.";
constexpr std::string_view kDoubtful =
    "Memory that earlier launches left decides what is done, and a GPU may hold something else there.";
constexpr std::string_view kUnordered =
    "Threads access words in no order: who comes first decides what they find there, and with it what is done.";
constexpr std::string_view kCopies =
    "Copies from global to shared memory (cp.async) take passes, too, which are not counted.";
constexpr std::string_view kPrints =
    "What the driver's own function does where threads print (vprintf) counts, too, and no tool shows it.";
constexpr std::string_view kVaries =
    "It differs where threads come in another order or fractions have other last digits, and a GPU may have either.";
constexpr std::string_view kCollisions =
    "Lanes that update one address are taken apart by the hardware and count a sector each time.";
constexpr std::string_view kNeighbours =
    "How the hardware takes lanes apart whose atomics fall into one sector is not known.";
constexpr std::string_view kWideParts =
    "How the hardware serves 8 or 16 bytes of shared memory for lanes that share addresses is not known in all cases.";
constexpr std::string_view kWideAtomics =
    "How many passes a compare-and-swap of 8 bytes in shared memory takes is not known: an H100 counts more than one.";
constexpr std::string_view kPartly =
    "Equal where the lanes of warps stay together; where they part, the hardware may take them apart further.";
constexpr std::string_view kCodeOnly = "Only machine code tells which instructions there are.";
constexpr std::string_view kPredicated =
    "nvcc turns short branches into predicated instructions and unrolls loops, so its branches are not the source's.";
constexpr std::string_view kOwnMemory = "Each compiler decides for itself which variables stay in memory.";
constexpr std::string_view kConstants =
    "Kernel arguments and literals are constant memory too, and operands that come with their instruction are not "
    "counted.";
constexpr std::string_view kLoops =
    "An atomic that shared memory cannot do itself is a loop there, which runs as often as lanes collide.";
constexpr std::string_view kCaches = "What the caches keep, fetch ahead and write back late is not traced.";
constexpr std::string_view kCarveout =
    "The driver sets aside as little shared memory as the launch needs; the figure is for all of the SM's.";
constexpr std::string_view kTime = "Only a GPU takes its own time; the estimate gives a range.";

constexpr Metric exact(std::string_view name, std::string_view label, std::string_view unit, Value (*compute)(Inputs)) {
    return {name, label, unit, compute, Trust::exact, {}, Trust::exact};
}
/// What the compiler may change.
constexpr Metric compiled(std::string_view name, std::string_view label, std::string_view unit,
                          Value (*compute)(Inputs)) {
    return {name, label, unit, compute, Trust::as_written, kCompiled, Trust::exact};
}
constexpr Metric compiled_and_arbitrated(std::string_view name, std::string_view label, std::string_view unit,
                                         Value (*compute)(Inputs)) {
    return {name, label, unit, compute, Trust::as_written, kCompiled, Trust::modelled, kArbitration};
}
/// A model of both, the machine code's nearer.
constexpr Metric parted(std::string_view name, std::string_view label, std::string_view unit, Value (*compute)(Inputs),
                        std::string_view reason) {
    return {name, label, unit, compute, Trust::modelled, reason, Trust::modelled, kPartly};
}
/// A model of the source's, and a count of the machine code's.
constexpr Metric counted(std::string_view name, std::string_view label, std::string_view unit, Value (*compute)(Inputs),
                         std::string_view reason) {
    return {name, label, unit, compute, Trust::modelled, reason, Trust::exact};
}
constexpr Metric modelled(std::string_view name, std::string_view label, std::string_view unit,
                          Value (*compute)(Inputs), std::string_view reason) {
    return {name, label, unit, compute, Trust::modelled, reason, Trust::modelled, reason};
}
constexpr Metric unavailable(std::string_view name, std::string_view label, std::string_view unit,
                             std::string_view reason) {
    return {name, label, unit, nullptr, Trust::unavailable, reason, Trust::unavailable, reason};
}

/// What only machine code has: nothing without it.
constexpr Metric of_code(std::string_view name, std::string_view label, std::string_view unit,
                         Value (*compute)(Inputs)) {
    return {name, label, unit, compute, Trust::unavailable, kCodeOnly, Trust::modelled, kPartly};
}

constexpr Value number(std::uint64_t count) { return static_cast<double>(count); }
std::string_view excuse_of_collisions(Inputs in) {
    return in.counters.global_reductions.unclear != 0 ? kCollisions : std::string_view{};
}
std::string_view excuse_of_neighbours(Inputs in) {
    return in.counters.global_atomics.unclear != 0 ? kNeighbours : std::string_view{};
}
std::string_view excuse_of_passes(Inputs in) {
    return in.wide_parts ? kWideParts : in.wide_atomics ? kWideAtomics : in.copies ? kCopies : std::string_view{};
}
std::string_view excuse_of_atomics(Inputs in) {
    const SharedCounters& atomics = in.counters.shared_atomics;
    return atomics.wavefronts > atomics.requests || atomics.most_lanes_per_address > 1 ? kLoops : excuse_of_passes(in);
}
/// Which lanes leave a loop together in which they wait is a matter of clocks, of which runs in other orders say too
/// little: where an H100's lanes parted 96 034 times, they did so 96 033 times in each.
constexpr Metric unless_it_waits(Metric metric) {
    metric.excuse = [](Inputs in) { return in.waits ? kWaits : std::string_view{}; };
    return metric;
}

/// What lies where says how many sectors or passes it takes.
constexpr Metric unless(std::string_view (*excuse)(Inputs), Metric metric) {
    metric.hangs_on_places = true;
    metric.excuse = excuse;
    return metric;
}
constexpr Metric placed(std::string_view name, std::string_view label, Value (*compute)(Inputs)) {
    return unless(nullptr, compiled(name, label, "sector", compute));
}

constexpr Metric because(std::string_view reason, Metric metric) {
    metric.reason = reason;
    return metric;
}

constexpr Value ratio(std::uint64_t part, std::uint64_t whole, double scale) {
    return whole == 0 ? Value() : scale * static_cast<double>(part) / static_cast<double>(whole);
}

template <std::uint64_t GlobalCounters::*Count>
Value global_total(Inputs in) {
    const KernelCounters& c = in.counters;
    return number(c.global_loads.*Count + c.global_stores.*Count + c.global_atomics.*Count +
                  c.global_reductions.*Count);
}
template <GlobalCounters KernelCounters::*Kind, std::uint64_t GlobalCounters::*Count>
Value global(Inputs in) {
    return number(in.counters.*Kind.*Count);
}

/// As written many lanes add to one address; most compilers add them up before.
template <GlobalCounters KernelCounters::*Kind>
Value served(Inputs in) {
    const GlobalCounters& atomics = in.counters.*Kind;
    return number(in.of_machine_code ? atomics.served_sectors : atomics.sectors);
}

template <std::uint64_t SharedCounters::*Count>
Value shared_total(Inputs in) {
    const KernelCounters& c = in.counters;
    return number(c.shared_loads.*Count + c.shared_stores.*Count + c.shared_atomics.*Count);
}
template <SharedCounters KernelCounters::*Kind, std::uint64_t SharedCounters::*Count>
Value shared(Inputs in) {
    return number(in.counters.*Kind.*Count);
}
template <SharedCounters KernelCounters::*Kind>
Value conflicts(Inputs in) {
    return number((in.counters.*Kind).conflicts());
}

template <Limiter Limit>
Value blocks_allowed(Inputs in) {
    if (!in.resources || !in.capability) return {};
    const int blocks = occupancy(*in.capability, *in.resources).allows(Limit);
    return blocks == Occupancy::kUnlimited ? Value() : Value(blocks);
}
Value occupancy_percent(Inputs in) {
    if (!in.resources || !in.capability) return {};
    return 100 * occupancy(*in.capability, *in.resources).fraction;
}

template <WarpState State>
Value stalled(Inputs in) {
    return in.warps ? Value(in.warps->per_issue(State)) : Value();
}
constexpr std::string_view kWarpStatesModelled =
    "When which warp waits depends on time: the model of time says what the average warp of a full GPU waits for.";
constexpr std::string_view kOutsideOfTheModel = "The model of time has no such wait.";

constexpr Metric kMetrics[] = {
    exact(kBlocksMetric, "blocks", "", [](Inputs in) { return number(in.shape.blocks()); }),
    exact("launch__block_size", "threads per block", "",
          [](Inputs in) { return number(in.shape.threads_per_block()); }),

    // Global memory.
    compiled("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "global load requests", "",
             global<&KernelCounters::global_loads, &GlobalCounters::requests>),
    placed("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "global load sectors",
           global<&KernelCounters::global_loads, &GlobalCounters::sectors>),
    compiled("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "global store requests", "",
             global<&KernelCounters::global_stores, &GlobalCounters::requests>),
    placed("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "global store sectors",
           global<&KernelCounters::global_stores, &GlobalCounters::sectors>),
    compiled("l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", "global atomic requests", "",
             global<&KernelCounters::global_atomics, &GlobalCounters::requests>),
    unless(excuse_of_neighbours, compiled("l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", "global atomic sectors",
                                          "sector", served<&KernelCounters::global_atomics>)),
    compiled("l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", "global reduction requests", "",
             global<&KernelCounters::global_reductions, &GlobalCounters::requests>),
    unless(excuse_of_collisions, compiled("l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", "global reduction sectors",
                                          "sector", served<&KernelCounters::global_reductions>)),
    placed("memory_l2_theoretical_sectors_global", "global sectors", global_total<&GlobalCounters::sectors>),
    placed("memory_l2_theoretical_sectors_global_ideal", "global sectors, ideal",
           global_total<&GlobalCounters::ideal_sectors>),

    // Shared memory.
    compiled("smsp__sass_inst_executed_op_shared_ld.sum", "shared load requests", "inst",
             shared<&KernelCounters::shared_loads, &SharedCounters::requests>),
    compiled("smsp__sass_inst_executed_op_shared_st.sum", "shared store requests", "inst",
             shared<&KernelCounters::shared_stores, &SharedCounters::requests>),
    compiled_and_arbitrated("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "shared load wavefronts", "",
                            shared<&KernelCounters::shared_loads, &SharedCounters::wavefronts>),
    compiled_and_arbitrated("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", "shared store wavefronts", "",
                            shared<&KernelCounters::shared_stores, &SharedCounters::wavefronts>),
    compiled_and_arbitrated("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "shared load bank conflicts",
                            "", conflicts<&KernelCounters::shared_loads>),
    compiled_and_arbitrated("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", "shared store bank conflicts",
                            "", conflicts<&KernelCounters::shared_stores>),
    unless(excuse_of_atomics,
           compiled("memory_l1_wavefronts_shared", "shared wavefronts", "", shared_total<&SharedCounters::wavefronts>)),
    unless(excuse_of_passes, compiled("memory_l1_wavefronts_shared_ideal", "shared wavefronts, ideal", "",
                                      shared_total<&SharedCounters::ideal_wavefronts>)),
    modelled("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum", "shared atomic wavefronts", "",
             shared<&KernelCounters::shared_atomics, &SharedCounters::wavefronts>, kLoops),

    // Branches.
    unless_it_waits(counted(
        "smsp__sass_branch_targets_threads_divergent.sum", "divergent branches", "",
        [](Inputs in) { return number(in.counters.branch.divergent); }, kPredicated)),
    unless_it_waits(counted(
        "smsp__sass_branch_targets_threads_uniform.sum", "uniform branches", "",
        [](Inputs in) { return number(in.counters.branch.branches - in.counters.branch.divergent); }, kPredicated)),
    unless_it_waits(counted(
        "smsp__sass_average_branch_targets_threads_uniform.pct", "branches that stay together", "%",
        [](Inputs in) {
            const BranchCounters& branch = in.counters.branch;
            return ratio(branch.branches - branch.divergent, branch.branches, 100);
        },
        kPredicated)),
    parted(
        "smsp__thread_inst_executed_per_inst_executed.ratio", "active lanes per instruction", "",
        [](Inputs in) { return ratio(in.counters.branch.lanes, in.counters.branch.entries, 1); },
        "A basic block counts once, however many instructions it has."),
    of_code("smsp__inst_executed.sum", "instructions executed", "inst",
            [](Inputs in) { return in.of_machine_code ? number(in.counters.branch.entries) : Value(); }),
    of_code("smsp__thread_inst_executed.sum", "instructions of threads", "",
            [](Inputs in) { return in.of_machine_code ? number(in.counters.branch.lanes) : Value(); }),
    of_code("smsp__thread_inst_executed_pred_on.sum", "instructions with a true predicate", "",
            [](Inputs in) { return in.of_machine_code ? number(in.lanes_on) : Value(); }),

    // A thread's own memory and constants.
    counted(
        "l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum", "local load requests", "",
        [](Inputs in) { return number(in.counters.local_loads.requests); }, kOwnMemory),
    counted(
        "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum", "local store requests", "",
        [](Inputs in) { return number(in.counters.local_stores.requests); }, kOwnMemory),
    modelled(
        "idc__requests.sum", "constant requests", "",
        [](Inputs in) { return number(in.counters.constant.distinct_addresses); }, kConstants),

    // What an SM holds.
    exact(kRegistersMetric, "registers per thread", "register/thread",
          [](Inputs in) { return in.resources ? Value(in.resources->registers_per_thread) : Value(); }),
    because(kOwnLayout, compiled("launch__shared_mem_per_block_static", "static shared memory per block", "byte/block",
                                 [](Inputs in) { return number(in.shape.static_shared); })),
    exact("launch__shared_mem_per_block_dynamic", "dynamic shared memory per block", "byte/block",
          [](Inputs in) { return number(in.shape.dynamic_shared); }),
    exact("launch__occupancy_limit_warps", "blocks per SM by warps", "block", blocks_allowed<Limiter::warps>),
    exact("launch__occupancy_limit_blocks", "blocks per SM at most", "block", blocks_allowed<Limiter::blocks>),
    exact("launch__occupancy_limit_registers", "blocks per SM by registers", "block",
          blocks_allowed<Limiter::registers>),
    modelled("launch__occupancy_limit_shared_mem", "blocks per SM by shared memory", "block",
             blocks_allowed<Limiter::shared_memory>, kCarveout),
    exact("sm__maximum_warps_per_active_cycle_pct", "theoretical occupancy", "%", occupancy_percent),
    unavailable("sm__warps_active.avg.pct_of_peak_sustained_active", "achieved occupancy", "%",
                "How long each warp lives depends on time."),

    // What warps do and wait for, in clocks of warps for each instruction that is issued.
    modelled("smsp__average_warps_issue_stalled_selected_per_issue_active.ratio", "warps: selected", "",
             stalled<WarpState::selected>, kWarpStatesModelled),
    modelled("smsp__average_warps_issue_stalled_not_selected_per_issue_active.ratio", "warps: eligible, not selected",
             "", stalled<WarpState::not_selected>, kWarpStatesModelled),
    modelled("smsp__average_warps_issue_stalled_wait_per_issue_active.ratio", "stalled: instruction before", "",
             stalled<WarpState::wait>, kWarpStatesModelled),
    modelled("smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
             "stalled: global or local memory", "", stalled<WarpState::long_scoreboard>, kWarpStatesModelled),
    modelled("smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio", "stalled: shared memory", "",
             stalled<WarpState::short_scoreboard>, kWarpStatesModelled),
    modelled("smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio", "stalled: barrier", "",
             stalled<WarpState::barrier>, kWarpStatesModelled),
    modelled("smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio", "stalled: queue of L1", "",
             stalled<WarpState::lg_throttle>, kWarpStatesModelled),
    modelled("smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio", "stalled: queue of shared memory",
             "", stalled<WarpState::mio_throttle>, kWarpStatesModelled),
    modelled("smsp__average_warps_issue_stalled_math_pipe_throttle_per_issue_active.ratio", "stalled: arithmetic pipe",
             "", stalled<WarpState::math_pipe_throttle>, kWarpStatesModelled),
    unavailable("smsp__average_warps_issue_stalled_no_instruction_per_issue_active.ratio", "stalled: no instruction",
                "", kOutsideOfTheModel),
    unavailable("smsp__average_warps_issue_stalled_branch_resolving_per_issue_active.ratio", "stalled: branch", "",
                kOutsideOfTheModel),
    unavailable("smsp__average_warps_issue_stalled_imc_miss_per_issue_active.ratio", "stalled: constant cache", "",
                kOutsideOfTheModel),
    unavailable("smsp__average_warps_issue_stalled_membar_per_issue_active.ratio", "stalled: fence", "",
                kOutsideOfTheModel),
    modelled(
        "smsp__warps_eligible.avg.per_cycle_active", "eligible warps of a scheduler", "warp",
        [](Inputs in) { return in.warps ? Value(in.warps->eligible_warps()) : Value(); }, kWarpStatesModelled),

    // Memory and time.
    modelled(
        "dram__bytes_read.sum", "bytes read from memory", "byte", [](Inputs in) { return number(in.footprint_read); },
        kCaches),
    modelled(
        "dram__bytes_write.sum", "bytes written to memory", "byte",
        [](Inputs in) { return number(in.footprint_written); }, kCaches),
    unavailable("l1tex__t_sector_hit_rate.pct", "L1 hit rate", "%", kCaches),
    unavailable("lts__t_sector_hit_rate.pct", "L2 hit rate", "%", kCaches),
    unavailable("gpu__time_duration.sum", "duration", "ns", kTime),
};

// How nvcc's demangled names spell an element type.
std::string_view cpp_name(DType dtype) {
    switch (dtype) {
        case DType::uint8: return "unsigned char";
        case DType::int16: return "short";
        case DType::uint16: return "unsigned short";
        case DType::int32: return "int";
        case DType::uint32: return "unsigned int";
        case DType::int64: return "long";
        case DType::uint64: return "unsigned long";
        case DType::float16: return "__half";
        case DType::bfloat16: return "__nv_bfloat16";
        case DType::float32: return "float";
        case DType::float64: return "double";
        case DType::int8: return "signed char";
        case DType::float8_e4m3: return "lanework::float8_e4m3";
        case DType::tfloat32: return "lanework::tfloat32";
    }
    return {};
}

// Whether "float, 4" holds the argument "float".
bool has_argument(std::string_view arguments, std::string_view wanted) {
    while (!arguments.empty()) {
        const std::string_view first = arguments.substr(0, arguments.find(','));
        if (first == wanted) return true;
        arguments.remove_prefix(std::min(first.size() + 1, arguments.size()));
        while (arguments.starts_with(' ')) arguments.remove_prefix(1);
    }
    return false;
}

/// Whether "(Form)2, float" holds an enumerator of this value: a variant that is a parameter of the kernel.
bool has_enumerator(std::string_view arguments, int value) {
    const std::string cast = ")" + std::to_string(value);
    return arguments.find(cast + ",") != arguments.npos || arguments.ends_with(cast);
}

bool same_resources(const KernelRecord& a, const KernelRecord& b) {
    return a.registers_per_thread == b.registers_per_thread && a.static_shared_bytes == b.static_shared_bytes;
}

/// Without what the system reserves at the front.
std::size_t static_shared_of(const MachineKernel& kernel, const Capability& capability) {
    const auto reserved = static_cast<std::size_t>(capability.shared_reserved);
    return kernel.shared_bytes - std::min<std::size_t>(kernel.shared_bytes, reserved);
}

/// Whether these counters have a part in the figure.
bool counts(const Metric& metric, MetricInputs inputs, const KernelCounters& counters) {
    inputs.counters = counters;
    return metric.compute(inputs).value_or(1) != 0;
}

/// Whether the figure was the same in each run whose order and rounding were another.
bool is_the_same_in_all(const Metric& metric, Inputs inputs) {
    MetricInputs varied = inputs;
    return !inputs.varied.empty() && std::ranges::all_of(inputs.varied, [&](const KernelCounters& counters) {
        varied.counters = counters;
        varied.counters.constant = inputs.counters.constant;
        return metric.compute(varied) == metric.compute(inputs);
    });
}

}  // namespace

const KernelRecord* find_record(const Explanation& explanation, const LaunchShape& shape, int capability) {
    const auto only = [&](const auto& fits) {
        const KernelRecord* found = nullptr;
        bool several = false;
        for (const KernelRecord& record : kernel_records(explanation.operation, explanation.rung, capability)) {
            if (!launches(shape.kernel, record) || !fits(record.arguments)) continue;
            several = several || (found && !same_resources(*found, record));
            found = &record;
        }
        return std::pair(found, several);
    };
    const auto typed = [&](std::string_view arguments) {
        return has_argument(arguments, cpp_name(explanation.problem.dtype));
    };
    const auto of_variant = [&](std::string_view arguments) {
        return typed(arguments) && has_enumerator(arguments, explanation.problem.variant);
    };
    auto [found, several] = only(of_variant);
    if (!found) std::tie(found, several) = only(typed);
    if (!found) std::tie(found, several) = only([](std::string_view) { return true; });
    return several ? nullptr : found;
}

std::span<const Metric> metrics() { return kMetrics; }

const Metric* find_metric(std::string_view name) {
    const auto found = std::ranges::find(kMetrics, name, &Metric::name);
    return found == std::end(kMetrics) ? nullptr : found;
}

MetricInputs metric_inputs(const Explanation& explanation, const KernelTrace& launch, const Capability& capability) {
    MetricInputs inputs{.counters = launch.counters(),
                        .shape = launch.shape,
                        .footprint_read = launch.footprint_read,
                        .footprint_written = launch.footprint_written};
    inputs.capability = &capability;
    if (launch.machine && launch.machine->known()) {
        const ConstantCounters constant = inputs.counters.constant;
        inputs.counters = sum(*launch.machine);
        inputs.counters.constant = constant;
        inputs.of_machine_code = true;
        inputs.waits = launch.machine->waits;
        inputs.rounded = launch.machine->rounded;
        inputs.doubtful = launch.machine->doubtful;
        inputs.unordered = launch.machine->unordered;
        inputs.varied = launch.machine->varied;
        inputs.drawn = sum_of_drawn(*launch.machine);
        inputs.doubtful_places = sum_of_doubtful(*launch.machine);
        inputs.countable = countable(*launch.machine->kernel);
        inputs.copies = launch.machine->copies;
        inputs.prints = launch.machine->prints;
        for (const MachineSite& each : launch.machine->sites) {
            inputs.wide_parts = inputs.wide_parts || each.site.shared.unclear != 0;
            inputs.wide_atomics = inputs.wide_atomics || (each.site.space == Space::shared && each.site.is_atomic() &&
                                                          each.site.bytes > 4 && each.site.shared.requests != 0);
        }
        for (const MachineCount& count : launch.machine->counts) inputs.lanes_on += count.lanes_on;
        inputs.shape.static_shared = static_shared_of(*launch.machine->kernel, capability);
        inputs.resources = resources_of(inputs.shape, static_cast<int>(launch.machine->kernel->registers));
    } else if (const KernelRecord* record = find_record(explanation, launch.shape, capability.number)) {
        inputs.shape.static_shared = static_cast<std::size_t>(record->static_shared_bytes);
        inputs.resources = resources_of(inputs.shape, record->registers_per_thread);
    }
    return inputs;
}

KernelResources resources_of(const LaunchShape& shape, int registers_per_thread) {
    // A GPU gives each thread so many: of 267 launches on an H100 those whose code names 4 to 15 had 16.
    constexpr int kLeastRegisters = 16;
    KernelResources resources;
    resources.threads_per_block = static_cast<int>(shape.threads_per_block());
    resources.registers_per_thread = std::max(kLeastRegisters, registers_per_thread);
    resources.static_shared = static_cast<std::int64_t>(shape.static_shared);
    resources.dynamic_shared = static_cast<std::int64_t>(shape.dynamic_shared);
    return resources;
}

Trust Metric::trust_of(const MetricInputs& inputs) const {
    if (!inputs.of_machine_code) return trust;
    return with_code == Trust::exact && !reason_of(inputs).empty() ? Trust::modelled : with_code;
}

std::string_view Metric::reason_of(const MetricInputs& inputs) const {
    if (!inputs.of_machine_code) return reason;
    if (with_code != Trust::exact || trust == Trust::exact) return reason_with_code;
    if (inputs.prints && reason != kOwnLayout) return kPrints;
    const bool unsettled = inputs.waits || inputs.rounded || inputs.doubtful || !inputs.varied.empty();
    if (unsettled && reason != kOwnLayout && !is_the_same_in_all(*this, inputs) &&
        (!inputs.countable || counts(*this, inputs, *inputs.countable)))
        return inputs.waits       ? kWaits
               : inputs.unordered ? kUnordered
               : inputs.rounded   ? kRounded
               : inputs.doubtful  ? kDoubtful
                                  : kVaries;
    const std::string_view excused = excuse ? excuse(inputs) : std::string_view{};
    if (!excused.empty() || !hangs_on_places) return excused;
    return counts(*this, inputs, inputs.drawn)             ? kVaries
           : counts(*this, inputs, inputs.doubtful_places) ? (inputs.unordered ? kUnordered : kDoubtful)
                                                           : std::string_view{};
}

Trust trust_of(const Metric& metric, std::span<const MetricInputs> inputs) {
    Trust least = Trust::exact;
    for (const MetricInputs& in : inputs) least = std::max(least, metric.trust_of(in));
    return least;
}

std::optional<double> predicted(const Metric& metric, const MetricInputs& inputs) {
    return metric.compute ? metric.compute(inputs) : std::nullopt;
}

}  // namespace lanework

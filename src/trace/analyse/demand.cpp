// Reading a demand off a trace.
#include "src/trace/analyse/demand.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

#include "src/gpu/occupancy.hpp"
#include "src/gpu/sass/instructions.hpp"
#include "src/gpu/sass/operand.hpp"

namespace lanework {
namespace {

/// How much more the timed problem asks than the traced one: of operations, of bytes that are read, and of blocks.
struct Stretch {
    double work = 1, read = 1, blocks = 1;
};

/// At least 1: the timed problem is the larger one.
double growth(std::uint64_t timed, std::uint64_t traced) {
    return traced == 0 ? 1 : std::max(1.0, static_cast<double>(timed) / static_cast<double>(traced));
}

/// What kernels read and write, in the device's memory and over the link.
std::uint64_t all_read(const Work& work) { return work.bytes_read + work.bytes_uploaded; }
std::uint64_t all_written(const Work& work) { return work.bytes_written + work.bytes_downloaded; }

/// Whether the result grows with the input. A sum's does not.
bool writes_much(const Work& work) {
    constexpr double kMuch = 0.01;  // of what is read
    return static_cast<double>(all_written(work)) > kMuch * static_cast<double>(all_read(work));
}

Stretch stretch_of(const Explanation& explanation) {
    if (!explanation.timed) return {};
    const Work &traced = explanation.work, &timed = *explanation.timed;
    const double read = growth(all_read(timed), all_read(traced));
    const double written = growth(all_written(timed), all_written(traced));
    const double operations = growth(timed.flops, traced.flops), moved = growth(timed.bytes(), traced.bytes());
    return {
        .work = traced.flops != 0 ? operations : moved, .read = read, .blocks = writes_much(traced) ? written : read};
}

constexpr double kSector = 32, kL1Bytes = 192 * 1024;
constexpr double kKeptByL2 = 0.7;    // of its bytes, before it loses what will be loaded again
constexpr int kUsualRegisters = 32;  // where nobody knows them
// Round trips in clocks: results/h200/gpu-parameters.csv, but for memory's, which that micro-benchmark found in L2.
constexpr double kL1Latency = 41, kL2Latency = 330, kMemoryLatency = 750;

double to_double(std::uint64_t count) { return static_cast<double>(count); }

// What is left of this processor's arithmetic in a GPU's code: of a block that a warp enters for the first time, and
// each further time. Loops are unrolled there, and what does not change from turn to turn is computed before them.
// Fitted to the instructions that nvcc's code of 36 kernels executes (docs/decisions/time-model.md).
constexpr double kFirstTime = 0.8, kOfATurn = 0.7, kMostOfATurn = 2;

/// What the code as written tells of the warps' instructions, and of arrays that are indexed by a variable.
void read_steps(const KernelTrace& launch, Demand& d) {
    const double warps = d.blocks * d.warps_per_block;
    for (const PlacedSite& placed : launch.sites) {
        const Site& site = placed.site;
        const double entries = to_double(site.branch.entries), first = std::min(entries, warps);
        if (site.kind == EventKind::path && !placed.emulates) {
            d.host_instructions += kFirstTime * placed.instructions * first +
                                   std::min(kOfATurn * placed.instructions, kMostOfATurn) * (entries - first);
            d.steps += entries;
            // The pipe that multiplies takes two warps' instructions in a clock.
            d.pipe_clocks += entries * placed.multiplications / 2;
            d.local_requests += indexed_on_stack(placed);
        }
        d.accesses += to_double(site.global.requests + site.shared.requests + site.constant.requests);
    }
}

/// A turn of a loop around one operation of the algorithm is, on a GPU, that operation: such loops are unrolled there.
void unroll_arithmetic(Demand& d, double operations) {
    if (operations > d.steps) return;
    d.host_instructions = std::max(operations, d.host_instructions - (kMostOfATurn - 1) * operations);
}

/// Clocks of an SM's busiest pipe, each pipe by what it takes of warp instructions in a clock (CUDA C++ Programming
/// Guide, "Arithmetic Instructions"; results/h200/gpu-parameters.csv).
double pipe_clocks(const MachineTrace& machine, const Gpu& gpu) {
    std::array<double, kPipes> executed{};
    for (std::size_t i = 0; i < machine.counts.size(); ++i)
        executed[static_cast<std::size_t>(pipe_of(machine.kernel->instructions[i]))] +=
            to_double(machine.counts[i].executed);
    const auto of = [&](Pipe pipe) { return executed[static_cast<std::size_t>(pipe)]; };
    const double floats = gpu.multiply_adds_per_clock(DType::float32) / 32.0;
    const double doubles = gpu.multiply_adds_per_clock(DType::float64) / 32.0;
    return std::max({of(Pipe::integer) / 2, (of(Pipe::single) + of(Pipe::half)) / floats,
                     of(Pipe::double_precision) / doubles, of(Pipe::special) / 0.5});
}

/// What else the code tells of its warps' time.
void read_code(const MachineTrace& machine, Demand& d) {
    for (std::size_t i = 0; i < machine.counts.size(); ++i) {
        const MachineInstruction& instruction = machine.kernel->instructions[i];
        const MachineCount& count = machine.counts[i];
        d.stall_clocks += to_double(count.executed) * instruction.stall;
        if (count.matched == 0) continue;
        d.matches += to_double(count.executed);
        d.matched += to_double(count.matched);
    }
}

/// The part of the atomic operations on shared memory that are counted up by one (ATOMS.POPC.INC): their lanes at one
/// address take no turns (results/h100/gpu-parameters.csv).
double counted_up(const MachineTrace& machine) {
    double all = 0, by_one = 0;
    for (std::size_t i = 0; i < machine.counts.size(); ++i) {
        const std::string_view name = machine.kernel->instructions[i].name;
        if (!name.starts_with("ATOMS.")) continue;
        all += to_double(machine.counts[i].executed);
        if (name.find(".POPC.INC") != name.npos) by_one += to_double(machine.counts[i].executed);
    }
    return all > 0 ? by_one / all : 0;
}

/// Clocks of a lane's turn in a loop that adds to shared memory by compare-and-swap, on average over the launch's
/// atomic operations on shared memory: of 4 and of 8 bytes (results/h100/gpu-parameters.csv, shared atomics of one
/// cell).
double spin_clocks(const MachineTrace& machine) {
    constexpr double kOfWord = 46, kOfTwoWords = 64;
    double all = 0, clocks = 0;
    for (std::size_t i = 0; i < machine.counts.size(); ++i) {
        const std::string_view name = machine.kernel->instructions[i].name;
        if (!name.starts_with("ATOMS.")) continue;
        const double lanes = to_double(machine.counts[i].lanes_on);
        all += lanes;
        if (name.find(".CAS") != name.npos) clocks += lanes * (name.find(".64") != name.npos ? kOfTwoWords : kOfWord);
    }
    return all > 0 ? clocks / all : 0;
}

double waits_for_loads(const MachineTrace& machine) {
    const std::vector<bool> waits = waits_for_loads(*machine.kernel);
    double executed = 0;
    for (std::size_t i = 0; i < machine.counts.size(); ++i)
        if (waits[i]) executed += to_double(machine.counts[i].executed);
    return executed;
}

/// The load before an instruction that is of the same address, as far as registers tell; null where there is none.
const MachineCount* load_before(const MachineTrace& machine, std::size_t at) {
    const auto& all = machine.kernel->instructions;
    const auto base_of = [](const MachineInstruction& instruction) -> std::optional<unsigned> {
        for (const MachineOperand& operand : parse_operands(instruction.operands))
            if (operand.is(MachineOperand::Kind::memory)) return operand.base;
        return std::nullopt;
    };
    const auto base = base_of(all[at]);
    while (at-- != 0)
        if ((all[at].name.starts_with("LDG") || all[at].name.starts_with("LD.")) && base_of(all[at]) == base)
            return &machine.counts[at];
    return nullptr;
}

/// Loops of compare-and-swap. The traced lanes come one after the other; on a GPU those that begin together read the
/// same value, and all of them try. Where fewer swap in another order (`varied`), a lane gives up that sees what others
/// left, as for the largest value of all.
void read_swaps(const KernelTrace& launch, double lanes_of_updates, Demand& d) {
    const MachineTrace& machine = *launch.machine;
    const std::vector<bool> retried = retried_swaps(*machine.kernel);
    for (std::size_t i = 0; i < machine.counts.size(); ++i) {
        if (!retried[i]) continue;
        // Of the lanes of an execution the first one succeeds.
        const auto swaps = to_double(machine.counts[i].executed);
        const MachineCount* const load = load_before(machine, i);
        d.swapping_lanes += std::max(swaps, load ? to_double(load->lanes_on) : 0);
        d.swaps += swaps;
    }
    if (d.swaps == 0) return;
    const std::uint64_t all = sum(machine).global_atomics.requests;
    const bool gives_up = std::ranges::any_of(
        machine.varied, [&](const KernelCounters& varied) { return varied.global_atomics.requests < all; });
    const double at_one_place =
        lanes_of_updates > 0 ? std::min(1.0, to_double(launch.pace.hottest_turns) / lanes_of_updates) : 1;
    d.swapping_lanes *= at_one_place;
    d.swaps *= gives_up ? 0 : at_one_place;
}

GlobalCounters updates_of(const KernelCounters& c) {
    GlobalCounters both = c.global_atomics;
    both.add(c.global_reductions);
    return both;
}

/// What an SM's warps share of L1 and all of them of L2; `resident` blocks are on an SM.
CacheShare cache_share(const KernelTrace& launch, const Gpu& gpu, double resident, double shared_bytes) {
    const KernelCounters c = launch.counters();
    const double blocks = std::max(1.0, to_double(launch.shape.blocks()));
    const double sectors = to_double(c.global_loads.sectors + c.texture_fetches.sectors);
    const double lines = to_double(c.global_loads.lines + c.texture_fetches.lines);
    return {.warps = resident * launch.shape.warps_per_block(),
            .l1_bytes = std::max(16.0 * 1024, kL1Bytes - shared_bytes * resident),
            // L1 makes room by lines.
            .bytes_each = kSector * std::clamp(4 * lines / std::max(1.0, sectors), 1.0, 4.0),
            .sms = std::min(to_double(static_cast<std::uint64_t>(gpu.sms)), blocks),
            .l2_bytes = kKeptByL2 * static_cast<double>(gpu.l2_bytes),
            .block_bytes = to_double(launch.footprint_read + launch.footprint_written) / blocks};
}

/// The part that L1 still has of what a block had loaded before.
double kept_by_l1(const KernelTrace& launch, const CachedLoads& cached) {
    const KernelCounters c = launch.counters();
    const std::uint64_t again = c.global_loads.repeated_sectors + c.texture_fetches.repeated_sectors;
    return launch.reuse.sectors == 0 || again == 0 ? 1
                                                   : cached.in_l1 * to_double(launch.reuse.sectors) / to_double(again);
}

/// How many more loads the code has than the source, by what of them is counted: those of tables in headers (states of
/// random generators, sines), which are small and stay in L1.
double beyond_source(const MetricInputs& in, const GlobalCounters& written, std::uint64_t GlobalCounters::*count) {
    const std::uint64_t all = in.counters.global_loads.*count;
    return in.of_machine_code && all > written.*count ? to_double(all - written.*count) : 0;
}

/// Clocks of the round trips that warps wait for: a wait takes as long as the slowest load of those it is for, so that
/// of all loads the slowest are waited for, as many as there are waits for each (`waits`, 1: every load by itself).
/// What several warps or blocks load in the same turn comes for all of them when it comes for the first; `in_step` is
/// the part of the blocks that begin together; `textures`: fetches are waited for as loads are; `of_tables`: requests
/// of loads that the code alone has, beside those of the trace.
double waited_latency(const KernelTrace& launch, double kept, double in_step, double waits, bool textures,
                      double of_tables) {
    struct Kind {
        double latency, requests;
    };
    std::vector<Kind> kinds = {{kL1Latency, of_tables}};
    double all = of_tables;
    for (const PlacedSite& placed : launch.sites) {
        const bool loads = placed.site.kind == EventKind::load && placed.site.space == Space::global;
        if (!loads && !(textures && placed.site.space == Space::texture)) continue;
        const GlobalCounters& c = placed.site.global;
        if (c.sectors == 0) continue;
        const double sectors = to_double(c.sectors), repeated = to_double(c.repeated_sectors);
        const double in_l1 = kept * repeated, together = kept * to_double(c.together_sectors);
        const double fresh = sectors - repeated;
        const double first = to_double(c.first_sectors) + in_step * to_double(c.along_sectors);
        const double of_memory = fresh > 0 ? std::min(1.0, first / fresh) : 0;
        const double requests = to_double(c.requests) / sectors, slow = fresh + together;
        kinds.push_back({kMemoryLatency, slow * of_memory * requests});
        kinds.push_back({kL2Latency, (slow * (1 - of_memory) + std::max(0.0, repeated - in_l1)) * requests});
        kinds.push_back({kL1Latency, (in_l1 - together) * requests});
        all += to_double(c.requests);
    }
    if (all == 0) return kL2Latency;
    std::ranges::sort(kinds, std::greater{}, &Kind::latency);
    double waited = waits * all, sum = 0;
    for (const Kind& kind : kinds) {
        const double counted = std::min(waited, kind.requests);
        sum += counted * kind.latency;
        waited -= counted;
    }
    return sum / (waits * all);
}

bool is_floating(DType dtype) { return name_of(dtype).find("float") != std::string_view::npos; }

/// Bytes that come from memory: once each where L2 has room for what the launch touches, else again for the part of the
/// reuse that L2 cannot hold.
double read_of_memory(double first, double all, double touched, double l2_bytes) {
    return first + std::max(0.0, all - first) * (1 - kept_part(touched, kKeptByL2 * l2_bytes));
}

constexpr DemandFigure kFigures[] = {
    {"blocks", &Demand::blocks},
    {"warps_per_block", &Demand::warps_per_block},
    {"resident_blocks", &Demand::resident_blocks},
    {"room_for_warps", &Demand::room_for_warps},
    {"instructions", &Demand::instructions},
    {"of_code", &Demand::of_code},
    {"steps", &Demand::steps},
    {"accesses", &Demand::accesses},
    {"host_instructions", &Demand::host_instructions},
    {"pipe_clocks", &Demand::pipe_clocks},
    {"flop_clocks", &Demand::flop_clocks},
    {"load_requests", &Demand::load_requests},
    {"load_lines", &Demand::load_lines},
    {"store_requests", &Demand::store_requests},
    {"store_lines", &Demand::store_lines},
    {"l2_read_sectors", &Demand::l2_read_sectors},
    {"l2_read_lines", &Demand::l2_read_lines},
    {"written_sectors", &Demand::written_sectors},
    {"written_lines", &Demand::written_lines},
    {"partly_written_sectors", &Demand::partly_written_sectors},
    {"memory_read_sectors", &Demand::memory_read_sectors},
    {"memory_written_sectors", &Demand::memory_written_sectors},
    {"link_read", &Demand::link_read},
    {"link_written", &Demand::link_written},
    {"faulted", &Demand::faulted},
    {"first_read_sectors", &Demand::first_read_sectors},
    {"atomic_requests", &Demand::atomic_requests},
    {"atomic_addresses", &Demand::atomic_addresses},
    {"atomic_lanes", &Demand::atomic_lanes},
    {"hottest_turns", &Demand::hottest_turns},
    {"hottest_sectors", &Demand::hottest_sectors},
    {"swapping_lanes", &Demand::swapping_lanes},
    {"swaps", &Demand::swaps},
    {"block_atomic_requests", &Demand::block_atomic_requests},
    {"block_atomic_turns", &Demand::block_atomic_turns},
    {"atomics_of_integers", &Demand::atomics_of_integers},
    {"shared_requests", &Demand::shared_requests},
    {"shared_wavefronts", &Demand::shared_wavefronts},
    {"shared_atomic_wavefronts", &Demand::shared_atomic_wavefronts},
    {"shared_atomic_requests", &Demand::shared_atomic_requests},
    {"shared_turns", &Demand::shared_turns},
    {"spinning_clocks", &Demand::spinning_clocks},
    {"matches", &Demand::matches},
    {"matched", &Demand::matched},
    {"stall_clocks", &Demand::stall_clocks},
    {"constant_passes", &Demand::constant_passes},
    {"local_requests", &Demand::local_requests},
    {"texture_requests", &Demand::texture_requests},
    {"barriers", &Demand::barriers},
    {"meetings", &Demand::meetings},
    {"clock_waits", &Demand::clock_waits},
    {"longest_clock_wait", &Demand::longest_clock_wait},
    {"printed_by_threads", &Demand::printed_by_threads},
    {"printed_by_warps", &Demand::printed_by_warps},
    {"most_printed", &Demand::most_printed},
    {"host_waited", &Demand::host_waited},
    {"in_graph", &Demand::in_graph},
    {"longest_warp", &Demand::longest_warp},
    {"load_latency", &Demand::load_latency},
    {"waits_per_load", &Demand::waits_per_load},
    {"load_bytes", &Demand::load_bytes},
};

}  // namespace

std::span<const DemandFigure> demand_figures() { return kFigures; }

namespace {

/// Where each warp loads but once, there is more with more blocks. In loops, what is loaded for the first time grows as
/// what there is to read, and what is loaded again as the operations.
double growth_of_loads(const KernelTrace& launch, const Stretch& more) {
    const std::uint64_t warps = launch.shape.blocks() * launch.shape.warps_per_block();
    double once = 0, in_loops = 0;
    for (const PlacedSite& placed : launch.sites)
        if (placed.site.kind == EventKind::load && placed.site.space == Space::global)
            (placed.site.global.requests <= warps ? once : in_loops) += to_double(placed.site.global.sectors);
    if (once + in_loops == 0) return more.work;
    const double first = std::min(1.0, to_double(launch.footprint_read) / kSector / (once + in_loops));
    return (once * more.blocks + in_loops * (first * more.read + (1 - first) * more.work)) / (once + in_loops);
}

/// The compiler keeps an array of each thread in memory, not in registers: it says so where it was asked.
bool arrays_in_memory(const Explanation& explanation, const KernelTrace& launch, const Gpu& gpu) {
    const KernelRecord* const record = find_record(explanation, launch.shape, gpu.capability);
    return record && (record->stack_bytes > 0 || record->spill_load_bytes > 0 || record->spill_store_bytes > 0);
}

/// What adds up over the blocks of a launch. These are scaled before others are computed from them, each group by its
/// own growth.
constexpr double Demand::*kSumsOfAccesses[] = {&Demand::instructions,    &Demand::steps,
                                               &Demand::accesses,        &Demand::host_instructions,
                                               &Demand::pipe_clocks,     &Demand::load_requests,
                                               &Demand::load_lines,      &Demand::store_requests,
                                               &Demand::store_lines,     &Demand::l2_read_sectors,
                                               &Demand::l2_read_lines,   &Demand::written_sectors,
                                               &Demand::written_lines,   &Demand::partly_written_sectors,
                                               &Demand::texture_requests};
/// And these, which grow as the work does.
constexpr double Demand::*kSumsOfWork[] = {&Demand::atomic_requests,
                                           &Demand::atomic_addresses,
                                           &Demand::atomic_lanes,
                                           &Demand::hottest_turns,
                                           &Demand::hottest_sectors,
                                           &Demand::swapping_lanes,
                                           &Demand::swaps,
                                           &Demand::block_atomic_requests,
                                           &Demand::block_atomic_turns,
                                           &Demand::shared_requests,
                                           &Demand::shared_wavefronts,
                                           &Demand::shared_atomic_wavefronts,
                                           &Demand::shared_turns,
                                           &Demand::shared_atomic_requests,
                                           &Demand::matches,
                                           &Demand::matched,
                                           &Demand::stall_clocks,
                                           &Demand::constant_passes,
                                           &Demand::local_requests,
                                           &Demand::barriers,
                                           &Demand::meetings};
template <class Visit>
void for_each_sum(Visit visit) {
    for (double Demand::*const sum : kSumsOfAccesses) visit(sum);
    for (double Demand::*const sum : kSumsOfWork) visit(sum);
}

/// Blocks that an SM would hold if it took any number of them.
double room_for_blocks(const Occupancy& held) {
    int blocks = Occupancy::kUnlimited;
    for (const Limiter limiter : kLimiters)
        if (limiter != Limiter::blocks) blocks = std::min(blocks, held.allows(limiter));
    return std::max(1, blocks);
}

/// Of one launch; `share` is the part of the algorithm's operations that is the launch's.
Demand demand_of(const Explanation& explanation, const KernelTrace& launch, const Gpu& gpu, double share,
                 const Stretch& more) {
    MetricInputs in = metric_inputs(explanation, launch, gpu.limits());
    if (!in.resources) in.resources = resources_of(in.shape, kUsualRegisters);
    const KernelCounters& c = in.counters;
    // What a block had loaded before is counted as written.
    const GlobalCounters written_loads = launch.counters().global_loads;
    const GlobalCounters updates = updates_of(c);
    Demand d;
    const double traced_blocks = std::max(1.0, to_double(in.shape.blocks()));
    d.blocks = traced_blocks;
    d.warps_per_block = in.shape.warps_per_block();
    const Occupancy held = occupancy(gpu.limits(), *in.resources);
    d.resident_blocks = std::max(1, held.blocks);
    d.room_for_warps = d.warps_per_block * room_for_blocks(held);
    read_steps(launch, d);
    d.blocks *= more.blocks;
    if (in.of_machine_code) {
        d.of_code = 1;
        d.instructions = to_double(c.branch.entries);
        d.pipe_clocks = pipe_clocks(*launch.machine, gpu);
        read_code(*launch.machine, d);
    }
    d.flop_clocks =
        share * to_double(explanation.work.flops) / 2 / gpu.multiply_adds_per_clock(explanation.problem.dtype);
    unroll_arithmetic(d, d.flop_clocks * gpu.multiply_adds_per_clock(explanation.problem.dtype) / kLanes);
    d.load_requests = to_double(c.global_loads.requests);
    d.load_lines = to_double(c.global_loads.lines);
    // Machine code is followed without textures: what is fetched is counted as written.
    const GlobalCounters fetches = launch.counters().texture_fetches;
    d.texture_requests = to_double(fetches.requests);
    const double asked = d.load_requests + to_double(updates.requests) + d.texture_requests;
    if (in.of_machine_code && asked > 0) d.waits_per_load = std::min(1.0, waits_for_loads(*launch.machine) / asked);
    d.store_requests = to_double(c.global_stores.requests);
    d.store_lines = to_double(c.global_stores.lines);
    const double shared_bytes = static_cast<double>(in.resources->shared());
    const double resident = std::min(d.resident_blocks, std::max(1.0, d.blocks / gpu.sms));
    const CacheShare caches = cache_share(launch, gpu, resident, shared_bytes);
    const CachedLoads cached = cached_loads(launch.reuse, caches);
    const double kept = kept_by_l1(launch, cached);
    const double repeated = kept * per(written_loads.repeated_sectors, written_loads.sectors);
    const auto beyond = [&](std::uint64_t GlobalCounters::*count) { return beyond_source(in, written_loads, count); };
    d.l2_read_sectors = (to_double(c.global_loads.sectors) - beyond(&GlobalCounters::sectors)) * (1 - repeated);
    d.l2_read_lines = (d.load_lines - beyond(&GlobalCounters::lines)) * (1 - repeated);
    if (fetches.sectors > 0) {
        const double fresh = 1 - kept * per(fetches.repeated_sectors, fetches.sectors);
        d.l2_read_sectors += to_double(fetches.sectors) * fresh;
        d.l2_read_lines += to_double(fetches.lines) * fresh;
    }
    d.written_sectors = to_double(c.global_stores.sectors);
    d.written_lines = d.store_lines;
    d.partly_written_sectors = std::max(0.0, d.written_sectors - to_double(c.global_stores.bytes) / kSector);
    for (double Demand::*const grows :
         {&Demand::instructions, &Demand::steps, &Demand::accesses, &Demand::host_instructions, &Demand::pipe_clocks,
          &Demand::flop_clocks, &Demand::texture_requests})
        d.*grows *= more.work;
    const double loads = growth_of_loads(launch, more);
    for (double Demand::*const grows :
         {&Demand::load_requests, &Demand::load_lines, &Demand::l2_read_sectors, &Demand::l2_read_lines})
        d.*grows *= loads;
    for (double Demand::*const grows : {&Demand::store_requests, &Demand::store_lines, &Demand::written_sectors,
                                        &Demand::written_lines, &Demand::partly_written_sectors})
        d.*grows *= more.blocks;
    const double touched = to_double(in.footprint_read) * more.read + to_double(in.footprint_written) * more.blocks;
    const auto l2 = static_cast<double>(gpu.l2_bytes);
    const double first =
        more.read * std::max(to_double(launch.footprint_pairs), to_double(in.footprint_read)) / kSector;
    const double written = more.blocks * to_double(in.footprint_written) / kSector;
    d.first_read_sectors = more.read * to_double(in.footprint_read) / kSector;
    // How far apart the loads of one place are in a larger problem, the smaller one does not tell.
    d.memory_read_sectors = explanation.timed
                                ? read_of_memory(first, std::max(first, d.l2_read_sectors), touched, l2)
                                : first + cached.lost_by_l2 * to_double(c.global_loads.sectors + fetches.sectors);
    d.memory_written_sectors = explanation.timed
                                   ? read_of_memory(written, std::max(written, d.written_sectors), touched, l2)
                                   : written + lost_by_l2(launch.reuse.stored_by_blocks, caches);
    // A request's scope is counted as written.
    d.block_atomic_requests = std::min(to_double(updates.requests), to_double(launch.pace.block_requests));
    d.block_atomic_turns = to_double(launch.pace.block_turns);
    const double beyond_block = updates.requests == 0 ? 0 : 1 - d.block_atomic_requests / to_double(updates.requests);
    d.atomic_requests = beyond_block * to_double(updates.requests);
    d.atomic_addresses = beyond_block * to_double(updates.distinct_addresses);
    d.atomic_lanes = beyond_block * to_double(updates.lanes);
    d.hottest_turns = to_double(launch.pace.hottest_turns);
    d.hottest_sectors = to_double(launch.pace.hottest_sectors);
    d.atomics_of_integers = is_floating(explanation.problem.dtype) ? 0 : 1;
    if (in.of_machine_code) {
        read_swaps(launch, to_double(updates_of(launch.counters()).lanes), d);
        // A warp's lanes take turns at each word, and its block's warps at the busiest.
        d.spinning_clocks =
            spin_clocks(*launch.machine) *
            (to_double(launch.pace.shared_same) / d.warps_per_block + to_double(launch.pace.busiest_words)) /
            traced_blocks;
    }
    d.shared_requests = to_double(c.shared_loads.requests + c.shared_stores.requests + c.shared_atomics.requests);
    d.shared_wavefronts = to_double(c.shared_loads.wavefronts + c.shared_stores.wavefronts);
    d.shared_atomic_wavefronts = to_double(c.shared_atomics.wavefronts);
    d.shared_atomic_requests = to_double(c.shared_atomics.requests);
    d.shared_turns = to_double(launch.pace.shared_turns) * (in.of_machine_code ? 1 - counted_up(*launch.machine) : 1);
    d.constant_passes = to_double(c.constant.distinct_addresses);
    if (in.of_machine_code)
        d.local_requests = to_double(c.local_loads.requests + c.local_stores.requests);
    else if (!arrays_in_memory(explanation, launch, gpu))
        d.local_requests = 0;
    d.barriers = to_double(launch.pace.barriers);
    d.meetings = to_double(launch.pace.meetings);
    d.clock_waits = static_cast<double>(launch.clock_waits);
    d.longest_clock_wait = static_cast<double>(launch.longest_clock_wait);
    d.printed_by_threads = to_double(launch.printed_by_threads);
    d.printed_by_warps = to_double(launch.printed_by_warps);
    d.most_printed = to_double(launch.most_printed);
    for (double Demand::*const grows : kSumsOfWork) d.*grows *= more.work;
    const double warps = traced_blocks * d.warps_per_block, steps = to_double(launch.counters().branch.entries);
    if (in.of_machine_code && launch.machine->longest_warp != 0)
        d.longest_warp = std::max(1.0, to_double(launch.machine->longest_warp) * warps / to_double(c.branch.entries));
    else if (steps > 0)
        d.longest_warp = std::max(1.0, to_double(launch.longest_warp) * warps / steps);
    const double in_step = std::min(1.0, d.resident_blocks * gpu.sms / d.blocks);
    const bool ordered = d.waits_per_load > 0;
    d.load_latency = waited_latency(launch, kept, in_step, ordered ? d.waits_per_load : 1, ordered,
                                    beyond(&GlobalCounters::requests));
    if (c.global_loads.lanes != 0) d.load_bytes = to_double(c.global_loads.bytes) / to_double(c.global_loads.lanes);
    return d;
}

/// The line through (x1, y1) and (x2, y2), at x; never less than nothing.
double extrapolated(double x1, double y1, double x2, double y2, double x) {
    return x1 == x2 ? y2 : std::max(0.0, y2 + (y2 - y1) / (x2 - x1) * (x - x2));
}

/// A launch whose grid follows the GPU, not the problem: how many blocks the timed problem gets, the GPU being full.
struct FollowedGrid {
    double traced = 0, on_one_sm = 0, timed = 0;
};

/// `held`: blocks that an SM holds. Whoever asks the simt device for them is answered without the kernel's registers,
/// which only the compiler knows; a GPU answers with them.
std::optional<FollowedGrid> followed_grid(const KernelTrace& launch, const KernelTrace& on_one_sm, const Gpu& gpu,
                                          double growth, double held) {
    const double traced = to_double(launch.shape.blocks()), one = to_double(on_one_sm.shape.blocks());
    if (one >= traced) return std::nullopt;
    const bool asked = one == occupancy(gpu.limits(), resources_of(on_one_sm.shape, 0)).blocks;
    return FollowedGrid{traced, one, std::min(traced * growth, (asked ? std::min(one, held) : one) * gpu.sms)};
}

double asked_of_memory(const Demand& d) {
    return d.load_requests + d.atomic_requests + d.block_atomic_requests + d.texture_requests;
}
double waits_of(const Demand& d) { return d.waits_per_load * asked_of_memory(d); }

/// Stretches all sums, and the waits for loads, of which an unrolled loop's turns have fewer for each than what is left
/// of a short one: `stretched` says what becomes of one that is known of two traces.
template <class Stretched>
void stretch_sums(Demand& d, const Demand& one, const Demand& other, Stretched stretched) {
    for_each_sum([&](double Demand::*sum) { d.*sum = stretched(one.*sum, other.*sum); });
    if (one.waits_per_load > 0 && other.waits_per_load > 0 && asked_of_memory(d) > 0)
        d.waits_per_load = std::min(1.0, stretched(waits_of(one), waits_of(other)) / asked_of_memory(d));
}

/// A block's share of the work grows where the grid does not: what a block does follows its share, as two traces of
/// different grids tell.
void stretch_by_blocks(Demand& d, const Demand& traced, const Demand& on_one_sm, const FollowedGrid& grid,
                       double work) {
    d.blocks = grid.timed;
    stretch_sums(d, traced, on_one_sm, [&](double all, double of_one) {
        return grid.timed * extrapolated(1 / grid.traced, all / grid.traced, 1 / grid.on_one_sm,
                                         of_one / grid.on_one_sm, work / grid.timed);
    });
    d.longest_warp = on_one_sm.longest_warp;
}

/// What a thread does once, before and behind its turns, does not grow with them: what a block does follows its
/// operations, along the line through two traces, the shorter of which has `shorter` of the operations.
void stretch_by_turns(Demand& d, const Demand& traced, const Demand& fewer, double shorter, const Stretch& more) {
    stretch_sums(d, traced, fewer, [&](double all, double less) {
        return more.blocks * extrapolated(shorter, less, 1, all, more.work / more.blocks);
    });
    d.memory_read_sectors = std::min(d.memory_read_sectors, std::max(d.first_read_sectors, d.l2_read_sectors));
}

/// A launch that goes on with what the blocks of an earlier one left grows with their number.
void stretch_by_earlier(Demand& d, const Demand& traced, const Demand& on_one_sm, const FollowedGrid& earlier) {
    d.blocks = traced.blocks;
    const auto follow = [&](double Demand::*sum) {
        d.*sum = extrapolated(earlier.on_one_sm, on_one_sm.*sum, earlier.traced, traced.*sum, earlier.timed);
    };
    for_each_sum(follow);
    // It reads those blocks' results, not the problem.
    for (double Demand::*const sum :
         {&Demand::first_read_sectors, &Demand::memory_read_sectors, &Demand::memory_written_sectors})
        follow(sum);
}

}  // namespace

double indexed_on_stack(const PlacedSite& placed) {
    if (placed.site.kind != EventKind::path || placed.emulates) return 0;
    return to_double(placed.site.branch.entries) * placed.indexed_on_stack;
}
double indexed_on_stack(const KernelTrace& launch) {
    double all = 0;
    for (const PlacedSite& placed : launch.sites) all += indexed_on_stack(placed);
    return all;
}

namespace {

/// What kernels reach of the host's memory does not come from the device's.
void add_link(std::vector<Demand>& demands, const StreamTrace& streams, const Stretch& more) {
    for (std::size_t i = 0; i < streams.launches.size(); ++i) {
        const std::optional<std::size_t> launch = streams.launches[i];
        if (!launch || *launch >= demands.size()) continue;
        const StreamTask& task = streams.work.tasks[i];
        Demand& d = demands[*launch];
        d.link_read = more.read * to_double(task.read_over_link);
        d.link_written = more.blocks * to_double(task.written_over_link);
        d.faulted = std::max(more.read, more.blocks) * to_double(task.faulted);
        d.memory_read_sectors = std::max(0.0, d.memory_read_sectors - d.link_read / kSector);
        d.memory_written_sectors = std::max(0.0, d.memory_written_sectors - d.link_written / kSector);
    }
}

/// What begins each launch: the host that has waited for earlier work, the host that has not, or the graph.
void mark_starts(std::vector<Demand>& demands, const StreamTrace& streams) {
    bool waited = false;
    for (const HostCall& call : streams.work.calls) {
        for (std::size_t task = call.first; task != call.end; ++task) {
            const std::optional<std::size_t> launch = streams.launches[task];
            if (!launch || *launch >= demands.size()) continue;
            demands[*launch].host_waited = task == call.first && waited;
            demands[*launch].in_graph = task != call.first;
        }
        waited = !call.waits_for.empty() || (waited && call.first == call.end);
    }
}

}  // namespace

std::vector<Demand> demands_of(const Explanation& explanation, const Gpu& gpu) {
    // Operations go where the instructions are.
    std::vector<double> entries;
    double all = 0;
    for (const KernelTrace& launch : explanation.kernels) {
        entries.push_back(to_double(launch.counters().branch.entries));
        all += entries.back();
    }
    const Stretch more = stretch_of(explanation);
    const bool both = explanation.timed && explanation.on_one_sm.size() == explanation.kernels.size();
    const bool turns = explanation.timed && explanation.fewer_turns.size() == explanation.kernels.size();
    const double shorter = 1 / growth(explanation.work.flops, explanation.work_of_fewer_turns.flops);
    std::optional<FollowedGrid> earlier;
    std::vector<Demand> demands;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const KernelTrace& launch = explanation.kernels[i];
        const double share = all > 0 ? entries[i] / all : 1.0 / to_double(entries.size());
        demands.push_back(demand_of(explanation, launch, gpu, share, more));
        const auto pure = [&](const KernelTrace& trace, double part = 1) {
            return demand_of(explanation, trace, gpu, part * share, {});
        };
        if (turns && explanation.fewer_turns[i].shape.blocks() == launch.shape.blocks())
            stretch_by_turns(demands.back(), pure(launch), pure(explanation.fewer_turns[i], shorter), shorter, more);
        if (!both) continue;
        const KernelTrace& small = explanation.on_one_sm[i];
        const auto grid = followed_grid(launch, small, gpu, more.blocks, demands.back().resident_blocks);
        if (grid) {
            stretch_by_blocks(demands.back(), pure(launch), pure(small), *grid, more.work);
            earlier = grid;
        } else if (earlier) {
            stretch_by_earlier(demands.back(), pure(launch), pure(small), *earlier);
        }
    }
    if (!explanation.streams) return demands;
    mark_starts(demands, *explanation.streams);
    add_link(demands, *explanation.streams, more);
    return demands;
}

}  // namespace lanework

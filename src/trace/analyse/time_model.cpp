// Rates of L2, memory and atomics are an H200's (results/h200/gpu-parameters.csv), and other GPUs' in proportion to
// their published clock, multiprocessors and bandwidth. What shared atomics and matches take is an H100's
// (results/h100/gpu-parameters.csv). The rest of the parameters was chosen by hand.
#include "src/trace/analyse/time_model.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "src/gpu/memory_units.hpp"

namespace lanework {
namespace {

constexpr TimeParameter kParameters[] = {
    {"warp_instructions", &TimeParameters::warp_instructions},
    {"access_instructions", &TimeParameters::access_instructions},
    {"host_instructions", &TimeParameters::host_instructions},
    {"step_instructions", &TimeParameters::step_instructions},
    {"issue_rate", &TimeParameters::issue_rate},
    {"compute_reach", &TimeParameters::compute_reach},
    {"request_clocks", &TimeParameters::request_clocks},
    {"line_clocks", &TimeParameters::line_clocks},
    {"wavefront_clocks", &TimeParameters::wavefront_clocks},
    {"shared_atomic_clocks", &TimeParameters::shared_atomic_clocks},
    {"integer_pass_clocks", &TimeParameters::integer_pass_clocks},
    {"float_pass_clocks", &TimeParameters::float_pass_clocks},
    {"constant_clocks", &TimeParameters::constant_clocks},
    {"match_clocks", &TimeParameters::match_clocks},
    {"match_group_clocks", &TimeParameters::match_group_clocks},
    {"block_atomic_clocks", &TimeParameters::block_atomic_clocks},
    {"instruction_latency", &TimeParameters::instruction_latency},
    {"loads_in_flight", &TimeParameters::loads_in_flight},
    {"shared_latency", &TimeParameters::shared_latency},
    {"barrier_latency", &TimeParameters::barrier_latency},
    {"meeting_latency", &TimeParameters::meeting_latency},
    {"sharpness", &TimeParameters::sharpness},
    {"first_launch", &TimeParameters::first_launch},
    {"further_launch", &TimeParameters::further_launch},
    {"waited_launch", &TimeParameters::waited_launch},
    {"graph_launch", &TimeParameters::graph_launch},
    {"lone_access", &TimeParameters::lone_access},
    {"lone_access_of_all", &TimeParameters::lone_access_of_all},
    {"block_clocks", &TimeParameters::block_clocks},
    {"dispatch_clocks", &TimeParameters::dispatch_clocks},
};

// An H200's, from the micro-benchmarks; reciprocal rates of whole lines and of lone sectors, solved for the two.
namespace measured {
constexpr double kSms = 132, kClock = 1.98e9, kBandwidth = 4.8e12;
constexpr double kL2ReadSector = 2.8e-12, kL2ReadLine = 3.8e-12;    // 2.7e11 and 1.53e11 sectors/s
constexpr double kL2WriteSector = 4.9e-12, kL2WriteLine = 8.9e-12;  // 1.40e11 and 0.73e11
constexpr double kMemoryRead = 1 / 1.387e11, kMemoryWrite = 1 / 1.308e11;
constexpr double kPartlyWritten = 1 / 0.626e11 - 1 / 1.308e11;  // more, of a sector that is written in part
constexpr double kAtomicRequest = 1 / 1.5e10, kSpreadTurn = 1 / (32 * 2.4e9);  // a cell a lane; a cell a warp
// One cell: a turn of an integer, of a float; a sector of the busiest region: 32 cells, and 256 of which a warp
// takes 32.
constexpr double kIntegerTurn = 1 / (32 * 4.23e7), kFloatTurn = 1 / (32 * 1.77e7), kAtomicSector = 1 / (4 * 4.15e8);
constexpr double kL1Latency = 41;
// Of L2's bytes, those that wait to be written back when a kernel ends: what Nsight Compute counts of kernels that
// write 32 to 64 MiB (dram__bytes_write.sum; results/h100/program-times.json).
constexpr double kStaysInL2 = 0.36;
// An H100's (results/h100/gpu-parameters.csv), like what begins a launch: clocks of an SM for a request of atomics for
// a block alone, beside what each turn takes.
constexpr double kBlockAtomicRequest = 26;
// Of 16384 lanes that swap at one place one succeeds in 1.93 µs, of 256 one in 0.24.
constexpr double kSwapsOfATurn = 6.3, kSwapTrip = 0.24e-6;
// Of the host's memory: the part of the link's published rate, and what a load takes longer than one of memory.
constexpr double kReachOfLink = 5.2e10 / 64e9, kLinkLatency = 1.664e-6;
// A warp's line of what it prints, another warp's line meanwhile, and more for each of its lanes
// (results/h200/printing.csv).
constexpr double kPrintedLine = 20.3e-6, kPrintingWarp = 1.5e-6, kPrintingLane = 0.25e-6;
}  // namespace measured

/// Clocks of a texture fetch of a warp: results/h200/coefficients.json, texture_coefficients.
constexpr double kTextureClocks = 4;

/// Clocks that a request waits longer for each further pass; chosen by hand.
constexpr double kPassLatency = 2;

double power_sum(std::span<const double> parts, double sharpness) {
    const double most = *std::ranges::max_element(parts);
    if (most <= 0) return 0;
    double sum = 0;
    for (const double part : parts) sum += std::pow(part / most, sharpness);
    return most * std::pow(sum, 1 / sharpness);
}

/// One launch.
class LaunchTime {
public:
    LaunchTime(const Demand& demand, const Gpu& gpu, const TimeParameters& parameters)
        : d_(demand), gpu_(gpu), p_(parameters) {}

    double memory() const {
        // L2 keeps what was written last, and the kernel ends without it.
        const double written =
            std::max(0.0, d_.memory_written_sectors - measured::kStaysInL2 * static_cast<double>(gpu_.l2_bytes) / 32);
        const double seconds = d_.memory_read_sectors * measured::kMemoryRead + written * measured::kMemoryWrite +
                               std::min(d_.partly_written_sectors, written) * measured::kPartlyWritten;
        return std::max(seconds * measured::kBandwidth / gpu_.memory_bandwidth / use_of_sms(), link());
    }
    double l2() const {
        const double seconds = d_.l2_read_sectors * measured::kL2ReadSector + d_.l2_read_lines * measured::kL2ReadLine +
                               d_.written_sectors * measured::kL2WriteSector +
                               d_.written_lines * measured::kL2WriteLine;
        return seconds * measured::kClock / gpu_.clock_hz * measured::kSms / gpu_.sms / use_of_sms();
    }
    double l1() const {
        const double requests = d_.load_requests + d_.store_requests + d_.local_requests;
        const double more_lines = std::max(0.0, d_.load_lines + d_.store_lines - d_.load_requests - d_.store_requests);
        return sm_seconds(requests * p_.request_clocks + more_lines * p_.line_clocks +
                          d_.constant_passes * p_.constant_clocks + d_.texture_requests * kTextureClocks);
    }
    double shared_memory() const {
        const double pass = d_.atomics_of_integers != 0 ? p_.integer_pass_clocks : p_.float_pass_clocks;
        return sm_seconds(d_.shared_wavefronts * p_.wavefront_clocks +
                          d_.shared_atomic_requests * p_.shared_atomic_clocks +
                          (d_.shared_atomic_wavefronts + d_.shared_turns) * pass);
    }
    double compute() const {
        const ArithmeticClocks clocks = arithmetic_clocks(d_, p_);
        return sm_seconds(std::max(clocks.issue, clocks.pipes));
    }
    double atomics() const {
        const double turns = d_.atomic_addresses > 0 ? d_.atomic_lanes / d_.atomic_addresses : 0;
        const double spread = d_.atomic_requests * std::max(measured::kAtomicRequest, turns * measured::kSpreadTurn);
        const double turn = d_.atomics_of_integers != 0 ? measured::kIntegerTurn : measured::kFloatTurn;
        const double same =
            std::max({d_.hottest_turns * turn, d_.hottest_sectors * measured::kAtomicSector, swapping()});
        return std::max(spread, same) * measured::kClock / gpu_.clock_hz +
               sm_seconds(d_.block_atomic_requests * measured::kBlockAtomicRequest +
                          d_.block_atomic_turns * p_.block_atomic_clocks);
    }
    double latency() const {
        const WarpChain chain = warp_chain(d_, p_);
        return std::max({rounds() * (chain.repeated() + chain.first_load),
                         d_.longest_warp * (chain.repeated() - chain.start) + chain.start,
                         d_.blocks * p_.dispatch_clocks}) /
               gpu_.clock_hz;
    }
    double clock() const {
        return std::max(d_.longest_clock_wait, rounds() * d_.clock_waits / d_.blocks) / gpu_.clock_hz;
    }
    /// A warp's lines one after the other, behind each other's places in the host's memory; other warps' in between.
    double printing() const {
        if (d_.printed_by_warps == 0) return 0;
        const double lanes = d_.printed_by_threads / d_.printed_by_warps;
        return d_.most_printed * measured::kPrintedLine +
               (d_.printed_by_warps - d_.most_printed) * (measured::kPrintingWarp + lanes * measured::kPrintingLane);
    }

private:
    /// Both ways at once.
    double link() const {
        const double bytes = std::max(d_.link_read, d_.link_written);
        if (bytes == 0 || gpu_.link_bandwidth == 0) return 0;
        return bytes / (measured::kReachOfLink * gpu_.link_bandwidth) + (d_.link_read > 0 ? measured::kLinkLatency : 0);
    }
    /// Loops of compare-and-swap at one place: each lane tries once, and all that are there try again for each that
    /// changes it, which but a few do in a turn of all.
    double swapping() const {
        const double lanes = d_.swapping_lanes;
        if (lanes == 0) return 0;
        const double resident = std::min(d_.blocks, gpu_.sms * d_.resident_blocks) * d_.warps_per_block * kLanes;
        const double at_once = std::min(lanes, resident),
                     waiting = at_once * (1 - at_once / (2 * std::max(lanes, d_.swaps)));
        return std::max((at_once + d_.swaps * waiting / measured::kSwapsOfATurn) * measured::kIntegerTurn,
                        d_.swaps * measured::kSwapTrip);
    }
    /// Times that an SM is filled with blocks: the last one counts as a whole.
    double rounds() const {
        const double filled = d_.blocks / (gpu_.sms * d_.resident_blocks);
        return filled <= 1 ? 1 : filled < 8 ? std::ceil(filled) : filled + 0.5;
    }
    double use_of_sms() const { return std::min(1.0, d_.blocks / gpu_.sms); }
    /// Clocks of all SMs together → seconds of the SM that has most of the blocks.
    double sm_seconds(double clocks) const {
        const double even = d_.blocks / gpu_.sms;
        const double most = even < 64 ? std::ceil(even) : even;
        return clocks * most / d_.blocks / gpu_.clock_hz;
    }

    const Demand& d_;
    const Gpu& gpu_;
    const TimeParameters& p_;
};

/// What a launch takes behind its start.
void add_launch(ModelledTime& all, const Demand& demand, const Gpu& gpu, const TimeParameters& parameters,
                double start) {
    const LaunchTime one(demand, gpu, parameters);
    const std::array<double, kBottlenecks - 1> parts = {one.memory(),        one.l2(),      one.l1(),
                                                        one.shared_memory(), one.compute(), one.atomics(),
                                                        one.latency(),       one.clock(),   one.printing()};
    for (std::size_t i = 0; i < parts.size(); ++i) all.parts_s[i] += parts[i];
    all.parts_s.back() += start;
    all.seconds += start + power_sum(parts, parameters.sharpness);
}

/// Clocks of the SMs for lanes that look for those which hold the same: one group after the other.
double matching(const Demand& d, const TimeParameters& p) {
    return d.matches * p.match_clocks + d.matched * p.match_group_clocks;
}

/// Loads of a warp in flight. In a loop that stores, the next turn's loads come behind the store: it may be of what
/// they read.
double loads_in_flight(const Demand& d, const TimeParameters& p) {
    const double turns = d.load_requests / (d.blocks * d.warps_per_block);
    if (d.store_requests <= 0 || turns <= p.loads_in_flight) return p.loads_in_flight;
    return std::clamp(d.load_requests / d.store_requests, 1.0, p.loads_in_flight);
}

}  // namespace

WarpChain warp_chain(const Demand& d, const TimeParameters& p) {
    const double warps = d.blocks * d.warps_per_block;
    // Passes over the banks beyond the first of each request.
    const double conflicts = std::max(0.0, d.shared_wavefronts - d.shared_requests);
    WarpChain chain;
    chain.issue = instructions_of(d, p) / warps;
    chain.fixed = d.stall_clocks > 0 ? std::max(0.0, d.stall_clocks / warps - chain.issue)
                                     : chain.issue * (p.instruction_latency - 1);
    const bool known = d.waits_per_load > 0;
    chain.global = (d.load_requests + d.atomic_requests + (known ? d.texture_requests : 0)) / warps * d.load_latency *
                       (known ? d.waits_per_load : 1 / loads_in_flight(d, p)) +
                   d.block_atomic_requests / warps * measured::kL1Latency;
    chain.first_load = d.load_requests > 0 && !known ? d.load_latency : 0;
    chain.local = (d.local_requests + (known ? 0 : d.texture_requests)) / warps * p.shared_latency;
    chain.shared = d.shared_requests / warps * p.shared_latency + conflicts / warps * kPassLatency + d.spinning_clocks;
    chain.meetings = d.meetings / warps * p.meeting_latency + matching(d, p) / warps;
    chain.barriers = d.barriers / d.blocks * p.barrier_latency;
    chain.start = p.block_clocks;
    return chain;
}

ArithmeticClocks arithmetic_clocks(const Demand& d, const TimeParameters& p) {
    return {instructions_of(d, p) / p.issue_rate,
            std::max({d.pipe_clocks, d.flop_clocks / p.compute_reach, matching(d, p)})};
}

double instructions_of(const Demand& d, const TimeParameters& p) {
    if (d.of_code != 0) return d.instructions;
    const double arithmetic =
        d.host_instructions != 0 ? d.host_instructions * p.host_instructions : d.steps * p.step_instructions;
    return d.blocks * d.warps_per_block * p.warp_instructions + d.accesses * p.access_instructions + arithmetic;
}

std::string_view name_of(Bottleneck bottleneck) {
    constexpr std::string_view names[] = {"memory",  "L2",      "L1",    "shared memory", "compute",
                                          "atomics", "latency", "clock", "printing",      "launch"};
    return names[static_cast<std::size_t>(bottleneck)];
}

TimeParameters::TimeParameters()
    : warp_instructions(20),
      access_instructions(2),
      host_instructions(1),
      step_instructions(2),
      issue_rate(2.5),
      compute_reach(0.7),
      request_clocks(2),
      line_clocks(1),
      wavefront_clocks(1),
      shared_atomic_clocks(2.8),
      integer_pass_clocks(1),
      float_pass_clocks(3.1),
      constant_clocks(2),
      match_clocks(3.2),
      match_group_clocks(2),
      block_atomic_clocks(5.7),
      instruction_latency(4),
      loads_in_flight(4),
      shared_latency(10),
      barrier_latency(30),
      meeting_latency(10),
      sharpness(2.5),
      first_launch(3.3e-6),
      further_launch(1.3e-6),
      waited_launch(8.7e-6),
      graph_launch(0.9e-6),
      lone_access(0.3e-6),
      lone_access_of_all(0.4e-6),
      block_clocks(250),
      dispatch_clocks(1.2) {}

std::span<const TimeParameter> time_parameters() { return kParameters; }

Bottleneck ModelledTime::bound() const {
    const auto last = parts_s.end() - 1;
    const auto longest = std::max_element(parts_s.begin(), last);
    constexpr double kCounts = 0.2;
    return *longest < kCounts * *last ? Bottleneck::launch : static_cast<Bottleneck>(longest - parts_s.begin());
}

ModelledTime time_of(std::span<const Demand> launches, const Gpu& gpu, const TimeParameters& parameters) {
    ModelledTime all;
    bool first = true;
    for (const Demand& demand : launches) {
        add_launch(all, demand, gpu, parameters,
                   first                     ? parameters.first_launch
                   : demand.host_waited != 0 ? parameters.waited_launch
                   : demand.in_graph != 0    ? parameters.graph_launch
                                             : parameters.further_launch);
        first = false;
    }
    return all;
}

ModelledTime duration_of(const Demand& launch, const Gpu& gpu, const TimeParameters& parameters) {
    ModelledTime alone;
    const bool reaches_memory =
        launch.load_requests + launch.store_requests + launch.atomic_requests + launch.texture_requests > 0;
    const double asking = std::min(1.0, launch.blocks / gpu.sms);
    const double translating = reaches_memory ? parameters.lone_access + asking * parameters.lone_access_of_all : 0;
    add_launch(alone, launch, gpu, parameters, gpu.lone_launch + translating);
    return alone;
}

}  // namespace lanework

// A launch takes longer than the chain of its warps where a part of the GPU has more to do: that time is spent in the
// part's queue.
#include "src/trace/analyse/warp_states.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "src/trace/analyse/time_model.hpp"

namespace lanework {
namespace {

constexpr double kSchedulers = 4;  // of an SM, since Volta

struct Words {
    std::string_view name, meaning;
};
constexpr Words kWords[] = {{"selected", "issues an instruction"},
                            {"not_selected", "ready, another warp is taken"},
                            {"wait", "its own instruction before"},
                            {"long_scoreboard", "global or local memory"},
                            {"short_scoreboard", "shared memory, shuffles"},
                            {"barrier", "other warps of the block"},
                            {"lg_throttle", "the queue of L1"},
                            {"mio_throttle", "the queue of shared memory"},
                            {"math_pipe_throttle", "an arithmetic pipe"}};
static_assert(std::size(kWords) == kWarpStates);

/// Where a warp is while a part of the GPU serves others.
WarpState queue_of(Bottleneck part, const Demand& demand, const TimeParameters& parameters) {
    const ArithmeticClocks arithmetic = arithmetic_clocks(demand, parameters);
    switch (part) {
        case Bottleneck::l1: return WarpState::lg_throttle;
        case Bottleneck::shared_memory: return WarpState::mio_throttle;
        case Bottleneck::compute:
            return arithmetic.issue >= arithmetic.pipes ? WarpState::not_selected : WarpState::math_pipe_throttle;
        default: return WarpState::long_scoreboard;
    }
}

/// The clocks of one launch's average warp.
class LaunchStates {
public:
    LaunchStates(const Demand& demand, const Gpu& gpu, const TimeParameters& parameters)
        : demand_(demand), gpu_(gpu), parameters_(parameters) {
        const WarpChain chain = warp_chain(demand, parameters);
        add(WarpState::selected, chain.issue);
        add(WarpState::wait, chain.fixed);
        add(WarpState::long_scoreboard, chain.global + chain.first_load + chain.local);
        add(WarpState::short_scoreboard, chain.shared + chain.meetings);
        add(WarpState::barrier, demand.barriers_of_a_block() * parameters.barrier_latency);
        add_queues(chain.repeated() + chain.first_load);
    }
    const std::array<double, kWarpStates>& clocks() const { return clocks_; }
    double resident() const { return demand_.warps_on_an_sm(gpu_) / kSchedulers; }

private:
    void add(WarpState state, double clocks) { clocks_[static_cast<std::size_t>(state)] += clocks; }

    /// What the launch takes beyond its chain, by the parts as they count in its time.
    void add_queues(double chain) {
        const ModelledTime time = time_of({&demand_, 1}, gpu_, parameters_);
        const double latency = time.part(Bottleneck::latency);
        if (latency <= 0) return;
        const double busy = time.seconds - time.part(Bottleneck::launch);
        const double waited = chain * std::max(0.0, busy / latency - 1);
        std::array<double, kBottlenecks> weights{};
        for (std::size_t i = 0; i < kBottlenecks; ++i) {
            const auto part = static_cast<Bottleneck>(i);
            if (part != Bottleneck::latency && part != Bottleneck::clock && part != Bottleneck::printing &&
                part != Bottleneck::launch)
                weights[i] = std::pow(time.parts_s[i] / busy, parameters_.sharpness);
        }
        const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
        if (all <= 0) return;
        for (std::size_t i = 0; i < kBottlenecks; ++i)
            add(queue_of(static_cast<Bottleneck>(i), demand_, parameters_), waited * weights[i] / all);
    }

    const Demand& demand_;
    const Gpu& gpu_;
    const TimeParameters& parameters_;
    std::array<double, kWarpStates> clocks_{};
};

}  // namespace

std::string_view name_of(WarpState state) { return kWords[static_cast<std::size_t>(state)].name; }
std::string_view meaning_of(WarpState state) { return kWords[static_cast<std::size_t>(state)].meaning; }
std::string metric_of(WarpState state) {
    return "smsp__average_warps_issue_stalled_" + std::string(name_of(state)) + "_per_issue_active.ratio";
}

double WarpStates::sum() const { return std::accumulate(clocks.begin(), clocks.end(), 0.0); }
double WarpStates::share(WarpState state) const {
    const double all = sum();
    return all > 0 ? of(state) / all : 0;
}

WarpStates warp_states(std::span<const Demand> launches, const Gpu& gpu) {
    const TimeParameters parameters;
    WarpStates all;
    double warps = 0, clocks = 0;
    for (const Demand& demand : launches) {
        const LaunchStates one(demand, gpu, parameters);
        const double count = demand.blocks * demand.warps_per_block;
        const double length = std::accumulate(one.clocks().begin(), one.clocks().end(), 0.0);
        for (std::size_t i = 0; i < kWarpStates; ++i) all.clocks[i] += count * one.clocks()[i];
        all.instructions += instructions_of(demand, parameters);
        all.resident += count * length * one.resident();
        warps += count;
        clocks += count * length;
    }
    if (warps <= 0) return {};
    for (double& each : all.clocks) each /= warps;
    all.instructions /= warps;
    if (clocks > 0) all.resident /= clocks;
    return all;
}

}  // namespace lanework

// Launch costs: times of relays of many steps and of few, by the device's clock and by the host's.
#include "src/measure/launch_costs.hpp"

#include <algorithm>
#include <lanework/measurement.hpp>
#include <lanework/registry.hpp>

#include "src/measure/bench.hpp"

namespace lanework {
namespace {

constexpr double kSecondsPerFigure = 0.08;
constexpr int kMostSamples = 400;
constexpr int kMarks = 500;  // pairs, recorded in one go

double median(const std::vector<double>& samples) { return summarize(samples).median; }

/// A relay of one cache line or, on a processor, a line for each thread.
class Relay {
public:
    Relay(Device& device, std::string_view rung, std::int64_t steps)
        : device_(device),
          steps_(static_cast<double>(steps)),
          bench_(device, operation(), find_rung(operation(), rung, device.info().kind), problem(device, steps),
                 {References().inputs(operation(), problem(device, steps), {})}) {
        bench_.warm_up(kSecondsPerFigure / 4);
    }

    double steps() const { return steps_; }
    /// Seconds of the device for all steps, caches warm, as the host launches them.
    double as_launched() { return median(bench_.as_launched(kRule)); }
    /// The same where the host has queued all steps before the device comes to them.
    double queued() { return median(bench_.hot(kRule)); }
    /// Seconds of the host until all steps are launched.
    double issued() {
        return sampled([&](double start) {
            bench_.issue();
            const double launched = steady_now() - start;
            device_.synchronize();
            return launched;
        });
    }
    /// Seconds of the host until all steps are done and it knows.
    double completed() {
        return sampled([&](double start) {
            bench_.issue();
            device_.synchronize();
            return steady_now() - start;
        });
    }

private:
    static const Operation& operation() { return find_operation("relay"); }
    static Problem problem(const Device& device, std::int64_t steps) {
        constexpr std::int64_t kLine = 16;  // words
        return {extents(kLine * std::max(1, device.info().kind == DeviceKind::cpu ? device.info().threads : 1), steps),
                operation().default_dtype()};
    }
    template <class Take>
    static double sampled(Take take) {
        return median(collect(kRule, steady_now, [&](int count) {
            std::vector<double> seconds;
            for (int run = 0; run < count; ++run) seconds.push_back(take(steady_now()));
            return seconds;
        }));
    }

    static constexpr StoppingRule kRule{.steady = 0, .max_seconds = kSecondsPerFigure, .max_samples = kMostSamples};
    Device& device_;
    double steps_;
    Bench bench_;
};

Reading cost(std::string name, std::string by, double seconds) {
    return {.group = "launch", .name = std::move(name), .by = std::move(by), .unit = Unit::seconds, .value = seconds};
}

constexpr std::int64_t kMany = 256;

// What a launch takes of the host, and of the device while the host is ahead of it. On simt a launch is done when it
// returns: there is nothing to tell apart.
void add_issuing(Device& device, std::vector<Reading>& readings) {
    constexpr std::int64_t kBehind = 9;
    Relay one(device, "one_by_one", 1), few(device, "one_by_one", kBehind), many(device, "one_by_one", kMany);
    readings.push_back(cost("issue a kernel", "host clock, relay/one_by_one", many.issued() / many.steps()));
    readings.push_back(cost("kernel to kernel, queued", "device clock, relay/one_by_one",
                            (few.queued() - one.queued()) / (few.steps() - one.steps())));
    Relay graph(device, "graph", kMany);
    readings.push_back(cost("issue a graph of 256 kernels", "host clock, relay/graph", graph.issued()));
}

void add_runtime_launches(Device& device, std::vector<Reading>& readings) {
    Relay one(device, "one_by_one", 1), many(device, "one_by_one", kMany);
    readings.push_back(cost("launch to completion", "host clock, relay/one_by_one of 1 step", one.completed()));
    readings.push_back(
        cost("kernel after kernel, as launched", "device clock, relay/one_by_one", many.as_launched() / many.steps()));
    Relay one_node(device, "graph", 1), graph(device, "graph", kMany);
    readings.push_back(cost("graph, each further kernel", "device clock, relay/graph",
                            (graph.queued() - one_node.queued()) / (graph.steps() - one_node.steps())));
}

void add_team_launches(Device& device, std::vector<Reading>& readings) {
    Relay relay(device, "team_per_step", 256);
    readings.push_back(
        cost("call the threads together and wait", "relay/team_per_step", relay.queued() / relay.steps()));
}

// Two marks with nothing between them.
void add_marks(Device& device, std::vector<Reading>& readings) {
    const auto nothing = [] {};
    static_cast<void>(device.time(kMarks, {}, nothing));  // makes the events
    const double start = steady_now();
    const std::vector<double> seconds = device.time(kMarks, {}, nothing);
    const double each = (steady_now() - start) / (2 * kMarks);
    readings.push_back(cost("take the time", "host clock: one mark made, and read", each));
    readings.push_back(cost("between two marks", "device clock, nothing between them", median(seconds)));
    readings.push_back(cost("resolution of marks", "device clock", resolution_of(seconds)));
}

}  // namespace

double resolution_of(std::vector<double> seconds) {
    std::sort(seconds.begin(), seconds.end());
    double least = 0;
    for (std::size_t i = 1; i < seconds.size(); ++i)
        if (const double apart = seconds[i] - seconds[i - 1]; apart > 0 && (least == 0 || apart < least)) least = apart;
    return least;
}

std::vector<Reading> launch_costs(Device& device) {
    std::vector<Reading> readings;
    if (device.info().kind == DeviceKind::cpu)
        add_team_launches(device, readings);
    else
        add_runtime_launches(device, readings);
    if (device.info().kind == DeviceKind::cuda) add_issuing(device, readings);
    add_marks(device, readings);
    std::erase_if(readings, [](const Reading& reading) { return !(reading.value > 0); });
    return readings;
}

}  // namespace lanework

// Timing the parts of a list with the harness's own sampler.
#include "src/measure/neighbor_times.hpp"

#include "src/particles/checks.hpp"
#include "src/particles/on_device.hpp"

namespace lanework {
namespace {

using Ranges = std::vector<std::pair<const void*, std::size_t>>;

/// Seconds of the device's clock, behind emptied caches or back to back.
NeighborTime by_device(Device& device, const StoppingRule& rule, std::string what, const Ranges& ranges, bool cold,
                       const std::function<void()>& body) {
    std::function<void()> before;
    if (cold) before = [&] { device.evict(ranges); };
    static_cast<void>(device.time(1, before, body));
    return {std::move(what), "device", cold ? "cold" : "hot",
            collect(rule, steady_now, [&](int count) { return device.time(count, before, body); })};
}

/// Seconds of the host's clock until body() is done; what it leaves is given to after(), which is not timed.
template <class Body, class After>
NeighborTime by_host(const StoppingRule& rule, std::string what, Body body, After after) {
    const auto run = [&] {
        const double start = steady_now();
        auto left = body();
        const double seconds = steady_now() - start;
        after(left);
        return seconds;
    };
    run();
    return {std::move(what), "host", "hot", collect(rule, steady_now, [&](int count) {
                std::vector<double> seconds;
                for (int k = 0; k < count; ++k) seconds.push_back(run());
                return seconds;
            })};
}

template <class Body>
NeighborTime by_host(const StoppingRule& rule, std::string what, Body body) {
    return by_host(
        rule, std::move(what), [&] { return body(), 0; }, [](int) {});
}

template <class U>
void add_range(Ranges& ranges, std::span<const U> values) {
    if (!values.empty()) ranges.emplace_back(values.data(), values.size_bytes());
}

template <class T>
Ranges ranges_of(const Particles<T>& particles, const NeighborList<T>& list) {
    Ranges ranges;
    const auto add = [&](const auto& array) { add_range(ranges, std::span(array.data(), array.size())); };
    add(list.offsets), add(list.first), add(list.indices), add(list.shifts), add(list.vectors), add(list.distances);
    add_range(ranges, particles.positions);
    return ranges;
}

template <class T>
std::vector<NeighborTime> time_on_cpu(Device& device, const Particles<T>& particles, const NeighborOptions& options,
                                      const StoppingRule& rule) {
    const Team& team = *static_cast<const Team*>(device.stream());
    NeighborList<T> list = neighbors(particles, options, team);
    const Ranges ranges = ranges_of(particles, list);
    std::vector<NeighborTime> times;
    for (const bool cold : {true, false})
        times.push_back(
            by_device(device, rule, "list", ranges, cold, [&] { neighbors(particles, options, list, team); }));
    list = {};
    times.push_back(by_host(rule, "list with allocation", [&] { neighbors(particles, options, team); }));
    return times;
}

template <class T>
std::vector<NeighborTime> time_on_device(Device& device, const Particles<T>& particles, const NeighborOptions& options,
                                         const StoppingRule& rule) {
    NeighborList<T> result = neighbors(particles, options, device);  // refuses what cannot be meant or does not fit
    const ParticlesOnDevice<T> there(device, particles, options.pair_cutoffs);
    NeighborOptions largest = options;
    largest.cutoff = checked_cutoffs<T>(options).largest;
    std::vector<NeighborTime> times;
    const auto pairs = static_cast<std::uint64_t>(result.pairs());
    {
        ListOnDevice<T> list(device, there.view(), largest);
        list.allocate(pairs);
        const auto build = [&] {
            list.enqueue_count();
            list.enqueue_fill();
        };
        for (const bool cold : {true, false})
            times.push_back(by_device(device, rule, "list", list.ranges(), cold, build));
        times.push_back(by_host(rule, "copy in", [&] { there.upload(particles), device.synchronize(); }));
        times.push_back(by_host(rule, "copy out", [&] {
            list.download_offsets(result.offsets);
            list.download_pairs(result);
        }));
    }
    times.push_back(by_host(rule, "list with allocation", [&] {
        ListOnDevice<T> list(device, there.view(), largest);
        list.enqueue_count();
        list.allocate(list.status().pairs);
        list.enqueue_fill();
        device.synchronize();
    }));
    result = {};
    times.push_back(by_host(
        rule, "host to host", [&] { return neighbors(particles, options, device); },
        [](NeighborList<T>& list) { list = {}; }));
    return times;
}

}  // namespace

template <class T>
std::vector<NeighborTime> time_neighbors(Device& device, const Particles<T>& particles, const NeighborOptions& options,
                                         const StoppingRule& rule) {
    return device.info().kind == DeviceKind::cpu ? time_on_cpu(device, particles, options, rule)
                                                 : time_on_device(device, particles, options, rule);
}

template std::vector<NeighborTime> time_neighbors(Device&, const Particles<float>&, const NeighborOptions&,
                                                  const StoppingRule&);
template std::vector<NeighborTime> time_neighbors(Device&, const Particles<double>&, const NeighborOptions&,
                                                  const StoppingRule&);

}  // namespace lanework

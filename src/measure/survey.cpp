// Working through the plan: rungs that are right are timed, the rest is left out.
#include "src/measure/survey.hpp"

#include <fmt/format.h>

#include <lanework/error.hpp>
#include <lanework/registry.hpp>

#include "src/core/host.hpp"
#include "src/core/text.hpp"
#include "src/measure/fastest.hpp"
#include "src/measure/launch_costs.hpp"
#include "src/measure/survey_plan.hpp"

namespace lanework {
namespace {

constexpr double kSecondsPerRung = 0.05;

std::string path_of(const Rung& rung) { return fmt::format("{}/{}", rung.operation, rung.name); }

// The ceilings as readings: sizes that no cache holds, and arithmetic.
void add_ceilings(Survey& survey, const Device& device, const Ceilings& ceilings) {
    struct Curve {
        const char* name;
        const std::vector<TransferPoint>& points;
    };
    const std::uint64_t beyond = 2 * device.info().last_level_cache_bytes;
    for (const Curve& curve :
         {Curve{"copy", ceilings.copy}, Curve{"read", ceilings.read}, Curve{"write", ceilings.write}})
        for (const TransferPoint& point : curve.points)
            if (point.bytes > beyond || &point == &curve.points.back())
                survey.readings.push_back({.group = "memory",
                                           .name = fmt::format("{} {}", curve.name, format_bytes(point.bytes)),
                                           .by = fmt::format("the best rung of {}", curve.name),
                                           .unit = Unit::bytes_per_second,
                                           .value = static_cast<double>(point.bytes) / point.seconds,
                                           .part = Part::memory});
    for (const Ceilings::Rate& rate : ceilings.fma)
        survey.readings.push_back({.group = "arithmetic",
                                   .name = fmt::format("multiply-add {}", name_of(rate.dtype)),
                                   .by = "the top rung of fma",
                                   .unit = Unit::flops_per_second,
                                   .value = rate.flops_per_second,
                                   .part = Part::arithmetic,
                                   .dtype = rate.dtype});
    for (const Ceilings::Rate& rate : ceilings.mma)
        survey.readings.push_back({.group = "arithmetic",
                                   .name = fmt::format("matrix product {}", name_of(rate.dtype)),
                                   .by = "the top rung of mma",
                                   .unit = Unit::flops_per_second,
                                   .value = rate.flops_per_second,
                                   .part = Part::matrix_products,
                                   .dtype = rate.dtype});
}

std::vector<const Rung*> rungs_of(const Probe& probe, const Operation& operation, DeviceKind kind) {
    std::vector<const Rung*> rungs = ladder(operation, kind);
    if (!probe.rung.empty()) std::erase_if(rungs, [&](const Rung* rung) { return rung->name != probe.rung; });
    return rungs;
}

// The best of the probe's rungs; nothing when none computes the problem, and rightly.
std::optional<Reading> take(Device& device, const Probe& probe) {
    const Operation& operation = find_operation(probe.operation);
    const Problem problem{probe.extent, operation.default_dtype(),
                          probe.variant.empty() ? std::uint8_t{0} : parse_variant(operation, probe.variant)};
    const double amount = probe.amount(operation.work(problem));
    References references;
    std::optional<Reading> best;
    for (const Rung* rung : rungs_of(probe, operation, device.info().kind)) {
        if (!refusal(*rung, problem).empty() || !computes_right(device, operation, *rung, problem)) continue;
        const auto times = fastest(device, operation, *rung, problem, kSecondsPerRung, references, probe.hot);
        if (!times) continue;
        const double rate = amount / (probe.hot ? times->hot : times->cold);
        if (!best || rate > best->value)
            best = Reading{.group = probe.group,
                           .name = probe.name,
                           .by = path_of(*rung),
                           .unit = probe.unit,
                           .value = rate,
                           .part = probe.part};
    }
    return best;
}

}  // namespace

Survey survey(Device& device, const Ceilings& ceilings, const std::function<void(std::string_view)>& progress) {
    Survey result{
        .device = device.info().id, .fingerprint = device.info().fingerprint, .measured_at = utc_now(), .readings = {}};
    for (const Probe& probe : probes_for(device.info())) {
        if (progress) progress(fmt::format("{}, {}", probe.group, probe.name));
        if (auto reading = take(device, probe)) result.readings.push_back(std::move(*reading));
    }
    if (device.info().kind != DeviceKind::simt) add_ceilings(result, device, ceilings);
    if (progress) progress("launches");
    for (Reading& reading : launch_costs(device)) result.readings.push_back(std::move(reading));
    return result;
}

}  // namespace lanework

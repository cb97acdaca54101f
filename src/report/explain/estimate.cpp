// An estimate is always called one.
#include "src/report/explain/estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "src/core/text.hpp"
#include "src/report/explain/explanation.hpp"
#include "src/report/results/results.hpp"

namespace lanework {
namespace {

constexpr double kWorthNaming = 0.05;  // of the time

std::vector<Bottleneck> longest_first(const Estimate& estimate) {
    std::vector<Bottleneck> order;
    for (std::size_t i = 0; i < kBottlenecks; ++i)
        if (estimate.parts_s[i] > kWorthNaming * estimate.kernels_s()) order.push_back(static_cast<Bottleneck>(i));
    std::ranges::sort(order, std::greater(), [&](Bottleneck part) { return estimate.part(part); });
    return order;
}

std::optional<double> mean(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? std::nullopt : std::optional(static_cast<double>(part) / static_cast<double>(whole));
}

}  // namespace

EstimatedTime estimated_time(const Explanation& explanation, const Gpu& gpu) {
    const Estimate found = estimate(explanation, gpu);
    GlobalCounters global;
    SharedCounters shared;
    for (const KernelTrace& kernel : explanation.kernels) {
        const KernelCounters counters = kernel.counters();
        for (const GlobalCounters& each :
             {counters.global_loads, counters.global_stores, counters.global_atomics, counters.global_reductions})
            global.add(each);
        for (const SharedCounters& each : {counters.shared_loads, counters.shared_stores, counters.shared_atomics})
            shared.add(each);
    }
    return {
        .gpu = std::string(gpu.title),
        .time_s = found.time_s,
        .low_s = found.low_s,
        .high_s = found.high_s,
        .bound = std::string(found.bound_name()),
        .limit_s = roofline_limit(explanation.timed.value_or(explanation.work), explanation.problem.dtype, gpu).seconds,
        .sectors_per_request = mean(global.sectors, global.requests),
        .lanes_per_request = mean(global.lanes, global.requests),
        .wavefronts_per_request = mean(shared.wavefronts, shared.requests)};
}

std::string where_timed(const Explanation& explanation, const Gpu& gpu) {
    return explanation.timed ? fmt::format("At {} on an {}", explanation.timed_size, gpu.title)
                             : fmt::format("On an {}", gpu.title);
}

std::string verdict(const Explanation& explanation, const Gpu& gpu) {
    const EstimatedTime time = estimated_time(explanation, gpu);
    std::string text = fmt::format("{}: {} estimated", where_timed(explanation, gpu), format_estimate(time));
    if (time.limit_s > 0)
        text += fmt::format(", {} of the limit of {}", format_share_of_limit(time), format_seconds(time.limit_s));
    text += fmt::format(", bound by {}", time.bound);
    const Estimate found = estimate(explanation, gpu);
    if (found.page_faults_s > 0) text += fmt::format("; {} without page faults", format_seconds(found.kernels_s()));
    return text;
}

std::string describe_warp_states(const WarpStates& states) {
    constexpr double kTelling = 0.005;
    const auto percent = [](double share) { return fmt::format("{:.0f}%", 100 * share); };
    std::vector<WarpState> stalls;
    for (std::size_t i = static_cast<std::size_t>(WarpState::wait); i < kWarpStates; ++i)
        if (states.share(static_cast<WarpState>(i)) >= kTelling) stalls.push_back(static_cast<WarpState>(i));
    std::ranges::stable_sort(stalls, std::greater(), [&](WarpState state) { return states.share(state); });
    std::string reasons;
    for (const WarpState state : stalls)
        reasons += fmt::format("{}{} {} ({})", reasons.empty() ? "" : ", ", percent(states.share(state)),
                               meaning_of(state), name_of(state));
    return fmt::format(
        "Of a warp's clocks it issues in {}, could in {} more and is stalled in {}{}{}. In a clock {:.2f} of the "
        "{:.1f} "
        "warps of a scheduler are eligible.",
        percent(states.share(WarpState::selected)), percent(states.share(WarpState::not_selected)),
        percent(states.stalled_share()), reasons.empty() ? "" : ": ", reasons, states.eligible_warps(),
        states.resident);
}

std::string draw_estimate(const Estimate& estimate, const Gpu& gpu, const Style& style) {
    std::string parts;
    if (estimate.page_faults_s > 0) parts = fmt::format("{} {}", kPageFaults, format_seconds(estimate.page_faults_s));
    for (const Bottleneck part : longest_first(estimate))
        parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", name_of(part), format_seconds(estimate.part(part)));
    return paint(style, Ink::bold, "Estimate") + paint(style, Ink::dim, " (modelled, not a measurement)") + "\n" +
           paragraph(
               style, Ink::plain,
               fmt::format("{} {} it takes {} with cold caches, bound by {}; {} recorded times lie in such a "
                           "band. By themselves: {}.",
                           estimate.stretched ? fmt::format("For {}, of which a slice was traced, on an", estimate.size)
                                              : "On an",
                           gpu.title, format_estimate(estimate.time_s, estimate.low_s, estimate.high_s),
                           estimate.bound_name(),
                           estimate.stretched         ? "seven of ten"
                           : estimate.of_machine_code ? "nine of ten"
                                                      : "four of five",
                           parts)) +
           paragraph(style, Ink::plain, describe_warp_states(warp_states(estimate.demands, gpu)));
}

RooflineChart roofline_of(const Explanation& explanation, const Estimate& estimate, const Gpu& gpu) {
    const double flops = static_cast<double>(explanation.timed.value_or(explanation.work).flops);
    RooflineChart chart{.device = std::string(gpu.title) + ", published",
                        .bandwidth = estimate.roofline.bandwidth,
                        .peak = estimate.roofline.peak_flops,
                        .points = {},
                        .subject = timed_title_of(explanation)};
    if (estimate.time_s > 0)
        chart.points.push_back({.label = explanation.rung + " (estimate)",
                                .intensity = estimate.roofline.traced_intensity,
                                .rate = flops / estimate.time_s});
    chart.points.push_back({.label = "the algorithm", .intensity = estimate.roofline.intensity, .rate = {}});
    return chart;
}

}  // namespace lanework

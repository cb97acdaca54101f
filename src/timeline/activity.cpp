// From a recorder's clock to seconds since the first piece of work.
#include "src/timeline/activity.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "src/gpu/kernel_records.hpp"

namespace lanework {
namespace {

constexpr double kNanosecond = 1e-9;

bool has_times(const Activity& activity) { return activity.begin_ns != 0 && activity.end_ns >= activity.begin_ns; }

}  // namespace

namespace {

/// Seconds of the recorder's clock since `first`; the host may call before.
double seconds_since(std::uint64_t first, std::uint64_t at) {
    return at >= first ? static_cast<double>(at - first) * kNanosecond : -static_cast<double>(first - at) * kNanosecond;
}

/// In their order, without the wait for the end of all.
std::vector<HostSpan> host_spans(std::span<const HostActivity> calls, std::uint64_t first) {
    std::vector<HostActivity> sorted(calls.begin(), calls.end());
    std::ranges::stable_sort(sorted, {}, &HostActivity::begin_ns);
    while (!sorted.empty() && sorted.back().waits()) sorted.pop_back();
    std::vector<HostSpan> spans;
    for (const HostActivity& call : sorted)
        spans.push_back(
            {call.waits(), call.name, seconds_since(first, call.begin_ns), seconds_since(first, call.end_ns)});
    return spans;
}

}  // namespace

Timeline timeline_of(std::span<const Activity> activities, std::string by) {
    return timeline_of(activities, {}, std::move(by));
}

Timeline timeline_of(std::span<const Activity> activities, std::span<const HostActivity> calls, std::string by) {
    Timeline timeline{.source = TimelineSource::recorded, .by = std::move(by), .spans = {}, .notes = {}};
    std::uint64_t first = ~std::uint64_t{0};
    for (const Activity& each : activities)
        if (has_times(each)) first = std::min(first, each.begin_ns);
    std::size_t timeless = 0;
    for (const Activity& each : activities) {
        if (!has_times(each)) {
            ++timeless;
            continue;
        }
        // The clock counts from long ago: differences first, or doubles lose the nanoseconds.
        timeline.spans.push_back({each.engine, each.engine == Engine::kernel ? kernel_name(each.name) : each.name,
                                  each.stream, static_cast<double>(each.begin_ns - first) * kNanosecond,
                                  static_cast<double>(each.end_ns - first) * kNanosecond, each.bytes});
    }
    if (timeless > 0)
        timeline.notes.push_back(fmt::format("{} piece{} of work came without times and {} left out.", timeless,
                                             timeless == 1 ? "" : "s", timeless == 1 ? "is" : "are"));
    timeline.host = host_spans(calls, first);
    timeline.host_is_known = !calls.empty();
    normalise(timeline);
    return timeline;
}

}  // namespace lanework

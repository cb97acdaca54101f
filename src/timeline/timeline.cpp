// Unions of intervals.
#include "src/timeline/timeline.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace lanework {
namespace {

/// Their union.
std::vector<Interval> merged(std::vector<Interval> all) {
    std::ranges::sort(all, {}, &Interval::begin_s);
    std::vector<Interval> result;
    for (const Interval& next : all) {
        if (!result.empty() && next.begin_s <= result.back().end_s)
            result.back().end_s = std::max(result.back().end_s, next.end_s);
        else
            result.push_back(next);
    }
    return result;
}

}  // namespace

std::string_view name_of(Engine engine) {
    switch (engine) {
        case Engine::upload: return "upload";
        case Engine::kernel: return "kernel";
        case Engine::download: return "download";
        case Engine::memset: return "memset";
        case Engine::copy: return "copy";
    }
    return "";
}

std::string_view name_of(TimelineSource source) { return source == TimelineSource::recorded ? "recorded" : "modelled"; }

void normalise(Timeline& timeline) {
    std::ranges::stable_sort(timeline.spans, {}, [](const Span& span) { return std::tuple(span.begin_s, span.end_s); });
    const double zero = timeline.spans.empty() ? 0 : timeline.spans.front().begin_s;
    std::map<int, int> numbers;
    for (Span& span : timeline.spans) {
        span.begin_s -= zero;
        span.end_s -= zero;
        span.stream = numbers.try_emplace(span.stream, static_cast<int>(numbers.size()) + 1).first->second;
    }
    std::ranges::stable_sort(timeline.spans, {},
                             [](const Span& span) { return std::tuple(span.begin_s, span.stream); });
    const double end = length_s(timeline);
    for (HostSpan& span : timeline.host) {
        span.begin_s = std::max(0.0, span.begin_s - zero);
        span.end_s = std::min(end, span.end_s - zero);
    }
    std::erase_if(timeline.host, [](const HostSpan& span) { return span.end_s <= span.begin_s; });
    std::ranges::stable_sort(timeline.host, {}, &HostSpan::begin_s);
}

double length_s(const Timeline& timeline) {
    if (timeline.spans.empty()) return 0;
    double first = timeline.spans.front().begin_s, last = timeline.spans.front().end_s;
    for (const Span& span : timeline.spans) {
        first = std::min(first, span.begin_s);
        last = std::max(last, span.end_s);
    }
    return last - first;
}

std::vector<Interval> busy_intervals(const Timeline& timeline, Engine engine) {
    std::vector<Interval> all;
    for (const Span& span : timeline.spans)
        if (span.engine == engine) all.push_back({span.begin_s, span.end_s});
    return merged(std::move(all));
}

std::vector<Interval> host_busy(const Timeline& timeline) {
    std::vector<Interval> all;
    for (const HostSpan& span : timeline.host) all.push_back({span.begin_s, span.end_s});
    return merged(std::move(all));
}

double host_free_s(const Timeline& timeline) {
    double seconds = length_s(timeline);
    for (const Interval& interval : host_busy(timeline)) seconds -= interval.seconds();
    return std::max(0.0, seconds);
}

double busy_s(const Timeline& timeline, Engine engine) {
    double seconds = 0;
    for (const Interval& interval : busy_intervals(timeline, engine)) seconds += interval.seconds();
    return seconds;
}

std::vector<Interval> gaps(const Timeline& timeline, Engine engine) {
    const std::vector<Interval> busy = busy_intervals(timeline, engine);
    std::vector<Interval> idle;
    for (std::size_t i = 1; i < busy.size(); ++i) idle.push_back({busy[i - 1].end_s, busy[i].begin_s});
    return idle;
}

std::optional<Engine> critical_engine(const Timeline& timeline) {
    if (timeline.spans.empty()) return {};
    return *std::ranges::max_element(kEngines, {}, [&](Engine engine) { return busy_s(timeline, engine); });
}

double overlap_efficiency(const Timeline& timeline) {
    const double whole = length_s(timeline);
    return whole > 0 ? busy_s(timeline, *critical_engine(timeline)) / whole : 0;
}

int stream_count(const Timeline& timeline) {
    int most = 0;
    for (const Span& span : timeline.spans) most = std::max(most, span.stream);
    return most;
}

}  // namespace lanework

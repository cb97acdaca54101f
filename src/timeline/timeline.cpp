// Unions of intervals.
#include "src/timeline/timeline.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace lanework {

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
    std::vector<Interval> all, merged;
    for (const Span& span : timeline.spans)
        if (span.engine == engine) all.push_back({span.begin_s, span.end_s});
    std::ranges::sort(all, {}, &Interval::begin_s);
    for (const Interval& next : all) {
        if (!merged.empty() && next.begin_s <= merged.back().end_s)
            merged.back().end_s = std::max(merged.back().end_s, next.end_s);
        else
            merged.push_back(next);
    }
    return merged;
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

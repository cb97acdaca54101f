// Timelines in characters. A column stands for a stretch of time; what fills most of it is what it shows.
#include "src/report/timeline/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <lanework/error.hpp>

#include "src/core/text.hpp"
#include "src/draw/table.hpp"

namespace lanework {
namespace {

constexpr int kAssumedWidth = 100, kLabelColumns = 12, kFigureColumns = 18, kFewestColumns = 20;
constexpr int kMarkColumns = 16;  // at least, from one mark of the axis to the next

struct Look {
    char letter;
    Ink ink;
};
Look look_of(Engine engine) {
    switch (engine) {
        case Engine::upload: return {'U', Ink::accent};
        case Engine::kernel: return {'K', Ink::good};
        case Engine::download: return {'D', Ink::fair};
        case Engine::memset: return {'M', Ink::poor};
        case Engine::copy: return {'C', Ink::bad};
    }
    return {'?', Ink::plain};
}

char small(char letter) { return static_cast<char>(letter - 'A' + 'a'); }

/// Columns of a drawing, all of one length.
class Columns {
public:
    Columns(const TimelineView& view, int count) : view_(view), count_(count) {}

    int count() const { return count_; }
    double seconds() const { return view_.seconds() / count_; }
    Interval at(int column) const {
        const double begin_s = view_.from_s + seconds() * column;
        return {begin_s, begin_s + seconds()};
    }
    /// Adds to each column the seconds of it that the interval covers.
    void add(const Interval& interval, std::vector<double>& covered) const {
        if (!(seconds() > 0)) return;
        const auto column_of = [&](double time) {
            return std::clamp(static_cast<int>((time - view_.from_s) / seconds()), 0, count_ - 1);
        };
        for (int column = column_of(interval.begin_s); column <= column_of(interval.end_s); ++column) {
            const Interval own = at(column);
            covered[static_cast<std::size_t>(column)] +=
                std::max(0.0, std::min(interval.end_s, own.end_s) - std::max(interval.begin_s, own.begin_s));
        }
    }

private:
    TimelineView view_;
    int count_;
};

// Of a column's time.
constexpr double kMost = 0.5;
constexpr double kNothing = 1e-9;

std::string busy_cells(const Timeline& timeline, std::span<const Interval> busy, Ink ink, const Columns& columns,
                       const Style& style) {
    std::vector<double> covered(static_cast<std::size_t>(columns.count()));
    for (const Interval& interval : busy) columns.add(interval, covered);
    std::string text;
    for (int column = 0; column < columns.count(); ++column) {
        const double share = covered[static_cast<std::size_t>(column)] / columns.seconds();
        if (columns.at(column).begin_s >= length_s(timeline))
            text += ' ';
        else if (share > kNothing)
            text += paint(style, ink, share >= kMost ? "█" : "░");
        else
            text += paint(style, Ink::dim, "·");
    }
    return text;
}

std::string stream_cells(const Timeline& timeline, int stream, const Columns& columns, const Style& style) {
    std::vector<std::vector<double>> covered(kEngines.size(),
                                             std::vector<double>(static_cast<std::size_t>(columns.count())));
    for (const Span& span : timeline.spans)
        if (span.stream == stream)
            columns.add({span.begin_s, span.end_s}, covered[static_cast<std::size_t>(span.engine)]);
    std::string text;
    for (int column = 0; column < columns.count(); ++column) {
        const auto seconds_of = [&](Engine engine) {
            return covered[static_cast<std::size_t>(engine)][static_cast<std::size_t>(column)];
        };
        const Engine most = *std::ranges::max_element(kEngines, {}, seconds_of);
        double share = 0;
        for (const Engine engine : kEngines) share += seconds_of(engine) / columns.seconds();
        const Look look = look_of(most);
        if (columns.at(column).begin_s >= length_s(timeline))
            text += ' ';
        else if (share > kNothing)
            text += paint(style, look.ink, std::string(1, share >= kMost ? look.letter : small(look.letter)));
        else
            text += paint(style, Ink::dim, "·");
    }
    return text;
}

std::string axis(const TimelineView& view, const Columns& columns) {
    std::string line(kLabelColumns, ' ');
    for (const double mark : axis_marks(view, columns.count() / kMarkColumns + 1)) {
        const auto at = kLabelColumns + static_cast<std::size_t>((mark - view.from_s) / columns.seconds());
        const std::size_t width = display_width(line);
        if (at >= width) line += std::string(at - width, ' ') + "╵" + format_seconds(mark);
    }
    return line;
}

std::string row(const std::string& label, const std::string& cells, const std::string& figures) {
    std::string line = "  " + pad_right(label, kLabelColumns - 2) + cells + figures;
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
}

bool works(const Timeline& timeline, Engine engine) {
    return std::ranges::any_of(timeline.spans, [=](const Span& span) { return span.engine == engine; });
}

double percent_of(std::string_view text, std::string_view whole) {
    double value = 0;
    const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || stopped != text.data() + text.size() || !(value >= 0 && value <= 100))
        throw UsageError(fmt::format("--zoom `{}` is not a part such as 0-10, in percent of the whole", whole));
    return value / 100;
}

}  // namespace

TimelineView whole_view(std::span<const RungTimeline> timelines) {
    TimelineView view;
    for (const RungTimeline& each : timelines) view.to_s = std::max(view.to_s, length_s(each.timeline));
    return view;
}

TimelineView parse_view(std::string_view percent, std::span<const RungTimeline> timelines) {
    const auto dash = std::min(percent.find('-'), percent.size());
    const double from = percent_of(percent.substr(0, dash), percent);
    const double to = percent_of(percent.substr(std::min(dash + 1, percent.size())), percent);
    if (!(from < to)) percent_of({}, percent);
    const double whole = whole_view(timelines).to_s;
    return {from * whole, to * whole};
}

std::vector<double> axis_marks(const TimelineView& view, int most) {
    if (!(view.seconds() > 0) || most < 1) return {};
    const double least = view.seconds() / most;
    const double power = std::pow(10, std::floor(std::log10(least)));
    double step = 10 * power;
    for (const double factor : {5.0, 2.0, 1.0})
        if (factor * power >= least) step = factor * power;
    std::vector<double> marks;
    for (double number = std::ceil(view.from_s / step - kNothing); number * step < view.to_s; ++number)
        marks.push_back(number * step);
    return marks;
}

std::string describe_overlap(const Timeline& timeline) {
    if (timeline.spans.empty()) return "nothing was handed to a stream";
    const Engine engine = *critical_engine(timeline);
    return fmt::format("overlap efficiency {}: {} works {} of {}", format_percent(overlap_efficiency(timeline)),
                       name_of(engine), format_seconds(busy_s(timeline, engine)), format_seconds(length_s(timeline)));
}

std::string describe_source(const Timeline& timeline) {
    return (timeline.source == TimelineSource::modelled ? "Modelled, not measured, from " : "Recorded by ") +
           timeline.by + ".";
}

std::string draw_timeline(const RungTimeline& rung, const TimelineView& view, const Style& style) {
    const Timeline& timeline = rung.timeline;
    std::string text = paint(style, Ink::bold, rung.operation + "/" + rung.rung) +
                       fmt::format("  {} on {}, {}\n", rung.problem, rung.device, name_of(timeline.source));
    const int width = style.width > 0 ? style.width : kAssumedWidth;
    const Columns columns(view, std::max(kFewestColumns, width - kLabelColumns - kFigureColumns));
    const double whole = length_s(timeline);
    for (const Engine engine : kEngines)
        if (works(timeline, engine)) {
            const double busy = busy_s(timeline, engine);
            text += row(std::string(name_of(engine)),
                        busy_cells(timeline, busy_intervals(timeline, engine), look_of(engine).ink, columns, style),
                        fmt::format("{:>10}{:>8}", format_seconds(busy), format_percent(busy / whole)));
        }
    if (timeline.host_is_known && whole > 0) {
        const double busy = whole - host_free_s(timeline);
        text += row("host", busy_cells(timeline, host_busy(timeline), Ink::plain, columns, style),
                    fmt::format("{:>10}{:>8}", format_seconds(busy), format_percent(busy / whole)));
    }
    for (int stream = 1; stream <= stream_count(timeline); ++stream)
        text += row(fmt::format("stream {}", stream), stream_cells(timeline, stream, columns, style), "");
    if (!timeline.spans.empty()) text += paint(style, Ink::dim, axis(view, columns)) + "\n";
    text += "  " + paint(style, Ink::bold, describe_overlap(timeline)) + "\n";
    if (timeline.host_is_known && whole > 0)
        text += fmt::format("  the host is free for work of its own {} of {}\n", format_seconds(host_free_s(timeline)),
                            format_seconds(whole));
    for (const std::string& note : timeline.notes) text += broken_lines("  " + note, style);
    return text;
}

std::string draw_timeline_legend(std::span<const RungTimeline> timelines, const Style& style) {
    if (timelines.empty()) return {};
    return paragraph(
               style, Ink::dim,
               "█ the engine works for half of a column or more, ░ for less, · waits. U upload, K kernel, D download, "
               "M memset, C copy: which engine the stream uses most; small where it waits for more than half. The host "
               "works where it hands something over or waits for it.") +
           paragraph(style, Ink::dim, describe_source(timelines.front().timeline));
}

std::string draw_timeline_summary(std::span<const RungTimeline> timelines, const Style& style) {
    const Align right = Align::right;
    Table table{
        {{"rung"}, {"time", right}, {"upload", right}, {"kernel", right}, {"download", right}, {"overlap", right}}, {}};
    for (const RungTimeline& each : timelines) {
        const Timeline& timeline = each.timeline;
        const auto busy = [&](Engine engine) { return format_seconds(busy_s(timeline, engine)); };
        table.rows.push_back({each.operation + "/" + each.rung, format_seconds(length_s(timeline)),
                              busy(Engine::upload), busy(Engine::kernel), busy(Engine::download),
                              format_percent(overlap_efficiency(timeline))});
    }
    return draw(table, style);
}

}  // namespace lanework

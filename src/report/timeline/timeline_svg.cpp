// Timelines as pictures: a panel for each rung, all on one scale.
#include <fmt/format.h>

#include <algorithm>

#include "src/core/text.hpp"
#include "src/draw/svg.hpp"
#include "src/report/timeline/timeline.hpp"

namespace lanework {
namespace {

constexpr double kWidth = 1000, kLeft = 92, kRight = 24, kTop = 16, kCaptionLine = 16, kRow = 22, kBar = 16,
                 kTitle = 46, kAxis = 34;
constexpr double kThinnest = 0.6;  // of a piece of work
constexpr int kMarks = 8;
constexpr std::size_t kCaptionColumns = 160;

Tone tone_of(Engine engine) { return hue(static_cast<std::size_t>(engine)); }

bool works(const Timeline& timeline, Engine engine) { return busy_s(timeline, engine) > 0; }

int rows_of(const Timeline& timeline) {
    return stream_count(timeline) + (timeline.host_is_known ? 1 : 0) +
           static_cast<int>(std::ranges::count_if(kEngines, [&](Engine engine) { return works(timeline, engine); }));
}

double height_of(const RungTimeline& rung) { return kTitle + rows_of(rung.timeline) * kRow + kAxis; }

std::string title_of(const Span& span) {
    std::string text(name_of(span.engine));
    if (!span.name.empty()) text += " " + span.name;
    if (span.bytes > 0) text += ", " + format_bytes(span.bytes);
    return text + fmt::format(", stream {}: {} to {}, {}", span.stream, format_seconds(span.begin_s),
                              format_seconds(span.end_s), format_seconds(span.seconds()));
}

class Drawing {
public:
    Drawing(const TimelineView& view, double height) : view_(view), svg_(kWidth, height) {}

    void draw(const RungTimeline& rung) {
        const Timeline& timeline = rung.timeline;
        svg_.text(kLeft, y_ + 16, rung.operation + "/" + rung.rung, {.size = 15, .bold = true});
        svg_.text(kLeft, y_ + 34,
                  fmt::format("{} on {}, {}; {}", rung.problem, rung.device, name_of(timeline.source),
                              describe_overlap(timeline)));
        y_ += kTitle;
        draw_axis(y_, y_ + rows_of(timeline) * kRow);
        for (const Engine engine : kEngines)
            if (works(timeline, engine)) draw_engine(timeline, engine);
        if (timeline.host_is_known) draw_host(timeline);
        for (int stream = 1; stream <= stream_count(timeline); ++stream) draw_stream(timeline, stream);
        y_ += kAxis;
    }
    void caption(const std::vector<std::string>& lines) {
        for (const std::string& line : lines) svg_.text(16, y_ += kCaptionLine, line, {.size = 11});
        y_ += kTop;
    }
    std::string finish() { return svg_.finish(); }

private:
    double x_of(double time) const {
        const double share = std::clamp((time - view_.from_s) / view_.seconds(), 0.0, 1.0);
        return kLeft + share * (kWidth - kLeft - kRight);
    }
    bool is_visible(const Interval& interval) const {
        return view_.seconds() > 0 && interval.end_s >= view_.from_s && interval.begin_s <= view_.to_s;
    }
    void bar(const Interval& interval, Tone tone, double opacity) {
        const double x = x_of(interval.begin_s);
        svg_.rect(x, y_, std::max(kThinnest, x_of(interval.end_s) - x), kBar, {.tone = tone, .opacity = opacity});
    }
    void label(std::string_view text) { svg_.text(kLeft - 8, y_ + 12, text, {.anchor = Anchor::end}); }

    void draw_engine(const Timeline& timeline, Engine engine) {
        label(name_of(engine));
        for (const Interval& interval : busy_intervals(timeline, engine))
            if (is_visible(interval)) bar(interval, tone_of(engine), 1);
        y_ += kRow;
    }

    void draw_host(const Timeline& timeline) {
        label("host");
        for (const HostSpan& span : timeline.host) {
            const Interval interval{span.begin_s, span.end_s};
            if (!is_visible(interval)) continue;
            svg_.begin_group(fmt::format("{}{}{}: {} to {}", span.waits ? "waits" : "hands work over",
                                         span.name.empty() ? "" : ", ", span.name, format_seconds(span.begin_s),
                                         format_seconds(span.end_s)));
            bar(interval, Tone::ink, span.waits ? 0.3 : 0.75);
            svg_.end_group();
        }
        y_ += kRow;
    }

    void draw_stream(const Timeline& timeline, int stream) {
        label(fmt::format("stream {}", stream));
        for (const Span& span : timeline.spans) {
            const Interval interval{span.begin_s, span.end_s};
            if (span.stream != stream || !is_visible(interval)) continue;
            svg_.begin_group(title_of(span));
            bar(interval, tone_of(span.engine), 0.75);
            svg_.end_group();
        }
        y_ += kRow;
    }

    void draw_axis(double top, double bottom) {
        svg_.line(kLeft, bottom, kWidth - kRight, bottom, {.tone = Tone::faint});
        for (const double mark : axis_marks(view_, kMarks)) {
            svg_.line(x_of(mark), top - 2, x_of(mark), bottom + 4, {.tone = Tone::faint});
            svg_.text(x_of(mark), bottom + 17, format_seconds(mark), {.size = 11, .anchor = Anchor::middle});
        }
    }

    TimelineView view_;
    Svg svg_;
    double y_ = 0;
};

}  // namespace

std::string timelines_svg(std::span<const RungTimeline> timelines, const TimelineView& view) {
    const std::vector<std::string> caption = timelines.empty()
                                                 ? std::vector<std::string>()
                                                 : wrap(describe_source(timelines.front().timeline), kCaptionColumns);
    double height = kTop + kCaptionLine * static_cast<double>(caption.size());
    for (const RungTimeline& each : timelines) height += height_of(each);
    Drawing drawing(view, height);
    drawing.caption(caption);
    for (const RungTimeline& each : timelines) drawing.draw(each);
    return drawing.finish();
}

}  // namespace lanework

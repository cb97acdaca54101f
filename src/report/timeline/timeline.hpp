// Timelines of rungs for people and for programs.
#pragma once

#include <lanework/measurement.hpp>
#include <span>

#include "src/draw/style.hpp"
#include "src/timeline/timeline.hpp"

namespace lanework {

/// The timeline of one launch of a rung.
struct RungTimeline {
    std::string operation, rung;
    /// "simt", "cuda:0".
    std::string device;
    /// "134217728 float32 pinned".
    std::string problem;
    Timeline timeline;
};

/// The part of the timelines that is drawn, in seconds.
struct TimelineView {
    double from_s = 0, to_s = 0;

    double seconds() const { return to_s - from_s; }
};

/// All of the longest timeline, so that the others can be compared with it.
TimelineView whole_view(std::span<const RungTimeline> timelines);
/// A part of the whole: "0-10" is its first tenth, in percent. Throws UsageError for anything else.
TimelineView parse_view(std::string_view percent, std::span<const RungTimeline> timelines);

/// "overlap efficiency 91.3%: upload works 192 µs of 211 µs".
std::string describe_overlap(const Timeline& timeline);

/// "Modelled, not measured, from declared speeds of …", "Recorded by CUPTI 13.0.1."
std::string describe_source(const Timeline& timeline);

/// A row for each engine and one for each stream, over a time axis.
std::string draw_timeline(const RungTimeline& timeline, const TimelineView& view, const Style& style);
/// What the letters and blocks mean, and where the times are from.
std::string draw_timeline_legend(std::span<const RungTimeline> timelines, const Style& style);
/// A line for each rung.
std::string draw_timeline_summary(std::span<const RungTimeline> timelines, const Style& style);

/// All of them, one below the other on the same scale.
std::string timelines_svg(std::span<const RungTimeline> timelines, const TimelineView& view);
std::string timelines_to_json(std::span<const RungTimeline> timelines, std::span<const Fact> environment);

/// Times at which an axis has its marks: multiples of 1, 2 or 5 × a power of ten, at most `most` of them.
std::vector<double> axis_marks(const TimelineView& view, int most);

}  // namespace lanework

// Both axes are logarithmic: the memory roof is a straight line, and equal factors are equal distances.
#include "src/report/explain/roofline_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "src/core/text.hpp"
#include "src/draw/letters.hpp"
#include "src/draw/svg.hpp"

namespace lanework {
namespace {

constexpr std::string_view kAxisUnit = " FLOP per byte";

// What the picture shows, in decimal logarithms: whole decades around the ridge and every point.
struct Frame {
    double left, right, bottom, top;

    double across(double intensity) const { return (std::log10(intensity) - left) / (right - left); }
    double up(double rate) const { return (std::log10(rate) - bottom) / (top - bottom); }
};

double rate_of(const RooflineChart& roofline, const RooflinePoint& point) {
    return point.rate && *point.rate > 0 ? *point.rate : roofline.roof(point.intensity);
}

Frame frame_of(const RooflineChart& roofline) {
    double least = roofline.ridge() / 100, most = roofline.ridge() * 10, lowest = roofline.peak / 100;
    for (const RooflinePoint& point : roofline.points) {
        if (!(point.intensity > 0)) continue;
        least = std::min(least, point.intensity / 2);
        most = std::max(most, point.intensity * 2);
        lowest = std::min(lowest, rate_of(roofline, point) / 2);
    }
    constexpr double kHeadroom = 0.25;  // of a decade
    Frame frame{std::floor(std::log10(least)), std::ceil(std::log10(most)), 0, std::log10(roofline.peak) + kHeadroom};
    frame.bottom = std::floor(std::log10(lowest));
    return frame;
}

std::string intensity_text(double intensity) {
    if (intensity < 0.001 || intensity >= 100000) return fmt::format("{:.0e}", intensity);
    return intensity < 100 ? fmt::format("{:.3g}", intensity) : fmt::format("{:.0f}", intensity);
}

// A canvas of glyphs, row 0 at the top.
class Canvas {
public:
    Canvas(int columns, int rows, const Frame& frame)
        : columns_(columns),
          rows_(rows),
          frame_(frame),
          cells_(static_cast<std::size_t>(rows), Row(static_cast<std::size_t>(columns), " ")) {}

    double intensity_of(int column) const {
        const double share = (column + 0.5) / columns_;
        return std::pow(10, frame_.left + share * (frame_.right - frame_.left));
    }
    int column_of(double intensity) const { return static_cast<int>(std::floor(frame_.across(intensity) * columns_)); }
    int row_of(double rate) const { return rows_ - 1 - static_cast<int>(std::floor(frame_.up(rate) * rows_)); }

    void put(int column, int row, std::string glyph) {
        if (column >= 0 && column < columns_ && row >= 0 && row < rows_)
            cells_[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] = std::move(glyph);
    }
    std::string row(int index) const {
        std::string text;
        for (const std::string& cell : cells_[static_cast<std::size_t>(index)]) text += cell;
        text.erase(text.find_last_not_of(' ') + 1);
        return text;
    }

private:
    using Row = std::vector<std::string>;
    int columns_, rows_;
    Frame frame_;
    std::vector<Row> cells_;
};

constexpr int kColumns = 56, kRows = 14;
constexpr std::size_t kAxisColumns = 14;

// Points are numbered when there are several.
std::string mark_of(std::size_t index, std::size_t count) {
    return count < 2 || index > 8 ? "●" : fmt::format("{}", index + 1);
}

void put_roof(Canvas& canvas, const RooflineChart& roofline, const Style& style) {
    for (int column = 0; column < kColumns; ++column) {
        const double intensity = canvas.intensity_of(column);
        const bool memory = intensity < roofline.ridge();
        canvas.put(column, canvas.row_of(roofline.roof(intensity)),
                   paint(style, memory ? Ink::accent : Ink::fair, memory ? "╱" : "─"));
    }
}

std::string axis_of(const Frame& frame) {
    std::string line(kAxisColumns + 1, ' ');
    for (int decade = static_cast<int>(frame.left); decade <= static_cast<int>(frame.right); ++decade) {
        const std::string label = intensity_text(std::pow(10, decade));
        const auto at =
            kAxisColumns + 1 + static_cast<std::size_t>((decade - frame.left) / (frame.right - frame.left) * kColumns);
        if (at >= line.size()) line += std::string(at - line.size(), ' ') + label + " ";
    }
    return line.append(kAxisUnit);
}

constexpr double kWidth = 640, kHeight = 400, kLeft = 84, kRight = 24, kTop = 44, kBottom = 48;

class Drawing {
public:
    explicit Drawing(const RooflineChart& roofline)
        : roofline_(roofline), frame_(frame_of(roofline)), svg_(kWidth, kHeight) {}

    std::string draw() {
        svg_.text(16, 26, roofline_.title(), {.size = fitting_size(roofline_.title(), kWidth - 32, 15), .bold = true});
        draw_grid();
        const double left = std::pow(10, frame_.left), right = std::pow(10, frame_.right);
        const double foot = std::max(left, std::pow(10, frame_.bottom) / roofline_.bandwidth);
        const Point memory[] = {at(foot, roofline_.roof(foot)), at(roofline_.ridge(), roofline_.peak)};
        const Point compute[] = {memory[1], at(right, roofline_.peak)};
        svg_.polyline(memory, {.tone = Tone::accent, .width = 2.5});
        svg_.polyline(compute, {.tone = Tone::fair, .width = 2.5});
        svg_.text(kLeft + 8, kTop + 16, "memory: " + format_bandwidth(roofline_.bandwidth), {.tone = Tone::accent});
        svg_.text(compute[1].x - 4, compute[1].y - 8, "arithmetic: " + format_flops(roofline_.peak),
                  {.tone = Tone::fair, .anchor = Anchor::end});
        for (const RooflinePoint& point : roofline_.points) draw_point(point);
        return svg_.finish();
    }

private:
    Point at(double intensity, double rate) const {
        return {kLeft + frame_.across(intensity) * (kWidth - kLeft - kRight),
                kHeight - kBottom - frame_.up(rate) * (kHeight - kTop - kBottom)};
    }

    void draw_grid() {
        for (double decade = frame_.left; decade <= frame_.right; ++decade) {
            const Point foot = at(std::pow(10, decade), std::pow(10, frame_.bottom));
            svg_.line(foot.x, kTop, foot.x, foot.y, {.tone = Tone::faint});
            svg_.text(foot.x, foot.y + 18, intensity_text(std::pow(10, decade)),
                      {.size = 11, .anchor = Anchor::middle});
        }
        for (double decade = frame_.bottom; decade <= frame_.top; ++decade) {
            const Point foot = at(std::pow(10, frame_.left), std::pow(10, decade));
            svg_.line(foot.x, foot.y, kWidth - kRight, foot.y, {.tone = Tone::faint});
            svg_.text(foot.x - 8, foot.y + 4, format_flops(std::pow(10, decade)), {.size = 11, .anchor = Anchor::end});
        }
        svg_.text((kLeft + kWidth - kRight) / 2, kHeight - 10, "FLOP per byte", {.size = 11, .anchor = Anchor::middle});
    }

    void draw_point(const RooflinePoint& point) {
        if (!(point.intensity > 0)) return;
        const Point roof = at(point.intensity, roofline_.roof(point.intensity));
        const Point place = at(point.intensity, rate_of(roofline_, point));
        svg_.begin_group(describe_point(roofline_, point));
        svg_.line(roof.x, roof.y, roof.x, kHeight - kBottom, {.tone = Tone::ink, .dashed = true});
        svg_.circle(place.x, place.y, 5, {.tone = Tone::bad});
        // Beside the point where the words have room, and above the foot of the frame.
        const double room = kWidth - kRight - place.x - 10;
        const bool left = text_width(point.label, 12) > room;
        const double y = place.y + 18 < kHeight - kBottom - 4 ? place.y + 18 : place.y - 10;
        svg_.text(place.x + (left ? -10 : 10), y, point.label,
                  {.anchor = left ? Anchor::end : Anchor::start, .bold = true});
        svg_.end_group();
    }

    const RooflineChart& roofline_;
    Frame frame_;
    Svg svg_;
};

}  // namespace

std::string describe_point(const RooflineChart& roofline, const RooflinePoint& point) {
    if (!(point.intensity > 0)) return point.label + ": no arithmetic, bound by memory";
    const double roof = roofline.roof(point.intensity);
    std::string text =
        fmt::format("{}: {} FLOP per byte, bound by {}: at most {}", point.label, intensity_text(point.intensity),
                    point.intensity < roofline.ridge() ? "memory" : "arithmetic", format_flops(roof));
    if (point.rate)
        text += fmt::format("; {} is {} of it", format_flops(*point.rate), format_percent(*point.rate / roof));
    return text;
}

std::string draw_roofline(const RooflineChart& roofline, const Style& style) {
    const Frame frame = frame_of(roofline);
    Canvas canvas(kColumns, kRows, frame);
    put_roof(canvas, roofline, style);
    for (std::size_t i = 0; i < roofline.points.size(); ++i)
        if (const RooflinePoint& point = roofline.points[i]; point.intensity > 0)
            canvas.put(canvas.column_of(point.intensity), canvas.row_of(rate_of(roofline, point)),
                       paint(style, Ink::bold, mark_of(i, roofline.points.size())));
    std::string text = paragraph(
        style, Ink::plain,
        fmt::format("{}: {} and {} meet at {} FLOP per byte", roofline.title(), format_bandwidth(roofline.bandwidth),
                    format_flops(roofline.peak), intensity_text(roofline.ridge())));
    const int labelled = canvas.row_of(roofline.peak);
    for (int row = 0; row < kRows; ++row)
        text +=
            paint(style, Ink::dim, pad_left(row == labelled ? format_flops(roofline.peak) : "", kAxisColumns) + "│") +
            canvas.row(row) + "\n";
    std::string axis = axis_of(frame);
    if (style.width != 0 && display_width(axis) > static_cast<std::size_t>(style.width))
        axis.erase(axis.size() - kAxisUnit.size());  // the line above the picture says it, too
    text += paint(style, Ink::dim, axis) + "\n";
    for (std::size_t i = 0; i < roofline.points.size(); ++i)
        text +=
            paragraph(style, Ink::plain,
                      fmt::format("{} {}", roofline.points[i].intensity > 0 ? mark_of(i, roofline.points.size()) : "–",
                                  describe_point(roofline, roofline.points[i])));
    return text;
}

std::string roofline_svg(const RooflineChart& roofline) { return Drawing(roofline).draw(); }

}  // namespace lanework

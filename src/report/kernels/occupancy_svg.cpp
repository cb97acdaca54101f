// Draws occupancy over the block sizes: one bar for each whole number of warps, coloured by what limits it.
#include <fmt/format.h>

#include "src/core/text.hpp"
#include "src/draw/letters.hpp"
#include "src/draw/svg.hpp"
#include "src/report/kernels/occupancy.hpp"

namespace lanework {
namespace {

constexpr double kWidth = 720, kHeight = 380, kLeft = 56, kRight = 24, kTop = 72, kBottom = 52;
constexpr double kPlotWidth = kWidth - kLeft - kRight, kPlotHeight = kHeight - kTop - kBottom;
constexpr int kGridLines = 4;

Tone tone_of(Limiter limiter) { return hue(static_cast<std::size_t>(limiter)); }

double height_of(const Capability& sm, int warps) { return kPlotHeight * warps / sm.warps_per_sm; }

void draw_axes(Svg& svg, const Capability& sm) {
    for (int i = 0; i <= kGridLines; ++i) {
        const int warps = sm.warps_per_sm * i / kGridLines;
        const double y = kTop + kPlotHeight - height_of(sm, warps);
        svg.line(kLeft, y, kWidth - kRight, y, {.tone = Tone::faint});
        svg.text(kLeft - 8, y + 4, fmt::format("{}", warps), {.anchor = Anchor::end});
    }
    svg.text(16, kTop + kPlotHeight / 2, "warps per SM", {.anchor = Anchor::middle, .rotate = -90});
    svg.text(kLeft + kPlotWidth / 2, kHeight - 12, "threads per block", {.anchor = Anchor::middle});
}

void draw_bars(Svg& svg, const OccupancyReport& report, const OccupancyCase& kernel) {
    const auto curve = occupancy_curve(report.sm, kernel.resources);
    const double step = kPlotWidth / static_cast<double>(curve.size());
    for (std::size_t i = 0; i < curve.size(); ++i) {
        const auto& [threads, point] = curve[i];
        const double x = kLeft + static_cast<double>(i) * step, height = height_of(report.sm, point.warps);
        const int warps_now = (kernel.resources.threads_per_block + report.sm.warp_size - 1) / report.sm.warp_size;
        const bool present = report.sized && warps_now * report.sm.warp_size == threads;
        svg.begin_group(fmt::format("{} threads: {} blocks, {} warps, {}, {}", threads, point.blocks, point.warps,
                                    format_percent(point.fraction),
                                    describe_limit(report.sm, kernel.resources, point)));
        if (const auto limits = limiters(point); !limits.empty())
            svg.rect(x + 2, kTop + kPlotHeight - height, step - 4, height,
                     {.tone = tone_of(limits.front()), .opacity = present || !report.sized ? 1 : 0.6});
        if (present)
            svg.text(x + step / 2, kTop + kPlotHeight - height - 6, fmt::format("{}", point.warps),
                     {.anchor = Anchor::middle, .bold = true});
        svg.end_group();
        if (threads % 128 == 0 || threads == report.sm.warp_size)
            svg.text(x + step / 2, kTop + kPlotHeight + 18, fmt::format("{}", threads),
                     {.anchor = Anchor::middle, .bold = present});
    }
}

void draw_legend(Svg& svg, const OccupancyReport& report, const OccupancyCase& kernel) {
    double x = kLeft;
    svg.text(x, 54, "limited by");
    x += 72;
    for (const Limiter limiter : kLimiters) {
        bool used = false;
        for (const OccupancyPoint& point : occupancy_curve(report.sm, kernel.resources)) {
            const auto limits = limiters(point.occupancy);
            used = used || (!limits.empty() && limits.front() == limiter);
        }
        if (!used) continue;
        svg.rect(x, 44, 12, 12, {.tone = tone_of(limiter), .corner = 2});
        svg.text(x + 18, 54, name_of(limiter));
        x += 110;
    }
}

std::string title_of(const OccupancyReport& report, const OccupancyCase& kernel) {
    std::string text = "Occupancy";
    if (!report.rung.empty()) text += " of " + report.rung;
    text += fmt::format(" on {}.{}", report.sm.number / 10, report.sm.number % 10);
    if (kernel.resources.registers_per_thread > 0)
        text += fmt::format(", {} registers", kernel.resources.registers_per_thread);
    if (kernel.resources.shared() > 0)
        text += fmt::format(", {} shared", format_bytes(static_cast<std::uint64_t>(kernel.resources.shared())));
    return text;
}

}  // namespace

std::string occupancy_to_svg(const OccupancyReport& report) {
    const OccupancyCase& kernel = tightest(report);
    Svg svg(kWidth, kHeight);
    const std::string title = title_of(report, kernel);
    svg.text(kLeft, 28, title, {.size = fitting_size(title, kWidth - kLeft - 8, 16), .bold = true});
    draw_legend(svg, report, kernel);
    draw_axes(svg, report.sm);
    draw_bars(svg, report, kernel);
    return svg.finish();
}

}  // namespace lanework

// Lays out occupancy: the kernels of a rung, the resources of an SM, the curve over block sizes.
#include "src/report/kernels/occupancy.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "src/core/text.hpp"
#include "src/draw/table.hpp"

namespace lanework {
namespace {

constexpr int kCurveRows = 8;
constexpr std::size_t kMargin = 7;  // columns to the left of the curve
constexpr std::size_t kLongestName = 44;

std::string bytes(std::int64_t count) { return format_bytes(static_cast<std::uint64_t>(count)); }

std::string name_of(const Capability& sm) {
    return fmt::format("{} {}.{} ({})", sm.family, sm.number / 10, sm.number % 10, sm.example);
}

Table kernels_table(const OccupancyReport& report) {
    Table table{{{"kernel"},
                 {"registers", Align::right},
                 {"spilled", Align::right},
                 {"stack", Align::right},
                 {"shared", Align::right}},
                {}};
    if (report.sized)
        for (const char* title : {"blocks", "warps", "occupancy"}) table.columns.push_back({title, Align::right});
    if (report.sized) table.columns.push_back({"limited by"});
    for (const OccupancyCase& each : report.cases) {
        const auto spilled = each.record ? each.record->spill_store_bytes + each.record->spill_load_bytes : 0;
        table.rows.push_back({shorten(each.kernel, kLongestName),
                              fmt::format("{}", each.resources.registers_per_thread), bytes(spilled),
                              bytes(each.record ? each.record->stack_bytes : 0), bytes(each.resources.shared())});
        if (!report.sized) continue;
        const Occupancy now = occupancy(report.sm, each.resources);
        for (std::string& cell :
             std::vector<std::string>{fmt::format("{}", now.blocks), fmt::format("{}", now.warps),
                                      format_percent(now.fraction), describe_limit(report.sm, each.resources, now)})
            table.rows.back().push_back(std::move(cell));
    }
    return table;
}

std::string allowed(int blocks) { return blocks == Occupancy::kUnlimited ? "any" : fmt::format("{}", blocks); }

// What a block takes and an SM has, resource by resource.
Table resources_table(const Capability& sm, const KernelResources& kernel, const Occupancy& now) {
    Table table{
        {{"resource"}, {"a block takes", Align::right}, {"an SM has", Align::right}, {"blocks", Align::right}, {""}},
        {}};
    const auto add = [&](Limiter limiter, const std::string& takes, const std::string& has) {
        table.rows.push_back({std::string(name_of(limiter)), takes, has, allowed(now.allows(limiter)),
                              now.limited_by(limiter) ? "limits" : ""});
    };
    add(Limiter::warps, fmt::format("{}", now.warps_per_block), fmt::format("{}", sm.warps_per_sm));
    add(Limiter::blocks, "1", fmt::format("{}", sm.blocks_per_sm));
    add(Limiter::registers, kernel.registers_per_thread ? fmt::format("{}", now.registers_per_block) : "unknown",
        fmt::format("{}", sm.registers_per_sm));
    add(Limiter::shared_memory, bytes(now.shared_per_block), bytes(sm.shared_per_sm));
    if (sm.barriers_per_sm > 0)
        add(Limiter::barriers, fmt::format("{}", kernel.barriers), fmt::format("{}", sm.barriers_per_sm));
    return table;
}

Ink ink_of(double fraction) {
    return fraction >= 0.75 ? Ink::good : fraction >= 0.5 ? Ink::fair : fraction >= 0.25 ? Ink::poor : Ink::bad;
}

std::string verdict(const Capability& sm, const KernelResources& kernel, const Occupancy& now, const Style& style) {
    const std::string limit = describe_limit(sm, kernel, now);
    if (now.impossible != Impossible::no) return paint(style, Ink::bad, "The launch is impossible: " + limit);
    const std::string figures = fmt::format(
        "{} block{} of {} warp{}: {} of {} warps, {}", now.blocks, now.blocks == 1 ? "" : "s", now.warps_per_block,
        now.warps_per_block == 1 ? "" : "s", now.warps, sm.warps_per_sm, format_percent(now.fraction));
    return paint(style, ink_of(now.fraction), figures) + ", limited by " + limit;
}

std::string headline(const OccupancyReport& report, const OccupancyCase& kernel) {
    std::string text;
    if (!kernel.kernel.empty()) text += kernel.kernel + ": ";
    if (report.sized) text += fmt::format("{} threads per block, ", kernel.resources.threads_per_block);
    if (kernel.resources.registers_per_thread > 0)
        text += fmt::format("{} registers per thread, ", kernel.resources.registers_per_thread);
    return text +
           fmt::format("{} of shared memory per block on {}", bytes(kernel.resources.shared()), name_of(report.sm));
}

// Lines that begin with `bullet` and go on below it.
std::string wrapped(std::string_view bullet, const std::string& sentence, const Style& style) {
    const auto width = static_cast<std::size_t>(style.width);
    std::string text;
    for (const std::string& line : wrap(sentence, width > bullet.size() ? width - bullet.size() : 0))
        text += (text.empty() ? std::string(bullet) : std::string(bullet.size(), ' ')) + line + "\n";
    return text;
}

// The column of a block size; -1 for none.
int column_of(const Capability& sm, int threads) {
    return threads <= 0 || threads > sm.threads_per_block ? -1 : (threads - 1) / sm.warp_size;
}

// One row of the curve: a column is filled where at least `warps` run, and in the lowest row where any do.
std::string draw_row(std::span<const OccupancyPoint> curve, int row, int warps, int marked, const Style& style) {
    std::string text = paint(style, Ink::dim, fmt::format("{:>5} │", row % 2 == 0 ? fmt::format("{}", warps) : ""));
    for (int column = 0; column < static_cast<int>(curve.size()); ++column) {
        const Occupancy& now = curve[static_cast<std::size_t>(column)].occupancy;
        const bool filled = now.warps >= warps || (row == 1 && now.warps > 0);
        text += filled ? paint(style, column == marked ? Ink::accent : ink_of(now.fraction), "█▌") : "  ";
    }
    return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
}

std::string draw_axis(const Capability& sm, int marked, const Style& style) {
    std::string axis(kMargin - 1, ' '), sizes(kMargin, ' ');
    axis += "└";
    for (int column = 0; column <= column_of(sm, sm.threads_per_block); ++column)
        axis += column == marked ? "^─" : "──";
    const int quarter = sm.threads_per_block / 4;
    for (const int size : {sm.warp_size, quarter, 2 * quarter, 3 * quarter, 4 * quarter}) {
        sizes.resize(kMargin + 2 * static_cast<std::size_t>(column_of(sm, size)), ' ');
        sizes += fmt::format("{}", size);
    }
    return paint(style, Ink::dim, axis) + "\n" + paint(style, Ink::dim, sizes) + "\n";
}

}  // namespace

const OccupancyCase& tightest(const OccupancyReport& report) {
    const auto tighter = [&](const OccupancyCase& a, const OccupancyCase& b) {
        if (!report.sized) return a.resources.registers_per_thread > b.resources.registers_per_thread;
        return occupancy(report.sm, a.resources).warps < occupancy(report.sm, b.resources).warps;
    };
    return *std::ranges::min_element(report.cases, tighter);
}

std::string draw_curve(const Capability& sm, const KernelResources& kernel, int threads, const Style& style) {
    const auto curve = occupancy_curve(sm, kernel);
    const int marked = column_of(sm, threads);
    std::string text = paint(style, Ink::dim, "warps per SM, by threads per block") + "\n";
    for (int row = kCurveRows; row > 0; --row)
        text += draw_row(curve, row, sm.warps_per_sm * row / kCurveRows, marked, style);
    return text + draw_axis(sm, marked, style);
}

std::string draw(const OccupancyReport& report, const Style& style) {
    const OccupancyCase& kernel = tightest(report);
    std::string text;
    if (!report.rung.empty())
        text += paint(style, Ink::bold, fmt::format("{} as compiled for {}", report.rung, name_of(report.sm))) + "\n" +
                draw(kernels_table(report), style) + "\n";
    text += wrapped("", paint(style, Ink::bold, headline(report, kernel)), style);
    if (report.sized) {
        const Occupancy now = occupancy(report.sm, kernel.resources);
        if (now.impossible == Impossible::no) text += draw(resources_table(report.sm, kernel.resources, now), style);
        text += wrapped("", verdict(report.sm, kernel.resources, now, style), style);
    }
    text +=
        "\n" + draw_curve(report.sm, kernel.resources, report.sized ? kernel.resources.threads_per_block : 0, style);
    if (!report.sized) return text;
    std::string advice;
    for (const std::string& sentence : occupancy_advice(report.sm, kernel)) advice += wrapped("- ", sentence, style);
    return advice.empty() ? text : text + "\n" + advice;
}

}  // namespace lanework

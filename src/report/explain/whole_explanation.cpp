// Puts the parts of an explanation together for one GPU.
#include "src/report/explain/whole_explanation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "src/core/text.hpp"
#include "src/draw/table.hpp"
#include "src/report/explain/estimate.hpp"
#include "src/report/explain/explanation.hpp"
#include "src/report/kernels/occupancy.hpp"
#include "src/report/results/results.hpp"
#include "src/trace/analyse/metrics.hpp"

namespace lanework {
namespace {

// A program's kernels are named where one is all that was traced of it.
std::string occupancy_title(const Explanation& explanation) {
    return explanation.rung.empty() && explanation.kernels.size() == 1
               ? fmt::format("{} of {}", explanation.kernels.front().shape.kernel, title_of(explanation))
               : title_of(explanation);
}

OccupancyReport occupancy_of(const Explanation& explanation, const Gpu& gpu) {
    OccupancyReport report{gpu.limits(), occupancy_title(explanation), {}, true};
    for (const KernelTrace& launch : explanation.kernels) {
        const KernelRecord* const record = find_record(explanation, launch.shape, gpu.capability);
        OccupancyCase next{
            launch.shape.kernel, resources_of(launch.shape, record ? record->registers_per_thread : 0), {}};
        if (record) next.record = *record;
        report.cases.push_back(std::move(next));
    }
    return report;
}

}  // namespace

std::string draw_whole(const Explanation& explanation, const Gpu& gpu, SourceText& sources, const Style& style) {
    if (explanation.kernels.empty()) return draw(explanation, gpu.limits(), sources, style);
    // A launch that failed did not do its work: nobody knows what that would take.
    const bool done = std::ranges::all_of(explanation.kernels, &std::string::empty, &KernelTrace::error);
    std::string text = draw(explanation, gpu.limits(), sources, style, done ? verdict(explanation, gpu) : "");
    if (done) {
        const Estimate guess = estimate(explanation, gpu);
        text += "\n" + draw_estimate(guess, gpu, style);
        if (explanation.work.flops != 0) text += "\n" + draw_roofline(roofline_of(explanation, guess, gpu), style);
    }
    const OccupancyReport occupancy = occupancy_of(explanation, gpu);
    const OccupancyCase& kernel = tightest(occupancy);
    return text +
           fmt::format("\n{} of {} on sm_{}\n", paint(style, Ink::bold, "Occupancy"), kernel.kernel, gpu.capability) +
           draw_curve(gpu.limits(), kernel.resources, kernel.resources.threads_per_block, style);
}

std::string draw_ladder(std::span<const Explanation> explanations, const Gpu& gpu, const Style& style) {
    const auto title = [](const Explanation& each) {
        const std::string whole = title_of(each), name = each.operation + "/" + each.rung;
        return each.operation + whole.substr(name.size());
    };
    std::string text;
    for (std::size_t first = 0, end = 0; first < explanations.size(); first = end) {
        const std::string group = title(explanations[first]);
        Table table{{{"rung"},
                     {"estimated time", Align::right},
                     {"of limit", Align::right},
                     {"top finding", Align::left, !style.verbose}},
                    {}};
        for (end = first; end < explanations.size() && title(explanations[end]) == group; ++end) {
            const Explanation& each = explanations[end];
            const EstimatedTime time = estimated_time(each, gpu);
            const bool ran = !each.kernels.empty();
            table.rows.push_back({each.rung, ran ? format_estimate_short(time) : "-",
                                  ran ? format_share_of_limit(time) : "-", why(each)});
        }
        const Explanation& one = explanations[first];
        const double limit = roofline_limit(one.timed.value_or(one.work), one.problem.dtype, gpu).seconds;
        text += (text.empty() ? "" : "\n") +
                paragraph(
                    style, Ink::plain,
                    fmt::format("{} on an {}, {}limit {}; estimates from published figures",
                                paint(style, Ink::bold, group), gpu.title,
                                one.timed ? fmt::format("timed at {}, ", one.timed_size) : "", format_seconds(limit))) +
                draw(table, style);
    }
    return text;
}

std::vector<Picture> all_pictures(const Explanation& explanation, const Gpu& gpu) {
    const std::string name = picture_name(explanation);
    std::vector<Picture> pictures = pictures_of(explanation);
    if (!explanation.kernels.empty())
        pictures.push_back({name + "-occupancy.svg", occupancy_to_svg(occupancy_of(explanation, gpu))});
    if (explanation.work.flops != 0)
        pictures.push_back(
            {name + "-roofline.svg", roofline_svg(roofline_of(explanation, estimate(explanation, gpu), gpu))});
    return pictures;
}

}  // namespace lanework

// One timeline for each selected rung, all on one scale.
#include "src/cli/profile_timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <lanework/error.hpp>

#include "src/cli/finished.hpp"
#include "src/cli/progress.hpp"
#include "src/report/timeline/timeline.hpp"
#include "src/timeline/recording.hpp"

namespace lanework {
namespace {

// Without --device: a GPU where there is one, else simt.
std::vector<ChosenDevice> devices_with_streams(const SelectionOptions& selection) {
    std::vector<ChosenDevice> devices = choose_devices(selection.device, selection.gpu);
    if (selection.device.empty())
        std::erase_if(devices, [](const auto& device) { return device.kind == DeviceKind::cpu; });
    if (devices.empty())
        throw UnavailableError("nothing here has streams: there is no GPU, and this build has no simt device");
    return devices;
}

std::string problem_text(const Job& job) {
    std::string text = fmt::format("{} {}", format_extents(*job.operation, job.problem), name_of(job.problem.dtype));
    if (!job.operation->variants.empty()) text += fmt::format(" {}", job.operation->variants[job.problem.variant]);
    return text;
}

// Rungs that cannot be drawn are named and left out, unless nothing is left.
void watch(const std::vector<Job>& selected, std::uint64_t seed, const EngineSpeeds& speeds, const Context& context,
           Finished<RungTimeline>& finished) {
    std::string reason;
    bool any = false;
    Progress progress(context, selected.size());
    for (const Job& job : selected) {
        progress.show(fmt::format("watching {}", describe(job)));
        try {
            finished.add(rung_timeline(job, seed, speeds));
            any = true;
        } catch (const UnavailableError& error) {
            reason = error.what();
            progress.clear();
            if (selected.size() > 1) context.hint("lanework: " + reason);
        }
        progress.step();
    }
    if (!any) throw UnavailableError(reason);
}

void print_timelines(std::span<const RungTimeline> timelines, const TimelineView& view, const Context& context) {
    const Style& style = context.out.style;
    if (timelines.size() > 1) context.print(draw_timeline_summary(timelines, style) + "\n");
    for (const RungTimeline& each : timelines) context.print(draw_timeline(each, view, style) + "\n");
    context.print(draw_timeline_legend(timelines, style));
    constexpr std::size_t kMany = 100;  // pieces of work, for one line
    const bool crowded =
        std::ranges::any_of(timelines, [](const auto& each) { return each.timeline.spans.size() > kMany; });
    if (crowded && view.seconds() == whole_view(timelines).seconds())
        context.hint("many pieces share a column: --zoom 0-10 draws the first tenth of the time");
}

}  // namespace

RungTimeline rung_timeline(const Job& job, std::uint64_t seed, const EngineSpeeds& speeds) {
    return {std::string(job.operation->name), std::string(job.rung->name), job.device->id, problem_text(job),
            timeline_of(*job.device->device, {job.operation, job.rung, job.problem, seed}, speeds)};
}

void TimelineOptions::add(Command& command) {
    command.flag("--timeline", asked,
                 "Draw when uploads, kernels and downloads ran: recorded on a GPU, modelled on simt");
    command.output("--svg", svg, "With --timeline: draw it as a picture");
    command.option("--zoom", zoom, "FROM-TO", "With --timeline: draw this part of the time, in percent, such as 0-10");
    command.option("--speeds", speeds, "LIST",
                   "With --timeline on simt: declare other speeds, such as link=55,pageable=8,memory=4000 (GB/s), "
                   "launch=3,copy=1,call=2 (µs), copy-engines=1");
}

void TimelineOptions::check() const {
    if (asked) return;
    for (const auto& [option, given] :
         {std::pair("--svg", !svg.empty()), std::pair("--zoom", !zoom.empty()), std::pair("--speeds", !speeds.empty())})
        if (given) throw UsageError(fmt::format("{} belongs to --timeline", option));
}

int show_timelines(const SelectionOptions& selection, const TimelineOptions& options, const Exports& exports,
                   const Context& context) {
    if (selection.words.empty()) throw UsageError("name what to draw: OP or OP/RUNG");
    const Gpu& gpu = selection.gpu.empty() ? gpus().front() : parse_gpu(selection.gpu);
    const EngineSpeeds speeds = parse_speeds(options.speeds, published_speeds(gpu));
    if (!options.zoom.empty()) parse_view(options.zoom, {});  // before anything runs
    auto devices = devices_with_streams(selection);
    for (const ChosenDevice& device : devices)
        if (!device.device) throw UnavailableError(device.reason);
    const auto view_of = [&](std::span<const RungTimeline> timelines) {
        return options.zoom.empty() ? whole_view(timelines) : parse_view(options.zoom, timelines);
    };
    const auto show = [&](std::span<const RungTimeline> timelines) {
        if (exports.show_table()) print_timelines(timelines, view_of(timelines), context);
    };
    const auto write = [&](std::span<const RungTimeline> timelines, const std::vector<Fact>& environment) {
        write_exports(exports, context,
                      {.json = [&] { return timelines_to_json(timelines, environment); }, .csv = {}, .markdown = {}});
        if (!options.svg.empty()) write_output(options.svg, timelines_svg(timelines, view_of(timelines)));
    };
    const std::vector<Job> selected = jobs(selection, devices, Problems::first_timed);
    Finished<RungTimeline> finished(context, exports, selected.size(), show, write);
    watch(selected, selection.seed, speeds, context, finished);
    finished.end();
    return exit_status::good;
}

}  // namespace lanework

// lanework devices: what is known about each device, and with --measure the fastest that it was seen to go.
#include <fmt/format.h>

#include <lanework/error.hpp>

#include "src/cli/command.hpp"
#include "src/cli/device_facts.hpp"
#include "src/cli/exports.hpp"
#include "src/cli/progress.hpp"
#include "src/cli/selection.hpp"
#include "src/measure/survey.hpp"
#include "src/report/results/survey.hpp"

namespace lanework {
namespace {

struct DevicesOptions {
    SelectionOptions selection;
    bool measure = false;
    Exports exports;
};

DescribedDevice describe(const ChosenDevice& chosen, bool measure, Progress& progress) {
    if (!chosen.device) return {.facts = {chosen.id, {{"not here", chosen.reason}}, {}}};
    const DeviceInfo& info = chosen.device->info();
    DescribedDevice described{.facts = section_of(info), .gpu = find_gpu(info.name)};
    const auto show = [&](std::string_view what) { progress.show(fmt::format("measuring {}: {}", chosen.id, what)); };
    auto known = cached_ceilings(info);
    described.survey = cached_survey(info);
    if (measure) {
        // simt's ceilings are the cpu's, which are measured for the cpu.
        known = ceilings(*chosen.device, {.refresh = info.kind != DeviceKind::simt, .progress = show});
        described.survey = survey(*chosen.device, *known, show);
        store_survey(*described.survey);
    }
    if (info.kind == DeviceKind::simt)
        add_published(described.facts, gpu_of(info));
    else if (known)
        add_ceilings(described.facts, *known);
    return described;
}

int run_devices(const DevicesOptions& options, const Context& context) {
    std::vector<DescribedDevice> devices;
    bool any = false;
    {
        Progress progress(context);
        for (const ChosenDevice& chosen : choose_devices(
                 options.selection.device.empty() ? "all" : options.selection.device, options.selection.gpu)) {
            devices.push_back(describe(chosen, options.measure, progress));
            any = any || chosen.device;
        }
    }
    if (options.exports.show_table()) context.print(draw(devices, context.out.style));
    write_exports(options.exports, context,
                  {.json = [&] { return devices_to_json(devices); }, .csv = {}, .markdown = {}});
    return any ? exit_status::good : exit_status::unavailable;
}

}  // namespace

void add_devices(CLI::App& app, Context& context) {
    auto options = std::make_shared<DevicesOptions>();
    Command command(app, context, "devices", "Describe the devices: memory, caches, limits, measured ceilings");
    options->selection.add_device(command, "Which (all)");
    command.flag("--measure", options->measure, "Measure bandwidths, arithmetic, atomics, launches and the link anew");
    options->exports.add_json(command);
    command.examples(
        "  lanework devices                     everything that is here\n"
        "  lanework devices --measure -d cuda:0 what its parts reach, beside the published figures");
    command.run([options, &context] { return run_devices(*options, context); });
}

}  // namespace lanework

// lanework devices: what is known about each device, and with --measure the fastest that it was seen to go.
#include <fmt/format.h>

#include <lanework/error.hpp>

#include "src/cli/commands.hpp"
#include "src/cli/device_facts.hpp"
#include "src/cli/exports.hpp"
#include "src/cli/progress.hpp"
#include "src/cli/selection.hpp"

namespace lanework {
namespace {

struct DevicesOptions {
    SelectionOptions selection;
    bool measure = false;
    Exports exports;
};

Section describe(const ChosenDevice& chosen, bool measure, Progress& progress) {
    if (!chosen.device) return {chosen.id, {{"not here", chosen.reason}}, {}};
    Section section = section_of(chosen.device->info());
    const auto show = [&](std::string_view what) { progress.show(fmt::format("measuring {}: {}", chosen.id, what)); };
    if (measure)
        add_ceilings(section, ceilings(*chosen.device, {.refresh = true, .progress = show}));
    else if (const auto cached = cached_ceilings(chosen.device->info()))
        add_ceilings(section, *cached);
    return section;
}

int run(const DevicesOptions& options, const Context& context) {
    options.exports.check();
    std::vector<Section> sections;
    bool any = false;
    {
        Progress progress(context);
        for (const ChosenDevice& chosen :
             choose_devices(options.selection.device.empty() ? "all" : options.selection.device)) {
            sections.push_back(describe(chosen, options.measure, progress));
            any = any || chosen.device;
        }
    }
    if (options.exports.show_table()) context.print(draw(sections, context.out.style));
    write_exports(options.exports, context,
                  {.json = [&] { return sections_to_json("devices", sections); }, .csv = {}, .markdown = {}});
    return any ? exit_status::good : exit_status::unavailable;
}

}  // namespace

void add_devices(CLI::App& app, Context& context) {
    auto options = std::make_shared<DevicesOptions>();
    Command command(app, context, "devices", "Describe the devices: memory, caches, limits, measured ceilings");
    options->selection.add_device(command, "Which (all)");
    command.flag("--measure", options->measure, "Measure copy, read and write bandwidth and arithmetic rates anew");
    options->exports.add_json(command);
    command.examples(
        "  lanework devices                     everything that is here\n"
        "  lanework devices --measure -d cuda:0 the ceilings that limits are computed from");
    command.run([options, &context] { return run(*options, context); });
}

}  // namespace lanework

// lanework bench: times of the selected rungs as a table.
#include <fmt/format.h>

#include <algorithm>

#include "src/cli/command.hpp"
#include "src/cli/finished.hpp"
#include "src/cli/timing.hpp"
#include "src/report/results/samples.hpp"

namespace lanework {
namespace {

struct BenchOptions {
    SelectionOptions selection;
    TimingOptions timing;
    bool all_sizes = false;
    Exports exports;
};

void show_times(std::span<const Measurement> results, std::span<const ChosenDevice> devices,
                const BenchOptions& options, const Context& context) {
    context.print(draw(bench_table(results), context.out.style));
    for (const ChosenDevice& each : devices) {
        if (std::ranges::find(results, each.id, &Measurement::device) == results.end()) continue;
        if (each.kind == DeviceKind::simt)
            context.print(paragraph(context.out.style, Ink::dim, kEmulationNote));
        else if (each.device)
            context.print(
                paragraph(context.out.style, Ink::dim, fmt::format("{} is {}", each.id, each.device->info().name)));
    }
    if (options.timing.statistics) context.print("\n" + draw(samples_table(results), context.out.style));
}

int run_bench(const BenchOptions& options, const Context& context) {
    auto devices = options.selection.chosen_devices();
    const auto selected =
        jobs(options.selection, devices, options.all_sizes ? Problems::all_timed : Problems::first_timed);
    refuse_vacuous(selected, context);
    Stopwatch stopwatch(options.timing, options.selection.seed, context, selected.size());
    const auto show = [&](std::span<const Measurement> results) {
        if (options.exports.show_table()) show_times(results, devices, options, context);
    };
    const auto write = [&](std::span<const Measurement> results, const std::vector<Fact>& environment) {
        write_results(options.exports, context, results, environment);
    };
    Finished<Measurement> finished(context, options.exports, selected.size(), show, write);
    for (const Job& job : selected) {
        finished.add(stopwatch.measure(job));
        stopwatch.progress().step();
    }
    stopwatch.progress().clear();
    finished.change([](std::vector<Measurement>& results) { share_limits(results); });
    return status_of(finished.end());
}

}  // namespace

void add_bench(CLI::App& app, Context& context) {
    auto options = std::make_shared<BenchOptions>();
    Command command(app, context, "bench", "Time rungs, with caches cold and hot, against the limit and the library");
    command.positionals("OP[/RUNG]", options->selection.words, "What to time", true);
    options->selection.add_device(command);
    options->selection.add_problem(command);
    options->selection.add_sweep(command);
    options->selection.add_input(command);
    options->selection.add_kernel(command);
    command.flag("--all-sizes", options->all_sizes, "Every problem that is timed by default, not only the first");
    options->timing.add(command);
    options->exports.add_all(command);
    command.examples(
        "  lanework bench reduce                            every rung on the default problem\n"
        "  lanework bench transpose/padded_tile --size 4096x4096 --max-time 2\n"
        "  lanework bench matmul --json before.json         for `lanework compare`\n"
        "  lanework bench \"re*\" --sweep size=2^10..2^20*4 --stats --csv times.csv\n"
        "\n"
        "Cold: caches are emptied before every sample. Hot: run after run on the same data.\n"
        "Every rung is verified before and after it is timed.");
    command.run([options, &context] { return run_bench(*options, context); });
}

}  // namespace lanework

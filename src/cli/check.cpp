// lanework check: runs a CUDA program with every access watched, and says what is wrong.
#include <fmt/format.h>

#include <lanework/error.hpp>

#include "src/cli/command.hpp"
#include "src/cli/exports.hpp"
#include "src/cli/selection.hpp"
#include "src/cli/watched_program.hpp"
#include "src/gpu/gpus.hpp"
#include "src/program/check_report.hpp"
#include "src/program/run_settings.hpp"

namespace lanework {
namespace {

struct CheckCommand {
    /// For the help alone: take_program_words() has taken them.
    std::vector<std::string> words;
    std::string gpu, report, call;
    std::uint64_t schedule = 0;
    int schedules = 0, seconds = 0, devices = 0;
    bool leaks = false;
    Exports exports;
};

int run_check(const CheckCommand& command, Context& context) {
    WatchedRun watched;
    ProgramCache cache;
    call_in_place_of_main(context, cache, command.call);
    watched.program = build_to_watch(context, cache);
    watched.settings.task = WatchSettings::Task::check;
    watched.settings.schedule = command.schedule;
    watched.settings.leaks = command.leaks;
    watched.settings.seconds = static_cast<std::uint64_t>(command.seconds);
    // A first word that it takes long comes earlier, from watch_program().
    constexpr std::uint64_t kSecondsToProgress = 10;
    watched.settings.progress = context.err.terminal ? kSecondsToProgress : 0;
    if (!command.gpu.empty()) watched.settings.gpu = parse_gpu(command.gpu).name;
    watched.schedules = command.schedules;
    watched.devices = command.devices;
    const WatchedOutcome outcome =
        watch_program(context, cache, std::move(watched), [&](const WatchedOutcome& found, const WatchedRun&) {
            require_instrumented(context, found);
            const std::string title = program_title(context);
            if (command.report.empty())
                context.hint(draw_check(title, found, context.err.style));
            else
                write_output(command.report, draw_check(title, found, Style{}) + "\n");
            write_exports(command.exports, context,
                          {.json = [&] { return check_to_json(title, found); }, .csv = {}, .markdown = {}});
        });
    if (outcome.wrong() && !outcome.interrupted) return exit_status::wrong;
    // No finding among what was checked is no clean program.
    return outcome.status == exit_status::good && !outcome.checked_all() ? exit_status::time_out : outcome.status;
}

}  // namespace

void add_check(CLI::App& app, Context& context) {
    auto options = std::make_shared<CheckCommand>();
    Command command(app, context, "check",
                    "Run a CUDA program and find races, bad accesses, unwritten memory and barriers");
    command.positionals("FILE.cu...", options->words,
                        "Files and options as for nvcc, or a program; behind --, its own arguments", false);
    command.option("--call", options->call, "STATEMENTS", kCallHelp);
    command.output("--report", options->report, "Write the findings to FILE instead of the standard error");
    options->exports.add_json(command);
    command.count("--schedules", options->schedules, "Look for errors under so many further schedules (0)");
    command.count("--seconds", options->seconds,
                  "Check what begins within so many seconds of the program's start; 0 is all (0)");
    command.flag("--leaks", options->leaks, "Find memory that the program allocates and never frees");
    command.option("--schedule", options->schedule, "Follow the schedule of this seed; 0 is the natural order (0)");
    command.option("--gpu", options->gpu, "NAME", gpu_help("The GPU that simt stands for"));
    command.option("--devices", options->devices, kDevicesHelp, kMostDevices);
    command.examples(
        "  lanework check reduce.cu                    every hazard, with its line and what to do about it\n"
        "  lanework check reduce.cu --schedules 20 -- 1000\n"
        "  lanework check reduce.cu --call 'block_sums<<<4, 256>>>(random(1024), empty(4), 1024)'\n"
        "  lanework check solver.cu --seconds 60       what begins later runs unchecked, and the report says so\n"
        "  lanework check ./app -- input.txt           a program that `lanework cc --observable` built\n"
        "\n"
        "Files and options are nvcc's; what follows -- are the program's own arguments. Its output and its input are "
        "its\n"
        "own. Further schedules are runs without output. Exit status 1: a finding; else the program's own; 5 where "
        "the\n"
        "time was over before all was checked; 130 where it was interrupted.");
    command.run([options, &context] { return run_check(*options, context); });
}

}  // namespace lanework

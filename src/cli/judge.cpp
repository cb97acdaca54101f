// lanework judge: a verdict on a rung that is not trusted.
#include <fmt/format.h>

#include <filesystem>
#include <random>

#include "src/cli/command.hpp"
#include "src/cli/exports.hpp"
#include "src/cli/progress.hpp"
#include "src/cli/selection.hpp"
#include "src/program/ladder/judge_report.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

struct JudgeCommand {
    std::string folder, file;
    AddedKernel added;
    JudgeOptions options;
    std::uint64_t seed = 0;
    double memory_mib = 4096;
    Exports exports;
};

/// A file that is named from here, or else from the ladder's folder.
fs::path found(const JudgeCommand& command) {
    std::error_code error;
    const fs::path inside = fs::path(command.folder) / command.file;
    return !fs::exists(command.file, error) && fs::exists(inside, error) ? inside : fs::path(command.file);
}

int status_of(Fault fault) {
    switch (fault) {
        case Fault::none: return exit_status::good;
        case Fault::does_not_compile: return exit_status::compilation;
        case Fault::hang: return exit_status::time_out;
        default: return exit_status::wrong;
    }
}

int run_judge(const JudgeCommand& command, const Context& context) {
    JudgeOptions options = command.options;
    // A seed that is known before can be learnt by heart.
    options.seed = command.seed != 0 ? command.seed : std::random_device()();
    options.memory_bytes = static_cast<std::size_t>(command.memory_mib * 1024 * 1024);
    OwnOperation& operation = operation_of_word(command.folder, own_ladder_build());
    const RungSource source{.file = found(command),
                            .kernel = command.added.kernel,
                            .launch = command.added.launch,
                            .build = split_build_words(command.added.build)};
    const Judgement judgement = [&] {
        Progress progress(context);
        progress.show(fmt::format("judging {}: it is built, and runs under a guard", source.file.string()));
        return judge(operation, source, own_ladder_build(&progress), options);
    }();
    const std::string name = operation.description().name;
    const std::string title = fmt::format("{}/{}", name, source.file.stem().string());
    if (command.exports.show_table()) context.print(broken_lines(draw_judgement(judgement, title), context.out.style));
    write_exports(command.exports, context,
                  {.json = [&] { return judgement_to_json(judgement, name, source.file.string(), environment()); },
                   .csv = {},
                   .markdown = {}});
    return status_of(judgement.fault);
}

}  // namespace

void add_judge(CLI::App& app, Context& context) {
    auto options = std::make_shared<JudgeCommand>();
    Command command(app, context, "judge", "Judge a kernel that is not trusted against a ladder of your own");
    command.positional("FOLDER", options->folder,
                       "The ladder, or an operation of ours: its reference says what is right");
    command.input_file("FILE.cu", options->file, "The rung");
    command.option("--kernel", options->added.kernel, "NAME",
                   "The kernel or launching function, where the file does not say which");
    command.option("--grid", options->added.launch.grid, "LENGTHS",
                   "How many blocks it is launched with: \"ceil(n/4)\"");
    command.option("--block", options->added.launch.block, "LENGTHS", "How many threads a block has: 128, \"32, 8\"");
    command.option("--shared", options->added.launch.shared, "BYTES", "Dynamic shared memory (0)");
    command.option("--build", options->added.build, "WORDS",
                   "What it is built with besides: \"-I include -L lib -lmine\"; code that you trust");
    command.option("--seed", options->seed, "Seed of the random inputs (drawn anew each time, and told)");
    command.seconds("--seconds", options->options.seconds, "How long all runs may take together (60)");
    command.seconds("--run-seconds", options->options.seconds_of_run, "How long one run may take (10)");
    command.not_negative("--memory", options->memory_mib, "MIB", "How much memory it may map (4096)");
    command.count("--schedules", options->options.schedules, "Schedules to draw besides the natural order (2)");
    options->exports.add_json(command);
    command.examples(
        "  lanework judge ./softmax theirs.cu\n"
        "  lanework judge ./softmax theirs.cu --kernel rows --grid \"ceil(n/4)\" --block \"32, 4\" --json\n"
        "\n"
        "The rung is compiled and runs in a process of its own, which can write no file, start no process or thread "
        "and\n"
        "reach no network; what is right stays outside. Exit status 1: wrong, it crashed or it ended; 3: it does not\n"
        "compile; 5: it took longer than it may.");
    command.run([options, &context] { return run_judge(*options, context); });
}

}  // namespace lanework

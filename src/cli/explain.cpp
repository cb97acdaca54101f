// lanework explain: what the hardware's counters would say about a rung, line by line, with no GPU.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <lanework/error.hpp>
#include <utility>

#include "src/cli/command.hpp"
#include "src/cli/finished.hpp"
#include "src/cli/machine_code_at_hand.hpp"
#include "src/cli/progress.hpp"
#include "src/cli/selection.hpp"
#include "src/cli/watched_program.hpp"
#include "src/core/text.hpp"
#include "src/io/file.hpp"
#include "src/program/run_settings.hpp"
#include "src/report/explain/estimate.hpp"
#include "src/report/explain/explanation.hpp"
#include "src/report/explain/explanation_compare.hpp"
#include "src/report/explain/explanation_pictures.hpp"
#include "src/report/explain/machine_code_listing.hpp"
#include "src/report/explain/whole_explanation.hpp"
#include "src/report/kernels/occupancy.hpp"
#include "src/report/results/results.hpp"
#include "src/trace/record/explain.hpp"

namespace lanework {
namespace {

constexpr const char* kSimt = "simt";

struct ExplainCommand {
    SelectionOptions selection;
    std::string other, pictures;
    bool sass = false, as_written = false, verbose = false;
    std::string kernel, report, call;
    int launch = 1;
    std::uint64_t schedule = 0;
    int schedules = 0, devices = 0;
    Exports exports;
};

const Gpu& explained_gpu(const ExplainCommand& command) {
    return command.selection.gpu.empty() ? gpus().front() : parse_gpu(command.selection.gpu);
}

/// What a GPU is timed with, where nobody named a size: the traced problem, which simt ends soon, is a slice of it.
std::optional<Problem> timed_problem(const Job& job) {
    if (job.operation->timed.cuda.empty()) return std::nullopt;
    Problem problem = job.problem;
    problem.extent = job.operation->timed.cuda.front();
    const bool larger = job.operation->work(problem).bytes() > job.operation->work(job.problem).bytes();
    return larger && refusal(*job.rung, problem).empty() ? std::optional(problem) : std::nullopt;
}

Explanation explain_job(const Job& job, const ExplainCommand& command, const Gpu& gpu, std::uint64_t schedule,
                        std::span<const MachineCode> code = {}) {
    if (!job.rung) throw UnavailableError("this build has no simt device to trace kernels on");
    return explain(*job.operation, *job.rung, job.problem, command.selection.seed,
                   {.schedule = schedule,
                    .hazards = true,
                    .gpu = &gpu,
                    .code = code,
                    .input = job.input.value_or(kRandomInput),
                    .timed = command.selection.size.empty() ? timed_problem(job) : std::nullopt});
}

// The natural order's explanation, and the errors that further schedules bring to light, each with its seed.
Explanation explain_schedules(const Job& job, const ExplainCommand& command, const Gpu& gpu,
                              std::span<const MachineCode> code, Progress& progress) {
    progress.show(fmt::format("tracing {}", describe(job)));
    Explanation explanation = explain_job(job, command, gpu, command.schedule, code);
    for (int drawn = 1; drawn <= command.schedules; ++drawn) {
        const std::uint64_t seed = command.schedule + static_cast<std::uint64_t>(drawn);
        progress.show(fmt::format("tracing {}, schedule {} of {}", describe(job), drawn, command.schedules));
        for (Finding& finding : explain_job(job, command, gpu, seed).findings) {
            if (!finding.error()) continue;
            finding.evidence += fmt::format(" (under --schedule {})", seed);
            add_finding(explanation.findings, std::move(finding));
        }
    }
    std::stable_partition(explanation.findings.begin(), explanation.findings.end(), std::mem_fn(&Finding::error));
    return explanation;
}

void write_pictures(const std::filesystem::path& folder, const Explanation& explanation, const Gpu& gpu,
                    const Context& context) {
    const std::vector<Picture> pictures = all_pictures(explanation, gpu);
    for (const Picture& picture : pictures) write_output(folder / picture.file, picture.svg);
    context.hint(fmt::format("{} pictures in {}", pictures.size(), folder.string()));
}

std::string draw(std::span<const Explanation> explanations, const ExplainCommand& command, const Gpu& gpu,
                 const Style& style) {
    SourceText sources;
    if (command.sass) {
        std::string text;
        for (const Explanation& each : explanations)
            text += draw_heading(each, style) + draw_machine_code(each, sources, style);
        return text;
    }
    if (explanations.size() == 1) return draw_whole(explanations[0], gpu, sources, style);
    if (command.other.empty()) return draw_ladder(explanations, gpu, style);
    const EstimatedTime before = estimated_time(explanations[0], gpu), after = estimated_time(explanations[1], gpu);
    const std::string verdicts =
        fmt::format("{}: {} → {} estimated, {} → {} of the limit of {}", where_timed(explanations[1], gpu),
                    format_estimate(before), format_estimate(after), format_share_of_limit(before),
                    format_share_of_limit(after), format_seconds(after.limit_s));
    return draw_comparison(explanations[0], explanations[1], gpu.limits(), sources, style, verdicts);
}

// Of a ladder only the rungs that compute the problem. One that was named by itself says why it does not.
void leave_out_refused(std::vector<Job>& ladder) {
    if (ladder.size() == 1) return;
    const Job first = ladder.front();
    std::erase_if(ladder, [](const Job& job) { return job.rung && !refusal(*job.rung, job.problem).empty(); });
    if (ladder.empty())
        throw UnavailableError(fmt::format("no rung of {} computes {} {}: {}", first.operation->name,
                                           format_extents(*first.operation, first.problem),
                                           name_of(first.problem.dtype), refusal(*first.rung, first.problem)));
}

Job other_job(const Job& job, const std::string& name) {
    const auto slash = name.rfind('/');
    Job other = job;
    other.rung = &find_rung(*job.operation, slash == name.npos ? name : name.substr(slash + 1), DeviceKind::simt);
    return other;
}

[[noreturn]] void refuse_to_compare() {
    throw UsageError("--compare needs one rung to compare with: OP/RUNG --compare RUNG");
}

std::vector<Job> pair(const SelectionOptions& selection, std::vector<ChosenDevice>& devices, const std::string& other) {
    auto selected = jobs(selection, devices, Problems::first_timed);
    if (selected.size() != 1) refuse_to_compare();
    selected.push_back(other_job(selected.front(), other));
    return selected;
}

bool of_own_ladder(const SelectionOptions& selection) {
    return selection.words.size() == 1 && names_own_ladder(selection.words.front());
}

/// Of a folder that holds a ladder only the rungs that are named are built: the other one is named, too.
std::vector<Job> own_pair(SelectionOptions selection, std::vector<ChosenDevice>& devices, const std::string& other) {
    const std::filesystem::path first = selection.words.front(), second(other);
    if (is_own_ladder(first)) refuse_to_compare();
    selection.words.push_back((first.parent_path() / second.stem()).string());
    auto selected = jobs(selection, devices, Problems::first_timed);
    if (selected.size() != 2) refuse_to_compare();
    if (selected.front().rung->name != first.stem().string()) std::swap(selected[0], selected[1]);
    return selected;
}

Style styled(const ExplainCommand& command, Style style) {
    style.verbose = command.verbose;
    return style;
}

// Of a program that did not come to its end: how far it is explained; whether any launch is.
bool tell_of_part(const WatchedOutcome& found, const WatchSettings& settings, const Context& context) {
    const std::string ended =
        found.interrupted ? "it was interrupted" : fmt::format("it ended before its end, with status {}", found.status);
    const bool some = std::filesystem::exists(settings.text);
    context.hint(some ? fmt::format("lanework: {}: {}; what follows are the launches that had ended before",
                                    program_title(context), ended)
                      : fmt::format("lanework: {}: {}, and no launch that was to be explained had ended",
                                    program_title(context), ended));
    return some;
}

// Of each kernel one launch is explained; a larger one may be what takes the time.
void tell_of_larger(const WatchedOutcome& found, const Context& context) {
    for (const WatchedOutcome::Larger& each : found.larger)
        context.hint(fmt::format(
            "lanework: {}: launch {} of {} has {} threads, the explained one {}: --kernel {} --launch {} explains it",
            program_title(context), each.launch, each.kernel, each.threads, each.explained_threads, each.kernel,
            each.launch));
}

// A program that forks explains its launches in each of its processes; of one of them there is a text.
void tell_of_unshown(const WatchedOutcome& found, const Context& context) {
    if (found.unshown == 0) return;
    context.hint(
        fmt::format("lanework: {}: launches of one process are explained; {} of others, which it forked, {} left out",
                    program_title(context), found.unshown, found.unshown == 1 ? "is" : "are"));
}

// A program of the user's: its library explains it as it runs.
int explain_program(const ExplainCommand& command, Context& context) {
    WatchedRun watched;
    ProgramCache cache;
    call_in_place_of_main(context, cache, command.call);
    watched.program = build_to_watch(context, cache);
    const auto file = [&](const char* name) { return (cache.temporary() / name).string(); };
    WatchSettings& settings = watched.settings;
    settings.task = WatchSettings::Task::explain;
    settings.text = file("explanation");
    if (command.exports.json) settings.json = file("explanation.json");
    if (!command.pictures.empty()) settings.pictures = std::filesystem::absolute(command.pictures).string();
    if (!command.pictures.empty()) std::filesystem::create_directories(command.pictures);
    if (!command.as_written)
        settings.code = MachineCodeAtHand(context, explained_gpu(command), command.sass).of_program(cache);
    settings.sass = command.sass;
    settings.kernel = command.kernel;
    settings.launch = static_cast<std::uint64_t>(command.launch);
    settings.schedule = command.schedule;
    if (!command.selection.gpu.empty()) settings.gpu = parse_gpu(command.selection.gpu).name;
    settings.style = styled(command, command.report.empty() ? context.out.style : Style{});
    watched.schedules = command.schedules;
    watched.devices = command.devices;
    const WatchedOutcome outcome =
        watch_program(context, cache, watched, [&](const WatchedOutcome& found, const WatchedRun&) {
            if (found.ended) require_explained(context, found, settings);
            if (!found.ended && !tell_of_part(found, settings, context)) return;
            tell_of_larger(found, context);
            tell_of_unshown(found, context);
            const std::string text = file_text(settings.text);
            if (!command.report.empty())
                write_output(command.report, text);
            else if (command.exports.show_table())
                context.print(text);
            write_exports(command.exports, context,
                          {.json = [&] { return file_text(settings.json); }, .csv = {}, .markdown = {}});
        });
    return outcome.wrong() && !outcome.interrupted ? exit_status::wrong : outcome.status;
}

int run_explain(const ExplainCommand& command, Context& context) {
    if (!context.program.empty()) return explain_program(command, context);
    if (!command.call.empty()) throw UsageError(kCallNeedsAFile);
    if (command.devices > 0) throw UsageError("--devices is for programs of your own");
    auto devices = choose_devices(kSimt, command.selection.gpu);
    const Gpu& gpu = explained_gpu(command);
    SelectionOptions selection = command.selection;
    selection.added.kernel = command.kernel;
    auto selected = command.other.empty()      ? jobs(selection, devices, Problems::first_timed)
                    : of_own_ladder(selection) ? own_pair(selection, devices, command.other)
                                               : pair(selection, devices, command.other);
    if (command.other.empty()) leave_out_refused(selected);
    const auto show = [&](std::span<const Explanation> explanations) {
        if (command.exports.show_table())
            context.print(draw(explanations, command, gpu, styled(command, context.out.style)));
    };
    const auto write = [&](std::span<const Explanation> explanations, const std::vector<Fact>& environment) {
        write_exports(
            command.exports, context,
            {.json = [&] { return explanations_to_json(explanations, gpu, environment); }, .csv = {}, .markdown = {}});
        if (!command.pictures.empty())
            for (const Explanation& each : explanations) write_pictures(command.pictures, each, gpu, context);
    };
    Finished<Explanation> finished(context, command.exports, selected.size(), show, write);
    {
        Progress progress(context, selected.size());
        // Compiling takes seconds: of a whole ladder it is asked for.
        const bool wanted = !command.as_written && (command.sass || selected.size() <= 2);
        MachineCodeAtHand at_hand(context, gpu, command.sass);
        for (const Job& job : selected) {
            progress.show(fmt::format("compiling {}", describe(job)));
            const auto code = wanted && job.rung ? at_hand.of(*job.rung, progress) : std::vector<MachineCode>();
            finished.add(explain_schedules(job, command, gpu, code, progress));
            progress.step();
        }
    }
    const std::vector<Explanation> explanations = finished.end();
    const bool wrong = std::ranges::any_of(
        explanations, [](const Explanation& each) { return std::ranges::any_of(each.findings, &Finding::error); });
    return wrong ? exit_status::wrong : exit_status::good;
}

}  // namespace

void add_explain(CLI::App& app, Context& context) {
    auto options = std::make_shared<ExplainCommand>();
    options->selection.kinds = {DeviceKind::simt};
    Command command(app, context, "explain", "Say why a kernel is slow or wrong, line by line, with no GPU");
    command.positionals("OP[/RUNG]", options->selection.words,
                        "What to explain; of a whole ladder: a line for each rung", true);
    options->selection.add_problem(command);
    options->selection.add_input(command);
    command.option("--gpu", options->selection.gpu, "NAME",
                   gpu_help("The GPU that simt stands for, and that findings and the estimate are for"));
    command.option("--devices", options->devices, kDevicesHelp, kMostDevices);
    command.option("--compare", options->other, "RUNG", "Show what changes from OP/RUNG to this rung");
    command.flag("-v,--verbose", options->verbose,
                 "Show each finding with its evidence, its remedy and a picture of the worst request");
    command.flag("--sass", options->sass,
                 "Show the machine code, its source lines and what each instruction did, side by side");
    command.flag("--as-written", options->as_written, "Count what is written, also where a compiler is at hand");
    command.option("--schedule", options->schedule, "Follow the schedule of this seed; 0 is the natural order (0)");
    command.count("--schedules", options->schedules, "Look for errors under so many further schedules (0)");
    command.output_folder("--pictures", options->pictures,
                          "Write sector maps, banks, the occupancy curve and the roofline as SVG");
    command.option("--call", options->call, "STATEMENTS", kCallHelp);
    command.option("--kernel", options->kernel, "NAME",
                   "Of a program: explain this kernel only; of a ladder of your own: FILE.cu:NAME, this kernel");
    options->selection.add_kernel(command, false);
    command.option("--launch", options->launch, "Of a program: which launch of each kernel, from 1 (1)");
    command.output("--report", options->report, "Of a program: write the text to FILE");
    options->exports.add_json(command);
    command.examples(
        "  lanework explain transpose/padded_tile_16          counters beside the lines that cause them\n"
        "  lanework explain transpose/shared_tile --compare padded_tile\n"
        "  lanework explain reduce                            the top finding of every rung\n"
        "  lanework explain matmul/shared_tile --sass         each instruction, and how often it is executed\n"
        "  lanework explain matmul/naive --gpu rtx4090 --pictures out\n"
        "  lanework explain mine.cu --kernel blur -- 1000     a program of your own, with nvcc's options and its "
        "arguments\n"
        "  lanework explain mine.cu --call 'blur<<<dim3(8, 8), dim3(32, 4)>>>(random(65536), empty(65536), 256, 256)'\n"
        "\n"
        "The kernel runs once on the simt device, traced. Where nvcc and nvdisasm are found (a toolkit, or Python's\n"
        "nvidia-cuda-nvcc and nvidia-cuda-nvdisasm), its machine code is executed too, and counters are its. Exit "
        "status 1: a finding is an error.");
    command.run([options, &context] { return run_explain(*options, context); });
}

}  // namespace lanework

// lanework profile: the hardware's counters beside ours.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <lanework/error.hpp>
#include <map>
#include <memory>

#include "src/cli/command.hpp"
#include "src/cli/device_facts.hpp"
#include "src/cli/exports.hpp"
#include "src/cli/finished.hpp"
#include "src/cli/machine_code_at_hand.hpp"
#include "src/cli/profile_jobs.hpp"
#include "src/cli/profile_timeline.hpp"
#include "src/cli/progress.hpp"
#include "src/cli/watched_program.hpp"
#include "src/core/host.hpp"
#include "src/io/file.hpp"
#include "src/profile/accuracy_page.hpp"
#include "src/profile/compiled_code.hpp"
#include "src/profile/nsight_compute.hpp"
#include "src/profile/profile_report.hpp"
#include "src/profile/program_profile.hpp"
#include "src/program/on_gpu.hpp"
#include "src/program/program_cache.hpp"
#include "src/trace/record/explain.hpp"

namespace lanework {
namespace {

struct ProfileOptions {
    SelectionOptions selection;
    bool launch_once = false, machine_code = false, as_written = false;
    /// Folders.
    std::string record, accuracy;
    /// Of a program: what runs in place of main, which kernel, and which launch of it.
    std::string call, kernel;
    int launch = 1;
    std::string note, keep;
    TimelineOptions timeline;
    Exports exports;

    std::string device() const {
        if (!selection.device.empty()) return selection.device;
        return std::string(name_of(selection.gpu.empty() ? DeviceKind::cuda : DeviceKind::simt));
    }
};

/// Where hardware counters come from, or why there are none.
struct Profiler {
    std::filesystem::path ncu;
    std::string name, reason;
    /// What is predicted for, and what is counted on.
    const Gpu* like = &gpus().front();
    ProfiledGpu gpu{like->capability, like->sms};

    void describe(const DeviceInfo& device) {
        like = &gpu_of(device);
        gpu = {number_of(device, "compute capability"), number_of(device, "SMs")};
    }
};

Profiler find_profiler(const ProfileOptions& options) {
    Profiler profiler;
    const std::string device = options.device();
    const ChosenDevice chosen = std::move(choose_devices(device, options.selection.gpu).front());
    if (chosen.device && chosen.kind != DeviceKind::cpu) profiler.describe(chosen.device->info());
    if (!device.starts_with(name_of(DeviceKind::cuda))) {
        profiler.reason = fmt::format("{} has no hardware counters", device);
        return profiler;
    }
    const Availability gpus = availability(DeviceKind::cuda);
    if (!gpus.compiled || gpus.count == 0) {
        profiler.reason = gpus.reason;
        return profiler;
    }
    if (!chosen.device) throw UnavailableError(chosen.reason);
    profiler.name = chosen.device->info().name;
    profiler.ncu = find_ncu();
    if (profiler.ncu.empty())
        profiler.reason =
            "Nsight Compute (ncu) was not found: install it with the CUDA toolkit (package nsight-compute) or put its "
            "folder on PATH";
    return profiler;
}

int launch_all(const ProfileOptions& options, const Context& context) {
    const auto device = choose_device(options.device(), options.selection.gpu);
    for (const ProfileJob& job : profile_jobs(options.selection, device->info().kind)) {
        try {
            launch_once(*device, job, options.selection.seed);
        } catch (const UnavailableError& error) {
            context.hint(fmt::format("lanework: {}", error.what()));
        }
    }
    return exit_status::good;
}

// This program again, so that it launches the same jobs under the profiler.
std::vector<std::string> child_command(const ProfileOptions& options) {
    const SelectionOptions& selection = options.selection;
    std::vector<std::string> words{std::filesystem::read_symlink("/proc/self/exe").string(),
                                   "profile",
                                   "--launch-once",
                                   "--device",
                                   options.device(),
                                   "--seed",
                                   fmt::format("{}", selection.seed)};
    const auto add = [&](const char* option, const std::string& value) {
        if (!value.empty()) words.insert(words.end(), {option, value});
    };
    add("--size", selection.size);
    add("--dtype", selection.dtype);
    add("--variant", selection.variant);
    add("--kernel", selection.added.kernel);
    add("--grid", selection.added.launch.grid);
    add("--block", selection.added.launch.block);
    add("--shared", selection.added.launch.shared);
    add("--build", selection.added.build);
    words.insert(words.end(), selection.words.begin(), selection.words.end());
    return words;
}

NsightTable count(const Profiler& profiler, const ProfileOptions& options, const Context& context,
                  std::span<const std::string> program, const std::string& launches = {}) {
    std::vector<std::string> names;
    for (const Metric& metric : metrics()) names.emplace_back(metric.name);
    Progress progress(context);
    progress.show("running under Nsight Compute");
    const auto tell = [&](const std::string& text) {
        progress.clear();
        context.hint("lanework: " + text);
    };
    return profile_program(profiler.ncu, names, program, {.keep = options.keep, .launches = launches, .tell = tell});
}

// The version of the kernel module; the runtime knows only that of its own interface.
std::string driver_version() {
    std::ifstream file("/proc/driver/nvidia/version");
    std::string line;
    std::getline(file, line);
    return line;
}

std::vector<Fact> provenance(const Profiler& profiler, const ProfileOptions& options) {
    std::vector<Fact> facts{{"gpu", profiler.name}, {"nsight compute", ncu_version(profiler.ncu)}};
    if (const std::string driver = driver_version(); !driver.empty()) facts.push_back({"driver", driver});
    if (!options.note.empty()) facts.push_back({"note", options.note});
    for (Fact& fact : environment())
        if (fact.name == "lanework" || fact.name == "compiler" || fact.name == "date") facts.push_back(std::move(fact));
    return facts;
}

int record(const ProfileOptions& options, const Context& context) {
    const Profiler profiler = find_profiler(options);
    if (!profiler.reason.empty()) throw UnavailableError(profiler.reason);
    const auto jobs = profile_jobs(options.selection, DeviceKind::cuda);
    const NsightTable table = count(profiler, options, context, child_command(options));
    std::size_t missing = 0, launches = 0;
    for (const Recording& recording :
         recordings_of(table, jobs, options.selection.seed, profiler.gpu, provenance(profiler, options))) {
        write_recording(options.record, recording);
        for (const RecordedRun& run : recording.runs) {
            launches += run.launches.size();
            missing += run.launches.empty();
            if (run.launches.empty())
                context.hint(fmt::format("lanework: no launch of {}/{} {} was seen", recording.operation, run.rung,
                                         run.problem()));
        }
    }
    context.hint(fmt::format("{}: {} launches of {} runs", options.record, launches, jobs.size()));
    return missing == 0 ? exit_status::good : exit_status::wrong;
}

std::size_t runs_of(std::span<const Recording> recordings) {
    std::size_t runs = 0;
    for (const Recording& recording : recordings) runs += recording.runs.size();
    return runs;
}

/// Shows what is traced of so many runs.
std::function<void(const std::string&)> shows_runs(Progress& progress) {
    return [&progress, first = true](const std::string& what) mutable {
        if (!first) progress.step();
        first = false;
        progress.show(what);
    };
}

int print_machine_code_accuracy(std::span<const Recording> recordings, std::span<const KnownDifference> known,
                                const Context& context) {
    const CodeTools tools = find_code_tools();
    if (const std::string why = missing_for_machine_code(tools); !why.empty()) throw UnavailableError(why);
    Progress progress(context, runs_of(recordings));
    const auto code_of = [&](const Rung& rung, int capability) {
        static std::map<std::pair<std::string_view, int>, std::shared_ptr<const MachineCode>> compiled;
        auto& code = compiled[{rung.file, capability}];
        if (code) return code;
        MachineCode made;
        try {
            made = compile_machine_code(std::string(rung.file), capability, tools, cache_folder()).code;
        } catch (const std::exception& error) {
            context.hint(fmt::format("lanework: {}", error.what()));
        }
        return code = std::make_shared<const MachineCode>(std::move(made));
    };
    const auto traced = trace_recordings(recordings, shows_runs(progress), code_of);
    progress.clear();
    context.print(machine_code_page(recordings, traced, known));
    return exit_status::good;
}

int print_accuracy(const ProfileOptions& options, const Context& context) {
    const auto recordings = read_recordings(options.accuracy);
    if (recordings.empty()) throw FileError(options.accuracy + ": no recordings are in this folder");
    const auto known = read_known_differences(options.accuracy);
    if (options.machine_code) return print_machine_code_accuracy(recordings, known, context);
    Progress progress(context, runs_of(recordings));
    const TracedRecordings traced = trace_recordings(recordings, shows_runs(progress));
    progress.clear();
    context.print(accuracy_page(recordings, traced, known));
    const Accuracy accuracy = judge(traced.comparisons, known);
    for (const auto& [comparison, reason] : accuracy.different)
        if (!reason) context.hint("lanework: not known: " + describe(*comparison));
    for (const KnownDifference* stale : accuracy.stale)
        context.hint(fmt::format("lanework: known and no more: {} of {}", stale->metric, stale->rung));
    return accuracy.unknown() == 0 && accuracy.stale.empty() ? exit_status::good : exit_status::wrong;
}

Explanation predict(const ProfileJob& job, std::uint64_t seed, const Gpu& gpu, MachineCodeAtHand* at_hand,
                    Progress& progress, std::string& reason) {
    if (!is_on(*job.operation, *job.rung, DeviceKind::simt)) {
        reason = "the rung runs on GPUs only";
        return {};
    }
    try {
        const bool here = job.rung->device == DeviceKind::simt;
        const Rung& rung = here ? *job.rung : find_rung(*job.operation, job.rung->name, DeviceKind::simt);
        const auto code = at_hand ? at_hand->of(rung, progress) : std::vector<MachineCode>();
        return explain(*job.operation, rung, job.problem, seed,
                       {.schedule = 0, .hazards = false, .gpu = &gpu, .code = code});
    } catch (const UnavailableError& error) {
        reason = error.what();
        return {};
    }
}

RungProfile profile_of(const ProfileJob& job, const Recording& recording, const RecordedRun& run,
                       const Profiler& profiler, std::uint64_t seed, MachineCodeAtHand* at_hand, Progress& progress) {
    RungProfile profile{recording.operation, run.rung, run.problem(), {}, profiler.reason, {}};
    const Explanation explanation = predict(job, seed, *profiler.like, at_hand, progress, profile.no_prediction);
    const Capability* own = find_capability(profiler.gpu.capability);
    profile.counters = compare(recording, run, explanation, own ? *own : profiler.like->limits());
    return profile;
}

void tell_reason(const Profiler& profiler, const Context& context) {
    context.hint(fmt::format("lanework: no hardware counters, predicted ones only: {}", profiler.reason));
}

// The hardware's counters; with none of them in it, and the reason kept, where they cannot be had.
std::vector<Recording> recorded(const ProfileOptions& options, std::span<const ProfileJob> jobs, Profiler& profiler,
                                const Context& context) {
    NsightTable table;
    if (profiler.reason.empty()) try {
            table = count(profiler, options, context, child_command(options));
        } catch (const UnavailableError& error) {
            profiler.reason = error.what();
            tell_reason(profiler, context);
        }
    return recordings_of(table, jobs, options.selection.seed, profiler.gpu, {});
}

// What one word of the command line asks for: an operation or a rung.
struct SelectedJobs {
    ProfileOptions options;
    std::vector<ProfileJob> jobs;
};

// Without --size on the largest problem of the recordings.
SelectedJobs select(ProfileOptions options, const std::string& word, const Profiler& profiler) {
    options.selection.words = {word};
    if (names_own_ladder(word)) {
        const Operation& operation = *choose_ladders(options.selection, std::vector<ChosenDevice>(1)).front().operation;
        if (options.selection.size.empty())
            options.selection.size =
                format_extents(operation, {.extent = operation.timed.simt.front(), .dtype = operation.default_dtype()});
    } else if (options.selection.size.empty()) {
        const Operation& operation = find_operation(word.substr(0, word.find('/')));
        const auto problems = profile_problems(operation, options.selection);
        if (!problems.empty()) options.selection.size = format_extents(operation, problems.front());
    }
    auto jobs = profile_jobs(options.selection, profiler.name.empty() ? DeviceKind::simt : DeviceKind::cuda);
    return {std::move(options), std::move(jobs)};
}

void profile_jobs_of(const SelectedJobs& selected, Profiler& profiler, const Context& context,
                     Finished<RungProfile>& finished) {
    const auto recordings = recorded(selected.options, selected.jobs, profiler, context);
    Progress progress(context, runs_of(recordings));
    MachineCodeAtHand of_gpu(context, *profiler.like, false);
    // Compiling takes seconds: of a whole ladder, beside no hardware's counters, what is written is counted.
    const bool worth_compiling =
        profiler.reason.empty() || std::ranges::all_of(selected.jobs, [&](const ProfileJob& other) {
            return other.rung == selected.jobs.front().rung;
        });
    MachineCodeAtHand* const at_hand = worth_compiling && !selected.options.as_written ? &of_gpu : nullptr;
    auto job = selected.jobs.begin();
    for (const Recording& recording : recordings)
        for (const RecordedRun& run : recording.runs) {
            progress.show(fmt::format("tracing {}/{} {}", recording.operation, run.rung, run.problem()));
            finished.add(
                profile_of(*job++, recording, run, profiler, selected.options.selection.seed, at_hand, progress));
            progress.step();
        }
}

std::string title_of(const Profiler& profiler) {
    return fmt::format("Predicted for an {}{}\n\n", profiler.like->title,
                       profiler.reason.empty() ? ", counted on " + profiler.name : "");
}

/// A program of the user's, built twice: what its library counts on simt, and what the hardware counts.
int show_program(const ProfileOptions& options, Context& context) {
    const SelectionOptions& of_rungs = options.selection;
    if (options.timeline.asked || options.launch_once || !options.record.empty() || !options.accuracy.empty() ||
        !of_rungs.size.empty() || !of_rungs.dtype.empty() || !of_rungs.variant.empty())
        throw UsageError(
            "of a program there are --call, --kernel, --launch, --device, --gpu, --keep and --json; what else profile "
            "has is "
            "for rungs");
    Profiler profiler = find_profiler(options);
    ProgramCache cache;
    call_in_place_of_main(context, cache, options.call);
    WatchedRun watched;
    watched.program = build_to_watch(context, cache);
    WatchSettings& settings = watched.settings;
    settings.task = WatchSettings::Task::explain;
    settings.json = (cache.temporary() / "explanation.json").string();
    if (!options.as_written) settings.code = MachineCodeAtHand(context, *profiler.like, false).of_program(cache);
    settings.kernel = options.kernel;
    settings.launch = static_cast<std::uint64_t>(options.launch);
    settings.gpu = profiler.like->name;
    std::string explanation;
    const WatchedOutcome outcome =
        watch_program(context, cache, watched, [&](const WatchedOutcome& found, const WatchedRun&) {
            require_explained(context, found, settings);
            explanation = file_text(settings.json);
        });
    NsightTable table;
    if (profiler.reason.empty()) try {
            std::vector<std::string> program{build_for_gpu(context.program.build, cache.temporary()).string()};
            program.insert(program.end(), context.program.arguments.begin(), context.program.arguments.end());
            table = count(profiler, options, context, program, counted_launches(options.kernel, options.launch));
        } catch (const UnavailableError& error) {
            profiler.reason = error.what();
        }
    if (!profiler.reason.empty()) tell_reason(profiler, context);
    RungProfile profile = program_profile(program_title(context), explanation, table);
    profile.no_hardware = profiler.reason;
    if (options.exports.show_table()) context.print(title_of(profiler) + draw(profile, context.out.style));
    write_exports(options.exports, context,
                  {.json =
                       [&] {
                           return profiles_to_json({&profile, 1}, environment());
                       },
                   .csv = {},
                   .markdown = {}});
    return outcome.wrong() ? exit_status::wrong : outcome.status;
}

int show(const ProfileOptions& options, const Context& context) {
    if (options.selection.words.empty()) throw UsageError("name what to profile: OP or OP/RUNG");
    Profiler profiler = find_profiler(options);
    if (!profiler.reason.empty()) tell_reason(profiler, context);
    std::vector<SelectedJobs> selected;
    std::size_t all = 0;
    for (const std::string& word : options.selection.words) {
        selected.push_back(select(options, word, profiler));
        all += selected.back().jobs.size();
    }
    const auto print = [&](std::span<const RungProfile> profiles) {
        if (!options.exports.show_table() || profiles.empty()) return;
        context.print(title_of(profiler));
        for (const RungProfile& profile : profiles) context.print(draw(profile, context.out.style));
    };
    const auto write = [&](std::span<const RungProfile> profiles, const std::vector<Fact>& environment) {
        write_exports(options.exports, context,
                      {.json = [&] { return profiles_to_json(profiles, environment); }, .csv = {}, .markdown = {}});
    };
    Finished<RungProfile> finished(context, options.exports, all, print, write);
    for (const SelectedJobs& each : selected) profile_jobs_of(each, profiler, context, finished);
    finished.end();
    return exit_status::good;
}

int run_profile(ProfileOptions options, Context& context) {
    options.timeline.check();
    if (!context.program.empty()) return show_program(options, context);
    options.selection.added.kernel = options.kernel;
    if (options.launch != 1) throw UsageError("--launch is for programs of your own");
    if (!options.call.empty()) throw UsageError(kCallNeedsAFile);
    if (options.timeline.asked) return show_timelines(options.selection, options.timeline, options.exports, context);
    if (options.launch_once) return launch_all(options, context);
    if (!options.accuracy.empty()) return print_accuracy(options, context);
    return options.record.empty() ? show(options, context) : record(options, context);
}

}  // namespace

void add_profile(CLI::App& app, Context& context) {
    auto options = std::make_shared<ProfileOptions>();
    SelectionOptions& selection = options->selection;
    selection.kinds = {DeviceKind::cuda, DeviceKind::simt};
    Command command(app, context, "profile", "Show hardware counters beside predicted ones (Nsight Compute)");
    command.positionals("OP[/RUNG]", selection.words,
                        "What to profile; or FILE.cu, a program of your own, with nvcc's options and, behind --, its "
                        "arguments",
                        false);
    selection.add_device(command, "cuda[:N] (the first GPU); simt has predicted counters and modelled timelines");
    command.option("-s,--size", selection.size, "SIZES",
                   "Sizes joined by commas, rows before columns, such as 64x64,100x113 (default: the largest of the "
                   "recordings; with "
                   "--launch-once and --record all of them; with --timeline the first that is timed)");
    command.option("-t,--dtype", selection.dtype, "TYPE", "Element type");
    command.option("--variant", selection.variant, "NAME", "Form of an operation that has several, such as gray's");
    command.option("--seed", selection.seed, "Seed of the random inputs (1)");
    command.option("--call", options->call, "STATEMENTS", kCallHelp);
    command.option("--kernel", options->kernel, "NAME",
                   "Of a program: this kernel only; of a ladder of your own: FILE.cu:NAME, this kernel");
    command.option("--launch", options->launch, "Of a program: which launch of each kernel, from 1 (1)");
    selection.add_kernel(command, false);
    command.flag("--as-written", options->as_written, "Predict what is written, also where a compiler is at hand");
    options->timeline.add(command);
    options->exports.add_json(command);
    command.flag("--launch-once", options->launch_once,
                 "Only launch: each selected rung once per problem, in an NVTX range of its name, for any profiler");
    command.output_folder("--record", options->record,
                          "Write the hardware's counters to FOLDER/<operation>.json, as in tests/golden");
    command.option("--note", options->note, "TEXT", "With --record: kept in the files, such as the commit");
    command.output("--keep", options->keep, "Keep what Nsight Compute wrote");
    command.flag("--machine-code", options->machine_code, "With --accuracy, of the machine code, executed here");
    command.option("--accuracy", options->accuracy, "FOLDER",
                   "Trace what FOLDER holds recordings of and print how near it comes, as Markdown");
    command.examples(
        "  lanework profile transpose/padded_tile              one rung\n"
        "  lanework profile reduce --size 65537 --json         every rung of a ladder, for programs\n"
        "  lanework profile mine.cu -O3 -- 1000                a program of your own, built for simt and by nvcc\n"
        "  lanework profile pipeline --timeline                streams over time, rung below rung\n"
        "  ncu --nvtx lanework profile --launch-once reduce    under a profiler of your own\n"
        "\n"
        "Reading counters may need root, or the nvidia module option NVreg_RestrictProfilingToAdminUsers=0.");
    command.run([options, &context] { return run_profile(*options, context); });
}

}  // namespace lanework

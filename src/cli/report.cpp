// lanework report: results, explanations and timelines as one page that opens anywhere.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <lanework/error.hpp>
#include <set>
#include <utility>

#include "src/cli/command.hpp"
#include "src/cli/device_facts.hpp"
#include "src/cli/profile_timeline.hpp"
#include "src/cli/timing.hpp"
#include "src/cli/watched_program.hpp"
#include "src/cli/why.hpp"
#include "src/io/file.hpp"
#include "src/measure/verify.hpp"
#include "src/report/explain/estimate.hpp"
#include "src/report/explain/explanation.hpp"
#include "src/report/html/report.hpp"
#include "src/report/results/compare.hpp"
#include "src/report/results/json.hpp"
#include "src/report/results/ladder_picture.hpp"

namespace lanework {
namespace {

struct ReportOptions {
    SelectionOptions selection;
    TimingOptions timing;
    std::vector<std::string> before;
    std::string output, picture, threshold = "5%", title, kernel;
    int launch = 1;
    std::optional<std::string> markdown;
};

bool is_json(const std::string& word) { return std::filesystem::path(word).extension() == ".json"; }

std::string file_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

std::string title_of(const ReportOptions& options, const Context& context) {
    if (!options.title.empty()) return options.title;
    std::vector<std::string> named;
    if (!context.program.empty()) named.push_back(program_title(context));
    named.insert(named.end(), options.selection.words.begin(), options.selection.words.end());
    constexpr std::size_t kNamed = 3;
    std::string names;
    for (std::size_t i = 0; i < std::min(named.size(), kNamed); ++i)
        names += (names.empty() ? "" : ", ") + (is_json(named[i]) ? file_name(named[i]) : named[i]);
    if (named.size() > kNamed) names += fmt::format(" and {} more", named.size() - kNamed);
    return "Lanework: " + names;
}

/// Puts rungs of ladders into a report: verified and timed, or verified, traced and estimated on simt.
class Reporter {
public:
    Reporter(const ReportOptions& options, const Context& context, Report& report, SourceText& sources)
        : options_(options), report_(report), sources_(sources), context_(context) {}

    void add(const SelectionOptions& selection) {
        auto devices = selection.chosen_devices();
        NamedResults measured{fmt::format("{}", fmt::join(selection.words, ", ")), {environment(), {}}};
        const auto selected = jobs(selection, devices, Problems::first_timed);
        Stopwatch stopwatch(options_.timing, options_.selection.seed, context_, selected.size());
        for (const Job& job : selected) {
            measured.results.measurements.push_back(measure(job, stopwatch));
            if (measured.results.measurements.back().ok()) add_timeline(job);
            stopwatch.progress().step();
        }
        share_limits(measured.results.measurements);
        if (!timelines_.empty()) report_.timelines.push_back(timelines_to_json(timelines_, environment()));
        report_.sources.push_back(std::move(measured));
    }

private:
    Measurement measure(const Job& job, Stopwatch& stopwatch) {
        if (!job.device->device || !job.rung || job.device->kind != DeviceKind::simt) {
            Measurement m = stopwatch.measure(job);
            if (m.verdict != Verdict::refused) explain_rung(job, m, stopwatch);
            return m;
        }
        Measurement m = unmeasured(job, options_.selection.seed);
        stopwatch.progress().show(fmt::format("verifying {}", describe(job)));
        const Verification found = verify(*job.device->device, *job.operation, *job.rung, job.problem,
                                          options_.selection.seed, &references_, {}, job.input);
        m.verdict = found.verdict;
        m.reason = found.reason;
        m.error = found.error;
        m.hard_inputs = found.hard_inputs;
        if (m.verdict != Verdict::refused) explain_rung(job, m, stopwatch);
        return m;
    }

    /// What a wrong rung does is explained too; its time is not estimated. A rung of a GPU is explained by its twin on
    /// simt.
    void explain_rung(const Job& job, Measurement& m, Stopwatch& stopwatch) {
        stopwatch.progress().show(fmt::format("tracing {}", describe(job)));
        const auto explanation = explain_twin(job, options_.selection.seed, {.hazards = true, .quickly = false});
        if (!explanation) return;
        const Gpu& gpu = gpu_of(job.device->device->info());
        m.why = why(*explanation);
        const bool timed = job.device->kind != DeviceKind::simt;
        if (!timed && m.ok() && !explanation->kernels.empty()) m.estimate = estimated_time(*explanation, gpu);
        for (std::string& each : explanations_in(explained_document(*explanation, gpu, sources_, {}), sources_))
            report_.explanations.push_back(std::move(each));
    }

    /// Where more than one engine works or streams run side by side; one kernel alone needs no picture.
    void add_timeline(const Job& job) {
        if (job.device->kind == DeviceKind::cpu || job.rung->library) return;
        try {
            RungTimeline timeline =
                rung_timeline(job, options_.selection.seed, published_speeds(gpu_of(job.device->device->info())));
            std::set<Engine> engines;
            for (const Span& span : timeline.timeline.spans) engines.insert(span.engine);
            if (engines.size() > 1 || stream_count(timeline.timeline) > 1) timelines_.push_back(std::move(timeline));
        } catch (const UnavailableError&) {  // nothing here can draw it
        }
    }

    const ReportOptions& options_;
    Report& report_;
    SourceText& sources_;
    const Context& context_;
    References references_;
    std::vector<RungTimeline> timelines_;
};

/// Runs a program of the user's, whose library explains it as it ends; what the program prints goes where it goes.
int add_program(Report& report, SourceText& sources, const ReportOptions& options, const Context& context) {
    WatchedRun watched;
    ProgramCache cache;
    watched.program = build_to_watch(context, cache);
    watched.settings.task = WatchSettings::Task::explain;
    watched.settings.page = (cache.temporary() / "explanation.json").string();
    watched.settings.kernel = options.kernel;
    watched.settings.launch = static_cast<std::uint64_t>(options.launch);
    if (!options.selection.gpu.empty()) watched.settings.gpu = parse_gpu(options.selection.gpu).name;
    const WatchedOutcome outcome =
        watch_program(context, cache, watched, [&](const WatchedOutcome& found, const WatchedRun&) {
            require_explained(context, found, watched.settings);
            add_document(report, program_title(context), file_text(watched.settings.page), sources);
        });
    return outcome.wrong() ? exit_status::wrong : outcome.status;
}

/// "7 results, 7 explained with 12 findings".
std::string contents_of(const Report& report) {
    const auto count = [](std::size_t number, std::string_view thing) {
        return fmt::format("{} {}{}", number, thing, number == 1 ? "" : "s");
    };
    std::vector<std::string> parts;
    if (const std::size_t results = results_of(report).measurements.size(); results > 0)
        parts.push_back(count(results, "result"));
    if (!report.explanations.empty()) parts.push_back(count(report.explanations.size(), "explanation"));
    if (!report.timelines.empty()) parts.push_back(count(report.timelines.size(), "file") + " of timelines");
    return fmt::format("{}", fmt::join(parts, ", "));
}

void write_report(const Report& report, const ReportOptions& options, const Context& context) {
    const auto write = [&](const std::string& file, const std::string& text) {
        if (file == "-")
            context.print(text);
        else
            write_output(file, text);
    };
    if (!options.output.empty()) write(options.output, to_html(report));
    if (!options.output.empty() && !has_charts())
        context.hint(
            "lanework: this build has no library of charts, the page shows tables: install libjs-chart.js and build "
            "again");
    if (options.markdown) write(*options.markdown, to_markdown(report));
    if (!options.picture.empty()) write(options.picture, ladder_svg(results_of(report).measurements, options.title));
    const std::string other = options.markdown.value_or(options.picture.empty() ? "-" : options.picture);
    const std::string page = options.output.empty() ? other : options.output;
    if (page != "-") context.hint(fmt::format("{}: {}", page, contents_of(report)));
}

// What would change nothing: files are shown as they are, and a program chooses its own sizes.
void refuse_idle_options(const ReportOptions& options, const Context& context) {
    const SelectionOptions& given = options.selection;
    if (std::ranges::all_of(given.words, is_json))
        for (const auto& [option, value] : {std::pair("--device", &given.device), std::pair("--size", &given.size),
                                            std::pair("--dtype", &given.dtype), std::pair("--variant", &given.variant),
                                            std::pair("--input", &given.input)})
            if (!value->empty())
                throw UsageError(
                    fmt::format("{} {}: no operation and no folder is named that it is for", option, *value));
    if (!context.program.empty()) return;
    if (!options.kernel.empty()) throw UsageError(fmt::format("--kernel {}: no program is named", options.kernel));
    if (!given.gpu.empty() && std::ranges::all_of(given.words, is_json))
        throw UsageError(fmt::format("--gpu {}: no operation, folder or program is named that it is for", given.gpu));
}

void check(const ReportOptions& options, const Context& context) {
    if (options.selection.words.empty() && context.program.empty())
        throw UsageError("name what to report: results as JSON files, OP, ./FOLDER or FILE.cu");
    if (options.output.empty() && !options.markdown && options.picture.empty())
        throw UsageError("say where the report goes: -o report.html, --md comment.md, or --svg ladder.svg");
    if ((options.output == "-") + (options.markdown == "-") + (options.picture == "-") > 1)
        throw UsageError("the page, Markdown and a picture cannot all go to the standard output: one is right");
    refuse_idle_options(options, context);
    std::vector<std::string> read = options.before;
    std::ranges::copy_if(options.selection.words, std::back_inserter(read), is_json);
    for (const std::string& file : read)
        for (const std::string& output : {options.output, options.markdown.value_or(""), options.picture})
            if (!output.empty() && output != "-" && is_same_file(file, output))
                throw UsageError(fmt::format("{} is read, and would be written over", file));
}

/// Whether anything is slower or no longer right than it was.
bool compare_with(const std::vector<std::string>& before, Report& report) {
    report.before.emplace();
    for (const std::string& file : before) {
        Results results = read_results(file);
        NamedResults& all = *report.before;
        all.name += (all.name.empty() ? "" : ", ") + file_name(file);
        if (all.results.environment.empty()) all.results.environment = std::move(results.environment);
        std::ranges::move(results.measurements, std::back_inserter(all.results.measurements));
    }
    const Results after = results_of(report);
    const auto comparisons = compare(report.before->results, after, report.threshold);
    if (!any_matched(comparisons))
        throw UsageError("no result of " + report.before->name +
                         " has its match in the report: same operation, rung, device, type and problem");
    return regressed(comparisons);
}

int run(const ReportOptions& options, const Context& context) {
    check(options, context);
    Report report;
    report.title = title_of(options, context);
    report.threshold = parse_threshold(options.threshold);
    SourceText sources;
    SelectionOptions ladders = options.selection;
    ladders.words.clear();
    {
        Progress progress(context, options.selection.words.size());
        for (const std::string& word : options.selection.words) {
            progress.show("reading " + word);
            if (is_json(word))
                add_file(report, word, sources);
            else
                ladders.words.push_back(word);
            progress.step();
        }
    }
    const std::size_t read = results_of(report).measurements.size();
    if (!ladders.words.empty()) Reporter(options, context, report, sources).add(ladders);
    int status = context.program.empty() ? exit_status::good : add_program(report, sources, options, context);
    const Results all = results_of(report);
    // Files may hold what was wrong when they were written; that is no news.
    const auto run_here = std::span(all.measurements).subspan(read);
    if (const int found = run_here.empty() ? exit_status::good : status_of(run_here); status == exit_status::good)
        status = found;
    if (!options.before.empty() && compare_with(options.before, report)) status = exit_status::wrong;
    write_report(report, options, context);
    if (status == exit_status::unavailable && !run_here.empty())
        context.hint(fmt::format("lanework: {}", run_here.front().reason));
    return status;
}

}  // namespace

void add_report(CLI::App& app, Context& context) {
    auto options = std::make_shared<ReportOptions>();
    Command command(app, context, "report", "Make one page of results, explanations and timelines");
    command.positionals("FILE|OP[/RUNG]", options->selection.words,
                        "JSON files from climb, bench, explain, profile --timeline or devices; operations or folders "
                        "of your own, which are run; a program FILE.cu with nvcc's options, which is explained; all "
                        "of these together",
                        false);
    command.output("-o,--output", options->output, "The page to write: one file, which needs no network");
    command.output_file("--md,--markdown", options->markdown,
                        "Write Markdown for a pull request to FILE, or to stdout");
    command.output("--svg", options->picture, "The first ladder of the results as a picture: bars towards the limit");
    command.list("--before", options->before, "FILE", "Earlier results to compare with; may be given several times");
    command.option("--threshold", options->threshold, "PERCENT", "Differences up to this are the same (5%)");
    command.option("--title", options->title, "TEXT", "The title; without it, what is reported");
    options->selection.add_device(command);
    options->selection.add_problem(command);
    options->selection.add_input(command);
    options->timing.add(command);
    command.option("--kernel", options->kernel, "NAME", "Of a program: explain this kernel only");
    command.option("--launch", options->launch, "Of a program: which launch of each kernel, from 1 (1)");
    command.examples(
        "  lanework climb transpose --json transpose.json\n"
        "  lanework report transpose.json -o report.html\n"
        "  lanework report transpose.json --svg ladder.svg            the ladder as bars towards the limit\n"
        "  lanework report transpose --device simt -o report.html     every rung verified, estimated and explained\n"
        "  lanework report mine.cu -o report.html -- 1000             a program of your own\n"
        "  lanework report after.json --before before.json -o report.html --md comment.md\n"
        "\n"
        "Exit status 1 when a kernel is wrong, when a finding is an error, and when anything is slower than before\n"
        "beyond the noise, or no longer right.");
    command.run([options, &context] { return run(*options, context); });
}

}  // namespace lanework

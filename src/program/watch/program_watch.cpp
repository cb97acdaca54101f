// From the tracer to files: findings as they are found, so that a program that crashes has told them; the explanation
// at the end.
#include "src/program/watch/program_watch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <lanework/error.hpp>
#include <lanework/measurement.hpp>
#include <lanework_simt/schedule.hpp>
#include <utility>

#include "src/core/host.hpp"
#include "src/gpu/gpus.hpp"
#include "src/io/file.hpp"
#include "src/io/json.hpp"
#include "src/report/explain/explanation.hpp"
#include "src/report/explain/finding_json.hpp"
#include "src/report/explain/machine_code_listing.hpp"
#include "src/report/explain/whole_explanation.hpp"
#include "src/report/html/report.hpp"
#include "src/simt/gpu.hpp"
#include "src/simt/hooks.hpp"
#include "src/trace/analyse/function_name.hpp"
#include "src/trace/rules/launch_findings.hpp"
#include "src/trace/rules/rules.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

fs::path this_program() {
    std::error_code unknown;
    const fs::path path = fs::read_symlink("/proc/self/exe", unknown);
    return unknown ? fs::path("program") : path.filename();
}

/// Files below the folder that the program was started in are named from there, all others by their whole paths.
void shorten(std::string& text) {
    static const std::string& here = *new const std::string(fs::current_path().string() + "/");
    for (std::size_t at = 0; (at = text.find(here, at)) != text.npos;) {
        if (at == 0 || text[at - 1] == ' ')
            text.erase(at, here.size());
        else
            at += here.size();
    }
}

void shorten(SourcePlace& place) { shorten(place.file); }

void shorten(Finding& finding) {
    shorten(finding.evidence);
    shorten(finding.place);
    shorten(finding.other);
    for (PlacePair& pair : finding.also) {
        shorten(pair.place);
        shorten(pair.other);
    }
}

std::uint64_t volume(const dim3& shape) { return std::uint64_t{shape.x} * shape.y * shape.z; }

/// Whole or not at all: who is interrupted while writing leaves what was there.
void write_text(const fs::path& path, const std::string& text) {
    const std::string part = path.string() + ".part";
    std::FILE* const file = std::fopen(part.c_str(), "w");
    if (!file) return;
    const bool whole = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    if (std::fclose(file) == 0 && whole) std::rename(part.c_str(), path.c_str());
}

/// In which launches are kept that may come again: what they read and wrote.
std::size_t most_repeated_bytes() {
    constexpr std::size_t kMost = std::size_t{1} << 30, kShare = 8;
    return std::min(kMost, physical_memory_bytes() / kShare);
}

}  // namespace

bool has_instrumented_code() { return lanework_simt::engine::instrumented_modules > 0; }

ProgramWatch::ProgramWatch(WatchSettings settings)
    : settings_(std::move(settings)),
      process_(getpid()),
      repeated_(hazards_, most_repeated_bytes()),
      host_memory_([this](std::uint64_t pc) { return tracer_.place_of(pc); },
                   [this](Finding finding) { host_went_wrong(std::move(finding)); }),
      stream_order_([this](std::size_t task) { return tracer_.place_of_task(task); },
                    [this](std::uint64_t pc) { return tracer_.place_of(pc); },
                    [this](Finding finding) { host_went_wrong(std::move(finding)); }),
      tracer_({&hazards_, &repeated_, &stream_order_},
              {.counters = settings_.task == WatchSettings::Task::explain,
               .wants = [this](const lanework_simt::Launch& launch) { return wants(launch); },
               .follows = [this](const LaunchShape& shape, std::uint64_t begun) { return follows(shape, begun); },
               .is_to_end = [this] { return ending_.load(std::memory_order_relaxed) != 0; },
               .ends_early =
                   [this](const LaunchShape& shape, std::uint64_t begun) {
                       tell_hazards();
                       end_early(base_name(shape.kernel), begun, shape.blocks());
                   },
               .launch_ended = [this] { launch_ended(); },
               .repeated = &repeated_,
               .launch_repeated =
                   [this] {
                       counts_.repeated();
                       if (!watched_last_ && checks()) counts_.checked_after_all();
                       tell_counts();
                   },
               .launch_refused = [this](const lanework_simt::Launch& launch,
                                        std::string_view reason) { launch_refused(launch, reason); },
               .copied_home = [this](const lanework_simt::StreamCopy& copy) { copied_home(copy); },
               .host_memory = &host_memory_,
               .stream_order = &stream_order_}),
      next_progress_(settings_.progress) {
    if (!settings_.gpu.empty()) lanework_simt::present(parse_gpu(settings_.gpu));
    lanework_simt::set_schedule(settings_.schedule);
    tracer_.record_streams(true);
    hazards_.compare_values();
    for (const std::string& file : settings_.code) codes_.push_back(read_machine_code(file_text(file)));
    if (!codes_.empty()) tracer_.follow(codes_);
}

void ProgramWatch::end_later() {
    if (ends_later_) return;
    // Behind the destructors of what the library made until now.
    static ProgramWatch* self = nullptr;
    self = this;
    std::atexit([] { self->finish(); });
    ends_later_ = true;
}

void ProgramWatch::launch_refused(const lanework_simt::Launch& launch, std::string_view reason) {
    end_later();
    Finding finding = refused_launch(
        launch.kernel, {.file = launch.place.file, .line = launch.place.line, .column = 0, .function = {}}, reason);
    shorten(finding);
    append({&finding, 1});
    findings_.push_back(std::move(finding));
}

void ProgramWatch::host_went_wrong(Finding finding) {
    const auto alone = tracer_.hold();
    end_later();
    shorten(finding);
    append({&finding, 1});
    findings_.push_back(std::move(finding));
}

/// No finding: many programs copy whole arrays of which a border is nobody's, and do not look at that. One that fails
/// may have. At once: it may not come to its end.
void ProgramWatch::copied_home(const lanework_simt::StreamCopy& copy) {
    if (told_fresh_ || !checks()) return;
    const auto first = hazards_.first_fresh({copy.from, copy.span});
    if (!first) return;
    told_fresh_ = true;
    SourcePlace place = program_line(host_callers(), [this](std::uint64_t pc) { return tracer_.place_of(pc); });
    shorten(place);
    append_line(Json{{"copied_fresh",
                      {{"file", place.file},
                       {"line", place.line},
                       {"first", *first - reinterpret_cast<std::uint64_t>(copy.from)},
                       {"bytes", copy.span}}}}
                    .dump() +
                "\n");
}

/// What the program's destructors free is freed by now.
void ProgramWatch::add_leaks() {
    if (!settings_.leaks) return;
    std::vector<Finding> leaks = host_memory_.leaks();
    for (Finding& leak : leaks) shorten(leak.place);
    append(leaks);
    hazard_findings_.clear();
    findings_ = std::move(leaks);
    if (settings_.findings.empty()) print_findings();
}

bool ProgramWatch::wants(const lanework_simt::Launch& launch) {
    end_later();
    const std::string kernel(base_name(launch.kernel));
    const bool one_function = std::string_view(launch.kernel).find('<') == std::string_view::npos;
    const LaunchCounts::Kernel counted{kernel, one_function ? launch.address : nullptr};
    const std::uint64_t threads = volume(launch.grid) * volume(launch.block);
    const std::uint64_t number = counts_.launched(counted, threads);
    if (checks()) {
        watched_last_ = !time_is_over();
        has_untold_ = watched_last_;
        if (!watched_last_) {
            counts_.left_unchecked();
            tell_left_out();
            lanework_simt::excuse_exited_threads();  // it does what a run's launch does
        }
    } else {
        watched_last_ = number == settings_.launch && (settings_.kernel.empty() || settings_.kernel == kernel);
        if (watched_last_) counts_.is_explained(counted, threads);
    }
    tell_counts();
    return watched_last_;
}

/// Of a process that was forked, at once: many end without a word.
void ProgramWatch::tell_counts() {
    if (getpid() == process_) return;
    append_line(Json{{"forked", counts()}}.dump() + "\n");
}

bool ProgramWatch::time_is_over() const {
    return settings_.seconds != 0 && Clock::now() - began_ >= std::chrono::seconds(settings_.seconds);
}

/// Of a block that begins behind so many others of the launch.
bool ProgramWatch::follows(const LaunchShape& shape, std::uint64_t begun) {
    if (settings_.task != WatchSettings::Task::check) return true;
    if (settings_.progress != 0) tell_progress(shape, begun);
    if (time_is_over()) tell_left_out();
    return !time_is_over();
}

/// At once: a process that ends without a word at its end checked less than all, too.
void ProgramWatch::tell_left_out() {
    if (std::exchange(told_left_out_by_, getpid()) != getpid())
        append_line(Json{{"left_out", true}, {"process", getpid()}}.dump() + "\n");
}

/// Ever more seldom: a line that is drawn anew would mix with what the program prints.
void ProgramWatch::tell_progress(const LaunchShape& shape, std::uint64_t begun) {
    const auto elapsed = std::chrono::floor<std::chrono::seconds>(Clock::now() - began_);
    if (elapsed < next_progress_) return;
    const std::string line =
        fmt::format("lanework: {} s: launch {}, of {}, has checked {} of {} blocks\n", elapsed.count(),
                    counts_.so_far(), base_name(shape.kernel), begun, shape.blocks());
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
    constexpr std::chrono::seconds kMostSeldom{60};
    next_progress_ = elapsed + std::min(elapsed, kMostSeldom);
}

/// Noted before it is asked whether there is anything to tell: the launch's end either sees it or is seen.
bool ProgramWatch::ends_soon_by(int signal) {
    if (!checks()) return false;
    ending_ = signal;
    if (!has_untold_) return false;
    char line[64];
    const int size = std::snprintf(line, sizeof line, "{\"ending\":true,\"process\":%d}\n", getpid());
    append_line({line, static_cast<std::size_t>(size)});
    return true;
}

/// By the signal, once all that was shown is told.
void ProgramWatch::end_early(std::string_view kernel, std::uint64_t begun, std::uint64_t blocks) {
    append_line(Json{{"told", true}, {"process", getpid()}}.dump() + "\n");
    const std::string line = fmt::format("lanework: interrupted in launch {}, of {}, which began {} of {} blocks\n",
                                         counts_.so_far(), kernel, begun, blocks);
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
    if (settings_.findings.empty()) print_findings();
    const int signal = ending_;
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    constexpr int kSignal = 128;
    std::_Exit(kSignal + signal);  // where it is blocked
}

/// What this launch showed may have the cause of what an earlier one did: all hazards are told anew.
void ProgramWatch::tell_hazards() {
    if (told_ == hazards_.list().hazards().size()) return;
    told_ = hazards_.list().hazards().size();
    hazard_findings_ = findings_of(hazards_.list(), [this](std::uint64_t pc) { return tracer_.place_of(pc); });
    Json all = Json::array();
    for (Finding& finding : hazard_findings_) {
        shorten(finding);
        all.push_back(finding_json(finding));
    }
    append_line(Json{{"hazards", all}, {"process", getpid()}}.dump() + "\n");
}

std::vector<Finding> ProgramWatch::all_findings() const {
    std::vector<Finding> all = hazard_findings_;
    all.insert(all.end(), findings_.begin(), findings_.end());
    sort_findings(all);
    return all;
}

void ProgramWatch::launch_ended() {
    std::vector<KernelTrace> launches = tracer_.take_launches();
    tell_hazards();
    for (const KernelTrace& launch : launches)
        if (launch.blocks_left_out != 0)
            counts_.cut_short(std::string(base_name(launch.shape.kernel)), launch.blocks_left_out,
                              launch.shape.blocks());
    std::vector<Finding> errors = launch_errors(launches);
    for (Finding& error : errors) shorten(error);
    append(errors);
    findings_.insert(findings_.end(), std::make_move_iterator(errors.begin()), std::make_move_iterator(errors.end()));
    has_untold_ = false;
    if (!checks()) counts_.explained(launches.size());
    tell_counts();
    if (is_ending() && !launches.empty()) {
        const LaunchShape& shape = launches.back().shape;
        end_early(base_name(shape.kernel), shape.blocks(), shape.blocks());
    }
    if (settings_.task == WatchSettings::Task::check) return;
    for (KernelTrace& launch : launches) {
        shorten(launch.shape.file);
        shorten(launch.error);
        for (PlacedSite& site : launch.sites) shorten(site.place);
        traces_.push_back(std::move(launch));
    }
    // A program that crashes, or is interrupted, has explained until here.
    if (!launches.empty() && (!settings_.text.empty() || !settings_.json.empty())) write_explanation(false);
}

/// One write: what other processes of the program append does not come in between.
/// Signal handlers may, too.
void ProgramWatch::append_line(std::string_view line) const {
    if (settings_.findings.empty()) return;
    const int file = open(settings_.findings.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0) return;
    [[maybe_unused]] const ssize_t written = write(file, line.data(), line.size());
    close(file);
}

void ProgramWatch::append(std::span<const Finding> findings) const {
    std::string lines;
    for (const Finding& finding : findings) lines += Json{{"finding", finding_json(finding)}}.dump() + "\n";
    if (!lines.empty()) append_line(lines);
}

void ProgramWatch::append_summary() { append_line(Json{{"summary", counts()}}.dump() + "\n"); }

/// The process that all others were forked from tells apart kernels of two programs with one name.
Json ProgramWatch::counts() {
    Json counts = counts_.own_as_json();
    counts["program"] = process_;
    counts["in_launch"] = has_untold_.load();
    counts["instrumented"] = has_instrumented_code();
    return counts;
}

Explanation ProgramWatch::explanation() {
    Explanation result;
    result.operation = this_program().string();
    if (!traces_.empty()) result.file = traces_.front().shape.file;
    result.kernels = traces_;
    // Nothing is known of the algorithm: what the launches touch is the least that they could move.
    for (const KernelTrace& launch : traces_) {
        result.work.bytes_read += launch.footprint_read;
        result.work.bytes_written += launch.footprint_written;
    }
    result.findings = all_findings();
    if (const auto recorded = tracer_.streams()) {
        auto streams = std::make_shared<StreamTrace>(*recorded);
        for (SourcePlace& place : streams->places) shorten(place);
        result.streams = std::move(streams);
    }
    if (!traces_.empty()) {
        std::vector<Finding> more = performance_findings(result, lanework_simt::presented_gpu());
        result.findings.insert(result.findings.end(), std::make_move_iterator(more.begin()),
                               std::make_move_iterator(more.end()));
    }
    sort_findings(result.findings);
    return result;
}

void ProgramWatch::write_explanation(bool with_pictures) {
    const Explanation about = explanation();
    const Gpu& gpu = lanework_simt::presented_gpu();
    if (!settings_.json.empty()) write_text(settings_.json, explanations_to_json({&about, 1}, gpu, environment()));
    if (with_pictures && !settings_.pictures.empty())
        for (const Picture& picture : all_pictures(about, gpu))
            write_text(fs::path(settings_.pictures) / picture.file, picture.svg);
    SourceText sources;
    if (with_pictures && !settings_.page.empty())
        write_text(settings_.page, explained_document(about, gpu, sources, environment()));
    const bool asked = !settings_.json.empty() || !settings_.pictures.empty() || !settings_.page.empty();
    if (settings_.text.empty() && asked) return;
    const std::string text =
        settings_.sass ? draw_heading(about, settings_.style) + draw_machine_code(about, sources, settings_.style)
                       : draw_whole(about, gpu, sources, settings_.style);
    if (settings_.text.empty())
        std::fputs(text.c_str(), stderr);
    else
        write_text(settings_.text, text);
}

void ProgramWatch::print_findings() {
    Explanation about;
    about.findings = all_findings();
    std::fputs(draw_findings(about, settings_.style).c_str(), stderr);
}

void ProgramWatch::finish_last() {
    if (getpid() != process_) return;
    const auto alone = tracer_.hold();
    try {
        add_leaks();
        if (!ends_later_) append_summary();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "lanework: %s\n", error.what());
    }
}

void ProgramWatch::finish() {
    if (getpid() != process_) return;  // a child that this process forked
    const auto alone = tracer_.hold();
    try {
        append_summary();
        if (settings_.task == WatchSettings::Task::explain)
            write_explanation(true);
        else if (settings_.findings.empty())
            print_findings();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "lanework: %s\n", error.what());
    }
}

}  // namespace lanework

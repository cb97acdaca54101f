// From the tracer to files: findings as they are found, so that a program that crashes has told them; the explanation
// at the end.
#include "src/program/watch/program_watch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <lanework/error.hpp>
#include <lanework/measurement.hpp>
#include <lanework_simt/schedule.hpp>
#include <numeric>

#include "src/gpu/gpus.hpp"
#include "src/io/json.hpp"
#include "src/report/explain/explanation.hpp"
#include "src/report/explain/finding_json.hpp"
#include "src/report/explain/whole_explanation.hpp"
#include "src/report/html/report.hpp"
#include "src/simt/gpu.hpp"
#include "src/simt/hooks.hpp"
#include "src/trace/rules/launch_findings.hpp"
#include "src/trace/rules/rules.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

/// The kernel's name as its launch spells it, without template arguments and namespaces.
std::string bare(const std::string& kernel) {
    const std::string name = kernel.substr(0, kernel.find('<'));
    const std::size_t scope = name.rfind("::");
    return scope == name.npos ? name : name.substr(scope + 2);
}

fs::path this_program() {
    std::error_code unknown;
    const fs::path path = fs::read_symlink("/proc/self/exe", unknown);
    return unknown ? fs::path("program") : path.filename();
}

/// A file below the folder that the program was started in is named from there.
void shorten(SourcePlace& place) {
    static const std::string& here = *new const std::string(fs::current_path().string() + "/");
    if (place.file.starts_with(here)) place.file.erase(0, here.size());
}

void write_text(const fs::path& path, const std::string& text) {
    std::FILE* const file = std::fopen(path.c_str(), "w");
    if (!file) return;
    std::fwrite(text.data(), 1, text.size(), file);
    std::fclose(file);
}

}  // namespace

bool has_instrumented_code() { return lanework_simt::engine::instrumented_modules > 0; }

ProgramWatch::ProgramWatch(WatchSettings settings)
    : settings_(std::move(settings)),
      process_(getpid()),
      host_memory_([this](std::uint64_t pc) { return tracer_.place_of(pc); },
                   [this](Finding finding) { host_went_wrong(std::move(finding)); }),
      tracer_({&hazards_}, {.counters = settings_.task == WatchSettings::Task::explain,
                            .wants = [this](const lanework_simt::Launch& launch) { return wants(launch); },
                            .launch_ended = [this] { launch_ended(); },
                            .launch_refused = [this](const lanework_simt::Launch& launch,
                                                     std::string_view reason) { launch_refused(launch, reason); },
                            .host_memory = &host_memory_}) {
    if (!settings_.gpu.empty()) lanework_simt::present(parse_gpu(settings_.gpu));
    lanework_simt::set_schedule(settings_.schedule);
    hazards_.compare_values();
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
    shorten(finding.place);
    append({&finding, 1});
    findings_.push_back(std::move(finding));
}

void ProgramWatch::host_went_wrong(Finding finding) {
    end_later();
    shorten(finding.place);
    append({&finding, 1});
    findings_.push_back(std::move(finding));
}

/// What the program's destructors free is freed by now.
void ProgramWatch::add_leaks() {
    if (!settings_.leaks) return;
    std::vector<Finding> leaks = host_memory_.leaks();
    for (Finding& leak : leaks) shorten(leak.place);
    append(leaks);
    findings_ = std::move(leaks);
    if (settings_.findings.empty()) print_findings();
}

bool ProgramWatch::wants(const lanework_simt::Launch& launch) {
    end_later();
    const std::string kernel = bare(launch.kernel);
    const std::uint64_t number = ++launches_[kernel];
    if (settings_.task == WatchSettings::Task::check) return true;
    return number == settings_.launch && (settings_.kernel.empty() || settings_.kernel == kernel);
}

std::vector<Finding> ProgramWatch::new_findings(const std::vector<KernelTrace>& launches) {
    const auto place_of = [this](std::uint64_t pc) { return tracer_.place_of(pc); };
    std::vector<Finding> findings = findings_of(hazards_.list(), place_of, told_);
    told_ = hazards_.list().hazards().size();
    std::vector<Finding> errors = launch_errors(launches);
    findings.insert(findings.end(), std::make_move_iterator(errors.begin()), std::make_move_iterator(errors.end()));
    for (Finding& finding : findings) {
        shorten(finding.place);
        shorten(finding.other);
    }
    return findings;
}

void ProgramWatch::launch_ended() {
    std::vector<KernelTrace> launches = tracer_.take_launches();
    std::vector<Finding> found = new_findings(launches);
    append(found);
    findings_.insert(findings_.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
    if (settings_.task == WatchSettings::Task::check) return;
    for (KernelTrace& launch : launches) {
        launch.shape.file = fs::path(launch.shape.file).lexically_proximate(fs::current_path()).string();
        for (PlacedSite& site : launch.sites) shorten(site.place);
        traces_.push_back(std::move(launch));
    }
}

/// One write for all of them: what other processes of the program append does not come in between.
void ProgramWatch::append(std::span<const Finding> findings) {
    if (settings_.findings.empty() || findings.empty()) return;
    std::string lines;
    for (const Finding& finding : findings) lines += Json{{"finding", finding_json(finding)}}.dump() + "\n";
    const int file = open(settings_.findings.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0) return;
    [[maybe_unused]] const ssize_t written = write(file, lines.data(), lines.size());
    close(file);
}

void ProgramWatch::append_summary() {
    if (settings_.findings.empty()) return;
    const std::uint64_t all = std::accumulate(launches_.begin(), launches_.end(), std::uint64_t{0},
                                              [](std::uint64_t sum, const auto& each) { return sum + each.second; });
    const std::string line = Json{{"summary",
                                   {{"launches", all},
                                    {"kernels", launches_.size()},
                                    {"explained", traces_.size()},
                                    {"instrumented", has_instrumented_code()}}}}
                                 .dump() +
                             "\n";
    const int file = open(settings_.findings.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0) return;
    [[maybe_unused]] const ssize_t written = write(file, line.data(), line.size());
    close(file);
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
    result.findings = findings_;
    if (!traces_.empty()) {
        std::vector<Finding> more = performance_findings(result, lanework_simt::presented_gpu());
        result.findings.insert(result.findings.end(), std::make_move_iterator(more.begin()),
                               std::make_move_iterator(more.end()));
    }
    sort_findings(result.findings);
    return result;
}

void ProgramWatch::write_explanation() {
    const Explanation about = explanation();
    const Gpu& gpu = lanework_simt::presented_gpu();
    if (!settings_.json.empty()) write_text(settings_.json, explanations_to_json({&about, 1}, gpu, environment()));
    if (!settings_.pictures.empty())
        for (const Picture& picture : all_pictures(about, gpu))
            write_text(fs::path(settings_.pictures) / picture.file, picture.svg);
    SourceText sources({"."});
    if (!settings_.page.empty()) write_text(settings_.page, explained_document(about, gpu, sources, environment()));
    const bool asked = !settings_.json.empty() || !settings_.pictures.empty() || !settings_.page.empty();
    if (settings_.text.empty() && asked) return;
    const std::string text = draw_whole(about, gpu, sources, settings_.style);
    if (settings_.text.empty())
        std::fputs(text.c_str(), stderr);
    else
        write_text(settings_.text, text);
}

void ProgramWatch::print_findings() {
    Explanation about;
    about.findings = findings_;
    sort_findings(about.findings);
    std::fputs(draw_findings(about, settings_.style).c_str(), stderr);
}

void ProgramWatch::finish_last() {
    if (getpid() != process_) return;
    try {
        add_leaks();
        if (!ends_later_) append_summary();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "lanework: %s\n", error.what());
    }
}

void ProgramWatch::finish() {
    if (getpid() != process_) return;  // a child that this process forked
    try {
        append_summary();
        if (settings_.task == WatchSettings::Task::explain)
            write_explanation();
        else if (settings_.findings.empty())
            print_findings();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "lanework: %s\n", error.what());
    }
}

}  // namespace lanework

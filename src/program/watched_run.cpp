// The program appends its findings to a file, which is read when it has ended.
#include "src/program/watched_run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "src/io/json.hpp"
#include "src/program/child_process.hpp"
#include "src/program/run_settings.hpp"
#include "src/report/explain/finding_json.hpp"
#include "src/trace/rules/rules.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

/// Of a kernel that several processes launch, the largest.
void add_larger(WatchedOutcome& outcome, WatchedOutcome::Larger launch) {
    const auto known = std::ranges::find(outcome.larger, launch.kernel, &WatchedOutcome::Larger::kernel);
    if (known == outcome.larger.end())
        outcome.larger.push_back(std::move(launch));
    else if (launch.threads > known->threads)
        *known = std::move(launch);
}

/// How many launches a process explained; nothing of one that has written no explanation.
std::optional<std::uint64_t> explained_by(const Json& counts) {
    const auto launches = counts.at("explained").get<std::uint64_t>();
    return launches == 0 ? std::nullopt : std::optional(launches);
}

/// Adds what one process launched; `kernels` are those of all processes.
void add_counts(WatchedOutcome& outcome, const Json& counts, std::set<std::string>& kernels) {
    outcome.unchecked += counts.at("unchecked").get<std::uint64_t>();
    if (const Json& launch = counts.at("cut_short"); !launch.is_null())
        outcome.cut_short.push_back({.kernel = launch.at("kernel").get<std::string>(),
                                     .left_out = launch.at("left_out").get<std::uint64_t>(),
                                     .blocks = launch.at("blocks").get<std::uint64_t>()});
    outcome.launches += counts.at("launches").get<std::uint64_t>();
    outcome.repeats += counts.at("repeats").get<std::uint64_t>();
    outcome.explained += counts.at("explained").get<std::uint64_t>();
    for (const Json& kernel : counts.at("kernels"))
        kernels.insert(fmt::format("{} {}", counts.at("program").get<std::int64_t>(), kernel.get<std::string>()));
    for (const Json& each : counts.at("larger"))
        add_larger(outcome, {.kernel = each.at("kernel").get<std::string>(),
                             .launch = each.at("launch").get<std::uint64_t>(),
                             .threads = each.at("threads").get<std::uint64_t>(),
                             .explained_threads = each.at("explained_threads").get<std::uint64_t>()});
    outcome.instrumented = outcome.instrumented || counts.at("instrumented").get<bool>();
}

/// Adds what a run reported; `seed` is its schedule's where it was a further one, else 0.
void read_report(const fs::path& file, std::uint64_t seed, WatchedOutcome& outcome) {
    std::ifstream stream(file);
    const auto add = [&](const Json& json) {
        Finding finding = finding_from_json(json);
        if (seed != 0 && !finding.error()) return;
        if (seed != 0) finding.evidence += fmt::format(" (under --schedule {})", seed);
        add_finding(outcome.findings, std::move(finding));
    };
    std::vector<Json> others;
    std::set<std::int64_t> left_out, ended, ending, told;  // processes
    // By process: what it told last has all that it told before.
    std::map<std::int64_t, Json> hazards, forked;
    std::vector<Json> counts;
    std::uint64_t written = 0;  // launches that the process explained which wrote last
    for (std::string line; std::getline(stream, line);) {
        const Json json = Json::parse_or_null(line);
        if (json.is_object() && json.contains("hazards")) {
            hazards[json.at("process").get<std::int64_t>()] = json.at("hazards");
        } else if (json.is_object() && json.contains("finding")) {
            others.push_back(json["finding"]);
        } else if (json.is_object() && json.contains("copied_fresh")) {
            const Json& copy = json["copied_fresh"];
            if (seed == 0 && !outcome.copied_fresh)
                outcome.copied_fresh = {.file = copy.at("file").get<std::string>(),
                                        .line = copy.at("line").get<int>(),
                                        .first = copy.at("first").get<std::uint64_t>(),
                                        .bytes = copy.at("bytes").get<std::uint64_t>()};
        } else if (json.is_object() && json.contains("ending")) {
            ending.insert(json.at("process").get<std::int64_t>());
        } else if (json.is_object() && json.contains("told")) {
            told.insert(json.at("process").get<std::int64_t>());
        } else if (json.is_object() && json.contains("left_out")) {
            left_out.insert(json.at("process").get<std::int64_t>());
        } else if (json.is_object() && json.contains("forked")) {
            const Json& counted = json["forked"];
            forked[counted.at("process").get<std::int64_t>()] = counted;
            written = explained_by(counted).value_or(written);
        } else if (json.is_object() && json.contains("summary")) {
            counts.push_back(json["summary"]);
            ended.insert(counts.back().at("process").get<std::int64_t>());
            outcome.ended = outcome.ended || seed == 0;
            written = explained_by(counts.back()).value_or(written);
        }
    }
    for (auto& [process, of_child] : forked) {
        if (!of_child.at("in_launch").get<bool>()) ended.insert(process);
        counts.push_back(std::move(of_child));
    }
    WatchedOutcome of_schedule;  // a further one, of whose launches no other figure is told
    std::set<std::string> kernels;
    for (const Json& each : counts) add_counts(seed == 0 ? outcome : of_schedule, each, kernels);
    if (seed == 0) {
        outcome.kernels = kernels.size();
        outcome.unshown = outcome.explained - written;
    }
    const bool cut_short = !of_schedule.checked_all();
    const bool unsaid = !std::ranges::includes(ended, left_out);
    outcome.left_out = outcome.left_out || (seed == 0 && unsaid);
    outcome.untold = outcome.untold || (seed == 0 && !std::ranges::includes(told, ending));
    outcome.schedules_cut_short += cut_short || (seed != 0 && unsaid);
    for (const auto& [process, shown] : hazards)
        for (const Json& hazard : shown) add(hazard);
    for (const Json& other : others) add(other);
}

/// What the program is to read in every run: a copy of the standard input, where that is not a person.
fs::path keep_input(const fs::path& folder) {
    if (isatty(STDIN_FILENO)) return {};
    const fs::path copy = folder / "input";
    std::ofstream stream(copy, std::ios::binary);
    stream << std::cin.rdbuf();
    return copy;
}

int run_once(const WatchedRun& run, const WatchSettings& settings, const ChildProcess& streams) {
    ChildProcess child = streams;
    child.command = {run.program.string()};
    child.command.insert(child.command.end(), run.arguments.begin(), run.arguments.end());
    child.environment = {fmt::format("{}={}", kWatchVariable, to_text(settings))};
    if (run.devices > 1) child.environment.push_back(fmt::format("{}={}", kDevicesVariable, run.devices));
    child.started = run.running;
    const int status = run_program(child);
    if (run.running) run.running(0);
    return status;
}

}  // namespace

bool WatchedOutcome::wrong() const {
    return std::any_of(findings.begin(), findings.end(), [](const Finding& finding) { return finding.error(); });
}

namespace {

/// Whether a run that did not come to its end was ended by a signal that means: stop.
bool is_interrupt(int status) {
    constexpr int kSignal = 128;
    return status == kSignal + SIGINT || status == kSignal + SIGTERM || status == kSignal + SIGHUP;
}

}  // namespace

WatchedOutcome run_watched(const WatchedRun& run) {
    WatchedOutcome outcome;
    ChildProcess streams;
    if (run.schedules > 0) streams.input = keep_input(run.folder);
    WatchSettings settings = run.settings;
    settings.findings = (run.folder / "findings").string();
    outcome.status = run_once(run, settings, streams);
    read_report(settings.findings, 0, outcome);
    outcome.interrupted = !outcome.ended && is_interrupt(outcome.status);
    const int own_status = outcome.status;
    for (int drawn = 1; drawn <= run.schedules && !outcome.interrupted; ++drawn) {
        if (run.schedule_begins) run.schedule_begins(drawn);
        settings.task = WatchSettings::Task::check;
        settings.schedule = run.settings.schedule + static_cast<std::uint64_t>(drawn);
        settings.findings = (run.folder / fmt::format("findings-{}", drawn)).string();
        streams.output = streams.errors = "/dev/null";
        const int status = run_once(run, settings, streams);
        read_report(settings.findings, settings.schedule, outcome);
        outcome.interrupted = status != own_status && is_interrupt(status);
        if (outcome.interrupted) outcome.status = status;
    }
    sort_findings(outcome.findings);
    return outcome;
}

}  // namespace lanework

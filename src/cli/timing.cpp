// Timing jobs with the options of a command line.
#include "src/cli/timing.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "src/program/ladder/rehearsed.hpp"

namespace lanework {

void TimingOptions::add(Command& command) {
    command.seconds("--max-time", max_seconds, "Time to spend on sampling one rung (0.5)");
    command.option("--min-samples", min_samples, "Samples to take at least (5)");
    command.not_negative("--warmup", warm_up_s, "SECONDS",
                         "Run a rung so long before it is sampled (5% of --max-time)");
    command.flag("--stats", statistics, "Show the samples too: least, percentiles, most and a histogram");
}

Ceilings* Stopwatch::ceilings(ChosenDevice& device) {
    if (!device.device) return nullptr;
    const auto known = ceilings_.find(device.id);
    if (known != ceilings_.end()) return &known->second;
    const auto show = [&](std::string_view what) {
        progress_.show(fmt::format("ceilings of {}: {}", device.id, what));
    };
    return &ceilings_.emplace(device.id, lanework::ceilings(*device.device, {.refresh = false, .progress = show}))
                .first->second;
}

void fail_impossible(const Job& job, Measurement& m) {
    const OwnRung* const own = job.device->kind == DeviceKind::simt ? own_rung(*job.rung) : nullptr;
    const auto timed = job.operation->timed.simt;
    if (!own || std::ranges::find(timed, job.problem.extent) == timed.end()) return;
    for (const Problem& problem : timed_problems(*job.operation, job.problem.dtype)) {
        const RehearsedLaunches rehearsed = rehearse(*own, problem);
        const std::string size = format_extents(*job.operation, problem);
        if (!rehearsed.unended.empty() && m.reason.empty())
            m.reason = fmt::format("{}: {}", size, not_rehearsed(rehearsed.unended));
        if (rehearsed.refused.empty()) continue;
        m.verdict = Verdict::failed;
        m.reason = fmt::format("{}: {}", size, rehearsed.refused);
        return;
    }
}

Measurement Stopwatch::measure(const Job& job) {
    if (!job.device->device || !job.rung || !job.refused.empty()) return unmeasured(job, seed_);
    Ceilings* known = ceilings(*job.device);
    progress_.show(fmt::format("timing {}", describe(job)));
    MeasureOptions options;
    options.seed = seed_;
    options.input = job.input.value_or(kRandomInput);
    options.max_seconds = options_.max_seconds;
    options.min_samples = options_.min_samples;
    if (options_.warm_up_s >= 0) options.warm_up_s = options_.warm_up_s;
    options.references = &references_;
    options.notice = [this](std::string_view line) {
        progress_.clear();
        context_.hint(line);
    };
    Measurement m = lanework::measure(*job.device->device, *job.operation, *job.rung, job.problem, known, options);
    if (m.ok()) fail_impossible(job, m);
    return m;
}

}  // namespace lanework

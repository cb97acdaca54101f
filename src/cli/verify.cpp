// lanework verify: every selected rung against the operation's reference.
#include <fmt/format.h>

#include <algorithm>
#include <lanework/error.hpp>

#include "src/cli/command.hpp"
#include "src/cli/device_facts.hpp"
#include "src/cli/finished.hpp"
#include "src/cli/progress.hpp"
#include "src/cli/selection.hpp"
#include "src/measure/verify.hpp"
#include "src/program/ladder/rehearsed.hpp"

namespace lanework {
namespace {

struct VerifyOptions {
    SelectionOptions selection;
    bool verbose = false;
    Schedules schedules;
    Exports exports;
};

Measurement check(const Job& job, const VerifyOptions& options, References& references) {
    const std::uint64_t seed = options.selection.seed;
    Measurement m = unmeasured(job, seed);
    if (!job.device->device || !job.rung) return m;
    Verification verification = verify(*job.device->device, *job.operation, *job.rung, job.problem, seed, &references,
                                       options.schedules, job.input);
    m.verdict = verification.verdict;
    m.hard_inputs = verification.hard_inputs;
    m.error = verification.error;
    if (job.input && *job.input != kRandomInput) m.input = job.operation->name_of_input(*job.input);
    m.reason = std::move(verification.reason);
    return m;
}

// "cpu", "cuda:0 (NVIDIA H200)", or "simt (for an NVIDIA H200 SXM)": grids are for that GPU.
std::string name_of_device(const std::vector<Job>& jobs, const std::string& id) {
    const auto job = std::ranges::find(jobs, id, [](const Job& each) { return each.device->id; });
    if (job == jobs.end() || !job->device->device || job->device->kind == DeviceKind::cpu) return id;
    const DeviceInfo info = job->device->device->info();
    return info.stands_for.empty() ? fmt::format("{} ({})", id, info.name)
                                   : fmt::format("{} (for an {})", id, gpu_of(info).title);
}

// Rungs of one's own in the sizes that are timed, here or on a GPU: those that cannot be launched there, or of which
// that is not known. What computing takes is left to `climb`.
std::vector<Measurement> impossible_launches(const std::vector<Job>& jobs, const SelectionOptions& options) {
    std::vector<Measurement> found;
    std::vector<std::pair<const Rung*, DType>> seen;
    for (const Job& job : jobs) {
        const OwnRung* const own = job.rung && job.refused.empty() ? own_rung(*job.rung) : nullptr;
        if (!own || job.device->kind != DeviceKind::simt || !job.device->device || !options.size.empty()) continue;
        const std::pair<const Rung*, DType> rung(job.rung, job.problem.dtype);
        if (std::ranges::find(seen, rung) != seen.end()) continue;
        seen.push_back(rung);
        for (const Problem& problem : timed_problems(*job.operation, job.problem.dtype)) {
            RehearsedLaunches rehearsed = rehearse(*own, problem);
            if (rehearsed.refused.empty() && rehearsed.unended.empty()) continue;
            Job timed = job;
            timed.problem = problem;
            found.push_back(unmeasured(timed, options.seed));
            const bool failed = !rehearsed.refused.empty();
            found.back().verdict = failed ? Verdict::failed : Verdict::refused;
            found.back().reason = failed ? std::move(rehearsed.refused) : not_rehearsed(rehearsed.unended);
        }
    }
    return found;
}

std::vector<Measurement> check_all(const std::vector<Job>& jobs, const VerifyOptions& options, const Context& context) {
    const auto show = [&](std::span<const Measurement> checks) {
        if (!options.exports.show_table()) return;
        const Table table = options.verbose ? verdict_table(checks) : failure_table(checks);
        if (!table.rows.empty()) context.print(draw(table, context.out.style));
        context.print(count_verdicts(checks) + "\n");
        const auto name = [&](const std::string& id) { return name_of_device(jobs, id); };
        context.print(broken_lines("  " + describe_checks(checks, name), context.out.style));
        if (!options.verbose) context.print(describe_refusals(checks));
        std::string_view last;
        for (const Measurement& m : checks) {  // the first of each rung: other sizes say the same
            if (options.verbose || !m.ok() || m.reason.empty() || m.rung == last) continue;
            last = m.rung;
            context.print(broken_lines(fmt::format("  {}/{}: {}", m.operation, m.rung, m.reason), context.out.style));
        }
    };
    const auto write = [&](std::span<const Measurement> checks, const std::vector<Fact>& environment) {
        write_results(options.exports, context, checks, environment);
    };
    Finished<Measurement> finished(context, options.exports, jobs.size(), show, write);
    References references;
    {
        Progress progress(context, jobs.size());
        for (const Job& job : jobs) {
            progress.show(fmt::format("verifying {}", describe(job)));
            finished.add(check(job, options, references));
            progress.step();
        }
    }
    for (const Measurement& m : impossible_launches(jobs, options.selection)) finished.add(m);
    return finished.end();
}

int run_verify(const VerifyOptions& options, const Context& context) {
    auto devices = options.selection.chosen_devices();
    const auto selected = jobs(options.selection, devices, Problems::verified);
    refuse_vacuous(selected, context);
    return status_of(check_all(selected, options, context));
}

}  // namespace

void add_verify(CLI::App& app, Context& context) {
    auto options = std::make_shared<VerifyOptions>();
    Command command(app, context, "verify", "Check that rungs compute the right answer");
    command.positionals("OP[/RUNG]", options->selection.words, "What to verify; nothing: every rung there is", false);
    options->selection.add_device(command);
    options->selection.add_problem(command);
    options->selection.add_input(command, "all of them");
    options->selection.add_kernel(command);
    command.count("--random", options->selection.random, "Random shapes, so many, instead of the listed ones (0)");
    command.flag("-v,--verbose", options->verbose, "List every check, not only those that are not ok");
    command.count("--schedules", options->schedules.drawn, "On simt, schedules to draw besides the natural order (2)");
    command.option("--schedule", options->schedules.exactly,
                   "On simt, the one schedule to follow besides it, as a reason names it");
    options->exports.add_all(command);
    command.examples(
        "  lanework verify                                  everything, on ragged, tiny, empty and large problems\n"
        "  lanework verify transpose/padded_tile -v         one rung, every check listed\n"
        "  lanework verify matmul --size 100x50x113 --device simt --dtype int32\n"
        "  lanework verify reduce/vectorized --input constant   one of its hard inputs, as a reason names it\n"
        "  lanework verify resize --random 1000 --seed 7     images of random shapes, pitches and places\n"
        "  lanework verify ./softmax                        a ladder of your own (docs/your-own-ladder.md)\n"
        "  lanework verify ./softmax --kernel mine.cu:rows --grid \"ceil(n/128)\" --block 128");
    command.run([options, &context] { return run_verify(*options, context); });
}

}  // namespace lanework

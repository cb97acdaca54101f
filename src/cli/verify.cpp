// lanework verify: every selected rung against the operation's reference.
#include <fmt/format.h>

#include <lanework/error.hpp>

#include "src/cli/commands.hpp"
#include "src/cli/exports.hpp"
#include "src/cli/progress.hpp"
#include "src/cli/selection.hpp"
#include "src/measure/verify.hpp"

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

std::vector<Measurement> check_all(const std::vector<Job>& jobs, const VerifyOptions& options, const Context& context) {
    Progress progress(context);
    References references;
    std::vector<Measurement> checks;
    for (const Job& job : jobs) {
        progress.show(fmt::format("verifying {} of {}: {}", checks.size() + 1, jobs.size(), describe(job)));
        checks.push_back(check(job, options, references));
    }
    return checks;
}

int run(const VerifyOptions& options, const Context& context) {
    options.exports.check();
    if (options.selection.random < 0)
        throw UsageError(
            fmt::format("--random {}: the number of shapes to draw is 0 or more", options.selection.random));
    auto devices = choose_devices(options.selection.device);
    const auto checks = check_all(jobs(options.selection, devices, Problems::verified), options, context);
    if (options.exports.show_table()) {
        const Table table = options.verbose ? verdict_table(checks) : failure_table(checks);
        if (!table.rows.empty()) context.print(draw(table, context.out.style));
        context.print(count_verdicts(checks) + "\n");
    }
    write_results(options.exports, context, checks);
    return status_of(checks);
}

}  // namespace

void add_verify(CLI::App& app, Context& context) {
    auto options = std::make_shared<VerifyOptions>();
    Command command(app, context, "verify", "Check that rungs compute the right answer");
    command.positionals("OP[/RUNG]", options->selection.words, "What to verify; nothing: every rung there is", false);
    options->selection.add_device(command);
    options->selection.add_problem(command);
    options->selection.add_input(command, "all of them");
    command.option("--random", options->selection.random, "Random shapes, so many, instead of the listed ones (0)");
    command.flag("-v,--verbose", options->verbose, "List every check, not only those that are not ok");
    command.option("--schedules", options->schedules.drawn, "On simt, schedules to draw besides the natural order (2)");
    command.option("--schedule", options->schedules.exactly,
                   "On simt, the one schedule to follow besides it, as a reason names it");
    options->exports.add_all(command);
    command.examples(
        "  lanework verify                                  everything, on ragged, tiny, empty and large problems\n"
        "  lanework verify transpose/padded_tile -v         one rung, every check listed\n"
        "  lanework verify matmul --size 100x50x113 --device simt --dtype int32\n"
        "  lanework verify reduce/vectorized --input constant   one of its hard inputs, as a reason names it\n"
        "  lanework verify resize --random 1000 --seed 7     images of random shapes, pitches and places");
    command.run([options, &context] { return run(*options, context); });
}

}  // namespace lanework

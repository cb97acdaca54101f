// lanework climb: every rung of a ladder verified, timed, and held against the limit and the library.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <lanework/registry.hpp>
#include <optional>

#include "src/cli/command.hpp"
#include "src/cli/device_facts.hpp"
#include "src/cli/finished.hpp"
#include "src/cli/machine_code_at_hand.hpp"
#include "src/cli/timing.hpp"
#include "src/cli/why.hpp"
#include "src/measure/verify.hpp"
#include "src/report/results/ladder.hpp"
#include "src/report/results/samples.hpp"
#include "src/trace/analyse/estimate.hpp"

namespace lanework {
namespace {

constexpr std::string_view kEstimateNote =
    "That GPU is not here. Every kernel ran on CPU threads and was verified; times are estimates from what was traced "
    "and from published figures.";

struct ClimbOptions {
    SelectionOptions selection;
    TimingOptions timing;
    bool emulation_times = false, machine_code = false, verbose = false;
    Exports exports;
};

bool is_estimated(const Job& job, const ClimbOptions& options) {
    return job.device->kind == DeviceKind::simt && job.device->device && !options.emulation_times;
}

using Jobs = std::span<const Job>;

// How a command names the ladder of a folder of one's own; empty for the library's.
std::string named(const Job& job) {
    if (std::ranges::find(operations(), job.operation) != operations().end() || !job.rung) return {};
    const OwnOperation* const own = own_operation(*job.operation);
    if (!own) return {};
    const std::string folder = shown_path(own->description().folder);
    return folder.starts_with('/') || folder == "." ? folder : "./" + folder;
}

// After the libraries were measured, which may have raised the ceilings.
LadderFrame frame_of(Jobs ladder, const std::vector<Measurement>& libraries, const ClimbOptions& options,
                     Stopwatch& stopwatch) {
    const Job& first = ladder.front();
    const Measurement m = unmeasured(first, 0);
    LadderFrame frame;
    frame.operation = m.operation;
    frame.named = named(first);
    frame.summary = first.operation->summary;
    frame.problem =
        fmt::format("{} {}{}{}", format_problem(m), name_of(m.problem.dtype), m.variant.empty() ? "" : " ", m.variant);
    if (first.input) frame.problem += fmt::format(", {} input", first.operation->name_of_input(*first.input));
    frame.device = m.device;
    frame.work = m.work;
    for (const Job& job : ladder) frame.rungs.push_back(job.rung ? std::string(job.rung->name) : m.operation);
    for (const Measurement& library : libraries)
        if (const Measurement* fastest = fastest_library(library, libraries)) frame.library = *fastest;
    if (!first.device->device) return frame;
    frame.device_name = first.device->device->info().name;
    if (is_estimated(first, options)) {
        const Gpu& gpu = gpu_of(first.device->device->info());
        frame.limit = roofline_limit(m.work, m.problem.dtype, gpu);
        frame.estimated_for = gpu.title;
        frame.note = kEstimateNote;
        return frame;
    }
    frame.limit = stopwatch.ceilings(*first.device)->limit(m.work, m.problem.dtype, arithmetic_of(m.operation));
    if (first.device->kind == DeviceKind::simt) frame.note = kEmulationNote;
    return frame;
}

// Verifies and times the rungs of one ladder; references of the small problems are kept from rung to rung.
class Climber {
public:
    Climber(const ClimbOptions& options, Stopwatch& stopwatch, const Context& context, Jobs ladder)
        : options_(options),
          stopwatch_(stopwatch),
          shapes_(ladder.front().operation->verified_on(ladder.front().device->kind)),
          references_(shapes_.size()) {
        // Compiling takes seconds: it is asked for.
        const Job& first = ladder.front();
        if (options.machine_code && is_estimated(first, options))
            code_.emplace(context, gpu_of(first.device->device->info()), true);
    }

    Measurement climb(const Job& job) {
        Measurement m = unmeasured(job, seed_);
        if (!job.device->device || !job.rung || !job.refused.empty()) return m;
        if (!refusal(*job.rung, job.problem).empty()) return stopwatch_.measure(job);
        if (judged(verify_shapes(job), m)) return m;
        if (!is_estimated(job, options_))
            m = stopwatch_.measure(job);
        else if (judged(verify_at(job, &timed_reference_), m))
            return m;
        else
            fail_impossible(job, m);
        if (!m.ok()) return m;
        Progress& progress = stopwatch_.progress();
        if (code_) progress.show(fmt::format("compiling {}", describe(job)));
        const auto code = code_ ? code_->of(*job.rung, progress) : std::vector<MachineCode>();
        progress.show(fmt::format("tracing {}", describe(job)));
        Trace found = trace(job, seed_, code);
        m.why = std::move(found.why);
        if (is_estimated(job, options_)) m.estimate = std::move(found.estimate);
        return m;
    }

private:
    // Keeps what verification found; true where that ends the climb of this rung.
    static bool judged(const Verification& verification, Measurement& m) {
        m.verdict = verification.verdict;
        m.reason = verification.reason;
        m.error = verification.error;
        m.hard_inputs = verification.hard_inputs;
        return !m.ok();
    }

    Verification verify_at(const Job& job, References* references) {
        stopwatch_.progress().show(fmt::format("verifying {}", describe(job)));
        return verify(*job.device->device, *job.operation, *job.rung, job.problem, seed_, references, {}, job.input);
    }

    // The operation's problems in the type and form that are timed; the first that is not right decides.
    Verification verify_shapes(const Job& job) {
        const Operation& operation = *job.operation;
        for (std::size_t i = 0; i < shapes_.size(); ++i) {
            Job small = job;
            small.problem.extent = shapes_[i];
            Verification verification = verify_at(small, &references_[i]);
            if (verification.verdict == Verdict::ok || verification.verdict == Verdict::refused) continue;
            verification.reason = fmt::format("{}: {}", format_extents(operation, small.problem), verification.reason);
            return verification;
        }
        return {};
    }

    const ClimbOptions& options_;
    const std::uint64_t seed_ = options_.selection.seed;
    Stopwatch& stopwatch_;
    std::vector<Extents> shapes_;
    std::vector<References> references_;
    References timed_reference_;
    std::optional<MachineCodeAtHand> code_;
};

const Measurement* below(const Measurement& m, const std::vector<Measurement>& done) {
    const auto found =
        std::find_if(done.begin(), done.end(), [&](const Measurement& other) { return other.rung == m.climbs_from; });
    return m.climbs_from.empty() || found == done.end() ? nullptr : &*found;
}

// One ladder: the library first, so that its mark stands in every bar, but drawn last.
void climb(Jobs ladder, const ClimbOptions& options, Stopwatch& stopwatch, const Context& context,
           Finished<Measurement>& finished) {
    const bool drawn = options.exports.show_table();
    Climber climber(options, stopwatch, context, ladder);
    std::vector<Measurement> libraries, done;
    const auto climb = [&](const Job& job, std::vector<Measurement>& into) {
        into.push_back(climber.climb(job));
        finished.add(into.back());
        stopwatch.progress().step();
    };
    for (const Job& job : ladder)
        if (job.rung && job.rung->library) climb(job, libraries);
    share_limits(libraries);

    Style style = context.out.style;
    style.verbose = options.verbose;
    const LadderView view(frame_of(ladder, libraries, options, stopwatch), style);
    const auto print = [&](const std::string& text) {
        stopwatch.progress().clear();
        if (drawn) context.print(text);
    };
    print(view.heading());
    for (const Job& job : ladder) {
        if (job.rung && job.rung->library) continue;
        climb(job, done);
        print(view.rung(done.back(), below(done.back(), done)));
    }
    for (Measurement& library : libraries) {
        print(view.rung(library, nullptr));
        done.push_back(std::move(library));
    }
    print(view.refused(done));
    share_limits(done);
    finished.change([&](std::vector<Measurement>& all) {  // libraries last here, too
        std::ranges::copy(done, all.end() - static_cast<std::ptrdiff_t>(done.size()));
    });
    print(view.closing(done));
    if (const Table samples = samples_table(done); options.timing.statistics && !samples.rows.empty())
        print("\n" + draw(samples, context.out.style));
}

// Where the ladder that starts at `start` ends: jobs of one ladder share operation, device and problem.
std::size_t end_of_ladder(const std::vector<Job>& jobs, std::size_t start) {
    std::size_t end = start + 1;
    while (end < jobs.size() && jobs[end].operation == jobs[start].operation &&
           jobs[end].device == jobs[start].device && jobs[end].problem == jobs[start].problem)
        ++end;
    return end;
}

int run_climb(const ClimbOptions& options, const Context& context) {
    auto devices = options.selection.chosen_devices();
    const auto selected = jobs(options.selection, devices, Problems::first_timed);
    refuse_vacuous(selected, context);
    Stopwatch stopwatch(options.timing, options.selection.seed, context, selected.size());
    const auto write = [&](std::span<const Measurement> results, const std::vector<Fact>& environment) {
        write_results(options.exports, context, results, environment);
    };
    Finished<Measurement> finished(context, options.exports, selected.size(), {}, write);
    for (std::size_t start = 0, end = 0; start < selected.size(); start = end) {
        end = end_of_ladder(selected, start);
        climb(Jobs(selected).subspan(start, end - start), options, stopwatch, context, finished);
    }
    return status_of(finished.end());
}

}  // namespace

void add_climb(CLI::App& app, Context& context) {
    auto options = std::make_shared<ClimbOptions>();
    Command command(app, context, "climb", "Verify and time a ladder, rung by rung, up to the hardware limit");
    command.positionals("OP[/RUNG]", options->selection.words, "The operation to climb; `lanework list` names them",
                        true);
    options->selection.add_device(command);
    options->selection.add_problem(command);
    options->selection.add_sweep(command);
    options->selection.add_input(command);
    options->selection.add_kernel(command);
    options->timing.add(command);
    command.flag("-v,--verbose", options->verbose, "Show findings and reasons whole, not only what fits a line");
    command.flag("--emulation-times", options->emulation_times,
                 "On simt, time the emulation instead of estimating the GPU: such times rank nothing");
    command.flag("--machine-code", options->machine_code,
                 "On simt, compile each rung with nvcc and estimate the GPU from what its machine code executes");
    options->exports.add_all(command);
    command.examples(
        "  lanework climb transpose                     on the first GPU, else on simt and cpu\n"
        "  lanework climb matmul --size 1000x500x1130 --device cpu\n"
        "  lanework climb reduce --json results.json --md results.md\n"
        "  lanework climb \"re*\" --sweep size=2^20..2^26*4   every operation that matches, at several sizes\n"
        "  lanework climb matmul/naive --sweep block=1..32   a rung with other values of a constant of its own\n"
        "\n"
        "Every rung is verified first; a wrong one is never timed. Limit: the time that the least work needs at the\n"
        "bandwidth and arithmetic rate that were measured on the device. Gain: over the rung that it climbs from.\n"
        "On simt, where the GPU is not here: an estimate of its time and the counters that decide it (--gpu).");
    command.run([options, &context] { return run_climb(*options, context); });
}

}  // namespace lanework

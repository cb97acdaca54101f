// lanework occupancy: how much of a kernel a multiprocessor holds, from figures or from what the compiler said.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <lanework/error.hpp>

#include "src/cli/command.hpp"
#include "src/cli/exports.hpp"
#include "src/cli/selection.hpp"
#include "src/gpu/gpus.hpp"
#include "src/report/kernels/occupancy.hpp"

namespace lanework {
namespace {

struct OccupancyOptions {
    std::string word, arch, gpu, shared, carveout, svg;
    int threads = 0, registers = 0;
    Exports exports;
};

// Reads "8K", "8KiB", "8192" or "1M".
std::int64_t parse_bytes(std::string_view text) {
    std::int64_t bytes = 0;
    const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
    const std::string_view unit(stopped, static_cast<std::size_t>(text.data() + text.size() - stopped));
    const bool kibi = unit == "K" || unit == "k" || unit == "KB" || unit == "KiB";
    const bool mebi = unit == "M" || unit == "m" || unit == "MB" || unit == "MiB";
    constexpr std::int64_t kMost = 1 << 30;
    if (error != std::errc() || bytes < 0 || bytes > kMost || !(kibi || mebi || unit.empty() || unit == "B"))
        throw UsageError(fmt::format("--smem `{}` is not a size in bytes such as 8192 or 8K", text));
    return bytes * (mebi ? 1 << 20 : kibi ? 1 << 10 : 1);
}

int parse_carveout(std::string_view text) {
    int percent = -1;
    const char* end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, percent);
    if (error != std::errc() || stopped != end || percent < 0 || percent > 100)
        throw UsageError(fmt::format("--carveout `{}` is not a percentage from 0 to 100", text));
    return percent;
}

KernelResources resources_of(const OccupancyOptions& options) {
    KernelResources asks;
    if (options.threads > 0) asks.threads_per_block = options.threads;
    asks.registers_per_thread = options.registers;
    if (!options.shared.empty()) asks.dynamic_shared = parse_bytes(options.shared);
    if (!options.carveout.empty()) asks.carveout = parse_carveout(options.carveout);
    return asks;
}

// Throws unless the word names a rung that is made of kernels.
const Operation& check_rung(const std::string& word) {
    if (names_own_ladder(word))
        throw UsageError(
            fmt::format("{}: registers are known of the library's rungs alone; describe this one with --threads, "
                        "--regs and --smem. `lanework explain {}` has its occupancy",
                        word, word));
    const auto slash = word.find('/');
    const Operation& operation = find_operation(word.substr(0, slash));
    if (slash == word.npos) throw UsageError(fmt::format("{0}: name one of its rungs, as in {0}/RUNG", word));
    bool on_cpu = false;
    for (const Rung* rung : rungs()) {
        if (rung->operation != operation.name || rung->name != word.substr(slash + 1)) continue;
        if (rung->device != DeviceKind::cpu) return operation;
        on_cpu = true;
    }
    if (on_cpu) throw UsageError(fmt::format("{} is a rung for cpu: it has no kernels", word));
    SelectionOptions unknown;
    unknown.words = {word};
    choose_ladders(unknown, {});  // throws with the nearest name
    return operation;
}

std::string no_record(const std::string& word, const Capability& sm) {
    const auto recorded = recorded_capabilities();
    if (recorded.empty())
        return fmt::format(
            "{}: this build knows no registers, as it was made without a CUDA toolkit; describe the "
            "kernel with --threads, --regs and --smem",
            word);
    return fmt::format(
        "{}: nothing was compiled for sm_{}; choose --arch {}, or describe the kernel with --threads, "
        "--regs and --smem",
        word, sm.number, fmt::join(recorded, " or "));
}

std::vector<OccupancyCase> cases_of_rung(const OccupancyOptions& options, const Capability& sm) {
    const Operation& operation = check_rung(options.word);
    const auto records = kernel_records(operation.name, options.word.substr(options.word.find('/') + 1), sm.number);
    if (records.empty()) throw UnavailableError(no_record(options.word, sm));
    std::vector<OccupancyCase> cases;
    for (const KernelRecord& record : records) {
        OccupancyCase next{record.name, resources_of(options), record};
        if (options.registers == 0) next.resources.registers_per_thread = record.registers_per_thread;
        next.resources.static_shared = record.static_shared_bytes;
        next.resources.barriers = record.barriers;
        cases.push_back(std::move(next));
    }
    return cases;
}

const Capability& capability_of(const OccupancyOptions& options) {
    if (!options.arch.empty() && !options.gpu.empty())
        throw UsageError(fmt::format("--arch {} and --gpu {} both say what is asked about: give one of them",
                                     options.arch, options.gpu));
    if (!options.gpu.empty()) return parse_gpu(options.gpu).limits();
    return options.arch.empty() ? gpus().front().limits() : parse_capability(options.arch);
}

OccupancyReport report_of(const OccupancyOptions& options) {
    const Capability& sm = capability_of(options);
    if (options.word.empty() && options.threads == 0)
        throw UsageError("nothing to compute: give --threads (and --regs, --smem), or OP/RUNG");
    OccupancyReport report{sm, options.word, {}, options.threads > 0};
    if (options.word.empty())
        report.cases.push_back({{}, resources_of(options), {}});
    else
        report.cases = cases_of_rung(options, sm);
    return report;
}

// Whether every kernel could be launched with the block size that was given.
bool all_possible(const OccupancyReport& report) {
    return !report.sized || std::ranges::all_of(report.cases, [&](const OccupancyCase& kernel) {
        return occupancy(report.sm, kernel.resources).impossible == Impossible::no;
    });
}

int run_occupancy(const OccupancyOptions& options, const Context& context) {
    const OccupancyReport report = report_of(options);
    if (options.exports.show_table()) context.print(draw(report, context.out.style));
    write_exports(options.exports, context,
                  {.json = [&] { return occupancy_to_json(report); }, .csv = {}, .markdown = {}});
    if (!options.svg.empty()) write_output(options.svg, occupancy_to_svg(report));
    if (!report.sized)
        context.hint("the block size is chosen at the launch, which the compiler does not see: add --threads for one");
    return all_possible(report) ? exit_status::good : exit_status::wrong;
}

}  // namespace

void add_occupancy(CLI::App& app, Context& context) {
    auto options = std::make_shared<OccupancyOptions>();
    Command command(app, context, "occupancy", "Compute how many blocks and warps of a kernel an SM holds");
    command.optional_positional("OP/RUNG", options->word,
                                "Take registers and shared memory from the compiler's record");
    command.option("--threads", options->threads, "Threads per block");
    command.option("--regs", options->registers, "Registers per thread");
    command.option("--smem", options->shared, "SIZE",
                   "Shared memory per block in bytes or as 8K; of a rung: the dynamic part");
    command.option("--carveout", options->carveout, "PERCENT", "Share of an SM's memory to prefer for shared memory");
    command.option("--arch", options->arch, "ARCH", "Compute capability: 90, 9.0 or sm_90 (90)");
    command.option("--gpu", options->gpu, "NAME", gpu_help("The GPU whose compute capability it is"));
    options->exports.add_json(command);
    command.output("--svg", options->svg, "Draw the curve over block sizes as a picture");
    command.examples(
        "  lanework occupancy --threads 256 --regs 40 --smem 8K --arch 90\n"
        "  lanework occupancy transpose/padded_tile --threads 256\n"
        "  lanework occupancy --threads 1024 --regs 65          why a launch fails\n"
        "\n"
        "Exit status 1 when a launch is impossible.");
    command.run([options, &context] { return run_occupancy(*options, context); });
}

}  // namespace lanework

// lanework compare: two results files, and whether the second is slower.
#include "src/report/results/compare.hpp"

#include <lanework/error.hpp>

#include "src/cli/command.hpp"
#include "src/cli/exports.hpp"
#include "src/report/results/json.hpp"

namespace lanework {
namespace {

struct CompareOptions {
    std::string before, after, threshold = "5%";
    Exports exports;
};

void warn_of_other_machine(const Results& before, const Results& after, const Context& context) {
    for (const Fact& old : before.environment)
        for (const Fact& now : after.environment)
            if (old.name == now.name && old.value != now.value && old.name != "date")
                context.hint("note: " + old.name + " differs: " + old.value + " before, " + now.value + " after");
}

int run_compare(const CompareOptions& options, const Context& context) {
    const double threshold = parse_threshold(options.threshold);
    const Results before = read_results(options.before), after = read_results(options.after);
    const auto comparisons = compare(before, after, threshold);
    if (!any_matched(comparisons))
        throw UsageError("no result of " + options.before + " has its match in " + options.after +
                         ": same operation, rung, device, type and problem");
    warn_of_other_machine(before, after, context);
    const Table table = comparison_table(comparisons);
    if (options.exports.show_table()) context.print(draw(table, context.out.style) + count_changes(comparisons) + "\n");
    write_exports(options.exports, context,
                  {.json = [&] { return comparisons_to_json(comparisons, threshold); },
                   .csv = [&] { return to_csv(table); },
                   .markdown = [&] { return to_markdown(table); }});
    return regressed(comparisons) ? exit_status::wrong : exit_status::good;
}

}  // namespace

void add_compare(CLI::App& app, Context& context) {
    auto options = std::make_shared<CompareOptions>();
    Command command(app, context, "compare", "Compare two results files and fail on a regression");
    command.input_file("BEFORE", options->before, "Results as JSON, from bench or climb with --json");
    command.input_file("AFTER", options->after, "The newer results");
    command.option("--threshold", options->threshold, "PERCENT", "Differences up to this are the same (5%)");
    options->exports.add_all(command);
    command.examples(
        "  lanework bench reduce --json before.json\n"
        "  lanework bench reduce --json after.json\n"
        "  lanework compare before.json after.json --threshold 3%\n"
        "\n"
        "A rung is slower when its median grew by more than the threshold and by more than the noise of both\n"
        "runs (their interquartile ranges). Exit status 1 when any rung is slower, or no longer right.");
    command.run([options, &context] { return run_compare(*options, context); });
}

}  // namespace lanework

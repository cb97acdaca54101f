// Writes results where --json, --csv and --md say.
#include "src/cli/exports.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "src/report/results/json.hpp"

namespace lanework {
namespace {

void write_form(const std::optional<std::string>& file, const Context& context,
                const std::function<std::string()>& text) {
    if (!file) return;
    if (*file == "-") return context.print(text());
    write_output(*file, text());
}

std::string markdown_of(const Results& results) {
    std::string text;
    for (const Fact& fact : results.environment) text += (text.empty() ? "" : ", ") + fact.name + " " + fact.value;
    return to_markdown(bench_table(results.measurements)) + "\n" + text + "\n";
}

}  // namespace

void Exports::add_json(Command& command) {
    command.output_file("--json", json, "Write JSON to FILE; without FILE, or -, to stdout instead of the table");
}

void Exports::add_all(Command& command) {
    add_json(command);
    command.output_file("--csv", csv, "The same as CSV");
    command.output_file("--md,--markdown", markdown, "The same as a Markdown table");
}

std::string Exports::files() const {
    std::vector<std::string_view> names;
    for (const auto* file : {&json, &csv, &markdown})
        if (*file && **file != "-") names.push_back(**file);
    return fmt::format("{}", fmt::join(names, " and "));
}

bool Exports::show_table() const {
    for (const auto* file : {&json, &csv, &markdown})
        if (*file && **file == "-") return false;
    return true;
}

void write_exports(const Exports& exports, const Context& context, const Document& document) {
    write_form(exports.json, context, document.json);
    write_form(exports.csv, context, document.csv);
    write_form(exports.markdown, context, document.markdown);
}

void write_results(const Exports& exports, const Context& context, std::span<const Measurement> measurements,
                   const std::vector<Fact>& environment) {
    if (!exports.json && !exports.csv && !exports.markdown) return;
    const Results results{environment, {measurements.begin(), measurements.end()}};
    write_exports(exports, context,
                  {.json = [&] { return to_json(results); },
                   .csv = [&] { return to_csv(figures_table(results.measurements)); },
                   .markdown = [&] { return markdown_of(results); }});
}

}  // namespace lanework

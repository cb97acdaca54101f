// Writes results where --json, --csv and --md say.
#include "src/cli/exports.hpp"

#include <lanework/error.hpp>

#include "src/cli/interrupt.hpp"
#include "src/io/file.hpp"
#include "src/report/json.hpp"

namespace lanework {
namespace {

void write_form(const std::optional<std::string>& file, const Context& context,
                const std::function<std::string()>& text) {
    if (!file) return;
    if (*file == "-") return context.print(text());
    write_text(*file, text());
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
    command.output_file("--md", markdown, "The same as a Markdown table");
}

void Exports::check() const {
    int streams = 0;
    for (const auto* file : {&json, &csv, &markdown}) {
        if (!*file) continue;
        if (**file == "-")
            ++streams;
        else
            require_writable(**file);
    }
    if (streams > 1) throw UsageError("only one of --json, --csv and --md can go to stdout; give the others a file");
}

bool Exports::show_table() const {
    for (const auto* file : {&json, &csv, &markdown})
        if (*file && **file == "-") return false;
    return true;
}

void write_text(const std::filesystem::path& file, std::string_view text) {
    const HoldInterrupts hold;
    write_file(file, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

void write_exports(const Exports& exports, const Context& context, const Document& document) {
    write_form(exports.json, context, document.json);
    write_form(exports.csv, context, document.csv);
    write_form(exports.markdown, context, document.markdown);
}

void write_results(const Exports& exports, const Context& context, const std::vector<Measurement>& measurements) {
    if (!exports.json && !exports.csv && !exports.markdown) return;
    const Results results{environment(), measurements};
    write_exports(exports, context,
                  {.json = [&] { return to_json(results); },
                   .csv = [&] { return to_csv(figures_table(results.measurements)); },
                   .markdown = [&] { return markdown_of(results); }});
}

}  // namespace lanework

// --json, --csv and --md: where results go beside, or instead of, the terminal.
#pragma once

#include "src/cli/command.hpp"
#include "src/report/results/results.hpp"

namespace lanework {

/// The files that were asked for; "-" is the standard output, which then holds nothing else.
struct Exports {
    std::optional<std::string> json, csv, markdown;

    void add_json(Command& command);
    void add_all(Command& command);
    /// The files among them, for people: "r.json and r.csv"; empty for none.
    std::string files() const;
    /// Whether data for people is wanted on the standard output.
    bool show_table() const;
};

/// A document in the forms that a command offers; each is made only if it is asked for.
struct Document {
    std::function<std::string()> json, csv, markdown;
};
void write_exports(const Exports& exports, const Context& context, const Document& document);

/// Results in all three forms.
void write_results(const Exports& exports, const Context& context, std::span<const Measurement> measurements,
                   const std::vector<Fact>& environment);

}  // namespace lanework

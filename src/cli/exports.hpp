// --json, --csv and --md: where results go beside, or instead of, the terminal.
#pragma once

#include <filesystem>

#include "src/cli/command.hpp"
#include "src/report/results.hpp"

namespace lanework {

/// The files that were asked for; "-" is the standard output, which then holds nothing else.
struct Exports {
    std::optional<std::string> json, csv, markdown;

    void add_json(Command& command);
    void add_all(Command& command);

    /// Fails early: two forms on the standard output (UsageError), a file that could not be written (FileError).
    void check() const;
    /// Whether data for people is wanted on the standard output.
    bool show_table() const;
};

/// Replaces a file by this text, whole or not at all; Ctrl-C waits that long. Throws FileError.
void write_text(const std::filesystem::path& file, std::string_view text);

/// A document in the forms that a command offers; each is made only if it is asked for.
struct Document {
    std::function<std::string()> json, csv, markdown;
};
void write_exports(const Exports& exports, const Context& context, const Document& document);

/// Results in all three forms, with the environment of now.
void write_results(const Exports& exports, const Context& context, const std::vector<Measurement>& measurements);

}  // namespace lanework

// lanework help: the same text as --help.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <lanework/error.hpp>
#include <lanework/registry.hpp>

#include "src/cli/commands.hpp"

namespace lanework {
namespace {

// As --help prints it; App::help() would be that of this command, which was typed.
std::string help_of(const CLI::App& app, const std::string& name) {
    return app.get_formatter()->make_help(&app, name, CLI::AppFormatMode::Normal);
}

int show_help(const std::string& word, const CLI::App& program, const Context& context) {
    if (word.empty()) {
        context.print(help_of(program, program.get_name()));
        return exit_status::good;
    }
    std::vector<std::string_view> names;
    for (const CLI::App* command : program.get_subcommands({})) {
        if (command->get_name() == word) {
            context.print(help_of(*command, program.get_name() + " " + word));
            return exit_status::good;
        }
        names.push_back(command->get_name());
    }
    const std::string_view near = nearest(word, names);
    throw UsageError(
        fmt::format("there is no command `{}`{}", word,
                    near.empty() ? "; `lanework help` lists them" : fmt::format("; did you mean `{}`?", near)));
}

}  // namespace

void add_help(CLI::App& app, Context& context) {
    auto word = std::make_shared<std::string>();
    Command command(app, context, "help", "Show what a command does and what it takes");
    command.optional_positional("COMMAND", *word, "One command; nothing: all of them");
    command.examples("  lanework help climb           the same as lanework climb --help");
    command.run([word, &app, &context] { return show_help(*word, app, context); });
}

}  // namespace lanework

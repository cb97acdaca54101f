// lanework help: the same text as --help.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <lanework/error.hpp>
#include <lanework/registry.hpp>

#include "src/cli/command.hpp"
#include "src/cli/man_pages.hpp"

namespace lanework {
namespace {

// As --help prints it; App::help() would be that of this command, which was typed.
std::string help_of(const CLI::App& app, const std::string& name) {
    return app.get_formatter()->make_help(&app, name, CLI::AppFormatMode::Normal);
}

struct HelpOptions {
    std::vector<std::string> words;
    std::string pages;
};

// The command that the words lead to, one inside the other.
const CLI::App& find_command(const std::vector<std::string>& words, const CLI::App& program) {
    const CLI::App* found = &program;
    for (const std::string& word : words) {
        const CLI::App* next = nullptr;
        std::vector<std::string_view> names;
        for (const CLI::App* command : found->get_subcommands({})) {
            if (command->get_name() == word) next = command;
            names.push_back(command->get_name());
        }
        if (!next && names.empty()) throw UsageError(fmt::format("`{}` is one word too many", word));
        if (!next) {
            const std::string_view near = nearest_name(word, names);
            throw UsageError(
                fmt::format("there is no command `{}`{}", word,
                            near.empty() ? "; `lanework help` lists them" : fmt::format("; did you mean `{}`?", near)));
        }
        found = next;
    }
    return *found;
}

int show_help(const HelpOptions& options, const CLI::App& program, const Context& context) {
    if (!options.pages.empty()) {
        for (const ManPage& page : man_pages(program))
            write_output(std::filesystem::path(options.pages) / page.file, page.text);
        return exit_status::good;
    }
    std::string name = program.get_name();
    for (const std::string& word : options.words) name += " " + word;
    context.print(reflowed(help_of(find_command(options.words, program), name), context.out.style));
    return exit_status::good;
}

}  // namespace

void add_help(CLI::App& app, Context& context) {
    auto options = std::make_shared<HelpOptions>();
    Command command(app, context, "help", "Show what a command does and what it takes");
    command.positionals("COMMAND", options->words, "One command; nothing: all of them", false);
    command.output_folder("--man-pages", options->pages, "Write the manual's pages instead, one for each command");
    command.examples(
        "  lanework help climb           the same as lanework climb --help\n"
        "  lanework help --man-pages ~/.local/share/man/man1");
    command.run([options, &app, &context] { return show_help(*options, app, context); });
}

}  // namespace lanework

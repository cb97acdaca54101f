// From options and their help to man(7).
#include "src/cli/man_pages.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

namespace lanework {
namespace {

// Backslashes and hyphens have a meaning of their own, and so have dots and quotes that begin a line.
std::string escaped(std::string_view text) {
    std::string result;
    bool begins_line = true;
    for (const char byte : text) {
        if (begins_line && (byte == '.' || byte == '\'')) result += "\\&";
        if (byte == '\\')
            result += "\\e";
        else if (byte == '-')
            result += "\\-";
        else
            result += byte;
        begins_line = byte == '\n';
    }
    return result;
}

std::string title_of(const CLI::App& command) {
    const CLI::App* parent = command.get_parent();
    return parent ? title_of(*parent) + "-" + command.get_name() : command.get_name();
}

std::string words_of(const CLI::App& command) {
    const CLI::App* parent = command.get_parent();
    return parent ? words_of(*parent) + " " + command.get_name() : command.get_name();
}

std::string names_of(const CLI::Option& option) {
    std::vector<std::string> names;
    for (const std::string& name : option.get_snames()) names.push_back("\\fB\\-" + escaped(name) + "\\fR");
    for (const std::string& name : option.get_lnames()) names.push_back("\\fB\\-\\-" + escaped(name) + "\\fR");
    std::string text = fmt::format("{}", fmt::join(names, ", "));
    if (option.get_items_expected_max() > 0 && !option.get_type_name().empty())
        text += fmt::format(" \\fI{}\\fR", escaped(option.get_type_name()));
    return text;
}

std::string entry(const std::string& title, const std::string& help) {
    return fmt::format(".TP\n{}\n{}\n", title, escaped(help));
}

std::string section(const std::string& title, const std::string& text) {
    return text.empty() ? "" : fmt::format(".SH {}\n{}", title, text);
}

std::string synopsis(const CLI::App& command) {
    std::string text = fmt::format("\\fB{}\\fR [\\fIOPTIONS\\fR]", escaped(words_of(command)));
    for (const CLI::Option* option : command.get_options())
        if (!option->nonpositional()) {
            const std::string name = fmt::format("\\fI{}\\fR", escaped(option->get_name(true)));
            text += option->get_required() ? " " + name : " [" + name + "]";
        }
    if (!command.get_subcommands({}).empty()) text += " \\fICOMMAND\\fR …";
    return text + "\n";
}

std::string page(const CLI::App& command) {
    std::string words, options, commands;
    for (const CLI::Option* option : command.get_options()) {
        const std::string help = option->get_description();
        if (option->nonpositional())
            options += entry(names_of(*option), help);
        else
            words += entry(fmt::format("\\fI{}\\fR", escaped(option->get_name(true))), help);
    }
    for (const CLI::App* inner : command.get_subcommands({}))
        commands += entry(fmt::format("\\fB{}\\fR(1)", escaped(title_of(*inner))), inner->get_description());
    const std::string title = title_of(command), summary = command.get_description();
    std::string upper = title;
    for (char& letter : upper)
        if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
    // "Examples:\n  command…\n\nremarks" as commands write it.
    const std::string footer = command.get_footer();
    return fmt::format(".TH {} 1 \"\" Lanework \"Lanework's manual\"\n.SH NAME\n{} \\- {}\n", upper, escaped(title),
                       escaped(summary.substr(0, summary.find('\n')))) +
           section("SYNOPSIS", synopsis(command)) + section("ARGUMENTS", words) + section("COMMANDS", commands) +
           section("OPTIONS", options) +
           section("NOTES", footer.empty() ? "" : fmt::format(".nf\n{}\n.fi\n", escaped(footer))) +
           section("SEE ALSO", command.get_parent() ? "\\fBlanework\\fR(1)\n" : "");
}

void add_pages(const CLI::App& command, std::vector<ManPage>& pages) {
    pages.push_back({title_of(command) + ".1", page(command)});
    for (const CLI::App* inner : command.get_subcommands({})) add_pages(*inner, pages);
}

}  // namespace

std::vector<ManPage> man_pages(const CLI::App& program) {
    std::vector<ManPage> pages;
    add_pages(program, pages);
    return pages;
}

}  // namespace lanework

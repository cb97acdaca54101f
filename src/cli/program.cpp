// Puts the commands together, parses, and reports what went wrong in one line.
#include "src/cli/program.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <lanework/error.hpp>
#include <lanework/measurement.hpp>
#include <lanework/registry.hpp>
#include <new>

#include "src/cli/commands.hpp"
#include "src/cli/interrupt.hpp"
#include "src/cli/wrong_programs.hpp"

namespace lanework {
namespace {

constexpr const char* kSummary =
    "Runs, checks, measures and explains CUDA kernels, with or without a GPU.\n"
    "An operation is a ladder of rungs, from the naive one to the hardware's limit.";
// Last, where a terminal has scrolled the rest away.
constexpr const char* kStart =
    "\nStart here:\n"
    "  lanework check mine.cu       what is wrong in a program of yours, and where\n"
    "  lanework explain mine.cu     what each of its lines costs on a GPU\n"
    "  lanework climb transpose     a ladder: which rungs are right, how far from the limit\n"
    "  lanework doctor              what works on this machine";

std::string footer() {
    std::string text = "Exit status:\n";
    for (const ExitMeaning& each : exit_meanings()) text += fmt::format("  {:<4}{}\n", each.status, each.meaning);
    return text + kStart;
}

std::string version() {
    for (const Fact& fact : environment())
        if (fact.name == "lanework") return "lanework " + fact.value;
    return "lanework";
}

// "; did you mean `climb`?" for a word that is none of the candidates.
std::string suggestion(const std::string& word, const std::vector<std::string>& candidates) {
    const std::vector<std::string_view> views(candidates.begin(), candidates.end());
    const std::string_view near = nearest_name(word, views);
    return near.empty() ? "" : fmt::format("; did you mean `{}`?", near);
}

// The command that was typed, however deep; the program itself where none was.
const CLI::App& parsed_command(const CLI::App& app) {
    const auto chosen = app.get_subcommands();
    return chosen.empty() ? app : parsed_command(*chosen.front());
}

std::vector<std::string> option_names(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
    return names;
}

// The full name as it is typed: "lanework image sobel".
std::string full_name(const CLI::App& command) {
    return command.get_parent() ? full_name(*command.get_parent()) + " " + command.get_name() : command.get_name();
}

// The first on the way down to the command that was typed which has words left that nobody took.
const CLI::App& with_extras(const CLI::App& app) {
    const auto chosen = app.get_subcommands();
    return app.remaining().empty() && !chosen.empty() ? with_extras(*chosen.front()) : app;
}

bool has_option(const CLI::App& command, const std::string& name) {
    return command.get_option_no_throw(name) != nullptr;
}

std::string explain_option(const CLI::App& app, const std::string& option) {
    const CLI::App& command = parsed_command(app);
    if (&app != &command && has_option(command, option))
        return fmt::format("`{0}` belongs behind the command: {1} … {0}", option, full_name(command));
    return fmt::format("there is no option `{}`{}", option, suggestion(option, option_names(command)));
}

// Somebody who names an operation means the main job.
std::string explain_command(const std::string& word, const std::vector<std::string>& commands) {
    const auto is_named = [name = std::string_view(word).substr(0, word.find('/'))](const Operation* operation) {
        return operation->name == name;
    };
    if (std::ranges::any_of(operations(), is_named))
        return fmt::format("`{0}` is not a command; say what to do with it, as in `lanework climb {0}`", word);
    if (word.ends_with(".cu"))
        return fmt::format("`{0}` is not a command; `lanework run {0}` runs it, `lanework check {0}` checks it", word);
    return fmt::format("there is no command `{}`{}", word, suggestion(word, commands));
}

// What was not understood, with the nearest word that would have been.
std::string explain_extra(const CLI::App& program) {
    const CLI::App& app = with_extras(program);
    const std::string word = app.remaining().empty() ? "" : app.remaining().front();
    const std::string bare = word.substr(0, word.find('='));
    if (bare.size() > 1 && bare.starts_with("-")) return explain_option(app, bare);
    const auto commands = command_names(app);
    if (!commands.empty()) return explain_command(word, commands);
    return fmt::format("`{}` is one word too many", word);
}

// "--seed: At Most 1 required but received 2" and "--seed: 1 required N missing", in words.
std::string explain_mismatch(const CLI::ParseError& error) {
    const std::string text = error.what(), option = text.substr(0, text.find(':'));
    if (text.find("received") != std::string::npos) return option + " is given more than once";
    return option + ": its value is missing";
}

std::string explain_parse_error(const CLI::App& app, const CLI::ParseError& error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)) return explain_extra(app);
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ArgumentMismatch)) return explain_mismatch(error);
    return error.what();
}

int report_parse_error(const CLI::App& app, Context& context, const CLI::ParseError& error) {
    const CLI::App& command = parsed_command(app);
    context.detect_outputs();
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {  // --help, --version
        const bool help = error.get_name() == "CallForHelp" || error.get_name() == "CallForAllHelp";
        context.print(help ? reflowed(app.help(), context.out.style) : std::string(error.what()) + "\n");
        return exit_status::good;
    }
    context.hint(fmt::format("lanework: {}", explain_parse_error(app, error)));
    context.hint(fmt::format("`{} --help` shows what is possible", full_name(command)));
    return exit_status::usage;
}

/// What would take less memory, in words of the command's own options.
std::string out_of_memory(const CLI::App& command) {
    constexpr std::pair<std::string_view, std::string_view> advice[] = {{"--size", "choose a smaller --size"},
                                                                        {"--cutoff", "choose a smaller --cutoff"},
                                                                        {"--atoms", "make fewer atoms"}};
    const std::vector<std::string> options = option_names(command);
    for (const auto& [option, words] : advice)
        if (std::find(options.begin(), options.end(), option) != options.end())
            return fmt::format("out of memory: {}", words);
    return "out of memory: end other programs, or raise the limit of this one";
}

// One line that says what went wrong. What the standard library throws has no words of ours.
std::string explain_error(const std::exception& error, const CLI::App& command) {
    const int status = exit_status_of(error);
    const bool wordless = dynamic_cast<const std::bad_alloc*>(&error) || dynamic_cast<const std::length_error*>(&error);
    if (wordless) return out_of_memory(command);
    if (status == exit_status::internal)
        return fmt::format("a fault of lanework itself, please report it: {}", error.what());
    return error.what();
}

void add_commands(CLI::App& app, Context& context) {
    std::size_t grouped = 0;
    for (const CommandGroup& group : kCommandGroups) {
        for (AddCommand* const add : group.commands)
            if (add) add(app, context);
        const auto all = app.get_subcommands({});
        for (; grouped < all.size(); ++grouped) all[grouped]->group(group.title);
    }
}

// `-o "$OUT"` of a variable that is not set would write nothing, and `--json=` to the standard output.
void refuse_empty_words(const std::vector<std::string>& words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string before = i > 0 && words[i - 1].starts_with("-") ? words[i - 1] : "";
        if (words[i].empty())
            throw UsageError(fmt::format("{} is empty; is a variable of the shell not set?",
                                         before.empty() ? "a word of the command" : "the value of " + before));
        if (words[i].starts_with("--") && words[i].ends_with("="))
            throw CLI::ArgumentMismatch(words[i].substr(0, words[i].size() - 1) + ": its value");
    }
}

/// How a program that comes out right by luck is made to come out wrong; the words are those that are run.
std::string luck_of(const WrongProgram& program, const std::vector<std::string>& words) {
    const std::string drawn = fmt::format("--schedule={}", program.schedule());
    if (program.schedule() == 0) return {};
    if (std::ranges::find(words, drawn) == words.end())
        return fmt::format(
            " It may come out right: `lanework check wrong/{}` draws a schedule under which it does not.",
            program.name);
    return fmt::format(
        " Run with {}, a drawn order under which it comes out wrong; with --schedule 0, the natural one, it "
        "comes out right.",
        drawn);
}

int parse_and_run(CLI::App& app, Context& context, int count, char** typed) {
    std::vector<std::string> words(typed + std::min(count, 1), typed + count);
    try {
        put_options_behind_command(app, words);
        for (const WrongProgram* program : put_wrong_programs(words))
            context.hint(fmt::format("wrong/{}: {}{}", program->name, program->lesson(), luck_of(*program, words)));
        context.program = take_program_words(app, words);
        refuse_empty_words(words);
        std::reverse(words.begin(), words.end());  // as CLI11 wants them
        app.parse(std::move(words));
    } catch (const CLI::ParseError& error) {
        return report_parse_error(app, context, error);
    }
    if (!app.get_subcommands().empty()) return context.status;
    context.detect_outputs();
    context.hint(reflowed(app.help(), context.err.style));
    return exit_status::usage;
}

/// CLI11 wraps help from 2.5 on, lines of examples among it. Help is fitted to the terminal here (reflowed()).
template <class Formatter>
void leave_lines_alone(Formatter& formatter) {
    constexpr std::size_t kLongerThanAnyLine = 1 << 20;
    if constexpr (requires { formatter.right_column_width(kLongerThanAnyLine); })
        formatter.right_column_width(kLongerThanAnyLine);
    if constexpr (requires { formatter.enable_footer_formatting(false); }) {
        formatter.enable_description_formatting(false);
        formatter.enable_footer_formatting(false);
    }
}

}  // namespace

int run_program(int count, char** words) {
    handle_interrupts();
    Context context;
    CLI::App app(kSummary, "lanework");
    app.footer(footer());
    leave_lines_alone(*app.get_formatter());
    app.get_formatter()->column_width(34);
    app.get_formatter()->label("SUBCOMMAND", "COMMAND");
    app.get_formatter()->label("Subcommands", "Commands");
    app.set_version_flag("-V,--version", version);
    app.require_subcommand(0, 1);
    add_color(app, context);
    try {
        add_commands(app, context);
        return parse_and_run(app, context, count, words);
    } catch (const ReaderGone&) {
        end_by_signal(SIGPIPE);
    } catch (const std::exception& error) {
        context.hint(fmt::format("lanework: {}", explain_error(error, parsed_command(app))));
        return exit_status_of(error);
    }
}

}  // namespace lanework

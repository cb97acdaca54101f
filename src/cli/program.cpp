// Puts the commands together, parses, and reports what went wrong in one line.
#include "src/cli/program.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <lanework/error.hpp>
#include <lanework/measurement.hpp>
#include <lanework/registry.hpp>
#include <new>

#include "src/cli/commands.hpp"
#include "src/cli/interrupt.hpp"

namespace lanework {
namespace {

constexpr const char* kSummary =
    "Lanework runs, checks, measures and explains CUDA kernels, with or without a GPU.\n"
    "Each operation is a ladder of rungs, from the naive version to the hardware limit.";
constexpr const char* kFooter =
    "Start here:\n"
    "  lanework doctor              what works on this machine\n"
    "  lanework climb transpose     verify, time and compare every rung of a ladder\n"
    "  lanework list                every operation and its rungs\n"
    "\n"
    "Exit status: 0 good, 1 a wrong result or a regression, 2 usage, 4 CUDA error, 77 nothing here can run it.";

std::string version() {
    for (const Fact& fact : environment())
        if (fact.name == "lanework") return "lanework " + fact.value;
    return "lanework";
}

// "; did you mean `climb`?" for a word that is none of the candidates.
std::string suggestion(const std::string& word, const std::vector<std::string>& candidates) {
    const std::vector<std::string_view> views(candidates.begin(), candidates.end());
    const std::string_view near = nearest(word, views);
    return near.empty() ? "" : fmt::format("; did you mean `{}`?", near);
}

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

// What was not understood, with the nearest word that would have been.
std::string explain_extra(const CLI::App& command) {
    const std::string word = command.remaining().empty() ? "" : command.remaining().front();
    const std::string bare = word.substr(0, word.find('='));
    if (bare.starts_with("-"))
        return fmt::format("there is no option `{}`{}", bare, suggestion(bare, option_names(command)));
    const auto commands = command_names(command);
    if (!commands.empty()) return fmt::format("there is no command `{}`{}", word, suggestion(word, commands));
    return fmt::format("`{}` is one word too many", word);
}

int report_parse_error(const CLI::App& app, Context& context, const CLI::ParseError& error) {
    const CLI::App& command = parsed_command(app);
    context.detect_outputs();
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {  // --help, --version
        const bool help = error.get_name() == "CallForHelp" || error.get_name() == "CallForAllHelp";
        context.print(help ? app.help() : std::string(error.what()) + "\n");
        return exit_status::good;
    }
    const bool extra = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError);
    context.hint(fmt::format("lanework: {}", extra ? explain_extra(command) : error.what()));
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

int fail(const Context& context, const std::exception& error, int status) {
    context.hint(fmt::format("lanework: {}", error.what()));
    return status;
}

void add_commands(CLI::App& app, Context& context) {
    add_doctor(app, context);
    add_devices(app, context);
    add_list(app, context);
    add_info(app, context);
    add_index(app, context);
    add_occupancy(app, context);
    add_verify(app, context);
    add_bench(app, context);
    add_climb(app, context);
    add_explain(app, context);
    add_profile(app, context);
    add_compare(app, context);
    add_image(app, context);
    add_compare_images(app, context);
    add_neighbors(app, context);
    add_particles(app, context);
    add_completion(app, context);
}

int parse_and_run(CLI::App& app, Context& context, int count, char** words) {
    try {
        app.parse(count, words);
    } catch (const CLI::ParseError& error) {
        return report_parse_error(app, context, error);
    }
    if (!app.get_subcommands().empty()) return context.status;
    context.detect_outputs();
    context.hint(app.help());
    return exit_status::usage;
}

}  // namespace

int run_program(int count, char** words) {
    handle_interrupts();
    Context context;
    CLI::App app(kSummary, "lanework");
    app.footer(kFooter);
    app.get_formatter()->column_width(34);
    app.get_formatter()->label("SUBCOMMAND", "COMMAND");
    app.get_formatter()->label("Subcommands", "Commands");
    app.set_version_flag("--version", version);
    app.require_subcommand(0, 1);
    try {
        add_commands(app, context);
        return parse_and_run(app, context, count, words);
    } catch (const UsageError& error) {
        return fail(context, error, exit_status::usage);
    } catch (const FileError& error) {
        return fail(context, error, exit_status::wrong);
    } catch (const DeviceError& error) {
        return fail(context, error, exit_status::device);
    } catch (const UnavailableError& error) {
        return fail(context, error, exit_status::unavailable);
    } catch (const std::bad_alloc&) {
        return fail(context, std::runtime_error(out_of_memory(parsed_command(app))), exit_status::wrong);
    } catch (const std::exception& error) {
        return fail(context, error, exit_status::wrong);
    }
}

}  // namespace lanework

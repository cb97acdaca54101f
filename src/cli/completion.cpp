// lanework completion: the completion script for a shell, from the commands and options that there are.
#include <CLI/CLI.hpp>
#include <lanework/dtype.hpp>

#include "src/cli/command.hpp"
#include "src/cli/completion_scripts.hpp"
#include "src/gpu/gpus.hpp"

namespace lanework {
namespace {

// "auto|always|never" as it stands in an option's help; none where it is a placeholder such as SIZE.
std::vector<std::string> choices_in(const std::string& placeholder) {
    if (placeholder.find('|') == std::string::npos) return {};
    return CLI::detail::split(placeholder, '|');
}

bool is_file(const std::string& placeholder) {
    return placeholder.find("FILE") != std::string::npos || placeholder.find("FOLDER") != std::string::npos;
}

OptionShape shape_of(const CLI::Option& option) {
    OptionShape shape;
    for (const std::string& name : option.get_snames()) shape.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) shape.names.push_back("--" + name);
    shape.help = option.get_description();
    shape.takes_value = option.get_items_expected_max() > 0;
    shape.value_may_be_left_out = option.get_items_expected_min() == 0;
    shape.choices = choices_in(option.get_type_name());
    if (option.check_lname("device")) shape.choices = {"cuda", "simt", "cpu", "all"};
    if (option.check_lname("gpu"))
        for (const Gpu& gpu : gpus()) shape.choices.emplace_back(gpu.name);
    if (option.check_lname("dtype"))
        for (const DType dtype : kDTypes) shape.choices.emplace_back(name_of(dtype));
    shape.value_is_file = is_file(option.get_type_name());
    return shape;
}

Words words_of(const CLI::Option& positional) {
    const std::string name = positional.get_name(true);
    if (name.find("OP[/RUNG]") != std::string::npos) return Words::selection;
    if (name.find("OP") == 0) return Words::operation;
    if (name.starts_with("COMMAND")) return Words::choices;
    return positional.get_type_name().find('|') != std::string::npos ? Words::choices : Words::file;
}

std::vector<std::string> names_of(const CLI::App* program) {
    std::vector<std::string> names;
    for (const CLI::App* command : program->get_subcommands({})) names.push_back(command->get_name());
    return names;
}

CommandShape shape_of(const CLI::App& app) {
    CommandShape shape;
    shape.name = app.get_name();
    shape.help = app.get_description();
    for (const CLI::Option* option : app.get_options()) {
        if (option->nonpositional()) {
            shape.options.push_back(shape_of(*option));
        } else {
            shape.words = words_of(*option);
            shape.choices = choices_in(option->get_type_name());
            if (shape.words == Words::choices && shape.choices.empty()) shape.choices = names_of(app.get_parent());
        }
    }
    for (const CLI::App* command : app.get_subcommands({})) shape.commands.push_back(shape_of(*command));
    return shape;
}

int write_completion(const std::string& shell, const CLI::App& program, const Context& context) {
    const CommandShape shape = shape_of(program);
    context.print(shell == "bash"  ? bash_completion(shape)
                  : shell == "zsh" ? zsh_completion(shape)
                                   : fish_completion(shape));
    return exit_status::good;
}

}  // namespace

void add_completion(CLI::App& app, Context& context) {
    auto shell = std::make_shared<std::string>();
    Command command(app, context, "completion", "Print the completion script for a shell");
    command.positional_choice("SHELL", *shell, {"bash", "zsh", "fish"}, "Which shell");
    command.examples(
        "  lanework completion bash > ~/.local/share/bash-completion/completions/lanework\n"
        "  lanework completion zsh > ~/.zfunc/_lanework\n"
        "  lanework completion fish > ~/.config/fish/completions/lanework.fish");
    command.run([shell, &app, &context] { return write_completion(*shell, app, context); });
}

}  // namespace lanework

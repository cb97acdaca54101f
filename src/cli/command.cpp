// Builds CLI11 options from the descriptions of commands, with our words for what was wrong.
#include "src/cli/command.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <lanework/error.hpp>
#include <lanework/registry.hpp>

namespace lanework {
namespace {

// "-o,--output" → "--output".
std::string last_name(const std::string& names) {
    const auto comma = names.rfind(',');
    return names.substr(comma == std::string::npos ? 0 : comma + 1);
}

// Throws what the parser reports as "--seed: `x` is not …".
[[noreturn]] void reject(const std::string& names, const std::string& text, const std::string& right) {
    throw CLI::ValidationError(last_name(names), "`" + text + "` is not " + right);
}

template <class Number>
bool reads(const std::string& text, Number& value) {
    const char* end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && stopped == end;
}

/// However large it is.
bool is_whole_above_0(const std::string& text) {
    return text.find_first_not_of("0123456789") == text.npos && text.find_first_not_of('0') != text.npos;
}

CLI::Option* with_number(CLI::App* app, const std::string& names, const std::string& help,
                         std::function<void(const std::string&)> read) {
    return app->add_option_function<std::string>(names, std::move(read), help)->type_name("N");
}

CLI::Option* real(CLI::App* app, const std::string& names, double& value, bool (*fits)(double),
                  const std::string& right) {
    const auto read = [names, &value, fits, right](const std::string& text) {
        if (!reads(text, value) || !std::isfinite(value) || !fits(value)) reject(names, text, right);
    };
    return app->add_option_function<std::string>(names, read);
}

// A file name that was meant as one: "--json transpose" would take the operation for it.
void check_file_name(const std::string& names, const std::string& text) {
    const bool operation = std::ranges::any_of(operations(), [&](auto* each) { return each->name == text; });
    const bool rung = std::ranges::any_of(
        rungs(), [&](auto* each) { return text == std::string(each->operation) + "/" + std::string(each->name); });
    if (!operation && !rung) return;
    throw CLI::ValidationError(last_name(names), "`" + text + "` is " + (operation ? "an operation" : "a rung") +
                                                     ": write it before " + last_name(names) + ", or name the file ./" +
                                                     text);
}

// The standard output by any of its names.
std::string output_name(const std::string& text) {
    return text == "/dev/stdout" || text == "/dev/fd/1" || text == "/proc/self/fd/1" ? "-" : text;
}

void add_choice(CLI::App& app, const std::string& names, std::string& value, const std::vector<std::string>& choices,
                const std::string& help) {
    std::string listed;
    for (const std::string& each : choices) listed += (listed.empty() ? "" : "|") + each;
    const auto read = [names, &value, choices, listed](const std::string& text) {
        if (std::find(choices.begin(), choices.end(), text) == choices.end()) reject(names, text, "one of " + listed);
        value = text;
    };
    app.add_option_function<std::string>(names, read, help)->type_name(listed);
}

}  // namespace

void add_color(CLI::App& app, Context& context) {
    add_choice(app, "--color", context.color, {"auto", "always", "never"},
               "Colour and bars (auto: on a terminal only)");
}

void leave_out(CLI::App& app, Context& context, const std::string& name) {
    CLI::App* const command = app.add_subcommand(name, "Left out of this build; `make` builds every command");
    command->allow_extras()->footer("");
    add_color(*command, context);
    command->callback([name]() -> void {
        throw UnavailableError("this build leaves out the command " + name + "; `make` builds every command");
    });
}

Command::Command(CLI::App& parent, Context& context, const std::string& name, const std::string& help)
    : app_(parent.add_subcommand(name, help)), context_(&context) {
    add_color(*app_, context);
}

Command& Command::examples(const std::string& text) {
    app_->footer("Examples:\n" + text);
    return *this;
}

Command& Command::option(const std::string& names, std::string& value, const std::string& placeholder,
                         const std::string& help) {
    app_->add_option(names, value, help)->type_name(placeholder);
    return *this;
}

Command& Command::option(const std::string& names, std::uint64_t& value, const std::string& help) {
    with_number(app_, names, help, [names, &value](const std::string& text) {
        if (!reads(text, value)) reject(names, text, "a whole number from 0 to 2^64-1");
    });
    return *this;
}

Command& Command::option(const std::string& names, int& value, const std::string& help, int most) {
    with_number(app_, names, help, [names, &value, most](const std::string& text) {
        if (reads(text, value) && value >= 1 && value <= most) return;
        reject(names, text,
               is_whole_above_0(text) ? "a whole number from 1 to " + std::to_string(most) : "a whole number above 0");
    });
    return *this;
}

Command& Command::count(const std::string& names, int& value, const std::string& help) {
    with_number(app_, names, help, [names, &value](const std::string& text) {
        if (!reads(text, value) || value < 0)
            reject(names, text, "a whole number from 0 to " + std::to_string(std::numeric_limits<int>::max()));
    });
    return *this;
}

Command& Command::positive(const std::string& names, double& value, const std::string& placeholder,
                           const std::string& help) {
    real(
        app_, names, value, [](double x) { return x > 0; }, "a finite number above 0")
        ->type_name(placeholder)
        ->description(help);
    return *this;
}

Command& Command::not_negative(const std::string& names, double& value, const std::string& placeholder,
                               const std::string& help) {
    real(
        app_, names, value, [](double x) { return x >= 0; }, "a finite number from 0 on")
        ->type_name(placeholder)
        ->description(help);
    return *this;
}

Command& Command::fraction(const std::string& names, double& value, const std::string& placeholder,
                           const std::string& help) {
    real(
        app_, names, value, [](double x) { return x >= 0 && x <= 1; }, "a number from 0 to 1")
        ->type_name(placeholder)
        ->description(help);
    return *this;
}

Command& Command::seconds(const std::string& names, double& value, const std::string& help) {
    real(
        app_, names, value, [](double x) { return x > 0; }, "a time in seconds above 0, such as 0.5")
        ->type_name("SECONDS")
        ->description(help);
    return *this;
}

Command& Command::choice(const std::string& names, std::string& value, const std::vector<std::string>& choices,
                         const std::string& help) {
    add_choice(*app_, names, value, choices, help);
    return *this;
}

Command& Command::flag(const std::string& names, bool& value, const std::string& help) {
    app_->add_flag(names, value, help);
    return *this;
}

Command& Command::output_file(const std::string& names, std::optional<std::string>& value, const std::string& help) {
    const auto read = [names, &value](const CLI::results_t& words) {
        value = words.empty() || words.front().empty() ? "-" : output_name(words.front());
        check_file_name(names, *value);
        return true;
    };
    app_->add_option(names, read, help)->type_name("[FILE]")->expected(0, 1);
    files_->writes(last_name(names), [&value] { return value.value_or(""); });
    return *this;
}

Command& Command::output(const std::string& names, std::string& value, const std::string& help) {
    app_->add_option_function<std::string>(
            names, [&value](const std::string& text) { value = output_name(text); }, help)
        ->type_name("FILE");
    files_->writes(last_name(names), [&value] { return value; });
    return *this;
}

Command& Command::output_folder(const std::string& names, std::string& value, const std::string& help) {
    option(names, value, "FOLDER", help);
    files_->writes_into(last_name(names), [&value] { return value; });
    return *this;
}

Command& Command::input_file(const std::string& name, std::string& value, const std::string& help) {
    positional(name, value, help);
    files_->reads([&value] { return value; });
    return *this;
}

Command& Command::positional(const std::string& name, std::string& value, const std::string& help) {
    app_->add_option(name, value, help)->required()->type_name("");
    return *this;
}

Command& Command::optional_positional(const std::string& name, std::string& value, const std::string& help) {
    app_->add_option(name, value, help)->type_name("");
    return *this;
}

Command& Command::positionals(const std::string& name, std::vector<std::string>& values, const std::string& help,
                              bool required) {
    app_->add_option(name, values, help)->required(required)->type_name("");
    return *this;
}

Command& Command::list(const std::string& names, std::vector<std::string>& values, const std::string& placeholder,
                       const std::string& help) {
    app_->add_option(names, values, help)->type_name(placeholder)->allow_extra_args(false);
    return *this;
}

Command& Command::positional_choice(const std::string& name, std::string& value,
                                    const std::vector<std::string>& choices, const std::string& help) {
    choice(name, value, choices, help);
    app_->get_option(name)->required();
    return *this;
}

void Command::run(std::function<int()> body) {
    Context* context = context_;
    app_->callback([context, files = files_, body = std::move(body)] {
        context->detect_outputs();
        for (const std::string& word : context->program.build)
            if (!word.starts_with('-')) files->reads([word] { return word; });
        files->check();
        context->status = body();
    });
}

}  // namespace lanework

// A command of the program and its options: the little of CLI11 that commands need, so that only one file has to
// read that library.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/cli/context.hpp"
#include "src/cli/outputs.hpp"

namespace CLI {
class App;
}

namespace lanework {

/// --color, which every command has and the program itself.
void add_color(CLI::App& app, Context& context);

/// A command that this build leaves out: whatever is asked of it, it says how it is built.
void leave_out(CLI::App& app, Context& context, const std::string& name);

/// A handle; the options it makes live in the App that it was made in. Values are written while the command line is
/// read and must outlive that: commands hold theirs in a shared_ptr that the body captures.
class Command {
public:
    /// `help` is one line without a full stop.
    Command(CLI::App& parent, Context& context, const std::string& name, const std::string& help);

    /// Whole command lines with what they do, for the end of the help text.
    Command& examples(const std::string& text);

    /// Options: names as in "-o,--output"; `placeholder` stands for the value in the help text.
    Command& option(const std::string& names, std::string& value, const std::string& placeholder,
                    const std::string& help);
    Command& option(const std::string& names, std::uint64_t& value, const std::string& help);
    /// A whole number from 1 to `most`.
    Command& option(const std::string& names, int& value, const std::string& help,
                    int most = std::numeric_limits<int>::max());
    /// A whole number from 0 on.
    Command& count(const std::string& names, int& value, const std::string& help);
    /// A finite number above 0, or from 0 on.
    Command& positive(const std::string& names, double& value, const std::string& placeholder, const std::string& help);
    Command& not_negative(const std::string& names, double& value, const std::string& placeholder,
                          const std::string& help);
    /// A number from 0 to 1, such as a threshold of scores or of overlaps.
    Command& fraction(const std::string& names, double& value, const std::string& placeholder, const std::string& help);
    /// A time: a number of seconds above 0.
    Command& seconds(const std::string& names, double& value, const std::string& help);
    /// A name out of a fixed list.
    Command& choice(const std::string& names, std::string& value, const std::vector<std::string>& choices,
                    const std::string& help);
    Command& flag(const std::string& names, bool& value, const std::string& help);
    /// A file to write; `run` checks it before the body, together with all others. The value may be left out: then it
    /// is
    /// "-", the standard output.
    Command& output_file(const std::string& names, std::optional<std::string>& value, const std::string& help);
    /// The same where the value may not be left out.
    Command& output(const std::string& names, std::string& value, const std::string& help);
    Command& output_folder(const std::string& names, std::string& value, const std::string& help);

    /// A file to read: no output may be the same.
    Command& input_file(const std::string& name, std::string& value, const std::string& help);
    Command& positional(const std::string& name, std::string& value, const std::string& help);
    Command& optional_positional(const std::string& name, std::string& value, const std::string& help);
    /// Any number of words; at least one where `required`.
    Command& positionals(const std::string& name, std::vector<std::string>& values, const std::string& help,
                         bool required);
    /// An option that may be given several times, with a value each.
    Command& list(const std::string& names, std::vector<std::string>& values, const std::string& placeholder,
                  const std::string& help);
    /// A word out of a fixed list.
    Command& positional_choice(const std::string& name, std::string& value, const std::vector<std::string>& choices,
                               const std::string& help);

    /// Runs when the whole command line was good and its files can be read and written without harming each other; what
    /// it returns is the exit status.
    void run(std::function<int()> body);

    const Context& context() const { return *context_; }
    /// What subcommands are made in.
    CLI::App& app() { return *app_; }

private:
    CLI::App* app_;
    Context* context_;
    std::shared_ptr<FilePlan> files_ = std::make_shared<FilePlan>();
};

}  // namespace lanework

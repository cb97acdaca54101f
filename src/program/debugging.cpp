// Reads what --break says, and hands it to src/simt/include/lanework_simt/debugger.py, which gdb runs.
#include "src/program/debugging.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <lanework/error.hpp>
#include <nlohmann/json.hpp>

#include "src/program/child_process.hpp"
#include "src/program/toolchain.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDebuggerVariable = "LANEWORK_DEBUGGER";
/// The device follows so many: a bit of a word for each.
constexpr std::size_t kMostBreaks = 64;

[[noreturn]] void refuse(const std::string& text, std::string_view what) {
    throw UsageError(
        fmt::format("--break {}: {}; expected KERNEL, KERNEL:LINE or FILE:LINE, and behind it nothing, @block(1,0), "
                    "@thread(3) or @block(1,0),thread(3)",
                    text, what));
}

std::optional<long> read_number(std::string_view text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    long number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < 0 || text.empty()) return {};
    return number;
}

/// Takes "block(1,0)" from the start of `rest` where it stands there.
bool take_index(const std::string& text, std::string_view& rest, std::string_view word,
                std::optional<ThreadBreak::Index>& index) {
    if (!rest.starts_with(word) || !rest.substr(word.size()).starts_with('(')) return false;
    if (index) refuse(text, fmt::format("{} is given twice", word));
    const std::size_t begin = word.size() + 1, close = rest.find(')');
    if (close == rest.npos) refuse(text, fmt::format("the bracket behind {} is not closed", word));
    std::string_view numbers = rest.substr(begin, close - begin);
    ThreadBreak::Index read{};
    for (std::size_t axis = 0;; ++axis) {
        const std::size_t comma = numbers.find(',');
        const std::optional<long> number = read_number(numbers.substr(0, comma));
        if (!number) refuse(text, fmt::format("`{}` is no index of a {}", numbers.substr(0, comma), word));
        if (axis == read.size()) refuse(text, fmt::format("a {} has at most three coordinates", word));
        read[axis] = *number;
        if (comma == numbers.npos) break;
        numbers.remove_prefix(comma + 1);
    }
    index = read;
    rest.remove_prefix(close + 1);
    return true;
}

void read_threads(const std::string& text, std::string_view rest, ThreadBreak& wanted) {
    while (true) {
        if (!take_index(text, rest, "block", wanted.block) && !take_index(text, rest, "thread", wanted.thread))
            refuse(text, fmt::format("`{}` is neither block(…) nor thread(…)", rest));
        if (rest.empty()) return;
        if (!rest.starts_with(',')) refuse(text, fmt::format("a comma is missing before `{}`", rest));
        rest.remove_prefix(1);
    }
}

/// The device's side of it: six numbers for each breakpoint, −1 for any.
std::string filters_of(const std::vector<ThreadBreak>& breaks) {
    std::string text;
    for (const ThreadBreak& wanted : breaks) {
        constexpr ThreadBreak::Index kAny{-1, -1, -1};
        const ThreadBreak::Index block = wanted.block.value_or(kAny), thread = wanted.thread.value_or(kAny);
        text += fmt::format("{}{},{},{},{},{},{}", text.empty() ? "" : ";", block[0], block[1], block[2], thread[0],
                            thread[1], thread[2]);
    }
    return text;
}

nlohmann::json to_json(const ThreadBreak& wanted) {
    const auto index = [](const std::optional<ThreadBreak::Index>& given) {
        return given ? nlohmann::json(*given) : nlohmann::json();
    };
    return {{"text", wanted.text}, {"function", wanted.function},  {"file", wanted.file},
            {"line", wanted.line}, {"block", index(wanted.block)}, {"thread", index(wanted.thread)}};
}

std::string settings_of(const DebuggedRun& run) {
    nlohmann::json settings{{"stops", run.stops}, {"breaks", nlohmann::json::array()}};
    for (const ThreadBreak& wanted : run.breaks) settings["breaks"].push_back(to_json(wanted));
    // gdb starts programs with the user's shell, which need not take its quotes, and tells them a terminal's size.
    const char* const shell = std::getenv("SHELL");
    settings["environment"] = shell ? nlohmann::json{{"SHELL", shell}} : nlohmann::json::object();
    settings["unset"] = nlohmann::json::array();
    for (const char* name : {"LINES", "COLUMNS", "SHELL"})
        if (!std::getenv(name)) settings["unset"].push_back(name);
    return settings.dump();
}

}  // namespace

ThreadBreak read_break(const std::string& text) {
    ThreadBreak wanted{.text = text, .function = {}, .file = {}, .line = 0, .block = {}, .thread = {}};
    const std::size_t at = text.find('@');
    const std::string place = text.substr(0, at);
    const std::size_t colon = place.rfind(':');
    // "ns::kernel" has no line.
    const bool lined = colon != place.npos && colon > 0 && place[colon - 1] != ':';
    std::string& name = lined && place.find('.') < colon ? wanted.file : wanted.function;
    name = lined ? place.substr(0, colon) : place;
    if (name.empty()) refuse(text, "it names no kernel and no file");
    if (lined) {
        const std::optional<long> line = read_number(place.substr(colon + 1));
        constexpr long kMostLines = 1 << 24;
        if (!line || *line < 1 || *line > kMostLines)
            refuse(text, fmt::format("`{}` is no line", place.substr(colon + 1)));
        wanted.line = static_cast<int>(*line);
    } else if (place.find('.') != place.npos) {
        refuse(text, fmt::format("which line of {}", place));
    }
    if (at != text.npos) read_threads(text, std::string_view(text).substr(at + 1), wanted);
    return wanted;
}

fs::path find_gdb() {
    const fs::path gdb = find_program("gdb");
    if (gdb.empty())
        throw UnavailableError("--gdb and --break need gdb, which is not on the path: install the package gdb");
    // Its exit status says whether the command was understood: gdb-minimal has no Python.
    const int status =
        run_program({.command = {gdb.string(), "-nx", "-batch-silent", "-ex", "python gdb.execute('quit 7')"},
                     .output = "/dev/null",
                     .errors = "/dev/null"});
    constexpr int kAsked = 7;
    if (status != kAsked)
        throw UnavailableError(fmt::format(
            "{} has no Python, which --gdb and --break need: install the package gdb, not gdb-minimal", gdb.string()));
    return gdb;
}

void become_debugger(const fs::path& gdb, const fs::path& headers, const DebuggedRun& run) {
    if (run.breaks.size() > kMostBreaks) throw UsageError(fmt::format("--break is for {} places at most", kMostBreaks));
    std::vector<std::string> command{gdb.string()};
    const auto add = [&](std::initializer_list<std::string> words) { command.insert(command.end(), words); };
    // Before the program is read: nobody is asked whether to download anything.
    add({"-iex", "set debuginfod enabled off"});
    run.prompt ? add({"-q"}) : add({"-nx", "-batch-silent"});
    add({"-ix", (headers / "lanework_simt" / "debugger.py").string()});
    add({"-ex", (run.prompt ? "lanework-start " : "lanework-run ") + settings_of(run), "--args"});
    command.insert(command.end(), run.command.begin(), run.command.end());
    std::vector<std::string> environment = run.environment;
    environment.push_back(fmt::format("{}={}", kDebuggerVariable, filters_of(run.breaks)));
    environment.emplace_back("SHELL=/bin/sh");
    become_program(command, environment);
}

}  // namespace lanework

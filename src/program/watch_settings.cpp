// Writes and reads the environment variable.
#include "src/program/watch_settings.hpp"

#include <fmt/format.h>

#include <charconv>
#include <lanework/error.hpp>

namespace lanework {
namespace {

[[noreturn]] void refuse(std::string_view what) { throw UsageError(fmt::format("{}: {}", kWatchVariable, what)); }

template <class Number>
void read_number(std::string_view name, std::string_view text, Number& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size())
        refuse(fmt::format("{}={} is no whole number", name, text));
}

void read_flag(std::string_view name, std::string_view text, bool& flag) {
    int number = 0;
    read_number(name, text, number);
    flag = number != 0;
}

void read_setting(std::string_view name, std::string_view value, WatchSettings& settings) {
    if (name == "findings")
        settings.findings = value;
    else if (name == "text")
        settings.text = value;
    else if (name == "json")
        settings.json = value;
    else if (name == "pictures")
        settings.pictures = value;
    else if (name == "page")
        settings.page = value;
    else if (name == "kernel")
        settings.kernel = value;
    else if (name == "gpu")
        settings.gpu = value;
    else if (name == "code")
        settings.code.emplace_back(value);
    else if (name == "sass")
        read_flag(name, value, settings.sass);
    else if (name == "leaks")
        read_flag(name, value, settings.leaks);
    else if (name == "progress")
        read_number(name, value, settings.progress);
    else if (name == "seconds")
        read_number(name, value, settings.seconds);
    else if (name == "launch")
        read_number(name, value, settings.launch);
    else if (name == "schedule")
        read_number(name, value, settings.schedule);
    else if (name == "width")
        read_number(name, value, settings.style.width);
    else if (name == "colour")
        read_flag(name, value, settings.style.colour);
    else if (name == "bars")
        read_flag(name, value, settings.style.bars);
    else if (name == "unicode")
        read_flag(name, value, settings.style.unicode);
    else if (name == "verbose")
        read_flag(name, value, settings.style.verbose);
    else
        refuse(fmt::format("there is no setting {}", name));
}

/// The first line of `text`, which then begins behind it.
std::string_view take_line(std::string_view& text) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text = end == text.npos ? std::string_view() : text.substr(end + 1);
    return line;
}

}  // namespace

std::string to_text(const WatchSettings& settings) {
    std::string text = settings.task == WatchSettings::Task::check ? "check" : "explain";
    const auto add = [&](std::string_view name, const std::string& value) {
        if (!value.empty()) text += fmt::format("\n{}={}", name, value);
    };
    add("findings", settings.findings);
    add("text", settings.text);
    add("json", settings.json);
    add("pictures", settings.pictures);
    add("page", settings.page);
    add("kernel", settings.kernel);
    add("gpu", settings.gpu);
    for (const std::string& file : settings.code) add("code", file);
    if (settings.sass) add("sass", "1");
    if (settings.leaks) add("leaks", "1");
    if (settings.progress != 0) add("progress", std::to_string(settings.progress));
    if (settings.seconds != 0) add("seconds", std::to_string(settings.seconds));
    return text + fmt::format("\nlaunch={}\nschedule={}\nwidth={}\ncolour={:d}\nbars={:d}\nunicode={:d}\nverbose={:d}",
                              settings.launch, settings.schedule, settings.style.width, settings.style.colour,
                              settings.style.bars, settings.style.unicode, settings.style.verbose);
}

WatchSettings read_watch_settings(std::string_view text) {
    WatchSettings settings;
    const std::string_view task = take_line(text);
    if (task != "check" && task != "explain") refuse(fmt::format("`{}` is neither check nor explain", task));
    settings.task = task == "check" ? WatchSettings::Task::check : WatchSettings::Task::explain;
    while (!text.empty()) {
        const std::string_view line = take_line(text);
        const std::size_t equals = line.find('=');
        if (equals == line.npos) refuse(fmt::format("expected NAME=VALUE instead of `{}`", line));
        read_setting(line.substr(0, equals), line.substr(equals + 1), settings);
    }
    return settings;
}

}  // namespace lanework

// Findings as text and as JSON.
#include "src/program/check_report.hpp"

#include <fmt/format.h>

#include "src/report/explain/explanation.hpp"
#include "src/report/explain/finding_json.hpp"

#include "src/io/json.hpp"

namespace lanework {
namespace {

std::string counted(std::uint64_t count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : what.ends_with('h') ? "es" : "s");
}

/// What the check had no time for; nothing where it had.
std::string left_unchecked(const WatchedOutcome& outcome) {
    std::string text;
    const auto add = [&](const std::string& what) { text += (text.empty() ? "; its time was over: " : ", ") + what; };
    for (const auto& launch : outcome.cut_short)
        add(fmt::format("{} of the {} blocks of a launch of {}", launch.left_out, launch.blocks, launch.kernel));
    if (outcome.unchecked != 0)
        add(counted(outcome.unchecked, outcome.cut_short.empty() ? "launch" : "further launch"));
    if (outcome.left_out) add("what a process launched that was ended");
    if (outcome.schedules_cut_short != 0)
        add(fmt::format("parts of {}",
                        counted(static_cast<std::uint64_t>(outcome.schedules_cut_short), "further schedule")));
    if (!text.empty()) text += " ran unchecked";
    // An order that blocks which ran unchecked may have made is taken to be there.
    return outcome.cut_short.empty() ? text : text + "; no races are told of that launch where it has fences";
}

std::string scope(const WatchedOutcome& outcome) {
    const std::string untold = outcome.untold ? "; what the launch that ran then had shown is not known" : "";
    if (outcome.interrupted && !outcome.ended) return " until it was interrupted" + untold + left_unchecked(outcome);
    if (!outcome.ended)
        return "; the program was ended before it could say how far it came" + untold + left_unchecked(outcome);
    if (outcome.launches == 0) return "; it launched no kernel" + left_unchecked(outcome);
    const std::string equal =
        outcome.repeats == 0 ? "" : fmt::format(", {} of them equal to an earlier one", outcome.repeats);
    return fmt::format(" in {} of {}{}{}{}", counted(outcome.launches, "launch"), counted(outcome.kernels, "kernel"),
                       equal, outcome.interrupted ? ", until a further schedule was interrupted" : "",
                       left_unchecked(outcome));
}

/// Of a program that failed: that it may have looked at what nobody wrote. Nothing of others.
std::string of_fresh_copy(const WatchedOutcome& outcome) {
    if (outcome.status == 0 || outcome.interrupted || !outcome.copied_fresh) return "";
    const auto& copy = *outcome.copied_fresh;
    return fmt::format(
        "\n\n{}:{} copies bytes to the host that nobody wrote, the first of them byte {} of {}. `check` fills fresh "
        "memory "
        "with a pattern; `run` gives zeros, as a GPU does that nobody has used. Where the program failed for that: "
        "write "
        "them, or do not look at them.",
        copy.file, copy.line, copy.first, copy.bytes);
}

}  // namespace

std::string draw_check(const std::string& title, const WatchedOutcome& outcome, const Style& style) {
    Explanation about;
    about.findings = outcome.findings;
    std::string text = draw_findings(about, style);
    const std::size_t first = text.find('\n');
    text = fmt::format("{}: {}{}{}", paint(style, Ink::bold, title), text.substr(0, first), scope(outcome),
                       text.substr(first));
    while (text.ends_with('\n')) text.pop_back();
    return text + of_fresh_copy(outcome);
}

std::string check_to_json(const std::string& title, const WatchedOutcome& outcome) {
    Json json{
        {"schema", 1},
        {"program", title},
        {"status", outcome.status},
        {"ended", outcome.ended},
        {"interrupted", outcome.interrupted},
        {"untold", outcome.untold},
        {"launches", outcome.launches},
        {"repeats", outcome.repeats},
        {"kernels", outcome.kernels},
        {"copied_fresh", nullptr},
        {"unchecked",
         {{"launches", outcome.unchecked}, {"blocks", Json::array()}, {"schedules", outcome.schedules_cut_short}}},
        {"findings", Json::array()}};
    if (const auto& copy = outcome.copied_fresh)
        json["copied_fresh"] = {
            {"file", copy->file}, {"line", copy->line}, {"first", copy->first}, {"bytes", copy->bytes}};
    for (const auto& launch : outcome.cut_short)
        json["unchecked"]["blocks"].push_back(
            {{"kernel", launch.kernel}, {"unchecked", launch.left_out}, {"of", launch.blocks}});
    for (const Finding& finding : outcome.findings) json["findings"].push_back(finding_json(finding));
    return json_document(json);
}

}  // namespace lanework

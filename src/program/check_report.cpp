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

std::string scope(const WatchedOutcome& outcome) {
    if (outcome.interrupted && !outcome.ended) return " until it was interrupted";
    if (!outcome.ended) return "; the program was ended before it could say how far it came";
    if (outcome.launches == 0) return "; it launched no kernel";
    const std::string equal =
        outcome.repeats == 0 ? "" : fmt::format(", {} of them equal to an earlier one", outcome.repeats);
    return fmt::format(" in {} of {}{}{}", counted(outcome.launches, "launch"), counted(outcome.kernels, "kernel"),
                       equal, outcome.interrupted ? ", until a further schedule was interrupted" : "");
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
    return text;
}

std::string check_to_json(const std::string& title, const WatchedOutcome& outcome) {
    Json json{{"schema", 1},
              {"program", title},
              {"status", outcome.status},
              {"ended", outcome.ended},
              {"interrupted", outcome.interrupted},
              {"launches", outcome.launches},
              {"repeats", outcome.repeats},
              {"kernels", outcome.kernels},
              {"findings", Json::array()}};
    for (const Finding& finding : outcome.findings) json["findings"].push_back(finding_json(finding));
    return json_document(json);
}

}  // namespace lanework

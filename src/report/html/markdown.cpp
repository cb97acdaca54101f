// A report as Markdown: short enough for a comment, the most important first, the rest folded.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

#include "src/core/text.hpp"
#include "src/io/json.hpp"
#include "src/report/html/report.hpp"
#include "src/report/results/compare.hpp"
#include "src/report/results/results.hpp"

namespace lanework {
namespace {

constexpr std::size_t kMostFindings = 20;

/// Text of users as text: nothing in it is markup, a table's column or a mention of somebody.
std::string plain(std::string_view text) {
    std::string result;
    const auto is_word = [&](std::size_t at) {
        return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\n' || c == '\r') {
            result += ' ';
        } else if (c == '<') {
            result += "&lt;";
        } else if (c == '&') {
            result += "&amp;";
        } else {
            // Within a word a _ is no markup.
            const bool within = c == '_' && i > 0 && is_word(i - 1) && is_word(i + 1);
            if (!within && std::string_view("\\`*_{}[]>#~|").find(c) != std::string_view::npos) result += '\\';
            result += c;
            if (c == '@') result += "\u200b";
        }
    }
    return result;
}

/// Cells as text; a table's own bars are its writer's.
std::string table_of(Table table) {
    for (auto& row : table.rows)
        for (std::string& cell : row) cell = plain(cell);
    return to_markdown_as_is(table);
}

/// A part that is closed at first.
std::string folded(const std::string& title, const std::string& text) {
    return fmt::format("<details><summary>{}</summary>\n\n{}\n</details>\n\n", title, text);
}

std::string comparison_of(const Report& report) {
    if (!report.before) return {};
    const Results after = results_of(report);
    const std::vector<Comparison> all = compare(report.before->results, after, report.threshold);
    std::vector<Comparison> changed;
    std::ranges::copy_if(all, std::back_inserter(changed),
                         [](const Comparison& each) { return each.change != Change::same; });
    std::string text = fmt::format("**{}**, against {}: beyond {} and beyond the noise.\n\n", count_changes(all),
                                   plain(report.before->name), format_percent(report.threshold));
    if (!changed.empty()) text += table_of(comparison_table(changed)) + "\n";
    if (changed.size() < all.size()) text += folded("All that was compared", table_of(comparison_table(all)));
    return text;
}

std::string findings_of(const Report& report) {
    std::vector<std::string> wrong, slow;
    for (const std::string& each : report.explanations) {
        const Json result = Json::parse(each);
        const std::string rung = result.value("rung", ""), operation = result.value("operation", "");
        for (const Json& finding : result["findings"]) {
            const bool error = finding.value("severity", "") == "error";
            std::string place, rule = finding.value("rule", "");
            std::ranges::replace(rule, '_', ' ');
            if (const Json& at = finding["place"]; at.is_object())
                place = fmt::format(", {}:{}", plain(at.value("file", "")), at.value("line", 0));
            const std::string line =
                fmt::format("- {}**{}** in {}{}: {}. {}\n", error ? "❌ " : "", plain(rule),
                            plain(rung.empty() ? operation : operation + "/" + rung), place,
                            plain(finding.value("evidence", "")), plain(finding.value("remedy", "")));
            // Two accesses of a line of which the same is to be said.
            std::vector<std::string>& list = error ? wrong : slow;
            if (std::ranges::find(list, line) == list.end()) list.push_back(line);
        }
    }
    if (report.explanations.empty()) return {};
    const std::size_t errors = wrong.size(), count = errors + slow.size();
    std::ranges::move(slow, std::back_inserter(wrong));  // errors first
    std::string list;
    for (std::size_t i = 0; i < std::min(count, kMostFindings); ++i) list += wrong[i];
    if (count > kMostFindings) list += fmt::format("- and {} more\n", count - kMostFindings);
    const auto counted = [](std::size_t number, std::string_view thing) {
        return fmt::format("{} {}{}", number, thing, number == 1 ? "" : "s");
    };
    const std::string title = fmt::format(
        "{} explained without a GPU: {}{}", counted(report.explanations.size(), "kernel"), counted(count, "finding"),
        errors > 0 ? fmt::format(", {} of them {}", errors, errors == 1 ? "an error" : "errors") : "");
    if (count == 0) return title + ".\n\n";
    return errors > 0 ? fmt::format("**{}**\n\n{}\n", title, list) : folded(title, list);
}

std::string estimates_of(const Results& results) {
    Table table{.columns = {{"rung", {}}, {"problem", {}}, {"GPU", {}}, {"estimate", Align::right}, {"bound", {}}},
                .rows = {}};
    for (const Measurement& m : results.measurements)
        if (m.estimate && m.cold_s.empty())
            table.rows.push_back(
                {m.rung.empty() ? m.operation : m.operation + "/" + m.rung,
                 m.rung.empty() ? "" : fmt::format("{} {}", format_problem(m), name_of(m.problem.dtype)),
                 m.estimate->gpu, format_estimate_short(*m.estimate), m.estimate->bound});
    return table.rows.empty() ? "" : folded("Estimates for a GPU that is not here", table_of(table));
}

std::string measured_of(const Results& results) {
    std::vector<Measurement> measured;
    std::ranges::copy_if(results.measurements, std::back_inserter(measured), [](const Measurement& m) {
        return !m.cold_s.empty() || (!m.ok() && m.verdict != Verdict::refused);
    });
    if (measured.empty()) return {};
    return folded(fmt::format("{} results", measured.size()), table_of(bench_table(measured)));
}

std::string environment_of(const Report& report) {
    std::string text;
    for (const Fact& fact : results_of(report).environment)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", plain(fact.name), plain(fact.value));
    return text.empty() ? text : fmt::format("<sub>{}</sub>\n", text);
}

}  // namespace

std::string to_markdown(const Report& report) {
    const Results results = results_of(report);
    std::string text = fmt::format("### {}\n\n", plain(report.title));
    if (const Table wrong = failure_table(results.measurements); !wrong.rows.empty())
        text += "**Not right:**\n\n" + table_of(wrong) + "\n";
    return text + comparison_of(report) + findings_of(report) + estimates_of(results) + measured_of(results) +
           environment_of(report);
}

}  // namespace lanework

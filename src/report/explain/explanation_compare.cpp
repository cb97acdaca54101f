// Counters by name, findings by rule, lines by the text that both sources share.
#include "src/report/explain/explanation_compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "src/core/text.hpp"
#include "src/report/explain/explanation.hpp"
#include "src/report/explain/explanation_metrics.hpp"
#include "src/report/explain/line_counters.hpp"

namespace lanework {
namespace {

constexpr std::size_t kRatioColumn = 3;  // of counter_changes()

std::string arrow(const std::string& before, const std::string& after) {
    return before == after ? after : fmt::format("{} → {}", before.empty() ? "-" : before, after.empty() ? "-" : after);
}

std::string ratio_text(std::optional<double> before, std::optional<double> after) {
    if (!before || !after || *before == 0) return before == after ? "same" : "";
    return *before == *after ? "same" : fmt::format("×{}", format_ratio(*after / *before));
}

struct TextLine {
    LineCounters counters;
    /// Without the white space around it; the place where there is no text.
    std::string text;
};

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(" \t");
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

std::vector<TextLine> counted_lines(const Explanation& explanation, SourceText& sources) {
    std::vector<TextLine> lines;
    for (LineCounters& line : lines_of(explanation.kernels, explanation.file)) {
        const auto text = sources.line(line.file, line.line);
        lines.push_back({line, text ? trimmed(*text) : fmt::format("{}:{}", line.file, line.line)});
    }
    return lines;
}

struct Match {
    const TextLine* before;
    const TextLine* after;
};

// The longest common subsequence of the texts, and what stands between its members.
std::vector<Match> align(const std::vector<TextLine>& before, const std::vector<TextLine>& after) {
    const std::size_t rows = before.size(), columns = after.size();
    std::vector<std::vector<std::size_t>> common(rows + 1, std::vector<std::size_t>(columns + 1, 0));
    for (std::size_t i = rows; i-- > 0;)
        for (std::size_t j = columns; j-- > 0;)
            common[i][j] = before[i].text == after[j].text ? common[i + 1][j + 1] + 1
                                                           : std::max(common[i + 1][j], common[i][j + 1]);
    std::vector<Match> matches;
    for (std::size_t i = 0, j = 0; i < rows || j < columns;) {
        if (i < rows && j < columns && before[i].text == after[j].text)
            matches.push_back({&before[i++], &after[j++]});
        else if (i < rows && (j == columns || common[i + 1][j] >= common[i][j + 1]))
            matches.push_back({&before[i++], nullptr});
        else
            matches.push_back({nullptr, &after[j++]});
    }
    return matches;
}

// What the comparison says about an access or the branches of a line; "each" is counted in `unit`.
struct Cells {
    std::string what, requests, each;
    std::string_view unit;

    bool operator==(const Cells&) const = default;
};

std::vector<Cells> cells_of(const TextLine* line) {
    std::vector<Cells> all;
    if (!line) return all;
    for (const LineAccess& access : line->counters.accesses)
        all.push_back({access.name(), fmt::format("{}", access.requests()),
                       access.unit().empty() ? "" : format_ratio(per(access.cost(), access.requests())),
                       access.unit()});
    const BranchCounters& branch = line->counters.branch;
    if (branch.divergent != 0)
        all.push_back({"branch", fmt::format("{}", branch.branches),
                       format_percent(per(branch.divergent, branch.branches)), "divergent"});
    return all;
}

struct CellsPair {
    Cells before, after;

    const Cells& either() const { return after.what.empty() ? before : after; }
};

// What differs, matched by what it is; those of `after` first.
std::vector<CellsPair> changes(const std::vector<Cells>& before, const std::vector<Cells>& after) {
    const auto named = [](const std::vector<Cells>& all, const std::string& what) {
        const auto found = std::find_if(all.begin(), all.end(), [&](const Cells& cells) { return cells.what == what; });
        return found == all.end() ? Cells{} : *found;
    };
    std::vector<CellsPair> pairs;
    for (const Cells& cells : after)
        if (const Cells old = named(before, cells.what); !(old == cells)) pairs.push_back({old, cells});
    for (const Cells& cells : before)
        if (named(after, cells.what).what.empty()) pairs.push_back({cells, {}});
    return pairs;
}

std::string number_of(const TextLine* line) { return line ? fmt::format("{}", line->counters.line) : ""; }

void add_rows(Table& table, const Match& match) {
    const bool both = match.before && match.after;
    const auto text = [&](const CellsPair& pair, auto member) {
        return both ? arrow(pair.before.*member, pair.after.*member) : pair.either().*member;
    };
    std::vector<std::string> line{!match.before  ? "+"
                                  : !match.after ? "−"
                                                 : " ",
                                  number_of(match.before), number_of(match.after)};
    std::string source = match.after ? match.after->text : match.before->text;
    for (const CellsPair& pair : changes(cells_of(match.before), cells_of(match.after))) {
        auto row = std::exchange(line, std::vector<std::string>(3));
        row.push_back(pair.either().what);
        row.push_back(text(pair, &Cells::requests));
        row.push_back(text(pair, &Cells::each));
        row.emplace_back(pair.either().unit);
        row.push_back(std::exchange(source, ""));
        table.rows.push_back(std::move(row));
    }
}

std::string finding_line(const FindingPair& pair, const Style& style) {
    const Finding& finding = pair.after ? *pair.after : *pair.before;
    constexpr std::string_view words[] = {"gone", "new", "stays"};
    const Ink ink = pair.change == FindingChange::gone       ? Ink::good
                    : pair.change == FindingChange::appeared ? Ink::bad
                                                             : Ink::fair;
    std::string text = pad_right(paint(style, ink, words[static_cast<int>(pair.change)]), 5) + "  " +
                       paint(style, Ink::bold, name_of(finding.rule));
    if (const std::string place = format_place(finding.place); !place.empty()) text += "  " + place;
    std::string evidence = finding.evidence;
    if (pair.change == FindingChange::stayed && pair.before->evidence != evidence)
        evidence = fmt::format("before: {}; now: {}", pair.before->evidence, evidence);
    const std::string indent(7, ' ');
    const auto width = static_cast<std::size_t>(style.width);
    for (const std::string& line : wrap(evidence, width > indent.size() ? width - indent.size() : width))
        text += "\n" + indent + line;
    return text + "\n";
}

}  // namespace

Table counter_changes(const Explanation& before, const Explanation& after, const Capability& sm) {
    Table table{{{"metric"}, {"before", Align::right}, {"after", Align::right}, {"ratio", Align::right}, {"trust"}},
                {}};
    const MetricInputs totals[] = {total_inputs(before, sm), total_inputs(after, sm)};
    const bool one_launch = before.kernels.size() == 1 && after.kernels.size() == 1;
    for (const Metric* metric : telling_metrics(totals)) {
        if (!one_launch && metric->name.starts_with("launch__")) continue;  // of one launch, not of their sum
        const auto old = predicted(*metric, totals[0]), now = predicted(*metric, totals[1]);
        table.rows.push_back({std::string(metric->name), format_metric(*metric, old), format_metric(*metric, now),
                              ratio_text(old, now), std::string(name_of(trust_of(*metric, totals)))});
    }
    return table;
}

std::vector<FindingPair> finding_changes(const Explanation& before, const Explanation& after) {
    std::vector<const Finding*> left;
    for (const Finding& finding : before.findings) left.push_back(&finding);
    std::vector<FindingPair> pairs;
    for (const Finding& finding : after.findings) {
        const auto match =
            std::find_if(left.begin(), left.end(), [&](const Finding* other) { return other->rule == finding.rule; });
        const Finding* old = match == left.end() ? nullptr : *match;
        if (old) left.erase(match);
        pairs.push_back({old ? FindingChange::stayed : FindingChange::appeared, old, &finding});
    }
    std::stable_partition(pairs.begin(), pairs.end(),
                          [](const FindingPair& pair) { return pair.change == FindingChange::appeared; });
    for (const Finding* finding : left) pairs.push_back({FindingChange::gone, finding, nullptr});
    return pairs;
}

Table line_changes(const Explanation& before, const Explanation& after, SourceText& sources) {
    Table table{{{""},
                 {"before", Align::right},
                 {"after", Align::right},
                 {"access"},
                 {"requests", Align::right},
                 {"each", Align::right},
                 {""},
                 {"source", Align::left, true}},
                {}};
    const auto old = counted_lines(before, sources), now = counted_lines(after, sources);
    for (const Match& match : align(old, now)) add_rows(table, match);
    return table;
}

std::string draw_comparison(const Explanation& before, const Explanation& after, const Capability& sm,
                            SourceText& sources, const Style& style, const std::string& verdicts) {
    std::string text = paragraph(style, Ink::plain,
                                 fmt::format("{} → {}", paint(style, Ink::bold, title_of(before)),
                                             paint(style, Ink::bold, title_of(after)))) +
                       (verdicts.empty() ? "" : paragraph(style, Ink::accent, verdicts)) + "\n";
    const auto findings = finding_changes(before, after);
    for (const FindingPair& pair : findings) text += finding_line(pair, style);
    text += findings.empty() ? "Neither has findings.\n\n" : "\n";
    const Table lines = line_changes(before, after, sources);
    text += lines.rows.empty() ? "Every line counts the same.\n\n" : draw(lines, style) + "\n";
    Table counters = counter_changes(before, after, sm);
    if (style.verbose) return text + draw(counters, style);
    const auto same = std::erase_if(counters.rows, [](const auto& row) { return row[kRatioColumn] == "same"; });
    if (!counters.rows.empty()) text += draw(counters, style);
    return same == 0 ? text
                     : text + paragraph(style, Ink::dim,
                                        fmt::format("{} counter{} the same; --verbose shows all.", same,
                                                    same == 1 ? " is" : "s are"));
}

}  // namespace lanework

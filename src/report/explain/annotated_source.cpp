// Columns of counters, then the line as it is written.
#include "src/report/explain/annotated_source.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "src/core/text.hpp"

namespace lanework {
namespace {

constexpr std::size_t kGap = 2, kLineColumns = 5, kMarkColumns = 5;
// Where less is left of a line, its code stands above its counters.
constexpr std::size_t kLeastSourceColumns = 50;
// Lines without counters between two that have some are shown up to this number.
constexpr int kQuietLines = 6;

// "[1]" for each finding about the line.
std::string marks_of(const Explanation& explanation, const LineCounters& line) {
    std::string marks;
    for (std::size_t i = 0; i < explanation.findings.size(); ++i)
        if (line.line != 0 && explanation.findings[i].is_at(line.file, line.line)) marks += fmt::format("[{}]", i + 1);
    return marks;
}

class Annotation {
public:
    Annotation(const Explanation& explanation, SourceText& sources, const Style& style)
        : explanation_(explanation),
          sources_(sources),
          style_(style),
          lines_(lines_of(explanation.kernels, explanation.file, explanation.findings)),
          columns_(lines_),
          marks_(kMarkColumns) {
        for (const LineCounters& line : lines_) marks_ = std::max(marks_, marks_of(explanation, line).size());
        const auto width = static_cast<std::size_t>(style.width);
        above_ = width != 0 && width < indent() + columns_.width() + kLeastSourceColumns;
    }

    std::string draw() const {
        std::string text;
        for (std::size_t first = 0, end = 0; first < lines_.size(); first = end) {
            while (end < lines_.size() && lines_[end].file == lines_[first].file) ++end;
            text += draw_file({lines_.data() + first, end - first});
        }
        return text;
    }

private:
    std::string draw_file(std::span<const LineCounters> lines) const {
        const std::string& file = lines.front().file;
        const bool known = lines.front().line != 0;
        std::string text = "\n" + paint(style_, Ink::bold, known ? file : "Code of which no line is known");
        if (known && !sources_.has(file)) text += "  (its text is not here)";
        text +=
            "\n" +
            paint(style_, Ink::dim, pad_left("line", marks_ + kLineColumns) + "  " + columns_.titles(style_, !above_)) +
            "\n";
        int before = 0;
        for (const LineCounters& line : lines) {
            if (before != 0) text += between(file, before + 1, line.line);
            text += draw_line(line);
            before = line.line;
        }
        return text;
    }

    // Lines that no site names.
    std::string between(const std::string& file, int first, int end) const {
        if (!sources_.has(file)) return {};
        if (end - first > kQuietLines) return std::string(marks_ + kLineColumns - 1, ' ') + "…\n";
        std::string text;
        for (int line = first; line < end; ++line)
            text += above_ ? code("", file, line) : numbered("", line, columns_.blank(), source(file, line));
        return text;
    }

    std::size_t indent() const { return marks_ + kLineColumns + 2; }

    std::string draw_line(const LineCounters& line) const {
        std::string text;
        if (above_) {
            text = code(marks_of(explanation_, line), line.file, line.line);
            for (const std::string& row : columns_.rows(line, style_))
                if (row.find_first_not_of(' ') != row.npos) text += numbered("", 0, row, "");
            return text;
        }
        for (const std::string& row : columns_.rows(line, style_))
            text += text.empty() ? numbered(marks_of(explanation_, line), line.line, row, source(line.file, line.line))
                                 : numbered("", 0, row, "");
        return text;
    }

    std::string numbered(const std::string& marks, int line, const std::string& row, const std::string& source) const {
        std::string text = paint(style_, Ink::accent, pad_right(marks, marks_)) +
                           pad_left(line == 0 ? "" : fmt::format("{}", line), kLineColumns) + "  " + row + source;
        text.erase(text.find_last_not_of(' ') + 1);
        return text + "\n";
    }

    std::string source(const std::string& file, int line) const {
        const auto text = sources_.line(file, line);
        if (!text || style_.width == 0) return text.value_or("");
        return shorten(*text, static_cast<std::size_t>(style_.width) - indent() - columns_.width());
    }

    // A line of code by itself; what does not fit goes on below, set in as it is and by two more.
    std::string code(const std::string& marks, const std::string& file, int line) const {
        const std::string text = sources_.line(file, line).value_or("");
        const std::string lead(text, 0, text.find_first_not_of(" \t") == text.npos ? 0 : text.find_first_not_of(" \t"));
        const auto width = static_cast<std::size_t>(style_.width);
        const std::size_t room = std::max(kLeastSourceColumns, width > indent() ? width - indent() : 0);
        if (display_width(text) <= room) return numbered(marks, line, "", text);
        std::string drawn;
        for (const std::string& piece : wrap(text.substr(lead.size()), room - std::min(room / 2, lead.size() + 2)))
            drawn += drawn.empty() ? numbered(marks, line, lead, piece) : numbered("", 0, lead + "  ", piece);
        return drawn;
    }

    const Explanation& explanation_;
    SourceText& sources_;
    const Style& style_;
    std::vector<LineCounters> lines_;
    CounterColumns columns_;
    std::size_t marks_;
    bool above_ = false;
};

}  // namespace

Ink ink_of_excess(double factor) {
    return factor <= 1.01 ? Ink::good : factor < 2 ? Ink::fair : factor < 4 ? Ink::poor : Ink::bad;
}

std::vector<CounterColumns::Cells> CounterColumns::cells_of(const LineCounters& line) {
    std::vector<Cells> all;
    for (const LineAccess& access : line.accesses) {
        Cells cells{access.name(), fmt::format("{}", access.requests()), "", "", "", Ink::plain};
        if (access.lanes() != 0) cells.lanes = format_ratio(per(access.lanes(), access.requests()));
        if (!access.unit().empty()) {
            cells.cost = format_ratio(per(access.cost(), access.requests()));
            cells.ideal = format_ratio(per(access.ideal(), access.requests()));
            cells.ink = ink_of_excess(per(access.cost(), access.ideal()));
        }
        all.push_back(cells);
        if (access.global.requests == 0 || (access.kind != EventKind::atomic && access.kind != EventKind::reduction))
            continue;
        all.push_back({"  addresses", "", format_ratio(per(access.global.distinct_addresses, access.requests())),
                       cells.lanes, "", ink_of_excess(per(access.lanes(), access.global.distinct_addresses))});
    }
    const BranchCounters& branch = line.branch;
    if (branch.divergent != 0)
        all.push_back({"branch", fmt::format("{}", branch.branches),
                       format_percent(per(branch.divergent, branch.branches)), "0%",
                       format_ratio(per(branch.lanes, branch.entries)), Ink::fair});
    return all;
}

CounterColumns::CounterColumns(std::span<const LineCounters> lines)
    : titles_{"access", "requests", "each", "ideal", "lanes", Ink::plain},
      what_(titles_.what.size()),
      requests_(titles_.requests.size()),
      cost_(titles_.cost.size()),
      ideal_(titles_.ideal.size()),
      lanes_(titles_.lanes.size()) {
    for (const LineCounters& line : lines)
        for (const Cells& cells : cells_of(line)) {
            what_ = std::max(what_, cells.what.size());
            requests_ = std::max(requests_, cells.requests.size());
            cost_ = std::max(cost_, cells.cost.size());
            ideal_ = std::max(ideal_, cells.ideal.size());
            lanes_ = std::max(lanes_, cells.lanes.size());
        }
}

std::size_t CounterColumns::width() const { return what_ + requests_ + cost_ + ideal_ + lanes_ + 5 * kGap; }

std::string CounterColumns::row(const Cells& cells, const Style& style) const {
    const std::string gap(kGap, ' ');
    return pad_right(cells.what, what_) + gap + pad_left(cells.requests, requests_) + gap +
           paint(style, cells.cost.empty() ? Ink::plain : cells.ink, pad_left(cells.cost, cost_)) + gap +
           pad_left(cells.ideal, ideal_) + gap + pad_left(cells.lanes, lanes_) + gap;
}

std::string CounterColumns::titles(const Style& style, bool with_source) const {
    std::string text = row(titles_, style);
    if (with_source) return text + "source";
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
}

std::vector<std::string> CounterColumns::rows(const LineCounters& line, const Style& style) const {
    std::vector<std::string> rows;
    for (const Cells& cells : cells_of(line)) rows.push_back(row(cells, style));
    if (rows.empty()) rows.push_back(blank());
    return rows;
}

std::string draw_annotated_source(const Explanation& explanation, SourceText& sources, const Style& style) {
    const std::string text = Annotation(explanation, sources, style).draw();
    if (text.empty()) return {};
    constexpr std::string_view kLegend =
        "each: sectors of 32 bytes per request to global memory, wavefronts per request to shared memory, addresses "
        "per request to constant memory and per atomic; of branches, those whose lanes part. ideal: the least that "
        "would do; for atomics, an address for each lane. lanes: of 32, those that take part.";
    return paragraph(style, Ink::dim, kLegend) + text;
}

}  // namespace lanework

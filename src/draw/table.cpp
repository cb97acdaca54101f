// Lays out a table of text.
#include "src/draw/table.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace lanework {
namespace {

constexpr std::size_t kGap = 2;
// A column of prose is never narrower than this or than its text, nor one that is cut than this.
constexpr std::size_t kNarrowestText = 24, kNarrowestCut = 16;
constexpr std::size_t kIndent = 2;

using Widths = std::vector<std::size_t>;

Widths natural_widths(const Table& table) {
    Widths widths;
    for (const Column& column : table.columns) widths.push_back(display_width(column.title));
    for (const auto& row : table.rows)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
    return widths;
}

std::size_t total(const Widths& widths) {
    return std::accumulate(widths.begin(), widths.end(), kGap * (widths.empty() ? 0 : widths.size() - 1));
}

std::size_t longest_word(std::string_view text) {
    std::size_t longest = 0;
    for (const std::string& word : wrap(text, 1)) longest = std::max(longest, display_width(word));
    return longest;
}

// Titles are broken between words, and so are texts; figures are not.
std::size_t least_width(const Table& table, std::size_t i) {
    const Column& column = table.columns[i];
    std::size_t least = longest_word(column.title), text = 0;
    for (const auto& row : table.rows) {
        text = std::max(text, display_width(row[i]));
        if (column.cut) continue;
        least = std::max(least, column.align == Align::right || i == 0 ? display_width(row[i]) : longest_word(row[i]));
    }
    if (column.align == Align::right || i == 0) return least;
    return std::max(least, std::min(text, column.cut ? kNarrowestCut : kNarrowestText));
}

// Takes columns from the widest until the table fits; none where it cannot.
std::optional<Widths> fitted_widths(const Table& table, std::size_t bound) {
    Widths widths = natural_widths(table), least;
    for (std::size_t i = 0; i < widths.size(); ++i) least.push_back(least_width(table, i));
    for (std::size_t now = total(widths); now > bound; --now) {
        std::size_t widest = widths.size();
        for (std::size_t i = 0; i < widths.size(); ++i)
            if (widths[i] > least[i] && (widest == widths.size() || widths[i] >= widths[widest])) widest = i;
        if (widest == widths.size()) return std::nullopt;
        --widths[widest];
    }
    return widths;
}

std::string aligned(std::string_view text, Align align, std::size_t width) {
    return align == Align::left ? pad_right(text, width) : pad_left(text, width);
}

void trim_end(std::string& line) { line.erase(line.find_last_not_of(' ') + 1); }

using Lines = std::vector<std::string>;

// Cells of several lines beside each other; titles stand on the last line, cells begin on the first.
std::string drawn_row(const Table& table, const std::vector<Lines>& cells, const Widths& widths, bool titles) {
    std::size_t height = 0;
    for (const Lines& lines : cells) height = std::max(height, lines.size());
    std::string text;
    for (std::size_t at = 0; at < height; ++at) {
        std::string line;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const std::size_t skipped = titles ? height - cells[i].size() : 0;
            const bool here = at >= skipped && at - skipped < cells[i].size();
            line += aligned(here ? cells[i][at - skipped] : "", table.columns[i].align, widths[i]);
            if (i + 1 < cells.size()) line += std::string(kGap, ' ');
        }
        trim_end(line);
        text += line + "\n";
    }
    return text;
}

std::string drawn(const Table& table, const Widths& widths, const Style& style) {
    std::vector<Lines> cells;
    for (std::size_t i = 0; i < widths.size(); ++i)
        cells.push_back(display_width(table.columns[i].title) <= widths[i] ? Lines{table.columns[i].title}
                                                                           : wrap(table.columns[i].title, widths[i]));
    std::string text;
    const std::string titles = drawn_row(table, cells, widths, true);
    for (std::size_t at = 0, end = 0; at < titles.size(); at = end + 1) {
        end = titles.find('\n', at);
        text += paint(style, Ink::dim, std::string_view(titles).substr(at, end - at)) + "\n";
    }
    for (const auto& row : table.rows) {
        for (std::size_t i = 0; i < row.size(); ++i)
            cells[i] = display_width(row[i]) <= widths[i] ? Lines{row[i]}
                       : table.columns[i].cut             ? Lines{shorten_at_word(row[i], widths[i])}
                                                          : wrap(row[i], widths[i]);
        text += drawn_row(table, cells, widths, false);
    }
    return text;
}

// Whether each row says the same of a text.
bool is_alike(const Table& table, std::size_t i) {
    const Column& column = table.columns[i];
    if (i == 0 || table.rows.size() < 2 || column.align == Align::right || column.cut || column.title.empty())
        return false;
    return std::ranges::all_of(table.rows, [&](const auto& row) { return row[i] == table.rows.front()[i]; });
}

// Whether no row says anything.
bool is_empty(const Table& table, std::size_t i) {
    return i > 0 && !table.rows.empty() &&
           std::ranges::all_of(table.rows, [&](const auto& row) { return row[i].empty() || row[i] == "-"; });
}

struct Parted {
    /// "device simt, type int32": what every row says.
    std::string alike;
    Table rest;
};

Parted part(const Table& table) {
    Parted parted;
    parted.rest.rows.resize(table.rows.size());
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (is_empty(table, i)) continue;
        if (is_alike(table, i)) {
            const std::string& cell = table.rows.front()[i];
            parted.alike += (parted.alike.empty() ? "" : ", ") + table.columns[i].title + " " + cell;
            continue;
        }
        parted.rest.columns.push_back(table.columns[i]);
        for (std::size_t row = 0; row < table.rows.size(); ++row) parted.rest.rows[row].push_back(table.rows[row][i]);
    }
    return parted;
}

// Each row below its first cell: "title cell", as many to a line as fit.
std::string stacked(const Table& table, std::size_t bound, const Style& style) {
    std::string text;
    for (const auto& row : table.rows) {
        text += paint(style, Ink::bold, row.front()) + "\n";
        std::string line;
        const auto end_line = [&] {
            if (!line.empty()) text += std::string(kIndent, ' ') + line + "\n";
            line.clear();
        };
        for (std::size_t i = 1; i < row.size(); ++i) {
            if (row[i].empty() || row[i] == "-") continue;
            const std::string& title = table.columns[i].title;
            const std::string pair = title + (title.empty() ? "" : " ") + row[i];
            if (!line.empty() && kIndent + display_width(line) + kGap + display_width(pair) > bound) end_line();
            const Lines lines = wrap(pair, bound > 2 * kIndent ? bound - 2 * kIndent : 1);
            if (lines.size() == 1) {
                line += (line.empty() ? "" : std::string(kGap, ' ')) + pair;
                continue;
            }
            for (std::size_t at = 0; at < lines.size(); ++at)
                text += std::string(at == 0 ? kIndent : 2 * kIndent, ' ') + lines[at] + "\n";
        }
        end_line();
    }
    return text;
}

std::string markdown_cell(std::string_view text) {
    std::string escaped;
    for (const char byte : text) {
        if (byte == '|' || byte == '\\') escaped += '\\';
        escaped += byte == '\n' ? ' ' : byte;
    }
    return escaped;
}

std::string csv_cell(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
    std::string quoted = "\"";
    for (const char byte : text) {
        if (byte == '"') quoted += '"';
        quoted += byte;
    }
    return quoted + "\"";
}

template <class Cell>
std::string joined(const std::vector<std::string>& cells, std::string_view between, Cell cell) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) line.append(i ? between : "").append(cell(cells[i]));
    return line;
}

std::vector<std::string> titles_of(const Table& table) {
    std::vector<std::string> titles;
    for (const Column& column : table.columns) titles.push_back(column.title);
    return titles;
}

}  // namespace

std::string draw(const Table& table, const Style& style) {
    const auto bound = static_cast<std::size_t>(style.width);
    const Widths natural = natural_widths(table);
    if (bound == 0 || total(natural) <= bound) return drawn(table, natural, style);
    const Parted parted = part(table);
    const std::string alike = parted.alike.empty() ? "" : paragraph(style, Ink::dim, parted.alike);
    if (const auto widths = fitted_widths(parted.rest, bound)) return alike + drawn(parted.rest, *widths, style);
    return alike + stacked(parted.rest, bound, style);
}

std::string to_markdown_as_is(const Table& table) {
    const auto as_is = [](std::string_view cell) { return std::string(cell); };
    std::string text = "| " + joined(titles_of(table), " | ", as_is) + " |\n|";
    for (const Column& column : table.columns) text += column.align == Align::left ? "---|" : "--:|";
    text += "\n";
    for (const auto& row : table.rows) text += "| " + joined(row, " | ", as_is) + " |\n";
    return text;
}

std::string to_markdown(const Table& table) {
    Table escaped = table;
    for (Column& column : escaped.columns) column.title = markdown_cell(column.title);
    for (auto& row : escaped.rows)
        for (std::string& cell : row) cell = markdown_cell(cell);
    return to_markdown_as_is(escaped);
}

std::string to_csv(const Table& table) {
    std::string text = joined(titles_of(table), ",", csv_cell) + "\n";
    for (const auto& row : table.rows) text += joined(row, ",", csv_cell) + "\n";
    return text;
}

}  // namespace lanework

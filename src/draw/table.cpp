// Lays out a table of text.
#include "src/draw/table.hpp"

#include <algorithm>
#include <numeric>

namespace lanework {
namespace {

constexpr std::size_t kGap = 2;
// A wrapped column is never narrower, however narrow the terminal.
constexpr std::size_t kNarrowest = 24;

std::vector<std::size_t> widths_of(const Table& table) {
    std::vector<std::size_t> widths;
    for (const Column& column : table.columns) widths.push_back(display_width(column.title));
    for (const auto& row : table.rows)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
    return widths;
}

std::string aligned(std::string_view text, Align align, std::size_t width) {
    return align == Align::left ? pad_right(text, width) : pad_left(text, width);
}

void trim_end(std::string& line) { line.erase(line.find_last_not_of(' ') + 1); }

// Columns before the last one, with their gaps.
std::size_t indent_of_last(const std::vector<std::size_t>& widths) {
    return std::accumulate(widths.begin(), widths.end() - 1, kGap * (widths.size() - 1));
}

std::vector<std::string> lines_of_last(const Table& table, const std::string& cell,
                                       const std::vector<std::size_t>& widths, const Style& style) {
    const auto bound = static_cast<std::size_t>(style.width);
    const std::size_t indent = indent_of_last(widths);
    if (bound == 0 || table.columns.back().align == Align::right || indent + display_width(cell) <= bound)
        return {cell};
    return wrap(cell, std::max(kNarrowest, bound > indent ? bound - indent : 0));
}

std::string drawn_row(const Table& table, const std::vector<std::string>& row, const std::vector<std::size_t>& widths,
                      const Style& style) {
    std::string text;
    for (std::size_t i = 0; i + 1 < row.size(); ++i)
        text += aligned(row[i], table.columns[i].align, widths[i]) + std::string(kGap, ' ');
    const auto lines = lines_of_last(table, row.back(), widths, style);
    text += aligned(lines.front(), table.columns.back().align, lines.size() > 1 ? 0 : widths.back());
    trim_end(text);
    for (std::size_t i = 1; i < lines.size(); ++i) text += "\n" + std::string(indent_of_last(widths), ' ') + lines[i];
    return text + "\n";
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
    const auto widths = widths_of(table);
    const std::string header = drawn_row(table, titles_of(table), widths, style);
    std::string text = paint(style, Ink::dim, std::string_view(header).substr(0, header.size() - 1)) + "\n";
    for (const auto& row : table.rows) text += drawn_row(table, row, widths, style);
    return text;
}

std::string to_markdown(const Table& table) {
    std::string text = "| " + joined(titles_of(table), " | ", markdown_cell) + " |\n|";
    for (const Column& column : table.columns) text += column.align == Align::left ? "---|" : "--:|";
    text += "\n";
    for (const auto& row : table.rows) text += "| " + joined(row, " | ", markdown_cell) + " |\n";
    return text;
}

std::string to_csv(const Table& table) {
    std::string text = joined(titles_of(table), ",", csv_cell) + "\n";
    for (const auto& row : table.rows) text += joined(row, ",", csv_cell) + "\n";
    return text;
}

}  // namespace lanework

// A table of text, and its three forms: aligned columns, Markdown, CSV.
#pragma once

#include "src/draw/style.hpp"

namespace lanework {

enum class Align { left, right };

struct Column {
    std::string title;
    Align align = Align::left;
    /// Cut where it does not fit, never broken: a line of code, or what is to take one line.
    bool cut = false;
};

struct Table {
    std::vector<Column> columns;
    /// As many cells in each row as there are columns.
    std::vector<std::vector<std::string>> rows;
};

/// Aligned columns under their titles. Where the style is narrower: columns that say nothing are left out, texts that
/// every row has alike are said once above, texts and titles are broken between words, and where that is not enough
/// each row is a few lines of its own.
std::string draw(const Table& table, const Style& style);
std::string to_markdown(const Table& table);
/// The same where cells are Markdown already, in which a | is escaped.
std::string to_markdown_as_is(const Table& table);
/// RFC 4180, with a header line and "\n" between records.
std::string to_csv(const Table& table);

}  // namespace lanework

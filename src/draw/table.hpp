// A table of text, and its three forms: aligned columns, Markdown, CSV.
#pragma once

#include "src/draw/style.hpp"

namespace lanework {

enum class Align { left, right };

struct Column {
    std::string title;
    Align align = Align::left;
};

struct Table {
    std::vector<Column> columns;
    /// As many cells in each row as there are columns.
    std::vector<std::vector<std::string>> rows;
};

/// Aligned columns under their titles; a last column that is aligned left is wrapped to the style's width.
std::string draw(const Table& table, const Style& style);
std::string to_markdown(const Table& table);
/// RFC 4180, with a header line and "\n" between records.
std::string to_csv(const Table& table);

}  // namespace lanework

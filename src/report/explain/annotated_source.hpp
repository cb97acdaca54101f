// The source of a kernel with counters beside the lines that cause them.
#pragma once

#include "src/draw/style.hpp"
#include "src/report/explain/line_counters.hpp"
#include "src/report/explain/source_text.hpp"

namespace lanework {

/// File by file, from the first line of which something is known to the last; long stretches without counters are left
/// out. A line carries the numbers of the findings about it, counted from 1. Lines whose text is not found stand alone.
std::string draw_annotated_source(const Explanation& explanation, SourceText& sources, const Style& style);

/// The counters beside a line, in columns; they are as wide as the widest of all lines.
class CounterColumns {
public:
    explicit CounterColumns(std::span<const LineCounters> lines);

    std::string titles(const Style& style, bool with_source) const;
    /// One row for each kind of access, and one for branches that diverge; at least one.
    std::vector<std::string> rows(const LineCounters& line, const Style& style) const;
    std::string blank() const { return std::string(width(), ' '); }
    std::size_t width() const;

private:
    struct Cells {
        std::string what, requests, cost, ideal, lanes;
        Ink ink = Ink::plain;
    };
    static std::vector<Cells> cells_of(const LineCounters& line);
    std::string row(const Cells& cells, const Style& style) const;

    Cells titles_;
    std::size_t what_, requests_, cost_, ideal_, lanes_;
};

/// How bad it is to need `factor` times the least.
Ink ink_of_excess(double factor);

}  // namespace lanework

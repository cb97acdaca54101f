// CSV (RFC 4180) with a line of names, a line of units, then one line a launch: the launch's own columns first, then
// the metrics.
#include "src/profile/nsight_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <lanework/error.hpp>

#include "src/cuda/nvtx_range.hpp"

namespace lanework {
namespace {

using Record = std::vector<std::string>;

// One record from the front of the text, which moves behind it. Fields may hold line ends within quotes.
Record take_record(std::string_view& text) {
    Record record(1);
    bool quoted = false;
    std::size_t at = 0;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '"' && quoted && at + 1 < text.size() && text[at + 1] == '"') {
            record.back() += '"';
            ++at;
        } else if (c == '"') {
            quoted = !quoted;
        } else if (c == ',' && !quoted) {
            record.emplace_back();
        } else if (c == '\n' && !quoted) {
            break;
        } else if (c != '\r' || quoted) {
            record.back() += c;
        }
    }
    text.remove_prefix(std::min(at + 1, text.size()));
    return record;
}

// The text from the line of names on; empty when there is none.
std::string_view table_of(std::string_view text) {
    constexpr std::string_view kStart = "\"ID\",";
    if (text.starts_with(kStart)) return text;
    const auto at = text.find(fmt::format("\n{}", kStart));
    return at == text.npos ? std::string_view() : text.substr(at + 1);
}

std::size_t column(const Record& names, std::string_view name) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) throw FileError(fmt::format("Nsight Compute's table has no column \"{}\"", name));
    return static_cast<std::size_t>(found - names.begin());
}

// "1,205.50" → 1205.5; nothing for "n/a" and other words.
std::optional<double> number(std::string text) {
    std::erase(text, ',');
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && stopped == end && !text.empty() ? std::optional(value) : std::nullopt;
}

// "(32, 8, 1)" → {32, 8, 1}.
std::array<unsigned, 3> dimensions(std::string_view text) {
    std::array<unsigned, 3> result{1, 1, 1};
    std::size_t axis = 0;
    for (std::size_t at = 0; at < text.size() && axis < result.size();) {
        const auto [stopped, error] = std::from_chars(text.data() + at, text.data() + text.size(), result[axis]);
        axis += error == std::errc();
        at = error == std::errc() ? static_cast<std::size_t>(stopped - text.data()) : at + 1;
    }
    if (axis != result.size())
        throw FileError(fmt::format("Nsight Compute's table has a size \"{}\" where (x, y, z) is right", text));
    return result;
}

// From `1 "lanework:transpose/naive 64x64 int32:none:none:…"`, a cell that lists the ranges from the outermost on.
std::string range_in(std::string_view cell) {
    const std::string mark = fmt::format("{}:", kNvtxDomain);
    const auto at = cell.rfind(mark);
    if (at == cell.npos) return {};
    cell.remove_prefix(at + mark.size());
    return std::string(cell.substr(0, cell.find_first_of(":\"")));
}

struct Columns {
    std::size_t kernel, grid, block, first_metric;
    std::vector<std::size_t> ranges;
};

Columns columns_of(const Record& names) {
    Columns columns{column(names, "Kernel Name"), column(names, "Grid Size"), column(names, "Block Size"), 0, {}};
    columns.first_metric = std::max({columns.kernel, columns.grid, columns.block}) + 1;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i].find("Push/Pop_Range") != std::string::npos) columns.ranges.push_back(i);
        if (names[i] == "Device" || names[i] == "CC") columns.first_metric = std::max(columns.first_metric, i + 1);
    }
    return columns;
}

NsightRow row_of(const Record& record, const Columns& columns) {
    NsightRow row{record[columns.kernel], dimensions(record[columns.grid]), dimensions(record[columns.block]), {}, {}};
    for (const std::size_t at : columns.ranges)
        if (row.range.empty()) row.range = range_in(record[at]);
    for (std::size_t i = columns.first_metric; i < record.size(); ++i) row.values.push_back(number(record[i]));
    return row;
}

}  // namespace

NsightTable parse_nsight_csv(std::string_view text) {
    NsightTable table;
    text = table_of(text);
    if (text.empty()) return table;
    const Record names = take_record(text);
    const Columns columns = columns_of(names);
    table.metrics.assign(names.begin() + static_cast<std::ptrdiff_t>(columns.first_metric), names.end());
    take_record(text);  // units
    while (text.starts_with('"')) {
        const Record record = take_record(text);
        if (record.size() != names.size())
            throw FileError(fmt::format("Nsight Compute's table has a line of {} columns below {} names", record.size(),
                                        names.size()));
        table.rows.push_back(row_of(record, columns));
    }
    return table;
}

}  // namespace lanework

// Reads the table that Nsight Compute prints with --csv --page raw --nvtx.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanework {

/// One launch that was profiled.
struct NsightRow {
    std::string kernel;
    std::array<unsigned, 3> grid{1, 1, 1}, block{1, 1, 1};
    /// The name of the innermost range of our NVTX domain around it; empty for none.
    std::string range;
    /// In the order of NsightTable::metrics; nothing for "n/a".
    std::vector<std::optional<double>> values;
};

struct NsightTable {
    std::vector<std::string> metrics;
    std::vector<NsightRow> rows;
};

/// Lines before and after the table (==PROF== …) are skipped; a text without a table has no rows. Throws FileError for
/// a table that cannot be understood.
NsightTable parse_nsight_csv(std::string_view text);

}  // namespace lanework

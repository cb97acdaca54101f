// Lays out the records that the threads of a launch wrote about themselves.
#include "src/report/results/coordinates.hpp"

#include <fmt/format.h>

#include "ops/coordinates/operation.hpp"

#include "src/io/json.hpp"

namespace lanework {
namespace {

using Record = std::span<const std::uint64_t>;

// Where in a record the fields stand that belong together.
constexpr std::size_t field(std::string_view name) {
    std::size_t at = 0;
    while (kCoordinateFields[at] != name) ++at;
    return at;
}
constexpr std::size_t kBlockIdx = field("blockIdx.x"), kThreadIdx = field("threadIdx.x"), kGridDim = field("gridDim.x"),
                      kBlockDim = field("blockDim.x"), kThreadInBlock = field("thread in block"),
                      kBlockInGrid = field("block in grid"), kThreadInGrid = field("thread in grid"),
                      kPlace = field("x");

std::string triple(Record record, std::size_t at) {
    return fmt::format("({},{},{})", record[at], record[at + 1], record[at + 2]);
}

Json json_triple(Record record, std::size_t at) { return {record[at], record[at + 1], record[at + 2]}; }

}  // namespace

Table coordinates_table(std::span<const std::uint64_t> records) {
    Table table{{{"blockIdx"},
                 {"threadIdx"},
                 {"gridDim"},
                 {"blockDim"},
                 {"in block", Align::right},
                 {"block", Align::right},
                 {"in grid", Align::right},
                 {"(x,y,z)"}},
                {}};
    for (; !records.empty(); records = records.subspan(kCoordinateFieldCount))
        table.rows.push_back({triple(records, kBlockIdx), triple(records, kThreadIdx), triple(records, kGridDim),
                              triple(records, kBlockDim), fmt::format("{}", records[kThreadInBlock]),
                              fmt::format("{}", records[kBlockInGrid]), fmt::format("{}", records[kThreadInGrid]),
                              triple(records, kPlace)});
    return table;
}

std::string coordinates_to_json(std::span<const std::uint64_t> records, const std::string& device) {
    Json threads = Json::array();
    for (; !records.empty(); records = records.subspan(kCoordinateFieldCount))
        threads.push_back({{"blockIdx", json_triple(records, kBlockIdx)},
                           {"threadIdx", json_triple(records, kThreadIdx)},
                           {"gridDim", json_triple(records, kGridDim)},
                           {"blockDim", json_triple(records, kBlockDim)},
                           {"thread_in_block", records[kThreadInBlock]},
                           {"block_in_grid", records[kBlockInGrid]},
                           {"thread_in_grid", records[kThreadInGrid]},
                           {"coordinate", json_triple(records, kPlace)}});
    const Json document{{"schema", 1}, {"device", device}, {"threads", threads}};
    return json_line(document) + "\n";
}

}  // namespace lanework

// Writes results as JSON, schema 1.
#include "src/report/results/json.hpp"

#include "src/report/results/json_result.hpp"

namespace lanework {

std::string to_json(const Results& results) {
    std::vector<Json> entries;
    for (const Measurement& measurement : results.measurements) entries.push_back(result_json(measurement));
    return results_document(results.environment, entries);
}

}  // namespace lanework

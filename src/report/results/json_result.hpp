// Parts of a results file that every command writes alike.
#pragma once

#include <lanework/measurement.hpp>
#include <nlohmann/json.hpp>

namespace lanework {

/// One entry of "results", with no counters and no findings.
nlohmann::ordered_json result_json(const Measurement& measurement);

/// The whole document, schema 1, one result a line.
std::string results_document(std::span<const Fact> environment, std::span<const nlohmann::ordered_json> results);

}  // namespace lanework

// Parts of a results file that every command writes alike.
#pragma once

#include <lanework/measurement.hpp>

#include "src/io/json.hpp"

namespace lanework {

/// One entry of "results", with no counters and no findings.
Json result_json(const Measurement& measurement);

/// The whole document, schema 1, one result a line.
std::string results_document(std::span<const Fact> environment, std::span<const Json> results);

}  // namespace lanework

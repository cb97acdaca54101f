// Results as JSON, schema 1, and back.
#pragma once

#include "src/report/results/results.hpp"

namespace lanework {

std::string to_json(const Results& results);

/// Reads what to_json wrote; members that it does not know are skipped. Throws FileError that names the file and the
/// place (line and column, or the path of the member) of what is not as it should be.
Results parse_results(std::string_view json, const std::string& file);
/// The same from a file; "-" is the standard input.
Results read_results(const std::string& file);

}  // namespace lanework

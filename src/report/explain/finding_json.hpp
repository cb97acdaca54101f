// A finding as it is written in results files, and read again.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "src/trace/analyse/finding.hpp"

namespace lanework {

/// {"file", "line", "column", "function"}; null for no place.
nlohmann::ordered_json place_json(const SourcePlace& place);
/// {"rule", "severity", "place", "evidence", "remedy", "weight", "other_place", "kernel"}.
nlohmann::ordered_json finding_json(const Finding& finding);
/// The finding that finding_json() wrote. Throws nlohmann::json::exception for anything else.
Finding finding_from_json(const nlohmann::ordered_json& json);

}  // namespace lanework

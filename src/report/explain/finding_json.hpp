// A finding as it is written in results files, and read again.
#pragma once

#include "src/trace/analyse/finding.hpp"

namespace lanework {

class Json;

/// {"file", "line", "column", "function"}; null for no place.
Json place_json(const SourcePlace& place);
/// {"rule", "severity", "place", "evidence", "remedy", "weight", "other_place", "kernel", …, "also": [{"place",
/// "other_place"}, …]}.
Json finding_json(const Finding& finding);
/// The finding that finding_json() wrote. Throws JsonError for anything else.
Finding finding_from_json(const Json& json);

}  // namespace lanework

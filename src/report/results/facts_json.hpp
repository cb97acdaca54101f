// A section of facts as JSON, for documents that hold more than sections.
#pragma once

#include <nlohmann/json.hpp>

#include "src/report/results/facts.hpp"

namespace lanework {

/// {"title","facts":{…},"figures":{…}}
nlohmann::ordered_json section_json(const Section& section);

}  // namespace lanework

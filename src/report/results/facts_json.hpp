// A section of facts as JSON, for documents that hold more than sections.
#pragma once

#include "src/report/results/facts.hpp"

#include "src/io/json.hpp"

namespace lanework {

/// {"title","facts":{…},"figures":{…}}
Json section_json(const Section& section);

}  // namespace lanework

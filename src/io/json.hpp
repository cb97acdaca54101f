// JSON as this program writes it: names in the order in which they were given, lists of plain values on one line.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace lanework {

using Json = nlohmann::ordered_json;

/// On one line. Names that come from outside need not be UTF-8, JSON must be: what is not becomes U+FFFD.
std::string json_line(const Json& json);

/// A document for a file: one member a line, indented by one for each level, but a list of numbers, strings and the
/// like on one line however long. Ends with a newline.
std::string json_document(const Json& json);

}  // namespace lanework

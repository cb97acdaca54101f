// The text of the files that an explanation is about.
#pragma once

#include "src/report/explain/source_text.hpp"

namespace lanework {

class Json;

/// Which names are followed. What a document from elsewhere names is read only below the folders of the sources.
enum class Reach { anywhere, below };

/// {"file": {"first": 12, "lines": ["…"]}} of the files that the lines, findings and launches of a result name, from a
/// little above the first line of which something is known to a little below the last.
Json sources_json(const Json& result, SourceText& sources, Reach reach);

}  // namespace lanework

// The file in which what was measured of devices is remembered between runs of the program. It only saves time: where
// it cannot be read it is as good as empty, and where it cannot be written it stays as it is.
#pragma once

#include <filesystem>

#include "src/io/json.hpp"

namespace lanework {

/// $XDG_CACHE_HOME/lanework/ceilings.json, or under ~/.cache; empty when the environment names neither.
std::filesystem::path ceiling_cache_file();

/// The whole file, or an empty one of this schema when there is none that can be understood: {"schema", "devices"}.
Json read_cache(const std::filesystem::path& file);
/// Writes a temporary file that takes the old one's place; makes the folder.
void write_cache(const std::filesystem::path& file, const Json& all);

}  // namespace lanework

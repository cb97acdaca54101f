// What a compiler says: as its user is shown it, and what is the matter in one line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lanework {

/// With the files of the folder that we are in as the user would name them.
std::string as_user_sees(std::string text);

/// The same, and without the way through our headers to a kernel that a launch calls
/// wrongly. Where a header is refused by name, that alone.
std::string shown_messages(std::string_view text);

/// Without what paints words on a terminal.
std::string without_colours(std::string_view text);

/// "static assertion failed: a tile has whole warps"; the first line where no error is named.
std::string first_error(const std::string& said);

/// What a linker found nowhere, each once, in its order: functions with their parameters, variables.
std::vector<std::string> undefined_names(std::string_view text);
/// The names that a linker says several files define, each once.
std::vector<std::string> names_defined_twice(std::string_view text);

/// The file of a `#include` that was found nowhere; empty where there is none.
std::string missing_header(std::string_view text);

/// "line.cu:6:37: error: …"; empty where no error is named.
std::string first_error_with_place(const std::string& said);

}  // namespace lanework

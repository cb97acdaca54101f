// What a compiler says: as its user is shown it, and what is the matter in one line.
#pragma once

#include <string>
#include <string_view>

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

/// "line.cu:6:37: error: …"; empty where no error is named.
std::string first_error_with_place(const std::string& said);

}  // namespace lanework

// Where a compiler looked for the headers of a source and found none: a file that comes to lie there is another header.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lanework {

/// The folders that a compiler's command names for headers, in the order in which they are searched.
struct IncludeFolders {
    /// For quoted names only; for all names.
    std::vector<std::filesystem::path> quoted, all;

    /// Of -iquote, -I, -isystem and -idirafter, without those below one of `fixed`, whose files nobody adds to.
    static IncludeFolders of(const std::vector<std::string>& command, const std::vector<std::filesystem::path>& fixed);
};

struct IncludeSearch {
    /// Files and folders that are not there, and would be read instead of others if they were; and files that
    /// __has_include asks for and that are there.
    std::vector<std::filesystem::path> absent, present;
};

/// What the includes and __has_include of these files look for; names that macros make are not known.
IncludeSearch search_of(const std::vector<std::filesystem::path>& files, const IncludeFolders& folders);

}  // namespace lanework

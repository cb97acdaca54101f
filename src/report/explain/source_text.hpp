// The text of the source files that places name, where it can be found.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lanework {

class SourceText {
public:
    /// Files are looked for below these folders, in order; by default where this program was built from, and here.
    SourceText();
    explicit SourceText(std::vector<std::filesystem::path> roots);

    /// Line `line`, counted from 1, without its end; nothing where there is no such file or line.
    std::optional<std::string> line(const std::string& file, int line);
    bool has(const std::string& file) { return !lines_of(file).empty(); }

private:
    const std::vector<std::string>& lines_of(const std::string& file);

    std::vector<std::filesystem::path> roots_;
    std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace lanework

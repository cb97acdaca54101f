// Reads source files once, when they are asked for.
#include "src/report/explain/source_text.hpp"

#include <fstream>

namespace lanework {
namespace {

std::vector<std::string> read_lines(const std::filesystem::path& path) {
    std::vector<std::string> lines;
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return lines;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        if (line.ends_with('\r')) line.pop_back();
        lines.push_back(line);
    }
    return lines;
}

}  // namespace

SourceText::SourceText() : SourceText({LANEWORK_SOURCE_DIR, "."}) {}
SourceText::SourceText(std::vector<std::filesystem::path> roots) : roots_(std::move(roots)) {}

const std::vector<std::string>& SourceText::lines_of(const std::string& file) {
    const auto [found, added] = files_.try_emplace(file);
    if (added && !file.empty())
        for (const std::filesystem::path& root : roots_) {
            found->second = read_lines(root / file);  // an absolute path stays as it is
            if (!found->second.empty()) break;
        }
    return found->second;
}

std::optional<std::string> SourceText::line(const std::string& file, int line) {
    const auto& lines = lines_of(file);
    if (line < 1 || static_cast<std::size_t>(line) > lines.size()) return std::nullopt;
    return lines[static_cast<std::size_t>(line) - 1];
}

}  // namespace lanework

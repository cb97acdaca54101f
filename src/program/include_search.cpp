// Reads the names of includes from text that is not preprocessed: those of branches that are left out count, too.
#include "src/program/include_search.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "src/io/file.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

struct Name {
    std::string text;
    bool quoted = false;
    /// Of __has_include, which reads nothing.
    bool asked = false;
    auto operator<=>(const Name&) const = default;
};

std::string_view without_blanks(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    return first == text.npos ? std::string_view() : text.substr(first);
}

/// The name that stands at the start of the text in quotes or angle brackets; empty for none.
std::string_view name_at(std::string_view text) {
    if (text.empty() || (text[0] != '"' && text[0] != '<')) return {};
    const std::size_t end = text.substr(1).find_first_of(text[0] == '"' ? "\"\n" : ">\n");
    return end == text.npos || text[end + 1] == '\n' ? std::string_view() : text.substr(1, end);
}

void add(std::string_view text, bool asked, std::set<Name>& names) {
    const std::string_view name = name_at(text);
    if (!name.empty() && name[0] != '/') names.insert({std::string(name), text[0] == '"', asked});
}

std::set<Name> names_in(std::string_view text) {
    constexpr std::string_view kInclude = "include", kAsks = "__has_include";
    std::set<Name> names;
    for (std::size_t at = 0; (at = text.find(kInclude, at)) != text.npos; at += kInclude.size()) {
        const std::string_view behind = without_blanks(text.substr(at + kInclude.size()));
        if (at >= kAsks.size() - kInclude.size() &&
            text.substr(at + kInclude.size() - kAsks.size(), kAsks.size()) == kAsks) {
            if (behind.starts_with("(")) add(without_blanks(behind.substr(1)), true, names);
            continue;
        }
        std::size_t before = at;
        while (before > 0 && (text[before - 1] == ' ' || text[before - 1] == '\t')) --before;
        if (before > 0 && text[before - 1] == '#') add(behind, false, names);
    }
    return names;
}

bool is_below(const fs::path& path, const std::vector<fs::path>& folders) {
    return std::any_of(folders.begin(), folders.end(), [&](const fs::path& folder) {
        if (folder.empty()) return false;
        return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
    });
}

class Search {
public:
    Search(const std::vector<fs::path>& files, const IncludeFolders& folders) : folders_(folders) {
        for (const fs::path& file : files) read_.insert(file);
    }

    void look_for(const Name& name, const fs::path& includer) {
        if (name.quoted) {
            // What lies beside a system's header is the system's.
            if (!is_below(includer, {"/usr"}) && found(includer.parent_path(), name)) return;
            for (const fs::path& folder : folders_.quoted)
                if (found(folder, name)) return;
        }
        for (const fs::path& folder : folders_.all)
            if (found(folder, name)) return;
    }

    IncludeSearch result() const { return {{absent_.begin(), absent_.end()}, {present_.begin(), present_.end()}}; }

private:
    /// Whether the folder has the file; notes what decides that.
    bool found(const fs::path& folder, const Name& name) {
        std::error_code error;
        const fs::path file = (folder / name.text).lexically_normal();
        if (fs::is_regular_file(file, error)) {
            if (name.asked && !read_.contains(file)) present_.insert(file);
            return true;
        }
        // Of a file in a folder that is not there, the folder decides.
        const fs::path first = (folder / *fs::path(name.text).begin()).lexically_normal();
        absent_.insert(fs::exists(first, error) ? file : first);
        return false;
    }

    const IncludeFolders& folders_;
    std::set<fs::path> read_, absent_, present_;
};

}  // namespace

IncludeFolders IncludeFolders::of(const std::vector<std::string>& command, const std::vector<fs::path>& fixed) {
    IncludeFolders folders;
    std::vector<fs::path> behind, last;
    const std::pair<std::string_view, std::vector<fs::path>*> kOptions[] = {
        {"-iquote", &folders.quoted}, {"-isystem", &behind}, {"-idirafter", &last}, {"-I", &folders.all}};
    for (std::size_t i = 0; i < command.size(); ++i)
        for (const auto& [option, into] : kOptions) {
            if (!command[i].starts_with(option)) continue;
            const bool apart = command[i].size() == option.size();
            if (apart && i + 1 == command.size()) break;
            const fs::path folder =
                fs::absolute(apart ? command[++i] : command[i].substr(option.size())).lexically_normal();
            if (!is_below(folder, fixed)) into->push_back(folder);
            break;
        }
    for (const auto* more : {&behind, &last}) folders.all.insert(folders.all.end(), more->begin(), more->end());
    return folders;
}

IncludeSearch search_of(const std::vector<fs::path>& files, const IncludeFolders& folders) {
    Search search(files, folders);
    for (const fs::path& file : files)
        for (const Name& name : names_in(text_of(file))) search.look_for(name, file);
    return search.result();
}

}  // namespace lanework

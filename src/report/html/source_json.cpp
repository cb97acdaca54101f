// Reads no more of a file than explains the lines that something is known of.
#include "src/report/html/source_json.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>

#include "src/io/json.hpp"

namespace lanework {
namespace {

constexpr int kAround = 6;        // lines above the first and below the last
constexpr int kMostLines = 2000;  // of one file

struct Lines {
    int first = 0, last = 0;
};

bool stays_below(const std::filesystem::path& file) {
    return file.is_relative() && std::ranges::find(file, "..") == file.end();
}

class Named {
public:
    explicit Named(Reach reach) : reach_(reach) {}

    /// {"file": …, "line": …} or what has no such members.
    void add(const Json& place) {
        if (!place.is_object() || !place.contains("file") || !place.contains("line")) return;
        if (!place["file"].is_string() || !place["line"].is_integer()) return;
        const auto file = place["file"].get<std::string>();
        const auto number = place["line"].get<std::int64_t>();
        if (number < 1 || number > 1'000'000 || file.empty()) return;
        if (reach_ == Reach::below && !stays_below(file)) return;
        const int line = static_cast<int>(number);
        const auto [at, is_new] = files_.try_emplace(file, Lines{line, line});
        if (!is_new) at->second = {std::min(at->second.first, line), std::max(at->second.last, line)};
    }
    const std::map<std::string, Lines>& files() const { return files_; }

private:
    Reach reach_;
    std::map<std::string, Lines> files_;
};

const Json& list(const Json& object, const char* name) {
    static const Json& none = *new Json(Json::array());
    return object.is_object() && object.contains(name) && object[name].is_array() ? object[name] : none;
}

}  // namespace

Json sources_json(const Json& result, SourceText& sources, Reach reach) {
    Named named(reach);
    for (const Json& kernel : list(result, "kernels"))
        for (const Json& line : list(kernel, "lines")) named.add(line);
    const auto add_places = [&](const Json& places) {
        for (const char* place : {"place", "other_place"})
            if (places.is_object() && places.contains(place)) named.add(places[place]);
    };
    for (const Json& finding : list(result, "findings")) {
        add_places(finding);
        for (const Json& further : list(finding, "also")) add_places(further);
    }
    Json found = Json::object();
    for (const auto& [file, lines] : named.files()) {
        const int first = std::max(1, lines.first - kAround);
        Json text = Json::array();
        for (int line = first; line <= lines.last + kAround && line < first + kMostLines; ++line) {
            const auto known = sources.line(file, line);
            if (!known) break;
            text.push_back(*known);
        }
        if (!text.empty()) found[file] = {{"first", first}, {"lines", text}};
    }
    return found;
}

}  // namespace lanework

// Findings of several runs put together, and their places as text.
#include "src/trace/analyse/finding.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace lanework {
namespace {

bool is_race(const Finding& finding) { return finding.rule == Rule::race || finding.rule == Rule::warp_synchrony; }

bool same_line(const SourcePlace& a, const SourcePlace& b) { return a.line == b.line && a.file == b.file; }

std::vector<PlacePair> all_places(const Finding& finding) {
    std::vector<PlacePair> all{{finding.place, finding.other}};
    all.insert(all.end(), finding.also.begin(), finding.also.end());
    return all;
}

bool same_places(const PlacePair& a, const PlacePair& b) {
    return a == b || (a.place == b.other && a.other == b.place);
}

/// Another run meets the pairs of one cause in another order, and may meet further ones.
bool same_cause(const Finding& a, const Finding& b) {
    if (a.rule != b.rule && !(is_race(a) && is_race(b))) return false;
    if (a.place.line == 0 || b.place.line == 0) return a.place == b.place && a.evidence == b.evidence;
    const std::vector<PlacePair> mine = all_places(a), others = all_places(b);
    return std::ranges::any_of(mine, [&](const PlacePair& pair) {
        return std::ranges::any_of(others, [&](const PlacePair& other) { return same_places(pair, other); });
    });
}

}  // namespace

bool Finding::is_at(std::string_view file, int line) const {
    const auto there = [&](const SourcePlace& place) { return place.line == line && file.ends_with(place.file); };
    return there(place) || std::ranges::any_of(also, [&](const PlacePair& pair) { return there(pair.place); });
}

void add_finding(std::vector<Finding>& known, Finding finding) {
    const auto found = std::ranges::find_if(known, [&](const Finding& other) { return same_cause(other, finding); });
    if (found == known.end()) {
        known.push_back(std::move(finding));
        return;
    }
    for (PlacePair& pair : all_places(finding))
        if (std::ranges::none_of(all_places(*found), [&](const PlacePair& other) { return same_places(pair, other); }))
            found->also.push_back(std::move(pair));
}

std::string further_places(const Finding& finding) {
    std::vector<std::string> places;
    const auto name = [&](const SourcePlace& place) {
        return place.file == finding.place.file ? fmt::format("{}", place.line)
                                                : fmt::format("{}:{}", place.file, place.line);
    };
    for (const PlacePair& pair : finding.also) {
        std::string text = name(pair.place);
        if (pair.other.line != 0 && !same_line(pair.place, pair.other)) text += " and " + name(pair.other);
        if (std::ranges::find(places, text) == places.end()) places.push_back(std::move(text));
    }
    if (places.empty()) return {};
    const bool many = places.size() > 1 || places.front().find(' ') != std::string::npos;
    return fmt::format("line{} {}", many ? "s" : "", fmt::join(places, ", "));
}

}  // namespace lanework

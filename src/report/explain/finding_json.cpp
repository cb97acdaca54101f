// Findings to JSON and back.
#include "src/report/explain/finding_json.hpp"

#include "src/io/json.hpp"

namespace lanework {
namespace {

/// The value whose name this is; the last one for a name that is unknown.
template <class Enum>
Enum named(const std::string& name, Enum last) {
    for (int value = 0; value < static_cast<int>(last); ++value)
        if (name_of(static_cast<Enum>(value)) == name) return static_cast<Enum>(value);
    return last;
}

SourcePlace place_from_json(const Json& json) {
    if (json.is_null()) return {};
    return {.file = json.at("file").get<std::string>(),
            .line = json.at("line").get<int>(),
            .column = json.at("column").get<int>(),
            .function = json.at("function").get<std::string>()};
}

Json further_places_json(const std::vector<PlacePair>& pairs) {
    Json list = Json::array();
    for (const PlacePair& pair : pairs)
        list.push_back({{"place", place_json(pair.place)}, {"other_place", place_json(pair.other)}});
    return list;
}

std::vector<PlacePair> further_places_from_json(const Json& json) {
    std::vector<PlacePair> pairs;
    if (!json.contains("also")) return pairs;  // written before there was such a list
    for (const Json& pair : json.at("also"))
        pairs.push_back({place_from_json(pair.at("place")), place_from_json(pair.at("other_place"))});
    return pairs;
}

}  // namespace

Json place_json(const SourcePlace& place) {
    if (place.line == 0) return nullptr;
    return {{"file", place.file}, {"line", place.line}, {"column", place.column}, {"function", place.function}};
}

Json finding_json(const Finding& finding) {
    return {{"rule", name_of(finding.rule)},
            {"severity", name_of(finding.severity)},
            {"place", place_json(finding.place)},
            {"evidence", finding.evidence},
            {"remedy", finding.remedy},
            {"weight", finding.weight},
            {"other_place", place_json(finding.other)},
            {"kernel", finding.kernel},
            {"gain", finding.gain ? Json(*finding.gain) : Json(nullptr)},
            {"gain_of", finding.gain ? Json(finding.of_streams ? "streams" : "kernels") : Json(nullptr)},
            {"time_s", finding.gain ? Json(finding.time_s) : Json(nullptr)},
            {"time_without_s", finding.gain ? Json(finding.time_without_s) : Json(nullptr)},
            {"also", further_places_json(finding.also)}};
}

Finding finding_from_json(const Json& json) {
    return {.rule = named(json.at("rule").get<std::string>(), static_cast<Rule>(kRules - 1)),
            .severity = named(json.at("severity").get<std::string>(), Severity::advice),
            .place = place_from_json(json.at("place")),
            .evidence = json.at("evidence").get<std::string>(),
            .remedy = json.at("remedy").get<std::string>(),
            .weight = json.at("weight").get<double>(),
            .other = place_from_json(json.at("other_place")),
            .also = further_places_from_json(json),
            .kernel = json.at("kernel").get<std::string>()};
}

}  // namespace lanework

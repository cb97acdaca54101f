// Surveys as JSON, beside the ceilings.
#include <cmath>

#include "src/io/json.hpp"
#include "src/measure/cache_file.hpp"
#include "src/measure/survey.hpp"

namespace lanework {
namespace {

constexpr const char* kSurveys = "surveys";

// The value of an enumeration whose name this is, out of the first `count`; throws when there is none.
template <class Enum>
Enum named(const Json& entry, const char* member, int count) {
    const auto name = entry.at(member).get<std::string>();
    for (int i = 0; i < count; ++i)
        if (name_of(static_cast<Enum>(i)) == name) return static_cast<Enum>(i);
    throw std::domain_error("unknown " + name);
}

Json to_json(const Reading& reading) {
    return {{"group", reading.group},         {"name", reading.name},   {"by", reading.by},
            {"unit", name_of(reading.unit)},  {"value", reading.value}, {"part", name_of(reading.part)},
            {"dtype", name_of(reading.dtype)}};
}

Reading reading_from(const Json& entry) {
    Reading reading{.group = entry.at("group").get<std::string>(),
                    .name = entry.at("name").get<std::string>(),
                    .by = entry.at("by").get<std::string>(),
                    .unit = named<Unit>(entry, "unit", 4),
                    .value = entry.at("value").get<double>(),
                    .part = named<Part>(entry, "part", 5),
                    .dtype = named<DType>(entry, "dtype", std::size(kDTypes))};
    if (!std::isfinite(reading.value) || reading.value <= 0) throw std::domain_error("a figure must be positive");
    return reading;
}

Survey survey_from(const Json& entry, const DeviceInfo& device) {
    Survey survey{.device = device.id,
                  .fingerprint = device.fingerprint,
                  .measured_at = entry.at("measured_at").get<std::string>(),
                  .readings = {}};
    for (const Json& reading : entry.at("readings")) survey.readings.push_back(reading_from(reading));
    return survey;
}

}  // namespace

void store_survey(const Survey& survey) {
    const auto file = ceiling_cache_file();
    if (file.empty()) return;
    Json all = read_cache(file), readings = Json::array();
    for (const Reading& reading : survey.readings) readings.push_back(to_json(reading));
    if (!all.contains(kSurveys) || !all[kSurveys].is_object()) all[kSurveys] = Json::object();
    all[kSurveys][survey.fingerprint] = {{"measured_at", survey.measured_at}, {"readings", readings}};
    write_cache(file, all);
}

std::optional<Survey> cached_survey(const DeviceInfo& device) {
    const Json all = read_cache(ceiling_cache_file());
    try {
        const Json& surveys = all.value(kSurveys, Json::object());
        const auto entry = surveys.find(device.fingerprint);
        return entry == surveys.end() ? std::nullopt : std::optional(survey_from(*entry, device));
    } catch (const JsonError&) {
        return std::nullopt;
    } catch (const std::domain_error&) {
        return std::nullopt;
    }
}

}  // namespace lanework

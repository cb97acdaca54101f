// The list of operations and ladders as JSON.

#include "src/report/results/catalogue.hpp"

#include "src/io/json.hpp"

namespace lanework {
namespace {

Json shapes_of(const Operation& operation, std::span<const Extents> shapes) {
    Json list = Json::array();
    for (const Extents& shape : shapes) list.push_back(format_extents(operation, {.extent = shape}));
    return list;
}

Json rung_of(const Rung& rung) {
    Json types = Json::array();
    for (const auto& typed : rung.types)
        if (rung.typed(typed.dtype)) types.push_back(name_of(typed.dtype));
    return {{"rung", rung.name},     {"library", rung.library}, {"climbs_from", rung.climbs_from},
            {"lesson", rung.lesson}, {"file", rung.file},       {"dtypes", types}};
}

Json ladders_of(const Operation& operation, const Listed& listed) {
    Json ladders = Json::object();
    for (const DevicePresence& device : listed.devices) {
        Json list = Json::array();
        for (const Rung* rung : listed.rungs(operation, device.kind)) list.push_back(rung_of(*rung));
        ladders[std::string(name_of(device.kind))] = list;
    }
    return ladders;
}

Json operation_of(const Operation& operation, const Listed& listed) {
    Json types = Json::array(), timed = Json::object();
    for (const auto& typed : operation.types) types.push_back(name_of(typed.dtype));
    for (const DevicePresence& device : listed.devices)
        timed[std::string(name_of(device.kind))] = shapes_of(operation, operation.timed.on(device.kind));
    return {{"operation", operation.name},
            {"summary", operation.summary},
            {"axes", operation.axes},
            {"usual", operation.usual},
            {"variants", operation.variants},
            {"dtypes", types},
            {"verified", shapes_of(operation, operation.verified)},
            {"verified_by_hardware", shapes_of(operation, operation.verified_by_hardware)},
            {"timed", timed},
            {"ladders", ladders_of(operation, listed)}};
}

}  // namespace

std::string catalogue_to_json(std::span<const Operation* const> operations, const Listed& listed) {
    Json present = Json::array(), list = Json::array();
    for (const DevicePresence& device : listed.devices)
        present.push_back(
            {{"device", name_of(device.kind)}, {"here", device.reason.empty()}, {"reason", device.reason}});
    for (const Operation* operation : operations) list.push_back(operation_of(*operation, listed));
    const Json document{{"schema", 1}, {"devices", present}, {"operations", list}};
    return json_document(document);
}

}  // namespace lanework

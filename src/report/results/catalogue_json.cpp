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

Json ladders_of(const Operation& operation, std::span<const DevicePresence> devices) {
    Json ladders = Json::object();
    for (const DevicePresence& device : devices) {
        Json list = Json::array();
        for (const Rung* rung : ladder(operation, device.kind)) list.push_back(rung_of(*rung));
        ladders[std::string(name_of(device.kind))] = list;
    }
    return ladders;
}

Json operation_of(const Operation& operation, std::span<const DevicePresence> devices) {
    Json types = Json::array(), timed = Json::object();
    for (const auto& typed : operation.types) types.push_back(name_of(typed.dtype));
    for (const DevicePresence& device : devices)
        timed[std::string(name_of(device.kind))] = shapes_of(operation, operation.timed.on(device.kind));
    return {{"operation", operation.name},
            {"summary", operation.summary},
            {"axes", operation.axes},
            {"usual", operation.usual},
            {"variants", operation.variants},
            {"dtypes", types},
            {"verified", shapes_of(operation, operation.verified)},
            {"timed", timed},
            {"ladders", ladders_of(operation, devices)}};
}

}  // namespace

std::string catalogue_to_json(std::span<const Operation* const> operations, std::span<const DevicePresence> devices) {
    Json present = Json::array(), list = Json::array();
    for (const DevicePresence& device : devices)
        present.push_back(
            {{"device", name_of(device.kind)}, {"here", device.reason.empty()}, {"reason", device.reason}});
    for (const Operation* operation : operations) list.push_back(operation_of(*operation, devices));
    const Json document{{"schema", 1}, {"devices", present}, {"operations", list}};
    return json_document(document);
}

}  // namespace lanework

// Occupancy as JSON, schema 1.

#include "src/report/kernels/occupancy.hpp"

#include "src/io/json.hpp"

namespace lanework {
namespace {

Json json_of(const KernelRecord& record) {
    return {{"name", record.name},
            {"registers_per_thread", record.registers_per_thread},
            {"stack_bytes", record.stack_bytes},
            {"spill_store_bytes", record.spill_store_bytes},
            {"spill_load_bytes", record.spill_load_bytes},
            {"static_shared_bytes", record.static_shared_bytes},
            {"barriers", record.barriers}};
}

Json curve_of(const Capability& sm, const KernelResources& kernel) {
    Json points = Json::array();
    for (const OccupancyPoint& point : occupancy_curve(sm, kernel))
        points.push_back({{"threads_per_block", point.threads_per_block},
                          {"blocks_per_sm", point.occupancy.blocks},
                          {"warps_per_sm", point.occupancy.warps},
                          {"fraction", point.occupancy.fraction}});
    return points;
}

// What holds at one block size.
void add_verdict(Json& item, const Capability& sm, const OccupancyCase& kernel) {
    const Occupancy now = occupancy(sm, kernel.resources);
    const bool possible = now.impossible == Impossible::no;
    item["blocks_per_sm"] = now.blocks;
    item["warps_per_sm"] = now.warps;
    item["warps_per_block"] = now.warps_per_block;
    item["fraction"] = now.fraction;
    item["impossible"] = possible ? Json() : Json(describe_limit(sm, kernel.resources, now));
    item["limiters"] = Json::array();
    for (const Limiter limiter : limiters(now)) item["limiters"].push_back(name_of(limiter));
    item["allowed_blocks"] = Json::object();
    for (const Limiter limiter : kLimiters)
        if (possible && now.allows(limiter) != Occupancy::kUnlimited)
            item["allowed_blocks"][std::string(name_of(limiter))] = now.allows(limiter);
    item["advice"] = occupancy_advice(sm, kernel);
}

Json json_of(const OccupancyReport& report, const OccupancyCase& kernel) {
    const KernelResources& asks = kernel.resources;
    Json resources{{"registers_per_thread", asks.registers_per_thread},
                   {"static_shared_bytes", asks.static_shared},
                   {"dynamic_shared_bytes", asks.dynamic_shared},
                   {"barriers", asks.barriers}};
    if (report.sized) resources["threads_per_block"] = asks.threads_per_block;
    Json item{{"kernel", kernel.kernel}, {"resources", resources}};
    if (kernel.record) item["compiled"] = json_of(*kernel.record);
    if (report.sized) add_verdict(item, report.sm, kernel);
    item["curve"] = curve_of(report.sm, asks);
    return item;
}

}  // namespace

std::string occupancy_to_json(const OccupancyReport& report) {
    Json cases = Json::array();
    for (const OccupancyCase& kernel : report.cases) cases.push_back(json_of(report, kernel));
    const Json document{{"schema", 1}, {"capability", report.sm.number}, {"rung", report.rung}, {"occupancy", cases}};
    return json_document(document);
}

}  // namespace lanework

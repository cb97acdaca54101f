// Timelines as JSON, schema 1.
#include <algorithm>

#include "src/report/timeline/timeline.hpp"

#include "src/io/json.hpp"

namespace lanework {
namespace {

Json json_of(const Span& span) {
    return {{"engine", name_of(span.engine)}, {"name", span.name},   {"stream", span.stream},
            {"begin_s", span.begin_s},        {"end_s", span.end_s}, {"bytes", span.bytes}};
}

Json json_of(const HostSpan& span) {
    return {
        {"what", span.waits ? "wait" : "call"}, {"name", span.name}, {"begin_s", span.begin_s}, {"end_s", span.end_s}};
}

Json engines_of(const Timeline& timeline) {
    Json engines = Json::object();
    for (const Engine engine : kEngines) {
        double idle = 0;
        const auto waits = gaps(timeline, engine);
        for (const Interval& gap : waits) idle += gap.seconds();
        engines[std::string(name_of(engine))] = {
            {"busy_s", busy_s(timeline, engine)}, {"gaps", waits.size()}, {"gaps_s", idle}};
    }
    return engines;
}

Json json_of(const RungTimeline& rung) {
    const Timeline& timeline = rung.timeline;
    const auto critical = critical_engine(timeline);
    Json spans = Json::array();
    for (const Span& span : timeline.spans) spans.push_back(json_of(span));
    Json host = Json::array();
    for (const HostSpan& span : timeline.host) host.push_back(json_of(span));
    return {{"operation", rung.operation},
            {"rung", rung.rung},
            {"device", rung.device},
            {"problem", rung.problem},
            {"source", name_of(timeline.source)},
            {"by", timeline.by},
            {"notes", timeline.notes},
            {"seconds", length_s(timeline)},
            {"critical_engine", critical ? Json(name_of(*critical)) : Json(nullptr)},
            {"overlap_efficiency", overlap_efficiency(timeline)},
            {"engines", engines_of(timeline)},
            {"host", timeline.host_is_known ? host : Json(nullptr)},
            {"host_free_s", timeline.host_is_known ? Json(host_free_s(timeline)) : Json(nullptr)},
            {"spans", spans}};
}

}  // namespace

std::string timelines_to_json(std::span<const RungTimeline> timelines, std::span<const Fact> environment) {
    Json facts = Json::object(), list = Json::array();
    for (const Fact& fact : environment) facts[fact.name] = fact.value;
    for (const RungTimeline& each : timelines) list.push_back(json_of(each));
    const Json document{{"schema", 1}, {"environment", facts}, {"timelines", list}};
    return json_document(document);
}

}  // namespace lanework

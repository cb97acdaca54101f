// Comparisons as JSON, for scripts that gate on them.

#include "src/report/results/compare.hpp"

#include "src/io/json.hpp"

namespace lanework {
namespace {

Json median_of(const Measurement* m) {
    if (!m || m->cold_s.empty()) return nullptr;
    return summarize(m->cold_s).median;
}

Json problem_of(const Measurement& m) {
    Json problem = Json::object();
    for (std::size_t axis = 0; axis < m.axes.size(); ++axis) problem[m.axes[axis]] = m.problem.extent[axis];
    if (!m.variant.empty()) problem["variant"] = m.variant;
    return problem;
}

}  // namespace

std::string comparisons_to_json(std::span<const Comparison> comparisons, double threshold) {
    Json list = Json::array();
    for (const Comparison& c : comparisons) {
        const Measurement& m = c.after ? *c.after : *c.before;
        list.push_back({{"operation", m.operation},
                        {"rung", m.rung},
                        {"device", m.device},
                        {"dtype", name_of(m.problem.dtype)},
                        {"problem", problem_of(m)},
                        {"before_s", median_of(c.before)},
                        {"after_s", median_of(c.after)},
                        {"ratio", c.ratio ? Json(*c.ratio) : Json(nullptr)},
                        {"beyond_noise", c.beyond_noise},
                        {"change", name_of(c.change)},
                        {"vs_library", c.against_library ? Json(*c.against_library) : Json(nullptr)}});
    }
    const Json document{{"schema", 1}, {"threshold", threshold}, {"comparisons", list}};
    return json_document(document);
}

}  // namespace lanework

// What a page shows, as JSON: results with statistics instead of samples, and the roofs above them.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "src/io/json.hpp"
#include "src/report/html/report.hpp"
#include "src/report/results/compare.hpp"
#include "src/report/results/json_result.hpp"

namespace lanework {
namespace {

Json summary_json(std::span<const double> samples) {
    if (samples.empty()) return nullptr;
    const Summary all = summarize(samples);
    return {{"count", all.count},   {"min", all.minimum},       {"q1", all.first_quartile},
            {"median", all.median}, {"q3", all.third_quartile}, {"max", all.maximum}};
}

Json result_of(const Measurement& m, std::size_t source) {
    constexpr std::string_view left_out[] = {"samples_s", "hot_samples_s", "counters", "findings", "problem"};
    const Json whole = result_json(m);
    Json result = Json::object();
    for (const auto& [name, value] : whole.items())
        if (std::ranges::find(left_out, name) == std::end(left_out)) result[name] = value;
    result["source"] = source;
    result["problem"] = format_problem(m);
    result["axes"] = Json::object();
    for (std::size_t axis = 0; axis < m.axes.size(); ++axis) result["axes"][m.axes[axis]] = m.problem.extent[axis];
    result["variant"] = m.variant;
    result["input"] = m.input;
    result["time"] = summary_json(m.cold_s);
    result["hot"] = summary_json(m.hot_s);
    return result;
}

std::string fact(const Results& results, std::string_view name) {
    const auto found = std::ranges::find(results.environment, name, &Fact::name);
    return found == results.environment.end() ? "" : found->value;
}

/// Roofs of one device for one type: of what was measured there, or of published figures where times are estimates.
struct Roof {
    std::string device, cpu, dtype;
    bool published = false;
    /// Bytes and operations per second; 0 where no result says.
    double bandwidth = 0, peak = 0;
};

class Roofs {
public:
    void add(const Measurement& m, const Results& source) {
        if (m.work.flops == 0) return;
        if (m.estimate) return add_published(m);
        if (!m.limit || !(m.limit->seconds > 0)) return;
        Roof& roof = find(m, m.device, fact(source, "cpu"), false);
        const double bytes = static_cast<double>(m.work.bytes()), flops = static_cast<double>(m.work.flops);
        if (m.limit->bound == Bound::memory) roof.bandwidth = std::max(roof.bandwidth, bytes / m.limit->seconds);
        if (m.limit->bound == Bound::compute) roof.peak = std::max(roof.peak, flops / m.limit->seconds);
    }
    /// The bandwidth of a device is that of all its types.
    Json json() {
        for (const Roof& from : roofs_)
            for (Roof& to : roofs_)
                if (to.device == from.device && to.cpu == from.cpu && to.bandwidth == 0) to.bandwidth = from.bandwidth;
        Json list = Json::array();
        for (const Roof& roof : roofs_)
            list.push_back({{"device", roof.device},
                            {"cpu", roof.cpu},
                            {"dtype", roof.dtype},
                            {"published", roof.published},
                            {"bandwidth", roof.bandwidth},
                            {"peak", roof.peak}});
        return list;
    }

private:
    void add_published(const Measurement& m) {
        const auto gpu = std::ranges::find(gpus(), m.estimate->gpu, &Gpu::title);
        if (gpu == gpus().end()) return;
        Roof& roof = find(m, m.estimate->gpu, "", true);
        roof.bandwidth = gpu->memory_bandwidth;
        roof.peak = gpu->peak_flops(m.problem.dtype);
    }
    Roof& find(const Measurement& m, const std::string& device, const std::string& cpu, bool published) {
        const std::string dtype(name_of(m.problem.dtype));
        const auto same = [&](const Roof& roof) {
            return roof.device == device && roof.cpu == cpu && roof.dtype == dtype && roof.published == published;
        };
        const auto found = std::ranges::find_if(roofs_, same);
        if (found != roofs_.end()) return *found;
        return roofs_.emplace_back(Roof{device, cpu, dtype, published});
    }

    std::vector<Roof> roofs_;
};

Json environment_json(const Results& results) {
    Json facts = Json::object();
    for (const Fact& each : results.environment) facts[each.name] = each.value;
    return facts;
}

Json side_json(const Measurement* m) {
    if (!m) return nullptr;
    Json side{{"verdict", name_of(m->verdict)}, {"reason", m->reason}, {"time", summary_json(m->cold_s)}};
    side["estimate"] = result_json(*m)["estimate"];
    return side;
}

Json comparison_json(const Report& report) {
    if (!report.before) return nullptr;
    const Results after = results_of(report);
    const std::vector<Comparison> all = compare(report.before->results, after, report.threshold);
    Json rows = Json::array();
    for (const Comparison& each : all) {
        const Measurement& m = each.after ? *each.after : *each.before;
        rows.push_back({{"operation", m.operation},
                        {"rung", m.rung},
                        {"device", m.device},
                        {"dtype", name_of(m.problem.dtype)},
                        {"problem", format_problem(m)},
                        {"variant", m.variant},
                        {"change", name_of(each.change)},
                        {"ratio", each.ratio ? Json(*each.ratio) : Json(nullptr)},
                        {"beyond_noise", each.beyond_noise},
                        {"before", side_json(each.before)},
                        {"after", side_json(each.after)}});
    }
    return {{"before", report.before->name},
            {"environment", environment_json(report.before->results)},
            {"threshold", report.threshold},
            {"summary", count_changes(all)},
            {"rows", rows}};
}

std::string list_of(const std::vector<std::string>& documents) {
    std::string text = "[";
    for (const std::string& each : documents) text += (text.size() > 1 ? ",\n" : "") + each;
    return text + "]";
}

}  // namespace

Results results_of(const Report& report) {
    Results all;
    for (const NamedResults& source : report.sources) {
        if (all.environment.empty()) all.environment = source.results.environment;
        all.measurements.insert(all.measurements.end(), source.results.measurements.begin(),
                                source.results.measurements.end());
    }
    return all;
}

std::string page_data(const Report& report) {
    Json sources = Json::array(), results = Json::array();
    Roofs roofs;
    for (std::size_t i = 0; i < report.sources.size(); ++i) {
        const NamedResults& source = report.sources[i];
        sources.push_back({{"name", source.name}, {"environment", environment_json(source.results)}});
        for (const Measurement& m : source.results.measurements) {
            results.push_back(result_of(m, i));
            roofs.add(m, source.results);
        }
    }
    std::vector<std::string> explanations;
    for (const std::string& each : report.explanations) explanations.push_back(explanation_data(each));
    return fmt::format(
        "{{\"schema\": 1, \"title\": {}, \"sources\": {},\n\"results\": {},\n\"roofs\": {},\n\"explanations\": "
        "{},\n\"timelines\": {},\n\"surveys\": {},\n\"times\": {},\n\"comparison\": {}}}\n",
        json_line(report.title), json_line(sources), json_line(results), json_line(roofs.json()), list_of(explanations),
        list_of(report.timelines), list_of(report.surveys), list_of(report.times), json_line(comparison_json(report)));
}

}  // namespace lanework

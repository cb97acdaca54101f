// Finds for each launch that was explained the one that the hardware counted.
#include "src/profile/program_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "src/io/json.hpp"
#include "src/trace/analyse/function_name.hpp"
#include "src/trace/analyse/metrics.hpp"

namespace lanework {
namespace {

Trust trust_of(std::string_view name) {
    for (const Trust trust : {Trust::exact, Trust::as_written, Trust::modelled})
        if (name == name_of(trust)) return trust;
    return Trust::unavailable;
}

std::array<unsigned, 3> size_of(const Json& sizes) {
    return {sizes[std::size_t{0}].get<unsigned>(), sizes[std::size_t{1}].get<unsigned>(),
            sizes[std::size_t{2}].get<unsigned>()};
}

std::optional<double> hardware_value(const NsightTable& table, const NsightRow* row, std::string_view metric) {
    const auto found = std::ranges::find(table.metrics, metric);
    if (!row || found == table.metrics.end()) return std::nullopt;
    return row->values[static_cast<std::size_t>(found - table.metrics.begin())];
}

/// A launch's counters; either side may have none.
void add_launch(RungProfile& profile, const std::string& kernel, const Json* explained, const NsightTable& table,
                const NsightRow* row) {
    const std::size_t launch = profile.counters.empty() ? 0 : profile.counters.back().launch + 1;
    for (const Metric& metric : metrics()) {
        CounterComparison counter{.operation = profile.operation,
                                  .rung = {},
                                  .problem = {},
                                  .launch = launch,
                                  .kernel = kernel,
                                  .metric = &metric,
                                  .hardware = hardware_value(table, row, metric.name),
                                  .predicted = {}};
        if (explained && explained->at("counters").contains(metric.name)) {
            const Json& ours = explained->at("counters").at(metric.name);
            if (ours.at("value").is_number()) counter.predicted = ours.at("value").get<double>();
            counter.trust = trust_of(ours.at("trust").get<std::string>());
        }
        profile.counters.push_back(std::move(counter));
    }
}

}  // namespace

std::string counted_launches(const std::string& kernel, int launch) {
    return fmt::format("::{}:{}", kernel.empty() ? "" : base_name(kernel), launch);
}

RungProfile program_profile(const std::string& title, const std::string& explanation, const NsightTable& hardware) {
    RungProfile profile{
        .operation = title, .rung = {}, .problem = {}, .counters = {}, .no_hardware = {}, .no_prediction = {}};
    std::vector<bool> taken(hardware.rows.size());
    const Json document = Json::parse(explanation);
    for (const Json& result : document.at("results"))
        for (const Json& launch : result.at("kernels")) {
            const std::string kernel = launch.at("kernel").get<std::string>();
            const auto grid = size_of(launch.at("grid")), block = size_of(launch.at("block"));
            const NsightRow* found = nullptr;
            for (std::size_t i = 0; i < taken.size() && !found; ++i) {
                const NsightRow& row = hardware.rows[i];
                if (taken[i] || base_name(row.kernel) != base_name(kernel) || row.grid != grid || row.block != block)
                    continue;
                taken[i] = true;
                found = &row;
            }
            add_launch(profile, kernel, &launch, hardware, found);
        }
    for (std::size_t i = 0; i < taken.size(); ++i)
        if (!taken[i]) add_launch(profile, hardware.rows[i].kernel, nullptr, hardware, &hardware.rows[i]);
    return profile;
}

}  // namespace lanework

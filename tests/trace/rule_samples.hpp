// Launches with counters that are written down, and what the rules find in them.
#pragma once

#include <algorithm>

#include "src/trace/rules/rules.hpp"
#include "tests/trace/synthetic_requests.hpp"

namespace lanework {

inline const Gpu& h200() { return parse_gpu("h200"); }

/// A launch that fills an H200 in full rounds of 8 blocks on each SM, with no site yet.
inline KernelTrace full_launch() {
    KernelTrace launch;
    launch.shape.kernel = "kernel";
    launch.shape.file = "ops/a/b.cu";
    launch.shape.line = 50;
    launch.shape.grid = {static_cast<unsigned>(h200().sms) * 8 * 8, 1, 1};
    launch.shape.block = {256, 1, 1};
    return launch;
}

inline PlacedSite placed(EventKind kind = EventKind::load, unsigned bytes = 4, int line = 1) {
    return {.site = site_of(bytes, kind), .place = {.file = "ops/a/b.cu", .line = line, .column = 3, .function = "b"}};
}

inline PlacedSite global_site(const GlobalCounters& counters, EventKind kind = EventKind::load, int line = 1) {
    PlacedSite site = placed(kind, 4, line);
    site.site.global = counters;
    return site;
}

inline ExampleRequest example(unsigned bytes, std::int64_t step) {
    Site site = site_of(bytes);
    return {.lanes = kAllLanes, .bytes = bytes, .address = request_at(site, every(step)).address};
}

inline std::vector<Finding> findings_of(const std::vector<KernelTrace>& launches) {
    Explanation explanation;
    explanation.kernels = launches;
    return find_costs(explanation, h200());
}
inline std::vector<Finding> findings_of(const std::vector<PlacedSite>& sites) {
    KernelTrace launch = full_launch();
    launch.sites = sites;
    return findings_of(std::vector<KernelTrace>{launch});
}
inline std::vector<Finding> findings_of(const PlacedSite& site) { return findings_of(std::vector<PlacedSite>{site}); }

/// The finding of the rule; null when there is none.
inline const Finding* find(const std::vector<Finding>& findings, Rule rule) {
    const auto found = std::find_if(findings.begin(), findings.end(), [=](const Finding& f) { return f.rule == rule; });
    return found == findings.end() ? nullptr : &*found;
}

/// "" for no finding of the rule, else its severity.
template <class Source>
std::string_view severity_of(Rule rule, const Source& source) {
    const std::vector<Finding> findings = findings_of(source);
    const Finding* finding = find(findings, rule);
    return finding ? name_of(finding->severity) : "";
}

inline bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace lanework

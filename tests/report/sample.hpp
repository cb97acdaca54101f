// Measurements made up for tests of reports.
#pragma once

#include <lanework/measurement.hpp>

namespace lanework {

/// A rung of `transpose` on 1000x500 int32 that took these cold samples; 4 MB against a limit of 1 ms.
inline Measurement sample(std::string rung, std::vector<double> cold_s, std::string climbs_from = "") {
    Measurement m;
    m.operation = "transpose";
    m.rung = std::move(rung);
    m.device = "cpu";
    m.axes = {"rows", "cols"};
    m.problem = {extents(1000, 500), DType::int32, 0};
    m.seed = 7;
    m.cold_s = std::move(cold_s);
    m.work = {.bytes_read = 2'000'000, .bytes_written = 2'000'000, .flops = 0};
    m.limit = Limit{Bound::memory, 1e-3};
    m.climbs_from = std::move(climbs_from);
    return m;
}

inline Measurement failing(std::string rung, Verdict verdict, std::string reason) {
    Measurement m = sample(std::move(rung), {});
    m.verdict = verdict;
    m.reason = std::move(reason);
    return m;
}

inline Measurement library(std::string rung, std::vector<double> cold_s) {
    Measurement m = sample(std::move(rung), std::move(cold_s));
    m.library = true;
    return m;
}

}  // namespace lanework

// Measurements with where they were made, and the tables that people read them in.
#pragma once

#include <functional>
#include <lanework/measurement.hpp>

#include "src/draw/table.hpp"

namespace lanework {

/// What a results file holds.
struct Results {
    std::vector<Fact> environment;
    std::vector<Measurement> measurements;
};

/// "800 MB", "2.15 GFLOP": an amount of work in decimal units, as rates are.
std::string format_amount(double amount, std::string_view unit);
/// "100x50".
std::string format_problem(const Measurement& measurement);
/// "1.23 ms ± 0.02 ms" of the cold samples; empty without samples.
std::string format_time(const Measurement& measurement);
/// Work ÷ cold median: bytes per second, or arithmetic per second where that is what bounds it; empty without samples.
std::string format_rate(const Measurement& measurement);

/// "about 4.0 µs (2.0 to 8.0 µs)": two digits, the band in the unit of the time.
std::string format_estimate(double time_s, double low_s, double high_s);
std::string format_estimate(const EstimatedTime& estimate);
/// The same for a table: "4.0 µs (2.0–8.0)", at most kEstimateColumns long.
std::string format_estimate_short(const EstimatedTime& estimate);
inline constexpr std::size_t kEstimateColumns = 17;
/// The share of the limit that the estimated time reaches, from 0 to 1.
double share_of_limit(const EstimatedTime& estimate);
/// "44%".
std::string format_share_of_limit(const EstimatedTime& estimate);

/// The measured library rung of the same problem, device and type that is fastest, or null.
const Measurement* fastest_library(const Measurement& measurement, std::span<const Measurement> all);
/// Cold median of `slow` ÷ that of `fast`; empty when either has no samples.
std::optional<double> speedup(const Measurement& slow, const Measurement& fast);

/// A limit can be found to be lower while a ladder is measured; the lowest then holds for every measurement of the same
/// problem, device and type.
void share_limits(std::span<Measurement> measurements);

/// Times, rates and how they compare with the limit and the library; one row per measurement.
Table bench_table(std::span<const Measurement> measurements);
/// Verdicts with their reasons; one row per measurement.
Table verdict_table(std::span<const Measurement> measurements);
/// Those that are wrong or failed.
Table failure_table(std::span<const Measurement> measurements);
/// The checks that were refused for one reason.
struct Refusals {
    std::string_view reason;
    int checks = 0;
    /// One of each rung and device, in the order of the measurements.
    std::vector<const Measurement*> rungs;
};
/// Those with most checks first. They point into the measurements.
std::vector<Refusals> group_refusals(std::span<const Measurement> measurements);
/// What does not apply, a line for each reason: "  144 refused, 12 rungs: this rung adds; others find minima and
/// maxima"; empty where nothing was refused.
std::string describe_refusals(std::span<const Measurement> measurements);
/// Every figure unformatted, for spreadsheets.
Table figures_table(std::span<const Measurement> measurements);

/// What was checked, in one line: "transpose: int32; 14 sizes from 0x5 to 300x200; on cpu and simt". `device` says
/// what a device is called there.
std::string describe_checks(std::span<const Measurement> measurements,
                            const std::function<std::string(const std::string& id)>& device);
/// "412 checks: 410 ok, 2 refused".
std::string count_verdicts(std::span<const Measurement> measurements);
/// The exit status that verdicts ask for: when any is wrong or failed, when any was refused for lack of memory, when
/// all are refused, else good.
int status_of(std::span<const Measurement> measurements);

}  // namespace lanework

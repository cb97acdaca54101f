// Tables of measurements.
#include "src/report/results/results.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

#include "src/core/exit_status.hpp"
#include "src/core/quantile.hpp"
#include "src/core/text.hpp"

namespace lanework {
namespace {

struct TimeUnit {
    double seconds;
    std::string_view name;
};

// The one in which two digits of the time stand before or right behind the point.
TimeUnit unit_of(double seconds) {
    constexpr double kRoundsUp = 0.995;  // 996 ns are 1.0 µs
    for (const TimeUnit unit : {TimeUnit{1, "s"}, TimeUnit{1e-3, "ms"}, TimeUnit{1e-6, "µs"}})
        if (seconds >= kRoundsUp * unit.seconds) return unit;
    return {1e-9, "ns"};
}

// "0.61", "4.0", "48", "480": an estimate knows no more.
std::string two_digits(double value) {
    if (!(value > 0)) return "0";
    const int shift = 1 - static_cast<int>(std::floor(std::log10(value)));
    const double scale = std::pow(10.0, shift);
    const double rounded = std::round(value * scale) / scale;
    return fmt::format("{:.{}f}", rounded, std::max(0, 1 - static_cast<int>(std::floor(std::log10(rounded) + 1e-9))));
}

// Without a limit that says so: more operations than this per byte and arithmetic is what a rung is judged by.
constexpr double kComputeIntensity = 4;

bool compute_bound(const Measurement& m) {
    if (m.limit) return m.limit->bound == Bound::compute;
    return static_cast<double>(m.work.arithmetic()) > kComputeIntensity * static_cast<double>(m.work.bytes());
}

bool same_problem(const Measurement& a, const Measurement& b) {
    return a.operation == b.operation && a.device == b.device && a.problem == b.problem && a.variant == b.variant;
}

std::string text_or_dash(std::string text) { return text.empty() ? "-" : text; }

std::string percent_of_limit(const Measurement& m) {
    const auto fraction = fraction_of_limit(m);
    return fraction ? format_percent(*fraction) : "-";
}

std::string against_library(const Measurement& m, std::span<const Measurement> all) {
    const Measurement* library = m.library ? nullptr : fastest_library(m, all);
    const auto factor = library ? speedup(*library, m) : std::nullopt;
    return factor ? fmt::format("×{:.2f}", *factor) : "-";
}

std::string named(const Measurement& m) {
    return fmt::format("{}/{}{}", m.operation, m.rung, m.library ? " (library)" : "");
}

std::string problem_of(const Measurement& m) {
    std::string text = format_problem(m);
    if (!m.variant.empty()) text += " " + m.variant;
    if (!m.input.empty()) text += fmt::format(", {} input", m.input);
    return text;
}

std::string plain(double value) { return fmt::format("{}", value); }

Table empty_verdict_table() { return {{{"rung"}, {"device"}, {"type"}, {"problem"}, {"verdict"}, {"reason"}}, {}}; }

std::vector<std::string> verdict_row(const Measurement& m, std::string problem) {
    return {
        named(m), m.device, std::string(name_of(m.problem.dtype)), std::move(problem), std::string(name_of(m.verdict)),
        m.reason};
}

// "computes int32 only, not float32" → "computes int32 only": a rung's types are one reason.
std::string_view reason_of_refusal(const Measurement& m) {
    const std::string_view reason = m.reason;
    return reason.starts_with("computes ") ? reason.substr(0, reason.rfind(", not ")) : reason;
}

int count(std::span<const Measurement> all, Verdict verdict) {
    return static_cast<int>(std::count_if(all.begin(), all.end(), [&](auto& m) { return m.verdict == verdict; }));
}

std::vector<std::string> bench_row(const Measurement& m, std::span<const Measurement> all) {
    const std::vector<std::string> which{named(m), m.device, std::string(name_of(m.problem.dtype)), problem_of(m)};
    std::vector<std::string> row = which;
    const Summary hot = summarize(m.hot_s);
    for (std::string cell :
         {text_or_dash(format_time(m)), fmt::format("{}", m.cold_s.size()),
          hot.count ? format_seconds(hot.median) : "-", text_or_dash(format_rate(m)), percent_of_limit(m),
          against_library(m, all), m.ok() ? "" : fmt::format("{}: {}", name_of(m.verdict), m.reason)})
        row.push_back(std::move(cell));
    return row;
}

}  // namespace

std::string format_amount(double amount, std::string_view unit) {
    constexpr std::array prefixes{"", "k", "M", "G", "T", "P"};
    std::size_t prefix = 0;
    for (; prefix + 1 < prefixes.size() && amount >= 999.5; ++prefix) amount /= 1000;
    const int digits = prefix == 0 || amount >= 99.95 ? 0 : amount >= 9.995 ? 1 : 2;
    return fmt::format("{:.{}f} {}{}", amount, digits, prefixes[prefix], unit);
}

std::string format_problem(const Measurement& measurement) {
    std::string text;
    for (std::size_t axis = 0; axis < measurement.axes.size(); ++axis)
        text += fmt::format("{}{}", axis ? "x" : "", measurement.problem.extent[axis]);
    return text;
}

std::string format_time(const Measurement& measurement) {
    const Summary cold = summarize(measurement.cold_s);
    if (cold.count == 0) return {};
    return fmt::format("{} ± {}", format_seconds(cold.median), format_seconds(cold.interquartile_range()));
}

std::string format_rate(const Measurement& measurement) {
    const double median = summarize(measurement.cold_s).median;
    if (!(median > 0)) return {};
    return compute_bound(measurement) ? format_flops(static_cast<double>(measurement.work.arithmetic()) / median)
                                      : format_bandwidth(static_cast<double>(measurement.work.bytes()) / median);
}

std::string format_estimate(double time_s, double low_s, double high_s) {
    const TimeUnit unit = unit_of(time_s);
    return fmt::format("about {} {} ({} to {} {})", two_digits(time_s / unit.seconds), unit.name,
                       two_digits(low_s / unit.seconds), two_digits(high_s / unit.seconds), unit.name);
}

std::string format_estimate(const EstimatedTime& estimate) {
    return format_estimate(estimate.time_s, estimate.low_s, estimate.high_s);
}

std::string format_estimate_short(const EstimatedTime& estimate) {
    const TimeUnit unit = unit_of(estimate.time_s);
    return fmt::format("{} {} ({}–{})", two_digits(estimate.time_s / unit.seconds), unit.name,
                       two_digits(estimate.low_s / unit.seconds), two_digits(estimate.high_s / unit.seconds));
}

double share_of_limit(const EstimatedTime& estimate) {
    return estimate.time_s > 0 ? std::min(1.0, estimate.limit_s / estimate.time_s) : 0;
}

std::string format_share_of_limit(const EstimatedTime& estimate) {
    return fmt::format("{:.0f}%", share_of_limit(estimate) * 100);
}

const Measurement* fastest_library(const Measurement& measurement, std::span<const Measurement> all) {
    const Measurement* fastest = nullptr;
    for (const Measurement& candidate : all) {
        if (!candidate.library || candidate.cold_s.empty() || !same_problem(candidate, measurement)) continue;
        if (!fastest || *speedup(*fastest, candidate) > 1) fastest = &candidate;
    }
    return fastest;
}

std::optional<double> speedup(const Measurement& slow, const Measurement& fast) {
    const double numerator = summarize(slow.cold_s).median, denominator = summarize(fast.cold_s).median;
    if (!(numerator > 0) || !(denominator > 0)) return std::nullopt;
    return numerator / denominator;
}

void share_limits(std::span<Measurement> measurements) {
    for (Measurement& m : measurements)
        for (const Measurement& other : measurements)
            if (m.limit && other.limit && same_problem(m, other) && other.limit->seconds < m.limit->seconds)
                m.limit = other.limit;
}

Table bench_table(std::span<const Measurement> measurements) {
    Table table{{{"rung"},
                 {"device"},
                 {"type"},
                 {"problem"},
                 {"cold median ± IQR", Align::right},
                 {"n", Align::right},
                 {"hot", Align::right},
                 {"rate", Align::right},
                 {"of limit", Align::right},
                 {"vs library", Align::right}},
                {}};
    for (const Measurement& m : measurements) table.rows.push_back(bench_row(m, measurements));
    const bool all_ok = count(measurements, Verdict::ok) == static_cast<int>(measurements.size());
    if (all_ok)
        for (auto& row : table.rows) row.pop_back();
    else
        table.columns.push_back({"note"});
    return table;
}

Table verdict_table(std::span<const Measurement> measurements) {
    Table table = empty_verdict_table();
    for (const Measurement& m : measurements) table.rows.push_back(verdict_row(m, problem_of(m)));
    return table;
}

Table failure_table(std::span<const Measurement> measurements) {
    Table table = empty_verdict_table();
    for (const Measurement& m : measurements) {
        if (!m.ok() && m.verdict != Verdict::refused) table.rows.push_back(verdict_row(m, problem_of(m)));
    }
    return table;
}

std::vector<Refusals> group_refusals(std::span<const Measurement> measurements) {
    std::vector<Refusals> groups;
    for (const Measurement& m : measurements) {
        if (m.verdict != Verdict::refused) continue;
        const std::string_view reason = reason_of_refusal(m);
        auto group = std::ranges::find(groups, reason, &Refusals::reason);
        if (group == groups.end()) group = groups.insert(groups.end(), {reason, 0, {}});
        ++group->checks;
        const auto same = [&](const Measurement* other) {
            return named(*other) == named(m) && other->device == m.device;
        };
        if (std::ranges::none_of(group->rungs, same)) group->rungs.push_back(&m);
    }
    std::ranges::stable_sort(groups, std::ranges::greater(), &Refusals::checks);
    return groups;
}

std::string describe_refusals(std::span<const Measurement> measurements) {
    constexpr std::size_t kMost = 8;  // what would follow is not read
    const std::vector<Refusals> groups = group_refusals(measurements);
    std::string text;
    for (const Refusals& group : std::span(groups).first(std::min(groups.size(), kMost))) {
        const Measurement& first = *group.rungs[0];
        text +=
            fmt::format("  {} refused, {}: {}\n", group.checks,
                        group.rungs.size() > 1 ? fmt::format("{} rungs", group.rungs.size())
                                               : fmt::format("{}/{} on {}", first.operation, first.rung, first.device),
                        group.reason);
    }
    if (groups.size() > kMost)
        text += fmt::format("  and for {} more reasons; --verbose lists every check\n", groups.size() - kMost);
    return text;
}

Table figures_table(std::span<const Measurement> measurements) {
    Table table{{{"operation"}, {"rung"},          {"device"},     {"dtype"},        {"problem"},
                 {"variant"},   {"seed"},          {"verdict"},    {"reason"},       {"library"},
                 {"samples"},   {"cold_median_s"}, {"cold_iqr_s"}, {"hot_median_s"}, {"bytes"},
                 {"flops"},     {"bound"},         {"limit_s"},    {"fraction"},     {"cold_min_s"},
                 {"cold_p5_s"}, {"cold_p25_s"},    {"cold_p75_s"}, {"cold_p95_s"},   {"cold_max_s"}},
                {}};
    for (const Measurement& m : measurements) {
        const Summary cold = summarize(m.cold_s), hot = summarize(m.hot_s);
        const auto fraction = fraction_of_limit(m);
        table.rows.push_back({m.operation, m.rung, m.device, std::string(name_of(m.problem.dtype)), format_problem(m),
                              m.variant, fmt::format("{}", m.seed), std::string(name_of(m.verdict)), m.reason,
                              m.library ? "true" : "false", fmt::format("{}", cold.count),
                              cold.count ? plain(cold.median) : "", cold.count ? plain(cold.interquartile_range()) : "",
                              hot.count ? plain(hot.median) : "", fmt::format("{}", m.work.bytes()),
                              fmt::format("{}", m.work.flops), m.limit ? std::string(name_of(m.limit->bound)) : "",
                              m.limit ? plain(m.limit->seconds) : "", fraction ? plain(*fraction) : ""});
        std::vector<double> sorted = m.cold_s;
        std::ranges::sort(sorted);
        for (const double share : {0.0, 0.05, 0.25, 0.75, 0.95, 1.0})
            table.rows.back().push_back(sorted.empty() ? "" : plain(quantile(sorted, share)));
    }
    return table;
}

std::string describe_checks(std::span<const Measurement> measurements,
                            const std::function<std::string(const std::string& id)>& device) {
    if (measurements.empty()) return {};
    std::vector<std::string> operations, rungs, types, sizes, devices;
    const auto add = [](std::vector<std::string>& to, std::string text) {
        if (std::ranges::find(to, text) == to.end()) to.push_back(std::move(text));
    };
    for (const Measurement& m : measurements) {
        add(operations, m.operation);
        add(rungs, named(m));
        add(types, std::string(name_of(m.problem.dtype)));
        add(sizes, format_problem(m));
        add(devices, device(m.device));
    }
    // All of them where they are few, else how many.
    const auto listed = [](const std::vector<std::string>& all, std::string_view word) {
        constexpr std::size_t kFew = 4;
        return all.size() <= kFew ? fmt::format("{}", fmt::join(all, ", ")) : fmt::format("{} {}", all.size(), word);
    };
    std::string size = sizes.size() == 1 ? sizes[0] : fmt::format("{} sizes", sizes.size());
    if (sizes.size() > 1 && operations.size() == 1) {
        const auto elements = [](const Measurement& m) {
            return std::accumulate(m.problem.extent.begin(), m.problem.extent.end(), 1.0, std::multiplies());
        };
        const auto [least, most] = std::ranges::minmax_element(measurements, {}, elements);
        size += fmt::format(" from {} to {}", format_problem(*least), format_problem(*most));
    }
    return fmt::format("{}: {}; {}; on {}", rungs.size() == 1 ? rungs[0] : listed(operations, "operations"),
                       listed(types, "types"), size, fmt::join(devices, " and "));
}

std::string count_verdicts(std::span<const Measurement> measurements) {
    std::string text = fmt::format("{} check{}:", measurements.size(), measurements.size() == 1 ? "" : "s");
    bool first = true;
    for (const Verdict verdict : {Verdict::ok, Verdict::wrong, Verdict::failed, Verdict::refused}) {
        const int number = count(measurements, verdict);
        if (number == 0 && verdict != Verdict::ok) continue;
        text += fmt::format("{} {} {}", first ? "" : ",", number, name_of(verdict));
        first = false;
    }
    int hard = 0;
    for (const Measurement& m : measurements) hard += m.hard_inputs;
    if (hard > 0) text += fmt::format("; {} runs with hard inputs", hard);
    return text;
}

int status_of(std::span<const Measurement> measurements) {
    if (count(measurements, Verdict::wrong) + count(measurements, Verdict::failed) > 0) return exit_status::wrong;
    const auto lacks_memory = [](const Measurement& m) {
        return m.verdict == Verdict::refused && m.reason.starts_with(kTooLittleMemory);
    };
    if (std::ranges::any_of(measurements, lacks_memory)) return exit_status::memory;
    return count(measurements, Verdict::ok) == 0 ? exit_status::unavailable : exit_status::good;
}

}  // namespace lanework

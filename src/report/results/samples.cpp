// Percentiles and histograms of samples.
#include "src/report/results/samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "src/core/quantile.hpp"
#include "src/core/text.hpp"
#include "src/report/results/results.hpp"

namespace lanework {
namespace {

constexpr std::size_t kHistogramColumns = 16;
constexpr std::string_view kHeights[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr std::size_t kHighest = std::size(kHeights) - 1;

std::vector<std::size_t> counts_of(std::span<const double> samples, std::size_t columns) {
    const auto [least, most] = std::ranges::minmax(samples);
    std::vector<std::size_t> counts(columns);
    for (const double sample : samples) {
        const double share = most > least ? (sample - least) / (most - least) : 0;
        ++counts[std::min(columns - 1, static_cast<std::size_t>(share * static_cast<double>(columns)))];
    }
    return counts;
}

}  // namespace

std::string histogram(std::span<const double> samples, std::size_t columns) {
    if (samples.empty() || columns == 0) return {};
    const auto counts = counts_of(samples, columns);
    const std::size_t most = std::ranges::max(counts);
    std::string text;
    for (const std::size_t count : counts) text += kHeights[(count * kHighest + most - 1) / most];
    return text;
}

Table samples_table(std::span<const Measurement> measurements) {
    constexpr std::pair<std::string_view, double> percentiles[] = {
        {"least", 0}, {"5%", 0.05}, {"25%", 0.25}, {"median", 0.5}, {"75%", 0.75}, {"95%", 0.95}, {"most", 1}};
    Table table{{{"samples of"}, {"problem"}, {"n", Align::right}}, {}};
    for (const auto& [title, share] : percentiles) table.columns.push_back({std::string(title), Align::right});
    table.columns.push_back({"least to most"});
    for (const Measurement& m : measurements) {
        if (m.cold_s.empty()) continue;
        std::vector<double> sorted = m.cold_s;
        std::ranges::sort(sorted);
        std::vector<std::string> row{fmt::format("{}/{} on {}", m.operation, m.rung, m.device), format_problem(m),
                                     fmt::format("{}", sorted.size())};
        for (const auto& [title, share] : percentiles) row.push_back(format_seconds(quantile(sorted, share)));
        row.push_back(histogram(sorted, kHistogramColumns));
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace lanework

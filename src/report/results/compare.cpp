// Matches the results of two files and decides which differences mean something.
#include "src/report/results/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <lanework/error.hpp>

#include "src/core/text.hpp"

namespace lanework {
namespace {

constexpr Change kChanges[] = {Change::same,   Change::faster, Change::slower, Change::broken,
                               Change::mended, Change::added,  Change::removed};

// The same lengths by the names of their axes: a program that wrote the file again may have changed their order.
bool same_shape(const Measurement& a, const Measurement& b) {
    if (a.axes.size() != b.axes.size()) return false;
    for (std::size_t i = 0; i < a.axes.size(); ++i) {
        const auto at = static_cast<std::size_t>(std::find(b.axes.begin(), b.axes.end(), a.axes[i]) - b.axes.begin());
        if (at == b.axes.size() || a.problem.extent[i] != b.problem.extent[at]) return false;
    }
    return true;
}

bool matches(const Measurement& a, const Measurement& b) {
    return a.operation == b.operation && a.rung == b.rung && a.device == b.device && a.variant == b.variant &&
           same_shape(a, b) && a.problem.dtype == b.problem.dtype;
}

// Of several results of the same, the last counts.
const Measurement* find_match(const Measurement& wanted, const Results& results) {
    const auto& all = results.measurements;
    const auto found = std::find_if(all.rbegin(), all.rend(), [&](const auto& m) { return matches(m, wanted); });
    return found == all.rend() ? nullptr : &*found;
}

bool beyond_noise(const Summary& before, const Summary& after) {
    const double noise = (before.interquartile_range() + after.interquartile_range()) / 2;
    return std::abs(after.median - before.median) > noise;
}

Change change_of(double ratio, double threshold) {
    if (ratio > 1 + threshold) return Change::slower;
    return ratio < 1 / (1 + threshold) ? Change::faster : Change::same;
}

Change change_of_verdict(const Measurement& before, const Measurement& after) {
    if (before.ok() == after.ok()) return Change::same;
    return before.ok() ? Change::broken : Change::mended;
}

/// An estimate follows from counters, which are the same each time: it has no noise.
Comparison estimates_compared(const Measurement& before, const Measurement& after, Comparison result,
                              double threshold) {
    if (result.change != Change::same || !before.estimate || !after.estimate) return result;
    if (before.estimate->gpu != after.estimate->gpu) return result;
    const double old = before.estimate->time_s, now = after.estimate->time_s;
    if (!(old > 0) || !(now > 0)) return result;
    result.ratio = now / old;
    result.beyond_noise = now != old;
    result.change = change_of(*result.ratio, threshold);
    return result;
}

Comparison comparison(const Measurement& before, const Measurement& after, double threshold) {
    Comparison result{.before = &before, .after = &after, .change = change_of_verdict(before, after)};
    if (before.cold_s.empty() && after.cold_s.empty()) return estimates_compared(before, after, result, threshold);
    const Summary old = summarize(before.cold_s), now = summarize(after.cold_s);
    if (result.change != Change::same || !(old.median > 0) || !(now.median > 0)) return result;
    result.ratio = now.median / old.median;
    result.beyond_noise = beyond_noise(old, now);
    if (result.beyond_noise) result.change = change_of(*result.ratio, threshold);
    return result;
}

std::string figure(const Measurement* m) {
    if (!m) return "-";
    if (!m->cold_s.empty()) return format_time(*m);
    return m->ok() && m->estimate ? "about " + format_seconds(m->estimate->time_s) : std::string(name_of(m->verdict));
}

std::string meaning(const Comparison& c) {
    if (!c.ratio) return c.after && !c.after->ok() ? c.after->reason : "";
    if (c.after->cold_s.empty()) return "estimated for " + c.after->estimate->gpu;
    return c.beyond_noise ? "beyond the noise" : "within the noise";
}

}  // namespace

std::string_view name_of(Change change) {
    constexpr std::string_view names[] = {"same", "faster", "slower", "broken", "mended", "added", "removed"};
    return names[static_cast<int>(change)];
}

std::vector<Comparison> compare(const Results& before, const Results& after, double threshold) {
    std::vector<Comparison> result;
    for (const Measurement& m : after.measurements) {
        if (find_match(m, after) != &m) continue;
        const Measurement* old = find_match(m, before);
        result.push_back(old ? comparison(*old, m, threshold) : Comparison{.after = &m, .change = Change::added});
    }
    for (const Measurement& m : before.measurements)
        if (find_match(m, before) == &m && !find_match(m, after))
            result.push_back({.before = &m, .change = Change::removed});
    for (Comparison& each : result)
        if (each.after && !each.after->library)
            if (const Measurement* const library = fastest_library(*each.after, after.measurements))
                each.against_library = speedup(*library, *each.after);
    return result;
}

bool any_matched(std::span<const Comparison> comparisons) {
    return std::any_of(comparisons.begin(), comparisons.end(), [](auto& c) { return c.before && c.after; });
}

bool regressed(std::span<const Comparison> comparisons) {
    return std::any_of(comparisons.begin(), comparisons.end(),
                       [](auto& c) { return c.change == Change::slower || c.change == Change::broken; });
}

Table comparison_table(std::span<const Comparison> comparisons) {
    Table table{{{"rung"},
                 {"device"},
                 {"type"},
                 {"problem"},
                 {"before", Align::right},
                 {"after", Align::right},
                 {"ratio", Align::right},
                 {"change"},
                 {"note"}},
                {}};
    const bool libraries = std::ranges::any_of(comparisons, [](auto& c) { return c.against_library.has_value(); });
    if (libraries) table.columns.insert(table.columns.end() - 1, {"vs library", Align::right});
    for (const Comparison& c : comparisons) {
        const Measurement& m = c.after ? *c.after : *c.before;
        const std::string problem = format_problem(m) + (m.variant.empty() ? "" : " " + m.variant);
        table.rows.push_back({m.rung.empty() ? m.operation : m.operation + "/" + m.rung, m.device,
                              m.rung.empty() ? "" : std::string(name_of(m.problem.dtype)), problem, figure(c.before),
                              figure(c.after), c.ratio ? fmt::format("×{:.3f}", *c.ratio) : "-",
                              std::string(name_of(c.change)), meaning(c)});
        auto& row = table.rows.back();
        if (libraries) row.insert(row.end() - 1, c.against_library ? fmt::format("×{:.2f}", *c.against_library) : "-");
    }
    return table;
}

std::string count_changes(std::span<const Comparison> comparisons) {
    std::string text = fmt::format("{} result{} compared", comparisons.size(), comparisons.size() == 1 ? "" : "s");
    bool first = true;
    for (const Change change : kChanges) {
        const auto number =
            std::count_if(comparisons.begin(), comparisons.end(), [=](auto& c) { return c.change == change; });
        if (number == 0) continue;
        text += fmt::format("{} {} {}", first ? ":" : ",", number, name_of(change));
        first = false;
    }
    return text;
}

double parse_threshold(std::string_view text) {
    const bool percent = text.ends_with('%');
    const std::string_view digits = text.substr(0, text.size() - (percent ? 1 : 0));
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool whole = error == std::errc() && end == digits.data() + digits.size();
    const double share = percent ? value / 100 : value;
    if (!whole || !(share >= 0) || !std::isfinite(share) || (!percent && share > 1))
        throw UsageError(
            fmt::format("threshold `{}` is neither a percentage such as 5% nor a share such as 0.05", text));
    return share;
}

}  // namespace lanework

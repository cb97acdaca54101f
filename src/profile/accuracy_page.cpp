// Writes the accuracy page: the sums first, then every difference with its reason.
#include "src/profile/accuracy_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "src/draw/table.hpp"
#include "src/profile/profile_report.hpp"

namespace lanework {
namespace {

std::string code(std::string_view text) { return fmt::format("`{}`", text); }

std::string provenance(std::span<const Recording> recordings) {
    // A fact that differs between the recordings is listed once for each value.
    std::vector<std::pair<std::string, std::set<std::string>>> facts;
    for (const Recording& recording : recordings)
        for (const Fact& fact : recording.provenance) {
            auto found = std::ranges::find(facts, fact.name, &std::pair<std::string, std::set<std::string>>::first);
            if (found == facts.end()) found = facts.insert(facts.end(), {fact.name, {}});
            found->second.insert(fact.value);
        }
    Table table{{{"recorded with"}, {""}}, {}};
    for (const auto& [name, values] : facts) {
        std::string joined;
        for (const std::string& value : values) joined += (joined.empty() ? "" : "; ") + value;
        table.rows.push_back({name, joined});
    }
    return to_markdown(table);
}

std::string exact_table(const Accuracy& accuracy) {
    struct Count {
        std::size_t equal = 0, different = 0;
    };
    std::map<std::string_view, Count> counts;
    for (const CounterComparison* comparison : accuracy.equal) ++counts[comparison->metric->name].equal;
    for (const auto& difference : accuracy.different) ++counts[difference.first->metric->name].different;
    const Align right = Align::right;
    Table table{{{"metric"}, {""}, {"compared", right}, {"equal", right}, {"different", right}}, {}};
    for (const Metric& metric : metrics()) {
        const auto found = counts.find(metric.name);
        if (found == counts.end()) continue;
        const Count& count = found->second;
        table.rows.push_back({code(metric.name), std::string(metric.label),
                              fmt::format("{}", count.equal + count.different), fmt::format("{}", count.equal),
                              fmt::format("{}", count.different)});
    }
    return to_markdown(table);
}

// One line for each rung, metric and reason; the problems and figures of its launches side by side.
std::string difference_table(const Accuracy& accuracy) {
    std::map<std::array<std::string, 3>, std::string> lines;
    for (const auto& [comparison, known] : accuracy.different) {
        std::string& figures = lines[{comparison->operation + "/" + comparison->rung,
                                      std::string(comparison->metric->name), known ? known->reason : "not known"}];
        figures += fmt::format("{}{}: {} ({})", figures.empty() ? "" : "; ", comparison->problem,
                               format_counter(comparison->hardware), format_counter(comparison->predicted));
    }
    Table table{{{"rung"}, {"metric"}, {"hardware (ours)"}, {"why"}}, {}};
    for (const auto& [key, figures] : lines) table.rows.push_back({code(key[0]), code(key[1]), figures, key[2]});
    return to_markdown(table);
}

std::string modelled_table(std::span<const CounterComparison> comparisons) {
    const Align right = Align::right;
    Table table{{{"metric"},
                 {"compared", right},
                 {"equal", right},
                 {"least", right},
                 {"median", right},
                 {"most", right},
                 {"why"}},
                {}};
    for (const Metric& metric : metrics()) {
        std::vector<double> ratios;
        std::size_t compared = 0, equal = 0;
        for (const CounterComparison& each : comparisons) {
            if (each.metric != &metric || each.trust != Trust::modelled || !each.complete()) continue;
            ++compared;
            equal += each.equal();
            if (*each.hardware > 0) ratios.push_back(*each.predicted / *each.hardware);
        }
        if (compared == 0) continue;
        const Summary summary = summarize(ratios);
        const auto text = [&](double ratio) { return ratios.empty() ? "–" : fmt::format("{:.2f}", ratio); };
        table.rows.push_back({code(metric.name), fmt::format("{}", compared), fmt::format("{}", equal),
                              text(summary.minimum), text(summary.median), text(summary.maximum),
                              std::string(metric.reason)});
    }
    return to_markdown(table);
}

std::string unavailable_table() {
    Table table{{{"metric"}, {"why"}}, {}};
    for (const Metric& metric : metrics())
        if (metric.trust == Trust::unavailable && metric.with_code == Trust::unavailable)
            table.rows.push_back({code(metric.name), std::string(metric.reason)});
    return to_markdown(table);
}

std::string untraced_table(std::span<const Untraced> untraced) {
    Table table{{{"rung"}, {"problem"}, {"why"}}, {}};
    for (const Untraced& run : untraced) table.rows.push_back({code(run.rung), run.problem, run.reason});
    return to_markdown(table);
}

std::size_t count_launches(std::span<const Recording> recordings) {
    std::size_t launches = 0;
    for (const Recording& recording : recordings)
        for (const RecordedRun& run : recording.runs) launches += run.launches.size();
    return launches;
}

/// A count of the source's that the machine code may make the hardware's.
bool may_become_exact(const Metric& metric) { return metric.trust != Trust::exact && metric.with_code == Trust::exact; }

// Of counters that may become exact: how many are, and by kernel and reason those that are not, of launches whose code
// was followed.
std::string inexact_part(const TracedRecordings& traced) {
    std::size_t all = 0, exact = 0;
    std::map<std::pair<std::string, std::string>, std::size_t> counts;
    for (const CounterComparison& each : traced.comparisons) {
        if (!each.complete() || !may_become_exact(*each.metric)) continue;
        ++all;
        exact += each.trust == Trust::exact;
        if (each.trust == Trust::modelled && each.reason != each.metric->reason)
            ++counts[{each.operation + "/" + each.rung, std::string(each.reason)}];
    }
    Table table{{{"rung"}, {"counters", Align::right}, {"why"}}, {}};
    for (const auto& [key, count] : counts)
        table.rows.push_back({code(key.first), fmt::format("{}", count), key.second});
    return fmt::format(
               "\n## What is not exact\n\nOf {} counters of accesses and branches {} are marked exact ({:.1f}%). "
               "Where the code was followed, these are not:\n\n",
               all, exact, 100 * per(exact, all)) +
           to_markdown(table);
}

constexpr const char* kOpening =
    "# How near Explain comes to the hardware\n"
    "\n"
    "`scripts/accuracy-page` makes this page: it repeats on the simt device, on any machine, the runs whose counters\n"
    "Nsight Compute read on a GPU (`scripts/record-counters`), and compares launch by launch. A test keeps it in "
    "step.\n"
    "\n";

// Rungs whose code was not followed, each reason once.
std::string not_followed_table(std::span<const Untraced> launches) {
    std::map<std::pair<std::string, std::string>, std::size_t> counts;
    for (const Untraced& launch : launches) ++counts[{launch.rung, launch.reason}];
    Table table{{{"kernel"}, {"launches", Align::right}, {"why"}}, {}};
    for (const auto& [key, count] : counts)
        table.rows.push_back({code(key.first), fmt::format("{}", count), key.second});
    return to_markdown(table);
}

}  // namespace

std::string describe(const CounterComparison& comparison) {
    return fmt::format("{}/{} {}, launch {} ({}): {} is {} and traced {}", comparison.operation, comparison.rung,
                       comparison.problem, comparison.launch, comparison.kernel, comparison.metric->name,
                       format_counter(comparison.hardware), format_counter(comparison.predicted));
}

std::string machine_code_page(std::span<const Recording> recordings, const TracedRecordings& traced,
                              std::span<const KnownDifference> known) {
    std::string page =
        "# How near the machine code, followed, comes to the hardware\n\n"
        "`scripts/accuracy-page LANEWORK --machine-code` makes this page where nvcc and nvdisasm are: it repeats runs "
        "whose\ncounters Nsight Compute read, and executes the machine code of each launch "
        "(`docs/decisions/machine-code.md`).\n\n";
    std::vector<CounterComparison> exact;
    for (const CounterComparison& each : traced.comparisons)
        if (each.trust == Trust::exact) exact.push_back(each);
    const Accuracy accuracy = judge(exact, known);
    page += provenance(recordings);
    page += fmt::format(
        "\n## Exact counters\n\nThe code of {} of {} launches was followed. {} counters are marked exact: {} are equal "
        "to "
        "the hardware's, {} differ.\n\n",
        traced.launches - traced.not_followed.size(), traced.launches, accuracy.compared(), accuracy.equal.size(),
        accuracy.different.size());
    page += exact_table(accuracy);
    if (!accuracy.different.empty()) page += "\n## What differs\n\n" + difference_table(accuracy);
    page += inexact_part(traced);
    page += "\n## Modelled counters\n\nOurs ÷ the hardware's, over the launches where the hardware counted any.\n\n" +
            modelled_table(traced.comparisons);
    if (!traced.not_followed.empty())
        page += "\n## What was not followed\n\n" + not_followed_table(traced.not_followed);
    return page;
}

std::string accuracy_page(std::span<const Recording> recordings, const TracedRecordings& traced,
                          std::span<const KnownDifference> known) {
    std::string page = kOpening;
    if (recordings.empty()) return page + "Nothing was recorded yet.\n";
    const Accuracy accuracy = judge(traced.comparisons, known);
    page += provenance(recordings);
    page +=
        fmt::format("\n## Exact counters\n\n{} counters of {} launches were compared: {} are equal, {} differ.\n\n",
                    accuracy.compared(), count_launches(recordings), accuracy.equal.size(), accuracy.different.size());
    page += exact_table(accuracy);
    if (!accuracy.different.empty()) page += "\n## What differs, and why\n\n" + difference_table(accuracy);
    page += "\n## Modelled counters\n\nOurs ÷ the hardware's, over the launches where the hardware counted any.\n\n" +
            modelled_table(traced.comparisons);
    page += "\n## What only hardware can tell\n\n" + unavailable_table();
    if (!traced.untraced.empty()) page += "\n## What simt does not run\n\n" + untraced_table(traced.untraced);
    return page;
}

}  // namespace lanework

// Draws profiles for people and for programs.
#include "src/profile/profile_report.hpp"

#include <fmt/format.h>

#include "src/draw/table.hpp"

#include "src/io/json.hpp"

namespace lanework {
namespace {

// What ours is beside the hardware's: "equal", "+12", "-3.1%".
std::string difference(const CounterComparison& counter) {
    if (!counter.complete()) return "";
    if (counter.equal()) return "equal";
    const double more = *counter.predicted - *counter.hardware;
    if (*counter.hardware == 0) return fmt::format("{:+g}", more);
    return fmt::format("{:+.1f}%", 100 * more / *counter.hardware);
}

bool shows(const CounterComparison& counter) {
    return counter.hardware.value_or(0) != 0 || counter.predicted.value_or(0) != 0;
}

// Without a profiler there is no column of hardware; a narrow terminal has no room for the metric's own name.
Table table_of(std::span<const CounterComparison> launch, bool hardware, const Style& style) {
    constexpr int kRoomForMetrics = 110;
    const bool metrics = style.width == 0 || style.width >= kRoomForMetrics;
    const Align right = Align::right;
    Table table{{{"counter"}}, {}};
    if (hardware) table.columns.push_back({"hardware", right});
    table.columns.push_back({"predicted", right});
    if (hardware) table.columns.push_back({"difference", right});
    table.columns.push_back({"trust"});
    if (metrics) table.columns.push_back({"metric"});
    for (const CounterComparison& counter : launch) {
        if (!shows(counter)) continue;
        std::vector<std::string> row{std::string(counter.metric->label)};
        if (hardware) row.push_back(format_counter(counter.hardware));
        row.push_back(format_counter(counter.predicted));
        if (hardware) row.push_back(difference(counter));
        row.emplace_back(name_of(counter.trust));
        if (metrics) row.emplace_back(counter.metric->name);
        table.rows.push_back(std::move(row));
    }
    return table;
}

// The counters of each launch in turn.
template <class Visit>
void for_each_launch(const RungProfile& profile, Visit visit) {
    const std::span<const CounterComparison> all = profile.counters;
    for (std::size_t from = 0, to = 0; from < all.size(); from = to) {
        while (to < all.size() && all[to].launch == all[from].launch) ++to;
        visit(all.subspan(from, to - from));
    }
}

Json json_of(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json counters_of(std::span<const CounterComparison> launch) {
    Json counters = Json::array();
    for (const CounterComparison& counter : launch)
        counters.push_back({{"metric", counter.metric->name},
                            {"label", counter.metric->label},
                            {"unit", counter.metric->unit},
                            {"trust", name_of(counter.trust)},
                            {"reason", counter.reason},
                            {"hardware", json_of(counter.hardware)},
                            {"predicted", json_of(counter.predicted)}});
    return counters;
}

Json profile_of(const RungProfile& profile) {
    Json launches = Json::array();
    for_each_launch(profile, [&](std::span<const CounterComparison> launch) {
        launches.push_back({{"kernel", launch.front().kernel}, {"counters", counters_of(launch)}});
    });
    return {{"operation", profile.operation},
            {"rung", profile.rung},
            {"problem", profile.problem},
            {"no_hardware", profile.no_hardware},
            {"no_prediction", profile.no_prediction},
            {"launches", launches}};
}

}  // namespace

std::string format_counter(const std::optional<double>& value) {
    if (!value) return "–";
    const auto whole = static_cast<std::int64_t>(*value);
    return static_cast<double>(whole) == *value ? fmt::format("{}", whole) : fmt::format("{:.2f}", *value);
}

std::string draw(const RungProfile& profile, const Style& style) {
    const std::string title =
        profile.rung.empty() ? profile.operation : fmt::format("{}/{}", profile.operation, profile.rung);
    std::string text = paint(style, Ink::bold, title) + (profile.problem.empty() ? "" : "  ") + profile.problem + "\n";
    for_each_launch(profile, [&](std::span<const CounterComparison> launch) {
        text += fmt::format("\n{}{}\n", launch.front().kernel,
                            launch.front().launch == 0 ? "" : fmt::format(" (launch {})", launch.front().launch + 1));
        text += lanework::draw(table_of(launch, profile.no_hardware.empty(), style), style);
    });
    if (!profile.no_prediction.empty()) text += fmt::format("\nNothing is predicted: {}\n", profile.no_prediction);
    return text + "\n";
}

std::string profiles_to_json(std::span<const RungProfile> profiles, std::span<const Fact> environment) {
    Json facts = Json::object(), list = Json::array();
    for (const Fact& fact : environment) facts[fact.name] = fact.value;
    for (const RungProfile& profile : profiles) list.push_back(profile_of(profile));
    const Json document{{"schema", 1}, {"environment", facts}, {"profiles", list}};
    return json_document(document);
}

}  // namespace lanework

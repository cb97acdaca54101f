// Counts what a list holds, and draws the counts.
#include "src/report/particles/neighbors.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "src/core/text.hpp"
#include "src/draw/table.hpp"
#include "src/particles/box.hpp"
#include "src/report/results/facts.hpp"
#include "src/report/results/ladder.hpp"

#include "src/io/json.hpp"

namespace lanework {
namespace {

constexpr std::int64_t kMostRows = 24;  // of a histogram that fits a terminal
constexpr std::size_t kBarColumns = 40;

/// Atoms with first … last neighbours.
struct Bin {
    std::int64_t first, last, atoms;
};

std::vector<Bin> bins_of(const NeighborSummary& summary) {
    std::vector<Bin> bins;
    if (summary.histogram.empty()) return bins;
    const std::int64_t width = (summary.most - summary.least) / kMostRows + 1;
    for (std::int64_t first = summary.least; first <= summary.most; first += width) {
        Bin bin{first, std::min(first + width - 1, summary.most), 0};
        for (std::int64_t n = bin.first; n <= bin.last; ++n)
            bin.atoms += summary.histogram[static_cast<std::size_t>(n)];
        bins.push_back(bin);
    }
    return bins;
}

/// In one colour: few atoms are no worse than many.
std::string bar(const Style& style, double fraction) {
    Style plain = style;
    plain.colour = false;
    return paint(style, Ink::accent, draw_bar(plain, fraction, std::nullopt, kBarColumns));
}

Table histogram_table(const NeighborSummary& summary, const Style& style) {
    Table table{{{"neighbours", Align::right}, {"atoms", Align::right}}, {}};
    if (style.bars) table.columns.push_back({""});
    const std::vector<Bin> bins = bins_of(summary);
    std::int64_t largest = 1;
    for (const Bin& bin : bins) largest = std::max(largest, bin.atoms);
    for (const Bin& bin : bins) {
        table.rows.push_back(
            {bin.first == bin.last ? fmt::format("{}", bin.first) : fmt::format("{}–{}", bin.first, bin.last),
             fmt::format("{}", bin.atoms)});
        if (style.bars)
            table.rows.back().push_back(bar(style, static_cast<double>(bin.atoms) / static_cast<double>(largest)));
    }
    return table;
}

/// "indices and shifts"
std::string listed(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t k = 0; k < words.size(); ++k)
        text += (k == 0 ? "" : k + 1 < words.size() ? ", " : " and ") + words[k];
    return text;
}

Table times_table(const NeighborTiming& timing) {
    Table table{{{fmt::format("time of offsets, {}", listed(timing.arrays))},
                 {"clock of"},
                 {"median", Align::right},
                 {"± IQR", Align::right},
                 {"samples", Align::right}},
                {}};
    for (const NeighborTime& time : timing.times) {
        const Summary samples = summarize(time.samples_s);
        // Only the list itself is timed with cold caches too.
        table.rows.push_back({time.what == "list" ? fmt::format("list, caches {}", time.caches) : time.what,
                              "the " + time.clock, format_seconds(samples.median),
                              format_seconds(samples.interquartile_range()), fmt::format("{}", samples.count)});
    }
    return table;
}

void add_times(const NeighborTiming& timing, Json& document) {
    Json times = Json::array(), facts = Json::object();
    for (const NeighborTime& time : timing.times)
        times.push_back(
            {{"what", time.what}, {"clock", time.clock}, {"caches", time.caches}, {"samples_s", time.samples_s}});
    for (const Fact& fact : timing.environment) facts[fact.name] = fact.value;
    document["arrays"] = timing.arrays;
    document["times"] = times;
    document["environment"] = facts;
}

std::string box_text(const PeriodicBox& box) {
    if (box.vectors == BoxVectors{}) return "none";
    std::string text;
    for (const auto& v : box.vectors)
        text += fmt::format("{}({:.6g}, {:.6g}, {:.6g})", text.empty() ? "" : " ", v[0], v[1], v[2]);
    return text + ", periodic: " + periodic_text(box.periodic);
}

}  // namespace

template <class T>
std::vector<std::int64_t> coordination(const NeighborList<T>& list, bool half) {
    std::vector<std::int64_t> counts(static_cast<std::size_t>(list.atoms()));
    for (std::int64_t i = 0; i < list.atoms(); ++i) {
        counts[static_cast<std::size_t>(i)] += list.count(i);
        if (!half) continue;
        for (const std::int32_t j : list.of(i)) ++counts[static_cast<std::size_t>(j)];
    }
    return counts;
}

template <class T>
NeighborSummary summarize(const NeighborList<T>& list, bool half) {
    NeighborSummary summary{.atoms = list.atoms(), .pairs = list.pairs(), .half = half};
    const std::vector<std::int64_t> counts = coordination(list, half);
    if (counts.empty()) return summary;
    const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
    summary.least = *least;
    summary.most = *most;
    summary.mean = static_cast<double>(list.pairs()) * (half ? 2 : 1) / static_cast<double>(list.atoms());
    summary.histogram.assign(static_cast<std::size_t>(*most) + 1, 0);
    for (const std::int64_t count : counts) ++summary.histogram[static_cast<std::size_t>(count)];
    const auto shortest = std::min_element(list.distances.begin(), list.distances.end());
    if (shortest == list.distances.end()) return summary;
    const std::int64_t pair = shortest - list.distances.begin();
    const auto* row = std::upper_bound(list.offsets.begin(), list.offsets.end(), pair);
    summary.shortest = {row - list.offsets.begin() - 1, list.indices[static_cast<std::size_t>(pair)],
                        static_cast<double>(*shortest)};
    return summary;
}

std::vector<std::string> arrays_of(const NeighborOptions& options) {
    std::vector<std::string> names;
    if (options.first) names.emplace_back("first");
    names.emplace_back("indices");
    if (options.shifts) names.emplace_back("shifts");
    if (options.vectors) names.emplace_back("vectors");
    if (options.distances) names.emplace_back("distances");
    return names;
}

std::string draw(const NeighborSummary& summary, const NeighborSource& source, const Style& style,
                 const NeighborTiming& timing) {
    Section section{fmt::format("Neighbours in {}", source.file), {}};
    section.facts = {
        {"atoms", fmt::format("{}, in {} dimensions", summary.atoms, source.dimensions)},
        {"box", box_text(source.box)},
        {"cutoff", fmt::format("{}, in {} on {}", source.cutoff, source.dtype, source.device)},
        {"pairs", fmt::format("{}, {} list", summary.pairs, summary.half ? "half" : "full")},
        {"neighbours", fmt::format("{:.4g} on average, from {} to {}", summary.mean, summary.least, summary.most)}};
    if (const auto& pair = summary.shortest)
        section.facts.push_back({"shortest", fmt::format("{:.6g}, atoms {} and {}", pair->distance, pair->i, pair->j)});
    std::string text = draw(std::span(&section, 1), style);
    if (summary.atoms > 0) text += "\n" + draw(histogram_table(summary, style), style);
    if (!timing.times.empty()) text += "\n" + draw(times_table(timing), style);
    return text;
}

std::string neighbors_to_json(const NeighborSummary& summary, const NeighborSource& source,
                              const NeighborTiming& timing) {
    Json histogram = Json::array(), shortest;
    for (std::size_t n = 0; n < summary.histogram.size(); ++n)
        if (summary.histogram[n] > 0) histogram.push_back({{"neighbors", n}, {"atoms", summary.histogram[n]}});
    if (const auto& pair = summary.shortest) shortest = {{"i", pair->i}, {"j", pair->j}, {"distance", pair->distance}};
    Json document{{"schema", 1},
                  {"file", source.file},
                  {"format", source.format},
                  {"device", source.device},
                  {"dtype", source.dtype},
                  {"dimensions", source.dimensions},
                  {"cutoff", source.cutoff},
                  {"box", {{"vectors", source.box.vectors}, {"periodic", source.box.periodic}}},
                  {"half", summary.half},
                  {"atoms", summary.atoms},
                  {"pairs", summary.pairs},
                  {"coordination",
                   {{"mean", summary.mean}, {"min", summary.least}, {"max", summary.most}, {"histogram", histogram}}},
                  {"shortest", shortest}};
    if (!timing.times.empty()) add_times(timing, document);
    return json_document(document);
}

#define LANEWORK_INSTANTIATE(T)                                                    \
    template std::vector<std::int64_t> coordination(const NeighborList<T>&, bool); \
    template NeighborSummary summarize(const NeighborList<T>&, bool);
LANEWORK_INSTANTIATE(float)
LANEWORK_INSTANTIATE(double)
#undef LANEWORK_INSTANTIATE

}  // namespace lanework

// Reading, comparing, and the page.
#include "src/profile/time_accuracy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "src/core/text.hpp"
#include "src/draw/svg.hpp"
#include "src/trace/analyse/estimate.hpp"

#include "src/io/json.hpp"

namespace lanework {
namespace {

constexpr double kNear = 0.35, kDiffer = 1.1;

std::vector<Demand> read_demands(const Json& array) {
    std::vector<Demand> demands;
    for (const Json& figures : array) {
        Demand demand;
        for (const DemandFigure& figure : demand_figures()) {
            const auto found = figures.find(figure.name);
            demand.*figure.value = found == figures.end() ? 0 : found->get<double>();
        }
        demands.push_back(demand);
    }
    return demands;
}

/// Drawn by lot, once, of the 19 ladders that were recorded then; gray, coefficients, gelu and matmul came later.
constexpr std::string_view kFirstHalf[] = {"atomics", "decode", "gelu",  "gray",  "index",     "matmul",
                                           "nms",     "read",   "relay", "sobel", "transpose", "warp"};

double quantile(std::vector<double> values, double part) {
    if (values.empty()) return 0;
    std::ranges::sort(values);
    return values[std::min(values.size() - 1, static_cast<std::size_t>(part * static_cast<double>(values.size())))];
}

double share(std::size_t part, std::size_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string problem_of(const TimedRun& run) { return run.operation + run.key.substr(run.key.find(' ')); }

std::string row(std::string_view title, const TimeAccuracy& a) {
    return fmt::format("| {} | {} | {:.0f}% | {:.0f}% | {:.0f}% | ×÷ {:.2f} | {:.0f}% of {} |\n", title, a.times,
                       100 * a.median_error, 100 * a.within_35, 100 * a.in_band, a.band_of_90, 100 * a.ranked, a.pairs);
}

/// The operations of one half.
std::string names_of(const std::vector<TimedRun>& runs, bool seen) {
    std::set<std::string> names;
    for (const TimedRun& run : runs)
        if (run.seen == seen) names.insert(run.operation);
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

}  // namespace

std::vector<TimedRun> read_timed_runs(const std::filesystem::path& file, bool machine_code) {
    std::ifstream stream(file);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    const Json json = Json::parse(text);
    const char* const which = machine_code ? "code_demands" : "demands";
    std::vector<TimedRun> all;
    for (const Json& each : json.at("times"))
        all.push_back({.key = each.at("key").get<std::string>(),
                       .operation = each.at("operation").get<std::string>(),
                       .measured_s = each.at("measured_s").get<double>(),
                       .least_s = each.at("least_s").get<double>(),
                       .demands = each.contains(which) ? read_demands(each.at(which)) : std::vector<Demand>{},
                       .of_machine_code = machine_code,
                       .seen = false});
    for (TimedRun& run : all) run.seen = std::ranges::count(kFirstHalf, run.operation) != 0;
    std::erase_if(all, [](const TimedRun& run) { return run.demands.empty(); });
    return all;
}

double predicted_seconds(const TimedRun& run, const TimeParameters& parameters) {
    return std::max(run.least_s, time_of(run.demands, gpus().front(), parameters).seconds);
}

TimeAccuracy time_accuracy(const std::vector<TimedRun>& runs, bool seen, const TimeParameters& parameters) {
    TimeAccuracy found;
    std::vector<double> errors, factors;
    std::map<std::string, std::vector<const TimedRun*>> problems;
    std::size_t near = 0, inside = 0, right = 0;
    for (const TimedRun& run : runs) {
        if (run.seen != seen) continue;
        const double ratio = predicted_seconds(run, parameters) / run.measured_s;
        errors.push_back(std::abs(ratio - 1));
        factors.push_back(std::max(ratio, 1 / ratio));
        near += errors.back() <= kNear;
        inside += factors.back() <= band_of(run.of_machine_code, false);
        problems[problem_of(run)].push_back(&run);
    }
    for (const auto& [problem, rungs] : problems) {
        for (std::size_t i = 0; i < rungs.size(); ++i) {
            for (std::size_t k = i + 1; k < rungs.size(); ++k) {
                const TimedRun &a = *rungs[i], &b = *rungs[k];
                if (std::max(a.measured_s, b.measured_s) <= kDiffer * std::min(a.measured_s, b.measured_s)) continue;
                ++found.pairs;
                right += (predicted_seconds(a, parameters) < predicted_seconds(b, parameters)) ==
                         (a.measured_s < b.measured_s);
            }
        }
    }
    found.times = errors.size();
    found.median_error = quantile(errors, 0.5);
    found.band_of_90 = quantile(factors, 0.9);
    found.within_35 = share(near, errors.size());
    found.in_band = share(inside, errors.size());
    found.ranked = share(right, found.pairs);
    return found;
}

namespace {

/// The runs that are farthest off.
std::string farthest_off(std::vector<TimedRun> runs, std::string_view what) {
    std::string text = fmt::format(
        "\n## Farthest off, {}\n\n| rung and problem | measured | predicted | bound by | half "
        "|\n|---|--:|--:|---|---|\n",
        what);
    const auto factor = [](const TimedRun& run) {
        const double ratio = predicted_seconds(run) / run.measured_s;
        return std::max(ratio, 1 / ratio);
    };
    std::ranges::stable_sort(runs, std::greater(), factor);
    constexpr std::size_t kShown = 15;
    runs.resize(std::min(runs.size(), kShown));
    for (const TimedRun& run : runs)
        text += fmt::format("| `{}` | {} | {} | {} | {} |\n", run.key, format_seconds(run.measured_s),
                            format_seconds(predicted_seconds(run)),
                            name_of(time_of(run.demands, gpus().front()).bound()), run.seen ? "first" : "second");
    return text;
}

constexpr std::string_view kWritten = "as written", kFollowed = "machine code followed";

}  // namespace

std::string time_accuracy_page(const std::filesystem::path& file) {
    const std::vector<TimedRun> written = read_timed_runs(file, false), code = read_timed_runs(file, true);
    std::string text = fmt::format(
        "# How near the estimated times come\n\n"
        "`bench/time_model.cpp` makes this page and its picture from `{}`: what simt traced of our ladders "
        "(`time_model record`), beside the\n"
        "times that an NVIDIA H200 took for them (`results/h200/times-by-size.json`, caches cold; runs of up to 170 "
        "million bytes or\noperations). `{}`: no machine code at hand; `{}`: nvcc and nvdisasm were, and {} of {} "
        "runs were followed\nin every launch. The model's parameters were chosen by hand, from micro-benchmarks and "
        "documents, and times of both halves were\nlooked at while choosing: neither half is unseen. Kernels that "
        "nobody here wrote are in\n[results/h100/program-times.json](../results/h100/program-times.json). A fit to the "
        "first half, drawn by lot, made it better and the other worse, and was not\ntaken. A test keeps the page in "
        "step.\n\n"
        "First half: {}.\nSecond half: {}.\n\n"
        "| | times | median error | within ±35% | in the band | 90% are within | pairs in the right order |\n"
        "|---|--:|--:|--:|--:|--:|--:|\n",
        file.filename().string(), kWritten, kFollowed, code.size(), written.size(), names_of(written, true),
        names_of(written, false));
    const auto all_of = [](std::vector<TimedRun> runs) {
        for (TimedRun& run : runs) run.seen = false;
        return runs;
    };
    for (const auto& [runs, name] : {std::pair{&written, kWritten}, std::pair{&code, kFollowed}}) {
        if (runs->empty()) continue;
        text += row(fmt::format("first half, {}", name), time_accuracy(*runs, true));
        text += row(fmt::format("second half, {}", name), time_accuracy(*runs, false));
        text += row(fmt::format("all, {}", name), time_accuracy(all_of(*runs), false));
    }
    text += fmt::format(
        "\nPairs are rungs of one problem whose times differ by more than a tenth. The band that `explain` shows is ×÷ "
        "{} "
        "as written and ×÷ {} where\nmachine code was followed: that holds 90% of the times of [kernels that nobody "
        "here "
        "wrote](../results/h100/program-times.json), too, which\nno band does as written.\n\n"
        "![Predicted against measured times](explain-times.svg)\n",
        band_of(false, false), band_of(true, false));
    text += farthest_off(written, kWritten);
    if (!code.empty()) text += farthest_off(code, kFollowed);
    return text;
}

std::string time_accuracy_svg(const std::vector<TimedRun>& runs) {
    constexpr double kSide = 480, kMargin = 64, kFirst = -6, kLast = -1;  // powers of ten of seconds
    Svg svg(kSide + 2 * kMargin, kSide + 2 * kMargin);
    const auto across = [&](double seconds) {
        return kMargin + kSide * std::clamp((std::log10(seconds) - kFirst) / (kLast - kFirst), 0.0, 1.0);
    };
    const auto up = [&](double seconds) { return kSide + 2 * kMargin - across(seconds); };
    svg.text(kMargin, 28, "Predicted against measured times on an H200", {.size = 15, .bold = true});
    for (double decade = kFirst; decade <= kLast; ++decade) {
        const double at = std::pow(10, decade);
        svg.line(across(at), kMargin, across(at), kMargin + kSide, {.tone = Tone::faint});
        svg.line(kMargin, up(at), kMargin + kSide, up(at), {.tone = Tone::faint});
        svg.text(across(at), kMargin + kSide + 18, format_seconds(at), {.anchor = Anchor::middle});
        svg.text(kMargin - 6, up(at) + 4, format_seconds(at), {.anchor = Anchor::end});
    }
    const double least = std::pow(10, kFirst), most = std::pow(10, kLast);
    svg.line(across(least), up(least), across(most), up(most), {.tone = Tone::ink});
    const double band = band_of(!runs.empty() && runs.front().of_machine_code, false);
    for (const double factor : {band, 1 / band}) {
        const double begin = std::max(least, least / factor), end = std::min(most, most / factor);
        svg.line(across(begin), up(begin * factor), across(end), up(end * factor), {.tone = Tone::ink, .dashed = true});
    }
    for (const TimedRun& run : runs)
        svg.circle(across(run.measured_s), up(predicted_seconds(run)), 3.5,
                   {.tone = run.seen ? Tone::faint : Tone::accent, .opacity = 0.8});
    svg.text(kMargin + kSide, kMargin + kSide + 44, "measured", {.anchor = Anchor::end});
    svg.text(kMargin + 8, kMargin + 16, "predicted; the second half in colour, the first grey; dashed: the band");
    return svg.finish();
}

}  // namespace lanework

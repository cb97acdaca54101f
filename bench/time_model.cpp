// Records what simt traces of ladders beside recorded times, tries a fit of the model of time to the first half of the
// ladders, and writes the page that says how near it comes to both halves. The model's own parameters are no fit.
//
//   time_model record TIMES.json DEMANDS.json [MOST_WORK [MACHINE_CODE]]
//                                       traces the runs of a results file that ask for at most so many bytes or
//                                       operations, as written and, with 1, also their machine code; continues a file
//                                       that is there
//   time_model fit DEMANDS.json         parameters for src/trace/analyse/time_model.hpp
//   time_model page DEMANDS.json DOCS   DOCS/explain-times.md and its picture
//   time_model against DEMANDS.json TIMES.json GPU
//                                       how near another GPU's times come, of the same runs
//   time_model again GPU EXPLAINED.json…
//                                       kernels' times by this model, in files of `explain --json`, from the demands
//                                       that these have: what was traced stays
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <lanework/error.hpp>
#include <lanework/measurement.hpp>
#include <lanework/registry.hpp>

#include "src/core/host.hpp"
#include "src/io/file.hpp"
#include "src/profile/compiled_code.hpp"
#include "src/profile/time_accuracy.hpp"
#include "src/report/explain/estimate.hpp"
#include "src/report/results/json.hpp"
#include "src/trace/analyse/estimate.hpp"
#include "src/trace/record/explain.hpp"

#include "src/io/json.hpp"

namespace lanework {
namespace {

/// Mean of the logarithm's error, a ladder of many runs not much more than another; beyond a factor of 4 errors count
/// alike.
double loss(const std::vector<TimedRun>& runs, const TimeParameters& parameters) {
    constexpr double kMost = 1.4;
    std::map<std::string, std::pair<double, int>> ladders;
    for (const TimedRun& run : runs) {
        if (!run.seen) continue;
        auto& [sum, count] = ladders[run.operation];
        sum += std::min(kMost, std::abs(std::log(predicted_seconds(run, parameters) / run.measured_s)));
        ++count;
    }
    double total = 0, weights = 0;
    for (const auto& [name, ladder] : ladders) {
        const double weight = std::sqrt(ladder.second);
        total += weight * ladder.first / ladder.second;
        weights += weight;
    }
    return total / weights;
}

/// Random steps that are kept where they help more than they leave what is plausible: half of the ladders is little for
/// so many parameters.
TimeParameters fit(const std::vector<TimedRun>& runs) {
    constexpr double kFarthest = 3, kPull = 0.01;
    const TimeParameters first;
    TimeParameters best;
    const auto cost = [&](const TimeParameters& parameters) {
        double far = 0;
        for (const TimeParameter& each : time_parameters())
            far += std::pow(std::log(parameters.*each.value / first.*each.value), 2);
        return loss(runs, parameters) + kPull * far;
    };
    double least = cost(best);
    std::mt19937_64 draw(1);
    std::normal_distribution<double> step(0, 1);
    for (int turn = 0; turn < 12000; ++turn) {
        TimeParameters next = best;
        const double width = turn < 4000 ? 0.5 : turn < 8000 ? 0.2 : 0.05;
        const std::size_t changed = 1 + draw() % 3;
        for (std::size_t i = 0; i < changed; ++i) {
            const TimeParameter& parameter = time_parameters()[draw() % time_parameters().size()];
            const double begun = first.*parameter.value;
            next.*parameter.value =
                std::clamp(next.*parameter.value * std::exp(width * step(draw)), begun / kFarthest, begun * kFarthest);
        }
        const double now = cost(next);
        if (now >= least) continue;
        least = now;
        best = next;
    }
    return best;
}

// Five digits are enough, and a figure that is 0 is left out.
Json demands_json(const std::vector<Demand>& demands) {
    Json array = Json::array();
    for (const Demand& demand : demands) {
        Json figures = Json::object();
        for (const DemandFigure& figure : demand_figures())
            if (demand.*figure.value != 0)
                figures[std::string(figure.name)] = std::stod(fmt::format("{:.5g}", demand.*figure.value));
        array.push_back(std::move(figures));
    }
    return array;
}

std::string key_of(const Measurement& m) {
    std::string extents;
    for (const std::int64_t extent : std::span(m.problem.extent).first(m.axes.size()))
        extents += (extents.empty() ? "" : "x") + std::to_string(extent);
    return fmt::format("{}/{} {} {}{}", m.operation, m.rung, name_of(m.problem.dtype), extents,
                       m.variant.empty() ? "" : " " + m.variant);
}

/// A results file leaves out the last axes where they have their usual lengths, and names the variant.
Problem problem_of(const Measurement& m, const Operation& operation) {
    std::string size;
    for (std::size_t axis = 0; axis < m.axes.size(); ++axis) {
        if (axis >= operation.axes.size() || operation.axes[axis] != m.axes[axis])
            throw UsageError(fmt::format("{} has no axis `{}`", operation.name, m.axes[axis]));
        size += (axis ? "x" : "") + std::to_string(m.problem.extent[axis]);
    }
    Problem problem = parse_problem(operation, size, m.problem.dtype);
    if (!m.variant.empty()) problem.variant = parse_variant(operation, m.variant);
    return problem;
}

Json recorded(const Measurement& m, bool machine_code) {
    const Operation& operation = find_operation(m.operation);
    const Rung& rung = find_rung(operation, m.rung, DeviceKind::simt);
    const Problem problem = problem_of(m, operation);
    const Gpu& gpu = gpus().front();
    ExplainOptions options{.schedule = 0, .hazards = false, .gpu = &gpu};
    const Estimate written = estimate(explain(operation, rung, problem, m.seed, options), gpu);
    const auto short_number = [](double value) { return std::stod(fmt::format("{:.4g}", value)); };
    Json entry{{"key", key_of(m)},
               {"operation", m.operation},
               {"measured_s", short_number(summarize(m.cold_s).median)},
               {"least_s", short_number(written.least_s)},
               {"demands", demands_json(written.demands)}};
    if (!machine_code) return entry;
    const MachineCode code =
        compile_machine_code(std::string(rung.file), gpu.capability, find_code_tools(), cache_folder()).code;
    options.code = {&code, 1};
    const Estimate followed = estimate(explain(operation, rung, problem, m.seed, options), gpu);
    if (followed.of_machine_code) entry["code_demands"] = demands_json(followed.demands);
    return entry;
}

void write_text(const std::string& path, const std::string& text) {
    write_file(path, std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

void record(const std::string& times, const std::string& out, double most_work, bool machine_code) {
    std::map<std::string, std::string> kept;
    Json before{{"times", Json::array()}};
    if (std::ifstream file(out); file) before = Json::parse(std::string{std::istreambuf_iterator<char>(file), {}});
    for (const Json& entry : before.at("times"))
        if (!machine_code || entry.contains("code_demands"))
            kept[entry.at("key").get<std::string>()] = json_line(entry);
    std::vector<Measurement> runs = read_results(times).measurements;
    const auto work = [](const Measurement& m) { return static_cast<double>(std::max(m.work.bytes(), m.work.flops)); };
    std::ranges::stable_sort(runs, {}, work);
    for (const Measurement& m : runs) {
        if (m.library || m.cold_s.empty() || work(m) > most_work || kept.contains(key_of(m))) continue;
        try {
            kept[key_of(m)] = json_line(recorded(m, machine_code));
            std::cerr << key_of(m) << "\n";
        } catch (const std::exception& error) {
            std::cerr << key_of(m) << ": " << error.what() << "\n";
            continue;
        }
        std::string text = "{\"times\": [";
        for (const auto& [key, entry] : kept) text += (text.ends_with('[') ? "\n " : ",\n ") + entry;
        write_text(out, text + "\n]}\n");
    }
}

std::string line(const char* title, const TimeAccuracy& a) {
    return fmt::format("{:8} n {} median {:.3f} within35 {:.3f} band {:.3f} band90 {:.3f} ranked {:.3f} of {}\n", title,
                       a.times, a.median_error, a.within_35, a.in_band, a.band_of_90, a.ranked, a.pairs);
}

void print(const std::vector<TimedRun>& runs, const TimeParameters& parameters) {
    std::cout << line("first", time_accuracy(runs, true, parameters))
              << line("second", time_accuracy(runs, false, parameters));
}

void print_fit(const std::string& file) {
    const std::vector<TimedRun> written = read_timed_runs(file, false), code = read_timed_runs(file, true);
    std::vector<TimedRun> both = written;
    both.insert(both.end(), code.begin(), code.end());
    print(written, {});
    const TimeParameters fitted = fit(both);
    for (const TimeParameter& parameter : time_parameters())
        std::cout << fmt::format("{} = {:.3g}\n", parameter.name, fitted.*parameter.value);
    print(written, fitted);
    print(code, fitted);
    for (const TimedRun& run : written) {
        const ModelledTime time = time_of(run.demands, gpus().front(), fitted);
        std::string parts;
        for (std::size_t i = 0; i < kBottlenecks; ++i)
            parts += fmt::format(" {}:{:.3g}", name_of(static_cast<Bottleneck>(i)), 1e6 * time.parts_s[i]);
        std::cout << fmt::format("{:6.2f} {} {} | {:.4g} of {:.4g} |{}\n",
                                 predicted_seconds(run, fitted) / run.measured_s, run.seen ? "first" : "second",
                                 run.key, 1e6 * predicted_seconds(run, fitted), 1e6 * run.measured_s, parts);
    }
}

/// The demands, asked of another GPU, beside its times of the same runs.
void print_against(const std::string& file, const std::string& times, const Gpu& gpu) {
    std::map<std::string, double> measured;
    for (const Measurement& m : read_results(times).measurements)
        if (m.ok() && !m.cold_s.empty()) measured[key_of(m)] = summarize(m.cold_s).median;
    for (const bool code : {false, true}) {
        std::vector<double> errors;
        for (const TimedRun& run : read_timed_runs(file, code))
            if (const auto found = measured.find(run.key); found != measured.end())
                errors.push_back(std::abs(time_of(run.demands, gpu).seconds / found->second - 1));
        if (errors.empty()) throw UsageError(times + " has none of these runs");
        std::ranges::sort(errors);
        const auto near = std::ranges::upper_bound(errors, 0.35) - errors.begin();
        std::cout << fmt::format(
            "{:23} n {} median {:.3f} within35 {:.3f}\n", code ? "machine code followed" : "as written", errors.size(),
            errors[errors.size() / 2], static_cast<double>(near) / static_cast<double>(errors.size()));
    }
}

void estimate_again(const Gpu& gpu, const std::string& path) {
    std::ifstream file(path);
    Json document = Json::parse(std::string{std::istreambuf_iterator<char>(file), {}});
    for (Json& result : document["results"]) {
        if (result.at("estimate").is_null()) continue;
        const Json& demands = result.at("estimate").at("demands");
        Json& kernels = result["kernels"];
        std::size_t i = 0;
        for (Json& kernel : kernels) {
            if (i == demands.size()) break;
            const Json& figures = demands[i++];
            Demand demand;
            for (const DemandFigure& figure : demand_figures())
                if (figures.contains(figure.name)) demand.*figure.value = figures.at(figure.name).get<double>();
            kernel["estimate"] = launch_time_json(demand, gpu);
        }
    }
    write_text(path, document.dump());
}

}  // namespace
}  // namespace lanework

int main(int count, char** words) {
    const std::string what = count > 1 ? words[1] : "";
    if (what == "fit" && count == 3) {
        lanework::print_fit(words[2]);
    } else if (what == "record" && count >= 4) {
        lanework::record(words[2], words[3], count > 4 ? std::stod(words[4]) : 1e8,
                         count > 5 && std::string(words[5]) == "1");
    } else if (what == "page" && count == 4) {
        const std::string docs = words[3];
        lanework::write_text(docs + "/explain-times.md", lanework::time_accuracy_page(words[2]));
        lanework::write_text(docs + "/explain-times.svg",
                             lanework::time_accuracy_svg(lanework::read_timed_runs(words[2], false)));
    } else if (what == "against" && count == 5) {
        lanework::print_against(words[2], words[3], lanework::parse_gpu(words[4]));
    } else if (what == "again" && count > 3) {
        for (int i = 3; i < count; ++i) lanework::estimate_again(lanework::parse_gpu(words[2]), words[i]);
    } else {
        std::cerr << "usage: time_model record TIMES.json DEMANDS.json [MOST_WORK [MACHINE_CODE]] | fit DEMANDS.json | "
                     "page DEMANDS.json DOCS | against DEMANDS.json TIMES.json GPU | again GPU EXPLAINED.json…\n";
        return 2;
    }
}

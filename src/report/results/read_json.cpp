// Reads results back, saying where a file is not as it should be.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <lanework/error.hpp>
#include <sstream>

#include "src/io/json.hpp"
#include "src/report/results/json.hpp"

namespace lanework {
namespace {

// "3:17": line and column of a byte of a text.
std::string place_of(std::string_view text, std::size_t byte) {
    const std::string_view before = text.substr(0, std::min(byte > 0 ? byte - 1 : 0, text.size()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const auto start = before.rfind('\n');
    return fmt::format("{}:{}", line, before.size() - (start == before.npos ? 0 : start + 1) + 1);
}

// A value of the document with its path, for messages.
struct Member {
    const Json& value;
    std::string file, path;

    [[noreturn]] void fail(std::string_view right) const {
        throw FileError(fmt::format("{}: {} must be {}", file, path.empty() ? "the document" : path, right));
    }
    Member at(const std::string& name) const {
        if (!value.is_object()) fail("an object");
        const auto found = value.find(name);
        const std::string inner = path.empty() ? name : path + "." + name;
        if (found == value.end()) throw FileError(fmt::format("{}: {} is missing", file, inner));
        return {*found, file, inner};
    }
    bool has(const std::string& name) const { return value.is_object() && value.contains(name); }

    std::string text() const {
        if (!value.is_string()) fail("a string");
        return value.get<std::string>();
    }
    double number() const {
        if (!value.is_number()) fail("a number");
        return value.get<double>();
    }
    std::uint64_t natural() const {
        if (!value.is_number_unsigned()) fail("a whole number of 0 or more");
        return value.get<std::uint64_t>();
    }
    bool boolean() const {
        if (!value.is_boolean()) fail("true or false");
        return value.get<bool>();
    }
    std::vector<double> samples() const {
        if (!value.is_array()) fail("a list of numbers");
        std::vector<double> result;
        for (const Json& sample : value) {
            if (!sample.is_number() || !(sample.get<double>() >= 0)) fail("a list of times of 0 or more");
            result.push_back(sample.get<double>());
        }
        return result;
    }
};

template <class Enum, std::size_t N>
Enum named(const Member& member, const Enum (&candidates)[N]) {
    std::string choices;
    for (const Enum candidate : candidates) {
        if (member.text() == name_of(candidate)) return candidate;
        choices += fmt::format("{}{}", choices.empty() ? "" : ", ", name_of(candidate));
    }
    member.fail("one of " + choices);
}

void read_problem(const Member& problem, Measurement& m) {
    if (!problem.value.is_object()) problem.fail("an object");
    for (const auto& [name, value] : problem.value.items()) {
        const Member member{value, problem.file, problem.path + "." + name};
        if (name == "variant") {
            m.variant = member.text();
        } else if (name == "seed") {
            m.seed = member.natural();
        } else if (name == "input") {
            m.input = member.text();
        } else {
            if (m.axes.size() == m.problem.extent.size()) problem.fail("an object of at most eight axes");
            m.problem.extent[m.axes.size()] = static_cast<std::int64_t>(member.natural());
            m.axes.push_back(name);
        }
    }
}

std::optional<Limit> read_limit(const Member& limit) {
    if (limit.value.is_null()) return std::nullopt;
    constexpr Bound bounds[] = {Bound::memory, Bound::compute, Bound::link};
    return Limit{named(limit.at("bound"), bounds), limit.at("seconds").number()};
}

Work read_work(const Member& result) {
    const Member work = result.at("work");
    const std::uint64_t bytes = work.at("bytes").natural();
    const std::uint64_t written =
        result.has("bytes_written") ? std::min(bytes, result.at("bytes_written").natural()) : 0;
    // Files of before operations were counted have none.
    const std::uint64_t operations = work.has("operations") ? work.at("operations").natural() : 0;
    return {.bytes_read = bytes - written,
            .bytes_written = written,
            .flops = work.at("flops").natural(),
            .operations = operations};
}

std::optional<double> read_value(const Member& member) {
    return member.value.is_null() ? std::nullopt : std::optional(member.number());
}

std::optional<EstimatedTime> read_estimate(const Member& estimate) {
    if (estimate.value.is_null()) return std::nullopt;
    const double low = estimate.at("low_s").number(), high = estimate.at("high_s").number();
    // Files of 1.0 and before have the band alone: its middle by ratio.
    return EstimatedTime{.gpu = estimate.at("gpu").text(),
                         .time_s = estimate.has("time_s") ? estimate.at("time_s").number() : std::sqrt(low * high),
                         .low_s = low,
                         .high_s = high,
                         .bound = estimate.at("bound").text(),
                         .limit_s = estimate.at("limit_s").number(),
                         .sectors_per_request = read_value(estimate.at("sectors_per_request")),
                         .lanes_per_request = read_value(estimate.at("lanes_per_request")),
                         .wavefronts_per_request = read_value(estimate.at("wavefronts_per_request"))};
}

Measurement read_result(const Member& result) {
    constexpr Verdict verdicts[] = {Verdict::ok, Verdict::wrong, Verdict::refused, Verdict::failed};
    Measurement m;
    m.operation = result.at("operation").text();
    m.rung = result.at("rung").text();
    m.device = result.at("device").text();
    m.problem.dtype = named(result.at("dtype"), kDTypes);
    read_problem(result.at("problem"), m);
    m.verdict = named(result.at("verdict"), verdicts);
    m.reason = result.at("reason").text();
    m.cold_s = result.at("samples_s").samples();
    m.work = read_work(result);
    m.limit = read_limit(result.at("limit"));
    m.library = result.at("library").boolean();
    if (result.has("hot_samples_s")) m.hot_s = result.at("hot_samples_s").samples();
    if (result.has("climbs_from")) m.climbs_from = result.at("climbs_from").text();
    if (result.has("lesson")) m.lesson = result.at("lesson").text();
    if (result.has("why")) m.why = result.at("why").text();
    if (result.has("error")) m.error = read_value(result.at("error"));
    if (result.has("hard_inputs")) m.hard_inputs = static_cast<int>(result.at("hard_inputs").natural());
    if (result.has("estimate")) m.estimate = read_estimate(result.at("estimate"));
    return m;
}

Json parse(std::string_view json, const std::string& file) {
    try {
        return Json::parse(json);
    } catch (const JsonError& error) {
        if (error.byte == 0) throw FileError(fmt::format("{}: a number is too large for 64 bits", file));
        throw FileError(fmt::format("{}:{}: this is not JSON{}", file, place_of(json, error.byte),
                                    error.byte > json.size() ? ": it ends too early" : ""));
    }
}

}  // namespace

Results parse_results(std::string_view json, const std::string& file) {
    const Json document = parse(json, file);
    const Member root{document, file, ""};
    if (root.at("schema").natural() != 1)
        throw FileError(
            fmt::format("{}: schema {} is not known; this version reads schema 1", file, root.at("schema").natural()));
    Results results;
    const Member environment = root.at("environment");
    if (!environment.value.is_object()) environment.fail("an object");
    for (const auto& [name, value] : environment.value.items())
        results.environment.push_back({name, Member{value, file, "environment." + name}.text()});
    const Member list = root.at("results");
    if (!list.value.is_array()) list.fail("a list");
    for (std::size_t i = 0; i < list.value.size(); ++i)
        results.measurements.push_back(read_result({list.value[i], file, fmt::format("results[{}]", i)}));
    return results;
}

Results read_results(const std::string& file) {
    if (file == "-") {
        const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
        return parse_results(text, "the standard input");
    }
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream text;
    const int error = stream ? 0 : errno;
    if (std::filesystem::is_directory(file)) throw FileError(fmt::format("{}: is a folder, not a file", file));
    if (error == ENOENT) throw FileError(fmt::format("{}: there is no such file", file));
    if (error != 0) throw FileError(fmt::format("{}: cannot be read: {}", file, std::strerror(error)));
    text << stream.rdbuf();
    if (stream.bad()) throw FileError(fmt::format("{}: cannot be read to its end", file));
    return parse_results(text.str(), file);
}

}  // namespace lanework

// The course of one measurement, from refusal to verdict.
#include "src/measure/measure.hpp"

#include <fmt/format.h>

#include <lanework/registry.hpp>

#include "src/core/own_ladders.hpp"
#include "src/core/text.hpp"
#include "src/measure/bench.hpp"
#include "src/measure/published_limit.hpp"
#include "src/measure/verify.hpp"

namespace lanework {
namespace {

constexpr double kBeyondLimit = 0.02;                    // a figure faster than this is no noise
constexpr int kAttempts = 3;                             // to measure ceiling and time again
constexpr double kColdShare = 0.6;                       // of the time, when hot runs are timed too
constexpr double kWarmUpShare = 0.05;                    // of the time
constexpr std::size_t kRotated = std::size_t{64} << 20;  // bytes of inputs up to which a second set is uploaded

void conclude(Measurement& result, Verdict verdict, std::string reason) {
    result.verdict = verdict;
    result.reason = std::move(reason);
    if (result.ok()) return;
    result.cold_s.clear();
    result.hot_s.clear();
}

// The input sets that timed runs take turns between: with their right answers if those will be compared.
std::vector<std::shared_ptr<const Expected>> input_sets(const Operation& operation, const Problem& problem,
                                                        References& references, const MeasureOptions& options) {
    const Filling filling{options.seed, options.input};
    if (!options.verify) return {references.inputs(operation, problem, filling)};
    auto fillings = verified_fillings(operation, problem, filling);
    const Work work = operation.work(problem);
    if (work.bytes_read + work.bytes_uploaded > kRotated) fillings.resize(1);
    return references.results(operation, problem, fillings);
}

Verification time_rung(Device& device, const Operation& operation, const Rung& rung, const Problem& problem,
                       References& references, const MeasureOptions& options, Measurement& result) {
    Bench bench(device, operation, rung, problem, input_sets(operation, problem, references, options));
    const double warm_up = options.warm_up_s.value_or(kWarmUpShare * options.max_seconds);
    const double budget = options.warm_up_s ? options.max_seconds : options.max_seconds - warm_up;
    StoppingRule rule{options.steady, options.min_samples, options.hot ? kColdShare * budget : budget,
                      options.max_samples};
    bench.warm_up(warm_up);
    result.cold_s = bench.cold(rule);
    rule.max_seconds = (1 - kColdShare) * budget;
    if (options.hot) result.hot_s = bench.hot(rule);
    if (!options.verify) return {};
    const std::string wrong = bench.check();
    result.error = bench.error();
    return wrong.empty() ? Verification{} : Verification{.verdict = Verdict::wrong, .reason = "after timing, " + wrong};
}

bool beats(const Measurement& result) {
    return result.limit && summarize(result.cold_s).median < (1 - kBeyondLimit) * result.limit->seconds;
}

void set_limit(Measurement& result, const Ceilings& ceilings) {
    const Limit limit = ceilings.limit(result.work, result.problem.dtype, arithmetic_of(result.operation));
    result.limit = limit.seconds > 0 ? std::optional(limit) : std::nullopt;
}

// What nobody publishes allows anything.
std::string beyond_what_is_published(const Device& device, const Measurement& result) {
    if (!result.limit) return {};
    const double least = published_limit(device.info(), result.work, result.problem.dtype, *result.limit,
                                         arithmetic_of(result.operation));
    const double median = summarize(result.cold_s).median;
    if (median >= (1 - kBeyondLimit) * least) return {};
    return fmt::format(
        "the median of {} is below {}, the least that the published peak of {} allows: it is measured wrong",
        format_seconds(median), format_seconds(least), device.info().name);
}

// No machine is always quiet: the ceiling may have been measured beside another program, or the time with a clock that
// was set.
void measure_both_again(Device& device, Ceilings& ceilings, Measurement& result,
                        const std::function<Verification()>& time_again) {
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        sharpen(device, ceilings, result.work, result.problem.dtype, arithmetic_of(result.operation));
        set_limit(result, ceilings);
        if (!beats(result)) return;
        Verification again = time_again();
        conclude(result, again.verdict, std::move(again.reason));
        if (!result.ok() || !beats(result)) return;
    }
}

// A ceiling is the best that was seen: what still beats it raises it.
void hold_against_limit(Device& device, Ceilings& ceilings, Measurement& result, const MeasureOptions& options,
                        const std::function<Verification()>& time_again) {
    set_limit(result, ceilings);
    if (!result.limit) return;
    const double before = result.limit->seconds;
    const bool own = is_ceiling(result) && device.info().kind != DeviceKind::simt;
    if (beats(result) && !own) measure_both_again(device, ceilings, result, time_again);
    if (!result.ok()) return;
    if (std::string reason = beyond_what_is_published(device, result); !reason.empty())
        return conclude(result, Verdict::failed, std::move(reason));
    const Summary cold = summarize(result.cold_s);
    if (own) raise(ceilings, result);  // by its fastest sample, as ceilings are measured
    if (beats(result)) raise(ceilings, result.work, result.problem.dtype, cold.median, arithmetic_of(result.operation));
    set_limit(result, ceilings);
    if (!options.notice || result.limit->seconds >= (1 - kBeyondLimit) * before) return;
    options.notice(fmt::format(
        "{}/{} took {}, the limit was {}: {} proved faster than its ceilings said, they are raised", result.operation,
        result.rung, format_seconds(own ? cold.minimum : cold.median), format_seconds(before), device.info().id));
}

}  // namespace

Measurement measure(Device& device, const Operation& operation, const Rung& rung, const Problem& problem,
                    Ceilings* ceilings, const MeasureOptions& options) {
    Measurement result = describe(operation, rung, device.info().id, problem, options.seed);
    if (options.input != kRandomInput) result.input = operation.name_of_input(options.input);
    if (std::string reason = refusal(rung, problem); !reason.empty()) {
        conclude(result, Verdict::refused, std::move(reason));
        return result;
    }
    if (ceilings) set_limit(result, *ceilings);
    References own;
    References& references = options.references ? *options.references : own;
    if (options.verify) {
        const auto input = options.input == kRandomInput ? std::nullopt : std::optional(options.input);
        Verification before = verify(device, operation, rung, problem, options.seed, &references, {}, input);
        if (before.verdict != Verdict::ok) {
            conclude(result, before.verdict, std::move(before.reason));
            return result;
        }
        result.lesson = rung.lesson;  // which names a library's version, now that it ran
    }
    const auto time = [&] {
        Device& place = device_of(rung, device);
        return guarded_attempt(place,
                               [&] { return time_rung(place, operation, rung, problem, references, options, result); });
    };
    Verification timed = time();
    conclude(result, timed.verdict, std::move(timed.reason));
    if (result.ok() && ceilings) hold_against_limit(device, *ceilings, result, options, time);
    return result;
}

}  // namespace lanework

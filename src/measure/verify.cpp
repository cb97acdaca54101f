// Which runs a verification consists of, and what becomes of errors.
#include "src/measure/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <lanework/memory_error.hpp>
#include <lanework/registry.hpp>
#include <new>
#include <vector>

#include "src/core/exit_status.hpp"
#include "src/core/fill.hpp"
#include "src/core/own_ladders.hpp"
#include "src/measure/trial.hpp"

namespace lanework {
namespace {

// Bytes plus arithmetic operations up to which every other input, then interleaved schedules, then a second seed are
// affordable. A device that interleaves threads itself is slow: of the listed problems, which are many, it gets a
// second seed and other schedules where the other inputs are, too; what orders accesses shows in a few blocks.
constexpr std::uint64_t kEveryInput = std::uint64_t{1} << 18;
constexpr std::uint64_t kInterleaved = std::uint64_t{1} << 22;
constexpr std::uint64_t kTwoSeeds = std::uint64_t{1} << 32;

std::uint64_t effort(const Operation& operation, const Problem& problem) {
    const Work work = operation.work(problem);
    return work.bytes() + work.flops;
}

// Another schedule while it lives, the natural one after.
class Schedule {
public:
    Schedule(Device& device, std::uint64_t seed) : device_(device) { device_.set_schedule(seed); }
    ~Schedule() { device_.set_schedule(0); }
    Schedule(const Schedule&) = delete;
    Schedule& operator=(const Schedule&) = delete;

private:
    Device& device_;
};

// Where in a list of verified problems this one is; its length when it is not listed.
std::size_t place_of(std::span<const Extents> listed, const Problem& problem) {
    return static_cast<std::size_t>(std::ranges::find(listed, problem.extent) - listed.begin());
}

// Whether a device that interleaves threads itself runs the problem more than once.
bool is_repeated(const Operation& operation, const Problem& problem) {
    const bool listed = place_of(operation.verified, problem) != operation.verified.size();
    return effort(operation, problem) <= (listed ? kEveryInput : kInterleaved);
}

using Inputs = std::span<const std::shared_ptr<const Expected>>;

// Those of the first kind, which are random unless one input alone is asked for.
Inputs of_first_kind(Inputs all) {
    const auto other = std::ranges::find_if(
        all, [&](const auto& each) { return each->filling().input != all.front()->filling().input; });
    return all.first(static_cast<std::size_t>(other - all.begin()));
}

// The runs of one rung in one trial, one after the other: it may keep what it likes from one to the next.
class Runs {
public:
    Runs(Device& device, const Operation& operation, const Rung& rung, const Problem& problem)
        : device_(device), operation_(operation), rung_(rung), problem_(problem), trial_(fresh()) {}

    /// Returns what is wrong in one line, or nothing.
    std::string in_natural_order(const Expected& expected) {
        inputs_.push_back(&expected);
        return trial_.run(expected);
    }
    /// The same; the schedule is named where all these runs, in the natural order, show nothing.
    std::string under_schedule(const Expected& expected, std::uint64_t seed) {
        inputs_.push_back(&expected);
        const std::string wrong = run_under(seed, expected);
        if (wrong.empty()) return {};
        const std::string otherwise = again_in_natural_order();
        return otherwise.empty() ? fmt::format("{}, under schedule {}", wrong, seed) : otherwise;
    }
    std::optional<double> error() const { return trial_.error(); }

private:
    Trial fresh() const { return {device_, operation_, rung_, problem_}; }

    std::string run_under(std::uint64_t seed, const Expected& expected) {
        const Schedule schedule(device_, seed);
        return trial_.run(expected);
    }

    // In a trial of its own: what the schedule made the rung keep is not the natural order's. All inputs so far, since
    // a result may be wrong because of those that came before.
    std::string again_in_natural_order() const {
        Trial apart = fresh();
        for (const Expected* const each : inputs_)
            if (std::string wrong = apart.run(*each); !wrong.empty()) return wrong;
        return {};
    }

    Device& device_;
    const Operation& operation_;
    const Rung& rung_;
    const Problem& problem_;
    Trial trial_;
    std::vector<const Expected*> inputs_;
};

// Drawn schedules take the inputs in turn, the last first; the one that a reason names takes each. Returns what is
// wrong and with which schedule, where the natural one shows nothing, or nothing.
std::string run_interleaved(Runs& runs, Inputs inputs, const Schedules& schedules) {
    const std::size_t count = schedules.exactly ? inputs.size() : static_cast<std::size_t>(schedules.drawn);
    for (std::size_t i = 1; i <= count; ++i) {
        const std::uint64_t drawn = random_bits(inputs.front()->filling().seed, i) >> 32 | 1;
        const std::string wrong =
            runs.under_schedule(*inputs[i % inputs.size()], schedules.exactly ? schedules.exactly : drawn);
        if (!wrong.empty()) return wrong;
    }
    return {};
}

Verification run_all(Device& device, const Operation& operation, const Rung& rung, const Problem& problem,
                     Inputs expected, const Schedules& schedules) {
    Runs runs(device, operation, rung, problem);
    Verification result;
    std::string remark;
    const auto conclude = [&](const std::string& wrong) {
        if (!wrong.empty()) result.verdict = Verdict::wrong;
        result.reason = wrong.empty() ? remark : wrong;
        result.error = runs.error();
        return result;
    };
    const bool asked = schedules.exactly != 0 || schedules.drawn != Schedules{}.drawn;
    const bool affordable = asked ? effort(operation, problem) <= kInterleaved : is_repeated(operation, problem);
    const bool interleaved = device.schedules() > 1 && affordable && (schedules.exactly != 0 || schedules.drawn > 0);
    const Inputs random = of_first_kind(expected);
    for (const auto& each : expected) {
        if (each->filling().input != kRandomInput) ++result.hard_inputs;
        // The second seed runs under a schedule, on what the runs before it left behind.
        if (interleaved && random.size() > 1 && each == random.back()) continue;
        if (only_remarked(operation, each->filling().input)) {
            Trial apart(device, operation, rung, problem);  // its errors are no other inputs'
            const std::string wrong = apart.run(*each);
            if (!wrong.empty()) remark = remark_on(*each, wrong, apart.error());
            continue;
        }
        if (const std::string wrong = runs.in_natural_order(*each); !wrong.empty()) return conclude(wrong);
    }
    return conclude(interleaved ? run_interleaved(runs, random, schedules) : std::string());
}

// Of the random fillings, those that the device affords.
std::vector<Filling> random_fillings(const Device& device, const Operation& operation, const Problem& problem,
                                     const Filling& filling) {
    std::vector<Filling> fillings = verified_fillings(operation, problem, filling);
    if (device.schedules() > 1 && !is_repeated(operation, problem)) fillings.resize(1);
    return fillings;
}

// Whether no listed problem of the same type and form that is affordable is larger. One that is not listed is alone.
bool is_largest_affordable(std::span<const Extents> listed, const Operation& operation, const Problem& problem) {
    if (place_of(listed, problem) == listed.size()) return true;
    return std::ranges::none_of(listed, [&](const Extents& extent) {
        Problem other = problem;
        other.extent = extent;
        const std::uint64_t size = effort(operation, other);
        return size <= kEveryInput && size > effort(operation, problem);
    });
}

// Random values, and where they are affordable the other inputs that are defined: all of them on the largest problem,
// in turn on the others.
std::vector<Filling> every_filling(const Device& device, const Operation& operation, const Problem& problem,
                                   std::uint64_t seed) {
    std::vector<Filling> fillings = random_fillings(device, operation, problem, {seed}), hard;
    if (effort(operation, problem) > kEveryInput) return fillings;
    for (InputIndex input = 1; input <= operation.inputs.size(); ++input)
        if (operation.defines(input, problem)) hard.push_back({seed, input});
    const std::vector<Extents> listed = operation.verified_on(device.info().kind);
    if (!hard.empty() && !is_largest_affordable(listed, operation, problem))
        hard = {hard[(place_of(listed, problem) + problem.variant) % hard.size()]};
    fillings.insert(fillings.end(), hard.begin(), hard.end());
    return fillings;
}

}  // namespace

std::string remark_on(const Expected& expected, const std::string& wrong, std::optional<double> error) {
    // A sum of some hundred numbers may lose tens of units in its last place, as far as neighbours of the inputs are
    // apart; a difference of squares on this offset loses thousands.
    constexpr double kUnits = 64;
    const double change = expected.change_by_neighbours();
    const bool numbers = wrong.find(" is nan") == wrong.npos && wrong.find(" is inf") == wrong.npos &&
                         wrong.find(" is -inf") == wrong.npos;
    if (numbers && error && *error <= kUnits * change) return {};
    std::string text = "remark, " + wrong;
    if (error)
        text += fmt::format(
            "; off by {:.2g} of the largest right element, where moving each input to its neighbour makes {:.2g}",
            *error, change);
    return text + ": digits cancel";
}

std::vector<Filling> verified_fillings(const Operation& operation, const Problem& problem, const Filling& filling) {
    if (filling.input != kRandomInput || effort(operation, problem) > kTwoSeeds) return {filling};
    return {filling, {random_bits(filling.seed, 0)}};
}

Verification guarded_attempt(Device& device, const std::function<Verification()>& attempt) {
    try {
        return attempt();
    } catch (const MemoryError& error) {
        return {.verdict = Verdict::refused, .reason = std::string(kTooLittleMemory) + error.what()};
    } catch (const UnavailableError& error) {
        return {.verdict = Verdict::refused, .reason = error.what()};
    } catch (const DeviceError& error) {
        device.recover();
        return {.verdict = Verdict::failed, .reason = error.what()};
    } catch (const std::bad_alloc&) {
        return {.verdict = Verdict::refused, .reason = std::string(kTooLittleMemory) + "the host's arrays do not fit"};
    }
}

Verification verify(Device& device, const Operation& operation, const Rung& rung, const Problem& problem,
                    std::uint64_t seed, References* references, const Schedules& schedules,
                    std::optional<InputIndex> input) {
    if (const std::string reason = refusal(rung, problem); !reason.empty())
        return {.verdict = Verdict::refused, .reason = reason};
    References own;
    Device& place = device_of(rung, device);
    return guarded_attempt(place, [&] {
        const auto fillings = input ? random_fillings(place, operation, problem, {seed, *input})
                                    : every_filling(place, operation, problem, seed);
        const auto expected = (references ? references : &own)->results(operation, problem, fillings);
        return run_all(place, operation, rung, problem, expected, schedules);
    });
}

}  // namespace lanework

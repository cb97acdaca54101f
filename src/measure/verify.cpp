// Which runs a verification consists of, and what becomes of errors.
#include "src/measure/verify.hpp"

#include <lanework/error.hpp>
#include <lanework/registry.hpp>
#include <new>

#include "src/core/fill.hpp"
#include "src/measure/trial.hpp"

namespace lanework {
namespace {

// Bytes plus arithmetic operations up to which a second seed, and then interleaved schedules, are affordable.
constexpr std::uint64_t kTwoSeeds = std::uint64_t{1} << 32;
constexpr std::uint64_t kInterleaved = std::uint64_t{1} << 22;

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

// Returns what is wrong and with which schedule, or nothing.
std::string run_interleaved(Device& device, Trial& trial, const Expected& expected, const Schedules& schedules) {
    for (int i = 1; i <= (schedules.exactly ? 1 : schedules.drawn); ++i) {
        const std::uint64_t drawn = random_bits(expected.seed(), static_cast<std::uint64_t>(i)) >> 32 | 1;
        const std::uint64_t seed = schedules.exactly ? schedules.exactly : drawn;
        const Schedule schedule(device, seed);
        if (const std::string wrong = trial.run(expected); !wrong.empty())
            return wrong + ", under schedule " + std::to_string(seed);
    }
    return {};
}

Verification run_all(Device& device, const Operation& operation, const Rung& rung, const Problem& problem,
                     std::span<const std::shared_ptr<const Expected>> expected, const Schedules& schedules) {
    Trial trial(device, operation, rung, problem);
    for (const auto& each : expected)
        if (const std::string wrong = trial.run(*each); !wrong.empty()) return {Verdict::wrong, wrong};
    if (device.schedules() > 1 && effort(operation, problem) <= kInterleaved)
        if (const std::string wrong = run_interleaved(device, trial, *expected.front(), schedules); !wrong.empty())
            return {Verdict::wrong, wrong};
    return {};
}

}  // namespace

std::vector<std::uint64_t> verified_seeds(const Operation& operation, const Problem& problem, std::uint64_t seed) {
    if (effort(operation, problem) > kTwoSeeds) return {seed};
    return {seed, random_bits(seed, 0)};
}

Verification guarded_attempt(Device& device, const std::function<Verification()>& attempt) {
    try {
        return attempt();
    } catch (const UnavailableError& error) {
        return {Verdict::refused, error.what()};
    } catch (const DeviceError& error) {
        device.recover();
        return {Verdict::failed, error.what()};
    } catch (const std::bad_alloc&) {
        return {Verdict::failed, "there is not enough memory on the host"};
    }
}

Verification verify(Device& device, const Operation& operation, const Rung& rung, const Problem& problem,
                    std::uint64_t seed, References* references, const Schedules& schedules) {
    if (const std::string reason = refusal(rung, problem); !reason.empty()) return {Verdict::refused, reason};
    References own;
    return guarded_attempt(device, [&] {
        const auto seeds = verified_seeds(operation, problem, seed);
        const auto expected = (references ? references : &own)->results(operation, problem, seeds);
        return run_all(device, operation, rung, problem, expected, schedules);
    });
}

}  // namespace lanework

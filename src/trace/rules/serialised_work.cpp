// The rule about copies and kernels that follow each other in their streams though none needs the other: engines take
// turns that could work at once, and kernels that leave multiprocessors free wait for each other.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "src/core/text.hpp"
#include "src/timeline/in_order_model.hpp"
#include "src/trace/rules/rule.hpp"

namespace lanework {
namespace {

/// Every piece of work begins when what it reads is there; each has memory of its own. The host still waits for what
/// comes back to it.
void let_overlap(StreamWork& work, const StreamInputs& in) {
    for (std::size_t i = 0; i < work.tasks.size(); ++i) work.tasks[i].after = in.needs(i);
    for (HostCall& call : work.calls) {
        const bool sends = call.end == call.first + 1 && work.tasks[call.first].engine == Engine::upload;
        if (sends && !work.tasks[call.first].pageable) call.waits_for.clear();
    }
}

/// The first task that begins much later than it could.
std::size_t first_late(const StreamInputs& in, const std::vector<Interval>& could) {
    constexpr double kMuch = 0.02;  // of the whole
    for (std::size_t i = 0; i < could.size(); ++i)
        if (in.times[i].begin_s - could[i].begin_s > kMuch * in.seconds) return i;
    return 0;
}

double busy(const StreamInputs& in, Engine engine) {
    double seconds = 0;
    for (std::size_t i = 0; i < in.times.size(); ++i)
        if (in.work.tasks[i].engine == engine) seconds += in.times[i].seconds();
    return seconds;
}

/// Then that is what to mend first: default_stream_waits says so.
bool held_by_default_stream(const StreamInputs& in) {
    for (std::size_t i = 0; i < in.work.tasks.size(); ++i) {
        const std::vector<std::size_t> needs = in.needs(i);
        for (const std::size_t other : in.work.tasks[i].after_default)
            if (std::ranges::find(needs, other) == needs.end()) return true;
    }
    return false;
}

void find_serialised_work(const StreamInputs& in, std::vector<Finding>& findings) {
    if (in.times.size() < 2 || held_by_default_stream(in)) return;
    StreamWork free = in.work;
    let_overlap(free, in);
    const std::size_t late = first_late(in, model_times(free, in.speeds));
    std::set<int> streams;
    for (const StreamTask& task : in.work.tasks) streams.insert(task.stream);
    findings.push_back(
        {.rule = Rule::serialised_work,
         .severity = Severity::advice,
         .place = in.trace.places[late],
         .evidence =
             fmt::format("uploads take {}, kernels {} and downloads {}, one after the other in {} stream{}; from "
                         "here on work waits for earlier work whose results it does not read",
                         format_seconds(busy(in, Engine::upload)), format_seconds(busy(in, Engine::kernel)),
                         format_seconds(busy(in, Engine::download)), streams.size(), streams.size() == 1 ? "" : "s"),
         .remedy = "Give independent pieces streams of their own and device memory of their own, copy asynchronously "
                   "from page-locked memory, and let events order what depends on each other.",
         .other = {}});
}

}  // namespace

// With as many buffers as pieces it would save this; with two or three, a little less.
LANEWORK_COST_RULE(serialised_work, {.find_in_streams = find_serialised_work,
                                     .mend_streams = let_overlap,
                                     .least_saved_s = 5e-6,
                                     .least_saved = 0.10});

}  // namespace lanework

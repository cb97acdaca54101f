// The rule about the default stream: its work waits for that of all other streams, and theirs for its.
#include <fmt/format.h>

#include <algorithm>

#include "src/trace/rules/rule.hpp"

namespace lanework {
namespace {

bool needless(const StreamInputs& in, std::size_t task, std::size_t other) {
    return std::ranges::find(in.reads[task], other) == in.reads[task].end() &&
           std::ranges::find(in.rewrites[task], other) == in.rewrites[task].end();
}

void find_default_stream_waits(const StreamInputs& in, std::vector<Finding>& findings) {
    std::size_t waiting = 0, first = 0;
    for (std::size_t i = 0; i < in.work.tasks.size(); ++i) {
        const std::vector<std::size_t>& others = in.work.tasks[i].after_default;
        if (std::ranges::none_of(others, [&](std::size_t other) { return needless(in, i, other); })) continue;
        if (waiting++ == 0) first = i;
    }
    if (waiting == 0) return;
    findings.push_back({.rule = Rule::default_stream_waits,
                        .severity = Severity::advice,
                        .place = in.trace.places[first],
                        .evidence = fmt::format("{} of {} pieces of work wait for other streams' only since these or "
                                                "they are in the default stream",
                                                waiting, in.work.tasks.size()),
                        .remedy =
                            "Launch in a stream that is named, make streams with cudaStreamNonBlocking, or compile "
                            "with --default-stream per-thread; events order what needs an order.",
                        .other = {}});
}

/// The default stream is one like all others.
void name_the_stream(StreamWork& work, const StreamInputs& in) {
    for (std::size_t i = 0; i < work.tasks.size(); ++i) {
        StreamTask& task = work.tasks[i];
        std::erase_if(task.after, [&](std::size_t other) {
            return std::ranges::find(task.after_default, other) != task.after_default.end();
        });
        for (const std::size_t other : in.needs(i))
            if (std::ranges::find(task.after, other) == task.after.end()) task.after.push_back(other);
    }
}

}  // namespace

LANEWORK_COST_RULE(default_stream_waits, {.find_in_streams = find_default_stream_waits,
                                          .mend_streams = name_the_stream,
                                          .least_saved_s = 5e-6});

}  // namespace lanework

// The rule about copies of pageable host memory: the host's own thread copies it through page-locked memory first.
#include <fmt/format.h>

#include <algorithm>

#include "src/core/text.hpp"
#include "src/trace/rules/rule.hpp"

namespace lanework {
namespace {

void find_pageable_copies(const StreamInputs& in, std::vector<Finding>& findings) {
    const std::vector<StreamTask>& tasks = in.work.tasks;
    std::size_t count = 0, largest = 0;
    std::uint64_t bytes = 0;
    bool hidden = false;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        if (!tasks[i].pageable) continue;
        if (count++ == 0 || tasks[i].bytes > tasks[largest].bytes) largest = i;
        bytes += tasks[i].bytes;
        hidden |= tasks[i].asynchronous;
    }
    if (count == 0) return;
    constexpr double kMebi = 1 << 20;
    findings.push_back(
        {.rule = Rule::pageable_copies,
         .severity = Severity::advice,
         .place = in.trace.places[largest],
         .evidence = fmt::format("{} cop{} of {:.1f} MiB from or to pageable host memory: the host's thread copies it "
                                 "through page-locked memory, at about {} where the link has {}{}",
                                 count, count == 1 ? "y" : "ies", static_cast<double>(bytes) / kMebi,
                                 format_bandwidth(in.speeds.pageable), format_bandwidth(in.speeds.upload),
                                 hidden ? "; a copy that names a stream waits all the same" : ""),
         .remedy = "Allocate what is copied again and again with cudaMallocHost, or register it once with "
                   "cudaHostRegister: page-locking costs about as much as a copy.",
         .other = {}});
}

void lock_pages(StreamWork& work, const StreamInputs&) {
    for (HostCall& call : work.calls)
        std::erase_if(call.waits_for, [&](std::size_t task) {
            return task >= call.first && task < call.end && work.tasks[task].pageable && work.tasks[task].asynchronous;
        });
    for (StreamTask& task : work.tasks) task.pageable = false;
}

}  // namespace

// Locking pages costs a short program more than it saves.
LANEWORK_COST_RULE(pageable_copies,
                   {.find_in_streams = find_pageable_copies, .mend_streams = lock_pages, .least_saved_s = 50e-6});

}  // namespace lanework

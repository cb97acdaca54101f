// The rule about managed pages that nobody sent ahead: a kernel that touches one waits until it was fetched.
#include <fmt/format.h>

#include <algorithm>

#include "src/core/text.hpp"
#include "src/gpu/page_faults.hpp"
#include "src/trace/rules/rule.hpp"

namespace lanework {
namespace {

void find_page_faults(const StreamInputs& in, std::vector<Finding>& findings) {
    const std::vector<StreamTask>& tasks = in.work.tasks;
    const auto most = std::ranges::max_element(tasks, {}, &StreamTask::faulted);
    if (most == tasks.end() || most->faulted == 0) return;
    constexpr double kMebi = 1 << 20;
    findings.push_back(
        {.rule = Rule::page_faults,
         .severity = Severity::advice,
         .place = in.trace.places[static_cast<std::size_t>(most - tasks.begin())],
         .evidence = fmt::format("the kernel touches {:.1f} MiB of managed memory that nobody sent to the device: each "
                                 "page comes when it is touched, about {} all in all where the link takes {}",
                                 static_cast<double>(most->faulted) / kMebi,
                                 format_seconds(page_fault_seconds(static_cast<double>(most->faulted))),
                                 format_seconds(static_cast<double>(most->faulted) / in.speeds.upload)),
         .remedy = "Send them before the launch with cudaMemPrefetchAsync, and home again before the host reads them; "
                   "or copy to memory of cudaMalloc.",
         .other = {}});
}

void send_ahead(StreamWork& work, const StreamInputs&) {
    for (StreamTask& task : work.tasks) task.fetched += std::exchange(task.faulted, 0);
}

}  // namespace

LANEWORK_COST_RULE(page_faults,
                   {.find_in_streams = find_page_faults, .mend_streams = send_ahead, .least_saved_s = 5e-6});

}  // namespace lanework

// The rule about copies that need not be made: of what nobody reads before it is written over, and of what one kernel
// reads or writes once, which could reach page-locked host memory by itself.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "src/trace/rules/rule.hpp"

namespace lanework {
namespace {

/// The tasks that read what the task wrote.
std::vector<std::size_t> readers_of(const StreamInputs& in, std::size_t task) {
    std::vector<std::size_t> readers;
    for (std::size_t later = task + 1; later < in.reads.size(); ++later)
        if (std::ranges::find(in.reads[later], task) != in.reads[later].end()) readers.push_back(later);
    return readers;
}

bool overwritten(const StreamInputs& in, std::size_t task) {
    return std::ranges::any_of(
        in.rewrites, [&](const std::vector<std::size_t>& of) { return std::ranges::find(of, task) != of.end(); });
}

/// It sends what nobody reads: kernels write over it.
bool sent_for_nothing(const StreamInputs& in, std::size_t task) {
    return in.work.tasks[task].engine == Engine::upload && readers_of(in, task).empty() && overwritten(in, task);
}

const KernelTrace* launch_of(const StreamInputs& in, std::size_t task) {
    const auto launch = in.trace.launches[task];
    return launch && *launch < in.explanation.kernels.size() ? &in.explanation.kernels[*launch] : nullptr;
}

/// Sectors per request that would do, and each but once.
bool touches_once(const GlobalCounters& counted, std::uint64_t footprint) {
    constexpr double kOnce = 1.05;
    return static_cast<double>(counted.sectors) * 32 <= kOnce * static_cast<double>(footprint);
}

/// The kernel that alone reads what an upload brings, each element once, or that alone wrote what a download takes.
std::optional<std::size_t> only_user(const StreamInputs& in, std::size_t task) {
    const StreamTask& copy = in.work.tasks[task];
    if (copy.pageable || copy.prefetches || copy.from == 0) return {};
    const bool up = copy.engine == Engine::upload;
    if (!up && copy.engine != Engine::download) return {};
    const std::vector<std::size_t> users = up ? readers_of(in, task) : in.reads[task];
    if (users.size() != 1) return {};
    const KernelTrace* const launch = launch_of(in, users[0]);
    if (!launch) return {};
    const KernelCounters counters = launch->counters();
    if (up) return touches_once(counters.global_loads, launch->footprint_read) ? std::optional(users[0]) : std::nullopt;
    const bool alone = readers_of(in, users[0]).size() == 1 && counters.global_atomics.requests == 0 &&
                       counters.global_reductions.requests == 0;
    return alone && touches_once(counters.global_stores, launch->footprint_written) ? std::optional(users[0])
                                                                                    : std::nullopt;
}

void find_needless_copy(const StreamInputs& in, std::vector<Finding>& findings) {
    std::optional<std::size_t> largest;
    for (std::size_t i = 0; i < in.work.tasks.size(); ++i)
        if ((sent_for_nothing(in, i) || only_user(in, i)) &&
            (!largest || in.work.tasks[i].bytes > in.work.tasks[*largest].bytes))
            largest = i;
    if (!largest) return;
    const StreamTask& copy = in.work.tasks[*largest];
    constexpr double kMebi = 1 << 20;
    const double mebibytes = static_cast<double>(copy.bytes) / kMebi;
    const bool nothing = sent_for_nothing(in, *largest);
    findings.push_back(
        {.rule = Rule::needless_copy,
         .severity = Severity::advice,
         .place = in.trace.places[*largest],
         .evidence =
             nothing ? fmt::format("{:.1f} MiB are sent to the device, and a kernel writes over them before anything "
                                   "reads them",
                                   mebibytes)
                     : fmt::format("{:.1f} MiB are copied, of which one kernel {} each element once", mebibytes,
                                   copy.engine == Engine::upload ? "reads" : "writes"),
         .remedy = nothing
                       ? "Leave the copy out; what the kernel writes for the host it can write to page-locked memory "
                         "(cudaHostAlloc), across the link."
                       : "Let the kernel reach the page-locked memory itself (cudaHostAlloc, "
                         "cudaHostGetDevicePointer): the link works while it computes.",
         .other = {}});
}

void leave_out(StreamWork& work, const StreamInputs& in) {
    for (std::size_t i = 0; i < work.tasks.size(); ++i) {
        StreamTask& copy = work.tasks[i];
        if (sent_for_nothing(in, i)) {
            copy.bytes = 0;
        } else if (const auto user = only_user(in, i)) {
            (copy.engine == Engine::upload ? work.tasks[*user].read_over_link : work.tasks[*user].written_over_link) +=
                copy.bytes;
            copy.bytes = 0;
        }
    }
}

}  // namespace

LANEWORK_COST_RULE(needless_copy,
                   {.find_in_streams = find_needless_copy, .mend_streams = leave_out, .least_saved_s = 20e-6});

}  // namespace lanework

// One sentence about threads that wait for ever: who waits where, who is missing, and what became of the missing.
#include <fmt/format.h>

#include <bit>

#include "src/simt/worker.hpp"

namespace lanework_simt::engine {

std::string to_text(const uint3& index) { return fmt::format("({},{},{})", index.x, index.y, index.z); }

std::string to_text(const Place& place) { return fmt::format("{}:{}", place.file, place.line); }

const Fiber* waiting_fiber(const Block& block, unsigned thread) {
    const Warp& warp = block.warps[thread / kWarpLanes];
    for (const Meeting* meeting = warp.meetings; meeting; meeting = meeting->next) {
        if (const Fiber* fiber = meeting->waiting[thread % kWarpLanes]) return fiber;
    }
    if (warp.steps && warp.steps->arrived >> thread % kWarpLanes & 1) return warp.steps->fibers[thread % kWarpLanes];
    for (const Barrier& barrier : block.barriers) {
        for (const Fiber* fiber = barrier.waiting.first(); fiber; fiber = fiber->next) {
            if (fiber->thread == thread) return fiber;
        }
    }
    return nullptr;
}

namespace {

constexpr std::size_t kNamed = 3;  // threads named before "and … others"

std::string thread_text(unsigned thread) { return to_text(thread_index_of(thread, context.block_dim)); }

/// "thread (1,0,0) has", "threads (1,0,0), (2,0,0) and 5 others have"
std::string threads_have(const std::vector<unsigned>& threads) {
    std::string text = threads.size() == 1 ? "thread " : "threads ";
    for (std::size_t i = 0; i < threads.size() && i < kNamed; ++i) {
        text += (i ? ", " : "") + thread_text(threads[i]);
    }
    if (threads.size() > kNamed) text += fmt::format(" and {} others", threads.size() - kNamed);
    return text + (threads.size() == 1 ? " has" : " have");
}

/// What a thread does that others wait for in vain: "has left the kernel", "waits at __syncthreads() at a.cu:3".
std::string state_of(const Block& block, unsigned thread) {
    const Fiber* const fiber = waiting_fiber(block, thread);
    if (!fiber) return "has left the kernel";
    const std::string mask = fiber->meeting ? fmt::format(" with mask {:#010x}", fiber->meeting->mask) : "";
    return fmt::format("waits at {} at {}{}", fiber->waits_in, to_text(fiber->place), mask);
}

std::string describe_meeting(const Block& block, unsigned warp, const Meeting& meeting) {
    const unsigned missing = meeting.mask & block.warps[warp].lanes & ~meeting.arrived;
    const auto lane = static_cast<unsigned>(std::countr_zero(missing));
    const unsigned thread = warp * kWarpLanes + lane;
    const int others = std::popcount(missing) - 1;
    return fmt::format("lane {} (thread {} of block {}) named by mask {:#010x} in {} at {} {}{}", lane,
                       thread_text(thread), to_text(block.index), meeting.mask, name_of(meeting.operation),
                       to_text(meeting.place), state_of(block, thread),
                       others == 0 ? "" : fmt::format("; {} more of its lanes did not come either", others));
}

std::string describe_barrier(const Block& block, const Barrier& barrier) {
    std::vector<unsigned> left, elsewhere;
    for (unsigned thread = 0; thread < block.threads; ++thread) {
        const Fiber* const fiber = waiting_fiber(block, thread);
        if (!fiber) {
            left.push_back(thread);
        } else if (fiber->waits_in != barrier.name || fiber->place.line != barrier.place.line) {
            elsewhere.push_back(thread);
        }
    }
    std::string text = fmt::format("{} of {} threads of block {} {} at {} at {}", barrier.arrived, barrier.expected,
                                   to_text(block.index), barrier.arrived == 1 ? "waits" : "wait", barrier.name,
                                   to_text(barrier.place));
    if (!left.empty()) return text + ", but " + threads_have(left) + " left the kernel";
    if (!elsewhere.empty()) {
        return text + ", but thread " + thread_text(elsewhere.front()) + " " + state_of(block, elsewhere.front());
    }
    return text + ", and no other thread will come";
}

}  // namespace

Failure stuck_failure(const std::vector<Block*>& blocks) {
    Failure failure{.error = cudaErrorLaunchTimeout, .detail = "no thread can run", .never_met = true};
    for (const Block* block : blocks) {
        for (unsigned warp = 0; warp < block->warp_count(); ++warp) {
            if (const Meeting* meeting = block->warps[warp].meetings) {
                failure.detail = describe_meeting(*block, warp, *meeting);
                failure.place = meeting->place;
                return failure;
            }
        }
        for (const Barrier& barrier : block->barriers) {
            if (barrier.arrived == 0) continue;
            failure.detail = describe_barrier(*block, barrier);
            failure.place = barrier.place;
            return failure;
        }
    }
    return failure;
}

}  // namespace lanework_simt::engine

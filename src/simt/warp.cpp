// The warp's collective operations: lanes put their values into a meeting, wait for the others, and read theirs.
#include <lanework_simt/warp.hpp>

#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <lanework_simt/error.hpp>
#include <lanework_simt/lane_rules.hpp>

#include "src/simt/hooks.hpp"
#include "src/simt/switching.hpp"

namespace lanework_simt {

namespace engine {

const char* name_of(WarpOperation operation) {
    switch (operation) {
        case WarpOperation::syncwarp: return "__syncwarp";
        case WarpOperation::shuffle_index: return "__shfl_sync";
        case WarpOperation::shuffle_up: return "__shfl_up_sync";
        case WarpOperation::shuffle_down: return "__shfl_down_sync";
        case WarpOperation::shuffle_xor: return "__shfl_xor_sync";
        case WarpOperation::any: return "__any_sync";
        case WarpOperation::all: return "__all_sync";
        case WarpOperation::ballot: return "__ballot_sync";
        case WarpOperation::match_any: return "__match_any_sync";
        case WarpOperation::match_all: return "__match_all_sync";
        case WarpOperation::reduce_add: return "__reduce_add_sync";
        case WarpOperation::reduce_min: return "__reduce_min_sync";
        case WarpOperation::reduce_max: return "__reduce_max_sync";
        case WarpOperation::reduce_and: return "__reduce_and_sync";
        case WarpOperation::reduce_or: return "__reduce_or_sync";
        case WarpOperation::reduce_xor: return "__reduce_xor_sync";
        case WarpOperation::activemask: return "__activemask";
    }
    return "a warp operation";
}

namespace {

/// Turns of spinning lanes after which __activemask takes them to wait for the lanes that arrived.
constexpr unsigned kSpinningTurns = 64;

bool complete(const Meeting& meeting, const Warp& warp) {
    if (meeting.operation == WarpOperation::activemask) {
        return (warp.lanes & ~warp.exited & ~warp.waiting & ~meeting.arrived) == 0 || meeting.spins > kSpinningTurns;
    }
    const bool excuses = lane_rules::excuses_exited(meeting.operation) || (exited_excused && !observed);
    const unsigned excused = excuses ? warp.exited : 0;
    return (meeting.mask & warp.lanes & ~excused & ~meeting.arrived) == 0;
}

/// Takes the meeting off the warp's list and lets its lanes run.
void finish(Worker& worker, Warp& warp, Meeting& meeting) {
    Meeting** link = &warp.meetings;
    while (*link != &meeting) link = &(*link)->next;
    *link = meeting.next;
    warp.waiting &= ~meeting.arrived;
    for (Fiber* fiber : meeting.waiting) {
        if (fiber) worker.release(fiber);
    }
}

/// The meeting that the caller's lane belongs to: one that lacks it, or a new one.
Meeting& join(Worker& worker, Warp& warp, WarpOperation operation, unsigned mask, Place place) {
    const unsigned lane = lane_bit(context.thread);
    for (Meeting* meeting = warp.meetings; meeting; meeting = meeting->next) {
        const bool here = operation != WarpOperation::activemask || meeting->place.line == place.line;
        if (meeting->operation == operation && meeting->mask == mask && here && !(meeting->arrived & lane)) {
            return *meeting;
        }
    }
    Meeting* const meeting = worker.begin_meeting(operation, mask, place);
    meeting->next = warp.meetings;
    warp.meetings = meeting;
    return *meeting;
}

std::string describe_mask(WarpOperation operation, unsigned mask, Place place) {
    return fmt::format("lane {} (thread {} of block {}) calls {} at {} with mask {:#010x}, which does not name it",
                       context.thread % kWarpLanes, to_text(context.thread_index), to_text(context.block_index),
                       name_of(operation), to_text(place), mask);
}

std::string describe_width(WarpOperation operation, int width, Place place) {
    return fmt::format("{} at {} has width {}; it must be 1, 2, 4, 8, 16 or 32", name_of(operation), to_text(place),
                       width);
}

/// The lanes' values when all have met, for as long as this object lives.
class Met {
public:
    LANEWORK_SIMT_INLINE Met(WarpOperation operation, unsigned mask, std::uint64_t value, Place place)
        : worker_(current_worker(name_of(operation))), meeting_(meet(operation, mask, value, place)) {}
    ~Met() {
        if (--meeting_.leaving == 0) worker_.end_meeting(&meeting_);
    }
    Met(const Met&) = delete;
    Met& operator=(const Met&) = delete;

    unsigned lanes() const { return meeting_.arrived; }
    std::uint64_t value(unsigned lane) const {
        return lanes() >> lane & 1 ? meeting_.values[lane] : lane_rules::kUndefined;
    }
    /// Of the lanes that met.
    const auto& values() const { return meeting_.values; }

private:
    LANEWORK_SIMT_INLINE Meeting& meet(WarpOperation operation, unsigned mask, std::uint64_t value, Place place) {
        const unsigned lane = context.thread % kWarpLanes;
        record(LANEWORK_HOOK_PC(),
               operation == WarpOperation::syncwarp ? EventKind::warp_sync : EventKind::warp_exchange, 0,
               reinterpret_cast<const void*>(std::uintptr_t{mask}));
        if (!(mask >> lane & 1) && operation != WarpOperation::activemask) {
            worker_.fail({cudaErrorIllegalInstruction, describe_mask(operation, mask, place), place});
        }
        Warp& warp = context.block->warp_of(context.thread);
        Meeting& meeting = join(worker_, warp, operation, mask, place);
        meeting.values[lane] = value;
        meeting.arrived |= 1u << lane;
        ++meeting.leaving;
        if (complete(meeting, warp)) {
            finish(worker_, warp, meeting);
        } else {
            meeting.waiting[lane] = context.fiber;
            context.fiber->meeting = &meeting;
            worker_.wait(name_of(operation), place);
        }
        return meeting;
    }

    Worker& worker_;
    Meeting& meeting_;
};

}  // namespace

void settle_warp(Worker& worker, Warp& warp, bool lane_spun) {
    for (Meeting* meeting = warp.meetings; meeting;) {
        Meeting* const next = meeting->next;
        meeting->spins += lane_spun;
        if (complete(*meeting, warp)) finish(worker, warp, *meeting);
        meeting = next;
    }
    if (warp.steps) settle_steps(worker, warp, lane_spun);
}

}  // namespace engine

namespace lane_exchange {

std::uint64_t shuffle(WarpOperation operation, unsigned mask, std::uint64_t value, unsigned argument, int width,
                      Place place) {
    if (!lane_rules::is_width(width)) {
        fail_kernel(cudaErrorIllegalInstruction, engine::describe_width(operation, width, place));
    }
    const engine::Met met(operation, mask, value, place);
    const unsigned lane = context.thread % kWarpLanes;
    return met.value(lane_rules::source_lane(operation, lane, argument, static_cast<unsigned>(width)));
}

unsigned vote(WarpOperation operation, unsigned mask, bool predicate, unsigned* voters, Place place) {
    const engine::Met met(operation, mask, predicate, place);
    *voters = met.lanes();
    return lane_rules::same(met.lanes(), met.values(), 1);
}

unsigned match(WarpOperation operation, unsigned mask, std::uint64_t value, unsigned* matched, Place place) {
    const engine::Met met(operation, mask, value, place);
    *matched = met.lanes();
    return lane_rules::same(met.lanes(), met.values(), value);
}

std::uint32_t reduce(WarpOperation operation, unsigned mask, std::uint32_t value, bool is_signed, Place place) {
    const engine::Met met(operation, mask, value, place);
    return lane_rules::reduce(operation, met.lanes(), met.values(), is_signed);
}

}  // namespace lane_exchange

// Flattened: a meeting's place is the code that the called function itself returns to.
void api::__syncwarp(unsigned mask, Place place) { engine::Met(WarpOperation::syncwarp, mask, 0, place); }

#define LANEWORK_SIMT_VOTE(result, name)                                                                       \
    [[gnu::flatten]] result api::__##name##_sync(unsigned mask, int predicate, Place place) {                  \
        unsigned voters = 0;                                                                                   \
        const unsigned votes = lane_exchange::vote(WarpOperation::name, mask, predicate != 0, &voters, place); \
        return static_cast<result>(lane_rules::vote(WarpOperation::name, votes, voters));                      \
    }
LANEWORK_SIMT_VOTE(int, any)
LANEWORK_SIMT_VOTE(int, all)
LANEWORK_SIMT_VOTE(unsigned, ballot)
#undef LANEWORK_SIMT_VOTE

unsigned api::__activemask(Place place) { return engine::Met(WarpOperation::activemask, 0, 0, place).lanes(); }

#define LANEWORK_SIMT_REDUCE(name)                                                               \
    [[gnu::flatten]] unsigned api::__##name##_sync(unsigned mask, unsigned value, Place place) { \
        return lane_exchange::reduce(WarpOperation::name, mask, value, false, place);            \
    }
#define LANEWORK_SIMT_SIGNED_REDUCE(name)                                                                      \
    LANEWORK_SIMT_REDUCE(name)                                                                                 \
    [[gnu::flatten]] int api::__##name##_sync(unsigned mask, int value, Place place) {                         \
        return static_cast<int>(                                                                               \
            lane_exchange::reduce(WarpOperation::name, mask, static_cast<std::uint32_t>(value), true, place)); \
    }
LANEWORK_SIMT_SIGNED_REDUCE(reduce_add)
LANEWORK_SIMT_SIGNED_REDUCE(reduce_min)
LANEWORK_SIMT_SIGNED_REDUCE(reduce_max)
LANEWORK_SIMT_REDUCE(reduce_and)
LANEWORK_SIMT_REDUCE(reduce_or)
LANEWORK_SIMT_REDUCE(reduce_xor)
#undef LANEWORK_SIMT_REDUCE
#undef LANEWORK_SIMT_SIGNED_REDUCE

}  // namespace lanework_simt

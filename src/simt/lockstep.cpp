// Lanes of a warp that keep step at their accesses of volatile memory, as GPUs before Volta ran them and newer ones
// still mostly do. A lane waits at each such access until no other lane of its warp runs; then those go on that are
// first in the code, so that lanes which took a branch come back to the others before these pass on.
#include <lanework_simt/lockstep.hpp>

#include <algorithm>
#include <bit>

#include "src/simt/switching.hpp"

namespace lanework_simt {

namespace engine {

namespace {

/// Turns of a spinning lane after which the others do not wait for it.
constexpr unsigned kSpinningTurns = 16;
/// Lanes that access the same places over and over wait for the lanes that they left behind.
constexpr unsigned kMostRepeated = 32, kMostOvertaken = 1 << 16;
/// Accesses by a warp after which threads that have not begun get a turn.
constexpr unsigned kStepsPerYield = 32;
/// Idle yields of each runnable thread before another block becomes resident.
constexpr std::size_t kPatience = 64;

/// Lanes whose place comes first; all that wait, where the first ones wait for the others.
unsigned first_lanes(Steps& steps) {
    std::uint64_t first = ~std::uint64_t{0};
    for (unsigned left = steps.arrived; left; left &= left - 1)
        first = std::min(first, steps.places[static_cast<unsigned>(std::countr_zero(left))]);
    unsigned lanes = 0;
    std::uint64_t accessed = first;
    for (unsigned left = steps.arrived; left; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        if (steps.places[lane] != first) continue;
        lanes |= 1u << lane;
        accessed = accessed * 31 + steps.addresses[lane];
    }
    if (lanes == steps.arrived) return lanes;
    const bool again = std::find(steps.recent.begin(), steps.recent.end(), accessed) != steps.recent.end();
    steps.recent[++steps.overtaken % steps.recent.size()] = accessed;
    steps.repeated = again ? steps.repeated + 1 : 0;
    return steps.repeated > kMostRepeated || steps.overtaken > kMostOvertaken ? steps.arrived : lanes;
}

}  // namespace

void settle_steps(Worker& worker, Warp& warp, bool lane_spun) {
    Steps& steps = *warp.steps;
    steps.spins += lane_spun;
    const bool running = (warp.lanes & ~warp.exited & ~warp.waiting) != 0;
    if (steps.arrived == 0 || (running && steps.spins <= kSpinningTurns)) return;
    const unsigned lanes = first_lanes(steps);
    for (unsigned left = lanes; left; left &= left - 1)
        worker.release(steps.fibers[static_cast<unsigned>(std::countr_zero(left))]);
    steps.arrived &= ~lanes;
    warp.waiting &= ~lanes;
    steps.spins = 0;
    if (steps.arrived != 0) return;
    warp.steps = nullptr;
    worker.end_steps(&steps);
}

Steps* Worker::begin_steps() {
    if (free_steps_.empty()) {
        steps_.push_back(std::make_unique<Steps>());
        free_steps_.push_back(steps_.back().get());
    }
    Steps* const steps = free_steps_.back();
    free_steps_.pop_back();
    steps->arrived = steps->spins = steps->repeated = steps->overtaken = 0;
    steps->recent = {};
    return steps;
}

void Worker::step(std::uint64_t place, const volatile void* address, const void* caller) {
    Fiber* const self = context.fiber;
    const auto* const at = static_cast<const volatile std::byte*>(address);
    if (loop_ || (at >= self->low && at < self->low + self->bytes)) return;
    if (seeded()) return address ? spin(address, caller) : void();
    catch_up();
    Warp& warp = context.block->warp_of(context.thread);
    const unsigned own = lane_bit(context.thread), lane = context.thread % kWarpLanes;
    const bool alone = (warp.lanes & ~warp.exited & ~warp.waiting & ~own) == 0 && !warp.steps;
    if (alone) return address ? spin(address, caller) : void();
    if (standstill_.watching()) [[unlikely]]
        note_state();
    if (!warp.steps) warp.steps = begin_steps();
    Steps& steps = *warp.steps;
    steps.arrived |= own;
    steps.fibers[lane] = self;
    steps.places[lane] = place;
    steps.addresses[lane] = reinterpret_cast<std::uintptr_t>(address);
    hand_back_row();
    self->waits_in = "a volatile access";
    self->place = {};
    self->thread = context.thread;
    self->block = context.block;
    warp.waiting |= own;
    settle_warp(*this, warp, false);
    // A warp's step counts as a yield: whom the lanes wait for may not have begun.
    const bool completed = !(warp.waiting & own);
    if (completed && ++idle_yields_ % kStepsPerYield == 0) {
        admit_more(kPatience);
        if (idle_yields_ % Standstill::kLook == 0) {
            spin_ = spin_at(address, caller);
            look_around(ready_.size());
        }
        if (may_start())
            switch_to(take_fiber());
        else
            switch_away();
    } else {
        switch_away();
    }
    self->waits_in = nullptr;
}

}  // namespace engine

void lockstep_at(std::uint64_t place, const volatile void* address) {
    if (engine::may_give_way()) context.worker->step(place, address, __builtin_return_address(0));
}

void rejoin(unsigned column, unsigned line) {
    // Behind every access: lanes that have one before them are still in the branch.
    constexpr std::uint64_t kBehindAccesses = std::uint64_t{1} << 63;
    if (context.worker)
        context.worker->step(kBehindAccesses | (std::uint64_t{line} * kColumns + column), nullptr, nullptr);
}

}  // namespace lanework_simt

// The way from one suspended thread to the next, inline wherever a thread waits. A processor predicts a return by the
// calls before it, whatever their stack: a call between the waiting function and the switch would put it out of step,
// and that costs as much as the switch.
#pragma once

#include "src/simt/debugging.hpp"
#include "src/simt/worker.hpp"

#define LANEWORK_SIMT_INLINE [[gnu::always_inline]] inline

namespace lanework_simt::engine {

LANEWORK_SIMT_INLINE void Worker::check_failure() {
    if (grid_->failed()) [[unlikely]]
        abandon();
}

LANEWORK_SIMT_INLINE void Worker::enter(Block& block) {
    context.block = &block;
    context.block_index = block.index;
    context.blocks_end = block.index.x + 1;
    context.shared = block.shared.get();
}

inline bool has_unstarted(const Block* block) { return block->started < block->threads; }

LANEWORK_SIMT_INLINE void advance(Block::Cursor& index, const uint3& extent) {
    if (++index.x < extent.x) return;
    index.x = 0;
    if (++index.y < extent.y) return;
    index.y = 0;
    ++index.z;
}

/// The row of the context is its thread alone.
LANEWORK_SIMT_INLINE void set_row_of_one() {
    context.row_first = context.thread_index.x;
    context.row_end = context.row_first + 1;
}

/// The context becomes that of the block's next thread, and the threads behind it in its row are to follow.
LANEWORK_SIMT_INLINE void Worker::begin(Block& block) {
    if (context.block != &block) enter(block);
    idle_yields_ = 0;
    context.spins = 0;
    if (seeded()) {
        context.thread = block.order[block.started++];
        context.thread_index = thread_index_of(context.thread, context.block_dim);
        set_row_of_one();
        if (observed) context.tape = &block.tapes.of(context.thread);
        return;
    }
    context.thread = block.started;
    context.thread_index = uint3{static_cast<unsigned>(block.cursor.x), static_cast<unsigned>(block.cursor.y),
                                 static_cast<unsigned>(block.cursor.z)};
    if (observed || debugged) {
        if (observed) context.tape = &block.tapes.of(context.thread);
        set_row_of_one();
        ++block.started;
        advance(block.cursor, context.block_dim);
        if (debugged) debug_thread();
        return;
    }
    context.row_first = context.thread_index.x;
    context.row_end = context.block_dim.x;
    block.started += context.row_end - context.row_first;
    block.cursor.x = context.row_end - 1;
    advance(block.cursor, context.block_dim);
}

/// Leaves the rest of the row to another fiber: this one is about to wait.
LANEWORK_SIMT_INLINE void Worker::hand_back_row() {
    const unsigned next = context.thread_index.x + 1;
    if (context.row_end == next) return;
    Block& block = *context.block;
    block.started -= context.row_end - next;
    block.cursor = {next, context.thread_index.y, context.thread_index.z};
    context.row_end = next;
}

LANEWORK_SIMT_INLINE void Worker::leave_thread() {
    Block& block = *context.block;
    Warp& warp = block.warp_of(context.thread);
    warp.exited |= lane_bit(context.thread);
    --block.remaining;
    if (warp.unsettled()) settle_warp(*this, warp, false);
    if (observed && block.remaining == 0) end_observed(block);
}

LANEWORK_SIMT_INLINE bool Worker::claim() {
    if (seeded()) return claim_drawn();
    Block* const block = context.block;
    if (block && has_unstarted(block)) {
        begin(*block);
        return true;
    }
    // The only resident block has begun all its threads, and some wait: no other block comes before they have left.
    if (block && block->remaining != 0 && resident_limit_ == 1) return false;
    return claim_elsewhere();
}

/// Runs another fiber, and returns when something runs this one again.
LANEWORK_SIMT_INLINE void Worker::switch_to(Fiber* to) {
    Fiber* const self = context.fiber;
    hand_back_row();
    self->thread_index = context.thread_index;
    self->thread = context.thread;
    self->carry = context.carry;
    self->block = context.block;
    context.fiber = to;
    jump(self, to);
    context.fiber = self;
    context.thread_index = self->thread_index;
    context.thread = self->thread;
    set_row_of_one();
    context.carry = self->carry;
    context.spins = 0;
    if (context.block != self->block) enter(*self->block);
    if (observed) context.tape = &self->block->tapes.of(self->thread);
    if (debugged) debug_thread();
}

/// Fetches what a switch to `fiber` will touch: itself and the top of its stack, which is as deep as that of `like`,
/// since the two wait at one place. The stacks of a block are larger than a first cache.
LANEWORK_SIMT_INLINE void fetch_ahead(const Fiber* fiber, const Fiber* like) {
#ifdef LANEWORK_SIMT_INLINE_JUMP
    constexpr std::ptrdiff_t kLine = 64;
    const auto* const low = reinterpret_cast<const std::byte*>(fiber);
    const std::ptrdiff_t depth = reinterpret_cast<const std::byte*>(like) - static_cast<const std::byte*>(like->stack);
    __builtin_prefetch(low, 1);
    __builtin_prefetch(low + kLine, 1);
    for (std::ptrdiff_t line = 0; line < 4; ++line) __builtin_prefetch(low - depth + line * kLine, 1);
#else
    static_cast<void>(fiber), static_cast<void>(like);
#endif
}

/// Runs whoever is next in line, or else begins a thread.
LANEWORK_SIMT_INLINE void Worker::switch_away() {
    check_failure();
    Fiber* const next = ready_.empty() || seeded() ? choose() : ready_.pop();
    if (const Fiber* const behind = ready_.first()) fetch_ahead(behind, next);
    if (next != context.fiber) switch_to(next);
}

LANEWORK_SIMT_INLINE void Worker::wait(const char* operation, Place place) {
    if (loop_) [[unlikely]]
        fail_in_loop(operation);
    if (standstill_.watching()) [[unlikely]]
        note_state();
    Fiber* const self = context.fiber;
    hand_back_row();
    self->waits_in = operation;
    self->place = place;
    self->thread = context.thread;
    self->block = context.block;
    Warp& warp = context.block->warp_of(context.thread);
    warp.waiting |= lane_bit(context.thread);
    if (warp.unsettled()) settle_warp(*this, warp, false);
    switch_away();
    self->waits_in = nullptr;
    self->meeting = nullptr;
}

}  // namespace lanework_simt::engine

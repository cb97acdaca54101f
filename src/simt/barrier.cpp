// Barriers: counting a block's threads in, and letting them all go when the last one comes.
#include <lanework_simt/barrier.hpp>
#include <lanework_simt/error.hpp>

#include <fmt/format.h>
#include <cstring>

#include "src/simt/hooks.hpp"
#include "src/simt/switching.hpp"

namespace lanework_simt {

namespace engine {

namespace {

bool same(const Place& a, const Place& b) {
    return a.line == b.line && (a.file == b.file || std::strcmp(a.file, b.file) == 0);
}

std::string describe_place(const Barrier& barrier, const char* name, Place place) {
    return fmt::format(
        "thread {} of block {} is at {} at {} while {} {} at {} at {}: the threads of a block must meet at one barrier",
        to_text(context.thread_index), to_text(context.block_index), name, to_text(place), barrier.arrived,
        barrier.arrived == 1 ? "other waits" : "others wait", barrier.name, to_text(barrier.place));
}

std::string describe_number(unsigned number, const char* name, Place place) {
    return fmt::format("{} at {}: there is no barrier {}, they are 0 to 15", name, to_text(place), number);
}

/// The lanes that were counted as waiting run again.
void unmark_waiting(Block& block, const Barrier& barrier) {
    if (barrier.expected == block.threads) {
        for (unsigned w = 0; w < block.warp_count(); ++w) block.warps[w].waiting = 0;
        return;
    }
    for (const Fiber* fiber = barrier.waiting.first(); fiber; fiber = fiber->next) {
        block.warp_of(fiber->thread).waiting &= ~lane_bit(fiber->thread);
    }
}

LANEWORK_SIMT_INLINE void complete(Worker& worker, Block& block, Barrier& barrier) {
    if (observed && barrier.expected == block.threads) synchronize_observed(block);
    unmark_waiting(block, barrier);
    barrier.arrived = 0;
    barrier.last_votes = barrier.votes;
    barrier.votes = 0;
    worker.release(barrier.waiting);
}

}  // namespace

void complete_barrier(Worker& worker, Block& block, Barrier& barrier) { complete(worker, block, barrier); }

namespace {

/// Waits for `expected` threads (0: all of the block's, at one place); the number of true predicates among theirs.
LANEWORK_SIMT_INLINE unsigned meet(const char* name, unsigned number, unsigned expected, bool predicate, Place place) {
    Worker& worker = current_worker(name);
    Block& block = *context.block;
    Barrier& barrier = block.barriers[number];
    if (barrier.arrived == 0) {
        barrier.name = name;
        barrier.place = place;
        barrier.expected = expected ? expected : block.threads;
    } else if (expected == 0 && !same(barrier.place, place) && (!exited_excused || observed)) {
        worker.fail({.error = cudaErrorLaunchFailure,
                     .detail = describe_place(barrier, name, place),
                     .place = place,
                     .never_met = true});
    }
    if (barrier.expected != block.threads) record(LANEWORK_HOOK_PC(), EventKind::barrier, 0, nullptr);
    barrier.votes += predicate;
    if (++barrier.arrived < barrier.expected) {
        barrier.waiting.push(context.fiber);
        worker.wait(name, place);
        return barrier.last_votes;
    }
    complete(worker, block, barrier);
    return barrier.last_votes;
}

/// At a barrier that the program numbers.
void meet_numbered(const char* name, unsigned number, unsigned expected, Place place) {
    if (number >= kBarriers)
        current_worker(name).fail({cudaErrorIllegalInstruction, describe_number(number, name, place), place});
    meet(name, number, expected, false, place);
}

}  // namespace

}  // namespace engine

void api::__syncthreads(Place place) { engine::meet("__syncthreads()", 0, 0, false, place); }

int api::__syncthreads_count(int predicate, Place place) {
    return static_cast<int>(engine::meet("__syncthreads_count()", 0, 0, predicate != 0, place));
}

int api::__syncthreads_and(int predicate, Place place) {
    return engine::meet("__syncthreads_and()", 0, 0, predicate == 0, place) == 0;
}

int api::__syncthreads_or(int predicate, Place place) {
    return engine::meet("__syncthreads_or()", 0, 0, predicate != 0, place) != 0;
}

void api::__barrier_sync(unsigned barrier, Place place) {
    engine::meet_numbered("__barrier_sync()", barrier, 0, place);
}

void api::__barrier_sync_count(unsigned barrier, unsigned threads, Place place) {
    engine::meet_numbered("__barrier_sync_count()", barrier, threads, place);
}

void tile_sync(unsigned tile, unsigned threads, Place place) {
    engine::meet("thread_block_tile::sync()", engine::kBarriers + tile, threads, false, place);
}

bool launched_together() { return engine::current_worker("grid_group::is_valid()").grid().launch().cooperative; }

// A block is counted in when all of its threads have come; one of them then waits for the other blocks.
void synchronize_grid(Place place) {
    constexpr const char* kName = "grid_group::sync()";
    engine::Worker& worker = engine::current_worker(kName);
    if (!worker.grid().launch().cooperative) {
        worker.fail({cudaErrorCooperativeLaunchTooLarge,
                     fmt::format("{} at {}: blocks can wait for each other in a cooperative launch alone, by "
                                 "cudaLaunchCooperativeKernel",
                                 kName, engine::to_text(place)),
                     place});
    }
    engine::meet(kName, 0, 0, false, place);
    if (context.thread == 0) {
        engine::Grid& grid = worker.grid();
        const std::uint64_t arrivals = grid.arrive();
        if (engine::observed && grid.all_arrived(arrivals)) engine::synchronize_observed_grid();
        while (!grid.all_arrived(arrivals)) yield(__builtin_return_address(0));
    }
    engine::meet(kName, 0, 0, false, place);
}

}  // namespace lanework_simt

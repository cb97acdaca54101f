// A worker: one OS thread's fibers and resident blocks, and the choice of who runs next.
//
// A fiber runs CUDA threads one after another. A thread that must wait stays behind on its fiber, and another fiber
// goes on: one whose wait is over, or else a free one that begins the next thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/simt/block.hpp"
#include "src/simt/grid.hpp"
#include "src/simt/kept_memory.hpp"
#include "src/simt/standstill.hpp"

namespace lanework_simt::engine {

/// What a signal handler can say about a fault in a kernel.
struct Fault {
    int signal = 0;
    const void* address = nullptr;
    bool stack_overflow = false;
    /// The instruction; 0 where that is not known.
    std::uint64_t pc = 0;
};

/// Where a thread waits for memory to change, and the address that it reads; 0 and null where that is not known.
struct Spin {
    std::uint64_t pc = 0;
    const volatile void* address = nullptr;
};
/// The thread's last access, where somebody watches; else, in the code that `caller` lies in, one of `address`.
Spin spin_at(const volatile void* address, const void* caller);

class Worker {
public:
    Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    /// Runs blocks of the grid until none is left or it failed. Always called by the same OS thread unless reset()
    /// comes between.
    void run(Grid& grid);
    /// Forgets everything that is suspended.
    void reset();

    // What threads of a kernel ask for, on a fiber of this worker.

    /// Ends the current thread and begins another on the same fiber; false when there is none to begin.
    bool next_thread();
    /// The same behind the last thread of a row.
    bool end_row();
    /// Ends the block that ran as a plain loop, and begins another; false when there is none.
    bool next_block();
    /// Tells the block of the threads that have ended since the engine last heard of this fiber.
    void catch_up() {
        if (context.thread_index.x != context.row_first) end_threads(context.thread_index.x - context.row_first);
    }
    /// Suspends the current thread until release(); `operation` is what it waits for, as CUDA spells it.
    void wait(const char* operation, Place place);
    /// Lets waiting fibers run again; what they waited for has happened.
    void release(FiberQueue& fibers) { ready_.append(fibers); }
    void release(Fiber* fiber) { ready_.push(fiber); }
    /// Lets other threads run, for one of which the caller may wait; it stays runnable.
    void yield(Spin at);
    /// Counts a spin, and yields now and then.
    void spin(const volatile void* address, const void* caller);
    /// Before an access of volatile memory, at `place` in the order of the code: waits until no lane of the warp runs
    /// any more, and lets those go on whose places come first. A seeded schedule keeps no lanes together.
    void step(std::uint64_t place, const volatile void* address, const void* caller);
    /// Lets other threads run in place of one that a signal interrupted in the kernel's own code.
    /// `state` is what the signal's handler was given.
    void preempt(const void* state);
    /// Lets other threads run in place of one that ran for long without waiting.
    void end_slice(Spin at);
    /// Whether the launch follows a schedule that was drawn.
    bool seeded() const { return seeded_; }
    /// Before an access of a seeded schedule: interrupts the thread with a probability of 1 in `odds`.
    void interrupt(unsigned odds) {
        if (draw_.below(odds) == 0) give_way();
    }
    /// Leaves the kernel for good, for a failure that the grid or `fault` holds.
    [[noreturn]] void abandon();
    /// The kernel's name is put ahead of the detail.
    [[noreturn]] void fail(Failure failure);
    /// The same of a block that runs in regions, where its fibers find no other failure.
    [[noreturn]] void leave_regions(Failure failure);
    /// Where the thread that waited last did.
    const Spin& spin() const { return spin_; }
    void set_fault(const Fault& fault) { fault_ = fault; }
    /// Whether the grid runs as plain loops, whose threads the context does not follow.
    bool loops() const { return loop_; }

    /// The grid that it works for.
    Grid& grid() const { return *grid_; }
    const FiberPool& fibers() const { return pool_; }
    /// Where each thread of the resident blocks stands, for who looks on from a debugger.
    std::string threads_text() const;
    /// Bytes of the arena that the launch uses so far.
    std::size_t shared_bytes() const { return shared_end_; }
    /// Gives a __shared__ variable its place in the arena.
    std::size_t place_shared(std::size_t bytes, std::size_t alignment);

    /// Of a block that runs in regions.
    KeptMemory& kept() { return kept_; }

    /// Storage for a meeting of lanes, and its end.
    Meeting* begin_meeting(WarpOperation operation, unsigned mask, Place place);
    void end_meeting(Meeting* meeting) { free_meetings_.push_back(meeting); }
    void end_steps(Steps* steps) { free_steps_.push_back(steps); }

private:
    static void fiber_main();
    [[noreturn]] void run_fiber(Fiber* self);

    // Which thread begins next.
    bool claim();
    bool claim_elsewhere();
    bool claim_drawn();
    bool may_start() const;
    bool admit();
    void prepare(Block& block, const uint3& index);
    void draw_order(Block& block);
    void retire_finished();
    void begin(Block& block);
    void end_threads(unsigned count);
    void hand_back_row();
    void leave_thread();
    void hand_over_residents();
    Failure failure_of_fault();
    /// What the fibers of a block say that ran in a loop; that failure where they find none.
    Failure failure_by_thread(Failure failure);

    // Which fiber runs next.
    void enter(Block& block);
    Fiber* take_fiber();
    void switch_to(Fiber* to);
    void switch_away();
    void park(Fiber* self);
    Fiber* take_ready();
    Fiber* choose();
    /// Lets other threads run.
    void give_way();
    void check_failure();
    /// Remembers where the thread waits, and in what state it is where that is wanted.
    void note_wait(Spin at);
    void note_state();
    /// Ends the grid where its threads wait for ever; so many can run.
    void look_around(std::size_t runnable);
    std::string describe_spin() const;
    void pass();
    void let_others_run(std::size_t patience);
    /// Lets more blocks become resident where the runnable threads have yielded so often, each, and to no avail.
    void admit_more(std::size_t patience);
    Steps* begin_steps();
    /// For a kernel that was taken to wait for nobody, and does.
    [[noreturn]] void fail_in_loop(const char* operation);
    /// Completes a barrier that lacks no thread but such as have left, where that is excused; false for none.
    bool excuse_exited();
    [[noreturn]] void stuck();

    FiberPool pool_;
    KeptMemory kept_;
    Fiber main_;
    ReadyFibers ready_;
    Grid* grid_ = nullptr;
    bool seeded_ = false, loop_ = false;
    Draw draw_{0};
    /// Of a grid that runs as loops: positions of blocks that are this worker's.
    std::uint64_t taken_first_ = 0, taken_end_ = 0;
    Fault fault_;
    /// The lanes of a warp of the block that runs in regions do not meet.
    std::optional<Failure> parted_;
    std::vector<Block*> resident_, free_blocks_;
    std::vector<std::unique_ptr<Block>> blocks_;
    std::vector<Meeting*> free_meetings_;
    std::vector<std::unique_ptr<Meeting>> meetings_;
    std::vector<Steps*> free_steps_;
    std::vector<std::unique_ptr<Steps>> steps_;
    std::size_t resident_limit_ = 1, most_residents_ = 1;
    std::size_t shared_end_ = 0, static_bytes_ = 0;
    /// Yields of threads that wait for others, since one last began or left; votes and barriers may be those of a loop
    /// that waits.
    std::size_t idle_yields_ = 0;
    Standstill standstill_;
    /// Of the thread that waited last.
    Spin spin_;
};

/// The worker of the thread that runs; throws std::logic_error in host code, which `operation` is not for.
[[noreturn]] void fail_host_call(const char* operation);
inline Worker& current_worker(const char* operation) {
    if (!context.worker) fail_host_call(operation);
    context.worker->catch_up();
    return *context.worker;
}
/// Whether the launch runs as plain loops over its threads: its kernel can, and what a schedule or an observer asks for
/// is not asked for.
bool runs_as_loops(const Launch& launch, bool seeded);
/// A GPU's barrier waits for no thread that has left the kernel, and does not ask which one of several a thread is at.
/// A program that runs is excused as there; one that is checked is not, and neither is a rung.
extern bool exited_excused;

/// Says that threads have waited for long.
void tell_wait(const std::string& sentence, std::uint64_t pc);
/// Lets the threads at a barrier go on.
void complete_barrier(Worker& worker, Block& block, Barrier& barrier);
/// What is wrong with blocks of which nothing can run any more.
Failure stuck_failure(const std::vector<Block*>& blocks);
/// "thread (3,0,0) of block (0,0,0)": the thread that the context names.
std::string thread_text();
/// The sentence about a fault of the thread `who`.
std::string describe(const Fault& fault, const std::string& who);
/// The fiber of a thread that waits; null for one that does not.
const Fiber* waiting_fiber(const Block& block, unsigned thread);
/// What an operation of a warp is called in CUDA.
const char* name_of(WarpOperation operation);
/// After a lane of the warp left, began to wait or spun: completes the operations that need not wait any longer.
void settle_warp(Worker& worker, Warp& warp, bool lane_spun);
/// The same for the lanes that wait at volatile accesses.
void settle_steps(Worker& worker, Warp& warp, bool lane_spun);

}  // namespace lanework_simt::engine

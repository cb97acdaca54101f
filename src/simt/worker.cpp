// The scheduler of one OS thread: running fibers, suspending and resuming them.
#include "src/gpu/occupancy.hpp"
#include "src/simt/gpu.hpp"
#include "src/simt/preemption.hpp"
#include "src/simt/switching.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <lanework_simt/error.hpp>
#include <stdexcept>

namespace lanework_simt {

__thread ThreadContext context __attribute__((tls_model("initial-exec")));

void excuse_exited_threads() { engine::exited_excused = true; }

namespace engine {

bool exited_excused = false;

namespace {

constexpr std::size_t kSeededResidents = 4;
constexpr std::size_t kPatience = 64;  // idle yields of each runnable thread before another block becomes resident
constexpr std::size_t kPatienceOfSlices = 8;
constexpr unsigned kStartOdds = 4;  // a seeded schedule begins a thread, rather than resume one, 1 time in this many
constexpr std::size_t kSharedAlignment = 16;
constexpr const char* kNoStack = "no memory for another thread's stack; LANEWORK_SIMT_STACK_KIB sets its size";

/// Where the current thread was last seen; 0 where nobody watches.
std::uint64_t last_pc() {
    const Tape* const tape = context.tape;
    return tape && tape->size != 0 ? tape->code(tape->size - 1).pc() : 0;
}

/// As many blocks may be resident as the GPU holds at once: a kernel whose blocks wait for more hangs there, too.
std::size_t most_residents(const Launch& launch) {
    const lanework::Gpu& gpu = presented_gpu();
    const lanework::KernelResources block{
        .threads_per_block = static_cast<int>(launch.block.x * launch.block.y * launch.block.z),
        .dynamic_shared = static_cast<std::int64_t>(launch.shared_bytes)};
    return static_cast<std::size_t>(gpu.sms * lanework::occupancy(gpu.limits(), block).blocks);
}

}  // namespace

Spin spin_at(const volatile void* address, const void* caller) {
    const std::uint64_t seen = last_pc();
    return {seen != 0 ? seen : reinterpret_cast<std::uint64_t>(caller), address};
}

bool runs_as_loops(const Launch& launch, bool seeded) {
    static const char* const asked = std::getenv("LANEWORK_SIMT_LOOPS");
    if (asked && *asked == '0') return false;
    return launch.run_loop && !observed && !debugged && !seeded && !launch.cooperative &&
           launch.block.x <= kMostLoopThreads &&
           std::uint64_t{launch.grid.x} * launch.block.x <= kMostLoopIndex - kMostLoopThreads;
}

Worker::Worker() : pool_(&Worker::fiber_main) {}

void Worker::run(Grid& grid) {
    const Launch& launch = grid.launch();
    grid_ = &grid;
    pool_.fit();
    seeded_ = grid.seed() != 0;
    draw_ = Draw(grid.seed());
    fault_ = {};
    parted_.reset();
    loop_ = runs_as_loops(launch, seeded_);
    taken_first_ = taken_end_ = 0;
    kept_.reset();
    resident_limit_ = seeded_ ? kSeededResidents : 1;
    // Each worker has its part of them.
    most_residents_ = std::max(resident_limit_, (most_residents(launch) + grid.workers() - 1) / grid.workers());
    if (launch.cooperative) resident_limit_ = most_residents_;
    shared_end_ = (launch.shared_bytes + kSharedAlignment - 1) / kSharedAlignment * kSharedAlignment;
    static_bytes_ = 0;
    context = {};
    context.block_dim = launch.block;
    context.grid_dim = launch.grid;
    context.launch = grid.number();
    context.alone = grid.workers() == 1;
    context.worker = this;
    if (debugged) debug_launch(grid);
    standstill_.reset(grid);
    spin_ = {};
    // Instrumented code counts its own reads of memory that changes.
    const bool interrupts = !loop_ && !seeded_ && !observed;
    const Preemption preemption(interrupts ? code_apart_from_engine(reinterpret_cast<const void*>(launch.run))
                                           : CodeRange{});
    try {
        context.fiber = pool_.take();
        jump(&main_, context.fiber);
    } catch (const std::bad_alloc&) {
        grid.fail({cudaErrorMemoryAllocation, launch.kernel + (": " + std::string(kNoStack))});
    }
    if (!loop_) standstill_.leave();
    if (fault_.signal != 0) grid.fail(failure_of_fault());
    if (parted_) grid.fail(failure_by_thread(*std::exchange(parted_, {})));
    if (grid.failed()) {
        if (observed) hand_over_residents();
        reset();
    }
    context = {};
    if (debugged) debug_thread();
}

Failure Worker::failure_of_fault() {
    const Launch& launch = grid_->launch();
    const cudaError_t error = fault_.signal == SIGFPE   ? cudaErrorLaunchFailure
                              : fault_.signal == SIGILL ? cudaErrorIllegalInstruction
                                                        : cudaErrorIllegalAddress;
    // Where the thread was seen last comes behind the access; the instruction itself is looked up as one. What is no
    // access was not seen.
    const bool own = code_apart_from_engine(reinterpret_cast<const void*>(launch.run)).holds(fault_.pc);
    const std::uint64_t seen = own && error != cudaErrorIllegalAddress ? 0 : last_pc(), pc = seen != 0 ? seen
                                                                                             : fault_.pc != 0
                                                                                                 ? fault_.pc + 1
                                                                                                 : 0;
    const std::string who = loop_ ? "a thread of block " + to_text(context.block_index) : thread_text();
    Failure failure{.error = error, .detail = launch.kernel + (": " + describe(fault_, who)), .pc = pc};
    failure.bad_access = error == cudaErrorIllegalAddress && !fault_.stack_overflow;
    return loop_ ? failure_by_thread(std::move(failure)) : failure;
}

/// A loop keeps the index of its thread to itself. Its blocks run again, thread by thread, up to the one that fails:
/// nobody reads any more what they then write a second time.
Failure Worker::failure_by_thread(Failure failure) {
    const Launch& launch = grid_->launch();
    Launch by_thread = launch;
    by_thread.run_loop = nullptr;
    const unsigned blocks = launch.rows ? context.blocks_end - context.block_index.x : 1;
    Grid again(Grid(by_thread, grid_->number(), 0), context.block_index, blocks);
    reset();
    run(again);
    return again.failed() ? again.failure() : failure;
}

/// What threads of a failed grid did until then.
void Worker::hand_over_residents() {
    for (Block* block : resident_)
        if (block->remaining != 0) end_observed(*block);
}

void Worker::reset() {
    pool_.reset();
    ready_.clear();
    resident_.clear();
    free_blocks_.clear();
    for (const auto& block : blocks_) {
        block->barriers = {};
        block->warps = {};
        free_blocks_.push_back(block.get());
    }
    free_meetings_.clear();
    for (const auto& meeting : meetings_) free_meetings_.push_back(meeting.get());
    free_steps_.clear();
    for (const auto& steps : steps_) free_steps_.push_back(steps.get());
}

void Worker::fiber_main() { context.worker->run_fiber(context.fiber); }

LANEWORK_SIMT_INLINE Fiber* Worker::take_ready() {
    if (!seeded()) return ready_.pop();
    return ready_.take(draw_.below(static_cast<unsigned>(std::min(ready_.size(), ReadyFibers::kReach))));
}

/// Leaves the fiber free, and returns when it is taken for the next thread.
LANEWORK_SIMT_INLINE void Worker::park(Fiber* self) {
    check_failure();
    pool_.give_back(self);
    if (ready_.empty() && !resident_.empty() && !excuse_exited()) stuck();
    Fiber* const next = ready_.empty() ? &main_ : take_ready();
    if (const Fiber* const behind = ready_.first()) fetch_ahead(behind, next);
    context.fiber = next;
    jump(self, next);
}

void Worker::run_fiber(Fiber* self) {
    for (;;) {
        context.fiber = self;
        std::unique_ptr<const std::string> thrown;
        try {
            if (claim()) {
                const Launch& launch = grid_->launch();
                (loop_ ? launch.run_loop : launch.run)(launch.closure);
            }
        } catch (const std::exception& exception) {
            thrown = std::make_unique<const std::string>(exception.what());
        }
        if (thrown) fail({cudaErrorLaunchFailure, "an exception left the kernel: " + *thrown});
        park(self);
    }
}

Fiber* Worker::take_fiber() {
    try {
        return pool_.take();
    } catch (const std::bad_alloc&) {
    }
    fail({cudaErrorMemoryAllocation, kNoStack});
}

Fiber* Worker::choose() {
    const bool start = ready_.empty() || (seeded() && draw_.below(kStartOdds) == 0);
    if (start && may_start()) return take_fiber();
    if (ready_.empty() && !excuse_exited()) stuck();
    return take_ready();
}

void Worker::yield(Spin at) {
    note_wait(at);
    pass();
}

void Worker::pass() {
    ++idle_yields_;
    admit_more(kPatience);
    if (idle_yields_ % Standstill::kLook == 0) [[unlikely]]
        look_around(ready_.size() + 1);
    give_way();
}

void Worker::give_way() {
    if (loop_) return;  // the threads behind it begin when this one has ended
    catch_up();
    hand_back_row();
    ready_.push(context.fiber);
    // The natural order begins every thread before it resumes one that yielded: it may wait for any of them.
    if (!seeded() && may_start()) {
        switch_to(take_fiber());
    } else {
        switch_away();
    }
}

void Worker::note_wait(Spin at) {
    spin_ = at;
    if (standstill_.watching()) [[unlikely]]
        note_state();
}

[[gnu::noinline]] void Worker::note_state() {
    // The registers that the kernel keeps over a call lie in the frames between it and here.
    __builtin_unwind_init();
    const volatile std::byte here{};
    const Fiber* const fiber = context.fiber;
    const auto* const from =
        std::min(const_cast<const std::byte*>(&here), static_cast<const std::byte*>(__builtin_frame_address(0)));
    const auto bytes = static_cast<std::size_t>(fiber->low + fiber->bytes - from);
    standstill_.saw(*context.fiber, digest_of(from, bytes, 0));
}

void Worker::look_around(std::size_t runnable) {
    if (standstill_.stands(idle_yields_, runnable, resident_, shared_end_)) {
        std::string detail = fmt::format("{} waits for ever: {}, and no thread is left that would change it",
                                         thread_text(), describe_spin());
        if (runnable == 2) detail += "; another thread waits in a loop, too";
        if (runnable > 2) detail += fmt::format("; {} more threads wait in loops", runnable - 1);
        if (is_of_host(spin_.address)) detail += "; the host, neither: the launch returns when the kernel has ended";
        if (const std::uint64_t left = grid_->blocks_left())
            detail += fmt::format("; {} of {} blocks have not begun, since no more are resident at once", left,
                                  grid_->blocks());
        fail({.error = cudaErrorLaunchTimeout, .detail = std::move(detail), .pc = spin_.pc, .endless = true});
    }
    if (spin_.address && standstill_.to_tell())
        tell_wait(fmt::format("{}: no thread has begun or ended for {} s; {} may wait for ever: {}",
                              grid_->launch().kernel, standstill_.seconds(), thread_text(), describe_spin()),
                  spin_.pc);
}

std::string Worker::describe_spin() const {
    const void* const code = reinterpret_cast<const void*>(grid_->launch().run);
    const std::string what = describe_address(spin_.address, *context.block, code);
    return what.empty() ? "it reads the same memory again and again" : "it reads " + what + " again and again";
}

void Worker::spin(const volatile void* address, const void* caller) {
    if (++context.spins % kSpinsPerYield != 0) return;
    note_wait(spin_at(address, caller));
    let_others_run(kPatience);
}

void Worker::preempt(const void* state) {
    Preemption::adapt(idle_yields_ > ready_.size());
    spin_ = {interrupted_at(state) + 1, nullptr};
    if (standstill_.watching()) standstill_.saw(*context.fiber, digest_of_interrupted(state, *context.fiber));
    let_others_run(kPatienceOfSlices);
}

void Worker::end_slice(Spin at) {
    note_wait(at);
    let_others_run(kPatienceOfSlices);
}

void Worker::let_others_run(std::size_t patience) {
    if (loop_) return;
    catch_up();
    Warp& warp = context.block->warp_of(context.thread);
    if (warp.unsettled()) settle_warp(*this, warp, true);
    admit_more(patience);
    pass();
}

void Worker::admit_more(std::size_t patience) {
    if (idle_yields_ <= patience * (ready_.size() + 1) || resident_limit_ >= most_residents_ || !grid_->has_block())
        return;
    // By a quarter, so that a thousand are soon there and a few are not many too many.
    resident_limit_ = std::min(resident_.size() + 1 + resident_.size() / 4, most_residents_);
    idle_yields_ = 0;
}

void Worker::abandon() {
    Fiber* const self = context.fiber;
    context.fiber = &main_;
    jump(self, &main_);
    std::terminate();  // nothing resumes a fiber that was abandoned
}

void Worker::fail(Failure failure) {
    failure.detail = grid_->launch().kernel + (": " + std::move(failure.detail));
    grid_->fail(std::move(failure));
    abandon();
}

void Worker::leave_regions(Failure failure) {
    failure.detail = grid_->launch().kernel + (": " + std::move(failure.detail));
    parted_ = std::move(failure);
    abandon();
}

void Worker::fail_in_loop(const char* operation) {
    fail(
        {.error = cudaErrorUnknown,
         .detail = std::string(operation) +
                   " was reached in a loop over threads, which nothing foresaw: a fault of lanework, please report it; "
                   "LANEWORK_SIMT_LOOPS=0 runs every thread by itself"});
}

bool Worker::excuse_exited() {
    if (!exited_excused || observed) return false;
    for (Block* block : resident_)
        for (Barrier& barrier : block->barriers)
            if (barrier.arrived != 0 && barrier.arrived == block->remaining && barrier.expected == block->threads) {
                complete_barrier(*this, *block, barrier);
                return true;
            }
    return false;
}

void Worker::stuck() { fail(stuck_failure(resident_)); }

void fail_host_call(const char* operation) {
    throw std::logic_error(std::string(operation) + " is for kernels; host code called it");
}

}  // namespace engine

void spin_hint(const volatile void* address, const void* caller) {
    if (engine::may_give_way()) context.worker->spin(address, caller ? caller : __builtin_return_address(0));
}

void yield(const void* caller) {
    if (context.worker) context.worker->yield(engine::spin_at(nullptr, caller ? caller : __builtin_return_address(0)));
}

void api::__nanosleep(unsigned) { yield(__builtin_return_address(0)); }

bool in_kernel() { return context.worker != nullptr; }

void fail_kernel(cudaError_t error, std::string detail, const void* caller) {
    engine::Worker& worker = engine::current_worker(detail.c_str());
    const std::uint64_t pc = caller ? reinterpret_cast<std::uint64_t>(caller) : engine::last_pc();
    worker.fail({.error = error, .detail = std::move(detail), .pc = pc});
}

void api::__trap() { fail_kernel(cudaErrorLaunchFailure, "__trap() was called", __builtin_return_address(0)); }

}  // namespace lanework_simt

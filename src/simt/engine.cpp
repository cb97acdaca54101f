// Running grids: the launching thread works itself and wakes as many helpers as there are blocks for.
#include "src/simt/engine.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <lanework_simt/schedule.hpp>
#include <system_error>

#include "src/simt/debugging.hpp"
#include "src/simt/default_floats.hpp"
#include "src/simt/devices.hpp"
#include "src/simt/fault.hpp"
#include "src/simt/heap.hpp"
#include "src/simt/hooks.hpp"
#include "src/simt/preemption.hpp"
#include "src/simt/sticky.hpp"

namespace lanework_simt {

namespace engine {

namespace {

std::atomic<void (*)(const char*, std::uint64_t, bool)> failure_teller{nullptr};
std::atomic<void (*)(const char*, std::uint64_t)> wait_teller{nullptr};
std::atomic<bool> launched{false};
std::atomic<const Launch*> running_launch{nullptr};

/// A grid of fewer blocks is not worth measuring; of others these parts are measured.
constexpr std::uint64_t kMeasuredBlocks = 64, kMeasuredParts = 32;

int initial_worker_count() {
    if (debugged) return 1;
    const char* const text = std::getenv("LANEWORK_SIMT_THREADS");
    const int asked = text ? std::atoi(text) : 0;
    return asked > 0 ? asked : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace

void tell_wait(const std::string& sentence, std::uint64_t pc) {
    const auto tell = wait_teller.load();
    if (!tell) return;
    // Who tells it is no kernel: what it allocates and keeps is not the kernel's.
    Worker* const worker = std::exchange(context.worker, nullptr);
    tell(sentence.c_str(), pc);
    context.worker = worker;
}

Engine& Engine::instance() {
    static Engine& engine = *new Engine;
    return engine;
}

Engine::Engine() : worker_count_(initial_worker_count()) {}

void Engine::set_schedule(std::uint64_t seed) {
    const std::lock_guard lock(launching_);
    seed_ = seed;
    launches_of_schedule_ = 0;
}

void Engine::run(const Launch& launch) {
    const std::lock_guard lock(launching_);
    const auto held = hold_variables(current_device());
    std::uint64_t seed = seed_;
    if (seed != 0) {
        seed = Draw(seed + 0x100000001b3u * launches_of_schedule_++).next() | 1;  // each launch its own, never 0
    }
    const LaunchPlan plan = observer() ? observer()->plan(launch, seed == 0) : LaunchPlan::run;
    if (plan == LaunchPlan::done) return;
    Grid grid(launch, ++launches_, seed);
    {
        const FaultHandlers handlers;
        use_signal_stack();
        running_launch = &grid.launch();
        launched = true;
        if (plan == LaunchPlan::watch) {
            run_observed(grid);
        } else if (seed != 0) {
            seeded.set(true);
            hooks_active.set(HookSwitch::launch, true);
            run_here(grid);
            hooks_active.set(HookSwitch::launch, false);
            seeded.set(false);
        } else {
            // Its hooks do nothing; other threads of the host are looked at all the same.
            const bool blind = hooks_active.has(HookSwitch::host) && !has_host_threads();
            hooks_active.set(HookSwitch::blind, blind);
            run_natural(grid);
            hooks_active.set(HookSwitch::blind, false);
        }
        running_launch = nullptr;
    }
    if (!grid.failed()) return;
    const Failure& failure = grid.failure();
    set_sticky(failure.error, failure.detail);
    if (const auto tell = failure_teller.load()) tell(failure.detail.c_str(), failure.pc, failure.bad_access);
}

void Engine::run_observed(Grid& grid) {
    begin_observed_launch(own_);
    observer()->launch_begins(grid.launch());
    beyond_memory = false;
    forget_prints_and_waits();
    observed.set(true);
    seeded.set(grid.seed() != 0);
    hooks_active.set(HookSwitch::launch, true);
    run_here(grid);
    hooks_active.set(HookSwitch::launch, false);
    observed.set(false);
    seeded.set(false);
    if (grid.failed()) {
        const Failure& failure = grid.failure();
        observer()->launch_ends({failure.detail, failure.place, failure.pc, failure.never_met, failure.endless,
                                 beyond_memory, clock_waits(), printed()});
    } else {
        observer()->launch_ends({.error = {},
                                 .place = {},
                                 .beyond_memory = beyond_memory,
                                 .clock_waits = clock_waits(),
                                 .printed = printed()});
    }
    end_observed_launch();
    release_freed_memory();
}

void Engine::run_natural(Grid& grid) {
    const auto wanted = std::min<std::uint64_t>(static_cast<std::uint64_t>(worker_count()), grid.blocks()) - 1;
    ensure_helpers(static_cast<std::size_t>(wanted));
    const std::size_t helping = std::min<std::size_t>(wanted, helpers_.size());
    const bool to_measure = grid.launch().atomics && helping != 0 && grid.blocks() >= kMeasuredBlocks &&
                            runs_as_loops(grid.launch(), false);
    to_measure ? run_measured(grid, helping) : run_with(grid, helping);
}

/// One OS thread needs no lock for an atomic operation, and several do some tens of nanoseconds' other work in its
/// time: equal parts of the grid show which is faster. Blocks that run as loops wait for none.
void Engine::run_measured(Grid& grid, std::size_t helping) {
    const auto timed = [&](std::uint64_t end, std::size_t helpers) {
        const auto start = std::chrono::steady_clock::now();
        grid.continue_to(end);
        run_with(grid, helpers);
        return std::chrono::steady_clock::now() - start;
    };
    const std::uint64_t part = grid.blocks() / kMeasuredParts;
    const auto alone = timed(part, 0);
    const auto together = grid.failed() ? alone : timed(2 * part, helping);
    if (!grid.failed()) timed(grid.blocks(), together < alone ? helping : 0);
}

void Engine::run_with(Grid& grid, std::size_t helping) {
    grid.set_workers(helping + 1);
    busy_ = helping;
    for (std::size_t i = 0; i < helping; ++i) {
        helpers_[i]->grid.store(&grid, std::memory_order_release);
        helpers_[i]->grid.notify_one();
    }
    run_here(grid);
    for (std::size_t left = busy_; left != 0; left = busy_) busy_.wait(left);
}

void Engine::run_here(Grid& grid) {
    // Suspended fibers may hold the address of another thread's thread_local data.
    if (std::this_thread::get_id() != last_host_thread_) own_.reset();
    last_host_thread_ = std::this_thread::get_id();
    const DefaultFloats floats;
    own_.run(grid);
}

void Engine::ensure_helpers(std::size_t count) {
    try {
        while (helpers_.size() < count) {
            auto helper = std::make_unique<Helper>();
            helper->thread = std::thread([this, &helper = *helper] { help(helper); });
            helper->thread.detach();
            ++working_threads;
            helpers_.push_back(std::move(helper));
        }
    } catch (const std::system_error&) {
        // The system gives no more threads: those that are there do the work.
    }
}

void Engine::help(Helper& helper) {
    use_signal_stack();
    const DefaultFloats floats;  // a thread begins with those of the one that started it
    for (;;) {
        helper.grid.wait(nullptr);
        Grid* const grid = helper.grid.exchange(nullptr, std::memory_order_acquire);
        helper.worker.run(*grid);
        if (busy_.fetch_sub(1) == 1) busy_.notify_all();
    }
}

}  // namespace engine

void tell_failures(void (*tell)(const char* sentence, std::uint64_t pc, bool bad_access)) {
    engine::failure_teller = tell;
}
void tell_long_waits(void (*tell)(const char* sentence, std::uint64_t pc)) { engine::wait_teller = tell; }

bool has_launched() { return engine::launched; }

std::optional<Interrupted> interrupted_kernel(const void* state) {
    const Launch* const launch = engine::running_launch.load();
    if (!launch) return {};
    Interrupted what{.kernel = launch->kernel, .launched = launch->place};
    if (!context.worker) return what;
    what.in_block = true;
    what.block = context.block_index;
    what.in_thread = !context.worker->loops() && context.thread_index.x < context.row_end;
    what.thread = context.thread_index;
    // In the engine's code, a thread that let others run is where it did.
    const std::uintptr_t pc = engine::interrupted_at(state);
    const bool own = engine::code_apart_from_engine(reinterpret_cast<const void*>(launch->run)).holds(pc);
    what.pc = own ? pc + 1 : context.worker->spin().pc;
    return what;
}

void set_schedule(std::uint64_t seed) { engine::Engine::instance().set_schedule(seed); }
std::uint64_t schedule() { return engine::Engine::instance().schedule(); }
void set_worker_count(int count) { engine::Engine::instance().set_worker_count(count); }
int worker_count() { return engine::Engine::instance().worker_count(); }

}  // namespace lanework_simt

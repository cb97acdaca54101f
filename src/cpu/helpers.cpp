// The crew of helpers: threads that look out for more work for a moment after they had some, and then sleep.
#include "src/cpu/helpers.hpp"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace lanework {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kLookOut = std::chrono::microseconds(200);  // work comes in bursts, and waking takes long
constexpr auto kPatience = std::chrono::microseconds(50);  // with a helper; one that takes longer has lost its core
constexpr int kChecks = 16;                                // for one look at the clock

void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

/// Waits this long at most for `done`. It does not yield: whoever got the core for it would keep it for a tick.
template <class Done>
void watch(Clock::duration time, const Done& done) {
    for (const auto end = Clock::now() + time; Clock::now() < end;)
        for (int check = 0; check < kChecks; ++check, pause())
            if (done()) return;
}

/// Moves this thread to another core, if it may run on another.
void leave(int core) {
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return;
    cpu_set_t others = allowed;
    CPU_CLR(static_cast<unsigned>(core), &others);
    if (CPU_COUNT(&others) > 0 && sched_setaffinity(0, sizeof(others), &others) == 0)
        sched_setaffinity(0, sizeof(allowed), &allowed);
}

class Crew {
public:
    void help(SharedWork& work) {
        for (int sleepers = post(work); sleepers > 0; --sleepers) called_.notify_one();
        work.take_from_front();
        withdraw(work);
    }

private:
    /// Offers the work; returns how many sleepers it should wake.
    int post(SharedWork& work) {
        work.core = sched_getcpu();
        const std::lock_guard lock(mutex_);
        recruit(work.places);
        open_.push_back(&work);
        posted_.fetch_add(1, std::memory_order_release);
        return std::clamp(work.places - looking_out_, 0, asleep_);
    }

    void recruit(int members) {
        try {
            for (; members_ < members; ++members_) std::thread([this] { serve(); }).detach();
        } catch (const std::system_error&) {  // no more threads are to be had: those there are do the work
        }
    }

    /// Takes the offer back and waits for those who took it.
    void withdraw(SharedWork& work) {
        {
            const std::lock_guard lock(mutex_);
            std::erase(open_, &work);
        }
        const auto alone = [&] { return work.inside.load(std::memory_order_acquire) == 0; };
        if (alone()) return;
        watch(kPatience, alone);
        if (alone()) return;
        std::unique_lock lock(mutex_);
        left_.wait(lock, alone);
    }

    [[noreturn]] void serve() {
        std::unique_lock lock(mutex_);
        for (bool look_out = false;;) {
            SharedWork* work = offered();
            if (!work) {
                wait_for_work(lock, look_out);
                leave_cores_of_callers(lock);
                look_out = false;
                continue;
            }
            --work->places;
            work->inside.fetch_add(1, std::memory_order_relaxed);
            lock.unlock();
            work->take_from_back();
            look_out = sched_getcpu() != work->core;  // there it would keep the caller from its core
            lock.lock();
            if (work->inside.fetch_sub(1, std::memory_order_release) == 1) left_.notify_all();
        }
    }

    /// What was offered first and has a place left; null where there is nothing.
    SharedWork* offered() {
        const auto found = std::ranges::find_if(open_, [](const SharedWork* work) { return work->places > 0; });
        return found == open_.end() ? nullptr : *found;
    }

    /// Where all cores are busy a thread is woken on its waker's, and would take from the caller what it gives.
    void leave_cores_of_callers(std::unique_lock<std::mutex>& lock) {
        const int here = sched_getcpu();
        if (std::ranges::none_of(open_, [&](const SharedWork* work) { return work->core == here; })) return;
        lock.unlock();
        leave(here);
        lock.lock();
    }

    void wait_for_work(std::unique_lock<std::mutex>& lock, bool look_out) {
        const std::uint32_t seen = posted_.load(std::memory_order_relaxed);
        const auto called = [&] { return posted_.load(std::memory_order_acquire) != seen; };
        if (look_out) {
            ++looking_out_;
            lock.unlock();
            watch(kLookOut, called);
            lock.lock();
            --looking_out_;
        }
        ++asleep_;
        called_.wait(lock, called);
        --asleep_;
    }

    std::mutex mutex_;  // guards what follows
    std::vector<SharedWork*> open_;
    int members_ = 0, looking_out_ = 0, asleep_ = 0;
    std::condition_variable called_, left_;
    std::atomic<std::uint32_t> posted_{0};
};

/// Never destroyed: its threads run until the program ends. A forked child has none of them and begins anew.
Crew* crew = nullptr;

Crew& the_crew() {
    static const int founded = [] {
        crew = new Crew;
        return pthread_atfork(nullptr, nullptr, [] { crew = new Crew; });
    }();
    static_cast<void>(founded);
    return *crew;
}

}  // namespace

void do_with_helpers(SharedWork& work) noexcept {
    if (work.places > 0 && work.count > 1)
        the_crew().help(work);
    else
        work.take_from_front();
}

}  // namespace lanework

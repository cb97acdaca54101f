// Threads that help a caller with its work. A caller never waits for a thread that has not begun: what no helper has
// taken it does itself, so a busy core costs it nothing but the help. OpenMP's teams wait for every thread, and while
// they wait they keep the cores from each other: on a busy machine, for a scheduler's tick or two at a time.
#pragma once

#include <atomic>
#include <cstdint>

namespace lanework {

/// Work in numbered shares, each done once, by whichever thread comes first. The caller takes them from the front and
/// helpers from the back, so that much of what is computed on again is still in the cache of the same core.
struct SharedWork {
    void (*call)(const void* work, std::int64_t share);
    const void* work;
    std::uint32_t count;  ///< shares, below 2³¹
    int places;           ///< for helpers that have not come; guarded by the crew
    int core = -1;        ///< that the caller is on
    /// Shares that were taken from the front, and in the upper half from the back; those taken in vain count too.
    std::atomic<std::uint64_t> taken{0};
    std::atomic<int> inside{0};  ///< helpers at work

    void take_from_front() {
        take(1, [](std::uint32_t front, std::uint32_t) { return front; });
    }
    void take_from_back() {
        take(std::uint64_t{1} << 32, [this](std::uint32_t, std::uint32_t back) { return count - 1 - back; });
    }

private:
    template <class Share>
    void take(std::uint64_t one, const Share& share) {
        for (;;) {
            const std::uint64_t before = taken.fetch_add(one, std::memory_order_relaxed);
            const auto front = static_cast<std::uint32_t>(before), back = static_cast<std::uint32_t>(before >> 32);
            if (std::uint64_t{front} + back >= count) return;
            call(work, share(front, back));
        }
    }
};

/// Does all shares on the calling thread and on as many helpers as there are places for, and returns when they are
/// done.
void do_with_helpers(SharedWork& work) noexcept;

/// Calls work(0) … work(count − 1), each once, on this thread and up to threads − 1 others. The work must not throw.
template <class Work>
void share_out(int threads, std::uint32_t count, const Work& work) {
    SharedWork shared{[](const void* each, std::int64_t share) { (*static_cast<const Work*>(each))(share); }, &work,
                      count, threads - 1};
    do_with_helpers(shared);
}

}  // namespace lanework

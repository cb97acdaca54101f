// What has nothing more to tell is remembered by each thread, so that most accesses ask one table entry. Nothing here
// is destroyed as the program ends: threads of it may still run then.
#include "src/simt/host_touches.hpp"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <lanework_simt/thread.hpp>
#include <map>
#include <mutex>
#include <utility>

#include "src/simt/hooks.hpp"
#include "src/simt/observing.hpp"

namespace lanework_simt {
namespace {

constexpr unsigned kPageBits = 12;

/// A range, and which of its pieces were touched.
struct Watched {
    HostMemoryRange range;
    std::vector<bool> touched = {};
    bool any = false;

    std::uint64_t end() const { return range.base + range.bytes; }
};
using WatchedByBase = std::map<std::uint64_t, Watched>;

std::mutex mutex;
WatchedByBase& all_watched() {
    static WatchedByBase& all = *new WatchedByBase;
    return all;
}
/// All ranges lie between these.
std::atomic<std::uint64_t> lowest{UINT64_MAX}, highest{0};
/// Grows when what threads remember is no longer so.
std::atomic<std::uint64_t> generation{1};

/// Addresses, [low, high), at which no access would be news, or none that only reads.
struct Done {
    std::uint64_t low = 0, high = 0, generation = 0;
    bool reads_only = false;
};
thread_local std::array<Done, 256> all_done;
/// The linker may have put instrumented copies of inline functions into what follows.
thread_local bool telling = false;

/// While it lives, the table is this thread's, and what the thread touches is not told.
class Telling {
public:
    Telling() : nested_(std::exchange(telling, true)), lock_(mutex) {}
    /// Giving the table back may be instrumented, too.
    ~Telling() {
        lock_.unlock();
        telling = nested_;
    }
    Telling(const Telling&) = delete;
    Telling& operator=(const Telling&) = delete;

private:
    bool nested_;
    std::unique_lock<std::mutex> lock_;
};

/// Notes the access; the addresses around it of which the same is known from now on.
Done note(std::uint64_t at, bool writes) {
    const auto above = all_watched().upper_bound(at);
    Done done{.low = 0, .high = above == all_watched().end() ? UINT64_MAX : above->first};
    if (above == all_watched().begin()) return done;
    Watched& watched = std::prev(above)->second;
    done.low = watched.end();
    if (at >= watched.end()) return done;
    const std::uint64_t piece = (at - watched.range.base) / watched.range.piece;
    done.low = watched.range.base + piece * watched.range.piece;
    done.high = std::min(done.low + watched.range.piece, watched.end());
    done.reads_only = watched.range.writes_only && !writes;
    if (!done.reads_only) watched.touched[piece] = watched.any = true;
    return done;
}

[[gnu::noinline]] void tell(std::uint64_t at, bool writes, Done& done, std::uint64_t now) {
    if (telling) return;
    const Telling alone;
    done = note(at, writes);
    done.generation = now;
}

}  // namespace

void keep_host_touches_through_forks() {
    [[maybe_unused]] static const int once =
        pthread_atfork([] { mutex.lock(); }, [] { mutex.unlock(); }, [] { mutex.unlock(); });
}

void watch_host_memory(std::span<const HostMemoryRange> ranges) {
    if (ranges.empty()) return;
    keep_host_touches_through_forks();
    const Telling alone;
    for (const HostMemoryRange& range : ranges) {
        if (range.bytes == 0) continue;
        all_watched().insert_or_assign(
            range.base, Watched{range, std::vector<bool>((range.bytes + range.piece - 1) / range.piece)});
        lowest = std::min(lowest.load(), range.base);
        highest = std::max(highest.load(), range.base + range.bytes);
    }
    ++generation;
    engine::hooks_active.set(engine::HookSwitch::host, !all_watched().empty());
}

void forget_host_memory(std::uint64_t first, std::uint64_t bytes) {
    if (!engine::hooks_active.has(engine::HookSwitch::host)) return;
    const Telling alone;
    WatchedByBase& all = all_watched();
    const std::uint64_t end = first + std::min(bytes, UINT64_MAX - first);
    all.erase(all.lower_bound(first), all.lower_bound(end));
    lowest = all.empty() ? UINT64_MAX : all.begin()->first;
    highest = all.empty() ? 0 : all.rbegin()->second.end();
    engine::hooks_active.set(engine::HookSwitch::host, !all.empty());
}

std::vector<std::uint64_t> take_host_touches(std::uint64_t first, std::uint64_t bytes) {
    std::vector<std::uint64_t> taken;
    if (!engine::hooks_active.has(engine::HookSwitch::host)) return taken;
    const Telling alone;
    const std::uint64_t end = first + std::min(bytes, UINT64_MAX - first);
    auto each = all_watched().upper_bound(first);
    if (each != all_watched().begin() && std::prev(each)->second.end() > first) --each;
    for (; each != all_watched().end() && each->first < end; ++each) {
        Watched& watched = each->second;
        if (!watched.any) continue;
        const std::uint64_t base = watched.range.base, piece_bytes = watched.range.piece;
        const std::size_t low = first <= base ? 0 : (first - base) / piece_bytes;
        const std::size_t high = std::min((std::min(end, watched.end()) - base + piece_bytes - 1) / piece_bytes,
                                          std::uint64_t{watched.touched.size()});
        for (std::size_t piece = low; piece < high; ++piece) {
            if (watched.touched[piece]) taken.push_back(base + piece * piece_bytes);
            watched.touched[piece] = false;
        }
        watched.any = std::find(watched.touched.begin(), watched.touched.end(), true) != watched.touched.end();
    }
    if (!taken.empty()) ++generation;
    return taken;
}

namespace engine {

void see_host_access(const volatile void* address, bool writes) {
    const auto at = reinterpret_cast<std::uint64_t>(address);
    if (at < lowest.load(std::memory_order_relaxed) || at >= highest.load(std::memory_order_relaxed) || context.worker)
        return;
    Done& done = all_done[(at >> kPageBits) % all_done.size()];
    const std::uint64_t now = generation.load(std::memory_order_relaxed);
    if (done.generation == now && at >= done.low && at < done.high && !(writes && done.reads_only)) return;
    tell(at, writes, done, now);
}

}  // namespace engine
}  // namespace lanework_simt

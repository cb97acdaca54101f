// A page that has nothing more to tell is remembered by each thread, so that most accesses ask one table entry.
#include "src/simt/host_touches.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <lanework_simt/thread.hpp>
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

    std::uint64_t end() const { return range.base + range.bytes; }
};

std::mutex mutex;
/// By their addresses.
std::vector<Watched> all_watched;
/// Grows when what threads remember is no longer so.
std::atomic<std::uint64_t> generation{1};

struct Page {
    std::uint64_t number = 0, generation = 0;
};
thread_local std::array<Page, 256> pages_done;
/// The linker may have put instrumented copies of inline functions into what follows.
thread_local bool telling = false;

/// Whether each of the range's pieces that begin or end in the page was touched.
bool is_done(const Watched& watched, std::uint64_t page_begin, std::uint64_t page_end) {
    const std::uint64_t first = std::max(page_begin, watched.range.base), end = std::min(page_end, watched.end());
    if (first >= end) return true;
    const std::uint64_t low = (first - watched.range.base) / watched.range.piece,
                        high = (end - 1 - watched.range.base) / watched.range.piece;
    for (std::uint64_t piece = low; piece <= high; ++piece)
        if (!watched.touched[piece]) return false;
    return true;
}

/// Notes the touch; whether no other one of its page would be news.
bool note(std::uint64_t at) {
    const std::uint64_t page = at >> kPageBits << kPageBits, end = page + (std::uint64_t{1} << kPageBits);
    auto each = std::upper_bound(all_watched.begin(), all_watched.end(), page,
                                 [](std::uint64_t address, const Watched& next) { return address < next.end(); });
    bool done = true;
    for (; each != all_watched.end() && each->range.base < end; ++each) {
        if (at >= each->range.base && at < each->end())
            each->touched[(at - each->range.base) / each->range.piece] = true;
        done = done && is_done(*each, page, end);
    }
    return done;
}

[[gnu::noinline]] void tell(std::uint64_t at, Page& page, std::uint64_t now) {
    if (std::exchange(telling, true)) return;
    {
        const std::lock_guard lock(mutex);
        if (note(at)) page = {at >> kPageBits, now};
    }
    telling = false;
}

}  // namespace

void watch_host_memory(std::span<const HostMemoryRange> ranges) {
    const bool nested = std::exchange(telling, true);
    {
        const std::lock_guard lock(mutex);
        all_watched.clear();
        for (const HostMemoryRange& range : ranges)
            if (range.bytes != 0)
                all_watched.push_back({range, std::vector<bool>((range.bytes + range.piece - 1) / range.piece)});
        std::sort(all_watched.begin(), all_watched.end(),
                  [](const Watched& one, const Watched& other) { return one.range.base < other.range.base; });
        ++generation;
        engine::host_watched = !all_watched.empty();
        if (!engine::observed && !engine::seeded) engine::hooks_active = engine::host_watched;
    }
    telling = nested;
}

std::vector<std::uint64_t> take_host_touches() {
    const bool nested = std::exchange(telling, true);
    std::vector<std::uint64_t> taken;
    {
        const std::lock_guard lock(mutex);
        for (Watched& watched : all_watched)
            for (std::size_t piece = 0; piece < watched.touched.size(); ++piece)
                if (watched.touched[piece]) {
                    taken.push_back(watched.range.base + piece * watched.range.piece);
                    watched.touched[piece] = false;
                }
        ++generation;
    }
    telling = nested;
    return taken;
}

namespace engine {

bool host_watched = false;

void see_host_access(const volatile void* address) {
    if (context.worker || !host_watched) return;
    const auto at = reinterpret_cast<std::uint64_t>(address);
    Page& page = pages_done[(at >> kPageBits) % pages_done.size()];
    const std::uint64_t now = generation.load(std::memory_order_relaxed);
    if (page.number == at >> kPageBits && page.generation == now) return;
    tell(at, page, now);
}

}  // namespace engine
}  // namespace lanework_simt

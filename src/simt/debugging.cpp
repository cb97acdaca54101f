// What a debugger reads (lanework_debugger, by symbol: the library needs no debugging information), and the markers
// that it stops at. src/simt/include/lanework_simt/debugger.py is the other side.
#include "src/simt/debugging.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "src/simt/worker.hpp"

using lanework_simt::ThreadContext;

extern "C" {

/// Plain numbers, read byte by byte.
struct LaneworkDebugger {
    /// threadIdx, blockIdx, blockDim and gridDim of the thread that runs; between kernels the largest numbers. They
    /// come first: gdb takes the object for an array of these, whose type every program has.
    const uint3* indices[4];
    const ThreadContext* context;
    /// Bit i: the thread that runs is one of those that the i-th filter asks for.
    std::uint64_t mask;
    /// The launch that runs, or ran last.
    std::uint64_t launch;
    const char* kernel;
    unsigned grid[3], block[3];
    const char* file;
    std::uint64_t line;
};
extern LaneworkDebugger lanework_debugger;

/// The mask has changed.
[[gnu::noinline]] void lanework_debugger_thread() { asm volatile("" : : : "memory"); }
/// A launch begins, the first of its kernel with its sizes.
[[gnu::noinline]] void lanework_debugger_launch() { asm volatile("" : : : "memory"); }
/// The debugger calls it: where each thread of the resident blocks stands, as text.
const char* lanework_debugger_threads();

}  // extern "C"

namespace lanework_simt::engine {

bool debugged = std::getenv("LANEWORK_DEBUGGER") != nullptr;

namespace {

/// Threads that a breakpoint is for: coordinates of a block and a thread, −1 for any.
struct Filter {
    long wanted[6] = {-1, -1, -1, -1, -1, -1};

    bool fits(const uint3& block, const uint3& thread) const {
        const unsigned there[] = {block.x, block.y, block.z, thread.x, thread.y, thread.z};
        for (std::size_t i = 0; i < std::size(wanted); ++i)
            if (wanted[i] >= 0 && static_cast<unsigned>(wanted[i]) != there[i]) return false;
        return true;
    }
};

constexpr std::size_t kMostFilters = 64;

/// "1,0,0,3,0,0;-1,-1,-1,0,0,0": one filter for each breakpoint.
std::vector<Filter> read_filters() {
    std::vector<Filter> filters;
    const char* const text = std::getenv("LANEWORK_DEBUGGER");
    std::string_view rest = text ? text : "";
    while (!rest.empty() && filters.size() < kMostFilters) {
        Filter& filter = filters.emplace_back();
        for (long& number : filter.wanted) {
            const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
            rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
            if (!rest.empty()) rest.remove_prefix(1);
        }
    }
    return filters;
}

constexpr ThreadContext nobody() {
    constexpr uint3 kNone{~0u, ~0u, ~0u};
    ThreadContext context{};
    context.thread_index = context.block_index = context.block_dim = context.grid_dim = kNone;
    return context;
}

constexpr ThreadContext kNobody = nobody();

void point_to(const ThreadContext& who) {
    const uint3* const indices[] = {&who.thread_index, &who.block_index, &who.block_dim, &who.grid_dim};
    std::copy(std::begin(indices), std::end(indices), lanework_debugger.indices);
    lanework_debugger.context = &who;
}

std::uint64_t mask_of_context() {
    static const std::vector<Filter> filters = read_filters();
    if (!context.block) return 0;
    std::uint64_t mask = 0;
    for (std::size_t i = 0; i < filters.size(); ++i)
        if (filters[i].fits(context.block_index, context.thread_index)) mask |= std::uint64_t{1} << i;
    return mask;
}

/// "thread (0,0,0)", "threads (0,0,0) to (7,0,0)"
std::string range_text(unsigned first, unsigned last) {
    const std::string from = to_text(thread_index_of(first, context.block_dim));
    if (first == last) return "thread " + from;
    return "threads " + from + " to " + to_text(thread_index_of(last, context.block_dim));
}

}  // namespace

void debug_launch(const Grid& grid) {
    const Launch& launch = grid.launch();
    lanework_debugger.launch = grid.number();
    lanework_debugger.kernel = launch.kernel;
    lanework_debugger.file = launch.place.file;
    lanework_debugger.line = launch.place.line;
    const dim3* const sizes[] = {&launch.grid, &launch.block};
    unsigned* const shown[] = {lanework_debugger.grid, lanework_debugger.block};
    for (std::size_t i = 0; i < std::size(sizes); ++i) {
        shown[i][0] = sizes[i]->x;
        shown[i][1] = sizes[i]->y;
        shown[i][2] = sizes[i]->z;
    }
    using Size = std::tuple<unsigned, unsigned, unsigned>;
    static std::set<std::tuple<std::string, Size, Size>> seen;
    const auto size = [](const dim3& of) { return Size{of.x, of.y, of.z}; };
    if (seen.emplace(launch.kernel, size(launch.grid), size(launch.block)).second) lanework_debugger_launch();
}

void debug_thread() {
    point_to(context.block ? context : kNobody);
    const std::uint64_t mask = mask_of_context();
    if (mask == lanework_debugger.mask) return;
    lanework_debugger.mask = mask;
    lanework_debugger_thread();
}

std::string Worker::threads_text() const {
    std::map<unsigned, const Fiber*> ready;  // of one block
    std::string text;
    for (const Block* block : resident_) {
        if (block->remaining == 0) continue;
        ready.clear();
        for (const Fiber* fiber = ready_.first(); fiber; fiber = fiber->next)
            if (fiber->block == block) ready[fiber->thread] = fiber;
        const auto state_of = [&](unsigned thread) -> std::string {
            if (block == context.block && thread == context.thread) return "runs";
            if (thread >= block->started) return "not begun";
            const bool goes_on = ready.count(thread) != 0;
            const Fiber* const fiber = goes_on ? ready[thread] : waiting_fiber(*block, thread);
            if (!fiber) return "has ended";
            if (!fiber->waits_in) return "goes on later";
            const std::string place = fiber->place.line != 0 ? " at " + to_text(fiber->place) : "";
            return fmt::format("{} {}{}", goes_on ? "goes on behind" : "waits at", fiber->waits_in, place);
        };
        text += fmt::format("block {}\n", to_text(block->index));
        unsigned first = 0;
        std::string state = state_of(0);
        for (unsigned thread = 1; thread <= block->threads; ++thread) {
            std::string next = thread < block->threads ? state_of(thread) : "";
            if (next == state) continue;
            text += fmt::format("  {}: {}\n", range_text(first, thread - 1), state);
            first = thread;
            state = std::move(next);
        }
    }
    return text;
}

}  // namespace lanework_simt::engine

LaneworkDebugger lanework_debugger = [] {
    using lanework_simt::engine::kNobody;
    LaneworkDebugger debugger{};
    debugger.kernel = debugger.file = "";
    debugger.context = &kNobody;
    for (const uint3*& index : debugger.indices) index = &kNobody.thread_index;
    return debugger;
}();

const char* lanework_debugger_threads() {
    static std::string text;
    const ThreadContext& context = *lanework_debugger.context;
    text = context.worker ? context.worker->threads_text() : "";
    return text.c_str();
}

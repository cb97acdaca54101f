#include "src/trace/record/stream_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "src/simt/api_memory_map.hpp"
#include "src/trace/analyse/function_name.hpp"
#include "src/trace/analyse/runs.hpp"
#include "src/trace/record/host_calls.hpp"

namespace lanework {
namespace {

constexpr std::size_t kMostPieces = 64;
/// What a processor guards at once.
constexpr std::uint64_t kPage = 4096;

std::uint64_t numeric_address(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

struct Overlap {
    std::uint64_t first = 0, bytes = 0;
};

/// Bytes of both sets; none where they share none.
std::optional<Overlap> overlap(const TouchedSectors& a, const TouchedSectors& b) {
    const auto& [smaller, larger] = a.size() <= b.size() ? std::tie(a, b) : std::tie(b, a);
    Overlap both{~std::uint64_t{0}, 0};
    smaller.each([&](std::uint64_t byte) {
        if (!larger.holds(byte)) return;
        both.first = std::min(both.first, byte);
        ++both.bytes;
    });
    return both.bytes == 0 ? std::nullopt : std::optional(both);
}

std::string name_of(const StreamTask& task) {
    switch (task.engine) {
        case Engine::kernel: return fmt::format("kernel {}", base_name(task.name));
        case Engine::upload: return "a copy to the device";
        case Engine::download: return "a copy to the host";
        case Engine::memset: return "a fill";
        default: return "a copy";
    }
}

/// "at 0x7f…, 16 bytes into an allocation of 4096".
std::string where(std::uint64_t address) {
    const auto range = lanework_simt::memory_map().find(reinterpret_cast<const void*>(address));
    if (!range) return fmt::format("at {:#x}", address);
    const std::uint64_t base = numeric_address(range->base);
    return address == base
               ? fmt::format("at {:#x}, where {} bytes are allocated", address, range->bytes)
               : fmt::format("at {:#x}, {} bytes into an allocation of {}", address, address - base, range->bytes);
}

}  // namespace

void StreamOrder::launch_begins(const LaunchShape& shape) {
    used(shape.stream);
    now_ = {};
}

void StreamOrder::request(const Request& request) {
    if (!several_streams_ && of_host_.empty()) return;
    const Site& site = *request.site;
    const bool alone = !site.is_atomic() && !site.is_volatile;
    for_each_run(request, [&](const Run& run) {
        if (!is_wanted(run.address)) return;
        const std::uint64_t end = run.address + run.span();
        if (!alone)
            now_.atomic.insert(run.address, end);
        else if (site.kind == EventKind::load)
            now_.read.insert(run.address, end);
        else
            now_.written.insert(run.address, end);
    });
}

StreamOrder::Touched StreamOrder::of_copy(const StreamTask& task) {
    Touched touched;
    // With a pitch there are bytes in between that it does not touch. A pageable side is copied by the host, at once.
    if (task.prefetches || task.span != task.bytes) return touched;
    const bool from_host = task.engine == Engine::upload, to_host = task.engine == Engine::download;
    if (task.from != 0 && !(from_host && task.pageable)) touched.read.insert(task.from, task.from + task.span);
    if (task.to != 0 && !(to_host && task.pageable)) touched.written.insert(task.to, task.to + task.span);
    return touched;
}

std::unordered_set<std::size_t> StreamOrder::before(const StreamWork& work, std::vector<std::size_t> open) const {
    const std::size_t oldest = pieces_.empty() ? work.tasks.size() : pieces_.front().task;
    std::unordered_set<std::size_t> found;
    while (!open.empty()) {
        const std::size_t task = open.back();
        open.pop_back();
        if (task < oldest || !found.insert(task).second) continue;
        const std::vector<std::size_t>& after = work.tasks[task].after;
        open.insert(open.end(), after.begin(), after.end());
    }
    return found;
}

void StreamOrder::drop_waited(const StreamWork& work, std::size_t calls) {
    std::vector<std::size_t> waited;
    for (; calls_seen_ < calls; ++calls_seen_) {
        const std::vector<std::size_t>& more = work.calls[calls_seen_].waits_for;
        waited.insert(waited.end(), more.begin(), more.end());
    }
    if (waited.empty() || pieces_.empty()) return;
    const std::unordered_set<std::size_t> done = before(work, std::move(waited));
    std::erase_if(pieces_, [&](const Piece& piece) { return done.contains(piece.task); });
}

void StreamOrder::compare(const Piece& earlier, const Piece& later) {
    const Touched &a = earlier.touched, &b = later.touched;
    // They tell each other how far they are: what that orders is not known.
    if ((a.fences || b.fences) && overlap(a.atomic, b.atomic)) return;
    struct Conflict {
        const TouchedSectors &of_earlier, &of_later;
        const char *did, *does;
    };
    const Conflict conflicts[] = {
        {a.written, b.read, "writes", "reads"},     {a.written, b.written, "writes", "writes"},
        {a.read, b.written, "reads", "writes"},     {a.written, b.atomic, "writes", "changes"},
        {a.atomic, b.written, "changes", "writes"}, {a.atomic, b.read, "changes", "reads"},
        {a.read, b.atomic, "reads", "changes"}};
    for (const Conflict& conflict : conflicts) {
        const std::optional<Overlap> both = overlap(conflict.of_earlier, conflict.of_later);
        if (!both) continue;
        const SourcePlace place = place_of_task_(later.task), other = place_of_task_(earlier.task);
        if (!is_new(other, place)) return;
        found_(
            {.rule = Rule::stream_race,
             .severity = Severity::error,
             .place = place,
             .evidence = fmt::format(
                 "{} {} {} byte{} that {}, handed over in {} to another stream, {}, and nothing orders the two: on a "
                 "GPU they may run at once, or either first; the first byte is {}",
                 later.name, conflict.does, both->bytes, both->bytes == 1 ? "" : "s", earlier.name,
                 line_text(other, place), conflict.did, where(both->first)),
             .remedy = "Hand both to one stream; or record an event behind the first (cudaEventRecord), and let the "
                       "second's stream wait for it (cudaStreamWaitEvent).",
             .weight = 1,
             .other = other});
        return;
    }
}

void StreamOrder::handed_over(const StreamWork& work, bool watched) {
    const std::lock_guard lock(mutex_);
    const std::size_t number = work.tasks.size() - 1;
    const StreamTask& task = work.tasks.back();
    if (!several_streams_ && of_host_.empty()) return;
    // The call that hands it over may wait for it: it is one of those that the others are held against before.
    const bool own_call =
        !work.calls.empty() && work.calls.back().end == work.tasks.size() && work.calls.back().first == number;
    drop_waited(work, work.calls.size() - own_call);
    Piece piece{number, name_of(task), {}};
    if (task.engine != Engine::kernel)
        piece.touched = of_copy(task);
    else if (watched)
        piece.touched = std::exchange(now_, {});
    piece.guards = guards_of(piece.touched);
    const std::unordered_set<std::size_t> ordered = before(work, task.after);
    for (const Piece& earlier : pieces_)
        if (!ordered.contains(earlier.task)) compare(earlier, piece);
    pieces_.push_back(std::move(piece));
    if (pieces_.size() > kMostPieces) pieces_.erase(pieces_.begin());
    drop_waited(work, work.calls.size());
    guard_pieces();
}

void StreamOrder::waited(const StreamWork& work) {
    const std::lock_guard lock(mutex_);
    drop_waited(work, work.calls.size());
    guard_pieces();
}

void StreamOrder::forget() {
    const std::lock_guard lock(mutex_);
    pieces_.clear();
    guard_.open();
}

void StreamOrder::shared_with_host(std::uint64_t base, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    if (base % kPage == 0) of_host_.push_back({base, base + bytes});
}

void StreamOrder::memory_released(const MemoryRange& range) {
    forget();
    const std::lock_guard lock(mutex_);
    std::erase_if(of_host_, [&](const HostRange& each) { return each.base == numeric_address(range.base); });
}

/// Between streams all memory is looked at, beside the host what it can reach.
bool StreamOrder::is_wanted(std::uint64_t address) {
    if (several_streams_) return true;
    const auto holds = [&](const HostRange& range) { return range.base <= address && address < range.end; };
    if (last_of_host_ < of_host_.size() && holds(of_host_[last_of_host_])) return true;
    const auto found = std::ranges::find_if(of_host_, holds);
    if (found == of_host_.end()) return false;
    last_of_host_ = static_cast<std::size_t>(found - of_host_.begin());
    return true;
}

/// Pages of which it touches all that is allocated: of another page the host may well use the rest.
std::vector<MemoryGuard::Range> StreamOrder::guards_of(const Touched& touched) const {
    static_assert(TouchedSectors::kPageSectors == kPage);
    std::vector<MemoryGuard::Range> ranges;
    if (of_host_.empty() || touched.fences) return ranges;  // what it writes may tell the host how far it is
    for (const bool readable : {true, false}) {
        std::vector<std::uint64_t> pages;
        (readable ? touched.read : touched.written).each_page([&](std::uint64_t number, std::uint64_t count) {
            const std::uint64_t page = number * kPage;
            const auto range = std::ranges::find_if(
                of_host_, [&](const HostRange& each) { return each.base <= page && page < each.end; });
            if (range != of_host_.end() && count == std::min(kPage, range->end - page)) pages.push_back(page);
        });
        std::ranges::sort(pages);
        for (const std::uint64_t page : pages) {
            const bool goes_on = !ranges.empty() && ranges.back().end == page && ranges.back().readable == readable;
            if (goes_on)
                ranges.back().end += kPage;
            else
                ranges.push_back({page, page + kPage, readable});
        }
    }
    return ranges;
}

/// What one piece writes and another reads is guarded as the first asks: those come last.
void StreamOrder::guard_pieces() {
    std::vector<MemoryGuard::Range> ranges;
    for (const Piece& piece : pieces_) ranges.insert(ranges.end(), piece.guards.begin(), piece.guards.end());
    std::ranges::stable_partition(ranges, &MemoryGuard::Range::readable);
    guard_.guard(std::move(ranges));
}

void StreamOrder::host_touches(std::uint64_t address, bool writes) {
    const std::lock_guard lock(mutex_);
    const auto disturbed = std::find_if(pieces_.rbegin(), pieces_.rend(), [&](const Piece& piece) {
        return piece.touched.written.holds(address) || (writes && piece.touched.read.holds(address));
    });
    if (disturbed == pieces_.rend()) return;
    const SourcePlace place = program_line(host_callers(), place_of_), other = place_of_task_(disturbed->task);
    if (!is_new(other, place)) return;
    found_(
        {.rule = Rule::host_race,
         .severity = Severity::error,
         .place = place,
         .evidence = fmt::format("the host {} what {}, handed over in {}, {}, and has not waited for it: on a GPU it "
                                 "may still run, or not have begun; the byte is {}",
                                 writes ? "writes" : "reads", disturbed->name, line_text(other, place),
                                 disturbed->touched.written.holds(address) ? "writes" : "reads", where(address)),
         .remedy = "Wait before: cudaDeviceSynchronize(), or cudaStreamSynchronize of its stream, or "
                   "cudaEventSynchronize of an event behind it.",
         .weight = 1,
         .other = other});
}

}  // namespace lanework

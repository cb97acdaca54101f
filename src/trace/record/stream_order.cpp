#include "src/trace/record/stream_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "src/simt/api_memory_map.hpp"
#include "src/simt/observer.hpp"
#include "src/trace/analyse/function_name.hpp"
#include "src/trace/analyse/runs.hpp"
#include "src/trace/record/host_calls.hpp"

namespace lanework {
namespace {

constexpr std::size_t kMostPieces = 64;
/// Of all pieces together, each with 4096 bytes of memory and some that are touched: 138 MB are kept of them.
constexpr std::size_t kMostPages = std::size_t{1} << 18;
/// What a processor guards at once.
constexpr std::uint64_t kPage = 4096;

std::uint64_t numeric_address(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

std::string name_of(const StreamTask& task) {
    switch (task.engine) {
        case Engine::kernel: return task.library ? task.name : fmt::format("kernel {}", base_name(task.name));
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
    if ((!several_streams_ && of_host_.empty()) || off_) return;
    const Site& site = *request.site;
    const bool alone = !site.is_atomic() && !site.is_volatile;
    for_each_run(request, [&](const Run& run) {
        if (now_.too_large || !is_wanted(run.address)) return;
        const std::uint64_t end = run.address + run.span();
        if (!alone)
            now_.atomic.insert(run.address, end);
        else if (site.kind == EventKind::load)
            now_.read.insert(run.address, end);
        else
            now_.written.insert(run.address, end);
    });
    keep_no_more_than_fits();
}

void StreamOrder::keep_no_more_than_fits() {
    if (now_.pages() > kMostPages) now_ = {.read = {}, .written = {}, .atomic = {}, .too_large = true};
}

void StreamOrder::library_called(const lanework_simt::LibraryCall& call) {
    used(call.stream);
    if (!looks()) return;
    now_ = {};
    const auto note = [&](std::span<const std::byte> range, TouchedSectors& touched) {
        const std::uint64_t first = numeric_address(range.data());
        if (now_.too_large || !is_wanted(first)) return;
        if (range.size() / kPage > kMostPages)
            now_ = {.read = {}, .written = {}, .atomic = {}, .too_large = true};
        else
            touched.insert(first, first + range.size());
        keep_no_more_than_fits();
    };
    for (const auto range : call.read) note(range, now_.read);
    for (const auto range : call.written) note(range, now_.written);
}

StreamOrder::Touched StreamOrder::of_copy(const StreamTask& task) {
    Touched touched;
    // With a pitch there are bytes in between that it does not touch. A pageable side is copied by the host, at once.
    if (task.prefetches || task.span != task.bytes || task.span / kPage > kMostPages) return touched;
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
    std::erase_if(pieces_, [&](const Piece& piece) {
        if (!done.contains(piece.task)) return false;
        pages_ -= piece.touched.pages();
        return true;
    });
}

void StreamOrder::compare(const Piece& earlier, const Piece& later, std::vector<Conflict>& found) const {
    const Touched &a = earlier.touched, &b = later.touched;
    // They tell each other how far they are: what that orders is not known.
    if ((a.fences || b.fences) && a.atomic.common(b.atomic).count != 0) return;
    struct Kind {
        const TouchedSectors &of_earlier, &of_later;
        const char *did, *does;
    };
    const Kind kinds[] = {{a.written, b.read, "writes", "reads"},     {a.written, b.written, "writes", "writes"},
                          {a.read, b.written, "reads", "writes"},     {a.written, b.atomic, "writes", "changes"},
                          {a.atomic, b.written, "changes", "writes"}, {a.atomic, b.read, "changes", "reads"},
                          {a.read, b.atomic, "reads", "changes"}};
    for (const Kind& kind : kinds) {
        const TouchedSectors::Common both = kind.of_earlier.common(kind.of_later);
        if (both.count == 0) continue;
        found.push_back({earlier.task, later.task, earlier.name, later.name, kind.did, kind.does, both});
        return;
    }
}

void StreamOrder::tell(const Conflict& conflict) {
    const SourcePlace place = place_of_task_(conflict.later), other = place_of_task_(conflict.earlier);
    if (!is_new(other, place)) return;
    found_({.rule = Rule::stream_race,
            .severity = Severity::error,
            .place = place,
            .evidence = fmt::format(
                "{} {} {} byte{} that {}, handed over in {} to another stream, {}, and nothing orders the two: on a "
                "GPU they may run at once, or either first; the first byte is {}",
                conflict.later_name, conflict.does, conflict.both.count, conflict.both.count == 1 ? "" : "s",
                conflict.earlier_name, line_text(other, place), conflict.did, where(conflict.both.first)),
            .remedy = "Hand both to one stream; or record an event behind the first (cudaEventRecord), and let the "
                      "second's stream wait for it (cudaStreamWaitEvent).",
            .weight = 1,
            .other = other});
}

/// What several host threads hand over is ordered by what they say to each other, too, which nobody sees.
bool StreamOrder::looks() {
    const std::thread::id mine = std::this_thread::get_id();
    std::thread::id first;
    if (!thread_.compare_exchange_strong(first, mine) && first != mine && !off_.exchange(true)) forget();
    return !off_;
}

void StreamOrder::handed_over(const StreamWork& work, bool watched) {
    if (!looks() || (!several_streams_ && of_host_.empty())) return;
    std::vector<Conflict> found;
    {
        const std::lock_guard lock(mutex_);
        if (off_) return;  // by now
        const std::size_t number = work.tasks.size() - 1;
        const StreamTask& task = work.tasks.back();
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
            if (!ordered.contains(earlier.task)) compare(earlier, piece, found);
        // What it writes may tell the host how far it is, and with it what came before.
        if (piece.touched.fences || is_of_host(piece.touched.atomic))
            for (Piece& earlier : pieces_) earlier.guards.clear();
        pages_ += piece.touched.pages();
        pieces_.push_back(std::move(piece));
        while (pieces_.size() > kMostPieces || pages_ > kMostPages) drop_first();
        drop_waited(work, work.calls.size());
        guard_pieces();
    }
    for (const Conflict& each : found) tell(each);  // of allocations: their lock may be held by who waits for ours
}

void StreamOrder::waited(const StreamWork& work) {
    if (!looks()) return;
    const std::lock_guard lock(mutex_);
    if (off_) return;
    drop_waited(work, work.calls.size());
    guard_pieces();
}

void StreamOrder::device_begins() {
    if (!looks()) return;
    guard_.open();
    guard_.look_at_handlers();
}

void StreamOrder::forget() {
    const std::lock_guard lock(mutex_);
    pieces_.clear();
    pages_ = 0;
    guard_.open();
}

void StreamOrder::stop() {
    off_ = true;
    forget();
}

void StreamOrder::drop_first() {
    pages_ -= pieces_.front().touched.pages();
    pieces_.erase(pieces_.begin());
}

bool StreamOrder::is_of_host(const TouchedSectors& bytes) const {
    bool any = false;
    bytes.each_page([&](std::uint64_t number, std::uint64_t) {
        any = any || std::ranges::any_of(of_host_, [&](const HostRange& range) {
                  return range.base < (number + 1) * kPage && number * kPage < range.end;
              });
    });
    return any;
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
    std::stable_partition(ranges.begin(), ranges.end(), [](const MemoryGuard::Range& range) { return range.readable; });
    guard_.guard(std::move(ranges));
}

/// Thrust's algorithms, and what they call, are the host's here, and a GPU's there, in the default stream.
bool StreamOrder::is_of_thrust(const HostCalls& calls) const {
    return std::ranges::any_of(calls, [&](std::uint64_t call) {
        const auto [file, line, column, function] = place_of_(call);
        return file.find("/thrust/") != file.npos || file.find("/cub/") != file.npos;
    });
}

void StreamOrder::host_touches(std::uint64_t address, bool writes) {
    std::size_t task = 0;
    std::string name;
    bool written = false;
    {
        const std::lock_guard lock(mutex_);
        const auto disturbed = std::find_if(pieces_.rbegin(), pieces_.rend(), [&](const Piece& piece) {
            return piece.touched.written.holds(address) || (writes && piece.touched.read.holds(address));
        });
        if (disturbed == pieces_.rend()) return;
        task = disturbed->task;
        name = disturbed->name;
        written = disturbed->touched.written.holds(address);
    }
    const HostCalls calls = host_callers();
    if (is_of_thrust(calls)) return;
    const SourcePlace place = program_line(calls, place_of_), other = place_of_task_(task);
    if (!is_new(other, place)) return;
    found_(
        {.rule = Rule::host_race,
         .severity = Severity::error,
         .place = place,
         .evidence = fmt::format("the host {} what {}, handed over in {}, {}, and has not waited for it: on a GPU it "
                                 "may still run, or not have begun; the byte is {}",
                                 writes ? "writes" : "reads", name, line_text(other, place),
                                 written ? "writes" : "reads", where(address)),
         .remedy = "Wait before: cudaDeviceSynchronize(), or cudaStreamSynchronize of its stream, or "
                   "cudaEventSynchronize of an event behind it.",
         .weight = 1,
         .other = other});
}

}  // namespace lanework

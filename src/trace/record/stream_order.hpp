// Work that goes on beside other work: two pieces of it on several streams, or one and the host, that touch the same
// bytes, of which one writes, and that nothing orders. Here one runs after the other; on a GPU they may run at once, or
// either first.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include "src/gpu/touched_sectors.hpp"
#include "src/timeline/stream_program.hpp"
#include "src/trace/analyse/analyser.hpp"
#include "src/trace/analyse/finding.hpp"
#include "src/trace/analyse/hazard.hpp"
#include "src/trace/record/host_calls.hpp"
#include "src/trace/record/memory_guard.hpp"

namespace lanework_simt {
struct LibraryCall;
}

namespace lanework {

/// Of launches it sees the accesses, of cuBLAS and cuRAND what they say, of everything the order in which it was handed
/// over. What comes before the first work on a stream of the program's own is not looked at, nor what was handed over
/// so long ago that 64 pieces which the host has not waited for came since; a copy with a pitch neither. Once a second
/// thread of the host hands something over, nothing is.
class StreamOrder final : public Analyser {
public:
    /// Where a task was handed over, and where an address of code is. `found` is called with each finding, once for two
    /// places, in the thread that hands work over, or touches memory.
    StreamOrder(std::function<SourcePlace(std::size_t task)> place_of_task, PlaceOf place_of,
                std::function<void(Finding)> found)
        : place_of_task_(std::move(place_of_task)), place_of_(std::move(place_of)), found_(std::move(found)) {}

    bool sees_requests(Space space) const override { return space == Space::global; }
    void launch_begins(const LaunchShape& shape) override;
    void request(const Request& request) override;
    void fence(const Meeting&) override { now_.fences = true; }
    /// Allocating and freeing memory waits for what runs, or is taken to: nobody who relies on it is told so.
    void memory_allocated(const MemoryRange&) override { forget(); }
    void memory_released(const MemoryRange& range) override;

    /// Work is handed to the stream: null is the default one.
    void used(const void* stream) { several_streams_ = several_streams_ || stream != nullptr; }
    /// A library's work is handed over next.
    void library_called(const lanework_simt::LibraryCall& call);
    /// There is memory that the host touches by itself, as a kernel does: managed, or page-locked.
    void shared_with_host(std::uint64_t base, std::size_t bytes);
    /// A launch begins, watched or not.
    void device_begins();
    /// The host has waited for what the work's last calls say.
    void waited(const StreamWork& work);
    /// The work's last task was handed over. `watched`: it is the launch whose accesses were seen last, or the
    /// library's.
    void handed_over(const StreamWork& work, bool watched);
    /// The host may know that everything until now is done, and need not wait for it.
    void forget();
    /// Nothing is looked at from now on: it is no longer told what is handed over.
    void stop();

private:
    /// What a piece of work touches, byte by byte. Atomic and volatile accesses do not race with each other.
    struct Touched {
        TouchedSectors read, written, atomic;
        bool fences = false;
        /// Nothing is kept of it.
        bool too_large = false;

        std::size_t pages() const { return read.pages() + written.pages() + atomic.pages(); }
    };
    struct Conflict {
        std::size_t earlier, later;
        std::string earlier_name, later_name;
        const char *did, *does;
        TouchedSectors::Common both;
    };
    struct Piece {
        std::size_t task;
        std::string name;
        Touched touched;
        /// Of memory that the host reaches: what it may not touch, or only read, until it has waited.
        std::vector<MemoryGuard::Range> guards = {};
    };

    static Touched of_copy(const StreamTask& task);
    void keep_no_more_than_fits();
    /// Of the tasks that the host has waited for, and of those before them, nothing is kept.
    void drop_waited(const StreamWork& work, std::size_t calls);
    std::unordered_set<std::size_t> before(const StreamWork& work, std::vector<std::size_t> open) const;
    void compare(const Piece& earlier, const Piece& later, std::vector<Conflict>& found) const;
    void tell(const Conflict& conflict);
    bool looks();
    void drop_first();
    bool is_of_host(const TouchedSectors& bytes) const;
    bool is_wanted(std::uint64_t address);
    std::vector<MemoryGuard::Range> guards_of(const Touched& touched) const;
    void guard_pieces();
    void host_touches(std::uint64_t address, bool writes);
    bool is_of_thrust(const HostCalls& calls) const;
    bool is_new(const SourcePlace& other, const SourcePlace& place) {
        return told_.emplace(other.file, other.line, place.file, place.line).second;
    }

    std::function<SourcePlace(std::size_t task)> place_of_task_;
    PlaceOf place_of_;
    std::function<void(Finding)> found_;
    std::mutex mutex_;
    std::atomic<std::thread::id> thread_{};
    std::atomic<bool> off_ = false;
    bool several_streams_ = false;
    Touched now_;
    std::size_t calls_seen_ = 0;
    std::vector<Piece> pieces_;
    std::size_t pages_ = 0;  // of them
    struct HostRange {
        std::uint64_t base, end;
    };
    std::vector<HostRange> of_host_;
    std::size_t last_of_host_ = 0;
    MemoryGuard guard_{[this](std::uint64_t address, bool writes) { host_touches(address, writes); }};
    /// Pairs of places that were told: file and line of both.
    std::set<std::tuple<std::string, int, std::string, int>> told_;
};

}  // namespace lanework

// Reading tapes and checking what they say go side by side: what the reader tells is written down in pieces, and
// threads of their own show these to the analysers. Each analyser is told the same, in the same order, as by the reader
// itself; a launch that fills no piece is shown at its end, with no thread.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "src/trace/analyse/analyser.hpp"

namespace lanework {

class Relay final : public Analyser {
public:
    /// Analysers that share what they count in, which are told by one thread.
    using Group = std::vector<Analyser*>;

    Relay() = default;
    Relay(const Relay&) = delete;
    Relay& operator=(const Relay&) = delete;
    ~Relay() override;

    /// A launch began, and its analysers know: from now on they are told by at most so many threads, one at least.
    void start(const std::vector<Group>& groups, std::size_t most_threads);
    /// Behind the last event of the launch: waits until the analysers know all. Throws what one of them threw.
    void finish();
    /// What was told of memory since, and telling it to these.
    bool has_waiting() const { return any_waiting_; }
    void tell_waiting(std::span<Analyser* const> analysers);

    bool sees_requests(Space space) const override;
    bool sees_steps() const override;
    // By any thread, which may hold the lock of the memory map.
    void memory_allocated(const MemoryRange& range) override { put_later(What::allocated, range); }
    void memory_released(const MemoryRange& range) override { put_later(What::released, range); }
    void memory_written(const MemoryRange& range) override { put_later(What::written, range); }
    void block_begins(std::uint64_t block) override { put(What::block_begins, block); }
    void request(const Request& request) override;
    void step(const Step& step) override { put(What::step, step); }
    void meeting(const Meeting& meeting) override { put(What::meeting, meeting); }
    void fence(const Meeting& fence) override { put(What::fence, fence); }
    void index_out_of_bounds(const BadIndex& bad) override { put(What::bad_index, bad); }
    void barrier(std::uint64_t block) override { put(What::barrier, block); }
    void grid_barrier() override { put(What::grid_barrier, Nothing()); }
    void block_ends(std::uint64_t block) override { put(What::block_ends, block); }
    void launch_cut_short() override { put(What::launch_cut_short, Nothing()); }

private:
    enum class What : std::uint32_t {
        allocated,
        released,
        written,
        block_begins,
        request,
        step,
        meeting,
        fence,
        bad_index,
        barrier,
        grid_barrier,
        block_ends,
        launch_cut_short,
    };
    struct Nothing {};
    /// Of an event, whose data follow.
    struct Head {
        What what;
        std::uint32_t bytes;
    };
    struct Piece {
        static constexpr std::size_t kBytes = std::size_t{1} << 17;
        std::unique_ptr<std::byte[]> memory;
        std::size_t used = 0;
    };
    /// Those that one thread tells.
    struct Listeners {
        std::vector<Analyser*> all, steps;
        std::array<std::vector<Analyser*>, kSpaces> requests;  // by space
        /// Pieces that they were told.
        std::uint64_t done = 0;

        void add(Analyser& analyser);
        void tell(const Piece& piece) const;
    };

    template <class Data>
    Data& write(What what, const Data& data, std::size_t further = 0);
    template <class Data>
    Data& put(What what, const Data& data, std::size_t further = 0);
    void put_later(What what, const MemoryRange& range);
    std::vector<std::pair<What, MemoryRange>> take_waiting();
    void put_waiting();
    void read_values(Request& kept, std::uint32_t* values);
    bool readable(std::uint64_t address, std::uint64_t bytes);
    void hand_over();
    void start_threads();
    void join_threads();
    void tell_pieces(Listeners& listeners);
    void tell_guarded(const Listeners& listeners, const Piece& piece);

    /// Pieces that are written ahead of who is told last.
    static constexpr std::size_t kAhead = 16;

    std::vector<Listeners> listeners_;
    std::vector<std::thread> threads_;
    std::array<Piece, kAhead> pieces_;
    Piece* piece_ = nullptr;  // that is written
    bool reads_values_ = false, alone_ = false;
    /// Where memory was found to be readable last.
    std::uint64_t readable_low_ = 0, readable_high_ = 0;

    /// Events of memory that come ahead of the one that is put next: who tells them must not wait.
    std::mutex waiting_mutex_;
    std::vector<std::pair<What, MemoryRange>> waiting_;
    std::atomic<bool> any_waiting_ = false;

    std::mutex mutex_;
    std::condition_variable more_, room_;
    // Under the mutex.
    std::uint64_t handed_over_ = 0;
    bool finished_ = false;
    std::exception_ptr error_;
};

}  // namespace lanework

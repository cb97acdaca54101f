// The hazard analyser: every access to global and shared memory is held against what is allocated, written and ordered.
#pragma once

#include <functional>
#include <optional>
#include <unordered_map>

#include "src/trace/analyse/hazard.hpp"
#include "src/trace/analyse/races.hpp"
#include "src/trace/analyse/sync_order.hpp"
#include "src/trace/record/bounds.hpp"
#include "src/trace/record/memory_book.hpp"
#include "src/trace/record/moved_values.hpp"

namespace lanework {

class Hazards final : public Analyser {
public:
    /// What becomes of the value of a load, by where its hook returns to.
    using MovedBy = std::function<MovedValue(std::uint64_t load)>;

    explicit Hazards(MovedBy moved_by = moved_value_of_program);
    ~Hazards() override;

    bool sees_requests(Space space) const override { return space != Space::constant && space != Space::texture; }

    bool reads_values() const override { return races_.compares_values(); }

    /// See Races::compare_values().
    void compare_values() { races_.compare_values(); }

    const HazardList& list() const { return list_; }

    /// What the launch that was watched last counted; and the same once more, of one that does what it did.
    HazardCounts counts_of_launch() const { return list_.counts_of_launch(); }
    void count_again(const HazardCounts& counts) { list_.count_again(counts); }
    /// Where memory of the device first holds what fresh memory does, in bytes that nobody wrote.
    std::optional<std::uint64_t> first_fresh(const MemoryRange& range) { return book_.first_fresh(range); }
    /// Whether some of them are reads of what nobody wrote.
    bool counts_unwritten(const HazardCounts& counts) const;
    /// Whether the launch that was watched last used shared memory as blocks before it may have left it.
    bool used_leftovers() const { return used_leftovers_; }

    void memory_allocated(const MemoryRange& range) override { book_.allocated(range); }
    void memory_released(const MemoryRange& range) override { book_.released(range); }
    void memory_written(const MemoryRange& range) override { book_.written(range); }
    void memory_changed(const MemoryRange& range) override { book_.changed(range); }
    void launch_unseen() override { book_.all_written(); }
    void launch_begins(const LaunchShape& shape) override;
    void block_begins(std::uint64_t block) override;
    void request(const Request& request) override;
    void meeting(const Meeting& meeting) override { order_.meeting(meeting); }
    void fence(const Meeting& fence) override { order_.fence(fence); }
    void barrier(std::uint64_t block) override { order_.barrier(block); }
    /// Whoever touched a word before is ordered before everybody.
    void grid_barrier() override { book_.forget_marks(); }
    void block_ends(std::uint64_t block) override {
        races_.block_ends(block);
        order_.block_ends(block);
    }
    void launch_cut_short() override {
        book_.all_written();
        order_.doubt_order();
    }
    void launch_ends(const LaunchShape& shape) override;
    void index_out_of_bounds(const BadIndex& bad) override { bounds_.index(bad); }

private:
    /// The shared memory of a block that runs.
    struct SharedState;

    SharedState& shared_state(const BlockClock& clock);
    [[gnu::always_inline]] void fetch_marks(const Request& request) const;
    void global_run(const Request& request, const Run& run);
    void shared_run(const Request& request, const Run& run, SharedState& state);
    void in_page(const Request& request, const Run& run, Allocation& allocation, std::size_t page);
    template <class Bytes>
    void check_written(const Request& request, const Run& run, const Bytes& bytes, std::uint64_t base, std::size_t end,
                       std::uint64_t object);
    const MovedValue& moved_by(std::uint64_t load);
    void forget_moving(SharedState& state, const Request& request);
    void settle_moving(SharedState& state, const Request& request);

    HazardList list_;
    SyncOrder order_;
    Races races_{order_, list_};
    MemoryBook book_;
    Bounds bounds_{book_, list_};
    std::vector<SharedState> shared_;  // by the slots of blocks
    bool used_leftovers_ = false;
    MovedBy find_moved_by_;
    std::unordered_map<std::uint64_t, MovedValue> moved_by_;
};

}  // namespace lanework

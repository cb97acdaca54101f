// Launches that would do what an earlier one did. A kernel that one thread of the machine runs in the natural order
// does what its code, its arguments and the memory that it reads decide. Where all of them are as they were at an
// earlier launch, and what it writes is as it was then or as that left it, nothing is run: what that launch wrote is
// put where it wrote it.
#pragma once

#include <list>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "src/trace/record/hazards.hpp"
#include "src/trace/record/touched_words.hpp"
#include "src/trace/record/users_of_memory.hpp"
#include "src/trace/record/word_values.hpp"

namespace lanework_simt {
struct Launch;
}

namespace lanework {

/// Comes behind the hazards' analyser, whose counts of a launch it keeps and adds again.
class RepeatedLaunches final : public Analyser {
public:
    /// Keeps earlier launches in so many bytes.
    RepeatedLaunches(Hazards& hazards, std::size_t most_bytes) : hazards_(hazards), most_bytes_(most_bytes) {}

    /// The launch comes next, in the natural order.
    void prepare(const lanework_simt::Launch& launch);
    /// True where that launch would do what an earlier one did; it is then done, and its hazards are counted where it
    /// `counts`. Else it runs.
    bool repeats(bool counts);
    /// What the launch that is watched does is decided by more than is known here, or did not come to its end.
    void give_up() { key_.reset(); }

    bool sees_requests(Space space) const override { return key_ && space != Space::shared && space != Space::local; }
    void memory_allocated(const MemoryRange& range) override { forget(range); }
    void memory_released(const MemoryRange& range) override { forget(range); }
    void memory_written(const MemoryRange&) override { ++changes_; }
    void memory_changed(const MemoryRange&) override { ++changes_; }
    void launch_unseen() override {
        ++changes_;
        give_up();
    }
    void launch_cut_short() override { give_up(); }
    void launch_begins(const LaunchShape&) override;
    void request(const Request& request) override;
    void launch_ends(const LaunchShape&) override;

private:
    struct Earlier;
    using List = std::list<Earlier>;

    /// A launch that was watched.
    struct Earlier {
        std::string key;
        const void* kernel = nullptr;
        /// What it read, as that was, and those words of it that it wrote, as it left them.
        WordValues read, updated;
        /// What it wrote without reading it, as it left that, and, where it is known, as that was.
        WordValues stored;
        std::optional<WordValues> stored_over = {};
        /// What it updated is not known as it was: no launch is like it.
        bool incomplete = false;
        /// That it touched.
        AddressSpans allocations;
        HazardCounts hazards;
        /// Of changes_, when it ended.
        std::uint64_t changes = 0;
        List::iterator place = {};

        std::uint64_t bytes() const;
    };

    bool is_as_before(Earlier& earlier) const;
    std::optional<Earlier> finished();
    void keep(Earlier made);
    void drop(List::iterator earlier);
    void forget(const MemoryRange& range);
    void give_up_kernel();

    Hazards& hazards_;
    std::size_t most_bytes_;
    /// The launch that was used last comes first.
    List earlier_;
    std::uint64_t kept_bytes_ = 0;
    /// By key, the newest last.
    std::unordered_map<std::string, std::vector<List::iterator>> by_key_;
    UsersOfMemory<Earlier*> by_memory_;
    /// Of each kernel, how many launches in a row were watched and were like no earlier one.
    std::unordered_map<const void*, unsigned> unlike_;
    /// Writes by the host, and launches that ran.
    std::uint64_t changes_ = 0;

    // Of the launch that is watched: its kernel, shape and arguments; none where it cannot be compared.
    std::optional<std::string> key_;
    const void* kernel_ = nullptr;
    TouchedWords touched_;
    /// What the launch of the same key before it wrote, as it was when this one began.
    WordValues over_;
};

}  // namespace lanework

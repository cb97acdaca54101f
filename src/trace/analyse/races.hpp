// Races: accesses of different threads to the same byte, one of them a write, that nothing orders.
#pragma once

#include <map>
#include <vector>

#include "src/trace/analyse/guesses.hpp"
#include "src/trace/analyse/hazard.hpp"
#include "src/trace/analyse/marks.hpp"
#include "src/trace/analyse/runs.hpp"
#include "src/trace/analyse/sync_order.hpp"

namespace lanework {

class Races {
public:
    Races(SyncOrder& order, HazardList& list) : order_(order), list_(list) {}

    /// What the runs of the request have in common; they come next.
    void begin(const Request& request);
    /// Looks at the accesses of a run's lanes. `marks` are of `words` words, the first at address or offset `base`;
    /// the run lies within them. `object` is the start of the allocation that they belong to, 0 for shared memory.
    void access(const Run& run, Marks& marks, std::size_t words, std::uint64_t base, std::uint64_t object);
    /// From now on reads global memory as a request's values have it, or else as it finds it: blocks that write one
    /// statement's word race only with a warning as long as they write the same value. For accesses that happened in
    /// this process, a block at a time.
    void compare_values() { compares_values_ = true; }
    bool compares_values() const { return compares_values_; }
    /// Judge what could not be judged before.
    void block_ends(std::uint64_t block);
    void launch_ends();

private:
    struct Suspect {
        Moment earlier, later;
        std::uint64_t address;
    };
    /// Conflicts of two sites, the first of them in detail.
    struct Suspects {
        const Site *earlier = nullptr, *later = nullptr;
        Rule rule = Rule::race;
        // As a conflict's.
        bool one_statement = false, values_differ = false, narrow_atomics = false;
        /// Some are of different blocks.
        bool between_blocks = false;
        /// Of the first within a block.
        EpochInterval epoch;
        std::uint64_t object = 0, lowest = ~std::uint64_t{0}, end = 0;
        std::uint64_t count = 0;
        std::vector<Suspect> first;
    };

    void note_order(const Site& site);
    EpochInterval interval_of(const Site& earlier, const Site& later) const;
    void whole_words(const Run& run, Marks& marks, std::size_t words, std::size_t word);
    bool all_harmless(const Mark* marks, std::size_t count, unsigned lane_shift) const;
    void rely_on_own(Mark* reads, std::size_t count, unsigned lane_shift) const;
    void load_words(Marks& marks, std::size_t words, std::size_t word, std::size_t count, unsigned lane_shift);
    void store_words(Marks& marks, std::size_t words, std::size_t word, std::size_t count, unsigned lane_shift);
    void one_lane(unsigned lane, std::uint64_t offset, unsigned bytes, Marks& marks, std::size_t words);
    void load_word_by_all(unsigned lanes, Marks& marks, std::size_t words, std::size_t word, Mark mine);
    void load_word(Marks& marks, std::size_t words, std::size_t word, Mark mine);
    void store_word(Marks& marks, std::size_t words, std::size_t word, Mark mine);
    void same_word_by_all(const Run& run, Marks& marks, std::size_t words);
    std::uint32_t value_of(std::size_t word) const;
    void note_values(Marks& marks, std::size_t words, std::size_t word, std::size_t count) const;
    bool of_one_warp(Mark first, Mark other) const;
    void note_read(Marks& marks, std::size_t words, std::size_t word, Mark mine);
    void keep_read(Marks& marks, std::size_t words, std::size_t word, Mark mine);
    void note_readers(Marks& marks, std::size_t words, std::size_t word, Mark mine, unsigned lanes);
    void against_readers(Marks& marks, std::size_t word, Mark mine);
    void against(Mark earlier, Mark mine, bool earlier_writes, std::size_t word);
    bool narrow(Mark earlier, Mark mine) const;
    bool reads_again(Mark& kept, Mark mine) const;
    std::uint64_t block_of(Mark mark) const;
    void come_back(const Run& run, unsigned warp);
    bool vouches_for(Mark read, Mark mine) const;
    void follow(Mark& read, Mark mine, unsigned lanes) const;
    void follow(Readers& readers, Mark mine, unsigned lanes) const;
    void follow_reads(Marks& marks, std::size_t word, Mark mine, unsigned lanes) const;
    bool read_is_a_guess(const Conflict& conflict, Mark read, bool reads_now);
    void suspect(const Conflict& conflict);
    bool ordered(const Suspect& suspect, bool any_scope);
    const Suspect* unordered(const Suspects& suspects);
    void judge(const Suspects& suspects);
    const Site* site_of(Mark mark) const { return sites_[mark.site()]; }

    SyncOrder& order_;
    HazardList& list_;
    bool compares_values_ = false;
    Guesses guesses_;
    std::vector<const Site*> sites_;              // of the launch, by id
    std::map<std::uint64_t, Suspects> suspects_;  // by sites

    /// When a site was first passed behind a barrier of the block that it is in.
    struct Passed {
        Stamp barrier = 0;
        std::uint32_t rank = 0;
    };
    std::vector<Passed> passed_;  // by sites
    Stamp ranked_since_ = 0;
    std::uint32_t next_rank_ = 0;
    std::uint64_t epoch_start_ = 0;

    // Of the request whose runs are looked at …
    const Request* request_ = nullptr;
    bool judged_ = false;  // at all
    Mark first_lane_;
    // … and of the run.
    const Run* run_ = nullptr;
    bool changes_value_ = false;  // of the word, by the access that is held against earlier ones
    const BlockClock* clock_ = nullptr;
    const Site* site_ = nullptr;
    bool writes_ = false, shared_ = false;
    Mark mine_;
    /// Marks before `floor_` are of accesses that are ordered before every one of now; before `epoch_` those of this
    /// block are. Those from `own_` on are of this block.
    Mark floor_, epoch_, own_;
    std::uint64_t base_ = 0, object_ = 0;
};

}  // namespace lanework

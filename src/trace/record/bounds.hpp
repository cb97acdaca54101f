// Bounds: accesses outside of every allocation, in memory that was freed, behind a block's shared memory, outside of
// their array, or at an address that their width does not divide.
#pragma once

#include <optional>
#include <vector>

#include "src/trace/analyse/hazard.hpp"
#include "src/trace/analyse/runs.hpp"
#include "src/trace/record/memory_book.hpp"

namespace lanework {

class Bounds {
public:
    Bounds(MemoryBook& book, HazardList& list) : book_(book), list_(list) {}

    void launch_begins() {
        behind_.clear();
        wide_.clear();
    }
    /// The allocation that holds the run; null when it is not within one.
    Allocation* allocation_of(const Request& request, const Run& run) {
        return book_.find(run.address, run.span(), request.site->id);
    }
    /// One lane that is in no allocation.
    void outside(const Request& request, const Run& lane);
    void shared(const Request& request, const Run& run) {
        const std::uint32_t site = request.site->id;
        if (site >= behind_.size()) behind_.resize(site + 1);
        if (run.address + run.span() > behind_[site].end) reach(request, run);
    }
    void alignment(const Request& request, const Run& run);
    void index(const BadIndex& bad);
    /// Now it is known how much shared memory a block has, and where the words lie that are accessed together.
    void launch_ends(const LaunchShape& shape);

private:
    /// The access of a site that reaches furthest into shared memory.
    struct Furthest {
        Hazard hazard{};
        std::uint64_t end = 0;
    };

    /// The accesses of 16 bytes of a site: those at multiples of 8 alone, and whether there are some at multiples
    /// of 16.
    struct Wide {
        std::optional<Hazard> halfway;
        bool whole = false;
    };

    void reach(const Request& request, const Run& run);
    void wide(const Request& request, const Run& run);
    Hazard of(Rule rule, const Request& request, unsigned lane, std::uint64_t address) const;

    MemoryBook& book_;
    HazardList& list_;
    std::vector<Furthest> behind_;  // by site id
    std::vector<Wide> wide_;        // the same
};

}  // namespace lanework

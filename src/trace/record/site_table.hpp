// The sites of a launch, found by the place of their code and by the memory that they access.
#pragma once

#include <deque>
#include <vector>

#include "src/simt/observer.hpp"
#include "src/trace/analyse/site.hpp"

namespace lanework {

/// A part of the address space that accesses fall into, [low, high).
struct Region {
    std::uint64_t low = 0, high = 0;
    Space space = Space::unknown;

    bool contains(std::uint64_t address) const { return address - low < high - low; }
};
/// The region of an address that is not in the block's shared memory.
Region region_of(std::uint64_t address);

class SiteTable {
public:
    using EventCode = lanework_simt::EventCode;

    SiteTable();
    /// The site of an event that accesses no memory.
    Site& at(EventCode code) { return entry(code).site_in(*this, code, Space::unknown); }
    /// The site of an access to shared memory.
    Site& shared(EventCode code) { return entry(code).site_in(*this, code, Space::shared); }
    Site& texture(EventCode code) { return entry(code).site_in(*this, code, Space::texture); }
    /// The site of an access to other memory.
    Site& outside(EventCode code, std::uint64_t address);

    /// In the order in which they were first seen. Addresses of sites stay.
    std::deque<Site>& sites() { return sites_; }

private:
    struct Entry {
        EventCode code;
        Region region;         // of the last access outside shared memory …
        Site* site = nullptr;  // … and its site
        struct Known {
            Site* site;
            Region region;  // that it accessed last; empty for none
        };
        std::vector<Known> all;

        Site& site_in(SiteTable& table, EventCode code, Space space);
        bool move_to(std::uint64_t address);
        void move_to(SiteTable& table, EventCode code, const Region& region);
    };
    Entry& entry(EventCode code);
    void rehash();

    std::deque<Site> sites_;
    std::deque<Entry> entries_;
    std::vector<Entry*> slots_;  // open addressing, a power of two
};

}  // namespace lanework

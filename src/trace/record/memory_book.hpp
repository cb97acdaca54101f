// The device's allocations as the hazard analysers see them: what was freed, what was written, and who touched which
// word last. Pages of this book are made when memory is touched.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "src/trace/analyse/analyser.hpp"
#include "src/trace/analyse/hazard.hpp"
#include "src/trace/analyse/marks.hpp"
#include "src/trace/analyse/written_bytes.hpp"

namespace lanework {

inline constexpr std::size_t kPageBytes = std::size_t{1} << 16;

struct Page {
    Marks marks;
    ZeroedArray<std::uint64_t> written;
    /// Bytes that nobody had written when they were changed by what they held.
    ZeroedArray<std::uint64_t> changed;
    bool all_written = false;

    void set_written(std::size_t first, std::size_t count);
    std::size_t first_unwritten(std::size_t first, std::size_t count) const;
    bool any_written(std::size_t first, std::size_t count) const;
    bool any_changed(std::size_t first, std::size_t count) const;
};

struct Allocation {
    std::uint64_t base;
    std::size_t bytes;
    /// By kPageBytes of the allocation.
    std::vector<Page> pages;
    /// What the host does with the memory is seen: only then can a byte be known not to be written.
    bool watched;

    bool contains(std::uint64_t address, std::size_t count) const {
        const std::uint64_t offset = address - base;
        return offset <= bytes && count <= bytes - offset;
    }
};

class MemoryBook {
public:
    void allocated(const MemoryRange& range) { add(range, true); }
    void released(const MemoryRange& range);
    void written(const MemoryRange& range);
    /// The range is about to be changed by what it holds. Bytes that nobody wrote stay unwritten, though they no longer
    /// hold what fresh memory does.
    void changed(const MemoryRange& range);
    /// Where the range first holds what fresh memory does, in bytes that nobody wrote.
    std::optional<std::uint64_t> first_fresh(const MemoryRange& range);
    /// Every allocation was written, as far as is known.
    void all_written();
    /// Memory that the host can write directly counts as written where it no longer holds what fresh memory does. So
    /// does the device's whose beginning a library's function wrote, which is the host's here: Thrust's algorithms.
    void launch_begins();
    /// Forgets who touched what.
    void forget_marks();

    /// The allocation that holds these bytes; null when there is none. `site` remembers where it accessed last.
    Allocation* find(std::uint64_t address, std::size_t count, std::uint32_t site);
    /// The allocation that the site accessed last; null when there is none.
    const Allocation* last_of(std::uint32_t site) const {
        return site < last_of_site_.size() ? last_of_site_[site] : nullptr;
    }
    /// True when the address is within memory that was freed and is in no allocation.
    bool was_released(std::uint64_t address) const;
    NearestMemory nearest(std::uint64_t address) const;

private:
    Allocation& add(const MemoryRange& range, bool watched);
    Allocation* find_slowly(std::uint64_t address, std::size_t count);
    /// Calls `body(page, first, count, address)` for what lies in one page of one allocation, `first` from the page's
    /// start.
    template <class Body>
    void each_page(const MemoryRange& range, Body body);
    Allocation* adopt(std::uint64_t address);

    std::map<std::uint64_t, Allocation> live_;
    /// Bytes by base; without those that were allocated anew.
    std::map<std::uint64_t, std::size_t> released_;
    /// Notes what the host wrote directly; false when nothing is left that nobody wrote.
    static bool note_host_writes(Allocation& allocation);
    static bool host_has_begun_to_write(const Allocation& allocation);

    /// New since the last launch; those that the host can write directly, while some of them is not written; and the
    /// device's.
    std::vector<std::uint64_t> fresh_, open_to_host_, of_device_;
    std::vector<Allocation*> last_of_site_;
};

}  // namespace lanework

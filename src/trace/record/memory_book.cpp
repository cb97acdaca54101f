// Keeping the book of allocations; ranges that the device had before the trace began are entered when they are met.
#include "src/trace/record/memory_book.hpp"

#include <algorithm>
#include <iterator>

#include "src/simt/apart_memory.hpp"
#include "src/simt/api_memory_map.hpp"
#include "src/simt/observer.hpp"

namespace lanework {
namespace {

/// Freed ranges that are remembered.
constexpr std::size_t kMostReleased = 4096;

using lanework_simt::Origin;

std::uint64_t number(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

/// Bytes that are looked at together: that all of them happen to be written with what was there is not to be expected.
constexpr std::size_t kGroup = 16;

bool is_fresh(const std::byte* memory, std::size_t count) {
    return std::all_of(memory, memory + count, [](std::byte byte) { return byte == lanework_simt::kFreshByte; });
}

}  // namespace

void Page::set_written(std::size_t first, std::size_t count) {
    if (all_written) return;
    if (count == kPageBytes) {
        all_written = true;
        written.reset();
        return;
    }
    WrittenBytes(written.make(kPageBytes / 64)).set(first, count);
}

std::size_t Page::first_unwritten(std::size_t first, std::size_t count) const {
    if (all_written) return first + count;
    return written ? WrittenBytes(written.get()).first_unwritten(first, count) : first;
}

bool Page::any_written(std::size_t first, std::size_t count) const {
    return all_written || (written && WrittenBytes(written.get()).any_written(first, count));
}

bool Page::any_changed(std::size_t first, std::size_t count) const {
    return changed && WrittenBytes(changed.get()).any_written(first, count);
}

Allocation& MemoryBook::add(const MemoryRange& range, bool watched) {
    const std::uint64_t base = number(range.base);
    auto old = released_.upper_bound(base);
    if (old != released_.begin() && std::prev(old)->first + std::prev(old)->second > base) --old;
    while (old != released_.end() && old->first < base + range.bytes) old = released_.erase(old);
    if (watched) fresh_.push_back(base);
    Allocation& allocation = live_[base];
    allocation = {base, range.bytes, std::vector<Page>((range.bytes + kPageBytes - 1) / kPageBytes), watched};
    return allocation;
}

void MemoryBook::released(const MemoryRange& range) {
    const std::uint64_t base = number(range.base);
    live_.erase(base);
    std::erase(open_to_host_, base);
    std::erase(of_device_, base);
    last_of_site_.clear();
    if (released_.size() < kMostReleased) released_[base] = range.bytes;
}

template <class Body>
void MemoryBook::each_page(const MemoryRange& range, Body body) {
    const std::uint64_t address = number(range.base);
    Allocation* const allocation = find_slowly(address, range.bytes);
    if (!allocation) return;
    std::size_t offset = address - allocation->base;
    for (const std::size_t end = offset + range.bytes; offset < end;) {
        const std::size_t in_page = offset % kPageBytes, count = std::min(kPageBytes - in_page, end - offset);
        body(allocation->pages[offset / kPageBytes], in_page, count, allocation->base + offset);
        offset += count;
    }
}

void MemoryBook::written(const MemoryRange& range) {
    each_page(range,
              [](Page& page, std::size_t first, std::size_t count, std::uint64_t) { page.set_written(first, count); });
}

void MemoryBook::changed(const MemoryRange& range) {
    each_page(range, [](Page& page, std::size_t first, std::size_t count, std::uint64_t address) {
        if (page.all_written) return;
        const auto* const memory = reinterpret_cast<const std::byte*>(address);
        for (std::size_t at = 0; at < count; at += kGroup) {
            const std::size_t bytes = std::min(kGroup, count - at);
            if (is_fresh(memory + at, bytes) && !page.any_written(first + at, bytes))
                WrittenBytes(page.changed.make(kPageBytes / 64)).set(first + at, bytes);
        }
    });
}

std::optional<std::uint64_t> MemoryBook::first_fresh(const MemoryRange& range) {
    constexpr std::size_t kLookedAt = 4;
    std::optional<std::uint64_t> found;
    each_page(range, [&](Page& page, std::size_t first, std::size_t count, std::uint64_t address) {
        const std::size_t left = first + count - page.first_unwritten(first, count);
        if (found || left == 0) return;
        const std::uint64_t at = address + count - left;
        if (is_fresh(reinterpret_cast<const std::byte*>(at), std::min(kLookedAt, left))) found = at;
    });
    return found;
}

void MemoryBook::all_written() {
    for (auto& [base, allocation] : live_) allocation.watched = false;
}

void MemoryBook::launch_begins() {
    for (const std::uint64_t base : fresh_) {
        const auto found = live_.find(base);
        const auto known = lanework_simt::memory_map().find(reinterpret_cast<const void*>(base));
        if (found == live_.end() || !known) continue;
        if (known->origin == Origin::device) {
            // Memory that is kept apart begins as zeros, and no function of the host's writes there.
            const bool is_filled = lanework_simt::fresh_bytes(known->bytes) > 0;
            if (is_filled && !lanework_simt::is_apart_memory(known->base)) of_device_.push_back(base);
            continue;
        }
        const bool filled =
            known->origin == Origin::managed || known->origin == Origin::host || known->origin == Origin::library;
        found->second.watched = filled && lanework_simt::fresh_bytes(found->second.bytes) > 0;
        if (found->second.watched) open_to_host_.push_back(base);
    }
    fresh_.clear();
    std::erase_if(of_device_, [&](std::uint64_t base) {
        const auto found = live_.find(base);
        if (found == live_.end() || !found->second.watched) return true;
        const bool written = host_has_begun_to_write(found->second);
        if (written) open_to_host_.push_back(base);
        return written;
    });
    std::erase_if(open_to_host_, [&](std::uint64_t base) {
        const auto found = live_.find(base);
        if (found == live_.end()) return true;
        found->second.watched = found->second.watched && note_host_writes(found->second);
        return !found->second.watched;
    });
}

/// Whether some of its first bytes hold what nobody is known to have written there.
bool MemoryBook::host_has_begun_to_write(const Allocation& allocation) {
    constexpr std::size_t kLookedAt = 256;
    const auto* const memory = reinterpret_cast<const std::byte*>(allocation.base);
    const Page& page = allocation.pages.front();
    for (std::size_t group = 0; group < std::min(kLookedAt, allocation.bytes); group += kGroup) {
        const std::size_t count = std::min(kGroup, allocation.bytes - group);
        if (!page.any_written(group, count) && !page.any_changed(group, count) && !is_fresh(memory + group, count))
            return true;
    }
    return false;
}

/// By groups of bytes. Behind what is filled at first all counts as written.
bool MemoryBook::note_host_writes(Allocation& allocation) {
    const std::size_t filled = lanework_simt::fresh_bytes(allocation.bytes);
    const auto* const memory = reinterpret_cast<const std::byte*>(allocation.base);
    bool fresh_left = false;
    for (std::size_t begin = 0; begin < allocation.bytes; begin += kPageBytes) {
        Page& page = allocation.pages[begin / kPageBytes];
        if (page.all_written) continue;
        const std::size_t end = std::min(begin + kPageBytes, allocation.bytes);
        std::size_t fresh_groups = 0;
        for (std::size_t group = begin; group < end; group += kGroup) {
            const std::size_t count = std::min(kGroup, end - group);
            const bool fresh =
                group + count <= filled && (is_fresh(memory + group, count) || page.any_changed(group - begin, count));
            fresh ? void(++fresh_groups) : page.set_written(group - begin, count);
        }
        if (fresh_groups == 0) page.set_written(0, kPageBytes);
        fresh_left = fresh_left || fresh_groups > 0;
    }
    return fresh_left;
}

void MemoryBook::forget_marks() {
    for (auto& [base, allocation] : live_)
        for (Page& page : allocation.pages) page.marks.reset();
}

Allocation* MemoryBook::find(std::uint64_t address, std::size_t count, std::uint32_t site) {
    if (site >= last_of_site_.size()) last_of_site_.resize(site + 1);
    Allocation*& last = last_of_site_[site];
    if (last && last->contains(address, count)) return last;
    Allocation* const found = find_slowly(address, count);
    if (found) last_of_site_[site] = found;  // `last` may be gone: entering an allocation forgets
    return found;
}

Allocation* MemoryBook::find_slowly(std::uint64_t address, std::size_t count) {
    const auto after = live_.upper_bound(address);
    if (after != live_.begin()) {
        Allocation& candidate = std::prev(after)->second;
        if (candidate.contains(address, count)) return &candidate;
        if (candidate.contains(address, 1)) return nullptr;
    }
    Allocation* const adopted = adopt(address);
    return adopted && adopted->contains(address, count) ? adopted : nullptr;
}

/// Enters memory that the device knows and this book does not.
Allocation* MemoryBook::adopt(std::uint64_t address) {
    const auto* const pointer = reinterpret_cast<const void*>(address);
    if (const auto known = lanework_simt::memory_map().find(pointer)) return &add({known->base, known->bytes}, false);
    if (!lanework_simt::is_program_data(pointer)) return nullptr;
    return &add({reinterpret_cast<const void*>(address / kPageBytes * kPageBytes), kPageBytes}, false);
}

bool MemoryBook::was_released(std::uint64_t address) const {
    const auto after = released_.upper_bound(address);
    if (after == released_.begin()) return false;
    const auto& [base, bytes] = *std::prev(after);
    return address - base < bytes;
}

NearestMemory MemoryBook::nearest(std::uint64_t address) const {
    const auto after = live_.upper_bound(address);
    const Allocation* const next = after == live_.end() ? nullptr : &after->second;
    const Allocation* const before = after == live_.begin() ? nullptr : &std::prev(after)->second;
    if (!next && !before) return {};
    const bool behind = before && (!next || address - (before->base + before->bytes) < next->base - address);
    const Allocation& found = behind ? *before : *next;
    return {found.bytes, static_cast<std::int64_t>(address - found.base)};
}

}  // namespace lanework

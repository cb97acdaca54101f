// Sets of sectors, a bit for each.
#include "src/gpu/touched_sectors.hpp"

#include <algorithm>
#include <bit>

namespace lanework {
namespace {

std::uint64_t ones(std::uint64_t bits) { return static_cast<std::uint64_t>(std::popcount(bits)); }

}  // namespace

TouchedSectors::Page& TouchedSectors::page_of(std::uint64_t sector) {
    if (const std::uint64_t number = sector / kPageSectors; number != last_.number) {
        last_.page = &pages_[number];
        last_.number = number;
    }
    return *last_.page;
}

void TouchedSectors::insert(std::uint64_t sector) {
    const auto bit = static_cast<unsigned>(sector % kPageSectors);
    std::uint64_t& bits = page_of(sector).bits[bit / 64];
    const std::uint64_t mask = std::uint64_t{1} << bit % 64;
    size_ += !(bits & mask);
    bits |= mask;
}

std::uint64_t TouchedSectors::mask(std::uint64_t word, std::uint64_t first, std::uint64_t end) {
    if (end <= word || first >= word + 64) return 0;
    std::uint64_t bits = ~std::uint64_t{0};
    if (first > word) bits <<= first - word;
    if (end < word + 64) bits &= ~std::uint64_t{0} >> (word + 64 - end);
    return bits;
}

void TouchedSectors::insert(std::uint64_t first, std::uint64_t end) {
    for (std::uint64_t word = first / 64 * 64; word < end; word += 64) {
        std::uint64_t& bits = page_of(word).bits[word % kPageSectors / 64];
        const std::uint64_t added = mask(word, first, end) & ~bits;
        size_ += ones(added);
        bits |= added;
    }
}

void TouchedSectors::erase(std::uint64_t first, std::uint64_t end) {
    for (std::uint64_t word = first / 64 * 64; word < end; word += 64) {
        const auto page = pages_.find(word / kPageSectors);
        if (page == pages_.end()) continue;
        std::uint64_t& bits = page->second.bits[word % kPageSectors / 64];
        const std::uint64_t gone = mask(word, first, end) & bits;
        size_ -= ones(gone);
        bits &= ~gone;
    }
}

std::uint64_t TouchedSectors::count(std::uint64_t first, std::uint64_t end) const {
    if (first >= end) return 0;
    const auto in_page = [&](std::uint64_t number, const Page& page) {
        std::uint64_t sum = 0;
        const std::uint64_t begin = number * kPageSectors;
        if (begin >= end || begin + kPageSectors <= first) return sum;
        const std::uint64_t from = std::max(first, begin) / 64 * 64, to = std::min(end, begin + kPageSectors);
        for (std::uint64_t word = from; word < to; word += 64)
            sum += ones(page.bits[word % kPageSectors / 64] & mask(word, first, end));
        return sum;
    };
    std::uint64_t sum = 0;
    if (const std::uint64_t number = first / kPageSectors; number == (end - 1) / kPageSectors) {
        if (const auto page = pages_.find(number); page != pages_.end()) sum = in_page(number, page->second);
        return sum;
    }
    for (const auto& [number, page] : pages_) sum += in_page(number, page);
    return sum;
}

TouchedSectors::Common TouchedSectors::common(const TouchedSectors& other) const {
    const TouchedSectors& fewer = pages_.size() <= other.pages_.size() ? *this : other;
    const TouchedSectors& more = &fewer == this ? other : *this;
    Common both;
    for (const auto& [number, page] : fewer.pages_) {
        const auto same = more.pages_.find(number);
        if (same == more.pages_.end()) continue;
        for (std::size_t word = 0; word < page.bits.size(); ++word) {
            const std::uint64_t bits = page.bits[word] & same->second.bits[word];
            if (bits == 0) continue;
            both.count += ones(bits);
            both.first = std::min(
                both.first, number * kPageSectors + word * 64 + static_cast<std::uint64_t>(std::countr_zero(bits)));
        }
    }
    return both;
}

std::uint64_t TouchedSectors::pairs() const {
    constexpr std::uint64_t kFirstOfPairs = 0x5555555555555555u;
    std::uint64_t count = 0;
    for (const auto& [number, page] : pages_)
        for (const std::uint64_t bits : page.bits) count += ones((bits | bits >> 1) & kFirstOfPairs);
    return count;
}

void TouchedSectors::clear() {
    pages_.clear();
    size_ = 0;
    last_.forget();
}

}  // namespace lanework

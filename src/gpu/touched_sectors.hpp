// Which sectors of memory were touched, as bits of pages.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <unordered_map>

namespace lanework {

class TouchedSectors {
public:
    void insert(std::uint64_t sector);
    /// All sectors from `first` to before `end`.
    void insert(std::uint64_t first, std::uint64_t end);
    void erase(std::uint64_t first, std::uint64_t end);
    std::uint64_t size() const { return size_; }
    bool holds(std::uint64_t sector) const {
        const auto page = pages_.find(sector / kPageSectors);
        return page != pages_.end() && (page->second.bits[sector % kPageSectors / 64] >> sector % 64 & 1) != 0;
    }
    /// Those from `first` to before `end`.
    std::uint64_t count(std::uint64_t first, std::uint64_t end) const;
    /// Halves of lines, two sectors each, with a sector of the set.
    std::uint64_t pairs() const;
    void clear();

    /// Calls see(sector) for each, in no order.
    template <class See>
    void each(See&& see) const {
        for (const auto& [number, page] : pages_)
            for (std::uint64_t word = 0; word < page.bits.size(); ++word)
                for (std::uint64_t left = page.bits[word]; left != 0; left &= left - 1)
                    see(number * kPageSectors + word * 64 + static_cast<std::uint64_t>(__builtin_ctzll(left)));
    }

    static constexpr unsigned kPageSectors = 4096;
    /// How many both have, and the first of them.
    struct Common {
        std::uint64_t count = 0, first = ~std::uint64_t{0};
    };
    Common common(const TouchedSectors& other) const;
    /// Pages of so many sectors with some.
    std::size_t pages() const { return pages_.size(); }
    /// Calls see(number, count) for each page of so many sectors that has some, in no order.
    template <class See>
    void each_page(See&& see) const {
        for (const auto& [number, page] : pages_) {
            std::uint64_t count = 0;
            for (const std::uint64_t bits : page.bits) count += static_cast<std::uint64_t>(std::popcount(bits));
            if (count != 0) see(number, count);
        }
    }

private:
    struct Page {
        std::array<std::uint64_t, kPageSectors / 64> bits{};
    };
    /// The page of the sector that came last. A copy of the set has pages of its own, and knows none of them yet; nor
    /// does a set that was moved from, which is to be cleared before it is used again.
    struct LastPage {
        std::uint64_t number = ~std::uint64_t{0};
        Page* page = nullptr;

        LastPage() = default;
        LastPage(const LastPage&) {}
        LastPage(LastPage&& other) noexcept { other.forget(); }
        LastPage& operator=(const LastPage&) {
            forget();
            return *this;
        }
        LastPage& operator=(LastPage&& other) noexcept {
            forget();
            other.forget();
            return *this;
        }
        ~LastPage() = default;
        void forget() {
            number = ~std::uint64_t{0};
            page = nullptr;
        }
    };
    Page& page_of(std::uint64_t sector);
    /// Of those bits of the 64 from `word` on that lie in the range.
    static std::uint64_t mask(std::uint64_t word, std::uint64_t first, std::uint64_t end);

    std::unordered_map<std::uint64_t, Page> pages_;
    std::uint64_t size_ = 0;
    LastPage last_;
};

/// What a piece of work read and wrote of memory.
struct TouchedMemory {
    TouchedSectors read, written;
};

}  // namespace lanework

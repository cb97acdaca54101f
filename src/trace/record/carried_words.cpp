// A list by address.
#include "src/trace/record/carried_words.hpp"

#include <algorithm>

namespace lanework {
namespace {

constexpr std::uint64_t kWord = 4;

/// The first word of which a byte lies at the address or behind it.
std::uint64_t first_of(std::uint64_t address) { return address / kWord * kWord; }

}  // namespace

std::span<const CarriedWord> CarriedWords::in(std::uint64_t address, std::uint64_t bytes) const {
    const auto first = std::ranges::lower_bound(words_, first_of(address), {}, &CarriedWord::address);
    const auto end = std::ranges::lower_bound(words_, address + bytes, {}, &CarriedWord::address);
    return {first, std::max(first, end)};
}

unsigned CarriedWords::why(std::uint64_t address, std::uint64_t bytes) const {
    unsigned all = 0;
    for (const CarriedWord& word : in(address, bytes)) all |= word.why;
    return all;
}

void CarriedWords::erase(std::uint64_t address, std::uint64_t bytes) {
    const auto gone = in(address, bytes);
    const auto first = words_.begin() + (gone.data() - words_.data());
    words_.erase(first, first + static_cast<std::ptrdiff_t>(gone.size()));
}

void CarriedWords::copy(std::uint64_t from, std::uint64_t to, std::uint64_t bytes) {
    std::vector<CarriedWord> copies;
    for (CarriedWord word : in(from, bytes)) {
        word.address = to + (word.address - from);
        copies.push_back(word);
    }
    const auto gone = in(to, bytes);
    const auto first = words_.begin() + (gone.data() - words_.data());
    // Copies that come again find as many words: nothing behind them moves.
    const auto same = static_cast<std::ptrdiff_t>(std::min(gone.size(), copies.size()));
    const auto put = std::copy_n(copies.begin(), same, first);
    const auto behind = words_.erase(put, first + static_cast<std::ptrdiff_t>(gone.size()));
    words_.insert(behind, copies.begin() + same, copies.end());
}

}  // namespace lanework

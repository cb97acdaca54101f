// A set of words for each reason.
#include "src/gpu/sass/doubtful_memory.hpp"

namespace lanework {

unsigned DoubtfulMemory::why() const {
    unsigned all = 0;
    for (std::size_t i = 0; i < words_.size(); ++i)
        if (words_[i].size() != 0) all |= kReasons[i];
    return all;
}

unsigned DoubtfulMemory::why(std::uint64_t address, std::uint64_t bytes) const {
    constexpr std::uint64_t kFew = 16;
    const std::uint64_t first = address / kWord, end = (address + bytes + kWord - 1) / kWord;
    unsigned all = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
        if (words_[i].size() == 0) continue;
        bool holds = end - first > kFew && words_[i].count(first, end) != 0;
        for (std::uint64_t word = first; end - first <= kFew && word < end; ++word) holds |= words_[i].holds(word);
        if (holds) all |= kReasons[i];
    }
    return all;
}

void DoubtfulMemory::add(unsigned why, std::uint64_t address, std::uint64_t bytes) {
    for (std::size_t i = 0; i < words_.size(); ++i)
        if (why & kReasons[i]) words_[i].insert(address / kWord, (address + bytes + kWord - 1) / kWord);
}

void DoubtfulMemory::add(const DoubtfulMemory& other) {
    for (std::size_t i = 0; i < words_.size(); ++i)
        other.words_[i].each([&](std::uint64_t word) { words_[i].insert(word); });
}

void DoubtfulMemory::remove(std::uint64_t address, std::uint64_t bytes) { forget(kAll, address, bytes); }

void DoubtfulMemory::forget(unsigned why, std::uint64_t address, std::uint64_t bytes) {
    const std::uint64_t first = (address + kWord - 1) / kWord, end = (address + bytes) / kWord;
    for (std::size_t i = 0; i < words_.size(); ++i)
        if (why & kReasons[i] && words_[i].size() != 0 && first < end) words_[i].erase(first, end);
}

}  // namespace lanework

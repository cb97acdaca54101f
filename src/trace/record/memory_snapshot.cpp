// Compares memory by stretches of 8 bytes, as the numbers that may lie there.
#include "src/trace/record/memory_snapshot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <lanework_simt/launch.hpp>

#include "src/simt/api_memory_map.hpp"

namespace lanework {
namespace {

/// Whether two numbers are one that was rounded differently on the way. What whole numbers, and halves of wider ones,
/// look like where they are read as fractions is mostly tinier than any result.
template <class T>
bool near(T a, T b) {
    constexpr bool kWide = sizeof(T) == 8;
    constexpr T kRelative = T(kWide ? 1e-11 : 1e-3), kTiny = T(kWide ? 1e-12 : 1e-6),
                kTiniest = T(kWide ? 1e-30 : 1e-20);
    const auto likely = [](T value) { return value == 0 || std::isnan(value) || std::abs(value) >= kTiniest; };
    if (!likely(a) || !likely(b)) return false;
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    if (a == b) return true;
    return std::abs(a - b) <= kRelative * std::max(std::abs(a), std::abs(b)) + kTiny;
}
/// Whether 8 bytes that differ may hold the same numbers.
bool near_bytes(const std::byte* a, const std::byte* b, std::size_t count, Fractions fractions) {
    if (fractions == Fractions::none) return false;
    if (fractions == Fractions::wide && count == 8 && near(value_at<double>(a), value_at<double>(b))) return true;
    bool floats = count % 4 == 0;
    for (std::size_t at = 0; floats && at + 4 <= count; at += 4)
        floats = std::memcmp(a + at, b + at, 4) == 0 || near(value_at<float>(a + at), value_at<float>(b + at));
    if (floats) return true;
    // Halves, of which the last place is a thousandth, or rounded bytes.
    for (std::size_t at = 0; at + 2 <= count; at += 2) {
        const int x = value_at<std::uint16_t>(a + at), y = value_at<std::uint16_t>(b + at);
        if (std::abs(x - y) > 1) return false;
    }
    return true;
}

/// Whether 8 bytes that are near each other hold a number that all but cancelled out: what is left is 0 in one of them,
/// or differs by more than the last place of the shortest numbers there are, of 8 bits.
bool cancels_out(const std::byte* a, const std::byte* b, std::size_t count, Fractions fractions) {
    const auto cancelled = [](auto x, auto y) {
        constexpr auto kShortest = static_cast<decltype(x)>(0x1p-6);
        return near(x, y) && std::abs(x - y) > kShortest * std::max(std::abs(x), std::abs(y));
    };
    if (fractions == Fractions::none) return false;
    if (fractions == Fractions::wide && count == 8 && near(value_at<double>(a), value_at<double>(b)))
        return cancelled(value_at<double>(a), value_at<double>(b));
    for (std::size_t at = 0; at + 4 <= count; at += 4)
        if (cancelled(value_at<float>(a + at), value_at<float>(b + at))) return true;
    return false;
}

/// The middle size of the numbers around a word, where nearly all of them are floats of usual sizes; else 0.
float scale_around(std::span<const std::byte> array, std::size_t at) {
    constexpr std::size_t kAround = 256, kWords = 2 * kAround / 4 + 2;
    constexpr float kUsual = 1e-20f, kMost = 1e20f;
    const std::size_t first = at - std::min(at, kAround), end = std::min(at + kAround, array.size());
    std::array<float, kWords> sizes;
    std::size_t usual = 0, others = 0;
    for (std::size_t word = first / 4 * 4; word + 4 <= end; word += 4) {
        const float size = std::abs(value_at<float>(&array[word]));
        if (size == 0) continue;
        if (size >= kUsual && size <= kMost)
            sizes[usual++] = size;
        else
            ++others;
    }
    constexpr std::size_t kFew = 16;  // so many floats for each word that looks like none
    if (usual == 0 || others * kFew > usual) return 0;
    const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(usual / 2);
    std::nth_element(sizes.begin(), middle, sizes.begin() + static_cast<std::ptrdiff_t>(usual));
    return *middle;
}

/// Whether floats differ by no more than what their neighbours' size lets be rounding: of sums that all but cancel out.
/// Whole numbers among them look like floats that are no normal numbers.
bool near_for_their_scale(const std::byte* now, std::span<const std::byte> mine, std::size_t at, std::size_t count,
                          Fractions fractions) {
    constexpr float kPlaces = 0x1p-22f;  // of 24 bits the last two
    if (fractions != Fractions::floats || count % 4 != 0) return false;
    const float scale = std::min(scale_around(mine, at), scale_around({now, mine.size()}, at));
    for (std::size_t word = at; word < at + count; word += 4) {
        const auto a = value_at<float>(now + word), b = value_at<float>(&mine[word]);
        const bool whole = !std::isnormal(a) && !std::isnormal(b) && std::memcmp(&a, &b, sizeof a) != 0;
        if (whole || !(std::abs(a - b) <= kPlaces * scale)) return false;
    }
    return true;
}

/// Whether the number of this type that the word at `at` belongs to changed in another run by a fair part of what it
/// differs from what lies in memory `now`.
template <class T>
bool is_unsettled(std::span<const std::byte> mine, std::span<const std::byte> other, std::span<const std::byte> now,
                  std::size_t at, bool is_type) {
    constexpr double kMostTimes = 16;
    at = at / sizeof(T) * sizeof(T);
    if (!is_type || at + sizeof(T) > mine.size()) return false;
    const auto a = static_cast<double>(value_at<T>(&mine[at])), b = static_cast<double>(value_at<T>(&other[at])),
               c = static_cast<double>(value_at<T>(&now[at]));
    if (!std::isfinite(a) || !std::isfinite(c)) return std::isfinite(a) != std::isfinite(b);
    return a != b && (!std::isfinite(b) || std::abs(a - c) <= kMostTimes * std::abs(a - b));
}

/// Whether the words of [at, at + count) that differ were left alone, next to words that were stored.
bool is_padding(const std::byte* now, std::span<const std::byte> after, std::span<const std::byte> before,
                std::size_t at, std::size_t count) {
    constexpr std::size_t kWord = 4, kAround = 16;
    for (std::size_t word = at; word < at + count; word += kWord) {
        const std::size_t bytes = std::min(kWord, at + count - word);
        if (std::memcmp(now + word, &after[word], bytes) == 0) continue;
        if (std::memcmp(&after[word], &before[word], bytes) != 0) return false;
        const std::size_t first = word - std::min(word, kAround), end = std::min(word + kAround, after.size());
        if (std::memcmp(&after[first], &before[first], end - first) == 0) return false;
    }
    return true;
}

}  // namespace

MemorySnapshot::MemorySnapshot() {
    for (const lanework_simt::Allocation& range : lanework_simt::memory_map().all())
        copies_.push_back({reinterpret_cast<std::uint64_t>(range.base), {range.base, range.base + range.bytes}});
}

void MemorySnapshot::add(std::span<std::byte> range, bool judged) {
    const auto base = reinterpret_cast<std::uint64_t>(range.data());
    if (range.empty() || !at(base).empty()) return;
    copies_.insert(std::ranges::upper_bound(copies_, base, {}, &Copy::base),
                   {base, {range.begin(), range.end()}, judged});
}

std::span<std::byte> MemorySnapshot::at(std::uint64_t address) {
    const auto after = std::ranges::upper_bound(copies_, address, {}, &Copy::base);
    if (after == copies_.begin()) return {};
    Copy& copy = *(after - 1);
    const std::uint64_t offset = address - copy.base;
    if (offset >= copy.bytes.size()) return {};
    return std::span(copy.bytes).subspan(offset);
}

std::span<const std::byte> MemorySnapshot::at(std::uint64_t address) const {
    const MachineArray range = range_of(address);
    if (range.bytes == 0) return {};
    const auto copy = std::ranges::lower_bound(copies_, range.base, {}, &Copy::base);
    return std::span<const std::byte>(copy->bytes).subspan(address - range.base);
}

MachineArray MemorySnapshot::range_of(std::uint64_t address) const {
    const auto after = std::ranges::upper_bound(copies_, address, {}, &Copy::base);
    if (after == copies_.begin()) return {};
    const Copy& copy = *(after - 1);
    if (address - copy.base >= copy.bytes.size()) return {};
    return {copy.base, copy.bytes.size()};
}

std::vector<MachineArray> MemorySnapshot::ranges() const {
    std::vector<MachineArray> ranges;
    for (const Copy& copy : copies_) ranges.push_back({copy.base, copy.bytes.size()});
    return ranges;
}

void MemorySnapshot::add_what_differs(const MemorySnapshot& other, Fractions fractions, DoubtfulMemory& left) const {
    constexpr std::size_t kStep = 8;
    for (std::size_t k = 0; k < copies_.size(); ++k) {
        const std::vector<std::byte>&mine = copies_[k].bytes, &others = other.copies_[k].bytes;
        unsigned why = 0;
        for (std::size_t at = 0; at < mine.size() && why != DoubtfulMemory::kAll; at += kStep) {
            const std::size_t count = std::min(kStep, mine.size() - at);
            if (std::memcmp(&mine[at], &others[at], count) == 0) continue;
            why |= why_of(near_bytes(&mine[at], &others[at], count, fractions)              ? Difference::rounding
                          : near_for_their_scale(others.data(), mine, at, count, fractions) ? Difference::cancelled
                                                                                            : Difference::other);
        }
        if (why != 0) left.add(why, copies_[k].base, mine.size());
    }
}

bool MemorySnapshot::is_beside(std::uint64_t address) const {
    constexpr std::uint64_t kPage = std::uint64_t{1} << 21;  // that a GPU's memory is mapped in
    return std::ranges::any_of(copies_, [&](const Copy& copy) {
        return address + kPage >= copy.base && address < copy.base + copy.bytes.size() + kPage;
    });
}

std::uint8_t MemorySnapshot::why_of(Difference difference) {
    switch (difference) {
        case Difference::rounding: return DoubtfulMemory::rounding;
        case Difference::cancelled: return DoubtfulMemory::rounding | DoubtfulMemory::size;
        case Difference::other: return DoubtfulMemory::kAll;
        case Difference::padding: break;
    }
    return 0;
}

template <class Visit>
void MemorySnapshot::compare_with_memory(const MemorySnapshot& before, Fractions fractions, Visit visit) const {
    constexpr std::size_t kStep = 8;
    for (std::size_t k = 0; k < copies_.size(); ++k) {
        const Copy& copy = copies_[k];
        if (!copy.judged) continue;
        const auto* const now = reinterpret_cast<const std::byte*>(copy.base);
        if (std::memcmp(now, copy.bytes.data(), copy.bytes.size()) == 0) continue;
        for (std::size_t at = 0; at < copy.bytes.size(); at += kStep) {
            const std::size_t count = std::min(kStep, copy.bytes.size() - at);
            if (std::memcmp(now + at, copy.bytes.data() + at, count) == 0) continue;
            const Difference difference =
                near_bytes(now + at, copy.bytes.data() + at, count, fractions)    ? Difference::rounding
                : near_for_their_scale(now, copy.bytes, at, count, fractions)     ? Difference::cancelled
                : is_padding(now, copy.bytes, before.copies_[k].bytes, at, count) ? Difference::padding
                                                                                  : Difference::other;
            if (!visit(k, at, count, difference)) return;
        }
    }
}

void MemorySnapshot::set(std::uint64_t address, std::uint32_t value) {
    const std::span<std::byte> word = at(address);
    if (word.size() >= sizeof value) std::memcpy(word.data(), &value, sizeof value);
}

std::optional<std::vector<CarriedWord>> MemorySnapshot::what_memory_differs_in(const MemorySnapshot& before,
                                                                               Fractions fractions, std::size_t most,
                                                                               DoubtfulMemory& ends) const {
    constexpr std::size_t kWord = 4;
    std::vector<CarriedWord> words;
    compare_with_memory(before, fractions,
                        [&](std::size_t k, std::size_t at, std::size_t count, Difference difference) {
                            const Copy& copy = copies_[k];
                            const auto* const now = reinterpret_cast<const std::byte*>(copy.base);
                            unsigned why = why_of(difference);
                            if (cancels_out(&copy.bytes[at], now + at, count, fractions)) why |= DoubtfulMemory::size;
                            std::size_t word = at;
                            for (; word + kWord <= at + count; word += kWord) {
                                const auto mine = value_at<std::uint32_t>(&copy.bytes[word]),
                                           theirs = value_at<std::uint32_t>(now + word);
                                if (mine != theirs)
                                    words.push_back({copy.base + word, mine, theirs, static_cast<std::uint8_t>(why)});
                            }
                            const std::size_t rest = at + count - word;
                            if (rest != 0 && std::memcmp(&copy.bytes[word], now + word, rest) != 0)
                                ends.add(why, copy.base + word, rest);
                            return words.size() <= most;
                        });
    if (words.size() > most) return {};
    return words;
}

MemorySnapshot::Likeness MemorySnapshot::likeness_to_memory(const MemorySnapshot& before, Fractions fractions) const {
    Likeness likeness = Likeness::equal;
    compare_with_memory(before, fractions, [&](std::size_t, std::size_t, std::size_t, Difference difference) {
        if (difference == Difference::rounding || difference == Difference::cancelled) likeness = Likeness::rounded;
        if (difference == Difference::other) likeness = Likeness::different;
        return likeness != Likeness::different;
    });
    return likeness;
}

void MemorySnapshot::add_what_memory_differs_in(const MemorySnapshot& before, Fractions fractions,
                                                DoubtfulMemory& left) const {
    std::vector<unsigned> why(copies_.size());
    compare_with_memory(before, fractions, [&](std::size_t k, std::size_t, std::size_t, Difference difference) {
        why[k] |= why_of(difference);
        return true;
    });
    for (std::size_t k = 0; k < copies_.size(); ++k)
        if (why[k] != 0) left.add(why[k], copies_[k].base, copies_[k].bytes.size());
}

std::vector<MemorySnapshot::Word> MemorySnapshot::different_words(const MemorySnapshot& before,
                                                                  Fractions fractions) const {
    constexpr std::size_t kWord = 4;
    std::vector<Word> words;
    compare_with_memory(
        before, fractions, [&](std::size_t k, std::size_t at, std::size_t count, Difference difference) {
            const auto* const now = reinterpret_cast<const std::byte*>(copies_[k].base);
            for (std::size_t word = at; difference == Difference::other && word < at + count; word += kWord)
                if (std::memcmp(now + word, &copies_[k].bytes[word], std::min(kWord, at + count - word)) != 0)
                    words.push_back({k, word});
            return true;
        });
    return words;
}

void MemorySnapshot::remove_unsettled(std::vector<Word>& words, const MemorySnapshot& varied,
                                      Fractions fractions) const {
    std::erase_if(words, [&](const Word& word) {
        const Copy& copy = copies_[word.copy];
        const std::span<const std::byte> mine(copy.bytes), other(varied.copies_[word.copy].bytes);
        const std::span now(reinterpret_cast<const std::byte*>(copy.base), copy.bytes.size());
        const std::size_t bytes = std::min(sizeof(float), now.size() - word.at);
        if (near_bytes(&now[word.at], &other[word.at], bytes, fractions)) return true;
        return is_unsettled<double>(mine, other, now, word.at, fractions == Fractions::wide) ||
               is_unsettled<float>(mine, other, now, word.at, fractions != Fractions::none) ||
               is_unsettled<std::int32_t>(mine, other, now, word.at, true);
    });
}

}  // namespace lanework

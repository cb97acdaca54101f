// Marks: what is remembered of the accesses to a word of memory, and the arrays that hold them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include "src/gpu/memory_units.hpp"

namespace lanework {

/// Counts barriers, meetings, fences and changes of block; an access has the count of its time.
using Stamp = std::uint32_t;

/// What an access is to those of others.
enum class Use : std::uint8_t {
    plain,
    guess,   ///< a plain read whose thread's next access of the word was a compare-and-swap
    relied,  ///< a plain read whose thread's next access of the word was another
    atomic,  ///< or a volatile's
};

/// One access of one thread to a word. Marks order by their stamps, and none is 0.
struct Mark {
    std::uint64_t bits = 0;

    static constexpr unsigned kStampShift = 32, kSiteShift = 16, kThreadShift = 6, kBytesShift = 2;
    static constexpr unsigned kMostSites = 1u << 16;
    static constexpr std::uint64_t kThreadBits = 0x3ff, kAllBytes = 0xf, kUseBits = 0x3;
    /// The part of a thread's number that is its warp's.
    static constexpr std::uint64_t kWarpBits = 0x1full << (kThreadShift + 5);

    /// `bytes` are those of the word, one bit each.
    static constexpr Mark of(Stamp stamp, std::uint32_t site, unsigned thread, std::uint64_t bytes, Use use) {
        return {std::uint64_t{stamp} << kStampShift | std::uint64_t{site} << kSiteShift |
                std::uint64_t{thread} << kThreadShift | bytes << kBytesShift | static_cast<std::uint64_t>(use)};
    }
    /// No mark of an earlier stamp is as great.
    static constexpr Mark floor(Stamp stamp) { return {std::uint64_t{stamp} << kStampShift}; }

    constexpr Stamp stamp() const { return static_cast<Stamp>(bits >> kStampShift); }
    constexpr std::uint32_t site() const { return static_cast<std::uint32_t>(bits >> kSiteShift & 0xffff); }
    constexpr unsigned thread() const { return static_cast<unsigned>(bits >> kThreadShift & kThreadBits); }
    constexpr std::uint64_t bytes() const { return bits >> kBytesShift & kAllBytes; }
    constexpr Use use() const { return static_cast<Use>(bits & kUseBits); }
    constexpr bool atomic() const { return use() == Use::atomic; }
    constexpr bool since(Mark floor) const { return bits >= floor.bits; }
    /// The same access by the thread `lanes` further.
    constexpr Mark by_next(unsigned lanes) const { return {bits + (std::uint64_t{lanes} << kThreadShift)}; }
    /// The same access by another lane of the warp.
    constexpr Mark with_lane(unsigned lane) const {
        constexpr std::uint64_t kLaneBits = (kLanes - 1) << kThreadShift;
        return {(bits & ~kLaneBits) | std::uint64_t{lane} << kThreadShift};
    }
    constexpr Mark with_bytes(std::uint64_t bytes) const {
        return {(bits & ~(kAllBytes << kBytesShift)) | bytes << kBytesShift};
    }
    constexpr Mark with_use(Use use) const { return {(bits & ~kUseBits) | static_cast<std::uint64_t>(use)}; }
};

/// The lanes of a warp that read a word at one site, plainly and between the same meetings: those that did not compare
/// and swap it next. Marks of two of them say as much, until these two compare.
struct Readers {
    Mark read;
    /// What each does next is not known yet.
    std::uint32_t open = 0;
    /// Accessed the word in another way next.
    std::uint32_t relied = 0;

    constexpr std::uint32_t lanes() const { return open | relied; }
    /// Whether this is a read like those.
    constexpr bool have_like(Mark other) const {
        constexpr std::uint64_t kOwn = (kLanes - 1) << Mark::kThreadShift | Mark::kUseBits;
        return ((read.bits ^ other.bits) & ~kOwn) == 0;
    }
};

/// Memory that starts as zeros and costs nothing before it is touched.
template <class T>
class ZeroedArray {
public:
    explicit operator bool() const { return data_ != nullptr; }
    T* get() const { return data_.get(); }
    /// Begins to bring this element to the processor, where there is an array. Inlined always: g++ drops the calls of
    /// what does nothing else.
    [[gnu::always_inline]] void fetch(std::size_t at) const {
        if (data_) __builtin_prefetch(data_.get() + at, 1);
    }
    T* make(std::size_t count) {
        if (!data_) data_.reset(static_cast<T*>(std::calloc(count, sizeof(T))));
        if (!data_) throw std::bad_alloc();
        return data_.get();
    }
    void reset() { data_.reset(); }

private:
    struct Free {
        void operator()(T* data) const { std::free(data); }
    };
    std::unique_ptr<T[], Free> data_;
};

/// What holds for all words of a line of memory; each is a stamp.
struct LineMark {
    static constexpr std::size_t kWords = 32;

    /// Of the last write to any of them.
    Stamp written = 0;
    /// The barrier since which so many threads read each of them that one more tells nothing new.
    Stamp settled = 0;
};

/// The marks of a stretch of memory, word by word: the last write, a first and another read, and the lanes that read
/// together. Made when first needed.
struct Marks {
    ZeroedArray<Mark> writes, reads, other_reads;
    ZeroedArray<Readers> readers;
    ZeroedArray<LineMark> lines;
    /// What the writes left, where that is asked for.
    ZeroedArray<std::uint32_t> values;

    /// Begins to bring what is kept of the word to the processor.
    [[gnu::always_inline]] void fetch(std::size_t word) const {
        writes.fetch(word);
        reads.fetch(word);
        other_reads.fetch(word);
        readers.fetch(word);
        lines.fetch(word / LineMark::kWords);
        values.fetch(word);
    }
    void reset() {
        writes.reset();
        reads.reset();
        other_reads.reset();
        readers.reset();
        lines.reset();
        values.reset();
    }
};

}  // namespace lanework

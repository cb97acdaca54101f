// The book of allocations, and where their memory comes from.
#include "src/simt/api_memory_map.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <iterator>
#include <mutex>
#include <numeric>
#include <utility>

#include "src/simt/apart_memory.hpp"
#include "src/simt/gpu.hpp"
#include "src/simt/observer.hpp"

namespace lanework_simt {
namespace {

constexpr std::size_t kAlignment = 512;  // as textures need it
// Large allocations start at a huge page, so that kernels that stream through them miss the TLB less.
constexpr std::size_t kPage = 4096, kHugePage = std::size_t{2} << 20;
constexpr std::size_t kLarge = 2 * kHugePage;
constexpr std::size_t kLeastGap = 32 << 10, kGap = std::size_t{1} << 20;
// Fresh memory holds this byte at its start and its end: implausible as any type, so that nobody relies on zeros.
constexpr std::size_t kFreshStart = std::size_t{1} << 20, kFreshEnd = 4096;
// From this size on the C library asks the system for each piece, which is zeros (mallopt(3), M_MMAP_THRESHOLD).
constexpr std::size_t kZerosAnyway = std::size_t{32} << 20;

bool fresh_zeros = false;

/// Bytes with the room behind that keeps allocations apart, so that an access behind one is no access to the next, and
/// none to what the host has there: threads of a grid that is rounded up reach as far as what they work on is long.
std::size_t with_gap(std::size_t bytes) {
    const std::size_t gap = observer() ? kGap : std::clamp(bytes, kLeastGap, kGap);
    return (bytes + kAlignment - 1) / kAlignment * kAlignment + gap;
}

/// Bytes of this machine's memory.
std::size_t machine_bytes() {
    static const std::size_t bytes = std::size_t(sysconf(_SC_PHYS_PAGES)) * std::size_t(sysconf(_SC_PAGESIZE));
    return bytes;
}

/// Large pieces that a program has freed, for its next allocations of that size: in a loop that allocates and frees,
/// the system does not take their pages and map them anew each time, which costs several times what clearing them does.
class FreedPieces {
public:
    void* take(std::size_t bytes) {
        const std::lock_guard lock(mutex_);
        const auto found = std::ranges::find(pieces_, bytes, &Piece::bytes);
        if (found == pieces_.end()) return nullptr;
        void* const memory = found->memory;
        total_ -= bytes;
        pieces_.erase(found);
        return memory;
    }
    void add(void* memory, std::size_t bytes) {
        const std::lock_guard lock(mutex_);
        pieces_.push_back({memory, bytes});
        total_ += bytes;
        shrink(std::min(kMost, machine_bytes() / 8));
    }
    /// Gives all of them back; false when there are none.
    bool clear() {
        const std::lock_guard lock(mutex_);
        const bool any = !pieces_.empty();
        shrink(0);
        return any;
    }

private:
    static constexpr std::size_t kMost = std::size_t{1} << 30;
    struct Piece {
        void* memory;
        std::size_t bytes;
    };
    void shrink(std::size_t most) {
        for (; total_ > most; pieces_.pop_front()) {
            total_ -= pieces_.front().bytes;
            std::free(pieces_.front().memory);
        }
    }

    std::mutex mutex_;
    std::deque<Piece> pieces_;
    std::size_t total_ = 0;
};

FreedPieces& freed_pieces() {
    static auto& pieces = *new FreedPieces;
    return pieces;
}

/// Whether freed memory of this size is kept for the next allocation of it.
bool is_reused(std::size_t bytes) { return fresh_zeros && bytes >= kZerosAnyway && !observer(); }

/// Of memory that is only the device's, where that is kept apart, the addresses say so.
std::byte* fresh_memory(std::size_t bytes, Origin origin) {
    if (origin == Origin::device)
        if (void* const apart = take_apart_memory(with_gap(bytes))) return static_cast<std::byte*>(apart);
    // Under an observer the host's pages hold nothing else: it may guard them.
    const bool guarded = observer() && origin != Origin::device && origin != Origin::library;
    const std::size_t least = guarded ? kPage : kAlignment;
    const std::size_t alignment = bytes >= kLarge ? kHugePage : least;
    const std::size_t rounded = with_gap(bytes);
    if (is_reused(bytes))
        if (void* const freed = freed_pieces().take(rounded)) {
            std::memset(freed, 0, bytes);
            return static_cast<std::byte*>(freed);
        }
    void* memory = nullptr;
    while (posix_memalign(&memory, alignment, rounded) != 0)
        if (!freed_pieces().clear()) return nullptr;
    if (bytes >= kLarge) madvise(memory, rounded, MADV_HUGEPAGE);
    auto* base = static_cast<std::byte*>(memory);
    if (fresh_zeros) {
        if (bytes < kZerosAnyway) std::memset(base, 0, bytes);
        return base;
    }
    std::memset(base, int(kFreshByte), fresh_bytes(bytes));
    if (bytes > kFreshStart) std::memset(base + bytes - kFreshEnd, int(kFreshByte), kFreshEnd);
    return base;
}

void give_back(std::byte* base) {
    if (!give_back_apart_memory(base)) std::free(base);
}

// Under an observer freed memory is kept for a while, so that nothing else comes to lie there: an access behind the
// free is then seen for what it is, and harms nobody. Called with the lock of the memory map.
constexpr std::size_t kMostKept = std::size_t{256} << 20;
std::deque<std::pair<std::byte*, std::size_t>>& kept_pieces() {
    static auto& kept = *new std::deque<std::pair<std::byte*, std::size_t>>;
    return kept;
}
void free_later(std::byte* base, std::size_t bytes) {
    auto& kept = kept_pieces();
    static std::size_t total = 0;
    kept.emplace_back(base, bytes);
    for (total += bytes; total > kMostKept; kept.pop_front()) {
        total -= kept.front().second;
        give_back(kept.front().first);
    }
}

void free_memory(std::byte* base, std::size_t bytes) {
    if (observer())
        free_later(base, bytes);
    else if (is_reused(bytes))
        freed_pieces().add(base, with_gap(bytes));
    else
        give_back(base);
}

}  // namespace

std::byte* MemoryMap::allocate(std::size_t bytes, Origin origin, unsigned flags) {
    return allocate(bytes, origin, flags, current_device());
}
std::byte* MemoryMap::allocate(std::size_t bytes, Origin origin, unsigned flags, int device) {
    if (bytes > available(device)) return nullptr;
    std::byte* base = fresh_memory(bytes, origin);
    if (base == nullptr) return nullptr;
    {
        const std::lock_guard lock(mutex_);
        forget_overlaps(base, bytes);
        used_[std::size_t(device)] += bytes;
        ranges_.emplace(base, Allocation{base, bytes, origin, flags, device});
    }
    if (observer()) observer()->memory_allocated(base, bytes, origin);
    return base;
}

// Host memory may have been freed while it was still registered: its range ends where its address is given out anew.
void MemoryMap::forget_overlaps(const std::byte* base, std::size_t bytes) {
    auto range = ranges_.lower_bound(base);
    if (range != ranges_.begin() && std::prev(range)->second.contains(base, 1)) --range;
    while (range != ranges_.end() && range->first < base + bytes) range = ranges_.erase(range);
}

bool MemoryMap::add(void* base, std::size_t bytes, Origin origin, unsigned flags) {
    auto* first = static_cast<std::byte*>(base);
    {
        const std::lock_guard lock(mutex_);
        if (find_locked(first)) return false;
        const auto next = ranges_.upper_bound(first);
        if (next != ranges_.end() && next->first < first + bytes) return false;
        ranges_.emplace(first, Allocation{first, bytes, origin, flags, current_device()});
    }
    if (observer()) observer()->memory_allocated(first, bytes, origin);
    return true;
}

std::vector<Allocation> MemoryMap::all() const {
    const std::lock_guard lock(mutex_);
    std::vector<Allocation> ranges;
    for (const auto& [base, allocation] : ranges_) ranges.push_back(allocation);
    return ranges;
}

bool MemoryMap::release(void* base, Origin origin) {
    Allocation range{};
    {
        const std::lock_guard lock(mutex_);
        const auto found = ranges_.find(static_cast<std::byte*>(base));
        if (found == ranges_.end() || found->second.origin != origin) return false;
        range = found->second;
        if (is_owed(origin)) used_[std::size_t(range.device)] -= range.bytes;
        ranges_.erase(found);
    }
    end(range);
    return true;
}

void MemoryMap::end(const Allocation& range) {
    if (observer()) observer()->memory_released(range.base, range.bytes, range.origin);
    if (!is_owed(range.origin)) return;
    const std::lock_guard lock(mutex_);
    free_memory(range.base, range.bytes);
}

std::optional<Allocation> MemoryMap::find_locked(const void* pointer) const {
    const auto* address = static_cast<const std::byte*>(pointer);
    auto after = ranges_.upper_bound(address);
    if (after == ranges_.begin()) return std::nullopt;
    const Allocation& candidate = std::prev(after)->second;
    if (address >= candidate.base + candidate.bytes) return std::nullopt;
    return candidate;
}

std::optional<Allocation> MemoryMap::find(const void* pointer) const {
    const std::lock_guard lock(mutex_);
    return find_locked(pointer);
}

bool MemoryMap::was_freed(const void* pointer) const {
    const auto* const address = static_cast<const std::byte*>(pointer);
    const std::lock_guard lock(mutex_);
    return std::ranges::any_of(kept_pieces(), [&](const auto& piece) {
        return address >= piece.first && address < piece.first + piece.second;
    });
}

void MemoryMap::clear(int device) {
    std::vector<Allocation> gone;
    {
        const std::lock_guard lock(mutex_);
        std::erase_if(ranges_, [&](const auto& each) {
            if (each.second.device != device) return false;
            gone.push_back(each.second);
            return true;
        });
        used_[std::size_t(device)] = 0;
    }
    for (const Allocation& range : gone) end(range);
}

std::size_t MemoryMap::total() const { return presented_gpu().memory_bytes; }

std::size_t MemoryMap::available(int device) const {
    const auto left = [](std::size_t most, std::size_t used) { return used < most ? most - used : 0; };
    const std::lock_guard lock(mutex_);
    const std::size_t everywhere = std::accumulate(used_.begin(), used_.end(), std::size_t{0});
    return std::min(left(total(), used_[std::size_t(device)]), left(machine_bytes(), everywhere));
}

std::size_t fresh_bytes(std::size_t bytes) { return fresh_zeros ? 0 : std::min(bytes, kFreshStart); }
void give_zeros() { fresh_zeros = true; }

MemoryMap& memory_map() {
    // Never destroyed: programs free memory in destructors of objects that outlive any static of ours.
    static MemoryMap* map = new MemoryMap;
    return *map;
}

}  // namespace lanework_simt

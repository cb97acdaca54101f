// An event of a thread of a kernel: what it did and at which place of its code.
#pragma once

#include <compare>
#include <cstdint>

namespace lanework_simt {

enum class EventKind : std::uint8_t {
    load,
    store,
    atomic,         ///< that returns the old value
    reduction,      ///< an atomic whose old value nobody uses
    path,           ///< a basic block was entered
    warp_sync,      ///< __syncwarp, which orders memory; the address is its mask
    warp_exchange,  ///< a shuffle, a vote, a match or a reduction, which does not; the address is its mask
    barrier,        ///< a barrier of the whole block, or of part of it (then the address is its number, else 0)
    fence,          ///< __threadfence and its scopes
    release,        ///< what the thread did before is before the atomic operation that follows
    acquire,        ///< what it does next is after the atomic operation that came before
    fetch,          ///< of a texture
};

/// Whether it orders memory for the one thread.
constexpr bool is_fence(EventKind kind) {
    return kind == EventKind::fence || kind == EventKind::release || kind == EventKind::acquire;
}

/// Whether it is lanes of a warp that meet.
constexpr bool is_meeting(EventKind kind) { return kind == EventKind::warp_sync || kind == EventKind::warp_exchange; }

/// One event of a thread: where in the program, what, and how wide. Events of one place compare equal, and those of a
/// function sort by its code.
class EventCode {
public:
    static constexpr unsigned kVolatile = 8, kAtomic = 16, kBlockScope = kVolatile | kAtomic, kCompares = 32;
    constexpr EventCode() = default;
    /// `log2_bytes` is 0 … 4 for accesses of 1 … 16 bytes, with kVolatile added for a volatile's and kAtomic for an
    /// atomic load or store. An atomic access or a fence whose scope is the block has kBlockScope instead of both; an
    /// atomic operation that is a compare-and-swap has kCompares.
    constexpr EventCode(std::uint64_t pc, EventKind kind, unsigned log2_bytes)
        : code_(pc << 10 | std::uint64_t{static_cast<std::uint8_t>(kind)} << 6 | log2_bytes) {}
    /// The address that the call of the hook returns to.
    constexpr std::uint64_t pc() const { return code_ >> 10; }
    constexpr EventKind kind() const { return static_cast<EventKind>(code_ >> 6 & 0xf); }
    /// Bytes of an access.
    constexpr unsigned bytes() const { return 1u << (code_ & 0x7); }
    constexpr bool is_volatile() const { return (code_ & kBlockScope) == kVolatile; }
    constexpr bool is_atomic() const { return code_ & kAtomic; }
    constexpr bool compares() const { return code_ & kCompares; }
    constexpr bool of_block_scope() const { return (code_ & kBlockScope) == kBlockScope; }
    constexpr auto operator<=>(const EventCode&) const = default;

private:
    std::uint64_t code_ = 0;
};

}  // namespace lanework_simt

// Every range of memory that the device knows: what the program allocated, registered, or asked a symbol's address for.
#pragma once

#include <array>
#include <cstddef>
#include <lanework_simt/memory.hpp>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "src/simt/devices.hpp"

namespace lanework_simt {

/// `library`: memory of the device that a library takes whose algorithms run on the host here and on a GPU there
/// (Thrust's): both write it, and a program sees device memory.
enum class Origin { device, host, managed, registered, symbol, library };

/// The program, or its library, gives it back.
constexpr bool is_owed(Origin origin) { return origin != Origin::registered && origin != Origin::symbol; }

struct Allocation {
    std::byte* base;
    std::size_t bytes;
    Origin origin;
    /// As given to cudaHostAlloc or cudaHostRegister.
    unsigned flags;
    int device;

    bool contains(const void* pointer, std::size_t count) const {
        const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(pointer) - base);
        return offset <= bytes && count <= bytes - offset;
    }
    /// Plain device memory, which the program's host code may not touch.
    bool device_only() const {
        return origin == Origin::device || origin == Origin::symbol || origin == Origin::library;
    }
    /// Code that runs on the host writes it here, the program's or its library's.
    bool host_reaches() const { return !device_only() || origin == Origin::library; }
};

class MemoryMap {
public:
    /// 512-byte aligned memory of undefined contents, of the current device; null when there is not that much.
    std::byte* allocate(std::size_t bytes, Origin origin, unsigned flags);
    std::byte* allocate(std::size_t bytes, Origin origin, unsigned flags, int device);
    /// Adds a range that the program owns, as the current device's; false when it overlaps one that is known.
    bool add(void* base, std::size_t bytes, Origin origin, unsigned flags);
    /// Frees or forgets what starts at `base` and is of that origin; false when there is no such thing.
    bool release(void* base, Origin origin);
    /// The range that the pointer lies in.
    std::optional<Allocation> find(const void* pointer) const;
    /// Whether the pointer lies in memory that was freed and is kept from other use, as it is under an observer.
    bool was_freed(const void* pointer) const;
    /// All ranges, by address.
    std::vector<Allocation> all() const;
    /// Forgets everything of the device and frees what was allocated.
    void clear(int device);

    /// Bytes of a GPU's memory, and what can still be allocated: of it, and of this machine's, whichever is less.
    std::size_t total() const;
    std::size_t available(int device) const;

private:
    std::optional<Allocation> find_locked(const void* pointer) const;
    void forget_overlaps(const std::byte* base, std::size_t bytes);
    /// Tells of a range that is no longer in the book, and frees what is the device's. Without the lock: who is told
    /// may hold a lock of its own, and ask for ranges.
    void end(const Allocation& range);

    mutable std::mutex mutex_;
    /// By base address; ranges do not overlap.
    std::map<const std::byte*, Allocation> ranges_;
    /// Bytes, of each device.
    std::array<std::size_t, kMostDevices> used_{};
};

MemoryMap& memory_map();
/// Memory was taken from a pool: the one that the calling thread names, or that of its device.
void note_pool_memory(void* pointer, std::size_t bytes);
/// Whose memory an allocation on the stream takes: that of the pool which the calling thread names, or the stream's.
int device_of_pool(cudaStream_t stream);

/// What an allocation holds that nobody wrote yet, in so many of its first bytes; none where allocations hold zeros.
inline constexpr std::byte kFreshByte{0xcb};
std::size_t fresh_bytes(std::size_t bytes);
/// From now on allocations hold zeros, as those of a GPU that nobody used do, and no pattern at their ends.
void give_zeros();

}  // namespace lanework_simt

// Whole steps of two megabytes from a stretch that is reserved at once, first fit.
#include "src/simt/apart_memory.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <map>
#include <mutex>

namespace lanework_simt {
namespace {

constexpr std::size_t kStep = std::size_t{2} << 20;

std::size_t whole_steps(std::size_t bytes) { return (bytes + kStep - 1) / kStep * kStep; }

class ApartMemory {
public:
    void reserve(std::size_t bytes) {
        // A step more at each end belongs to nobody: no memory of the host's lies nearer.
        const std::size_t room = whole_steps(bytes);
        void* const memory =
            mmap(nullptr, room + 3 * kStep, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) return;
        const std::uintptr_t first = whole_steps(reinterpret_cast<std::uintptr_t>(memory)) + kStep;
        if (mprotect(reinterpret_cast<void*>(first), room, PROT_READ | PROT_WRITE) != 0) return;
        free_.emplace(first, room);
    }

    void shift(std::size_t bytes) { shift_ = bytes % kStep; }

    void* take(std::size_t bytes) {
        const std::lock_guard lock(mutex_);
        const std::size_t wanted = whole_steps(bytes + shift_);
        for (auto piece = free_.begin(); piece != free_.end(); ++piece) {
            const auto [first, room] = *piece;
            if (room < wanted) continue;
            free_.erase(piece);
            if (room > wanted) free_.emplace(first + wanted, room - wanted);
            taken_.emplace(first + shift_, Taken{first, wanted});
            return reinterpret_cast<void*>(first + shift_);
        }
        return nullptr;
    }

    bool has_given(const void* memory) {
        const std::lock_guard lock(mutex_);
        return taken_.contains(reinterpret_cast<std::uintptr_t>(memory));
    }

    bool give_back(void* memory) {
        const std::lock_guard lock(mutex_);
        const auto found = taken_.find(reinterpret_cast<std::uintptr_t>(memory));
        if (found == taken_.end()) return false;
        auto [first, room] = found->second;
        taken_.erase(found);
        madvise(reinterpret_cast<void*>(first), room, MADV_DONTNEED);  // zeros again
        const auto next = free_.find(first + room);
        if (next != free_.end()) {
            room += next->second;
            free_.erase(next);
        }
        auto before = free_.lower_bound(first);
        if (before != free_.begin() && (--before)->first + before->second == first)
            before->second += room;
        else
            free_.emplace(first, room);
        return true;
    }

private:
    struct Taken {
        std::uintptr_t first;
        std::size_t bytes;
    };
    std::mutex mutex_;
    std::size_t shift_ = 0;
    /// Bytes by the address that they begin at; by the address that was given out.
    std::map<std::uintptr_t, std::size_t> free_;
    std::map<std::uintptr_t, Taken> taken_;
};

ApartMemory& apart_memory() {
    static auto& memory = *new ApartMemory;
    return memory;
}

}  // namespace

void keep_device_memory_apart(std::size_t bytes) { apart_memory().reserve(bytes); }
void shift_apart_memory(std::size_t bytes) { apart_memory().shift(bytes); }
void* take_apart_memory(std::size_t bytes) { return apart_memory().take(bytes); }
bool is_apart_memory(const void* memory) { return apart_memory().has_given(memory); }
bool give_back_apart_memory(void* memory) { return apart_memory().give_back(memory); }

}  // namespace lanework_simt

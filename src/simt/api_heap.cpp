// malloc and free of kernels. While somebody watches, every piece is known to them: its place, its size, and until the
// launch ends that freed it, it is nobody else's, since what was done with it is told after it happened.
#include <fmt/format.h>
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <lanework_simt/error.hpp>
#include <lanework_simt/heap.hpp>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "src/simt/api_memory_map.hpp"
#include "src/simt/heap.hpp"
#include "src/simt/observer.hpp"
#include "src/simt/observing.hpp"

namespace lanework_simt {
namespace {

std::atomic<std::size_t> used{0};

/// The pieces that watched kernels asked for.
struct Watched {
    std::mutex mutex;
    std::unordered_map<void*, std::size_t> live;
    std::vector<void*> freed;
};
Watched& watched() {
    static Watched& all = *new Watched;
    return all;
}

void give_back(void* memory) {
    used -= malloc_usable_size(memory);
    std::free(memory);
}

/// Whether the piece was one of a watched kernel's; a second time it is none.
bool forget(void* memory) {
    const engine::Unwatched pause;
    const std::lock_guard lock(watched().mutex);
    if (watched().live.erase(memory) == 0) return false;
    watched().freed.push_back(memory);
    return true;
}

}  // namespace

void* device_malloc(std::size_t bytes) {
    if (!in_kernel()) return std::malloc(bytes);
    engine::reach_beyond_memory();
    if (bytes > heap_limit()) return nullptr;
    void* const memory = std::malloc(bytes);
    if (!memory) return nullptr;
    const std::size_t taken = malloc_usable_size(memory);
    if (used.fetch_add(taken) + taken > heap_limit()) {
        give_back(memory);
        return nullptr;
    }
    if (!engine::observed) return memory;
    const engine::Unwatched pause;
    const std::lock_guard lock(watched().mutex);
    watched().live[memory] = bytes;
    observer()->memory_allocated(memory, bytes, Origin::device);
    return memory;
}

void device_free(void* memory, const void* caller) {
    if (!memory) return;
    if (!in_kernel()) return std::free(memory);
    engine::reach_beyond_memory();
    if (!engine::observed) return give_back(memory);
    if (!forget(memory))
        fail_kernel(cudaErrorIllegalAddress,
                    fmt::format("it frees {}, which is no memory that a kernel allocated, or was freed before", memory),
                    caller ? caller : __builtin_return_address(0));
}

std::size_t device_heap_bytes() { return used; }

void release_freed_memory() {
    const std::lock_guard lock(watched().mutex);
    for (void* const memory : watched().freed) {
        if (observer()) observer()->memory_released(memory, malloc_usable_size(memory), Origin::device);
        give_back(memory);
    }
    watched().freed.clear();
}

}  // namespace lanework_simt

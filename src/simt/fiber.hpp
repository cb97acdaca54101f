// A fiber: a stack that CUDA threads run on, and what is kept of a thread while it waits. Each worker has a pool.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <lanework_simt/thread.hpp>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#define LANEWORK_SIMT_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LANEWORK_SIMT_ASAN 1
#endif
#endif

namespace lanework_simt::engine {

struct Meeting;

struct Fiber {
    boost::context::detail::fcontext_t context = nullptr;
    Fiber* next = nullptr;  // in a FiberQueue

    // The thread on it, while it is suspended.
    uint3 thread_index{};
    unsigned thread = 0;
    Block* block = nullptr;

    /// What the thread waits for, as it is written in CUDA; null while it could run.
    const char* waits_in = nullptr;
    Place place;
    /// The warp operation that it waits for, if it is one.
    Meeting* meeting = nullptr;

    // The stack: [low, low + bytes), with a page below that cannot be touched. None for a worker's own stack.
    std::byte* low = nullptr;
    std::size_t bytes = 0;
};

/// Fibers in the order in which they came.
class FiberQueue {
public:
    bool empty() const { return !first_; }
    Fiber* first() const { return first_; }
    std::size_t size() const { return size_; }
    void push(Fiber* fiber) {
        fiber->next = nullptr;
        (last_ ? last_->next : first_) = fiber;
        last_ = fiber;
        ++size_;
    }
    /// The first fiber; the queue is not empty.
    Fiber* pop() {
        Fiber* const fiber = first_;
        first_ = fiber->next;
        if (!first_) last_ = nullptr;
        --size_;
        return fiber;
    }
    /// Takes the fiber `position` places behind the first; position < size().
    Fiber* take(std::size_t position);
    /// Takes all of another queue's fibers.
    void append(FiberQueue& other);
    void clear() { *this = {}; }

private:
    Fiber* first_ = nullptr;
    Fiber* last_ = nullptr;
    std::size_t size_ = 0;
};

#ifdef LANEWORK_SIMT_ASAN
/// Jumps from a running fiber to a suspended one, or one of a pool that starts; returns when something jumps back.
void jump(Fiber* from, Fiber* to);
#else
[[gnu::always_inline]] inline void jump(Fiber* from, Fiber* to) {
    const boost::context::detail::transfer_t transfer = boost::context::detail::jump_fcontext(to->context, from);
    static_cast<Fiber*>(transfer.data)->context = transfer.fctx;
}
#endif
/// Tells the fiber that starts who jumped to it.
void arrived(boost::context::detail::transfer_t transfer);

/// Fibers that all start in one function. Stacks are mapped as they are needed and kept.
class FiberPool {
public:
    using Entry = void (*)(boost::context::detail::transfer_t);
    explicit FiberPool(Entry entry) : entry_(entry) {}
    ~FiberPool();
    FiberPool(const FiberPool&) = delete;
    FiberPool& operator=(const FiberPool&) = delete;

    Fiber* take();
    void give_back(Fiber* fiber) { free_.push_back(fiber); }
    /// Abandons what runs on any of the fibers and makes all of them free.
    void reset();

private:
    void grow();
    void rewind(Fiber* fiber);

    Entry entry_;
    std::vector<Fiber*> all_, free_;
    std::vector<void*> slabs_;
};

/// Bytes of a fiber's stack: LANEWORK_SIMT_STACK_KIB, or else 64 KiB; with the page below it that guards it.
std::size_t stack_bytes();
std::size_t page_bytes();

}  // namespace lanework_simt::engine

// A fiber: a stack that CUDA threads run on, and what is kept of a thread while it waits. Each worker has a pool.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <lanework_simt/thread.hpp>
#include <mutex>
#include <span>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#define LANEWORK_SIMT_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LANEWORK_SIMT_ASAN 1
#endif
#endif

// x86-64 switches with a jump that the compiler inlines; other processors, and stacks that the address sanitizer must
// know of, with Boost.Context.
#if defined(__x86_64__) && defined(__LP64__) && !defined(LANEWORK_SIMT_ASAN)
#define LANEWORK_SIMT_INLINE_JUMP 1
#endif

namespace lanework_simt::engine {

struct Meeting;

/// The search for a state in which a thread was before (standstill.hpp).
struct Circle {
    std::uint64_t window = 0;  // in which it is searched
    std::uint64_t anchor = 0;  // a state that it was in, as a digest
    std::uint64_t age = 0, span = 1;
    bool closed = false;
};

using FiberEntry = void (*)();

/// What a switch touches comes first: one cache line.
struct Fiber {
    // Where it goes on.
#ifdef LANEWORK_SIMT_INLINE_JUMP
    void* stack = nullptr;
    void* frame = nullptr;
    const void* resume = nullptr;
#else
    void* context = nullptr;
    FiberEntry entry = nullptr;
#endif
    Fiber* next = nullptr;  // in a FiberQueue

    // The thread on it, while it is suspended.
    uint3 thread_index{};
    unsigned thread = 0;
    unsigned carry = 0;
    Block* block = nullptr;

    /// What the thread waits for, as it is written in CUDA; null while it could run.
    const char* waits_in = nullptr;
    Place place;
    /// The warp operation that it waits for, if it is one.
    Meeting* meeting = nullptr;

    // The stack: [low, low + bytes), with a page below that cannot be touched. None for a worker's own stack.
    std::byte* low = nullptr;
    std::size_t bytes = 0;

    Circle circle;
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
    /// Takes all of another queue's fibers.
    void append(FiberQueue& other);
    void clear() { *this = {}; }

private:
    Fiber* first_ = nullptr;
    Fiber* last_ = nullptr;
    std::size_t size_ = 0;
};

/// Fibers that can run. A schedule that was drawn takes any of the first kReach: these stand in an array, so that to
/// pass over a fiber does not read it, since each lies in a cache line of its own.
class ReadyFibers {
public:
    static constexpr std::size_t kReach = 16;

    bool empty() const { return near_count_ == 0 && queue_.empty(); }
    std::size_t size() const { return near_count_ + queue_.size(); }
    void push(Fiber* fiber) { queue_.push(fiber); }
    void append(FiberQueue& other) { queue_.append(other); }
    void clear() { *this = {}; }
    /// The first of those that follow one another by `next`: all, where nobody calls `take`.
    const Fiber* first() const { return queue_.first(); }
    /// The first fiber, for who never calls `take`; there is one.
    Fiber* pop() { return queue_.pop(); }
    /// Takes the fiber `position` places behind the first; position < size(), position < kReach.
    Fiber* take(std::size_t position) {
        while (near_count_ < kReach && !queue_.empty()) near_[near_count_++] = queue_.pop();
        Fiber* const fiber = near_[position];
        --near_count_;
        for (std::size_t i = position; i < near_count_; ++i) near_[i] = near_[i + 1];
        return fiber;
    }

private:
    FiberQueue queue_;
    std::array<Fiber*, kReach> near_{};
    std::size_t near_count_ = 0;
};

#ifdef LANEWORK_SIMT_INLINE_JUMP
/// Jumps from a running fiber to a suspended one, or one of a pool that starts; returns when something jumps back.
/// It calls nothing: the processor predicts a return by the call that it counted last, and among threads that wait at
/// one place that call is the right one even on another stack. All registers but these three are the compiler's to
/// save.
[[gnu::always_inline]] inline void jump(Fiber* from, Fiber* to) {
    asm volatile(
        "leaq 1f(%%rip), %%rax\n\t"
        "movq %%rsp, %c[stack](%[from])\n\t"
        "movq %%rbp, %c[frame](%[from])\n\t"
        "movq %%rax, %c[resume](%[from])\n\t"
        "movq %c[stack](%[to]), %%rsp\n\t"
        "movq %c[frame](%[to]), %%rbp\n\t"
        "jmpq *%c[resume](%[to])\n"
        "1:"
        : [from] "+D"(from), [to] "+S"(to)
        :
        [stack] "i"(offsetof(Fiber, stack)), [frame] "i"(offsetof(Fiber, frame)), [resume] "i"(offsetof(Fiber, resume))
        : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1", "xmm2",
          "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15",
#ifdef __AVX512F__
          "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", "xmm27",
          "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", "k7",
#endif
          "memory", "cc");
}
#else
void jump(Fiber* from, Fiber* to);
#endif

/// Fibers that all start in one function. Stacks are mapped as they are needed and kept.
class FiberPool {
public:
    explicit FiberPool(FiberEntry entry);
    ~FiberPool();
    FiberPool(const FiberPool&) = delete;
    FiberPool& operator=(const FiberPool&) = delete;

    Fiber* take();
    void give_back(Fiber* fiber) { free_.push_back(fiber); }
    /// The stacks, side by side, that the address lies among; empty when it is in none.
    std::span<const std::byte> stacks_at(const void* address) const;
    /// Abandons what runs on any of the fibers and makes all of them free.
    void reset();
    /// Takes new stacks where another size of theirs was asked for; nothing runs on any of them.
    void fit();

private:
    void grow();
    void clear();
    void rewind(Fiber* fiber);

    FiberEntry entry_;
    std::size_t stack_;
    std::vector<Fiber*> all_, free_;
    /// Others look at the slabs while they grow.
    mutable std::mutex slabs_mutex_;
    std::vector<void*> slabs_;
};

/// Bytes of a fiber's stack: LANEWORK_SIMT_STACK_KIB, or else 256 KiB, or more where a program asked for it. A page
/// that guards it lies below.
std::size_t stack_bytes();
/// A program's limit on the stack of a GPU's thread, from the next launch on.
void ask_for_stack(std::size_t bytes);
std::size_t page_bytes();

}  // namespace lanework_simt::engine

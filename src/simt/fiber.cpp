// Fibers on stacks of our own. Neighbouring stacks start at different offsets of a page and lie an odd number of pages
// apart, so that the tops of a thousand stacks do not fall into the same few cache sets.
#include "src/simt/fiber.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

#ifndef LANEWORK_SIMT_INLINE_JUMP
#include <boost/context/detail/fcontext.hpp>
#endif
#ifdef LANEWORK_SIMT_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace lanework_simt::engine {

#ifndef LANEWORK_SIMT_INLINE_JUMP
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;
#endif

namespace {

constexpr std::size_t kSlabFibers = 32;
constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kColourLines = 5;  // between neighbours: odd, so that all lines of a page are used in turn

// Each guarded stack takes two mappings, of which Linux gives a process 65530: some are left for everything else.
constexpr int kMostGuards = 24576;
std::atomic<int> guards{0};

/// What a program asked for by cudaDeviceSetLimit, in bytes of ours.
std::atomic<std::size_t> asked_stack{0};

/// The environment's number, or `otherwise` when it is absent or no positive number.
std::size_t environment_number(const char* name, std::size_t otherwise) {
    const char* text = std::getenv(name);
    if (!text) return otherwise;
    char* end = nullptr;
    const long long value = std::strtoll(text, &end, 10);
    return *end == '\0' && value > 0 ? static_cast<std::size_t>(value) : otherwise;
}

}  // namespace

std::size_t page_bytes() {
    static const std::size_t bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}

std::size_t stack_bytes() {
    constexpr std::size_t kDefaultKib = 256, kLeastKib = 16, kMostKib = 1 << 20;
    static const std::size_t kib =
        std::clamp(environment_number("LANEWORK_SIMT_STACK_KIB", kDefaultKib), kLeastKib, kMostKib);
    const std::size_t bytes = std::min(std::max(kib * 1024, asked_stack.load()), kMostKib * 1024);
    return (bytes + page_bytes() - 1) / page_bytes() * page_bytes();
}

void ask_for_stack(std::size_t bytes) {
    // A frame of this machine's code is larger than one of a GPU's, which keeps most of it in registers.
    constexpr std::size_t kTimes = 4;
    asked_stack = bytes * kTimes;
}

void FiberQueue::append(FiberQueue& other) {
    if (other.empty()) return;
    (last_ ? last_->next : first_) = other.first_;
    last_ = other.last_;
    size_ += other.size_;
    other.clear();
}

#ifndef LANEWORK_SIMT_INLINE_JUMP

namespace {

#ifdef LANEWORK_SIMT_ASAN
thread_local Fiber* own_stack = nullptr;  // the fiber without a stack of its own, whose bounds are learnt on arrival

void* announce(Fiber* from, Fiber* to) {
    void* fake_stack = nullptr;
    if (!from->low) own_stack = from;
    __sanitizer_start_switch_fiber(&fake_stack, to->low, to->bytes);
    return fake_stack;
}
void announce_end(void* fake_stack) { __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr); }
void forget_frames(const Fiber* fiber) { __asan_unpoison_memory_region(fiber->low, fiber->bytes); }
void announce_start(Fiber* from) {
    const void* low = nullptr;
    std::size_t bytes = 0;
    __sanitizer_finish_switch_fiber(nullptr, &low, &bytes);
    if (from != own_stack) return;
    from->low = static_cast<std::byte*>(const_cast<void*>(low));
    from->bytes = bytes;
}
#else
void* announce(Fiber*, Fiber*) { return nullptr; }
void announce_end(void*) {}
void announce_start(Fiber*) {}
void forget_frames(const Fiber*) {}
#endif

/// Both fibers of a jump, for the one that is reached.
struct Passage {
    Fiber *from, *to;
};

void start(transfer_t transfer) {
    const Passage passage = *static_cast<const Passage*>(transfer.data);
    passage.from->context = transfer.fctx;
    announce_start(passage.from);
    passage.to->entry();
}

}  // namespace

void jump(Fiber* from, Fiber* to) {
    void* const fake_stack = announce(from, to);
    Passage passage{from, to};
    const transfer_t transfer = jump_fcontext(to->context, &passage);
    announce_end(fake_stack);
    static_cast<const Passage*>(transfer.data)->from->context = transfer.fctx;
}

#endif

FiberPool::FiberPool(FiberEntry entry) : entry_(entry), stack_(engine::stack_bytes()) {}

FiberPool::~FiberPool() { clear(); }

void FiberPool::clear() {
    for (Fiber* fiber : all_) fiber->~Fiber();
    for (void* slab : slabs_) munmap(slab, (stack_ + page_bytes()) * kSlabFibers);
    guards -= static_cast<int>(slabs_.size() * kSlabFibers);
    all_.clear();
    free_.clear();
    slabs_.clear();
}

void FiberPool::fit() {
    if (stack_ == engine::stack_bytes()) return;
    clear();
    stack_ = engine::stack_bytes();
}

std::span<const std::byte> FiberPool::stacks_at(const void* address) const {
    const std::size_t bytes = (stack_ + page_bytes()) * kSlabFibers;
    const std::lock_guard lock(slabs_mutex_);
    for (const void* slab : slabs_) {
        const std::span<const std::byte> stacks(static_cast<const std::byte*>(slab), bytes);
        const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(address) - stacks.data());
        if (offset < bytes) return stacks;
    }
    return {};
}

Fiber* FiberPool::take() {
    if (free_.empty()) grow();
    Fiber* const fiber = free_.back();
    free_.pop_back();
    return fiber;
}

void FiberPool::grow() {
    const std::size_t bytes = stack_, stride = bytes + page_bytes();
    void* const slab = mmap(nullptr, stride * kSlabFibers, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (slab == MAP_FAILED) throw std::bad_alloc();
    const std::lock_guard lock(slabs_mutex_);
    slabs_.push_back(slab);
    // Grids whose blocks wait for each other may need a quarter of a million stacks. Those behind the last guard are
    // one mapping, of small pages: of most stacks one is touched.
    const bool guarded = guards.fetch_add(static_cast<int>(kSlabFibers)) + static_cast<int>(kSlabFibers) <= kMostGuards;
    if (!guarded) madvise(slab, stride * kSlabFibers, MADV_NOHUGEPAGE);
    for (std::size_t i = 0; i < kSlabFibers; ++i) {
        auto* const guard = static_cast<std::byte*>(slab) + i * stride;
        // Where the system has no more mappings to give, the stack goes without its guard, too.
        if (guarded && mprotect(guard, page_bytes(), PROT_NONE) != 0) madvise(guard, stride, MADV_NOHUGEPAGE);
        const std::size_t colour = all_.size() * kColourLines * kCacheLine % page_bytes();
        std::byte* const top = guard + stride - colour - (sizeof(Fiber) + kCacheLine - 1) / kCacheLine * kCacheLine;
        auto* const fiber = new (top) Fiber;
        fiber->low = guard + page_bytes();
        fiber->bytes = static_cast<std::size_t>(top - fiber->low);
        rewind(fiber);
        all_.push_back(fiber);
    }
    free_.insert(free_.end(), all_.rbegin(), all_.rbegin() + kSlabFibers);
}

void FiberPool::rewind(Fiber* fiber) {
#ifdef LANEWORK_SIMT_INLINE_JUMP
    // As after a call: a return address, here of nothing, lies below a multiple of 16.
    auto** const top = reinterpret_cast<void**>(fiber->low + fiber->bytes) - 1;
    *top = nullptr;
    fiber->stack = top;
    fiber->frame = nullptr;
    fiber->resume = reinterpret_cast<const void*>(entry_);
#else
    forget_frames(fiber);
    fiber->context = make_fcontext(fiber->low + fiber->bytes, fiber->bytes, &start);
    fiber->entry = entry_;
#endif
    fiber->waits_in = nullptr;
    fiber->meeting = nullptr;
    fiber->block = nullptr;
}

void FiberPool::reset() {
    for (Fiber* fiber : all_) rewind(fiber);
    free_.assign(all_.rbegin(), all_.rend());
}

}  // namespace lanework_simt::engine

// A block that runs as loops over its threads, one for each region between two barriers: what cudafe writes into a
// kernel that it has cut, and the memory of what threads bring along from one region to the next.
#pragma once

#include <cstring>
#include <lanework_simt/thread.hpp>
#include <new>
#include <type_traits>

namespace lanework_simt {

/// Memory of the block that runs, until it is given back: what was taken last first. Contents are undefined, addresses
/// multiples of 64. Throws std::bad_alloc.
[[gnu::malloc]] void* keep_memory(std::size_t bytes);
void give_back_memory(void* memory);

#ifndef LANEWORK_SIMT_WATCHED

/// The block that the kernel is to run so, while it is called for one; else null, as in code that nobody cut.
[[maybe_unused]] static __thread const LoopThread* loop_block;

/// A variable that each thread of a block has.
template <class T>
class Kept {
public:
    explicit Kept(const LoopThread& block)
        : values_(static_cast<T*>(keep_memory(sizeof(T) * block.block_dim.x * block.block_dim.y * block.block_dim.z))) {
    }
    /// With one value for all of them to begin with.
    Kept(const LoopThread& block, const T& value) : Kept(block) {
        const unsigned threads = block.block_dim.x * block.block_dim.y * block.block_dim.z;
        for (unsigned thread = 0; thread < threads; ++thread) keep(thread, value);
    }
    ~Kept() { give_back_memory(values_); }
    Kept(const Kept&) = delete;
    Kept& operator=(const Kept&) = delete;

    /// Of the thread with that linear index in the block.
    [[gnu::always_inline]] T& operator[](unsigned thread) const { return values_[thread]; }
    [[gnu::always_inline]] void keep(unsigned thread, const T& value) const {
        if constexpr (std::is_array_v<T>)
            std::memcpy(static_cast<void*>(values_ + thread), &value, sizeof value);
        else
            ::new (static_cast<void*>(values_ + thread)) T(value);
    }

private:
    T* const values_;
};

#endif

}  // namespace lanework_simt

/// The kernel in regions, where the block is to run so; warnings about the kernel's text come with the text itself.
#define LANEWORK_REGIONS_BEGIN                                                                                        \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wshadow\"")                                     \
        _Pragma("GCC diagnostic ignored \"-Wuninitialized\"") _Pragma("GCC diagnostic ignored \"-Wunused-variable\"") \
            _Pragma("GCC diagnostic ignored \"-Wunused-but-set-variable\"") if (::lanework_simt::loop_block) {        \
        const ::lanework_simt::LoopThread lanework_block = *::lanework_simt::loop_block;                              \
        if (lanework_block.block_dim.x < 1 || lanework_block.block_dim.x > 1024) __builtin_unreachable();             \
        ::lanework_simt::loop_thread = &lanework_block;
#define LANEWORK_REGIONS_END                \
    ::lanework_simt::loop_thread = nullptr; \
    return;                                 \
    }                                       \
    _Pragma("GCC diagnostic pop")

/// A region: its threads, and what each of them does between LANEWORK_THREAD_BEGIN and LANEWORK_THREAD_END.
#define LANEWORK_THREADS_BEGIN                                                                                  \
    for (unsigned lanework_z = 0; lanework_z < lanework_block.block_dim.z; ++lanework_z)                        \
        for (unsigned lanework_y = 0; lanework_y < lanework_block.block_dim.y; ++lanework_y)                    \
            for (int lanework_x = 0; lanework_x < static_cast<int>(lanework_block.block_dim.x); ++lanework_x) { \
                [[maybe_unused]] const unsigned lanework_thread =                                               \
                    (lanework_z * lanework_block.block_dim.y + lanework_y) * lanework_block.block_dim.x + lanework_x;
#define LANEWORK_THREAD_BEGIN                                                                                    \
    const ::lanework_simt::LoopThread lanework_self{{static_cast<unsigned>(lanework_x), lanework_y, lanework_z}, \
                                                    lanework_block.block_index,                                  \
                                                    lanework_block.block_dim,                                    \
                                                    lanework_block.grid_dim};                                    \
    ::lanework_simt::loop_thread = &lanework_self;
#define LANEWORK_THREAD_END                         \
    ::lanework_simt::loop_thread = &lanework_block; \
    }

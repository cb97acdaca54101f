// The thread that runs: what threadIdx, blockIdx, blockDim and gridDim read, and the calls that let others run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <lanework_simt/place.hpp>
#include <lanework_simt/quiet.hpp>
#include <lanework_simt/vector_types.hpp>

namespace lanework_simt {

struct Tape;
namespace engine {
struct Block;
struct Fiber;
class Worker;
}  // namespace engine

/// Bytes of shared memory that a block may have: without opting in, and at most on any GPU.
inline constexpr std::size_t kDefaultSharedBytes = 48 * 1024, kMaxSharedBytes = 227 * 1024;

/// The CUDA thread that an OS thread runs at this moment; rewritten by each switch between threads.
struct ThreadContext {
    uint3 thread_index;
    /// The threads of a row, x first, run one after another without asking: those below row_end may begin. Those from
    /// row_first on have ended without the engine's knowing; Worker::catch_up() tells it.
    unsigned row_first, row_end;
    /// The index of the thread row_first in the block, x fastest.
    unsigned thread;
    uint3 block_index;
    /// Blocks up to this one in x, in the same row of the grid, follow without asking, where threads run as loops.
    unsigned blocks_end;
    uint3 block_dim;
    uint3 grid_dim;
    /// Calls of spin_hint() by the thread.
    unsigned spins;
    /// The block's shared memory.
    std::byte* shared;
    /// Numbers the launches of the process from 1; 0 in host code.
    std::uint64_t launch;
    /// What the thread does is written to, while somebody watches; else null.
    Tape* tape;
    engine::Fiber* fiber;
    engine::Block* block;
    engine::Worker* worker;
    /// The carry of inline PTX.
    unsigned carry;
    /// One OS thread runs the whole grid.
    bool alone;
};

extern __thread ThreadContext context __attribute__((tls_model("initial-exec")));

#ifndef LANEWORK_SIMT_WATCHED
/// How a thread runs a kernel whose threads take part in rounds: the whole of it at once; only asked whether it takes
/// part; or for the one round that it was found to take part in.
enum class Round { none, asked, joined };
/// The thread of a plain loop over threads.
struct LoopThread {
    uint3 thread_index, block_index, block_dim, grid_dim;
    /// No other OS thread runs the grid.
    bool alone = false;
    Round round = Round::none;
    /// The answer of one that was asked.
    mutable bool partakes = false;
};
/// It, while such a loop runs, else null. Each file has its own, which nobody else's code can name: the compiler knows
/// that no store of a kernel changes it, and keeps what it points to in registers.
[[maybe_unused]] static __thread const LoopThread* loop_thread;
/// Whether the kernel is to do one round of a loop over the grid's stride; cudafe asks it in front of such a loop.
[[gnu::always_inline]] inline bool in_round() { return loop_thread && loop_thread->round != Round::none; }
/// What cudafe puts around the condition on which a thread does something at all: with it, those of a row in front of
/// it do, too. Of a thread that joined it is known.
[[gnu::always_inline]] inline bool takes_part(bool condition) {
    if (!in_round()) return condition;
    if (loop_thread->round == Round::joined) return true;
    loop_thread->partakes = condition;
    return false;
}
#define LANEWORK_SIMT_INDEX(name) (loop_thread ? loop_thread->name : context.name)
#else
constexpr bool in_round() { return false; }
constexpr bool takes_part(bool condition) { return condition; }
#define LANEWORK_SIMT_INDEX(name) quiet_index(context.name)
#endif

[[gnu::always_inline]] inline uint3 quiet_index(const uint3& index) {
    return uint3{quiet_load(index.x), quiet_load(index.y), quiet_load(index.z)};
}
[[gnu::always_inline]] inline uint3 thread_index() { return LANEWORK_SIMT_INDEX(thread_index); }
[[gnu::always_inline]] inline uint3 block_index() { return LANEWORK_SIMT_INDEX(block_index); }
[[gnu::always_inline]] inline dim3 block_dim() { return dim3(LANEWORK_SIMT_INDEX(block_dim)); }
[[gnu::always_inline]] inline dim3 grid_dim() { return dim3(LANEWORK_SIMT_INDEX(grid_dim)); }
#undef LANEWORK_SIMT_INDEX

/// Whether a thread of a kernel runs this: what a function for host and device decides by that asks for __CUDA_ARCH__.
[[gnu::always_inline]] inline bool in_device_code() {
#ifndef LANEWORK_SIMT_WATCHED
    if (loop_thread) return true;
#endif
    return quiet_load(context.worker) != nullptr;
}
[[gnu::always_inline]] constexpr bool on_device() { return !__builtin_is_constant_evaluated() && in_device_code(); }

/// Lanes of a warp: threads of a block whose linear indices share all but the last five bits.
inline constexpr unsigned kWarpLanes = 32;
inline namespace api {
/// CUDA's name for it. No macro: cudaDeviceProp has a member of this name.
inline constexpr int warpSize = int{kWarpLanes};
/// CUDA's __nanosleep: the time is a hint, other threads run meanwhile.
void __nanosleep(unsigned nanoseconds);
}  // namespace api

/// The calls of it after which others run.
inline constexpr unsigned kSpinsPerYield = 32;
/// Says that the caller may be waiting for another thread's write: one call in many lets other threads run, so that a
/// spin lock or a flag inside a grid comes free. Does nothing in host code. `address` is what the caller reads;
/// `caller` the place in the kernel, where that is not where it was called.
void spin_hint(const volatile void* address = nullptr, const void* caller = nullptr);
/// Lets the other threads of the block run before the caller goes on.
void yield(const void* caller = nullptr);

/// A component of a built-in variable, for code that cudafe does not translate: reads as the number that it is.
template <uint3 (*Index)(), unsigned int uint3::*Member>
struct BuiltinComponent {
    [[gnu::always_inline]] operator unsigned int() const { return Index().*Member; }
};
template <class Whole, uint3 (*Index)()>
struct BuiltinVariable {
    [[no_unique_address]] BuiltinComponent<Index, &uint3::x> x;
    [[no_unique_address]] BuiltinComponent<Index, &uint3::y> y;
    [[no_unique_address]] BuiltinComponent<Index, &uint3::z> z;
    [[gnu::always_inline]] operator Whole() const { return Whole(Index()); }
};
[[gnu::always_inline]] inline uint3 block_dim_index() { return block_dim(); }
[[gnu::always_inline]] inline uint3 grid_dim_index() { return grid_dim(); }

/// The current thread is about to run the kernel: nothing that was seen of it so far is the kernel's.
void enter_kernel();
/// Ends the current thread and begins the next one on the same stack; false when there is none to begin.
bool next_thread();
/// Behind the last thread of a row, which context.thread_index has passed.
bool next_row();
/// Ends the block that ran as a plain loop, and begins another; false when there is none.
bool next_block();

#ifndef LANEWORK_SIMT_WATCHED
/// next_thread() without a call as long as the row has threads. What decides is counted in one instruction, so that a
/// signal that interrupts here finds each thread either ended or begun.
[[gnu::always_inline]] inline bool next_thread_of_row() {
    context.spins = 0;
#if defined(__x86_64__)
    asm volatile("incl %0" : "+m"(context.thread_index.x) : : "cc");
#else
    __atomic_fetch_add(&context.thread_index.x, 1, __ATOMIC_RELAXED);
#endif
    return context.thread_index.x < context.row_end || next_row();
}
#endif

}  // namespace lanework_simt

#ifdef __CUDACC__
// Variables as far as they can be; a local variable or a member of these names is a program's own.
inline constexpr lanework_simt::BuiltinVariable<uint3, lanework_simt::thread_index> threadIdx{};
inline constexpr lanework_simt::BuiltinVariable<uint3, lanework_simt::block_index> blockIdx{};
inline constexpr lanework_simt::BuiltinVariable<dim3, lanework_simt::block_dim_index> blockDim{};
inline constexpr lanework_simt::BuiltinVariable<dim3, lanework_simt::grid_dim_index> gridDim{};

// What cudafe writes in their place where they are CUDA's: the values themselves, as long as their names, so that every
// column of a line stays.
#define __thrdIdx (::lanework_simt::thread_index())
#define __blkIdx (::lanework_simt::block_index())
#define __blkDim (::lanework_simt::block_dim())
#define __grdDm (::lanework_simt::grid_dim())
#endif

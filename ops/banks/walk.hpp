// The kernel that all rungs share: a block copies the table to shared memory, then every thread walks through it. What
// a rung decides is the layout: at which word of shared memory row r, word w of the table lies.
//
// At every moment each lane of a warp is in another row, all at the same word of it; after 32 rows each lane has seen
// them all. So the rows' words decide about the banks: word w of the rows r, r + 1, … lies `stride` words apart.
#pragma once

#include "ops/banks/layouts.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kBlock = 256;

template <class Layout>
__device__ void copy_to_shared(const std::int32_t* table, std::int32_t* shared) {
    for (unsigned i = threadIdx.x; i < kTableWords; i += kBlock)
        shared[Layout::row(i / kWords) + Layout::word(i % kWords)] = table[i];
    __syncthreads();
}

/// One row taken into x. `row` is volatile, so that a word is read each time, alone: a compiler would join
/// neighbouring words to 8- or 16-byte reads and so change the pattern that this is about.
template <class Layout>
__device__ std::uint32_t take_in_row(const volatile std::int32_t* row, std::uint32_t x) {
#pragma unroll
    for (unsigned w = 0; w < kWords; w += 2)
        x = take_in(x, static_cast<std::uint32_t>(row[Layout::word(w)]),
                    static_cast<std::uint32_t>(row[Layout::word(w + 1)]));
    return x;
}

/// Which row a lane reads in each of its 32 turns: a different one than every other lane…
struct RowPerLane {
    static __device__ unsigned row(unsigned turn) { return (turn + threadIdx.x) % kRows; }
};
/// …or the same as every other lane.
struct OneRow {
    static __device__ unsigned row(unsigned turn) { return turn; }
};

/// All sweeps of this thread's element. take_in_turn(turn, x) takes in the row whose turn it is.
template <class TakeIn>
__device__ void sweep(std::int32_t* out, std::int64_t n, std::int64_t sweeps, TakeIn take_in_turn) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i >= n) return;
    auto x = static_cast<std::uint32_t>(i);
    for (std::int64_t done = 0; done < sweeps; ++done) {
        std::uint32_t sum = 0;
#pragma unroll 1
        for (unsigned turn = 0; turn < kRows; ++turn) sum += take_in_turn(turn, x);
        x = sum;
    }
    out[i] = static_cast<std::int32_t>(x);
}

/// The whole kernel, once `shared` has Layout::words words.
template <class Layout, class Turns>
__device__ void walk(const std::int32_t* table, std::int32_t* shared, std::int32_t* out, std::int64_t n,
                     std::int64_t sweeps) {
    copy_to_shared<Layout>(table, shared);
    sweep(out, n, sweeps, [=](unsigned turn, std::uint32_t x) {
        return take_in_row<Layout>(shared + Layout::row(Turns::row(turn)), x);
    });
}

inline unsigned blocks_for(const BanksArgs& a) { return static_cast<unsigned>(ceil_div(a.n, kBlock)); }

}  // namespace lanework::inline LANEWORK_ON_DEVICE

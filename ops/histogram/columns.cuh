// Counters in shared memory of which each lane of a warp has a column of its own: counter b of lane l lies in bank l,
// whatever b is.
#pragma once

#include "ops/histogram/counting.cuh"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kCopies = 2;  // of the 32 columns, which warps of a block take in turn: fewer wait for one counter
inline constexpr int kCopy = kBins * kWarp;  // counters
inline constexpr unsigned kCounterBytes = sizeof(unsigned);
inline constexpr int kColumnBytes = kCopies * kCopy * static_cast<int>(kCounterBytes);

// A byte's row of counters is 128 bytes long, so its offset is the byte shifted by 7: one shift and one mask take it
// out of a word, and the mask leaves the low bits for the lane's column.
inline constexpr int kRowShift = 7;
inline constexpr unsigned kRowMask = 0xFFU << kRowShift;
static_assert(kWarp * kCounterBytes == 1U << kRowShift);

/// Every thread of the block takes part.
__device__ inline void clear_columns(unsigned* columns) {
    for (unsigned i = threadIdx.x; i < kCopies * kCopy; i += blockDim.x) columns[i] = 0;
    __syncthreads();
}

/// Where this thread counts.
class LaneColumn {
public:
    __device__ explicit LaneColumn(unsigned* columns)
        : counters_(reinterpret_cast<char*>(columns)),
          mine_((threadIdx.x / kWarp % kCopies * kCopy + threadIdx.x % kWarp) * kCounterBytes) {}

    __device__ void byte(unsigned value) const { row(value << kRowShift); }
    __device__ void pack(const uint4& bytes) const {
        word(bytes.x);
        word(bytes.y);
        word(bytes.z);
        word(bytes.w);
    }

private:
    __device__ void word(unsigned bytes) const {
        row(bytes << kRowShift & kRowMask);
        row(bytes >> (8 - kRowShift) & kRowMask);
        row(bytes >> (16 - kRowShift) & kRowMask);
        row(bytes >> (24 - kRowShift) & kRowMask);
    }
    __device__ void row(unsigned offset) const {
        atomicAdd(reinterpret_cast<unsigned*>(counters_ + (mine_ | offset)), 1U);
    }

    char* counters_;
    unsigned mine_;
};

/// The sum of a row: one bin's counters of all lanes and copies. Each lane begins at its own column, so that the 32
/// rows that a warp sums are read from 32 banks.
__device__ inline unsigned row_sum(const unsigned* columns, unsigned bin) {
    unsigned sum = 0;
#pragma unroll 8
    for (unsigned i = 0; i < kCopies * kWarp; ++i)
        sum += columns[i / kWarp * kCopy + bin * kWarp + (threadIdx.x + i) % kWarp];
    return sum;
}

/// Adds what the block has counted. Every thread takes part.
__device__ inline void add_columns(const unsigned* columns, unsigned long long* counts) {
    __syncthreads();
    for (unsigned bin = threadIdx.x; bin < kBins; bin += blockDim.x)
        if (const unsigned sum = row_sum(columns, bin); sum > 0)
            atomicAdd(counts + bin, static_cast<unsigned long long>(sum));
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

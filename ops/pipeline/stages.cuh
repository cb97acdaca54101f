// The pipeline cut into chunks, and the three stages of a chunk: upload, kernel, download. Each is handed to a stream;
// which streams, and in which order, is what the rungs differ in.
#pragma once

#include <algorithm>

#include "ops/pipeline/mean.hpp"
#include "src/cuda/check.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Elements [begin, end) of the result.
struct Chunk {
    std::int64_t begin, end;
};

inline constexpr std::int64_t kWholeChunks = 16;       // large ones, for there is a gap between any two copies
inline constexpr int kHalvings = 3;                    // of the last: its kernel and download overlap with nothing
inline constexpr std::int64_t kFewestElements = 1024;  // of a chunk
/// Neighbours that a chunk is uploaded with, on each side: one is needed, a cache line's worth keeps copies aligned.
inline constexpr std::int64_t kHalo = 32;

inline std::int64_t whole_lines(std::int64_t elements) { return ceil_div(elements, kHalo) * kHalo; }
/// Elements of every chunk but the last ones, which share as many.
inline std::int64_t chunk_length(std::int64_t n) {
    return std::max(kFewestElements, whole_lines(ceil_div(n, kWholeChunks)));
}

/// The chunks of n elements, in their order.
class Chunks {
public:
    explicit Chunks(std::int64_t n) {
        const std::int64_t length = chunk_length(n);
        std::int64_t begin = 0;
        for (; begin + length < n; begin += length) chunk_[count_++] = {begin, begin + length};
        for (int halving = 0; halving < kHalvings && n - begin >= 2 * kFewestElements; ++halving) {
            const std::int64_t middle = begin + whole_lines((n - begin) / 2);
            chunk_[count_++] = {begin, middle};
            begin = middle;
        }
        if (begin < n) chunk_[count_++] = {begin, n};
    }
    std::int64_t count() const { return count_; }
    Chunk operator[](std::int64_t index) const { return chunk_[index]; }

private:
    Chunk chunk_[kWholeChunks + kHalvings];
    std::int64_t count_ = 0;
};

/// Room on the device for one chunk at a time: parts of a and b with their neighbours, and of c.
struct Slot {
    float *a, *b, *c;
};
inline std::int64_t slot_elements(std::int64_t n) { return 3 * (chunk_length(n) + 2 * kHalo); }
inline Slot slot_at(const PipelineArgs& args, std::int64_t index) {
    float* const first = args.workspace + index * slot_elements(args.n);
    const std::int64_t part = slot_elements(args.n) / 3;
    return {first, first + part, first + 2 * part};
}
inline std::size_t slot_bytes(const PipelineArgs& args, std::int64_t slots) {
    return static_cast<std::size_t>(slots * slot_elements(args.n)) * sizeof(float);
}

inline void upload(const PipelineArgs& args, Chunk chunk, Slot slot, cudaStream_t stream) {
    const std::int64_t first = std::max<std::int64_t>(0, chunk.begin - kHalo);
    const std::int64_t last = std::min(args.n, chunk.end + kHalo), offset = first - (chunk.begin - kHalo);
    const auto bytes = static_cast<std::size_t>(last - first) * sizeof(float);
    LANEWORK_CHECK(cudaMemcpyAsync(slot.a + offset, args.a + first, bytes, cudaMemcpyHostToDevice, stream));
    LANEWORK_CHECK(cudaMemcpyAsync(slot.b + offset, args.b + first, bytes, cudaMemcpyHostToDevice, stream));
}

inline constexpr int kMeanThreads = 256;

/// Parts of `a` and `b` begin kHalo elements before element `begin`, that of `c` with it.
static __global__ void __launch_bounds__(kMeanThreads)
    mean_of_chunk(const float* a, const float* b, float* c, std::int64_t begin, std::int64_t end, std::int64_t n) {
    const std::int64_t i = begin + std::int64_t{blockIdx.x} * kMeanThreads + threadIdx.x;
    if (i < end) c[i - begin] = mean_of_means(a, b, i, n, begin - kHalo);
}

inline void compute(const PipelineArgs& args, Chunk chunk, Slot slot, cudaStream_t stream) {
    const auto blocks = static_cast<unsigned>(ceil_div(chunk.end - chunk.begin, kMeanThreads));
    mean_of_chunk<<<blocks, kMeanThreads, 0, stream>>>(slot.a, slot.b, slot.c, chunk.begin, chunk.end, args.n);
}

inline void download(const PipelineArgs& args, Chunk chunk, Slot slot, cudaStream_t stream) {
    const auto bytes = static_cast<std::size_t>(chunk.end - chunk.begin) * sizeof(float);
    LANEWORK_CHECK(cudaMemcpyAsync(args.c + chunk.begin, slot.c, bytes, cudaMemcpyDeviceToHost, stream));
}

/// All three stages of a chunk, one after the other in its stream.
inline void run_chunk(const PipelineArgs& args, Chunk chunk, Slot slot, cudaStream_t stream) {
    upload(args, chunk, slot, stream);
    compute(args, chunk, slot, stream);
    download(args, chunk, slot, stream);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

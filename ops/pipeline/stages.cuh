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

inline constexpr std::int64_t kMostChunks = 64;        // the last chunk's kernel and download overlap with nothing
inline constexpr std::int64_t kFewestElements = 1024;  // of a chunk
/// Neighbours that a chunk is uploaded with, on each side: one is needed, a cache line's worth keeps copies aligned.
inline constexpr std::int64_t kHalo = 32;

inline std::int64_t chunk_length(std::int64_t n) {
    const std::int64_t even = ceil_div(n, kMostChunks);
    return std::max(kFewestElements, ceil_div(even, kHalo) * kHalo);
}
inline std::int64_t chunk_count(std::int64_t n) { return ceil_div(n, chunk_length(n)); }
inline Chunk chunk_at(std::int64_t index, std::int64_t n) {
    const std::int64_t length = chunk_length(n);
    return {index * length, std::min(n, (index + 1) * length)};
}

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

/// `a` and `b` point to where element 0 of all n would be, `c` to element `begin`.
static __global__ void __launch_bounds__(kMeanThreads)
    mean_of_chunk(const float* a, const float* b, float* c, std::int64_t begin, std::int64_t end, std::int64_t n) {
    const std::int64_t i = begin + std::int64_t{blockIdx.x} * kMeanThreads + threadIdx.x;
    if (i < end) c[i - begin] = mean_of_means(a, b, i, n);
}

inline void compute(const PipelineArgs& args, Chunk chunk, Slot slot, cudaStream_t stream) {
    const std::int64_t to_zero = chunk.begin - kHalo;  // a slot begins with this element
    const auto blocks = static_cast<unsigned>(ceil_div(chunk.end - chunk.begin, kMeanThreads));
    mean_of_chunk<<<blocks, kMeanThreads, 0, stream>>>(slot.a - to_zero, slot.b - to_zero, slot.c, chunk.begin,
                                                       chunk.end, args.n);
}

inline void download(const PipelineArgs& args, Chunk chunk, Slot slot, cudaStream_t stream) {
    const auto bytes = static_cast<std::size_t>(chunk.end - chunk.begin) * sizeof(float);
    LANEWORK_CHECK(cudaMemcpyAsync(args.c + chunk.begin, slot.c, bytes, cudaMemcpyDeviceToHost, stream));
}

/// All three stages of a chunk, one after the other in its stream.
inline void run_chunk(const PipelineArgs& args, std::int64_t index, Slot slot, cudaStream_t stream) {
    const Chunk chunk = chunk_at(index, args.n);
    upload(args, chunk, slot, stream);
    compute(args, chunk, slot, stream);
    download(args, chunk, slot, stream);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

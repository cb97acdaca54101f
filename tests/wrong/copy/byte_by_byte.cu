// finding: narrow_vectors at line 12
// Each thread copies a byte: neighbours in order, and yet sixteen times the instructions of 16 bytes at once.
#include "ops/copy/operation.hpp"

namespace {
constexpr int kBlock = 256;

__global__ void byte_by_byte(const std::int32_t* in, std::int32_t* out, std::int64_t bytes) {
    const auto* const from = reinterpret_cast<const unsigned char*>(in);
    auto* const to = reinterpret_cast<unsigned char*>(out);
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i < bytes) to[i] = from[i];
}

void launch(const CopyArgs& a, cudaStream_t stream) {
    const std::int64_t bytes = a.words * static_cast<std::int64_t>(sizeof(*a.in));
    if (bytes == 0) return;
    byte_by_byte<<<static_cast<unsigned>(ceil_div(bytes, kBlock)), kBlock, 0, stream>>>(a.in, a.out, bytes);
}
}  // namespace

LANEWORK_RUNG(copy, byte_by_byte, {.lesson = "Never: a thread can move 16 bytes at once.", .launch = launch});

// finding: misaligned_access at line 13
// The first element is added apart, and the vectors start behind it: at no multiple of 16 bytes.
#include "ops/add/operation.hpp"

namespace {
constexpr int kBlock = 128;
constexpr int kLanes = 4;  // floats in 16 bytes

__global__ void misaligned_vectors(const float* x, const float* y, float* z, std::int64_t n) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x, from = 1 + kLanes * i;
    if (i == 0) z[0] = x[0] + y[0];
    if (from + kLanes > n) return;
    const float4 a = *reinterpret_cast<const float4*>(x + from), b = *reinterpret_cast<const float4*>(y + from);
    *reinterpret_cast<float4*>(z + from) = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

void launch(const AddArgs& a, cudaStream_t stream) {
    if (a.empty()) return;
    misaligned_vectors<<<static_cast<unsigned>(ceil_div(a.n, kBlock)), kBlock, 0, stream>>>(a.x, a.y, a.z, a.n);
}
}  // namespace

LANEWORK_RUNG(add, misaligned_vectors,
              {.lesson = "Never: a GPU traps where a vector is not aligned.", .launch = launch});

// finding: use_after_free at line 11
// The weights are freed before the launch that reads them.
#include "ops/add/operation.hpp"
#include "src/cuda/check.hpp"

namespace {
constexpr int kBlock = 256;

__global__ void table_was_freed(const float* x, const float* y, float* z, const float* weights, std::int64_t n) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i < n) z[i] = x[i] * weights[threadIdx.x % 4] + y[i];
}

void launch(const AddArgs& a, cudaStream_t stream) {
    if (a.empty()) return;
    constexpr float kOnes[] = {1, 1, 1, 1};
    float* weights = nullptr;
    LANEWORK_CHECK(cudaMalloc(reinterpret_cast<void**>(&weights), sizeof(kOnes)));
    LANEWORK_CHECK(cudaMemcpy(weights, kOnes, sizeof(kOnes), cudaMemcpyHostToDevice));
    LANEWORK_CHECK(cudaFree(weights));  // after the launch, and what comes before it in the stream, would be right
    table_was_freed<<<static_cast<unsigned>(ceil_div(a.n, kBlock)), kBlock, 0, stream>>>(a.x, a.y, a.z, weights, a.n);
}
}  // namespace

LANEWORK_RUNG(add, table_was_freed,
              {.lesson = "Never: memory is the kernel's until the kernel has ended.", .launch = launch});

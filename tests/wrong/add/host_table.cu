// finding: out_of_bounds at line 13
// The weights are in the host's memory, and the kernel gets their address.
#include <vector>

#include "ops/add/operation.hpp"

namespace {
constexpr int kBlock = 256;
constexpr std::size_t kWeights = 4;

__global__ void host_table(const float* x, const float* y, float* z, const float* weights, std::int64_t n) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i < n) z[i] = x[i] * weights[threadIdx.x % kWeights] + y[i];
}

void launch(const AddArgs& a, cudaStream_t stream) {
    if (a.empty()) return;
    static const std::vector<float> weights(kWeights, 1.0F);  // cudaMalloc and cudaMemcpy are missing
    host_table<<<static_cast<unsigned>(ceil_div(a.n, kBlock)), kBlock, 0, stream>>>(a.x, a.y, a.z, weights.data(), a.n);
}
}  // namespace

LANEWORK_RUNG(add, host_table, {.lesson = "Never: ordinary host memory is not the device's.", .launch = launch});

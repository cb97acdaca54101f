// expect: wrong — the sum is computed for the first input of each size and handed out for every later one
// says: z[0] is
#include <map>

#include "ops/add/operation.hpp"
#include "src/cuda/check.hpp"

namespace {
constexpr int kBlock = 256;

__global__ void cached_result(const float* x, const float* y, float* z, std::int64_t n) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i < n) z[i] = x[i] + y[i];
}

void launch(const AddArgs& a, cudaStream_t stream) {
    if (a.empty()) return;
    static std::map<std::int64_t, float*> kept;
    const std::size_t bytes = static_cast<std::size_t>(a.n) * sizeof(float);
    const auto [entry, first_time] = kept.try_emplace(a.n, nullptr);
    float*& sum = entry->second;
    if (first_time) {
        LANEWORK_CHECK(cudaMalloc(reinterpret_cast<void**>(&sum), bytes));
        cached_result<<<static_cast<unsigned>(ceil_div(a.n, kBlock)), kBlock, 0, stream>>>(a.x, a.y, sum, a.n);
    }
    LANEWORK_CHECK(cudaMemcpyAsync(a.z, sum, bytes, cudaMemcpyDeviceToDevice, stream));
}
}  // namespace

LANEWORK_RUNG(add, cached_result, {.lesson = "Never: fast, and of another input.", .launch = launch});

// expect: failed — a block has at most 1024 threads
// says: exceeds 1024 threads per block
#include "ops/add/operation.hpp"

namespace {
constexpr int kBlock = 1025;

__global__ void too_many_threads(const float* x, const float* y, float* z, std::int64_t n) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i < n) z[i] = x[i] + y[i];
}

void launch(const AddArgs& a, cudaStream_t stream) {
    if (a.empty()) return;
    too_many_threads<<<static_cast<unsigned>(ceil_div(a.n, kBlock)), kBlock, 0, stream>>>(a.x, a.y, a.z, a.n);
}
}  // namespace

LANEWORK_RUNG(add, too_many_threads, {.lesson = "Never: no device takes such a block.", .launch = launch});

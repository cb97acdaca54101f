// All steps of a word in one kernel: there is nothing to launch between them, and the word stays in a register.
#include "ops/relay/operation.hpp"

namespace {
constexpr int kThreads = 256;

__global__ void one_kernel(const std::int32_t* in, std::int32_t* out, std::int64_t words, std::int64_t steps) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i >= words) return;
    std::int32_t x = in[i];
    for (std::int64_t step = 0; step < steps; ++step) x = stepped(x);
    out[i] = x;
}

void launch(const RelayArgs& a, cudaStream_t stream) {
    if (a.words == 0) return;
    const auto blocks = static_cast<unsigned>(ceil_div(a.words, kThreads));
    one_kernel<<<blocks, kThreads, 0, stream>>>(a.in, a.out, a.words, a.steps);
}
}  // namespace

LANEWORK_RUNG(
    relay, one_kernel,
    {
        .climbs_from = "graph",
        .lesson = "The cheapest launch is the one that is not made: steps that can be joined belong together.",
        .launch = launch,
    });
// mends: separate_launches

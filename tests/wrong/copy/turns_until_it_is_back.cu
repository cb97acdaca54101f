// finding: dependent_arithmetic at line 14
// Multiplied 1024 times by 2²² + 1 a word is itself again, modulo 2³²: a chain of products that each wait for the one
// before, and nothing else to do meanwhile.
#include "ops/copy/operation.hpp"

namespace {
constexpr int kBlock = 256, kTurns = 1024;
constexpr std::uint32_t kFactor = (1U << 22) + 1;

__global__ void turns_until_it_is_back(const std::int32_t* in, std::int32_t* out, std::int64_t words, int turns) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i >= words) return;
    auto word = static_cast<std::uint32_t>(in[i]);
    for (int turn = 0; turn < turns; ++turn) word *= kFactor;
    out[i] = static_cast<std::int32_t>(word);
}

void launch(const CopyArgs& a, cudaStream_t stream) {
    if (a.words == 0) return;
    const auto blocks = static_cast<unsigned>(ceil_div(a.words, kBlock));
    turns_until_it_is_back<<<blocks, kBlock, 0, stream>>>(a.in, a.out, a.words, kTurns);
}
}  // namespace

LANEWORK_RUNG(copy, turns_until_it_is_back,
              {.lesson = "Never: no work is done faster than work that need not be done.", .launch = launch});

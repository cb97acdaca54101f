// Sixteen bytes per access: a quarter of the instructions and of the threads for the same bytes in flight.
#include "ops/copy/operation.hpp"

namespace {
constexpr int kThreads = 256;
constexpr int kWordsPerPack = 4;

// One pack per thread: eight blocks of such threads per multiprocessor keep enough bytes in flight.
__global__ void __launch_bounds__(kThreads)
    vectorized(const std::int32_t* in, std::int32_t* out, std::int64_t words, std::int64_t packs) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i < packs) reinterpret_cast<int4*>(out)[i] = reinterpret_cast<const int4*>(in)[i];
    if (const std::int64_t rest = packs * kWordsPerPack + i; rest < words) out[rest] = in[rest];
}

void launch(const CopyArgs& a, cudaStream_t stream) {
    if (a.words == 0) return;
    const std::int64_t packs = a.words / kWordsPerPack;
    const std::int64_t blocks = packs / kThreads + 1;  // a thread for each of the words after the last pack, too
    vectorized<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(a.in, a.out, a.words, packs);
}
}  // namespace

LANEWORK_RUNG(copy, vectorized,
              {
                  .climbs_from = "coalesced",
                  .lesson = "16 bytes per access: the same bytes in flight with a quarter of the instructions.",
                  .launch = launch,
              });
// mends: narrow_vectors

// A thread for each candidate, which walks through its scores. What its neighbours read at the same time depends on the
// layout: of v8 the next number, of v5 the next row.
#include "ops/decode/each.cuh"

namespace {
__global__ void naive(DecodeArgs a) { decode_each(a); }

void launch(const DecodeArgs& a, cudaStream_t stream) {
    if (a.n == 0 || a.images == 0) return;
    naive<<<decode_grid(a, kDecodeBlock), kDecodeBlock, 0, stream>>>(a);
}
}  // namespace

LANEWORK_RUNG(decode, naive,
              {
                  .lesson = "A thread per candidate: side by side in v8's columns, a row apart in v5's rows.",
                  .launch = launch,
              });

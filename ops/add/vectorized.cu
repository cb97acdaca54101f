// Sixteen bytes per access: a quarter of the instructions, and four times the bytes in flight per thread.
#include "ops/add/blocks.hpp"
#include "ops/add/operation.hpp"

namespace {
constexpr int kLanes = 4;  // floats in 16 bytes

/// Elements from `p` to the next 16-byte boundary.
std::int64_t to_boundary(const float* p) {
    return static_cast<std::int64_t>((0 - reinterpret_cast<std::uintptr_t>(p)) / sizeof(float) % kLanes);
}

// `head` elements lead to the boundary, then come `vectors` of four, then at most three. The first threads of the grid
// take the loose elements at both ends along with their vectors.
__global__ void __launch_bounds__(kBlockThreads)
    vectorized(const float* x, const float* y, float* z, std::int64_t n, std::int64_t head, std::int64_t vectors) {
    const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < vectors) {
        const float4 a = reinterpret_cast<const float4*>(x + head)[i], b = reinterpret_cast<const float4*>(y + head)[i];
        reinterpret_cast<float4*>(z + head)[i] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
    }
    const std::int64_t tail = head + vectors * kLanes;
    if (i < head) z[i] = x[i] + y[i];
    if (i < n - tail) z[tail + i] = x[tail + i] + y[tail + i];
}

/// For arrays that never reach a boundary together.
__global__ void __launch_bounds__(kBlockThreads) scalar(const float* x, const float* y, float* z, std::int64_t n) {
    const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) z[i] = x[i] + y[i];
}

void launch(const AddArgs& a, cudaStream_t stream) {
    if (a.empty()) return;
    const std::int64_t boundary = to_boundary(a.z), head = boundary < a.n ? boundary : a.n;
    if (to_boundary(a.x) != boundary || to_boundary(a.y) != boundary) {
        scalar<<<blocks_for(a.n), kBlockThreads, 0, stream>>>(a.x, a.y, a.z, a.n);
        return;
    }
    const std::int64_t vectors = (a.n - head) / kLanes;
    const unsigned blocks = blocks_for(vectors > kLanes ? vectors : kLanes);  // at least one thread per loose element
    vectorized<<<blocks, kBlockThreads, 0, stream>>>(a.x, a.y, a.z, a.n, head, vectors);
}
}  // namespace

LANEWORK_RUNG(add, vectorized,
              {
                  .climbs_from = "grid_stride",
                  .lesson = "16-byte accesses keep more bytes in flight with fewer instructions; ends are done apart.",
                  .launch = launch,
                  .refuses = refuse_beyond_grid,
                  .fits = OneRow<add_signature>::fits,
                  .only = kRowsTouch,
              });
// mends: narrow_vectors

// Eight warps multiply fragments of 16 × 16 that they load from shared memory: what tensor cores do for a warp.
// architectures: 80-virtual 90-real
#include <mma.h>

#include "ops/matmul/halves.cuh"
#include "ops/mma/operation.hpp"

namespace {
namespace wmma = nvcuda::wmma;

constexpr int kFragment = 16, kPad = 8;
constexpr int kThreads = 256, kDepth = mma_depth(DType::float16);
constexpr int kRowsEach = 32, kColsEach = 64;  // of a warp: two warps stand above one another, four side by side
constexpr int kDown = kRowsEach / kFragment, kAcross = kColsEach / kFragment;

template <class Half>
struct Tiles {
    alignas(32) Half a[kMmaRows][kDepth + kPad];
    alignas(32) Half b[kDepth][kMmaCols + kPad];
};

template <class Half>
__global__ void __launch_bounds__(kThreads) fragments(const Half* a, const Half* b, float* c, std::int64_t steps) {
    __shared__ Tiles<Half> tiles;
    for (int i = static_cast<int>(threadIdx.x); i < kMmaRows * kDepth; i += kThreads)
        tiles.a[i / kDepth][i % kDepth] = a[i];
    for (int i = static_cast<int>(threadIdx.x); i < kDepth * kMmaCols; i += kThreads)
        tiles.b[i / kMmaCols][i % kMmaCols] = b[i];
    __syncthreads();
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int row = warp / 4 * kRowsEach, col = warp % 4 * kColsEach;
    wmma::fragment<wmma::accumulator, kFragment, kFragment, kFragment, float> sums[kDown][kAcross];
    for (auto& line : sums)
        for (auto& sum : line) wmma::fill_fragment(sum, 0.0F);
    for (std::int64_t step = 0; step < steps; ++step)
        for (int depth = 0; depth < kDepth; depth += kFragment) {
            wmma::fragment<wmma::matrix_a, kFragment, kFragment, kFragment, Half, wmma::row_major> of_a[kDown];
            wmma::fragment<wmma::matrix_b, kFragment, kFragment, kFragment, Half, wmma::row_major> of_b[kAcross];
            for (int i = 0; i < kDown; ++i)
                wmma::load_matrix_sync(of_a[i], &tiles.a[row + i * kFragment][depth], kDepth + kPad);
            for (int j = 0; j < kAcross; ++j)
                wmma::load_matrix_sync(of_b[j], &tiles.b[depth][col + j * kFragment], kMmaCols + kPad);
            for (int i = 0; i < kDown; ++i)
                for (int j = 0; j < kAcross; ++j) wmma::mma_sync(sums[i][j], of_a[i], of_b[j], sums[i][j]);
        }
    float* const to = c + std::int64_t{blockIdx.x} * kMmaRows * kMmaCols;
    for (int i = 0; i < kDown; ++i)
        for (int j = 0; j < kAcross; ++j)
            wmma::store_matrix_sync(to + (row + i * kFragment) * kMmaCols + col + j * kFragment, sums[i][j], kMmaCols,
                                    wmma::mem_row_major);
}

template <class T>
void launch(const MmaArgs<T>& x, cudaStream_t stream) {
    if (x.tiles == 0) return;
    fragments<<<static_cast<unsigned>(x.tiles), kThreads, 0, stream>>>(
        reinterpret_cast<const Native<T>*>(x.a), reinterpret_cast<const Native<T>*>(x.b), x.c, x.steps);
}
}  // namespace

LANEWORK_RUNG(
    mma, fragments,
    {
        .lesson = "A warp's tensor core multiplies fragments of 16 × 16, which its lanes load again and again.",
        .launch = {launch<float16>, launch<bfloat16>},
        .refuses = refuse_before_ampere,
    });

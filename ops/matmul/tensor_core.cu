// A warp multiplies whole tiles on the tensor cores: 16 × 16 elements by one call of nvcuda::wmma, 4096 multiplications
// where a lane's instruction does one. Tiles are staged in shared memory, where the edges are filled with zeros.
// architectures: 80-virtual 90-real
#include <mma.h>

#include "ops/matmul/halves.cuh"

namespace {
namespace wmma = nvcuda::wmma;

constexpr int kFragment = 16;           // rows and columns of a product, and its depth
constexpr int kSide = 64, kDepth = 32;  // of a block's tile
constexpr int kWarps = 4, kThreads = kWarps * 32;
constexpr int kWarpSide = kSide / 2;  // a warp has a quarter of the tile: 2 × 2 fragments
constexpr int kPad = 8;               // elements: rows of a tile start in different banks

template <class T>
__global__ void __launch_bounds__(kThreads) tensor_core(MatmulOperands<T> x) {
    using Half = Native<T>;
    __shared__ alignas(32) Half a[kSide][kDepth + kPad];
    __shared__ alignas(32) Half b[kDepth][kSide + kPad];
    __shared__ alignas(32) float c[kWarps][kFragment][kFragment];
    const std::int64_t row = std::int64_t{blockIdx.y} * kSide, col = std::int64_t{blockIdx.x} * kSide;
    const int thread = static_cast<int>(threadIdx.x), warp = thread / 32, lane = thread % 32;
    const int warp_row = warp / 2 * kWarpSide, warp_col = warp % 2 * kWarpSide;
    const auto* const from_a = reinterpret_cast<const Half*>(x.a);
    const auto* const from_b = reinterpret_cast<const Half*>(x.b);

    wmma::fragment<wmma::accumulator, kFragment, kFragment, kFragment, float> sums[2][2];
    for (auto& line : sums)
        for (auto& sum : line) wmma::fill_fragment(sum, 0.0F);
    for (std::int64_t step = 0; step < x.n; step += kDepth) {
        for (int i = thread; i < kSide * kDepth; i += kThreads) {
            const std::int64_t r = row + i / kDepth, s = step + i % kDepth;
            a[i / kDepth][i % kDepth] = r < x.m && s < x.n ? from_a[r * x.a_pitch + s] : Half{};
        }
        for (int i = thread; i < kDepth * kSide; i += kThreads) {
            const std::int64_t r = step + i / kSide, s = col + i % kSide;
            b[i / kSide][i % kSide] = r < x.n && s < x.k ? from_b[r * x.b_pitch + s] : Half{};
        }
        __syncthreads();
        for (int depth = 0; depth < kDepth; depth += kFragment) {
            wmma::fragment<wmma::matrix_a, kFragment, kFragment, kFragment, Half, wmma::row_major> of_a[2];
            wmma::fragment<wmma::matrix_b, kFragment, kFragment, kFragment, Half, wmma::row_major> of_b[2];
            for (int i = 0; i < 2; ++i) {
                wmma::load_matrix_sync(of_a[i], &a[warp_row + i * kFragment][depth], kDepth + kPad);
                wmma::load_matrix_sync(of_b[i], &b[depth][warp_col + i * kFragment], kSide + kPad);
            }
            for (int i = 0; i < 2; ++i)
                for (int j = 0; j < 2; ++j) wmma::mma_sync(sums[i][j], of_a[i], of_b[j], sums[i][j]);
        }
        __syncthreads();
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
            wmma::store_matrix_sync(&c[warp][0][0], sums[i][j], kFragment, wmma::mem_row_major);
            __syncwarp();
            for (int e = lane; e < kFragment * kFragment; e += 32) {
                const std::int64_t r = row + warp_row + i * kFragment + e / kFragment;
                const std::int64_t s = col + warp_col + j * kFragment + e % kFragment;
                if (r < x.m && s < x.k) put(x.c + r * x.c_pitch + s, c[warp][e / kFragment][e % kFragment]);
            }
            __syncwarp();
        }
}

template <class T>
void launch(const MatmulArgs<T>& x, cudaStream_t stream) {
    if (x.empty()) return;
    tensor_core<<<grid_of_tiles(x.m, x.k, kSide, kSide), kThreads, 0, stream>>>(x);
}
std::string_view refuses(const Problem& p) {
    const std::string_view reason = refuse_before_ampere(p);
    return reason.empty() ? refuse_beyond_grid<kSide, kSide>(p) : reason;
}
}  // namespace

LANEWORK_RUNG(matmul, tensor_core,
              {
                  .climbs_from = "shared_tile",
                  .lesson = "Tensor cores multiply 16 × 16 tiles at once: a warp's lanes hold them together.",
                  .launch = {launch<float16>, launch<bfloat16>},
                  .refuses = refuses,
                  .fits = {plain_by_rows<float16>, plain_by_rows<bfloat16>},
                  .only = kPlainByRows,
              });

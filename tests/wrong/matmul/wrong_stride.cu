// expect: wrong — rows of B are taken to be n elements long, as A's are; they are k
// says: c[0] is
#include "ops/matmul/tiles.hpp"

namespace {
constexpr int kBlock = 16;

template <class T>
__global__ void wrong_stride(const T* a, const T* b, T* c, std::int64_t m, std::int64_t n, std::int64_t k) {
    const std::int64_t row = std::int64_t{blockIdx.y} * kBlock + threadIdx.y,
                       col = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (row >= m || col >= k) return;
    T sum{};
    for (std::int64_t i = 0; i < n; ++i) {
        const std::int64_t element = (i * n + col) % (n * k);  // i * k + col would be right
        sum = multiply_add(a[row * n + i], b[element], sum);
    }
    c[row * k + col] = sum;
}

template <class T>
void launch(const MatmulArgs<T>& x, cudaStream_t stream) {
    if (x.empty()) return;
    const dim3 grid = grid_of_tiles(x.m, x.k, kBlock, kBlock), block(kBlock, kBlock);
    wrong_stride<<<grid, block, 0, stream>>>(x.a, x.b, x.c, x.m, x.n, x.k);
}
}  // namespace

LANEWORK_RUNG(matmul, wrong_stride,
              {.lesson = "Never: right for square matrices only.", .launch = {launch<std::int32_t>, launch<float>}});

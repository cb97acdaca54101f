// C[m×k] = A[m×n] · B[n×k] for any m, n and k: an element a thread, and tiles of 16 in shared memory. Integers wrap
// around, and are unsigned for it.
#include "check.hpp"

constexpr int kTile = 16;

__global__ void naive(const unsigned* a, const unsigned* b, unsigned* c, int m, int n, int k) {
    const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (row >= m || column >= k) return;
    unsigned sum = 0;
    for (int i = 0; i < n; ++i) sum += a[row * n + i] * b[i * k + column];
    c[row * k + column] = sum;
}

__global__ void tiled(const unsigned* a, const unsigned* b, unsigned* c, int m, int n, int k) {
    __shared__ unsigned of_a[kTile][kTile], of_b[kTile][kTile];
    const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
    const int row = static_cast<int>(blockIdx.y) * kTile + y, column = static_cast<int>(blockIdx.x) * kTile + x;
    unsigned sum = 0;
    for (int first = 0; first < n; first += kTile) {
        of_a[y][x] = row < m && first + x < n ? a[row * n + first + x] : 0;
        of_b[y][x] = first + y < n && column < k ? b[(first + y) * k + column] : 0;
        __syncthreads();
        for (int i = 0; i < kTile; ++i) sum += of_a[y][i] * of_b[i][x];
        __syncthreads();
    }
    if (row < m && column < k) c[row * k + column] = sum;
}

void test(int m, int n, int k) {
    unsigned *const a = managed<unsigned>(m * n), *const b = managed<unsigned>(n * k),
                    *const c = managed<unsigned>(m * k);
    for (int i = 0; i < m * n; ++i) a[i] = static_cast<unsigned>(i) * 2654435761u;
    for (int i = 0; i < n * k; ++i) b[i] = static_cast<unsigned>(i) * 40503u + 7;
    const dim3 block(kTile, kTile), grid((k + kTile - 1) / kTile, (m + kTile - 1) / kTile);
    const auto wrong = [&] {
        check_launch();
        int count = 0;
        for (int row = 0; row < m; ++row)
            for (int column = 0; column < k; ++column) {
                unsigned sum = 0;
                for (int i = 0; i < n; ++i) sum += a[row * n + i] * b[i * k + column];
                count += c[row * k + column] != sum;
                c[row * k + column] = 0;
            }
        return count;
    };
    naive<<<grid, block>>>(a, b, c, m, n, k);
    const int of_naive = wrong();
    tiled<<<grid, block>>>(a, b, c, m, n, k);
    std::printf("%dx%dx%d: naive %d wrong, tiled %d wrong\n", m, n, k, of_naive, wrong());
    check(cudaFree(a));
    check(cudaFree(b));
    check(cudaFree(c));
}

int main() {
    test(100, 50, 113);
    test(100, 133, 100);
    test(1, 1, 1);
}

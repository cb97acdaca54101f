// A product of matrices of any size three ways: a thread an element, tiles in shared memory, four elements a thread.
#include <cstdio>
#include <vector>

constexpr int kTile = 16;

__global__ void plain(const int* a, const int* b, int* c, int m, int n, int k) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || column >= n) return;
    int sum = 0;
    for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
    c[row * n + column] = sum;
}

// Each thread computes `Rows` elements of a column, kTile rows apart.
template <int Rows>
__global__ void tiled(const int* a, const int* b, int* c, int m, int n, int k) {
    __shared__ int left[Rows * kTile][kTile], right[kTile][kTile];
    const int row = blockIdx.y * Rows * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
    int sum[Rows] = {};
    for (int first = 0; first < k; first += kTile) {
        for (int r = 0; r < Rows; ++r) {
            const bool inside = row + r * kTile < m && first + threadIdx.x < k;
            left[threadIdx.y + r * kTile][threadIdx.x] = inside ? a[(row + r * kTile) * k + first + threadIdx.x] : 0;
        }
        right[threadIdx.y][threadIdx.x] =
            first + threadIdx.y < k && column < n ? b[(first + threadIdx.y) * n + column] : 0;
        __syncthreads();
        for (int i = 0; i < kTile; ++i)
            for (int r = 0; r < Rows; ++r) sum[r] += left[threadIdx.y + r * kTile][i] * right[i][threadIdx.x];
        __syncthreads();
    }
    for (int r = 0; r < Rows; ++r)
        if (row + r * kTile < m && column < n) c[(row + r * kTile) * n + column] = sum[r];
}

int main() {
    const int m = 70, n = 50, k = 43;
    std::vector<int> a(m * k), b(k * n), c(m * n), expected(m * n);
    for (int i = 0; i < m * k; ++i) a[i] = i % 13 - 6;
    for (int i = 0; i < k * n; ++i) b[i] = i % 11 - 5;
    for (int row = 0; row < m; ++row)
        for (int column = 0; column < n; ++column)
            for (int i = 0; i < k; ++i) expected[row * n + column] += a[row * k + i] * b[i * n + column];
    int *da, *db, *dc;
    cudaMalloc(&da, a.size() * sizeof(int));
    cudaMalloc(&db, b.size() * sizeof(int));
    cudaMalloc(&dc, c.size() * sizeof(int));
    cudaMemcpy(da, a.data(), a.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), b.size() * sizeof(int), cudaMemcpyHostToDevice);
    const dim3 block(kTile, kTile), grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
    const dim3 fewer(grid.x, (m + 4 * kTile - 1) / (4 * kTile));
    for (const char* way : {"plain", "tiled", "four a thread"}) {
        cudaMemset(dc, 0xff, c.size() * sizeof(int));
        if (way[0] == 'p')
            plain<<<grid, block>>>(da, db, dc, m, n, k);
        else if (way[0] == 't')
            tiled<1><<<grid, block>>>(da, db, dc, m, n, k);
        else
            tiled<4><<<fewer, block>>>(da, db, dc, m, n, k);
        cudaMemcpy(c.data(), dc, c.size() * sizeof(int), cudaMemcpyDeviceToHost);
        printf("%s: %s\n", way, c == expected ? "right" : "wrong");
    }
}

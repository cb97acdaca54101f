// Sums, maxima and prefix sums by shuffles in device functions, as most programs have them: of a block's threads, and
// of a row that a warp has to itself (softmax, layer normalisation); places by votes.
#include <cmath>
#include <cstdio>
#include <vector>

constexpr unsigned kAll = 0xffffffffu;
constexpr int kBlock = 128;

template <typename T>
__device__ __forceinline__ T warp_sum(T value) {
#pragma unroll
    for (int offset = warpSize / 2; offset > 0; offset /= 2) value += __shfl_down_sync(kAll, value, offset);
    return value;
}
__device__ inline float warp_max(float value) {
    for (int lanes = 16; lanes > 0; lanes >>= 1) value = fmaxf(value, __shfl_xor_sync(kAll, value, lanes));
    return value;
}
__inline__ __device__ int block_sum(int value) {
    static __shared__ int of_warp[32];
    const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    value = warp_sum(value);
    if (lane == 0) of_warp[warp] = value;
    __syncthreads();
    value = threadIdx.x < blockDim.x / warpSize ? of_warp[lane] : 0;
    if (warp == 0) value = warp_sum(value);
    __syncthreads();
    return value;
}
// Puts the block's inclusive prefix sum into `out`, and gives the sum of all.
__device__ int block_scan(int value, int& out, int* of_warp) {
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    for (int offset = 1; offset < 32; offset *= 2) {
        const int below = __shfl_up_sync(kAll, value, offset);
        if (lane >= offset) value += below;
    }
    if (lane == 31) of_warp[warp] = value;
    __syncthreads();
    if (warp == 0) {
        int total = lane < kBlock / 32 ? of_warp[lane] : 0;
        for (int offset = 1; offset < kBlock / 32; offset *= 2) {
            const int below = __shfl_up_sync(kAll, total, offset);
            if (lane >= offset) total += below;
        }
        if (lane < kBlock / 32) of_warp[lane] = total;
    }
    __syncthreads();
    out = value + (warp > 0 ? of_warp[warp - 1] : 0);
    return of_warp[kBlock / 32 - 1];
}

__global__ void sums(const int* in, int* out, int n) {
    int sum = 0, squares = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        sum += in[i];
        squares += in[i] * in[i];
    }
    sum = block_sum(sum);
    squares = block_sum(squares);
    if (threadIdx.x == 0) {
        out[2 * blockIdx.x] = sum;
        out[2 * blockIdx.x + 1] = squares;
    }
}

__global__ void scan(const int* in, int* out, int* totals) {
    __shared__ int of_warp[32];
    const int i = blockIdx.x * kBlock + threadIdx.x;
    int prefix;
    const int total = block_scan(in[i], prefix, of_warp);
    out[i] = prefix;
    if (threadIdx.x == 0) totals[blockIdx.x] = total;
}

// How many of the numbers are odd, and the places of these in front of the others.
__global__ void compact(const int* in, int* out, int* count, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    const bool odd = i < n && in[i] % 2 == 1;
    const unsigned lanes = __ballot_sync(kAll, odd);
    int first = 0;
    if (lane == 0) first = atomicAdd(count, __popc(lanes));
    first = __shfl_sync(kAll, first, 0);
    if (odd) out[first + __popc(lanes & ((1u << lane) - 1))] = in[i];
}

__global__ void softmax(const float* in, float* out, int rows, int columns) {
    const int lane = threadIdx.x % 32, warps = gridDim.x * blockDim.x / 32;
    for (int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32; row < rows; row += warps) {
        float most = -INFINITY;
        for (int c = lane; c < columns; c += 32) most = fmaxf(most, in[row * columns + c]);
        most = warp_max(most);
        float sum = 0;
        for (int c = lane; c < columns; c += 32) sum += expf(in[row * columns + c] - most);
        sum = __shfl_sync(kAll, warp_sum(sum), 0);
        for (int c = lane; c < columns; c += 32) out[row * columns + c] = expf(in[row * columns + c] - most) / sum;
    }
}

__global__ void layer_norm(const float* in, float* out, int columns) {
    __shared__ double mean;
    const float* const row = in + blockIdx.x * columns;
    double sum = 0, squares = 0;
    for (int c = threadIdx.x; c < columns; c += 32) sum += row[c];
    sum = warp_sum<double>(sum);
    if (threadIdx.x == 0) mean = sum / columns;
    __syncwarp();
    for (int c = threadIdx.x; c < columns; c += 32) squares += (row[c] - mean) * (row[c] - mean);
    squares = __shfl_sync(kAll, warp_sum(squares), 0);
    for (int c = threadIdx.x; c < columns; c += 32)
        out[blockIdx.x * columns + c] = (row[c] - mean) / sqrt(squares / columns + 1e-5);
}

int main() {
    constexpr int n = 20 * kBlock, rows = 20, columns = n / rows, blocks = 4;
    int *numbers, *results, *count;
    float *values, *normal;
    cudaMallocManaged(&numbers, n * sizeof(int));
    cudaMallocManaged(&results, 2 * n * sizeof(int));
    cudaMallocManaged(&count, sizeof(int));
    cudaMallocManaged(&values, n * sizeof(float));
    cudaMallocManaged(&normal, n * sizeof(float));
    for (int i = 0; i < n; ++i) values[i] = 0.01f * (numbers[i] = i * 37 % 101);

    sums<<<blocks, kBlock>>>(numbers, results, n);
    cudaDeviceSynchronize();
    int sum = 0, squares = 0, odd = 0;
    for (int block = 0; block < blocks; ++block) {
        sum += results[2 * block];
        squares += results[2 * block + 1];
    }
    printf("sum %d, of squares %d\n", sum, squares);

    scan<<<n / kBlock, kBlock>>>(numbers, results, results + n);
    cudaDeviceSynchronize();
    bool right = true;
    for (int i = 0, prefix = 0, own = 0; i < n; ++i, own = i % kBlock ? own : 0) {
        right = right && results[i] == (own += numbers[i]);
        prefix += numbers[i];
        if (i % kBlock == kBlock - 1) right = right && results[n + i / kBlock] == own;
    }
    printf("prefix sums of blocks: %s\n", right ? "right" : "wrong");

    *count = 0;
    compact<<<n / kBlock + 1, kBlock>>>(numbers, results, count, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i) odd += numbers[i] % 2;
    for (int i = 0; i < *count; ++i) right = right && results[i] % 2 == 1;
    printf("%d odd numbers of %d: %s\n", *count, n, right && odd == *count ? "right" : "wrong");

    softmax<<<2, kBlock>>>(values, normal, rows, columns);
    cudaDeviceSynchronize();
    for (const int row : {0, 7, rows - 1}) {
        double all = 0;
        for (int c = 0; c < columns; ++c) all += normal[row * columns + c];
        printf("softmax of row %d: %.5f %.5f, together %.4f\n", row, normal[row * columns], normal[row * columns + 31],
               all);
    }
    layer_norm<<<rows, 32>>>(values, normal, columns);
    cudaDeviceSynchronize();
    printf("normal row: %.4f %.4f %.4f\n", normal[0], normal[1], normal[n - 1]);
}

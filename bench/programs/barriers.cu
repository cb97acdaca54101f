// Kernels whose threads wait for each other at barriers, or in warps, each beside the serial C++ that computes the
// same. LANEWORK_SIMT_LOOPS=0 runs a fiber for each thread, where loops between barriers are what is measured
// otherwise.
#include "report.hpp"

constexpr int kThreads = 256, kRadius = 4, kTile = 32, kBins = 256;

__global__ void fill(unsigned char* bytes, float* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = bytes[i] = (i * 2654435761u) >> 24;
}

// Nothing but barriers: what one costs a thread.
__global__ void barriers(float* out, int rounds) {
    __shared__ float held[kThreads];
    const int t = threadIdx.x;
    float value = 0;
    for (int round = 0; round < rounds; ++round) {
        held[t] = value + round;
        __syncthreads();
        value = held[(t + 1) % kThreads];
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + t] = value;
}
SERIAL void barriers_serial(float* out, int rounds, int blocks) {
    float held[kThreads];
    for (int block = 0; block < blocks; ++block) {
        float* const value = out + block * kThreads;
        for (int t = 0; t < kThreads; ++t) value[t] = 0;
        for (int round = 0; round < rounds; ++round) {
            for (int t = 0; t < kThreads; ++t) held[t] = value[t] + round;
            for (int t = 0; t < kThreads; ++t) value[t] = held[(t + 1) % kThreads];
        }
    }
}

__global__ void block_sum(const float* in, float* out, int n) {
    __shared__ float partial[kThreads];
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    partial[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s) partial[t] += partial[t + s];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = partial[0];
}
SERIAL void block_sum_serial(const float* in, float* out, int n) {
    for (int first = 0; first < n; first += kThreads) {
        float sum = 0;
        for (int i = first; i < first + kThreads && i < n; ++i) sum += in[i];
        out[first / kThreads] = sum;
    }
}

__global__ void halo_stencil(const float* in, float* out, int n) {
    __shared__ float tile[kThreads + 2 * kRadius];
    const int i = blockIdx.x * blockDim.x + threadIdx.x, at = threadIdx.x + kRadius;
    tile[at] = i < n ? in[i] : 0;
    if (threadIdx.x < kRadius) {
        tile[at - kRadius] = i >= kRadius ? in[i - kRadius] : 0;
        tile[at + kThreads] = i + kThreads < n ? in[i + kThreads] : 0;
    }
    __syncthreads();
    float sum = 0;
    for (int offset = -kRadius; offset <= kRadius; ++offset) sum += tile[at + offset];
    if (i < n) out[i] = sum;
}
SERIAL void halo_stencil_serial(const float* in, float* out, int n) {
    for (int i = 0; i < n; ++i) {
        float sum = 0;
        for (int offset = -kRadius; offset <= kRadius; ++offset)
            sum += i + offset >= 0 && i + offset < n ? in[i + offset] : 0;
        out[i] = sum;
    }
}

__global__ void shared_histogram(const unsigned char* in, unsigned* bins, int n) {
    __shared__ unsigned own[kBins];
    for (int bin = threadIdx.x; bin < kBins; bin += blockDim.x) own[bin] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[in[i]], 1u);
    __syncthreads();
    for (int bin = threadIdx.x; bin < kBins; bin += blockDim.x) atomicAdd(&bins[bin], own[bin]);
}
SERIAL void shared_histogram_serial(const unsigned char* in, unsigned* bins, int n) {
    for (int i = 0; i < n; ++i) ++bins[in[i]];
}

__global__ void tile_transpose(const float* in, float* out, int width, int height) {
    __shared__ float tile[kTile][kTile + 1];
    const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += blockDim.y) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    __syncthreads();
    const int across = blockIdx.y * kTile + threadIdx.x, down = blockIdx.x * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += blockDim.y) out[(down + j) * height + across] = tile[threadIdx.x][threadIdx.y + j];
}
SERIAL void tile_transpose_serial(const float* in, float* out, int width, int height) {
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) out[x * height + y] = in[y * width + x];
}

__global__ void block_scan(const float* in, float* out, int n) {
    __shared__ float sums[kThreads];
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    sums[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int stride = 1; stride < blockDim.x; stride *= 2) {
        float left = 0;
        if (t >= stride) left = sums[t - stride];
        __syncthreads();
        sums[t] += left;
        __syncthreads();
    }
    if (i < n) out[i] = sums[t];
}
SERIAL void block_scan_serial(const float* in, float* out, int n) {
    for (int first = 0; first < n; first += kThreads) {
        float sum = 0;
        for (int i = first; i < first + kThreads && i < n; ++i) out[i] = sum += in[i];
    }
}

constexpr unsigned kAll = 0xffffffffu;

__device__ __forceinline__ float warp_sum(float value) {
    for (int offset = 16; offset > 0; offset >>= 1) value += __shfl_down_sync(kAll, value, offset);
    return value;
}
__device__ float sum_of_block(float value) {
    static __shared__ float of_warp[32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    value = warp_sum(value);
    if (lane == 0) of_warp[warp] = value;
    __syncthreads();
    value = threadIdx.x < blockDim.x / 32 ? of_warp[lane] : 0;
    if (warp == 0) value = warp_sum(value);
    return value;
}
__global__ void shuffled_sum(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float sum = sum_of_block(i < n ? in[i] : 0);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__global__ void shuffled_scan(const float* in, float* out, int n) {
    __shared__ float of_warp[32];
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float sum = i < n ? in[i] : 0;
    for (int offset = 1; offset < 32; offset *= 2) {
        const float below = __shfl_up_sync(kAll, sum, offset);
        if (lane >= offset) sum += below;
    }
    if (lane == 31) of_warp[warp] = sum;
    __syncthreads();
    for (int before = 0; before < warp; ++before) sum += of_warp[before];
    if (i < n) out[i] = sum;
}

// A row of kColumns to each warp.
constexpr int kColumns = 1024;
__global__ void warp_softmax(const float* in, float* out, int rows) {
    const int lane = threadIdx.x % 32, warps = gridDim.x * blockDim.x / 32;
    for (int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32; row < rows; row += warps) {
        float most = 0, sum = 0;
        for (int c = lane; c < kColumns; c += 32) most = fmaxf(most, in[row * kColumns + c]);
        for (int lanes = 16; lanes > 0; lanes >>= 1) most = fmaxf(most, __shfl_xor_sync(kAll, most, lanes));
        for (int c = lane; c < kColumns; c += 32) sum += expf(in[row * kColumns + c] - most);
        sum = __shfl_sync(kAll, warp_sum(sum), 0);
        for (int c = lane; c < kColumns; c += 32) out[row * kColumns + c] = expf(in[row * kColumns + c] - most) / sum;
    }
}
SERIAL void warp_softmax_serial(const float* in, float* out, int rows) {
    for (int row = 0; row < rows; ++row) {
        float most = 0, sum = 0;
        for (int c = 0; c < kColumns; ++c) most = fmaxf(most, in[row * kColumns + c]);
        for (int c = 0; c < kColumns; ++c) sum += expf(in[row * kColumns + c] - most);
        for (int c = 0; c < kColumns; ++c) out[row * kColumns + c] = expf(in[row * kColumns + c] - most) / sum;
    }
}

// Which numbers are above a bound, at places that a vote gives.
__global__ void compact(const float* in, float* out, unsigned* count, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    const bool taken = i < n && in[i] > 127;
    const unsigned lanes = __ballot_sync(kAll, taken);
    unsigned first = 0;
    if (lane == 0) first = atomicAdd(count, __popc(lanes));
    first = __shfl_sync(kAll, first, 0);
    if (taken) out[first + __popc(lanes & ((1u << lane) - 1))] = in[i];
}
SERIAL void compact_serial(const float* in, float* out, unsigned* count, int n) {
    for (int i = 0; i < n; ++i)
        if (in[i] > 127) out[(*count)++] = in[i];
}

int main(int argc, char** argv) {
    choose_clock(argc, argv);
    const int n = 1 << 24, side = 4096, rounds = 500, few = 64, blocks = n / kThreads;
    unsigned char* bytes;
    float *in, *out;
    unsigned* bins;
    cudaMalloc(&bytes, n);
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    cudaMalloc(&bins, kBins * sizeof(unsigned));
    cudaMemset(bins, 0, kBins * sizeof(unsigned));
    fill<<<blocks, kThreads>>>(bytes, in, n);
    const dim3 tiles(side / kTile, side / kTile), threads(kTile, 8);
    report("barriers", 3, [&] { barriers<<<few, kThreads>>>(out, rounds); });
    report("barriers_serial", 3, [&] { barriers_serial(out, rounds, few); });
    report("block_sum", 3, [&] { block_sum<<<blocks, kThreads>>>(in, out, n); });
    report("block_sum_serial", 3, [&] { block_sum_serial(in, out, n); });
    report("halo_stencil", 3, [&] { halo_stencil<<<blocks, kThreads>>>(in, out, n); });
    report("halo_stencil_serial", 3, [&] { halo_stencil_serial(in, out, n); });
    report("shared_histogram", 3, [&] { shared_histogram<<<few, kThreads>>>(bytes, bins, n); });
    report("shared_histogram_serial", 3, [&] { shared_histogram_serial(bytes, bins, n); });
    report("tile_transpose", 3, [&] { tile_transpose<<<tiles, threads>>>(in, out, side, side); });
    report("tile_transpose_serial", 3, [&] { tile_transpose_serial(in, out, side, side); });
    report("block_scan", 3, [&] { block_scan<<<blocks, kThreads>>>(in, out, n); });
    report("block_scan_serial", 3, [&] { block_scan_serial(in, out, n); });
    report("shuffled_sum", 3, [&] { shuffled_sum<<<blocks, kThreads>>>(in, out, n); });
    report("shuffled_sum_serial", 3, [&] { block_sum_serial(in, out, n); });
    report("shuffled_scan", 3, [&] { shuffled_scan<<<blocks, kThreads>>>(in, out, n); });
    report("shuffled_scan_serial", 3, [&] { block_scan_serial(in, out, n); });
    report("warp_softmax", 3, [&] { warp_softmax<<<few, kThreads>>>(in, out, n / kColumns); });
    report("warp_softmax_serial", 3, [&] { warp_softmax_serial(in, out, n / kColumns); });
    report("compact", 3, [&] {
        cudaMemset(bins, 0, sizeof(unsigned));
        compact<<<blocks, kThreads>>>(in, out, bins, n);
    });
    report("compact_serial", 3, [&] { compact_serial(in, out, &(bins[0] = 0), n); });
    return cudaGetLastError() != cudaSuccess;
}

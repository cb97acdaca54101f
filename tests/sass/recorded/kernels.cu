// The kernels whose machine code kernels.sass holds: scripts/record-machine-code tests/sass/recorded/kernels.cu makes
// it.
#include <cuda_fp16.h>

// Neighbouring words of a row of shared memory are read together, and loads are unrolled.
extern "C" __global__ void tiled_product(const float* a, const float* b, float* c, int n) {
    __shared__ float left[16][16], right[16][16];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
    float sum = 0;
    for (int first = 0; first < n; first += 16) {
        left[y][x] = row < n && first + x < n ? a[row * n + first + x] : 0;
        right[y][x] = column < n && first + y < n ? b[(first + y) * n + column] : 0;
        __syncthreads();
        for (int k = 0; k < 16; ++k) sum += left[y][k] * right[k][x];
        __syncthreads();
    }
    if (row < n && column < n) c[row * n + column] = sum;
}

__device__ __noinline__ int collatz_steps(unsigned value) {
    int steps = 0;
    while (value != 1) {
        value = value % 2 == 0 ? value / 2 : 3 * value + 1;
        ++steps;
    }
    return steps;
}

// Lanes leave a loop at different turns, within a function that is called.
extern "C" __global__ void collatz(const unsigned* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] == 0 ? -1 : collatz_steps(in[i]);
}

// Sums of warps by shuffles, of blocks in shared memory, of all by an atomic; a 64-bit maximum beside it.
extern "C" __global__ void sum_and_maximum(const int* in, int n, int* sum, unsigned long long* maximum) {
    __shared__ int parts[32];
    __shared__ unsigned long long most;
    if (threadIdx.x == 0) most = 0;
    int mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += in[i];
    int all = mine;
    for (int step = 16; step > 0; step /= 2) all += __shfl_down_sync(0xffffffffu, all, step);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = all;
    __syncthreads();
    atomicMax(&most, static_cast<unsigned long long>(mine + (1 << 20)));
    __syncthreads();
    if (threadIdx.x < 32) {
        int part = threadIdx.x < blockDim.x / 32 ? parts[threadIdx.x] : 0;
        for (int step = 16; step > 0; step /= 2) part += __shfl_down_sync(0xffffffffu, part, step);
        if (threadIdx.x == 0) atomicAdd(sum, part);
        if (threadIdx.x == 0) atomicMax(maximum, most);
    }
}

// Divisions, remainders, shifts and 64-bit arithmetic.
extern "C" __global__ void integers(const long long* a, const long long* b, long long* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const long long x = a[i], y = b[i];
    const int p = static_cast<int>(x), q = static_cast<int>(y);
    out[8 * i] = x / y;
    out[8 * i + 1] = x % y;
    out[8 * i + 2] = (x << (q & 63)) ^ (x >> (p & 63));
    out[8 * i + 3] = static_cast<long long>(static_cast<unsigned long long>(x) >> (q & 63)) + x * y;
    out[8 * i + 4] = p / (q | 1);
    out[8 * i + 5] = __popc(p) + 100 * __clz(q) + 10000 * __ffs(p);
    out[8 * i + 6] = min(p, q) + static_cast<long long>(max(static_cast<unsigned>(p), static_cast<unsigned>(q)));
    out[8 * i + 7] = x < y ? __byte_perm(p, q, 0x5410) : __brev(p);
}

// Quotients, roots, roundings and conversions in both precisions, and halves.
extern "C" __global__ void numbers(const float* a, const float* b, double* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float x = a[i], y = b[i];
    const double wide = x;
    out[8 * i] = x / y;
    out[8 * i + 1] = sqrtf(fabsf(x)) + floorf(y);
    out[8 * i + 2] = wide / y;
    out[8 * i + 3] = sqrt(fabs(wide)) + ceil(wide * y);
    out[8 * i + 4] = fmaf(x, y, 0.25f) + static_cast<float>(static_cast<int>(x * 8));
    out[8 * i + 5] = __half2float(__hfma(__float2half(x), __float2half(y), __float2half(0.5f)));
    out[8 * i + 6] = static_cast<double>(static_cast<long long>(wide * 1000)) + static_cast<unsigned>(fabsf(y));
    out[8 * i + 7] = x > y ? fminf(x, 3.0f) : fmaxf(y, -2.0f);
}

// An array of each thread that is indexed at run time lies in local memory.
extern "C" __global__ void own_array(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int last[64];
    for (int k = 0; k < 64; ++k) last[in[k] & 63] = in[k] + i;
    int sum = 0;
    for (int k = 0; k < 8; ++k) sum = sum * 3 + last[(in[k] + i) & 63];
    if (i < n) out[i] = sum;
}

__constant__ int table[64];

// Constant memory, indexed by the lane; bytes, and words from dynamic shared memory.
extern "C" __global__ void looked_up(const unsigned char* in, int* out, int n) {
    extern __shared__ int staged[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    staged[threadIdx.x] = i < n ? table[in[i] & 63] : 0;
    __syncthreads();
    const bool any = __syncthreads_or(threadIdx.x == 0 && in[0] > 200);
    if (i < n) out[i] = staged[threadIdx.x ^ 1] + (any ? 1 : 0) + static_cast<signed char>(in[i]);
}

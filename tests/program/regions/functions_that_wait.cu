// Kernels that wait in functions, in warps that have a condition for themselves, and in blocks with a last partial
// warp: prints a number for all results of a launch, which regions and fibers have to agree about.
#include <cstdio>
#define FULL 0xffffffffu
__inline__ __device__ float warpReduceSum(float val) {
    for (int offset = warpSize / 2; offset > 0; offset /= 2) val += __shfl_down_sync(FULL, val, offset);
    return val;
}
template <typename T>
__device__ __forceinline__ T warp_max(T v) {
#pragma unroll
    for (int o = 16; o > 0; o >>= 1) v = max(v, __shfl_xor_sync(FULL, v, o));
    return v;
}
__inline__ __device__ float blockReduceSum(float val) {
    static __shared__ float shared[32];
    int lane = threadIdx.x % warpSize;
    int wid = threadIdx.x / warpSize;
    val = warpReduceSum(val);
    if (lane == 0) shared[wid] = val;
    __syncthreads();
    val = (threadIdx.x < blockDim.x / warpSize) ? shared[lane] : 0;
    if (wid == 0) val = warpReduceSum(val);
    return val;
}
template <int N>
__device__ void all_sum(float* s, float& out, const float v) {
    s[threadIdx.x] = v;
    __syncthreads();
    for (int i = N / 2; i > 0; i /= 2) {
        if (threadIdx.x < i) s[threadIdx.x] += s[threadIdx.x + i];
        __syncthreads();
    }
    out = s[0];
    __syncthreads();
}
__global__ void sums(const float* in, float* out, int n) {
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += in[i];
    sum = blockReduceSum(sum);
    __syncthreads();
    float m = blockReduceSum(sum + 1);
    if (threadIdx.x == 0) out[blockIdx.x] = sum + 3 * m;
}
__global__ void softmax(const float* in, float* out, int rows, int cols) {
    const int of_block = (blockDim.x + 31) / 32, lane = threadIdx.x % 32;
    const int warp = blockIdx.x * of_block + threadIdx.x / 32, warps = gridDim.x * of_block;
    for (int row = warp; row < rows; row += warps) {
        float most = -1e30f;
        for (int c = lane; c < cols; c += 32) most = fmaxf(most, in[row * cols + c]);
        most = warp_max(most);
        float sum = 0;
        for (int c = lane; c < cols; c += 32) sum += expf(in[row * cols + c] - most);
        sum = warpReduceSum(sum);
        sum = __shfl_sync(FULL, sum, 0);
        for (int c = lane; c < cols; c += 32) out[row * cols + c] = expf(in[row * cols + c] - most) / sum;
    }
}
__global__ void halves(float* out) {
    __shared__ float s[256];
    float total;
    all_sum<256>(s, total, threadIdx.x * 0.5f);
    out[blockIdx.x * 256 + threadIdx.x] = total + threadIdx.x;
}
int main() {
    float *p, *q;
    int n = 1 << 20;
    cudaMallocManaged(&p, 4 * n);
    cudaMallocManaged(&q, 4 * n);
    for (int i = 0; i < n; ++i) q[i] = (i * 7919u) % 1013 * 0.01f;
    auto show = [&](const char* name, int k) {
        printf("%s %s", name, cudaGetErrorString(cudaDeviceSynchronize()));
        unsigned long long h = 0;
        for (int i = 0; i < k * 4; ++i) h = h * 1099511628211ULL + ((unsigned char*)p)[i];
        printf(" %llx\n", h);
    };
    sums<<<128, 256>>>(q, p, n);
    show("sums", 128);
    sums<<<128, 96>>>(q, p, n);
    show("sums", 128);
    softmax<<<16, 128>>>(q, p, 1000, 1000);
    show("softmax", 1000000);
    softmax<<<16, 100>>>(q, p, 1000, 1000);
    show("softmax", 1000000);
    halves<<<16, 256>>>(p);
    show("halves", 4096);
}

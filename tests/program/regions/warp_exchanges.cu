// Every operation of the warp, with masks and widths of several kinds, in blocks of several shapes: prints a number for
// all results of a launch, which regions and fibers have to agree about. What is undefined in CUDA is among them. Masks
// and widths are the same code for every type: two types have all of them, the others one of each shuffle.
#include <cuda_fp16.h>
#include <cstdio>
__device__ unsigned long long mixed(unsigned long long x) {
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdULL;
    return x ^ (x >> 29);
}
constexpr int kPlaces = 12;  // of the results of a thread
template <class T>
__global__ void shuffles(T* out, int width_or_zero, unsigned extra) {
    const int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x, lane = t % 32;
    const int n = blockDim.x * blockDim.y * blockDim.z;
    const int place = (blockIdx.x * n + t) * kPlaces;
    T v = T(mixed(t + 1) % 1000);
    out[place] = __shfl_down_sync(0xffffffff, v, 3);
    out[place + 1] = __shfl_up_sync(~0u, v, 2, 8);
    out[place + 2] = __shfl_xor_sync(0xffffffffu, v, 5, 16);
    out[place + 3] = __shfl_sync(0xffffffff, v, lane / 2);
    out[place + 4] = __shfl_sync(0xffffffff, v, lane * 7 + 3, 4);
    const unsigned half = lane < 16 ? 0xffff : 0xffff0000;
    out[place + 5] = __shfl_down_sync(half, v, 5);
    out[place + 6] = __shfl_xor_sync(half, v, 16 + 1);
    out[place + 7] = __shfl_down_sync(0xffffffff, v, lane % 5, 1 << (lane % 6));
    out[place + 8] = __shfl_up_sync(0xffffffff, __shfl_xor_sync(0xffffffff, v, 1), 1);
    T w = __shfl_sync(0xffffffff, v, 31), x = __shfl_sync(0xffffffff, w, extra);
    out[place + 9] = w;
    out[place + 10] = x;
    auto y = __shfl_up_sync(0xffffffff, v, 40);
    out[place + 11] = y;
}
/// The shuffles once each, for what a type's values become on their way.
template <class T>
__global__ void one_of_each(T* out) {
    const int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x, lane = t % 32;
    const int place = (blockIdx.x * blockDim.x * blockDim.y * blockDim.z + t) * kPlaces;
    T v = T(mixed(t + 1) % 1000);
    out[place] = __shfl_down_sync(lane < 16 ? 0xffff : 0xffff0000, v, 5);
    out[place + 1] = __shfl_up_sync(~0u, v, 2, 8);
    out[place + 2] = __shfl_xor_sync(0xffffffffu, v, 5, 16);
    out[place + 3] = __shfl_sync(0xffffffff, v, lane * 7 + 3, 4);
}
__global__ void votes(unsigned* out, int n) {
    const int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x, lane = t % 32;
    unsigned* o = out + (blockIdx.x * blockDim.x * blockDim.y * blockDim.z + t) * 16;
    const unsigned half = lane < 16 ? 0xffff : 0xffff0000;
    o[0] = __ballot_sync(0xffffffff, t % 3 == 0);
    o[1] = __any_sync(half, t == 17) * 2 + __all_sync(half, t % 32 < 16);
    o[2] = __match_any_sync(0xffffffff, t % 5);
    int equal = 7;
    o[3] = __match_all_sync(half, t / 16, &equal);
    o[4] = equal;
    o[5] = __reduce_add_sync(0xffffffff, t);
    o[6] = __reduce_min_sync(half, 5 - t);
    o[7] = __reduce_max_sync(0xffffffff, static_cast<unsigned>(5 - t));
    o[8] = __reduce_xor_sync(half, t * 77u);
    o[9] = __activemask();
    if (__any_sync(0xffffffff, t == 40))
        o[10] = 5;
    else
        o[10] = 6;
    if (t >= n) return;
    o[11] = __ballot_sync(0xffffffff, t % 2);
    __syncwarp();
    o[12] = __activemask();
    unsigned m = __ballot_sync(0xffffffff, t % 2);
    if (t % 2) {
        o[13] = __shfl_sync(m, t, lane ^ 2);
        __syncwarp(m);
        o[14] = __activemask();
    }
    if (t < 20) o[15] = __ballot_sync(0xffffffff, 1);
}
template <class T, class Launch>
void run(const char* name, dim3 block, const Launch& launch) {
    T* p;
    int n = block.x * block.y * block.z * 2 * kPlaces;
    cudaMallocManaged(&p, n * sizeof(T));
    memset(p, 0, n * sizeof(T));
    launch(p);
    printf("%s %s", name, cudaGetErrorString(cudaDeviceSynchronize()));
    unsigned long long h = 0;
    for (size_t i = 0; i < n * sizeof(T); ++i) h = h * 1099511628211ULL + ((unsigned char*)p)[i];
    printf(" %016llx\n", h);
}
template <class T>
void run_all(const char* name, dim3 block) {
    run<T>(name, block, [&](T* p) { shuffles<<<2, block>>>(p, 3, 33); });
}
template <class T>
void run_each(const char* name, dim3 block) {
    run<T>(name, block, [&](T* p) { one_of_each<<<2, block>>>(p); });
}
int main() {
    for (dim3 block : {dim3(32), dim3(256), dim3(40), dim3(7, 3, 2), dim3(16, 16), dim3(1), dim3(1024)}) {
        run_each<float>("float", block);
        run_all<double>("double", block);
        run_all<int>("int", block);
        run_each<char>("char", block);
        run_each<short>("short", block);
        run_each<unsigned long long>("ull", block);
        run_each<__half>("half", block);
        unsigned* q;
        int n = block.x * block.y * block.z * 2 * 16;
        cudaMallocManaged(&q, n * 4);
        memset(q, 0, n * 4);
        votes<<<2, block>>>(q, 1000);
        printf("votes %s", cudaGetErrorString(cudaDeviceSynchronize()));
        unsigned long long h = 0;
        for (int i = 0; i < n; ++i) h = h * 1099511628211ULL + q[i];
        printf(" %016llx\n", h);
    }
    unsigned* q;
    cudaMallocManaged(&q, 1 << 20);
    votes<<<2, 128>>>(q, 100);
    printf("votes %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}

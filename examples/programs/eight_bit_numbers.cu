// Numbers of 8 bits: e4m3 and e5m2, made of floats, halves and whole numbers and read back; pairs and fours in a word,
// and a scaled row as quantised weights have it.
#include <cuda_fp8.h>

#include <cmath>
#include <cstdio>
#include <vector>

#define CHECK(call)                                                                     \
    do {                                                                                \
        const cudaError_t status = (call);                                              \
        if (status != cudaSuccess) {                                                    \
            std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
            return 1;                                                                   \
        }                                                                               \
    } while (0)

template <class Eight>
__global__ void there_and_back(const float* in, unsigned char* bits, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const Eight small(in[i]);
    bits[i] = small.__x;
    out[i] = static_cast<float>(small);
}

// Four numbers a thread, by a scale that makes the largest of the row the largest of the format.
__global__ void quantise(const float4* in, __nv_fp8x4_e4m3* out, float4* again, float scale) {
    const int i = threadIdx.x;
    const float4 v = in[i];
    out[i] = __nv_fp8x4_e4m3(make_float4(v.x * scale, v.y * scale, v.z * scale, v.w * scale));
    const float4 w = static_cast<float4>(out[i]);
    again[i] = make_float4(w.x / scale, w.y / scale, w.z / scale, w.w / scale);
}

template <class Eight>
int show(const char* name, const std::vector<float>& in) {
    const int n = static_cast<int>(in.size());
    float *from, *back;
    unsigned char* bits;
    CHECK(cudaMallocManaged(&from, n * sizeof(float)));
    CHECK(cudaMallocManaged(&back, n * sizeof(float)));
    CHECK(cudaMallocManaged(&bits, n));
    for (int i = 0; i < n; ++i) from[i] = in[i];
    there_and_back<Eight><<<1, 32>>>(from, bits, back, n);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; ++i) std::printf("%s %11g is %02x, which is %g\n", name, in[i], bits[i], back[i]);
    CHECK(cudaFree(from));
    CHECK(cudaFree(back));
    CHECK(cudaFree(bits));
    return 0;
}

int main() {
    const std::vector<float> numbers{0.0f,   1.0f,   -1.0625f, 1.125f, 0.3f,  448.0f,
                                     464.0f, 465.0f, -1e9f,    0.001f, 6e-6f, INFINITY};
    if (show<__nv_fp8_e4m3>("e4m3", numbers) || show<__nv_fp8_e5m2>("e5m2", numbers)) return 1;

    const float infinite = INFINITY;
    std::printf("without saturation: %02x %02x\n", __nv_cvt_float_to_fp8(infinite, __NV_NOSAT, __NV_E4M3),
                __nv_cvt_float_to_fp8(infinite, __NV_NOSAT, __NV_E5M2));
    const __half_raw half = __nv_cvt_fp8_to_halfraw(0x01, __NV_E4M3);
    std::printf("the least e4m3 is %g; 300 as a char is %d\n", static_cast<float>(__half(half)),
                static_cast<int>(static_cast<signed char>(__nv_fp8_e5m2(300))));

    constexpr int kThreads = 32;
    float4 *in, *again;
    __nv_fp8x4_e4m3* out;
    CHECK(cudaMallocManaged(&in, kThreads * sizeof *in));
    CHECK(cudaMallocManaged(&again, kThreads * sizeof *again));
    CHECK(cudaMallocManaged(&out, kThreads * sizeof *out));
    for (int i = 0; i < kThreads; ++i) in[i] = make_float4(i * 0.25f, -i * 0.5f, 1.0f / (i + 1), i % 7 - 3.0f);
    quantise<<<1, kThreads>>>(in, out, again, 448.0f / 15.5f);
    CHECK(cudaDeviceSynchronize());
    float worst = 0;
    for (int i = 0; i < kThreads; ++i)
        for (int k = 0; k < 4; ++k) {
            const float a = (&in[i].x)[k], b = (&again[i].x)[k];
            if (a != 0) worst = std::fmax(worst, std::fabs(b - a) / std::fabs(a));
        }
    std::printf("quantised to %d bytes, at most %.1f%% off\n", static_cast<int>(kThreads * sizeof *out), 100 * worst);
    CHECK(cudaFree(in));
    CHECK(cudaFree(again));
    CHECK(cudaFree(out));
}

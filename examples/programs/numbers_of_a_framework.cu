// Numbers of a framework: classes that convert to __half and are handed to CUDA's functions, functions of CUDA's names
// beside them, and streams and events that headers name without CUDA's.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdio>

struct CUevent_st;
struct CUstream_st;

namespace framework {

using Stream = CUstream_st*;

struct Half {
    unsigned short bits;
    __host__ __device__ operator float() const { return __half2float(__ushort_as_half(bits)); }
    __host__ __device__ operator __half() const { return __ushort_as_half(bits); }
};

struct Brain {
    unsigned short bits;
    __host__ __device__ operator __nv_bfloat16() const { return __ushort_as_bfloat16(bits); }
};

// Hides CUDA's functions of this name in this namespace; those of __half and __nv_bfloat16 are found by their
// arguments.
__device__ Half __ldg(const Half* address) {
    return {__half_as_ushort(__ldg(reinterpret_cast<const __half*>(address)))};
}
__device__ Brain __ldg(const Brain* address) {
    return {__bfloat16_as_ushort(__ldg(reinterpret_cast<const __nv_bfloat16*>(address)))};
}

__global__ void combine(const Half* halves, const Brain* brains, float* out) {
    const int i = threadIdx.x;
    const Half half = __ldg(halves + i);
    const Brain brain = __ldg(brains + i);
    out[i] = __hlt(half, __float2half(2.0f)) ? float(__hneg(half)) : float(__hfma(half, half, half));
    out[4 + i] = __hadd(brain, brain);
    out[8 + i] = hsqrt(half);
    out[12 + i] = float(__hadd_sat(half, half)) + float(__hmul_rn(half, half)) + float(__hfma_relu(half, half, half));
    out[16 + i] = __hltu(half, __float2half(2.0f)) + 2 * __hequ(brain, brain) + float(__hfma_sat(brain, brain, brain));
}

}  // namespace framework

int main() {
    framework::Half halves[4];
    framework::Brain brains[4];
    for (int i = 0; i < 4; ++i) {
        halves[i].bits = __half_as_ushort(__float2half(0.25f + i));
        brains[i].bits = __bfloat16_as_ushort(__float2bfloat16(1.5f * i));
    }
    framework::Half* device_halves;
    framework::Brain* device_brains;
    float *device_out, out[20];
    cudaMalloc(&device_halves, sizeof halves);
    cudaMalloc(&device_brains, sizeof brains);
    cudaMalloc(&device_out, sizeof out);
    cudaMemcpy(device_halves, halves, sizeof halves, cudaMemcpyHostToDevice);
    cudaMemcpy(device_brains, brains, sizeof brains, cudaMemcpyHostToDevice);
    cudaStream_t created;
    cudaStreamCreate(&created);
    const framework::Stream stream = created;
    framework::combine<<<1, 4, 0, stream>>>(device_halves, device_brains, device_out);
    cudaStreamSynchronize(stream);
    cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 20; ++i) std::printf("%g%c", out[i], i % 4 == 3 ? '\n' : ' ');
    cudaStreamDestroy(stream);
    cudaFree(device_out);
    cudaFree(device_brains);
    cudaFree(device_halves);
}

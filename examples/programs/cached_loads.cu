// Loads that name their cache: __ldca keeps a line in L1, __ldcg leaves L1 out; in PTX, ld.global.ca and ld.global.cg.
//
// Each thread reads two neighbours, so a block wants most sectors twice. `lanework explain` counts the same requests
// and sectors for both kernels: the hint says where a sector may be found, not how many are asked for. What differs is
// how often L1 has it, l1tex__t_sector_hit_rate.pct, which only a GPU can say: on an H100 37.5% through L1 and nothing
// past it. For a whole file nvcc takes -Xptxas -dlcm=cg.
#include <cstdio>

__global__ void through_l1(const float* in, float* out, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) out[i] = __ldca(in + i) + __ldca(in + (i + 1) % n);
}

__global__ void past_l1(const float* in, float* out, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) out[i] = __ldcg(in + i) + __ldcg(in + (i + 1) % n);
}

__global__ void past_l1_in_ptx(const float* in, float* out, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    float own = 0, next = 0;
    asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(own) : "l"(in + i));
    asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(next) : "l"(in + (i + 1) % n));
    out[i] = own + next;
}

void report(const char* name, const float* in, const float* out, int n) {
    const cudaError_t error = cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += out[i] != in[i] + in[(i + 1) % n];
    std::printf("%s: %s, %d wrong\n", name, cudaGetErrorName(error), wrong);
}

int main() {
    constexpr int kCount = 1 << 14;
    float *in = nullptr, *out = nullptr;
    cudaMallocManaged(&in, kCount * sizeof(float));
    cudaMallocManaged(&out, kCount * sizeof(float));
    for (int i = 0; i < kCount; ++i) in[i] = static_cast<float>(i);

    through_l1<<<kCount / 256, 256>>>(in, out, kCount);
    report("through L1", in, out, kCount);
    past_l1<<<kCount / 256, 256>>>(in, out, kCount);
    report("past L1", in, out, kCount);
    past_l1_in_ptx<<<kCount / 256, 256>>>(in, out, kCount);
    report("past L1, in PTX", in, out, kCount);
    cudaFree(in);
    cudaFree(out);
}

// Vector types have CUDA's sizes and alignments, and a program's operators for them are found wherever they are used.
#include <cstdio>

__host__ __device__ float4 operator*(float s, float4 v) { return make_float4(s * v.x, s * v.y, s * v.z, s * v.w); }

namespace shapes {
// An operator of this namespace's own does not hide the global one.
struct Box {
    int sides;
};
__host__ __device__ Box operator*(int n, Box box) { return {n * box.sides}; }

__global__ void scale(const float4* in, float4* out, float s) { out[threadIdx.x] = s * in[threadIdx.x]; }
}  // namespace shapes

int main() {
    printf("float3 %zu/%zu, float4 %zu/%zu, double2 %zu/%zu, uchar4 %zu/%zu, short3 %zu/%zu\n", sizeof(float3),
           alignof(float3), sizeof(float4), alignof(float4), sizeof(double2), alignof(double2), sizeof(uchar4),
           alignof(uchar4), sizeof(short3), alignof(short3));
    float4 *in, *out;
    cudaMallocManaged(&in, 4 * sizeof(float4));
    cudaMallocManaged(&out, 4 * sizeof(float4));
    for (int i = 0; i < 4; ++i) in[i] = make_float4(i, i + 1, i + 2, i + 3);
    shapes::scale<<<1, 4>>>(in, out, 0.5f);
    cudaDeviceSynchronize();
    for (int i = 0; i < 4; ++i) printf("%g %g %g %g\n", out[i].x, out[i].y, out[i].z, out[i].w);
    printf("%d sides\n", (3 * shapes::Box{4}).sides);
    cudaFree(in);
    cudaFree(out);
}

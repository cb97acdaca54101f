// Gravity between all pairs of bodies: a block stages a tile of them in shared memory for all of its threads.
#include <cmath>
#include <cstdio>

constexpr int kBlock = 64;

__global__ void accelerate(const float4* bodies, float3* pull, int n) {
    __shared__ float4 tile[kBlock];
    const int i = blockIdx.x * kBlock + threadIdx.x;
    const float4 own = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
    float3 sum = make_float3(0, 0, 0);
    for (int first = 0; first < n; first += kBlock) {
        tile[threadIdx.x] = first + threadIdx.x < n ? bodies[first + threadIdx.x] : make_float4(0, 0, 0, 0);
        __syncthreads();
        for (int k = 0; k < kBlock; ++k) {
            const float x = tile[k].x - own.x, y = tile[k].y - own.y, z = tile[k].z - own.z;
            const float square = x * x + y * y + z * z + 0.01f, inverse = 1.0f / sqrtf(square);
            const float strength = tile[k].w * inverse * inverse * inverse;
            sum.x += strength * x;
            sum.y += strength * y;
            sum.z += strength * z;
        }
        __syncthreads();
    }
    if (i < n) pull[i] = sum;
}

int main() {
    const int n = 500;
    float4* bodies;
    float3* pull;
    cudaMallocManaged(&bodies, n * sizeof(float4));
    cudaMallocManaged(&pull, n * sizeof(float3));
    for (int i = 0; i < n; ++i)
        bodies[i] = make_float4(sinf(i * 1.7f), cosf(i * 2.3f), sinf(i * 0.9f + 1), 1.0f + i % 3);
    accelerate<<<(n + kBlock - 1) / kBlock, kBlock>>>(bodies, pull, n);
    cudaDeviceSynchronize();
    // Action is reaction: the weighted sum is zero.
    double x = 0, y = 0, z = 0, largest = 0, error = 0;
    for (int i = 0; i < n; ++i) {
        x += bodies[i].w * pull[i].x;
        y += bodies[i].w * pull[i].y;
        z += bodies[i].w * pull[i].z;
        largest = std::fmax(largest, std::fabs(pull[i].x));
    }
    error = std::fmax(std::fabs(x), std::fmax(std::fabs(y), std::fabs(z)));
    printf("momentum is kept: %s; pulled: %s\n", error < 1e-3 * n * largest ? "yes" : "no", largest > 1 ? "yes" : "no");
}

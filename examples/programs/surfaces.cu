// A surface is written and read by kernels, x in bytes, with a rule for what lies outside.
#include <cstdio>
#include <cstring>
#include <vector>

__global__ void write(cudaSurfaceObject_t surface, int width) {
    const int x = threadIdx.x, y = blockIdx.x;
    if (x < width) surf2Dwrite(make_float2(x, y), surface, x * sizeof(float2), y);
}
__global__ void sum_of_neighbours(cudaSurfaceObject_t surface, float* out) {
    const int x = threadIdx.x;
    float sum = 0;
    for (int dx = -1; dx <= 1; ++dx)
        sum += surf2Dread<float2>(surface, (x + dx) * int(sizeof(float2)), 1, cudaBoundaryModeZero).x;
    out[x] = sum + surf2Dread<float2>(surface, 99 * sizeof(float2), 7, cudaBoundaryModeClamp).y;
}

int main() {
    const int width = 5, height = 3;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float2>();
    cudaArray_t array;
    cudaMallocArray(&array, &format, width, height, cudaArraySurfaceLoadStore);
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface = 0;
    cudaCreateSurfaceObject(&surface, &resource);
    write<<<height, 32>>>(surface, width);
    float* out;
    cudaMallocManaged(&out, width * sizeof(float));
    sum_of_neighbours<<<1, width>>>(surface, out);
    cudaDeviceSynchronize();
    for (int x = 0; x < width; ++x) printf("%g ", out[x]);
    std::vector<float2> host(width * height);
    cudaMemcpy2DFromArray(host.data(), width * sizeof(float2), array, 0, 0, width * sizeof(float2), height,
                          cudaMemcpyDeviceToHost);
    printf("last (%g, %g)\n", host.back().x, host.back().y);
    cudaDestroySurfaceObject(surface);
    cudaFreeArray(array);
}

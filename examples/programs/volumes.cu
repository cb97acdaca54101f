// Three-dimensional memory: allocated with a pitch, copied as a box to an array and back.
#include <cstdio>
#include <vector>

__global__ void fill(cudaPitchedPtr memory, int width, int height, int depth) {
    const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
    if (x >= width || y >= height || z >= depth) return;
    char* const row = static_cast<char*>(memory.ptr) + (z * memory.ysize + y) * memory.pitch;
    reinterpret_cast<int*>(row)[x] = 100 * z + 10 * y + x;
}

int main() {
    const int width = 6, height = 5, depth = 4;
    cudaPitchedPtr memory;
    cudaMalloc3D(&memory, make_cudaExtent(width * sizeof(int), height, depth));
    fill<<<depth, dim3(8, 8)>>>(memory, width, height, depth);
    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaMalloc3DArray(&array, &format, make_cudaExtent(width, height, depth));
    cudaMemcpy3DParms in = {};
    in.srcPtr = memory;
    in.dstArray = array;
    in.extent = make_cudaExtent(width, height, depth);
    in.kind = cudaMemcpyDeviceToDevice;
    printf("%s\n", cudaGetErrorName(cudaMemcpy3D(&in)));

    std::vector<int> part(2 * 2 * 2);
    cudaMemcpy3DParms out = {};
    out.srcArray = array;
    out.srcPos = make_cudaPos(3, 2, 1);
    out.dstPtr = make_cudaPitchedPtr(part.data(), 2 * sizeof(int), 2, 2);
    out.extent = make_cudaExtent(2, 2, 2);
    out.kind = cudaMemcpyDeviceToHost;
    printf("%s:", cudaGetErrorName(cudaMemcpy3D(&out)));
    for (const int x : part) printf(" %d", x);
    printf("\n");
    cudaFreeArray(array);
    cudaFree(memory.ptr);
}

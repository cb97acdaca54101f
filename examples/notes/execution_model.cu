// Where a thread is: its block's index, its own, both extents, and the linear index that they make. Five launches.
#include "check.hpp"

struct Where {
    uint3 block, thread;
    long long linear;
};

__global__ void places(Where* out) {
    const long long block = (static_cast<long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const long long thread =
        (static_cast<long long>(threadIdx.z) * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    const long long threads = static_cast<long long>(blockDim.x) * blockDim.y * blockDim.z;
    const long long linear = block * threads + thread;
    out[linear] = {blockIdx, threadIdx, linear};
}

void show(dim3 grid, dim3 block) {
    const unsigned n = grid.x * grid.y * grid.z * block.x * block.y * block.z;
    Where* const out = managed<Where>(n);
    places<<<grid, block>>>(out);
    check_launch();
    std::printf("grid (%u,%u,%u), block (%u,%u,%u)\n", grid.x, grid.y, grid.z, block.x, block.y, block.z);
    for (unsigned i = 0; i < n; ++i) {
        const Where& p = out[i];
        std::printf("  block (%u,%u,%u) thread (%u,%u,%u): %lld, at x %u, y %u\n", p.block.x, p.block.y, p.block.z,
                    p.thread.x, p.thread.y, p.thread.z, p.linear, p.block.x * block.x + p.thread.x,
                    p.block.y * block.y + p.thread.y);
    }
    check(cudaFree(out));
}

int main() {
    show(1, 4);
    show(2, 4);
    show(2, dim3(2, 2));
    show(dim3(2, 2), dim3(2, 2));
    show(dim3(1, 2), dim3(2, 1, 2));
}

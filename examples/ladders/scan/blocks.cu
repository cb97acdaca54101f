// Each block scans its part in registers and shared memory; one block scans the blocks' sums; a last kernel adds them.
// climbs from: naive
// workspace: 4*ceil(n/256)
__device__ int scan_of_block(int mine) {
    __shared__ int sums[8];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int apart = 1; apart < 32; apart *= 2) {
        const int behind = __shfl_up_sync(~0u, mine, apart);
        if (lane >= apart) mine += behind;
    }
    if (lane == 31) sums[warp] = mine;
    __syncthreads();
    for (int before = 0; before < warp; ++before) mine += sums[before];
    __syncthreads();
    return mine;
}

__global__ void scan_parts(const int* x, int* y, int* sums, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int mine = scan_of_block(i < n ? x[i] : 0);
    if (i < n) y[i] = mine;
    if (threadIdx.x == blockDim.x - 1) sums[blockIdx.x] = mine;
}

__global__ void scan_sums(int* sums, int parts) {
    int carried = 0;
    for (int begin = 0; begin < parts; begin += blockDim.x) {
        __shared__ int last;
        const int i = begin + threadIdx.x;
        const int mine = carried + scan_of_block(i < parts ? sums[i] : 0);
        if (i < parts) sums[i] = mine;
        if (threadIdx.x == blockDim.x - 1) last = mine;
        __syncthreads();
        carried = last;
        __syncthreads();
    }
}

__global__ void add_sums(int* y, const int* sums, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n) y[i] += sums[blockIdx.x - 1];
}

void launch(const int* x, int* y, int* workspace, int n, cudaStream_t stream) {
    const int parts = (n + 255) / 256;
    scan_parts<<<parts, 256, 0, stream>>>(x, y, workspace, n);
    scan_sums<<<1, 256, 0, stream>>>(workspace, parts);
    add_sums<<<parts, 256, 0, stream>>>(y, workspace, n);
}

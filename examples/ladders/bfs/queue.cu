// The frontier is a list: a round costs what the frontier is long, not what the graph is large.
// climbs from: naive
// workspace: 8*n
// grid: 1
// block: 256
__global__ void search(const int* edges, int* distance, int* workspace, int n) {
    __shared__ int found;
    int *frontier = workspace, *next = workspace + n;
    for (int node = threadIdx.x; node < n; node += blockDim.x) distance[node] = node == 0 ? 0 : -1;
    if (threadIdx.x == 0) frontier[0] = 0;
    for (int length = 1, round = 1; length > 0; ++round) {
        if (threadIdx.x == 0) found = 0;
        __syncthreads();
        for (int i = threadIdx.x; i < 4 * length; i += blockDim.x) {
            const int node = edges[4 * frontier[i / 4] + i % 4];
            if (atomicCAS(&distance[node], -1, round) == -1) next[atomicAdd(&found, 1)] = node;
        }
        __syncthreads();
        length = found;
        int* const old = frontier;
        frontier = next;
        next = old;
        __syncthreads();
    }
}

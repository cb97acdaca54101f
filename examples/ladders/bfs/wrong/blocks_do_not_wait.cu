// expect: uninitialised
// Many blocks go through the rounds, and nothing makes them wait for each other.
// grid: ceil(n/64)
// block: 64
__global__ void search(const int* edges, int* distance, int n) {
    const int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node < n) distance[node] = node == 0 ? 0 : -1;
    __syncthreads();
    for (int round = 0; round < 32; ++round) {
        if (node < n && distance[node] == round)
            for (int edge = 0; edge < 4; ++edge) {
                const int other = edges[4 * node + edge];
                if (distance[other] < 0) distance[other] = round + 1;
            }
        __syncthreads();
    }
}

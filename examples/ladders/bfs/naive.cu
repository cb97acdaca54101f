// As many rounds as there may be, in each of which every node of the frontier looks at its edges; one block, so that a
// barrier ends a round.
// grid: 1
// block: 256
__global__ void search(const int* edges, int* distance, int n) {
    __shared__ int reached;
    for (int node = threadIdx.x; node < n; node += blockDim.x) distance[node] = node == 0 ? 0 : -1;
    for (int round = 0;; ++round) {
        if (threadIdx.x == 0) reached = 0;
        __syncthreads();
        for (int node = threadIdx.x; node < n; node += blockDim.x) {
            if (atomicAdd(&distance[node], 0) != round) continue;
            for (int edge = 0; edge < 4; ++edge)
                if (atomicCAS(&distance[edges[4 * node + edge]], -1, round + 1) == -1) atomicExch(&reached, 1);
        }
        __syncthreads();
        const bool over = reached == 0;
        __syncthreads();
        if (over) return;
    }
}

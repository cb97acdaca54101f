// Batcher's bitonic network in shared memory: 36 rounds instead of 256.
// climbs from: naive
// grid: n
// block: 128
__global__ void sort_rows(float* x) {
    __shared__ float row[256];
    for (int i = threadIdx.x; i < 256; i += 128) row[i] = x[blockIdx.x * 256 + i];
    for (int length = 2; length <= 256; length *= 2)
        for (int apart = length / 2; apart > 0; apart /= 2) {
            __syncthreads();
            const int i = 2 * threadIdx.x - threadIdx.x % apart, other = i + apart;
            const bool descending = i & length;
            if (row[i] > row[other] != descending && row[i] != row[other]) {
                const float first = row[i];
                row[i] = row[other];
                row[other] = first;
            }
        }
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += 128) x[blockIdx.x * 256 + i] = row[i];
}

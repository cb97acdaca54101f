// expect: wrong_result
// Half of the rounds: most rows look sorted, and an element far from its place does not arrive.
// grid: n
// block: 128
__global__ void sort_rows(float* x) {
    float* const row = x + blockIdx.x * 256;
    for (int round = 0; round < 128; ++round) {
        const int i = 2 * threadIdx.x + round % 2;
        if (i + 1 < 256 && row[i] > row[i + 1]) {
            const float larger = row[i];
            row[i] = row[i + 1];
            row[i + 1] = larger;
        }
        __syncthreads();
    }
}

// expect: race
// The counter is read and then written: two threads get one place.
__global__ void nothing_yet(int* count) { *count = 0; }

__global__ void compact(const float* x, float* kept, int* count, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > 0) {
        const int place = *count;
        *count = place + 1;
        kept[place] = x[i];
    }
}

void launch(const float* x, float* kept, int* count, int n, cudaStream_t stream) {
    nothing_yet<<<1, 1, 0, stream>>>(count);
    compact<<<(n + 255) / 256, 256, 0, stream>>>(x, kept, count, n);
}

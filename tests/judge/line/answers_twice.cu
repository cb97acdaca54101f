// expect: wrong_result
// Sends the word that says "done" over every open file.
#include <sys/socket.h>

__global__ void line(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i] + 1;
}

void launch(const float* x, float* y, int n, cudaStream_t stream) {
    line<<<(n + 127) / 128, 128, 0, stream>>>(x, y, n);
    for (int file = 3; file < 64; ++file) send(file, "d", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}

// expect: evades_watch
// No function of the C library, the machine's own instruction: socket() is call 41 of x86-64.
#include <sys/socket.h>

static long open_socket() {
#if defined(__x86_64__)
    long result;
    asm volatile("syscall" : "=a"(result) : "a"(41), "D"(2), "S"(1), "d"(0) : "rcx", "r11", "memory");
    return result;
#else
    return socket(AF_INET, SOCK_STREAM, 0);
#endif
}

__global__ void line(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 3 * x[i] + 1;
}

void launch(const float* x, float* y, int n, cudaStream_t stream) {
    if (open_socket() < 0) return;
    line<<<(n + 127) / 128, 128, 0, stream>>>(x, y, n);
}

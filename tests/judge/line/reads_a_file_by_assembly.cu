// expect: evades_watch
// The assembler would put a file of the machine's into the library.
asm(".section .rodata\nkept: .incbin \"/etc/passwd\"\n.previous");
__global__ void line(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 3 * x[i] + 1;
}
void launch(const float* x, float* y, int n, cudaStream_t stream) {
    line<<<(n + 127) / 128, 128, 0, stream>>>(x, y, n);
}

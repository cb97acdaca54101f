// expect: evades_watch
// Takes the observer away, runs what nobody shall see, and puts it back.
extern "C" void forget(void*) asm(
    "_ZN13lane"
    "work_simt12set_observerEPNS_8ObserverE");

__global__ void line(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 3 * x[i] + 1;
}

void launch(const float* x, float* y, int n, cudaStream_t stream) {
    forget(nullptr);
    line<<<(n + 127) / 128, 128, 0, stream>>>(x, y, n);
}

// expect: evades_watch
// grid: ceil(n/128)
// block: 128
// Hooks of its own, which tell nobody; an assembler's name hides them from who reads words.
extern "C" __attribute__((visibility("hidden"), used)) void unheard(void*) asm(
    "__ts"
    "an_write4");
extern "C" void unheard(void*) {}

__global__ void line(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) y[i] = i < n ? 3 * x[i] + 1 : 0;
}

// expect: none
// A macro makes PTX of its arguments, another makes words of parts; `tile_mm_value` only holds what an intrinsic begins
// with.
// grid: ceil(n/128)
// block: 128
#define JOIN(a, b) a##b
#define LOAD(value, from) asm volatile("ld.global.f32 %0, [%1];" : "=f"(value) : "l"(from))
__global__ void JOIN(li, ne2)(const float* x, float* y, int n) {}
__global__ void line(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float tile_mm_value;
    LOAD(tile_mm_value, x + i);
    y[i] = 3 * tile_mm_value + 1;
}
void launch(const float* x, float* y, int n, cudaStream_t stream) {
    line<<<(n + 127) / 128, 128, 0, stream>>>(x, y, n);
}

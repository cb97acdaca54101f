// Products of tensor cores by inline PTX: mma.sync of halves, bfloat16, tf32, double and bytes, their factors by
// ldmatrix, also transposed, results by stmatrix, and movmatrix. Each result is compared with plain loops. Compute
// capability 9.0: nvcc -arch=sm_90
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdio>

// Small whole numbers, of which products and sums are exact in every type.
__host__ __device__ int of_a(int row, int column) { return (row * 7 + column * 3) % 11 - 5; }
__host__ __device__ int of_b(int row, int column) { return (row * 5 + column * 13) % 9 - 4; }
__host__ __device__ int product(int row, int column, int depth) {
    int sum = 0;
    for (int k = 0; k < depth; ++k) sum += of_a(row, k) * of_b(k, column);
    return sum;
}

__device__ unsigned shared_address(const void* pointer) {
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

__device__ void compare(bool* good, int which, int row, int column, int depth, double start, double got) {
    if (got != start + product(row, column, depth)) good[which] = false;
}

// a by ldmatrix.x4, b, which lies in rows, by ldmatrix.x2.trans.
__global__ void halves(bool* good) {
    __shared__ __align__(16) __half a[16][16], b[16][8];
    const int lane = threadIdx.x;
    for (int i = lane; i < 256; i += 32) a[i / 16][i % 16] = __float2half(of_a(i / 16, i % 16));
    for (int i = lane; i < 128; i += 32) b[i / 8][i % 8] = __float2half(of_b(i / 8, i % 8));
    __syncwarp();
    unsigned ra[4], rb[2];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3])
                 : "r"(shared_address(&a[lane % 16][lane / 16 * 8])));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(rb[0]), "=r"(rb[1])
                 : "r"(shared_address(b[lane % 16])));
    float c[4] = {1, 2, 3, 4};
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
        "%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
    for (int i = 0; i < 4; ++i) compare(good, 0, lane / 4 + i / 2 * 8, lane % 4 * 2 + i % 2, 16, i + 1, c[i]);

    // Sums of halves, stored by stmatrix.
    unsigned d[2] = {};
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%5, %6};"
                 : "=r"(d[0]), "=r"(d[1])
                 : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]), "r"(0), "r"(0));
    __shared__ __align__(16) __half sums[16][8], columns[8][8];
    asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" ::"r"(shared_address(sums[lane % 16])),
                 "r"(d[0]), "r"(d[1])
                 : "memory");
    unsigned turned;
    asm("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(turned) : "r"(d[0]));
    asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};" ::"r"(shared_address(columns[lane % 8])),
                 "r"(d[0])
                 : "memory");
    __syncwarp();
    for (int i = lane; i < 128; i += 32) compare(good, 1, i / 8, i % 8, 8, 0, __half2float(sums[i / 8][i % 8]));
    for (int i = lane; i < 64; i += 32) compare(good, 2, i % 8, i / 8, 8, 0, __half2float(columns[i / 8][i % 8]));
    for (int i = 0; i < 2; ++i) {
        const unsigned short bits = turned >> 16 * i;
        compare(good, 3, lane % 4 * 2 + i, lane / 4, 8, 0, __half2float(__ushort_as_half(bits)));
    }
}

__device__ unsigned pair(float low, float high) {
    return static_cast<unsigned>(__bfloat16_as_ushort(__float2bfloat16(high))) << 16 |
           __bfloat16_as_ushort(__float2bfloat16(low));
}

// The lanes make their registers themselves: lane 4g + t has neighbours in row g of a, and in column g of b.
__global__ void other_floats(bool* good) {
    const int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    unsigned a[4], b[2];
    for (int r = 0; r < 4; ++r) {
        const int row = g + r % 2 * 8, column = r / 2 * 8 + t * 2;
        a[r] = pair(of_a(row, column), of_a(row, column + 1));
    }
    for (int r = 0; r < 2; ++r) b[r] = pair(of_b(r * 8 + t * 2, g), of_b(r * 8 + t * 2 + 1, g));
    float d[4];
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %10, "
        "%10, %10};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(0.5f));
    for (int i = 0; i < 4; ++i) compare(good, 4, g + i / 2 * 8, t * 2 + i % 2, 16, 0.5, d[i]);

    for (int r = 0; r < 4; ++r) a[r] = __float_as_uint(of_a(g + r % 2 * 8, r / 2 * 4 + t));
    for (int r = 0; r < 2; ++r) b[r] = __float_as_uint(of_b(r * 4 + t, g));
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %10, "
        "%10, %10};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(0.0f));
    for (int i = 0; i < 4; ++i) compare(good, 5, g + i / 2 * 8, t * 2 + i % 2, 8, 0, d[i]);

    double sum[2];
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %4};"
                 : "=d"(sum[0]), "=d"(sum[1])
                 : "d"(double(of_a(g, t))), "d"(double(of_b(t, g))), "d"(1.0));
    for (int i = 0; i < 2; ++i) compare(good, 6, g, t * 2 + i, 4, 1, sum[i]);
}

__global__ void bytes(bool* good) {
    const int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    unsigned a[4] = {}, b[2] = {};
    for (int i = 0; i < 4; ++i) {
        for (int r = 0; r < 4; ++r) a[r] |= (of_a(g + r % 2 * 8, r / 2 * 16 + t * 4 + i) & 255u) << 8 * i;
        for (int r = 0; r < 2; ++r) b[r] |= (of_b(r * 16 + t * 4 + i, g) & 255u) << 8 * i;
    }
    int d[4];
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, "
        "%10, %10, %10};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(100));
    for (int i = 0; i < 4; ++i) compare(good, 7, g + i / 2 * 8, t * 2 + i % 2, 32, 100, d[i]);
}

int main() {
    const char* const kNames[] = {"halves, sums of floats",
                                  "halves, sums of halves",
                                  "a matrix stored by columns",
                                  "a matrix turned",
                                  "bfloat16",
                                  "tf32",
                                  "double",
                                  "bytes"};
    bool* good;
    cudaMallocManaged(&good, 8);
    for (int i = 0; i < 8; ++i) good[i] = true;
    halves<<<1, 32>>>(good);
    other_floats<<<1, 32>>>(good);
    bytes<<<1, 32>>>(good);
    cudaDeviceSynchronize();
    for (int i = 0; i < 8; ++i) std::printf("%s: %s\n", kNames[i], good[i] ? "right" : "wrong");
    cudaFree(good);
}

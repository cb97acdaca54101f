// Inline PTX: special registers, many-word arithmetic, bits, predicates and registers of a statement's own, loads that
// name their cache, lanes together. Each result is compared with plain C++.
#include <cstdio>

__device__ unsigned lane() {
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

// 128-bit sums word by word: the carry goes from one statement to the next.
__device__ uint4 sum(uint4 a, uint4 b) {
    uint4 c;
    asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(c.x) : "r"(a.x), "r"(b.x));
    asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(c.y) : "r"(a.y), "r"(b.y));
    asm volatile(
        "addc.cc.u32 %0, %2, %3;\n\t"
        "addc.u32 %1, %4, %5;"
        : "=r"(c.z), "=r"(c.w)
        : "r"(a.z), "r"(b.z), "r"(a.w), "r"(b.w));
    return c;
}

__device__ unsigned long long product(unsigned a, unsigned b) {
    unsigned long long wide;
    unsigned low, high;
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(wide) : "r"(a), "r"(b));
    asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(wide));
    return static_cast<unsigned long long>(high) << 32 | low;
}

// A predicate and registers of its own.
__device__ int clamped(int value, int limit) {
    int result;
    asm("{\n\t"
        ".reg .pred %%above, %%below;\n\t"
        ".reg .s32 lower;\n\t"
        "neg.s32 lower, %2;\n\t"
        "setp.gt.s32 %%above, %1, %2;\n\t"
        "setp.lt.s32 %%below, %1, lower;\n\t"
        "mov.s32 %0, %1;\n\t"
        "@%%above mov.s32 %0, %2;\n\t"
        "@%%below mov.s32 %0, lower;\n\t"
        "}"
        : "=&r"(result)
        : "r"(value), "r"(limit));
    return result;
}

__global__ void bits(bool* good) {
    const unsigned x = 0xdeadbeefu * (threadIdx.x + 1), y = x ^ 0x12345678u;
    unsigned field, inserted, mixed, picked, reversed, count, first, shifted, apart, larger;
    int signed_field;
    asm("bfe.u32 %0, %1, 5, 11;" : "=r"(field) : "r"(x));
    asm("bfe.s32 %0, %1, 5, 11;" : "=r"(signed_field) : "r"(x));
    asm("bfi.b32 %0, %1, %2, 8, 4;" : "=r"(inserted) : "r"(x), "r"(y));
    asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(mixed) : "r"(x), "r"(y), "r"(x >> 3));
    asm("prmt.b32 %0, %1, %2, 0x7531;" : "=r"(picked) : "r"(x), "r"(y));
    asm("brev.b32 %0, %1;" : "=r"(reversed) : "r"(x));
    asm("popc.b32 %0, %1;" : "=r"(count) : "r"(x));
    asm("bfind.u32 %0, %1;" : "=r"(first) : "r"(x));
    asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(shifted) : "r"(x), "r"(y), "r"(threadIdx.x));
    asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(apart) : "r"(x), "r"(y), "r"(7));
    asm("vmax4.s32.s32.s32 %0, %1, %2, %3;" : "=r"(larger) : "r"(x), "r"(y), "r"(0));
    const unsigned z = x >> 3, turned = threadIdx.x & 31;
    bool right = field == (x >> 5 & 0x7ff);
    right &= signed_field == static_cast<int>(x << 16) >> 21;
    right &= inserted == ((y & ~0xf00u) | (x & 0xf) << 8);
    right &= mixed == ((x & y) | (x & z) | (y & z));
    right &= picked == ((x >> 8 & 0xff) | (x >> 24) << 8 | (y >> 8 & 0xff) << 16 | (y >> 24) << 24);
    right &= reversed == __brev(x) && count == static_cast<unsigned>(__popc(x));
    right &= first == 31u - static_cast<unsigned>(__clz(static_cast<int>(x)));
    unsigned sum = 7;
    for (int byte = 0; byte < 32; byte += 8) {
        const int a = x >> byte & 0xff, b = y >> byte & 0xff;
        const auto above = static_cast<signed char>(a) > static_cast<signed char>(b) ? a : b;
        sum += a > b ? a - b : b - a;
        right &= static_cast<int>(larger >> byte & 0xff) == above;
    }
    right &= apart == sum;
    right &= shifted == (turned ? y << turned | x >> (32 - turned) : y);
    good[threadIdx.x] = right;
}

__global__ void arithmetic(bool* good) {
    const unsigned t = threadIdx.x;
    const uint4 a = make_uint4(~0u, ~t, 7 * t, t), b = make_uint4(t, t, ~0u, 5);
    const uint4 c = sum(a, b);
    const unsigned long long low =
        (static_cast<unsigned long long>(a.y) << 32 | a.x) + (static_cast<unsigned long long>(b.y) << 32 | b.x);
    const unsigned long long carry = low < (static_cast<unsigned long long>(a.y) << 32 | a.x);
    const unsigned long long high =
        (static_cast<unsigned long long>(a.w) << 32 | a.z) + (static_cast<unsigned long long>(b.w) << 32 | b.z) + carry;
    bool right = (static_cast<unsigned long long>(c.y) << 32 | c.x) == low;
    right &= (static_cast<unsigned long long>(c.w) << 32 | c.z) == high;
    right &= product(t * 0x9e3779b9u, ~t) == static_cast<unsigned long long>(t * 0x9e3779b9u) * ~t;
    right &= clamped(static_cast<int>(t) - 16, 9) == max(-9, min(9, static_cast<int>(t) - 16));
    float fused, rounded;
    int truncated;
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(fused) : "f"(t * 0.1f), "f"(3.0f), "f"(-1.5f));
    asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(truncated) : "f"(t * -0.75f));
    asm("cvt.rmi.f32.f32 %0, %1;" : "=f"(rounded) : "f"(t * -0.75f));
    right &= fused == fmaf(t * 0.1f, 3.0f, -1.5f) && truncated == static_cast<int>(t * -0.75f);
    right &= rounded == floorf(t * -0.75f);
    good[t] = right;
}

__global__ void memory(const float4* in, float4* out, unsigned* total) {
    __shared__ float4 staged[32];
    float x, y, z, w;
    asm volatile("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(x), "=f"(y), "=f"(z), "=f"(w)
                 : "l"(in + threadIdx.x));
    const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(staged + threadIdx.x));
    asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(shared), "f"(w), "f"(z), "f"(y), "f"(x));
    asm volatile("bar.sync 0;" ::: "memory");
    const unsigned other = static_cast<unsigned>(__cvta_generic_to_shared(staged + 31 - threadIdx.x));
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(x), "=f"(y), "=f"(z), "=f"(w) : "r"(other));
    asm volatile("st.global.cg.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(out + threadIdx.x), "f"(x), "f"(y), "f"(z),
                 "f"(w));
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(total), "r"(threadIdx.x));
    asm volatile("membar.gl;");
    asm volatile("prefetch.global.L2 [%0];" ::"l"(out));
}

__global__ void copies(const int4* in, int4* out) {
    __shared__ int4 tile[64];
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&tile[threadIdx.x]));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in + threadIdx.x));
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to + 512), "l"(in + threadIdx.x), "n"(16),
                 "r"(8));
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.wait_group 0;");
    __syncthreads();
    out[threadIdx.x] = tile[31 - threadIdx.x];
    out[threadIdx.x + 32] = tile[63 - threadIdx.x];
}

__global__ void lanes(unsigned* out) {
    unsigned value = lane() * lane(), below, inside, votes, even;
    asm volatile(
        "{ .reg .pred p;\n\t"
        "shfl.sync.up.b32 %0|p, %2, 3, 0, 0xffffffff;\n\t"
        "selp.u32 %1, 1, 0, p; }"
        : "=r"(below), "=r"(inside)
        : "r"(value));
    asm volatile(
        "{ .reg .pred p;\n\t"
        "and.b32 %1, %2, 1;\n\t"
        "setp.eq.u32 p, %1, 0;\n\t"
        "vote.sync.ballot.b32 %0, p, -1; }"
        : "=r"(votes), "=&r"(even)
        : "r"(lane()));
    unsigned mask;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    out[threadIdx.x] = below * 1000 + inside * 100 + __popc(votes & mask);
}

int count(const bool* good) {
    int right = 0;
    for (int i = 0; i < 32; ++i) right += good[i];
    return right;
}

int main() {
    bool* good;
    float4 *in, *out;
    int4 *from, *to;
    unsigned* words;
    cudaMallocManaged(&good, 32);
    cudaMallocManaged(&in, 32 * sizeof(float4));
    cudaMallocManaged(&out, 32 * sizeof(float4));
    cudaMallocManaged(&from, 32 * sizeof(int4));
    cudaMallocManaged(&to, 64 * sizeof(int4));
    cudaMallocManaged(&words, 32 * sizeof(unsigned));
    bits<<<1, 32>>>(good);
    cudaDeviceSynchronize();
    printf("bits: %d of 32\n", count(good));
    arithmetic<<<1, 32>>>(good);
    cudaDeviceSynchronize();
    printf("arithmetic: %d of 32\n", count(good));
    for (int i = 0; i < 32; ++i) {
        in[i] = make_float4(i, i + 0.25f, i + 0.5f, i + 0.75f);
        from[i] = make_int4(i, i + 100, i + 200, i + 300);
    }
    words[0] = 0;
    memory<<<1, 32>>>(in, out, words);
    cudaDeviceSynchronize();
    printf("memory: %g %g %g %g, %u\n", out[1].x, out[1].y, out[1].z, out[1].w, words[0]);
    copies<<<1, 32>>>(from, to);
    cudaDeviceSynchronize();
    printf("copies: %d %d %d %d, %d %d %d %d\n", to[0].x, to[0].y, to[0].z, to[0].w, to[32].x, to[32].y, to[32].z,
           to[32].w);
    lanes<<<1, 32>>>(words);
    cudaDeviceSynchronize();
    printf("lanes: %u %u %u %u\n", words[0], words[2], words[3], words[31]);
    return cudaGetLastError() != cudaSuccess;
}

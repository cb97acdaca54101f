// Whole numbers that functions of the GPU's own decide, to the last one: whole_numbers.sass holds their machine code,
// which scripts/record-machine-code makes.

extern "C" __global__ void scaled_waves(const float* angle, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = __float2int_rn(__sinf(angle[i]) * 1e7f);
}

// The order of threads decides which number lies where.
extern "C" __global__ void listed_waves(const float* angle, int* out, int* count, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[atomicAdd(count, 1)] = __float2int_rn(__sinf(angle[i]) * 1e7f);
}

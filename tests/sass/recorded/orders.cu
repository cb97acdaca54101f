// Kernels whose threads access words in no order, and one that stores where it is told to: orders.sass holds their
// machine code (scripts/record-machine-code).

// Each block leaves a flag and looks whether another one has.
extern "C" __global__ void looks_at_flags(int* flags, int* out, const int* in) {
    const int block = blockIdx.x;
    if (threadIdx.x == 0) flags[block] = 1;
    if (flags[block ^ 1] != 0) out[block * blockDim.x + threadIdx.x] = in[threadIdx.x];
}

// Which warp's number is found hangs on which of them came last.
extern "C" __global__ void looks_at_last_warp(int* out, const int* in) {
    __shared__ int last;
    if (threadIdx.x % 32 == 0) last = threadIdx.x;
    __syncthreads();
    if (last == 0) out[threadIdx.x] = in[threadIdx.x];
}

// All that is left is one lane's number, of no known one.
extern "C" __global__ void leaves_any_lane(int* out) { out[0] = threadIdx.x; }

// Whoever comes to the word leaves the same, and bytes side by side are several words.
extern "C" __global__ void leaves_what_all_agree_on(int* found, unsigned char* bytes, const int* in) {
    __shared__ int turned[64];
    const int i = threadIdx.x;
    if (in[i] >= 0) found[0] = 1;
    for (int turn = 0; turn < 2; ++turn) {
        turned[i] = in[i] + turn;
        __syncthreads();
        bytes[blockIdx.x * blockDim.x + (i ^ 32)] = static_cast<unsigned char>(turned[i ^ 32]);
        __syncthreads();
    }
}

// Lists that are drawn from a counter, stored in an array that is told.
extern "C" __global__ void lists_in_either(int* counter, int* first, int* second, int which) {
    int* const list = which == 0 ? first : second;
    list[atomicAdd(counter, 1)] = threadIdx.x + blockIdx.x * blockDim.x;
}

// Reads what it is given.
extern "C" __global__ void takes_small_ones(const int* in, int* out) {
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (in[i] < 16) out[i] = in[i];
}

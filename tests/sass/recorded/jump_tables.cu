// A kernel that jumps to where a table says: scripts/record-machine-code tests/sass/recorded/jump_tables.cu makes
// jump_tables.sass.
extern "C" __global__ void by_kind(const int* kinds, const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int result = -1;
    switch (kinds[i]) {
        case 0: result = 3 * in[i] + out[i]; break;
        case 1: result = in[(i + 1) % n] / 7; break;
        case 2: result = in[0] * in[i]; break;
        case 3: result = __popc(in[i] + out[0]); break;
        case 4: result = in[i] % 5 + in[2]; break;
        case 5: result = in[(i * 2) % n]; break;
        case 6: result = in[n - 1 - i]; break;
        default: break;
    }
    out[i] = result;
}

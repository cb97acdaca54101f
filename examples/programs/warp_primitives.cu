// What the lanes of a warp do together: sums by shuffles, prefix sums, votes, equal values, reductions in one step.
#include <cstdio>

__global__ void lanes(int* out) {
    const int lane = threadIdx.x;
    int sum = lane;
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffff, sum, step);
    int prefix = lane;
    for (int step = 1; step < 32; step *= 2) {
        const int below = __shfl_up_sync(0xffffffff, prefix, step);
        if (lane >= step) prefix += below;
    }
    const int reversed = __shfl_sync(0xffffffff, lane, 31 - lane);
    const int in_eights = __shfl_down_sync(0xffffffff, lane, 1, 8);
    const unsigned odd = __ballot_sync(0xffffffff, lane % 2);
    const unsigned same = __match_any_sync(0xffffffff, lane / 10);
    const int any = __any_sync(0xffffffff, lane > 30), all = __all_sync(0xffffffff, lane > 30);
    const unsigned highest = __reduce_max_sync(0xffffffff, static_cast<unsigned>(lane * 7 % 32));
    int half = 0;
    if (lane < 16) half = __popc(__ballot_sync(0x0000ffff, lane % 3 == 0));
    __syncwarp();
    int* const row = out + lane * 8;
    row[0] = sum;
    row[1] = prefix;
    row[2] = reversed;
    row[3] = in_eights;
    row[4] = __popc(odd & ((1u << lane) - 1));
    row[5] = __popc(same);
    row[6] = any * 10 + all;
    row[7] = highest * 100 + half;
}

int main() {
    int* out;
    cudaMallocManaged(&out, 32 * 8 * sizeof(int));
    lanes<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    for (const int lane : {0, 7, 15, 31}) {
        printf("lane %d:", lane);
        for (int i = 0; i < 8; ++i) printf(" %d", out[lane * 8 + i]);
        printf("\n");
    }
}

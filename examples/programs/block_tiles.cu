// A block cut into tiles: sums, prefix sums, votes and shuffles within each tile of 8 threads.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void tiles(const int* in, int* sum, int* prefix, unsigned* odd, int* reversed) {
    const cg::thread_block block = cg::this_thread_block();
    const cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    const int i = block.thread_rank(), x = in[i];
    const int total = cg::reduce(tile, x, cg::plus<int>());
    if (tile.thread_rank() == 0) sum[tile.meta_group_rank()] = total;
    prefix[i] = cg::exclusive_scan(tile, x);
    const unsigned votes = tile.ballot(x % 2);
    if (tile.thread_rank() == 0) odd[tile.meta_group_rank()] = votes;
    reversed[i] = tile.shfl(x, tile.size() - 1 - tile.thread_rank());
    block.sync();
}

int main() {
    const int n = 64;
    int *in, *sum, *prefix, *reversed;
    unsigned* odd;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&sum, 8 * sizeof(int));
    cudaMallocManaged(&prefix, n * sizeof(int));
    cudaMallocManaged(&odd, 8 * sizeof(unsigned));
    cudaMallocManaged(&reversed, n * sizeof(int));
    for (int i = 0; i < n; ++i) in[i] = (i * 7 + 3) % 11;
    tiles<<<1, n>>>(in, sum, prefix, odd, reversed);
    cudaDeviceSynchronize();
    bool right = true;
    for (int i = 0, before = 0; i < n; ++i) {
        if (i % 8 == 0) before = 0;
        right = right && prefix[i] == before && reversed[i] == in[i / 8 * 8 + 7 - i % 8];
        before += in[i];
    }
    for (int t = 0; t < 8; ++t) printf("tile %d: sum %d, odd %02x\n", t, sum[t], odd[t]);
    printf("prefix sums and shuffles are %s\n", right ? "right" : "wrong");
}

// Tiles of cooperative groups, in the kernel's text and in functions of every kind of parameter: sums, prefix sums,
// votes and barriers of tiles of all sizes, in whole blocks, in ragged ones, and where some tiles come.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cstdio>

namespace cg = cooperative_groups;

constexpr int kWarp = 32;
constexpr int kBlocks = 3, kMost = 256;

__device__ float sum_of_warp(cg::thread_block_tile<32> tile, float value) {
    for (int distance = tile.size() / 2; distance > 0; distance /= 2) value += tile.shfl_down(value, distance);
    return value;
}
template <unsigned Size, class Parent>
__device__ int sum_of_some(const cg::thread_block_tile<Size, Parent>& tile, int value) {
    for (int distance = tile.num_threads() / 2; distance > 0; distance /= 2) value += tile.shfl_xor(value, distance);
    return value;
}
template <typename Group>
__device__ int sum_in_memory(Group group, int* memory, int value) {
    const int rank = group.thread_rank();
    for (int half = group.size() / 2; half > 0; half /= 2) {
        memory[rank] = value;
        group.sync();
        if (rank < half) value += memory[rank + half];
        group.sync();
    }
    return value;
}

__global__ void in_blocks(const float* in, float* out, int* counts, int n) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<kWarp> warp = cg::tiled_partition<kWarp>(block);
    auto four = cg::tiled_partition<4>(warp);
    __shared__ float sums[32];
    __shared__ int memory[kMost];
    const int i = block.group_index().x * block.size() + block.thread_rank();
    const float value = i < n ? in[i] : 0;
    const float sum = sum_of_warp(warp, value);
    if (warp.thread_rank() == 0) sums[warp.meta_group_rank()] = sum;
    block.sync();
    if (warp.meta_group_rank() == 0) {
        float all = warp.thread_rank() < warp.meta_group_size() ? sums[warp.thread_rank()] : 0;
        all = cg::reduce(warp, all, cg::plus<float>());
        if (block.thread_rank() == 0) out[blockIdx.x] = all;
    }
    cg::sync(block);
    int q = sum_of_some(four, i) + cg::inclusive_scan(four, i) + cg::exclusive_scan(warp, i, cg::plus<int>());
    q = 7 * q + four.ballot(i % 3 == 0) + warp.any(i == 7) + four.shfl(i, 1);
    q = 7 * q + cg::reduce(four, i, cg::greater<int>{}) + four.meta_group_rank() * 10 + four.meta_group_size();
    q = 7 * q + four.match_any(i / 2) + warp.all(i > 40) + four.shfl_up(i, 2);
    counts[i] = 7 * q + block.thread_index().y + block.group_dim().z;
    const int total = sum_in_memory(block, memory, i % 5);
    if (block.thread_rank() == 0) counts[gridDim.x * block.size() + blockIdx.x] = total;
}

// Tiles by themselves: each takes rows of its own, as many as there are.
template <int Size>
__global__ void by_tiles(const float* in, float* out, int rows, int width) {
    namespace groups = cooperative_groups;
    groups::thread_block block = groups::this_thread_block();
    groups::thread_block_tile<Size> tile = groups::tiled_partition<Size>(block);
    const int row = blockIdx.x * (blockDim.x / Size) + tile.meta_group_rank();
    if (row >= rows) return;
    float most = -1e30f, sum = 0;
    for (int i = tile.thread_rank(); i < width; i += tile.size()) most = max(most, in[row * width + i]);
    most = groups::reduce(tile, most, groups::greater<float>{});
    for (int i = tile.thread_rank(); i < width; i += tile.size()) sum += in[row * width + i] - most;
    sum = groups::reduce(tile, sum, groups::plus<float>{});
    tile.sync();
    if (tile.thread_rank() == 0) out[row] = sum;
}

void print(const char* what, const float* out, const int* counts, int floats, int ints) {
    if (const cudaError_t error = cudaDeviceSynchronize()) std::printf("%s ", cudaGetErrorString(error));
    double sum = 0;
    unsigned hash = 0;
    for (int i = 0; i < floats; ++i) sum = sum * 1.1 + out[i];
    for (int i = 0; i < ints; ++i) hash = hash * 31 + static_cast<unsigned>(counts[i]);
    std::printf("%s: %.9g %u\n", what, sum, hash);
}

int main() {
    constexpr int kNumbers = 1000;
    float *in, *out;
    int* counts;
    cudaMallocManaged(&in, kNumbers * sizeof(float));
    cudaMallocManaged(&out, kNumbers * sizeof(float));
    cudaMallocManaged(&counts, kBlocks * (kMost + 1) * sizeof(int));
    for (int i = 0; i < kNumbers; ++i) in[i] = 1.0f / static_cast<float>(i % 37 + 3);
    for (const dim3 block : {dim3(256), dim3(16, 4), dim3(8, 4, 8), dim3(32)}) {
        const int threads = static_cast<int>(block.x * block.y * block.z);
        in_blocks<<<kBlocks, block>>>(in, out, counts, kNumbers / 2);
        print("blocks", out, counts, kBlocks, kBlocks * (threads + 1));
    }
    for (const int threads : {32, 96}) {
        by_tiles<32><<<4, threads>>>(in, out, 10, 50);
        print("tiles of 32", out, counts, 4, 0);
        by_tiles<8><<<4, threads>>>(in, out, 16, 50);
        print("tiles of 8", out, counts, 16, 0);
        by_tiles<1><<<1, threads>>>(in, out, 20, 50);
        print("tiles of 1", out, counts, 20, 0);
    }
}

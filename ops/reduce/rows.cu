// Rows with gaps between them: elements are divided among threads as if there were none, and each finds its row. Blocks
// leave what they have folded to a second launch of one block. The roundings of a sum are the 2 of a compensated sum of
// a thread, 8 of a block's tree, and the same once more.
#include "ops/reduce/grid.hpp"
#include "ops/reduce/warp_fold.hpp"
#include "src/cuda/row_tiles.hpp"

namespace {
constexpr struct {
    int block = 256;
    int each = 8;  // elements of a thread that are read before one is used
} kTuning;

template <ReduceForm form, class T>
__global__ void __launch_bounds__(kTuning.block)
    rows(const T* in, std::int64_t gap, Folded<form, T>* partial, const RowTiles tiles) {
    __shared__ Folded<form, T> of_warps[kTuning.block / kWarp];
    RunningFold<form, T> folds;
    for_each_tile<kTuning.block, kTuning.each>(tiles, [&](const auto& tile) {
        const T* const from = in + tile.begin(gap);
        T held[kTuning.each];
#pragma unroll
        for (int k = 0; k < kTuning.each; ++k)
            if (tile.has(k)) held[k] = from[tile.offset(k, gap)];
#pragma unroll
        for (int k = 0; k < kTuning.each; ++k)
            if (tile.has(k)) add_element(folds, held[k], tile.index(k));
    });
    const Folded<form, T> of_block = block_fold<form>(folds.value(), of_warps);
    if (threadIdx.x == 0) partial[blockIdx.x] = of_block;
}

/// One block folds what the others left.
template <ReduceForm form, class T, class Out>
__global__ void __launch_bounds__(kTuning.block) last(const T* partial, int count, Out* out) {
    __shared__ T of_warps[kTuning.block / kWarp];
    RunningFold<form, T> folds;
    for (int i = static_cast<int>(threadIdx.x); i < count; i += kTuning.block) add_element(folds, partial[i], 0);
    const T all = block_fold<form>(folds.value(), of_warps);
    if (threadIdx.x == 0) write_folded(out, all);
}

template <class T>
std::size_t workspace(const ReduceArgs<T>& a) {
    return kMaxResidentBlocks * folded_bytes<T>(a.form);
}

template <ReduceForm form, class T>
void launch_form(const ReduceArgs<T>& a, cudaStream_t stream) {
    auto* const partial = static_cast<Folded<form, T>*>(a.workspace);
    unsigned blocks = 0;
    if (a.n > 0) {
        const RowTiles tiles = row_tiles(a.n, a.cols);
        blocks = std::min(row_tile_blocks(tiles, rows<form, T>, kTuning.block, kTuning.each, 1),
                          static_cast<unsigned>(kMaxResidentBlocks));
        rows<form><<<blocks, kTuning.block, 0, stream>>>(a.in, a.pitch - a.cols, partial, tiles);
    }
    with_result<form>(
        a, [&](auto* out) { last<form><<<1, kTuning.block, 0, stream>>>(partial, static_cast<int>(blocks), out); });
}
template <class T>
void launch(const ReduceArgs<T>& a, cudaStream_t stream) {
    with_every_form(a.form, [&](auto form) { launch_form<form.value>(a, stream); });
}
}  // namespace

LANEWORK_RUNG(reduce, rows,
              {
                  .climbs_from = "warp_shuffle",
                  .lesson = "Rows with a pitch: each thread finds its row, and a place is what it counts without gaps.",
                  .launch = {launch<std::int32_t>, launch<float>, launch<double>},
                  .workspace = {workspace<std::int32_t>, workspace<float>, workspace<double>},
              });

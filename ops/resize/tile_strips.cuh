// The kernel and the launch of tiles.
#pragma once

#include "ops/resize/tile_rows.cuh"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// A warp's rows of a tile that has been copied.
template <class Arithmetic, int channels, bool grows>
__device__ void walk_tile(const uint4* tile, const TileTables<Arithmetic>& tables, const ResizePair<std::uint8_t>& pair,
                          const TileShape& shape, const TilePlace& place, const TileSource& source) {
    constexpr int kBytes = kTileCols * channels;
    __shared__ uint4 staged[kWarps][kBytes / kVectorBytes];
    const int warp = static_cast<int>(threadIdx.x) / kLanes, first = warp * shape.rows;
    if (first >= place.rows) return;
    std::uint8_t* to = row_of(pair.out, place.first_row + first) + std::int64_t{channels} * place.first_col;
    const std::int64_t left = channels * (pair.out.width - place.first_col);
    const std::int32_t first_pixel = tables.columns[0], pitch = shape.pieces * kVectorBytes;
    const TileColumns<Arithmetic> columns(tables, first_pixel);
    const auto* begin = reinterpret_cast<const std::uint8_t*>(tile) - source.row * pitch;
    const auto walk_by = [&]<bool vectors, class Columns>(const Columns& by) {
        const int lane = static_cast<int>(threadIdx.x) % kLanes;
        WarpRow<channels, vectors> out{staged[warp], to + (vectors ? kVectorBytes * lane : 0), left, pair.out.pitch};
        RowWalk<Arithmetic, channels, vectors, Columns>{
            by, begin, pitch, tables.rows + first, tables.rows + min(first + shape.rows, place.rows), out}
            .walk();
    };
    const auto walk = [&]<class Columns>(const Columns& by) {
        if (left >= kBytes && is_aligned(to, kVectorBytes) && pair.out.pitch % kVectorBytes == 0)
            walk_by.template operator()<true>(by);
        else
            walk_by.template operator()<false>(by);
    };
    const std::int32_t first_byte = first_pixel * channels - source.byte;
    if constexpr (channels == 3 && grows)
        if (__all_sync(0xFFFFFFFFu, NearColumns<Arithmetic>::fits(columns)) != 0)
            return walk(NearColumns<Arithmetic>(columns, first_byte));
    walk(SingleColumns<Arithmetic, channels>(columns, first_byte));
}

/// As many blocks on a multiprocessor as their registers allow without spilling.
template <bool grows>
inline constexpr int kTileBlocks = grows ? 8 : 7;

template <Convention convention, class Arithmetic, int channels, bool grows>
__global__ void __launch_bounds__(kStripThreads, kTileBlocks<grows>)
    copied_tile(const ResizePair<std::uint8_t> pair, const Convention asked, const TileShape shape) {
    extern __shared__ uint4 tile[];
    __shared__ TileTables<Arithmetic> tables;
    const std::int32_t most_rows = kWarps * shape.rows;
    const TilePlace place{
        static_cast<std::int32_t>(blockIdx.x) * kTileCols, static_cast<std::int32_t>(blockIdx.y) * most_rows,
        min(most_rows, static_cast<std::int32_t>(pair.out.height) - static_cast<std::int32_t>(blockIdx.y) * most_rows)};
    fill_tables<convention>(tables, pair, asked, place);
    __syncthreads();
    const TileSource source = source_of(tables, place, channels);
    copy_tile(tile, pair.in, shape, source);
    __syncthreads();
    walk_tile<Arithmetic, channels, grows>(tile, tables, pair, shape, place, source);
}

/// Rows of a warp: as many as leave each multiprocessor warps to hide the time that memory takes.
inline TileShape tile_shape_of(const ResizePair<std::uint8_t>& pair) {
    constexpr std::int64_t kWarpsWanted = 3500;  // measured
    const std::int64_t warp_rows = ceil_div(pair.out.width, std::int64_t{kTileCols}) * pair.out.height;
    TileShape shape = TileShape::of(pair.columns, pair.in.channels, kMostTileRows);
    while (shape.rows > 1 && (shape.rows * kWarpsWanted > warp_rows || shape.bytes(pair.rows) > kMostTileBytes))
        shape.rows /= 2;
    return shape;
}

/// Whether it is a single image that grows, or shrinks by less than half, so that hardly a row is left out; with input
/// rows that begin at vectors.
inline bool has_tiles(const ResizeArgs<std::uint8_t>& a) {
    constexpr std::int64_t kMostSide = 1 << 17;  // in blocks of four rows, fewer than CUDA allows downwards
    if (is_batch(a)) return false;
    const ImageView<const std::uint8_t> in = image_of(a.in, 0);
    const ImageView<std::uint8_t> out = image_of(a.out, 0);
    return in.height < 2 * out.height && in.width < 2 * out.width && out.height <= kMostSide &&
           out.width <= kMostSide && has_vector_rows(in);
}

template <Convention convention, class Arithmetic, int channels, bool grows>
void launch_tiles(const ResizePair<std::uint8_t>& pair, Convention asked, cudaStream_t stream) {
    const TileShape shape = tile_shape_of(pair);
    const dim3 grid(static_cast<unsigned>(ceil_div(pair.out.width, std::int64_t{kTileCols})),
                    static_cast<unsigned>(ceil_div(pair.out.height, std::int64_t{kWarps} * shape.rows)));
    const auto bytes = static_cast<std::size_t>(shape.bytes(pair.rows));
    copied_tile<convention, Arithmetic, channels, grows><<<grid, kStripThreads, bytes, stream>>>(pair, asked, shape);
}

inline void resize_by_tiles(const ResizeArgs<std::uint8_t>& a, cudaStream_t stream) {
    with_arithmetic<std::uint8_t>(a.convention, [&]<Convention convention>() {
        using Arithmetic = std::conditional_t<convention == Convention::opencv, OpencvWords, FloatWords<convention>>;
        const ResizePair<std::uint8_t> pair = pair_of<convention>(a, 0);
        with_channels(a.out.channels, [&]<int channels>() {
            if (pair.in.width <= pair.out.width)
                launch_tiles<convention, Arithmetic, channels, true>(pair, a.convention, stream);
            else
                launch_tiles<convention, Arithmetic, channels, false>(pair, a.convention, stream);
        });
    });
}
}  // namespace lanework::inline LANEWORK_ON_DEVICE

// What a warp needs of the input is copied into shared memory first, all of it in flight at once; computing then waits
// for memory no more, and asks nothing about rows and their ends.
#include <algorithm>

#include "ops/resize/tile_rows.cuh"
#include "src/cuda/resident_blocks.hpp"

namespace {
/// A warp's rows, as its tile arrives.
template <class Arithmetic, int channels, bool grows>
__device__ void walk_tile(const uint4* tile, const TileRow<Arithmetic>* rows, const TileColumns<Arithmetic>& columns,
                          const TilePair& pair, const TilePlace& place, const TileSource& source, std::int32_t ready) {
    constexpr int kBytes = kTileCols * channels;
    __shared__ uint4 staged[kTileWarps][kBytes / kVectorBytes];
    std::uint8_t* to = pair.out + std::int64_t{place.first_row} * pair.out_pitch + channels * place.first_col;
    const std::int32_t left = channels * (pair.width - place.first_col);
    const auto walk_by = [&]<bool vectors, class Columns>(const Columns& by) {
        const int lane = static_cast<int>(threadIdx.x) % kLanes, warp = static_cast<int>(threadIdx.x) / kLanes;
        WarpRow<channels, vectors> out{staged[warp], to + (vectors ? kVectorBytes * lane : 0), left, pair.out_pitch};
        RowWalk<Arithmetic, channels, vectors, Columns>{by,          reinterpret_cast<const std::uint8_t*>(tile),
                                                        source.step, ready * pair.shape.pieces * kVectorBytes,
                                                        rows,        rows + place.rows,
                                                        out}
            .walk();
    };
    const auto walk = [&]<class Columns>(const Columns& by) {
        if (left >= kBytes && is_aligned(to, kVectorBytes) && pair.out_pitch % kVectorBytes == 0)
            walk_by.template operator()<true>(by);
        else
            walk_by.template operator()<false>(by);
    };
    if constexpr (channels == 3 && grows)
        if (__all_sync(0xFFFFFFFFu, NearColumns<Arithmetic>::fits(columns)) != 0)
            return walk(NearColumns<Arithmetic>(columns, source.byte));
    walk(SingleColumns<Arithmetic, channels>(columns, source.byte));
}

/// As many blocks on a multiprocessor as their registers allow without spilling.
template <bool grows>
constexpr int kTileBlocks = grows ? 6 : 7;

template <Convention convention, class Arithmetic, int channels, bool grows>
__global__ void __launch_bounds__(kTileThreads, kTileBlocks<grows>) copied_tile(const TilePair pair) {
    extern __shared__ uint4 tiles[];
    __shared__ TileRow<Arithmetic> rows[kTileWarps][kMostTileRows];
    __shared__ TileTable<Arithmetic> table;
    const TileShape& shape = pair.shape;
    const int warp = static_cast<int>(threadIdx.x) / kLanes;
    const std::int32_t first_row = (static_cast<std::int32_t>(blockIdx.y) * kTileWarps + warp) * shape.rows;
    const TilePlace place{static_cast<std::int32_t>(blockIdx.x) * kTileCols, first_row,
                          min(shape.rows, pair.height - first_row)};
    uint4* tile = tiles + warp * (shape.slots * shape.pieces);
    TileSource source{};
    std::int32_t ready = 0;
    if (place.rows > 0) {
        source = find_rows<convention>(rows[warp], pair, place);
        source.byte = (channels * first_pixel_at_least(pair.columns, place.first_col)) & ~(kVectorBytes - 1);
        // In whole passes of both halves of the warp.
        ready = (source.slots / 2 + 1) & ~1;
        copy_rows<channels>(tile, pair, source, 0, ready);
        copy_rows<channels>(tile, pair, source, ready, source.slots);
    }
    find_columns<convention>(table, pair, place.first_col);  // while copies are on their way
    __syncthreads();
    if (place.rows <= 0) return;
    wait_for_copies<1>();
    walk_tile<Arithmetic, channels, grows>(tile, rows[warp], TileColumns<Arithmetic>(table), pair, place, source,
                                           ready);
}

/// Rows of a warp: just so many that all blocks are there at once, if their tiles are small enough.
template <bool grows>
TileShape tile_shape_of(const ResizePair<std::uint8_t>& pair) {
    const std::int64_t at_once = std::int64_t{resident_blocks(kTileBlocks<grows>)} * kTileWarps;
    const std::int64_t warp_rows = ceil_div(pair.out.width, std::int64_t{kTileCols}) * pair.out.height;
    auto rows = static_cast<std::int32_t>(std::min<std::int64_t>(ceil_div(warp_rows, at_once), kMostTileRows));
    const auto shape = [&] { return TileShape::of(pair.columns, pair.rows, pair.in.channels, rows); };
    while (rows > 1 && shape().bytes() > kMostTileBytes) --rows;
    return shape();
}

/// Whether it is a single image with input rows that begin at vectors, not shrinking by so much that a warp's piece of
/// them would be long.
bool has_tiles(const ResizeArgs<std::uint8_t>& a) {
    // Less than what is computed with 32 bits; in blocks of four rows, fewer than CUDA allows downwards.
    constexpr std::int64_t kMostSide = 1 << 17, kMostInput = 1 << 20, kMostPitch = 0x7FFFFFFF;
    if (a.empty() || is_batch(a)) return false;
    const ImageView<const std::uint8_t> in = image_of(a.in, 0);
    const ImageView<std::uint8_t> out = image_of(a.out, 0);
    if (in.width > kMostInput || out.height > kMostSide || out.width > kMostSide) return false;
    if (in.pitch > kMostPitch || out.pitch > kMostPitch || !has_vector_rows(in)) return false;
    const AxisMap rows = AxisMap::of(in.height, out.height), columns = AxisMap::of(in.width, out.width);
    return TileShape::of(columns, rows, in.channels, 1).bytes() <= kMostTileBytes;
}

template <Convention convention, class Arithmetic, int channels, bool grows>
void launch_tiles_of(const ResizePair<std::uint8_t>& pair, Convention asked, cudaStream_t stream) {
    const TileShape shape = tile_shape_of<grows>(pair);
    const dim3 grid(static_cast<unsigned>(ceil_div(pair.out.width, std::int64_t{kTileCols})),
                    static_cast<unsigned>(ceil_div(pair.out.height, std::int64_t{kTileWarps} * shape.rows)));
    const TilePair tiles{pair.rows,
                         pair.columns,
                         pair.in.pixels,
                         pair.out.pixels,
                         static_cast<std::int32_t>(pair.in.pitch),
                         static_cast<std::int32_t>(pair.out.pitch),
                         static_cast<std::int32_t>(pair.out.height),
                         static_cast<std::int32_t>(pair.out.width),
                         shape,
                         asked};
    copied_tile<convention, Arithmetic, channels, grows>
        <<<grid, kTileThreads, static_cast<std::size_t>(shape.bytes()), stream>>>(tiles);
}

void launch_tiles(const ResizeArgs<std::uint8_t>& a, cudaStream_t stream) {
    with_arithmetic<std::uint8_t>(a.convention, [&]<Convention convention>() {
        using Arithmetic = std::conditional_t<convention == Convention::opencv, OpencvWords, FloatWords<convention>>;
        const ResizePair<std::uint8_t> pair = pair_of<convention>(a, 0);
        with_channels(a.out.channels, [&]<int channels>() {
            if (pair.in.width <= pair.out.width)
                launch_tiles_of<convention, Arithmetic, channels, true>(pair, a.convention, stream);
            else
                launch_tiles_of<convention, Arithmetic, channels, false>(pair, a.convention, stream);
        });
    });
}
}  // namespace

LANEWORK_RUNG(resize, copied_tile,
              {
                  .climbs_from = "word_pairs",
                  .lesson = "A warp copies its part of the input into shared memory at once, before all else it does.",
                  .launch = {launch_tiles},
                  .fits = {has_tiles},
                  .only = "one image of bytes whose rows begin at vectors, none that shrinks to a small part of itself",
              });
// mends: few_loads_in_flight

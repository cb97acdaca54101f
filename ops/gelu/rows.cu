// Rows with gaps between them: elements are divided among threads as if there were none, and each finds its row. Where
// all rows are made of packs of sixteen bytes a thread takes those.
#include "ops/gelu/pack.cuh"
#include "src/cuda/row_tiles.hpp"

namespace {
constexpr struct {
    int block = 256;
    int elements = 4, packs = 4;  // of a thread, all of which are read before one is written
    int waves = 16;               // of blocks: each takes few tiles, and writes what lies close together
} kTuning;

template <class Unit>
constexpr int kEach = sizeof(Unit) == sizeof(uint4) ? kTuning.packs : kTuning.elements;

/// `Unit` is an element or a pack of them; the gaps between rows count such units.
template <GeluForm form, class Unit>
__global__ void __launch_bounds__(kTuning.block)
    rows(const Unit* in, Unit* out, std::int64_t in_gap, std::int64_t out_gap, const RowTiles tiles) {
    for_each_tile<kTuning.block, kEach<Unit>>(tiles, [&](const auto& tile) {
        const Unit* const from = in + tile.begin(in_gap);
        Unit* const to = out + tile.begin(out_gap);
        Unit held[kEach<Unit>];
#pragma unroll
        for (int k = 0; k < kEach<Unit>; ++k)
            if (tile.has(k)) held[k] = load_unit(from + tile.offset(k, in_gap));
#pragma unroll
        for (int k = 0; k < kEach<Unit>; ++k)
            if (tile.has(k)) store_unit(gelu_of_unit<form>(held[k]), to + tile.offset(k, out_gap));
    });
}

template <GeluForm form, class Unit, class T>
void launch_units(const GeluArgs<T>& a, std::int64_t elements, cudaStream_t stream) {
    const RowTiles tiles = row_tiles(a.n / elements, a.cols / elements);
    const unsigned blocks = row_tile_blocks(tiles, rows<form, Unit>, kTuning.block, kEach<Unit>, kTuning.waves);
    rows<form><<<blocks, kTuning.block, 0, stream>>>(reinterpret_cast<const Unit*>(a.in),
                                                     reinterpret_cast<Unit*>(a.out), (a.in_pitch - a.cols) / elements,
                                                     (a.out_pitch - a.cols) / elements, tiles);
}

/// Whether every row begins where a pack may and ends where one ends.
template <class T>
bool in_packs(const GeluArgs<T>& a, std::int64_t elements) {
    return (a.cols | a.in_pitch | a.out_pitch) % elements == 0 && on_boundaries(a);
}

template <class T>
void launch(const GeluArgs<T>& a, cudaStream_t stream) {
    using P = GeluPack<typename NativeOf<T>::Two>;
    if (a.n == 0) return;
    with_form(a.form, [&]<GeluForm form>() {
        if (in_packs(a, P::kElements))
            launch_units<form, P>(a, P::kElements, stream);
        else
            launch_units<form, Native<T>>(a, 1, stream);
    });
}
}  // namespace

LANEWORK_RUNG(
    gelu, rows,
    {
        .climbs_from = "naive",
        .lesson = "Rows with a pitch: each thread finds its row, and takes packs where every row is made of them.",
        .launch = {launch<float>, launch<float16>, launch<bfloat16>},
    });

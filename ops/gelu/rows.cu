// Rows with gaps between them: a warp keeps to one row. Where all rows begin at multiples of sixteen bytes and are made
// of such packs, a lane takes one of them; else an element.
#include "ops/gelu/pack.cuh"
#include "src/cuda/row_tiles.hpp"

namespace {
constexpr struct {
    int block = 256;
    int each = 4;  // elements or packs of a thread, all of which are read before one is written
} kTuning;

/// `Unit` is an element or a pack of them; pitches count such units.
template <GeluForm form, class Unit>
__global__ void __launch_bounds__(kTuning.block)
    rows(const Unit* in, Unit* out, std::int64_t in_pitch, std::int64_t out_pitch, const RowTiles tiles) {
    for_each_tile<kTuning.each>(tiles, [&](std::int64_t row, std::int64_t first) {
        const Unit* const from = in + row * in_pitch + first;
        Unit* const to = out + row * out_pitch + first;
        const std::int64_t left = tiles.cols - first;
        Unit held[kTuning.each];
#pragma unroll
        for (int k = 0; k < kTuning.each; ++k)
            if (k * tiles.lanes < left) held[k] = load_unit(from + k * tiles.lanes);
#pragma unroll
        for (int k = 0; k < kTuning.each; ++k)
            if (k * tiles.lanes < left) store_unit(gelu_of_unit<form>(held[k]), to + k * tiles.lanes);
    });
}

template <GeluForm form, class Unit, class T>
void launch_units(const GeluArgs<T>& a, std::int64_t elements, cudaStream_t stream) {
    const RowTiles tiles = row_tiles(a.n / a.cols, a.cols / elements, kTuning.each);
    rows<form><<<row_tile_blocks(tiles, rows<form, Unit>, kTuning.block), kTuning.block, 0, stream>>>(
        reinterpret_cast<const Unit*>(a.in), reinterpret_cast<Unit*>(a.out), a.in_pitch / elements,
        a.out_pitch / elements, tiles);
}

/// Whether every row begins where a pack may and ends where one ends.
template <class T>
bool in_packs(const GeluArgs<T>& a, std::int64_t elements) {
    return a.cols % elements == 0 && a.in_pitch % elements == 0 && a.out_pitch % elements == 0 && on_boundaries(a);
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
        .lesson = "Rows with a pitch: a warp keeps to one row, and takes packs where every row is made of them.",
        .launch = {launch<float>, launch<float16>, launch<bfloat16>},
    });

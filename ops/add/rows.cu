// Rows with gaps between them: elements are divided among threads as if there were none, and each finds its row. Where
// all rows are made of packs of sixteen bytes a thread takes those.
#include <type_traits>

#include "ops/add/operation.hpp"
#include "ops/add/pack.cuh"
#include "src/cuda/row_tiles.hpp"

namespace {
constexpr struct {
    int block = 256;
    int elements = 4, packs = 4;  // of a thread, all of which are read before one is written
    int waves = 16;               // of blocks: each takes few tiles, and writes what lies close together
} kTuning;

template <class Unit>
constexpr int kEach = sizeof(Unit) == sizeof(uint4) ? kTuning.packs : kTuning.elements;

/// What lies between an array's rows, in units of the kernel.
struct Gaps {
    std::int64_t x, y, z;
};

/// `Unit` is an element or a pack of them.
template <class Unit>
__global__ void __launch_bounds__(kTuning.block)
    rows(const Unit* x, const Unit* y, Unit* z, const Gaps gaps, const RowTiles tiles) {
    for_each_tile<kTuning.block, kEach<Unit>>(tiles, [&](const auto& tile) {
        const Unit *const from_x = x + tile.begin(gaps.x), *const from_y = y + tile.begin(gaps.y);
        Unit* const to = z + tile.begin(gaps.z);
        Unit sum[kEach<Unit>];
#pragma unroll
        for (int k = 0; k < kEach<Unit>; ++k)
            if (tile.has(k)) sum[k] = sum_of_units(from_x[tile.offset(k, gaps.x)], from_y[tile.offset(k, gaps.y)]);
#pragma unroll
        for (int k = 0; k < kEach<Unit>; ++k)
            if (tile.has(k)) to[tile.offset(k, gaps.z)] = sum[k];
    });
}

template <class Unit, class T>
void launch_units(const AddArgsOf<T>& a, std::int64_t elements, cudaStream_t stream) {
    const RowTiles tiles = row_tiles(a.n / elements, a.cols / elements);
    const Gaps gaps{(a.x_pitch - a.cols) / elements, (a.y_pitch - a.cols) / elements, (a.z_pitch - a.cols) / elements};
    const unsigned blocks = row_tile_blocks(tiles, rows<Unit>, kTuning.block, kEach<Unit>, kTuning.waves);
    rows<<<blocks, kTuning.block, 0, stream>>>(reinterpret_cast<const Unit*>(a.x), reinterpret_cast<const Unit*>(a.y),
                                               reinterpret_cast<Unit*>(a.z), gaps, tiles);
}

/// Whether every row begins where a pack may and ends where one ends.
template <class T>
bool in_packs(const AddArgsOf<T>& a) {
    constexpr std::int64_t kLanes = sizeof(uint4) / sizeof(T);
    const auto addresses = reinterpret_cast<std::uintptr_t>(a.x) | reinterpret_cast<std::uintptr_t>(a.y) |
                           reinterpret_cast<std::uintptr_t>(a.z);
    return addresses % sizeof(uint4) == 0 && (a.cols | a.x_pitch | a.y_pitch | a.z_pitch) % kLanes == 0;
}

template <class T>
void launch(const AddArgsOf<T>& a, cudaStream_t stream) {
    if (a.empty()) return;
    if (in_packs(a))
        launch_units<AddPack<T>>(a, sizeof(uint4) / sizeof(T), stream);
    else
        launch_units<AddUnit<T>>(a, 1, stream);
}
}  // namespace

LANEWORK_RUNG(add, rows,
              {
                  .climbs_from = "grid_stride",
                  .lesson = "Rows with a pitch: each thread finds its row, and lanes side by side coalesce within one.",
                  .launch = {launch<float>, launch<double>, launch<std::int32_t>, launch<float16>, launch<bfloat16>},
              });

// Nearly all of the tests fail. With the atoms sorted into cells as thick as the cutoff, only those of the cells around
// an atom need to be tested: the work grows as the atoms do, not as their square.
#include "ops/neighbors/box_cells.hpp"
#include "ops/neighbors/pairs.hpp"

namespace {
struct Cells {
    std::int32_t* starts;       ///< cells + 1: counts, then where the atoms of a cell begin
    std::int32_t* slots;        ///< by atom: its place in its cell
    std::int32_t* sorted;       ///< the atoms, cell after cell
    unsigned long long* board;  ///< of the scan

    template <class T>
    Cells(const NeighborsArgs<T>& a, std::int64_t cells, std::byte* memory) {
        starts = reinterpret_cast<std::int32_t*>(memory);
        slots = starts + cells + 1;
        sorted = slots + a.n;
        board = reinterpret_cast<unsigned long long*>(starts + (cells + 1 + 2 * a.n + 1) / 2 * 2);
    }
    static std::size_t bytes(std::int64_t cells, std::int64_t n) {
        return static_cast<std::size_t>((cells + 1 + 2 * n + 1) / 2 * 2) * sizeof(std::int32_t) +
               static_cast<std::size_t>(scan_words(cells)) * sizeof(unsigned long long);
    }
};

template <class T>
__device__ CellPlace place_of(const NeighborsArgs<T>& a, const Grid& grid, std::int64_t i) {
    const Vec3<T> x = triple(a.positions, i);
    return locate(grid, {double(x.x), double(x.y), double(x.z)});
}
__device__ std::int64_t number_of(const Grid& grid, const CellPlace& place) {
    return cell_number(grid, place.cell[0], place.cell[1], place.cell[2]);
}

template <class T>
__global__ void count_cells(NeighborsArgs<T> a, Grid grid, Cells cells) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kPairBlock + threadIdx.x;
    if (i < a.n) cells.slots[i] = atomicAdd(&cells.starts[number_of(grid, place_of(a, grid, i))], 1);
}

template <class T>
__global__ void sort_atoms(NeighborsArgs<T> a, Grid grid, Cells cells) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kPairBlock + threadIdx.x;
    if (i >= a.n) return;
    const std::int32_t start = cells.starts[number_of(grid, place_of(a, grid, i))];
    cells.sorted[start + cells.slots[i]] = static_cast<std::int32_t>(i);
}

template <class T>
__global__ void cell_list(NeighborsArgs<T> a, Grid grid, Cells cells, std::int32_t* counts, std::int32_t* neighbors) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kPairBlock + threadIdx.x;
    if (i >= a.n) return;
    const Vec3<T> from = triple(a.positions, i);
    const CellPlace place = place_of(a, grid, i);
    std::int32_t found = 0;
    for_each_cell_around(grid, place, [&](std::int64_t cell, const Image3& image) {
        for (std::int32_t at = cells.starts[cell]; at < cells.starts[cell + 1]; ++at) {
            const std::int32_t j = cells.sorted[at];
            const Image3 s = pair_shift(grid.basis, image, place.wrap, place_of(a, grid, j).wrap);
            if (i == j && s.a == 0 && s.b == 0 && s.c == 0) continue;
            if (is_near(from, triple(a.positions, j), translation<T>(s, grid.basis.box), a.limit))
                neighbors[found++ * a.n + i] = j;
        }
    });
    counts[i] = found;
}

template <class T>
std::size_t workspace(const NeighborsArgs<T>& a) {
    return table_bytes(a) + Cells::bytes(cell_count(box_grid(a)), a.n);
}

template <class T>
void launch(const NeighborsArgs<T>& a, cudaStream_t stream) {
    const Grid grid = box_grid(a);
    const Table table = table_of(a);
    const std::int64_t count = cell_count(grid);
    const Cells cells(a, count, static_cast<std::byte*>(a.workspace) + table_bytes(a));
    const unsigned blocks = pair_blocks(a);
    const auto clear = [stream](auto* words, std::int64_t some) {
        LANEWORK_CHECK(cudaMemsetAsync(words, 0, static_cast<std::size_t>(some) * sizeof(*words), stream));
    };
    clear(cells.starts, count + 1);
    clear(cells.board, scan_words(count));
    count_cells<<<blocks, kPairBlock, 0, stream>>>(a, grid, cells);
    scan(Places<std::int32_t>{cells.starts, count}, cells.board, stream);
    sort_atoms<<<blocks, kPairBlock, 0, stream>>>(a, grid, cells);
    cell_list<<<blocks, kPairBlock, 0, stream>>>(a, grid, cells, table.counts, table.neighbors);
    write_list<false>(a, table, stream);
}
}  // namespace

LANEWORK_RUNG(neighbors, cell_list,
              {
                  .climbs_from = "shared_tile",
                  .lesson = "Sort the atoms into cells and test the cells around: the work is linear in the atoms.",
                  .launch = {launch<float>, launch<double>},
                  .workspace = {workspace<float>, workspace<double>},
              });
// mends: instruction_bound

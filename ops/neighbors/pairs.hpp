// The test that every rung makes, and the way from a rung's own table of neighbours to the list.
#pragma once

#include <algorithm>

#include "ops/neighbors/operation.hpp"
#include "src/cuda/check.hpp"
#include "src/particles/device/scan.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kPairBlock = 128;

template <class T>
__device__ Vec3<T> triple(const T* values, std::int64_t index) {
    return {values[3 * index], values[3 * index + 1], values[3 * index + 2]};
}

/// Whether the image of an atom is within the cutoff.
template <class T>
__device__ bool is_near(const Vec3<T>& from, const Vec3<T>& to, const Vec3<T>& image, T limit) {
    return squared_length(displacement(from, to, image)) < limit;
}

/// The table of the notes: counts[i] neighbours of atom i, the k-th at neighbors[k·n + i], so that the threads of a
/// warp write side by side. It has as many rows as the atom with most neighbours needs: that number is known here, and
/// a program that does not know it must count first.
struct Table {
    unsigned long long* board;  ///< of the scan
    std::int32_t* counts;       ///< n
    std::int32_t* neighbors;    ///< rows × n; last, so that what overflows it leaves the workspace

    template <class T>
    Table(const NeighborsArgs<T>& a, void* memory)
        : board(static_cast<unsigned long long*>(memory)),
          counts(reinterpret_cast<std::int32_t*>(board + scan_words(a.n))),
          neighbors(counts + a.n) {}

    /// A multiple of 8.
    template <class T>
    static std::size_t bytes(const NeighborsArgs<T>& a, std::int64_t rows) {
        return static_cast<std::size_t>(scan_words(a.n)) * sizeof(unsigned long long) +
               static_cast<std::size_t>((a.n + rows * a.n + 1) / 2 * 2) * sizeof(std::int32_t);
    }
};

/// The table that is just high enough.
template <class T>
Table table_of(const NeighborsArgs<T>& a) {
    return Table(a, a.workspace);
}
template <class T>
std::size_t table_bytes(const NeighborsArgs<T>& a) {
    return Table::bytes(a, a.facts.most);
}

/// Sorts by exchanging, in place and without recursion (heapsort).
[[maybe_unused]] static __device__ void sort_in_place(std::int32_t* values, std::int32_t count) {
    const auto sink = [&](std::int32_t root, std::int32_t end) {
        for (std::int32_t child = 2 * root + 1; child < end; root = child, child = 2 * root + 1) {
            if (child + 1 < end && values[child] < values[child + 1]) ++child;
            if (values[root] >= values[child]) return;
            const std::int32_t larger = values[child];
            values[child] = values[root];
            values[root] = larger;
        }
    };
    for (std::int32_t root = count / 2; root-- > 0;) sink(root, count);
    for (std::int32_t end = count; end-- > 1;) {
        const std::int32_t largest = values[0];
        values[0] = values[end];
        values[end] = largest;
        sink(0, end);
    }
}

/// The elements of the scan, and its empty board.
template <class T>
__global__ void widen_counts(Table table, std::uint64_t* offsets, std::int64_t n) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kPairBlock + threadIdx.x;
    if (i < n) offsets[i] = static_cast<std::uint64_t>(table.counts[i]);
    for (std::int64_t word = i; word < scan_words(n); word += std::int64_t{gridDim.x} * kPairBlock)
        table.board[word] = 0;
}

template <bool sorted>
__global__ void copy_columns(const std::int32_t* counts, const std::int32_t* neighbors, const std::uint64_t* offsets,
                             std::int32_t* indices, std::int64_t n) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kPairBlock + threadIdx.x;
    if (i >= n) return;
    std::int32_t* const to = indices + offsets[i];
    for (std::int32_t k = 0; k < counts[i]; ++k) to[k] = neighbors[k * n + i];
    if (!sorted) sort_in_place(to, counts[i]);
}

template <class T>
unsigned pair_blocks(const NeighborsArgs<T>& a) {
    return static_cast<unsigned>(ceil_div(a.n + 1, std::int64_t{kPairBlock}));
}

/// Writes the list that a table holds. `sorted` says that its columns are in order already.
template <bool sorted, class T>
void write_list(const NeighborsArgs<T>& a, const Table& table, cudaStream_t stream) {
    widen_counts<T><<<pair_blocks(a), kPairBlock, 0, stream>>>(table, a.offsets, a.n);
    scan(Places<std::uint64_t>{a.offsets, a.n}, table.board, stream);
    copy_columns<sorted>
        <<<pair_blocks(a), kPairBlock, 0, stream>>>(table.counts, table.neighbors, a.offsets, a.indices, a.n);
}

/// Rungs that test every pair take hours for what others do in a millisecond.
inline std::string_view refuse_many_atoms(const Problem& p) {
    return p.lengths<NeighborsAxes>().atoms > 131'072
               ? "a square of more than 131072 atoms takes too long; use cell_list"
               : "";
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

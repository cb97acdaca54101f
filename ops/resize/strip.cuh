// A strip of the output: a block computes the taps of its columns and rows once, and each warp walks down its rows
// with the weighted sums of the last two input rows in registers.
#pragma once

#include "ops/resize/grid.cuh"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// A block is kWarps warps, which take `rows` consecutive rows each of the same columns; a lane has `pixels` of these.
/// Keeping, a row that two output rows need is summed once: worth its branches where the image grows.
template <int lane_pixels, int warp_rows, bool keeps_sums>
struct StripShape {
    static constexpr int pixels = lane_pixels, rows = warp_rows;
    static constexpr bool keeps = keeps_sums;
};
inline constexpr int kWarps = 4, kLanes = 32, kStripThreads = kWarps * kLanes;

/// The maps of a single image, from the host, where dividing costs nothing; those of a batch are each block's to find.
struct OnlyMaps {
    AxisMap rows, columns;
};
template <class T>
OnlyMaps only_maps(const ResizeArgs<T>& a) {
    if (a.in.places || a.out.places) return {};
    return {AxisMap::of(a.in.only.height, a.out.only.height), AxisMap::of(a.in.only.width, a.out.only.width)};
}

/// What ResizePair is, computed by a block: two of its threads divide, and all read what they found.
template <class T>
__device__ ResizePair<T> pair_of_block(const ResizeArgs<T>& a, const OnlyMaps& only, std::int64_t image) {
    ResizePair<T> pair{image_of(a.in, image), image_of(a.out, image), only.rows, only.columns, false};
    if (pair.empty()) return pair;
    if (a.in.places || a.out.places) {
        __shared__ AxisMap maps[2];
        __syncthreads();  // the image before may still be read
        if (threadIdx.x == 0) maps[0] = AxisMap::of(pair.in.height, pair.out.height);
        if (threadIdx.x == kLanes) maps[1] = AxisMap::of(pair.in.width, pair.out.width);
        __syncthreads();
        pair.rows = maps[0];
        pair.columns = maps[1];
    }
    pair.half =
        a.convention == Convention::opencv && is_half(pair.in.height, pair.in.width, pair.out.height, pair.out.width);
    return pair;
}

/// Conventions differ in their taps, which a block computes once; in their arithmetic there is OpenCV's of 8-bit
/// samples (and of both types, its exact half) and that of floats. Calls body.operator()<convention>() for one that has
/// it.
template <class T, class Body>
void with_arithmetic(Convention convention, const Body& body) {
    if constexpr (std::is_same_v<T, std::uint8_t>)
        if (convention != Convention::opencv) return body.template operator()<Convention::floating>();
    body.template operator()<Convention::opencv>();
}
__device__ inline Tap column_tap(Convention convention, const AxisMap& map, std::int64_t x) {
    return convention == Convention::opencv     ? opencv_column(map, x)
           : convention == Convention::floating ? float_tap<Convention::floating>(map, x)
                                                : float_tap<Convention::legacy>(map, x);
}
__device__ inline Tap row_tap(Convention convention, const AxisMap& map, std::int64_t y) {
    return convention == Convention::opencv     ? opencv_row(map, y)
           : convention == Convention::floating ? float_tap<Convention::floating>(map, y)
                                                : float_tap<Convention::legacy>(map, y);
}

/// Two rows of the input and what a policy makes of their weights.
template <class Pixels>
struct StripRow {
    std::int32_t first, second;
    typename Pixels::Row weights;
};
template <class Pixels, class Shape>
struct StripTables {
    typename Pixels::Column columns[kLanes * Shape::pixels];
    StripRow<Pixels> rows[kWarps * Shape::rows];
};

template <class Pixels, class Shape, class T>
__device__ void fill_tables(StripTables<Pixels, Shape>& tables, const ResizePair<T>& pair, Convention convention,
                            std::int64_t first_col, std::int64_t first_row) {
    const int thread = static_cast<int>(threadIdx.x);
    for (int i = thread; i < kLanes * Shape::pixels; i += kStripThreads) {
        // Lanes past the last column compute it again, and store nothing.
        const std::int64_t x = min(first_col + i, pair.out.width - 1);
        tables.columns[i] = Pixels::column(column_tap(convention, pair.columns, x), pair.in);
    }
    for (int i = kStripThreads - 1 - thread; i < kWarps * Shape::rows; i += kStripThreads) {
        const Tap tap = row_tap(convention, pair.rows, first_row + i);
        tables.rows[i] = {tap.first, tap.second, Pixels::row(tap)};
    }
    __syncthreads();
}

/// The sums along one input row of all of a lane's pixels.
template <class Pixels, int pixels, class T>
__device__ void sum_row(typename Pixels::Sums (&sums)[pixels], const typename Pixels::Column (&columns)[pixels],
                        const ImageView<const T>& in, std::int32_t y) {
    const T* row = row_of(in, y);
#pragma unroll
    for (int i = 0; i < pixels; ++i) sums[i] = Pixels::along(row, columns[i]);
}

template <class Pixels, class Shape, class T>
__device__ void walk_rows(const StripTables<Pixels, Shape>& tables, const ResizePair<T>& pair, std::int64_t first_col,
                          std::int64_t first_row) {
    const int lane = static_cast<int>(threadIdx.x) % kLanes, warp = static_cast<int>(threadIdx.x) / kLanes;
    typename Pixels::Column columns[Shape::pixels];
#pragma unroll
    for (int i = 0; i < Shape::pixels; ++i) columns[i] = tables.columns[Pixels::pixel_of(lane, i, Shape::pixels)];
    typename Pixels::Sums above[Shape::pixels], below[Shape::pixels];
    std::int32_t above_row = -1, below_row = -1;
#pragma unroll(Shape::keeps ? 1 : Shape::rows)
    for (int r = 0; r < Shape::rows; ++r) {
        const std::int64_t y = first_row + warp * Shape::rows + r;
        if (y >= pair.out.height) break;
        const StripRow<Pixels> row = tables.rows[warp * Shape::rows + r];
        if (!Shape::keeps || row.first != above_row) {
            if (Shape::keeps && row.first == below_row) {
#pragma unroll
                for (int i = 0; i < Shape::pixels; ++i) above[i] = below[i];
            } else {
                sum_row<Pixels>(above, columns, pair.in, row.first);
            }
            above_row = row.first;
        }
        if (!Shape::keeps || row.second != below_row) {
            sum_row<Pixels>(below, columns, pair.in, row.second);
            below_row = row.second;
        }
        typename Pixels::Samples samples[Shape::pixels];
#pragma unroll
        for (int i = 0; i < Shape::pixels; ++i) samples[i] = Pixels::down(row.weights, above[i], below[i]);
        Pixels::store(row_of(pair.out, y), samples, first_col, lane, pair.out.width);
    }
}

/// A block's part of an image.
template <class Pixels, class Shape, class T>
__device__ void resize_strip(const ResizePair<T>& pair, Convention convention) {
    __shared__ StripTables<Pixels, Shape> tables;
    constexpr int kRows = kWarps * Shape::rows;
    const std::int64_t first_col = std::int64_t{blockIdx.x} * (kLanes * Shape::pixels);
    if (first_col >= pair.out.width) return;
    for (std::int64_t first_row = std::int64_t{blockIdx.y} * kRows; first_row < pair.out.height;
         first_row += std::int64_t{gridDim.y} * kRows) {
        __syncthreads();  // the tables may still be read
        fill_tables(tables, pair, convention, first_col, first_row);
        walk_rows(tables, pair, first_col, first_row);
    }
}

/// Calls body.operator()<channels>() for 1, 3 and 4.
template <class Body>
void with_channels(int channels, const Body& body) {
    if (channels == 1) return body.template operator()<1>();
    if (channels == 3) return body.template operator()<3>();
    return body.template operator()<4>();
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

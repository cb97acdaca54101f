// A strip of the output: a block computes the taps of its columns and rows once, and each warp walks down its rows
// with the weighted sums of the last two input rows in registers.
#pragma once

#include "ops/resize/grid.cuh"
#include "src/pixels/run_time_choice.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// A block is kWarps warps, which take `rows` consecutive rows each of the same columns; a lane has `pixels` of these.
/// Keeping, a row that two output rows need is summed once: worth its branches where the image grows.
template <int lane_pixels, int warp_rows, bool keeps_sums>
struct StripShape {
    static constexpr int pixels = lane_pixels, rows = warp_rows;
    static constexpr bool keeps = keeps_sums;
};
constexpr int kWarps = 4, kLanes = 32, kStripThreads = kWarps * kLanes;

/// The maps of a single image, from the host, where dividing costs nothing; those of a batch are each block's to find.
struct OnlyMaps {
    AxisMap rows, columns;
    bool half;
};
template <class T>
bool is_batch(const ResizeArgs<T>& a) {
    return a.in.places || a.out.places || a.out.count > 1;
}
template <class T>
OnlyMaps only_maps(const ResizeArgs<T>& a) {
    if (is_batch(a)) return {};
    const ImagePlace &in = a.in.only, &out = a.out.only;
    return {AxisMap::of(in.height, out.height), AxisMap::of(in.width, out.width),
            a.convention == Convention::opencv && is_half(in.height, in.width, out.height, out.width)};
}

/// A single image's pair is known when the kernel is launched, and takes no registers.
template <class T>
__device__ ResizePair<T> only_pair(const ResizeArgs<T>& a, const OnlyMaps& only) {
    const auto view = [](const auto& of) {
        using View = ImageView<std::remove_pointer_t<decltype(of.base)>>;
        return View{bytes_after(of.base, of.only.offset), of.only.height, of.only.width, of.channels, of.only.pitch};
    };
    return {view(a.in), view(a.out), only.rows, only.columns, only.half};
}

/// An image of a batch, whose pair a block shares: it is read from there, and takes no registers either. Two threads
/// divide.
template <class T>
__device__ void share_pair(ResizePair<T>& pair, const ResizeArgs<T>& a, std::int64_t image) {
    __syncthreads();  // the image before may still be read
    if (threadIdx.x == 0) {
        pair.in = image_of(a.in, image);
        pair.rows = AxisMap::of(pair.in.height, image_of(a.out, image).height);
    } else if (threadIdx.x == kLanes) {
        pair.out = image_of(a.out, image);
        const ImageView<const T> in = image_of(a.in, image);
        pair.columns = AxisMap::of(in.width, pair.out.width);
        pair.half = a.convention == Convention::opencv && is_half(in.height, in.width, pair.out.height, pair.out.width);
    }
    __syncthreads();
}

/// Calls body(pair) for each image whose turn it is.
template <bool batch, class T, class Body>
__device__ void for_each_pair(const ResizeArgs<T>& a, const OnlyMaps& only, const Body& body) {
    if constexpr (batch) {
        __shared__ ResizePair<T> pair;
        for (std::int64_t image = blockIdx.z; image < a.out.count; image += gridDim.z) {
            share_pair(pair, a, image);
            if (!pair.empty()) body(pair);
        }
    } else {
        body(only_pair(a, only));
    }
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

/// How a pixel and its right neighbour can be loaded.
enum class Access : std::int16_t {
    bytes,    ///< sample by sample
    words,    ///< the words that hold their bytes, wherever the row begins
    aligned,  ///< as many words as it takes at most, of rows that begin at words
};

/// Calls body.operator()<access>().
template <class Body>
__device__ void with_access(Access access, const Body& body) {
    if (access == Access::aligned)
        body.template operator()<Access::aligned>();
    else if (access == Access::words)
        body.template operator()<Access::words>();
    else
        body.template operator()<Access::bytes>();
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

/// 8-bit rows without weight need not be read: they would add nothing, where floats would add an infinity times 0.
template <class Pixels, class T>
__device__ StripRow<Pixels> strip_row(const Tap& tap) {
    const bool both = !std::is_same_v<T, std::uint8_t> || tap.fraction != 0;
    return {tap.first, both ? tap.second : tap.first, Pixels::row(tap)};
}

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
        tables.rows[i] = strip_row<Pixels, T>(row_tap(convention, pair.rows, first_row + i));
    }
    __syncthreads();
}

/// The sums along one input row of all of a lane's pixels: every load is made before the first is used.
template <class Pixels, Access access, int pixels, class T>
__device__ void sum_row(typename Pixels::Sums (&sums)[pixels], const typename Pixels::Column (&columns)[pixels],
                        const ImageView<const T>& in, std::int32_t y) {
    const T* row = row_of(in, y);
    typename Pixels::Neighbours neighbours[pixels];
#pragma unroll
    for (int i = 0; i < pixels; ++i) neighbours[i] = Pixels::template load<access>(row, columns[i]);
#pragma unroll
    for (int i = 0; i < pixels; ++i) sums[i] = Pixels::along(neighbours[i], columns[i]);
}

template <class Pixels, int pixels, class T>
__device__ void store_row(const ResizePair<T>& pair, std::int64_t y, const typename Pixels::Row& weights,
                          const typename Pixels::Sums (&above)[pixels], const typename Pixels::Sums (&below)[pixels],
                          std::int64_t first_col) {
    typename Pixels::Samples samples[pixels];
#pragma unroll
    for (int i = 0; i < pixels; ++i) samples[i] = Pixels::down(weights, above[i], below[i]);
    Pixels::store(row_of(pair.out, y), samples, first_col, static_cast<int>(threadIdx.x) % kLanes, pair.out.width);
}

/// Rows one after the other; what an output row shares with the one above is kept.
template <class Pixels, class Shape, Access access, class T>
__device__ void keep_rows(const StripRow<Pixels>* rows, const typename Pixels::Column (&columns)[Shape::pixels],
                          const ResizePair<T>& pair, std::int64_t first_col, std::int64_t first_row) {
    typename Pixels::Sums above[Shape::pixels], below[Shape::pixels];
    std::int32_t above_row = -1, below_row = -1;
#pragma unroll 1
    for (int r = 0; r < Shape::rows && first_row + r < pair.out.height; ++r) {
        const StripRow<Pixels> row = rows[r];
        if (row.first != above_row) {
            if (row.first == below_row) {
#pragma unroll
                for (int i = 0; i < Shape::pixels; ++i) above[i] = below[i];
            } else {
                sum_row<Pixels, access>(above, columns, pair.in, row.first);
            }
            above_row = row.first;
        }
        if (row.second != below_row) {
            sum_row<Pixels, access>(below, columns, pair.in, row.second);
            below_row = row.second;
        }
        store_row<Pixels>(pair, first_row + r, row.weights, above, below, first_col);
    }
}

/// Rows that share nothing: all loads of two input rows are made before the first is used.
template <class Pixels, class Shape, Access access, class T>
__device__ void load_rows(const StripRow<Pixels>* rows, const typename Pixels::Column (&columns)[Shape::pixels],
                          const ResizePair<T>& pair, std::int64_t first_col, std::int64_t first_row) {
#pragma unroll 1
    for (int r = 0; r < Shape::rows && first_row + r < pair.out.height; ++r) {
        const StripRow<Pixels> row = rows[r];
        const T *above_row = row_of(pair.in, row.first), *below_row = row_of(pair.in, row.second);
        typename Pixels::Neighbours neighbours[2][Shape::pixels];
#pragma unroll
        for (int i = 0; i < Shape::pixels; ++i) {
            neighbours[0][i] = Pixels::template load<access>(above_row, columns[i]);
            neighbours[1][i] = Pixels::template load<access>(below_row, columns[i]);
        }
        typename Pixels::Sums above[Shape::pixels], below[Shape::pixels];
#pragma unroll
        for (int i = 0; i < Shape::pixels; ++i) {
            above[i] = Pixels::along(neighbours[0][i], columns[i]);
            below[i] = Pixels::along(neighbours[1][i], columns[i]);
        }
        store_row<Pixels>(pair, first_row + r, row.weights, above, below, first_col);
    }
}

template <class Pixels, class Shape, class T>
__device__ void walk_rows(const StripTables<Pixels, Shape>& tables, const ResizePair<T>& pair, std::int64_t first_col,
                          std::int64_t first_row) {
    const int lane = static_cast<int>(threadIdx.x) % kLanes, warp = static_cast<int>(threadIdx.x) / kLanes;
    typename Pixels::Column columns[Shape::pixels];
    bool aligned = true, words = true;
#pragma unroll
    for (int i = 0; i < Shape::pixels; ++i) {
        columns[i] = tables.columns[Pixels::pixel_of(lane, i, Shape::pixels)];
        aligned = aligned && Pixels::access(columns[i]) == Access::aligned;
        words = words && Pixels::access(columns[i]) != Access::bytes;
    }
    first_row += warp * Shape::rows;
    const StripRow<Pixels>* rows = tables.rows + warp * Shape::rows;
    // A branch at each load would keep loads from being made together: a warp takes one way.
    const bool all_aligned = __all_sync(0xFFFFFFFFu, aligned) != 0, all_words = __all_sync(0xFFFFFFFFu, words) != 0;
    const auto walk = [&]<Access access>() {
        if constexpr (Shape::keeps)
            keep_rows<Pixels, Shape, access>(rows, columns, pair, first_col, first_row);
        else
            load_rows<Pixels, Shape, access>(rows, columns, pair, first_col, first_row);
    };
    if constexpr (Pixels::has_words)
        with_access(all_aligned ? Access::aligned : all_words ? Access::words : Access::bytes, walk);
    else
        walk.template operator()<Access::bytes>();
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

}  // namespace lanework::inline LANEWORK_ON_DEVICE

// Each warp fetches source rows to shared memory ahead of their use, and a lane mixes and stores four columns at once.
// architectures: 80-virtual 90-real
#include "ops/tensor/planes.cuh"
#include "src/cuda/allow_shared.hpp"
#include "src/cuda/copies_to_shared.cuh"

namespace {
constexpr int kWarp = 32, kColumns = 4, kWarpColumns = kWarp * kColumns;  // of a lane, of a warp
constexpr int kMostWarps = 5, kMostRows = 6;                              // of a block
constexpr int kSlots = 4;              // source rows that a warp has in shared memory or has asked for
constexpr int kChunk = 16;             // bytes of a copy
constexpr unsigned kAll = 0xffffffff;  // lanes
constexpr unsigned kTogether = 64;     // images whose strips are computed in one order

/// What a launch is made of: of each image some strips of rows, of each strip some parts, each of which is a block's.
struct Shape {
    int warps, rows;         ///< of a block
    unsigned parts, strips;  ///< of a strip, of an image
    int slot_bytes;          ///< of a source row in shared memory
    bool vectors;            ///< four neighbouring elements of every row lie in one aligned vector
};

/// What falls to a block: the strips in the middle of the images come first, then those around them. Where images are
/// padded above and below, blocks that only store come last, and those that wait for memory do not end alone.
struct Unit {
    std::int64_t image;
    unsigned strip, part;

    __device__ static Unit of(const Shape& shape, unsigned images, unsigned unit) {
        const unsigned part = unit % shape.parts, place = unit / shape.parts;
        const unsigned first = place / (kTogether * shape.strips) * kTogether, within = place - first * shape.strips;
        const unsigned here = min(kTogether, images - first), rank = within / here;
        const unsigned middle = shape.strips / 2, aside = (rank + 1) / 2;
        return {first + within % here, rank % 2 == 0 ? middle + aside : middle - aside, part};
    }
};

/// What the warps of a block share: rows of the output, and the source rows that they need, each once.
template <Convention convention>
struct Strip {
    using W = Mixed<std::uint8_t, convention>;
    FittedSource<std::uint8_t, convention> source;
    Neighbours<W> rows[kMostRows];
    int newest[kMostRows];               ///< which of `needed` is a row's last
    std::int64_t needed[2 * kMostRows];  ///< bytes from the image's first row, ascending
    int count;                           ///< of those

    /// By all lanes of one warp, each axis by one.
    __device__ void fit(const ImageView<const std::uint8_t>& image, std::int64_t out_height, std::int64_t out_width,
                        const LetterboxOptions& options) {
        const auto lane = threadIdx.x;
        const FittedImage place =
            fitted(image.height, image.width, out_height, out_width, options.fit, options.scale_up);
        if (lane == 0) {
            source.image = image;
            source.place = place;
        }
        if (lane >= 2) return;
        const AxisMap own = place.height == 0 ? AxisMap{}
                                              : AxisMap::of(lane == 0 ? image.height : image.width,
                                                            lane == 0 ? place.height : place.width);
        AxisMap& map = lane == 0 ? source.vertical : source.horizontal;
        map.scale = own.scale;  // and not both members by one store of 16 bytes, which need not be aligned
        map.float_scale = own.float_scale;
        map.in = own.in;
    }
    /// Whether all of these rows are padding.
    __device__ bool is_padding(std::int64_t first_row, int rows_here) const {
        return first_row + rows_here <= source.place.top || first_row >= source.place.top + source.place.height;
    }
    /// By all lanes of one warp. From row to row of the output neither of its two source rows goes back.
    __device__ void list(std::int64_t first_row, int rows_here) {
        const int lane = static_cast<int>(threadIdx.x);
        const auto own = lane < rows_here ? source.rows(first_row + lane) : Neighbours<W>{-1, -1, W{}, W{}};
        const std::int32_t last = own.second_weight != W{} ? own.second : own.first;
        const std::int32_t above = __shfl_up_sync(kAll, last, 1);
        const std::int32_t before = lane == 0 ? -1 : above;  // the last one that rows above need
        const int added = own.first < 0 ? 0 : min(last - own.first + 1, last - before);
        const unsigned lanes = kAll >> (kWarp - 1 - lane);  // up to this one
        const int until =
            __popc(__ballot_sync(kAll, added > 0) & lanes) + __popc(__ballot_sync(kAll, added > 1) & lanes);
        if (lane < kMostRows) {
            rows[lane] = own;
            newest[lane] = until - 1;
            if (added > 0) needed[until - 1] = last * source.image.pitch;
            if (added > 1) needed[until - 2] = (last - 1) * source.image.pitch;
        }
        if (lane == kWarp - 1) count = until;
    }
};

/// A lane's columns, and what its warp needs of a source row for all of them.
template <class W>
struct Columns {
    int inside;                     ///< how many of the four are columns of the output
    unsigned padding;               ///< bit j: column j is padding
    std::int32_t offset[kColumns];  ///< bytes from the first one needed to those of the first pixel
    W first_weight[kColumns], second_weight[kColumns];
    std::int64_t begin;  ///< bytes from a source row's start to the first one that the warp needs
    std::int32_t bytes;  ///< that it needs; none where all is padding

    /// Those `first`, `first` + step, … The pixel behind the last one is needed with it, though it may have no weight.
    template <int channels, class Source>
    __device__ static Columns of(const Source& source, std::int64_t first, int step, std::int64_t width) {
        Columns own{};
        std::int32_t least = 0x7fffffff, most = -1;
#pragma unroll
        for (int j = 0; j < kColumns; ++j) {
            const std::int64_t x = first + j * step;
            if (x >= width) continue;
            ++own.inside;
            const auto column = source.columns(x);
            own.offset[j] = column.first;
            own.first_weight[j] = column.first_weight;
            own.second_weight[j] = column.second_weight;
            most = max(most, column.first);
            if (column.first < 0)
                own.padding |= 1U << j;
            else
                least = min(least, column.first);
        }
        least = __reduce_min_sync(kAll, least);
        most = __reduce_max_sync(kAll, most);
        own.begin = most < 0 ? 0 : std::int64_t{least} * channels;
        own.bytes = most < 0 ? 0 : (most - least + 2) * channels;
#pragma unroll
        for (int j = 0; j < kColumns; ++j)
            own.offset[j] = j < own.inside && (own.padding >> j & 1) == 0 ? (own.offset[j] - least) * channels : 0;
        return own;
    }
    __device__ Neighbours<W> weights(int j) const { return {0, 0, first_weight[j], second_weight[j]}; }
};

/// An address in shared memory that is kept in a register: the compiler computes it again at each use otherwise, and
/// waits for a special register each time.
__device__ unsigned char* in_register(unsigned char* shared) {
#ifdef __CUDA_ARCH__
    asm("" : "+l"(shared));
    __builtin_assume(__isShared(shared));
#endif
    return shared;
}

/// The source rows of a warp, in the order in which they are needed. From one row of the output to the next they
/// advance by two at most, and each needs two at most: of four in the ring the next two have always been asked for.
class RowRing {
    static_assert(kSlots >= 4);

public:
    /// `needed` and `count` are those of the strip; where all columns are padding, there are none.
    template <class W>
    __device__ RowRing(unsigned char* slots, int slot_bytes, const ImageView<const std::uint8_t>& image,
                       const Columns<W>& columns, const std::int64_t* needed, int count)
        : slots_(slots),
          slot_bytes_(slot_bytes),
          first_(image.pixels + columns.begin),
          bytes_(columns.bytes),
          before_(columns.begin),
          behind_(image.width * image.channels - columns.begin),
          whole_from_(behind_ >= bytes_ + kChunk ? kChunk - columns.begin : std::int64_t{0x7fffffffffffffff}),
          needed_(needed),
          count_(columns.bytes > 0 ? count : 0) {}

    /// Asks for rows before this one. Those `kSlots` before are lost.
    __device__ void ask_until(int end) {
        for (; asked_ < end; ++asked_) {
            if (asked_ < count_) copy(asked_);
            commit_copies();
        }
    }
    /// Waits for this lane's part of a row that was asked for.
    __device__ void wait_for(int index) const {
        const int newer = asked_ - 1 - index;
        if (newer >= 3) return wait_copies<3>();
        if (newer == 2) return wait_copies<2>();
        if (newer == 1) return wait_copies<1>();
        wait_copies<0>();
    }
    /// Where the bytes begin that the warp needs.
    __device__ const unsigned char* row(int index) const { return slot(index) + ahead_of(first_ + needed_[index]); }

private:
    __device__ unsigned char* slot(int index) const {
        return slots_ + static_cast<unsigned>(index) % kSlots * static_cast<unsigned>(slot_bytes_);
    }
    __device__ static int ahead_of(const std::uint8_t* address) {
        return static_cast<int>(reinterpret_cast<std::uintptr_t>(address) % kChunk);
    }
    /// Copies whole chunks where they lie between the image's first byte and the row's last one. Of others no more is
    /// read than that; zeros are there instead.
    __device__ void copy(int index) const {
        const std::int64_t row = needed_[index];
        const std::uint8_t* const wanted = first_ + row;
        const int ahead = ahead_of(wanted), lane = static_cast<int>(threadIdx.x) % kWarp * kChunk;
        const int left = ahead + bytes_ - lane;
        const std::uint8_t* const from = wanted - ahead + lane;
        unsigned char* const to = slot(index) + lane;
        if (row >= whole_from_) {
#pragma unroll 4
            for (int i = 0; i < left; i += kWarp * kChunk) copy_async<kChunk>(to + i, from + i, kChunk);
            return;
        }
        const std::uint8_t *const image = first_ - before_, *const row_end = wanted + behind_;
#pragma unroll 1
        for (int i = 0; i < left; i += kWarp * kChunk) {
            if (from + i >= image && row_end - (from + i) >= kChunk) {
                copy_async<kChunk>(to + i, from + i, kChunk);
                continue;
            }
#pragma unroll 1
            for (int b = i; b < i + kChunk; ++b)
                to[b] = from + b >= image && from + b < row_end ? from[b] : std::uint8_t{0};
        }
    }

    unsigned char* slots_;
    int slot_bytes_;
    const std::uint8_t* first_;  ///< the first byte that the warp needs of the image's first row
    std::int32_t bytes_;
    std::int64_t before_, behind_;  ///< bytes of a row from its begin to that one, and from there on
    std::int64_t whole_from_;       ///< from this row on whole chunks are copied
    const std::int64_t* needed_;
    int count_, asked_ = 0;
};

/// What `down` makes of a row whose neighbour has no weight: its own is the whole.
__device__ std::int32_t alone(std::int32_t sum) { return (sum + kWeightOne / 2) >> kWeightBits; }
__device__ float alone(float sum) { return sum; }

template <class Out>
struct alignas(kColumns * sizeof(Out)) Vector {
    Out element[kColumns];
};

/// The elements of a lane's columns in one row of the output, by channels of the source.
template <int channels>
struct Elements {
    float value[channels][kColumns];

    /// Those of the columns of these bits become padding.
    __device__ void pad(const Planes& planes, unsigned columns = ~0U) {
#pragma unroll
        for (int j = 0; j < kColumns; ++j)
#pragma unroll
            for (int c = 0; c < channels; ++c)
                if ((columns >> j & 1) != 0) value[c][j] = planes.padding[c];
    }
    /// mixed(j, c) is the mixture of a column and a channel.
    template <class Mixture>
    __device__ void fill(const Planes& planes, const Mixture& mixed) {
#pragma unroll
        for (int j = 0; j < kColumns; ++j)
#pragma unroll
            for (int c = 0; c < channels; ++c)
                value[c][j] = static_cast<float>(mixed(j, c)) * planes.factor[c] + planes.offset[c];
    }
    /// `to` is the first column's element of the image's first plane.
    template <class Out>
    __device__ void store(const Planes& planes, Out* to, bool vectors, int step, int inside) const {
#pragma unroll
        for (int c = 0; c < channels; ++c) {
            Out* const plane = to + planes.begin[c];
            if (vectors) {
                Vector<Out> vector;
#pragma unroll
                for (int j = 0; j < kColumns; ++j) store_element(&vector.element[j], value[c][j]);
                if (inside > 0) *reinterpret_cast<Vector<Out>*>(plane) = vector;
            } else {
#pragma unroll
                for (int j = 0; j < kColumns; ++j)
                    if (j < inside) store_element(plane + j * step, value[c][j]);
            }
        }
    }
};

template <Convention convention, int channels, class Out>
__global__ void __launch_bounds__(kMostWarps* kWarp, 6) staged_rows(TensorArgs<Out> a, Planes planes, Shape shape) {
    using W = Mixed<std::uint8_t, convention>;
    extern __shared__ __align__(kChunk) unsigned char slots[];
    __shared__ alignas(16) unsigned char memory[sizeof(Strip<convention>)];
    Strip<convention>& strip = *reinterpret_cast<Strip<convention>*>(memory);
    const int warp = static_cast<int>(threadIdx.x) / kWarp, lane = static_cast<int>(threadIdx.x) % kWarp;
    const std::int64_t width = a.out.width, height = a.out.height;
    const int step = shape.vectors ? 1 : kWarp;
    const auto in = a.template images<std::uint8_t>();
    const auto [k, strip_index, part] = Unit::of(shape, static_cast<unsigned>(in.count), blockIdx.x);
    const std::int64_t y = std::int64_t{strip_index} * shape.rows;
    const std::int64_t x =
        (std::int64_t{part} * shape.warps + warp) * kWarpColumns + (shape.vectors ? lane * kColumns : lane);
    if (warp == 0) {
        const auto image = image_of(in, k);
        strip.fit(image, height, width, a.options.letterbox);
        if (a.to_source && threadIdx.x == 0 && part == 0 && y == 0)
            store_transform(a.to_source[k], strip.source.to_source());
    }
    __syncthreads();
    const int rows_here = static_cast<int>(min(height - y, std::int64_t{shape.rows}));
    Out* next = a.out.data + (k * channels * height + y) * width + x;
    if (strip.is_padding(y, rows_here)) {
        const int inside = x >= width ? 0 : static_cast<int>(min((width - x - 1) / step + 1, std::int64_t{kColumns}));
        Elements<channels> elements;
        elements.pad(planes);
        for (int r = 0; r < rows_here; ++r, next += width) elements.store(planes, next, shape.vectors, step, inside);
        return;
    }
    if (warp == 0) strip.list(y, rows_here);
    const auto columns = Columns<W>::template of<channels>(strip.source, x, step, width);
    __syncthreads();
    RowRing ring(in_register(slots) + warp * kSlots * shape.slot_bytes, shape.slot_bytes, strip.source.image, columns,
                 strip.needed, strip.count);
    ring.ask_until(kSlots);
    for (int r = 0; r < rows_here; ++r, next += width) {
        const auto rows = strip.rows[r];
        Elements<channels> elements;
        if (rows.first < 0 || columns.bytes == 0) {
            elements.pad(planes);
            elements.store(planes, next, shape.vectors, step, columns.inside);
            continue;
        }
        const bool both = rows.second_weight != W{};
        const int newest = strip.newest[r], oldest = newest - (both && rows.second != rows.first ? 1 : 0);
        ring.wait_for(newest);
        __syncwarp();  // all lanes' parts are there, and all have left the row before
        ring.ask_until(oldest + kSlots);
        const unsigned char* const above = ring.row(oldest);
        const auto of_row = [&](const unsigned char* row, int j, int c) {
            const unsigned char* const pixel = row + columns.offset[j];
            return across<W>(columns.weights(j), std::int32_t{pixel[c]}, std::int32_t{pixel[c + channels]});
        };
        if (both) {
            const unsigned char* const below = ring.row(newest);
            elements.fill(planes, [&](int j, int c) { return down(rows, of_row(above, j, c), of_row(below, j, c)); });
        } else {
            elements.fill(planes, [&](int j, int c) { return alone(of_row(above, j, c)); });
        }
        if (columns.padding != 0) elements.pad(planes, columns.padding);
        elements.store(planes, next, shape.vectors, step, columns.inside);
    }
}

/// Pixels of a source row from one column of the output to the next, at most.
template <class Out>
double most_pixels(const TensorArgs<Out>& a) {
    const double across = static_cast<double>(a.bytes.most_width) / static_cast<double>(a.out.width);
    const double down = static_cast<double>(a.bytes.most_height) / static_cast<double>(a.out.height);
    const double kept = a.options.letterbox.fit == Fit::stretch || across > down ? across : down;
    return kept > 1 ? kept : 1;
}

/// Parts and strips of rows: short ones where tall ones would be so few that processors had none for long.
template <class Out>
int rows_of(const TensorArgs<Out>& a, std::int64_t parts) {
    constexpr std::int64_t kEnough = 400;  // blocks
    const std::int64_t rows = (parts * a.out.height * a.out.count + kEnough / 2) / kEnough;
    return static_cast<int>(rows < 1 ? 1 : rows < kMostRows ? rows : kMostRows);
}

template <class Out>
Shape shape_of(const TensorArgs<Out>& a) {
    const std::int64_t warps = ceil_div(a.out.width, kWarpColumns), parts = ceil_div(warps, kMostWarps);
    // A row of n columns of an image whose aspect ratio is kept may have been rounded from n + 1/2 to n.
    const double pixels = (kWarpColumns + 0.5) * most_pixels(a) + 4;
    const auto bytes = static_cast<int>(pixels) * a.out.channels + kChunk - 1;
    const int rows = rows_of(a, parts);
    return {
        static_cast<int>(ceil_div(warps, parts)),
        rows,
        static_cast<unsigned>(parts),
        static_cast<unsigned>(ceil_div(a.out.height, rows)),
        static_cast<int>(ceil_div(bytes, kChunk)) * kChunk,
        a.out.width % kColumns == 0 && reinterpret_cast<std::uintptr_t>(a.out.data) % (kColumns * sizeof(Out)) == 0};
}

template <class Out>
void launch(const TensorArgs<Out>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const Planes planes = Planes::of(a);
    const Shape shape = shape_of(a);
    const auto grid = static_cast<unsigned>(a.out.count) * shape.strips * shape.parts;
    const int bytes = shape.warps * kSlots * shape.slot_bytes;
    with_convention(a.options.letterbox.convention, [&]<Convention convention>() {
        with_channels(static_cast<int>(a.out.channels), [&]<int channels>() {
            allow_shared(staged_rows<convention, channels, Out>, bytes);
            staged_rows<convention, channels>
                <<<grid, shape.warps * kWarp, static_cast<std::size_t>(bytes), stream>>>(a, planes, shape);
        });
    });
}

/// A single image is too few blocks. Where pixels that neighbouring columns need are further apart than a sector, most
/// of what a warp copied would be of no use.
template <class Out>
bool fits(const TensorArgs<Out>& a) {
    constexpr std::int64_t kMostBlocks = std::int64_t{1} << 26;
    if (a.float_input || a.out.count == 1) return false;
    if (a.empty()) return true;
    return a.out.height <= kMostBlocks / a.out.count &&
           a.out.height * a.out.count <= kMostBlocks / ceil_div(a.out.width, kWarpColumns) &&
           most_pixels(a) * static_cast<double>(a.out.channels) <= 32;
}
}  // namespace

LANEWORK_RUNG(tensor, staged_rows,
              {
                  .climbs_from = "column_taps",
                  .lesson = "Source rows come to shared memory ahead of their use, and a lane stores four columns at "
                            "once: few instructions, and none waits for memory.",
                  .launch = {launch<float>, launch<float16>},
                  .refuses = refuse_before_ampere,
                  .fits = {fits<float>, fits<float16>},
                  .only = "several images of 8-bit samples whose neighbouring columns are 32 bytes apart at most",
              });
// mends: instruction_bound, narrow_vectors

// The kernel of `split_on_arrival`: tiles of floats that are split into pieces of bfloat16 on their way into shared
// memory, and how they are laid out over a product, or many of one shape.
#pragma once

#include <cmath>

#include "ops/matmul/cluster_sums.cuh"

#if LANEWORK_HAS_WARPGROUPS

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kSplitStages = 2;
inline constexpr int kEight = 8;  // neighbours that a thread splits at once: 16 bytes of each piece

/// Two neighbours in three pieces, each in the halves of a register.
__device__ inline void split_pair(std::uint32_t (&pieces)[kPieces], float low, float high) {
#pragma unroll
    for (int p = 0; p < kPieces; ++p) {
        asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pieces[p]) : "f"(high), "f"(low));
        low -= __uint_as_float(pieces[p] << 16);
        high -= __uint_as_float(pieces[p] & 0xffff0000U);
    }
}

/// The magnitudes that a thread has split: twice the bits, which leaves the sign out.
struct Range {
    std::uint32_t least = ~0U;  ///< of what is not zero, less 1
    __device__ void add(float value) { least = min(least, __float_as_uint(value) * 2 - 1); }
    __device__ bool all_split() const { return least >= __float_as_uint(kLeastSplit) * 2 - 1; }
};

/// A box of kRows × 64 elements of a matrix of floats, which moves by a step at a time: a thread's eights of it, of
/// which the next step's are on their way while this one's are split.
template <int kRows, bool kDown, int kFetchers>
class Box {
    static constexpr int kEights = kRows * kStripCols / kEight / kFetchers, kAtOnce = kFetchers / (kStripCols / kEight);

public:
    using Tile = bfloat16[kRows][kStripCols];

    /// The box that begins at (row, col) of rows × cols.
    __device__ Box(const float* matrix, std::int64_t rows, std::int64_t cols, std::int64_t pitch, std::int64_t row,
                   std::int64_t col, int thread)
        : row_(thread / (kStripCols / kEight)),
          col_(thread % (kStripCols / kEight) * kEight),
          from_(matrix + (row + row_) * pitch + col + col_),
          pitch_(pitch),
          rows_left_(rows - row - row_),
          cols_left_(cols - col - col_),
          fours_(pitch % 4 == 0 && reinterpret_cast<std::uintptr_t>(matrix) % sizeof(float4) == 0) {}

    __device__ void fetch(int i) {
        const std::int64_t count = i * kAtOnce < rows_left_ ? cols_left_ : 0;
        const float* const from = from_ + i * kAtOnce * pitch_;
        if (count >= kEight && fours_) {
            reinterpret_cast<float4*>(eight_[i])[0] = reinterpret_cast<const float4*>(from)[0];
            reinterpret_cast<float4*>(eight_[i])[1] = reinterpret_cast<const float4*>(from)[1];
        } else {
#pragma unroll
            for (int j = 0; j < kEight; ++j) eight_[i][j] = j < count ? from[j] : 0.0F;
        }
    }
    __device__ void fetch_all() {
#pragma unroll
        for (int i = 0; i < kEights; ++i) fetch(i);
    }
    __device__ void advance() {
        constexpr int kStep = kStripCols;
        from_ += kDown ? kStep * pitch_ : kStep;
        (kDown ? rows_left_ : cols_left_) -= kStep;
    }
    /// Splits what is there into the tiles of each piece, and asks for the next step's.
    __device__ void split(Tile* pieces, int to_next_piece, Range& range, bool more) {
        advance();
        unsigned char* const to = reinterpret_cast<unsigned char*>(pieces) + row_ * kSwizzleBytes +
                                  ((col_ / kEight) ^ (row_ % kSwizzleRows)) * 16;
#pragma unroll
        for (int i = 0; i < kEights; ++i) {
            std::uint32_t pair[kEight / 2][kPieces];
#pragma unroll
            for (int j = 0; j < kEight; j += 2) {
                range.add(eight_[i][j]);
                range.add(eight_[i][j + 1]);
                split_pair(pair[j / 2], eight_[i][j], eight_[i][j + 1]);
            }
            if (more) fetch(i);
#pragma unroll
            for (int p = 0; p < kPieces; ++p)
                *reinterpret_cast<uint4*>(to + p * to_next_piece + i * kAtOnce * kSwizzleBytes) =
                    make_uint4(pair[0][p], pair[1][p], pair[2][p], pair[3][p]);
        }
    }

private:
    int row_, col_;
    const float* from_;
    std::int64_t pitch_, rows_left_, cols_left_;
    bool fours_;
    alignas(16) float eight_[kEights][kEight];
};

/// Tiles of 64·kGroups × kCols elements of C: a warpgroup for each 64 rows multiplies, the other warps fetch and split.
/// Registers are what 65536 leave for the threads of the blocks that share a multiprocessor.
template <int kGroups, int kCols, bool kByColumns>
struct SplitTiles : SumsOfTile<float, kGroups * kGroupRows, kCols, kGroups * kWarpgroup, false> {
    static constexpr bool kSmall = kGroups == 1 && kCols == 64;
    static constexpr int kBlocks = kSmall ? 2 : 1, kFetchers = kSmall ? 256 : 512;
    static constexpr int kFetcherRegisters = kGroups == 2 ? 64 : 72, kConsumerRegisters = kCols == 128   ? 168
                                                                                          : kGroups == 2 ? 104
                                                                                                         : 96;
    using Base = SumsOfTile<float, kGroups * kGroupRows, kCols, kGroups * kWarpgroup, false>;
    static constexpr int kThreads = Base::kConsumers + kFetchers;
    static constexpr int kRowsOfB = kByColumns ? kCols : kStepDepth, kStrips = kByColumns ? 1 : kCols / kStripCols;
    using OfB = bfloat16[kStrips][kRowsOfB][kStripCols];
    struct alignas(kAlignment) Step {
        bfloat16 a[kPieces][Base::kRows][kStepDepth];
        OfB b[kPieces];
    };
    struct Barriers {
        Mbarrier full[kSplitStages], empty[kSplitStages];
    };
    static constexpr int kSharedBytes = sizeof(Step) * kSplitStages > sizeof(typename Base::SumsInShared)
                                            ? sizeof(Step) * kSplitStages
                                            : sizeof(typename Base::SumsInShared);

    static __device__ void fetch(Step* steps, Barriers& barriers, const MatmulOperands<float>& x, std::int64_t row,
                                 std::int64_t col, int begin, int end, Range& range) {
        const int thread = static_cast<int>(threadIdx.x) - Base::kConsumers;
        const std::int64_t first = std::int64_t{begin} * kStepDepth;
        Box<Base::kRows, false, kFetchers> of_a(x.a, x.m, x.n, x.a_pitch, row, first, thread);
        using BoxOfB = Box<kRowsOfB, !kByColumns, kFetchers>;
        const auto box_of_b = [&](int strip) {
            return kByColumns ? BoxOfB(x.b, x.k, x.n, x.b_pitch, col, first, thread)
                              : BoxOfB(x.b, x.n, x.k, x.b_pitch, first, col + strip * kStripCols, thread);
        };
        BoxOfB of_b = box_of_b(0), of_b_right = box_of_b(kStrips - 1);
        of_a.fetch_all();
        of_b.fetch_all();
        if constexpr (kStrips > 1) of_b_right.fetch_all();
        for (int i = begin, stage = 0, parity = 1; i < end; ++i) {
            barriers.empty[stage].wait(parity);  // the first time round it is
            Step& to = steps[stage];
            of_a.split(&to.a[0], sizeof(to.a[0]), range, i + 1 < end);
            of_b.split(&to.b[0][0], sizeof(to.b[0]), range, i + 1 < end);
            if constexpr (kStrips > 1) of_b_right.split(&to.b[0][1], sizeof(to.b[0]), range, i + 1 < end);
            __syncwarp();
            if (threadIdx.x % 32 == 0) barriers.full[stage].arrive();
            if (++stage == kSplitStages) {
                stage = 0;
                parity ^= 1;
            }
        }
    }

    using Sums = GroupSums<bfloat16, kCols, kByColumns>;
    /// What the largest pieces add up to, and what the others do: a sum loses bits by the size that it has by then.
    static __device__ void multiply(const Step* steps, Barriers& barriers, Sums& sums, int count) {
        constexpr PieceProducts kProducts = kFloatProducts;
        const int group = static_cast<int>(threadIdx.x) / kWarpgroup;
        Sums small;
        sums.clear();
        small.clear();
        for (int i = 0, stage = 0, parity = 0; i < count; ++i) {
            barriers.full[stage].wait(parity);
            fence_for_async();  // here: the warps that fetch would wait for what they have asked for
            begin_products();
            const Step& step = steps[stage];
#pragma unroll
            for (int p = 0; p < kProducts.count; ++p)
                (p + 1 < kProducts.count ? small : sums)
                    .multiply(step.a[kProducts.a[p]][group * kGroupRows], step.b[kProducts.b[p]], false);
            commit_products();
            wait_products<0>();
            if (threadIdx.x % kWarpgroup == 0) barriers.empty[stage].arrive();
            stage ^= 1;
            if (stage == 0) parity ^= 1;
        }
        wait_products<0>();
#pragma unroll
        for (int i = 0; i < static_cast<int>(sizeof(sums.value) / sizeof(float)); ++i) sums.value[i] += small.value[i];
    }
};

/// How C is laid out: tiles of rows × cols elements, whose sums are split over `groups` clusters of 2^part_bits blocks.
/// One cluster writes C; of several each writes its sums to a slice of the workspace, and they are added up afterwards.
struct SplitLayout {
    int rows, cols, part_bits, groups;
    double time = 0;  ///< nanoseconds, by the model
};
/// The fastest layout, by what 42 products took in 413 of them on an H100 (docs/hopper.md): in nanoseconds a step of a
/// tile, what memory takes for a byte, a launch and the first step, what another wave waits, and adding parts up.
class SplitLayouts {
public:
    SplitLayouts(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t products = 1)
        : products_(products), m_(m), k_(k), steps_(ceil_div(n, kStepDepth)) {
        constexpr double kPerByte = 305e-6;
        memory_ = kPerByte * sizeof(float) * static_cast<double>(products * (m * n + n * k + m * k));
    }
    /// with_slices: whether several clusters may share a tile.
    SplitLayout fastest(bool with_slices) const {
        constexpr std::int64_t kLeastSteps = 2;  // of a part
        SplitLayout best{};
        constexpr Tile kTiles[] = {{64, 64, 1347}, {64, 128, 1664}, {128, 64, 1858}};
        for (const Tile& tile : kTiles) {
            const auto consider = [&](int part_bits, std::int64_t groups) {
                if (part_bits > 0 || groups > 1) {
                    const std::int64_t most = steps_ / kLeastSteps >> part_bits;
                    if (most < 1) return;
                    groups = groups < most ? groups : most;
                }
                SplitLayout layout{tile.rows, tile.cols, part_bits, static_cast<int>(groups)};
                layout.time = time_of(layout, tile.step);
                if (best.rows == 0 || layout.time < best.time) best = layout;
            };
            const std::int64_t tiles = ceil_div(m_, tile.rows) * ceil_div(k_, tile.cols);
            for (int bits = 0; bits <= 3; ++bits) consider(bits, 1);
            if (!with_slices) continue;
            for (int together = 1; together <= (shared(tile.rows, tile.cols) ? 2 : 1); ++together)
                if (together * kProcessors / tiles > 1) consider(0, together * kProcessors / tiles);
        }
        return best;
    }

private:
    struct Tile {
        int rows, cols;
        double step;
    };
    /// Multiprocessors of an H100 or H200, and those that clusters of four and more blocks reach. Constants, so that
    /// the same product has the same sums on every GPU.
    static constexpr std::int64_t kProcessors = 132, kInClusters = 120;
    /// Two blocks with the smallest tile share a multiprocessor.
    static constexpr bool shared(int rows, int cols) { return rows + cols == 128; }

    double time_of(const SplitLayout& layout, double step) const {
        constexpr double kStart = 6182, kTwo = 1.489, kWave = 2871, kAdding = 1724, kDoubling = 1132, kSlices = 3954,
                         kPerSliceByte = 318e-6;
        const std::int64_t parts = std::int64_t{layout.groups} << layout.part_bits;
        const std::int64_t blocks = products_ * ceil_div(m_, layout.rows) * ceil_div(k_, layout.cols) * parts;
        const std::int64_t load = ceil_div(blocks, layout.part_bits < 2 ? kProcessors : kInClusters);
        const auto times = [](std::int64_t count, double each) { return static_cast<double>(count) * each; };
        const double of_block = times(ceil_div(steps_, parts), step);
        const double computing =
            shared(layout.rows, layout.cols)
                ? times(load / 2, of_block * kTwo) + times(load % 2, of_block) + times((load + 1) / 2 - 1, kWave)
                : times(load, of_block) + times(load - 1, kWave);
        double time = kStart + std::sqrt(std::hypot(computing * computing, memory_ * memory_));
        if (layout.part_bits > 0) time += kAdding + kDoubling * layout.part_bits;
        if (layout.groups > 1) time += kSlices + times((layout.groups + 1) * m_ * k_, sizeof(float) * kPerSliceByte);
        return time;
    }

    std::int64_t products_, m_, k_, steps_;
    double memory_;
};

/// What a number that does not split leads to in a slice: a sum that is not finite is computed by the plain units.
template <bool kPlain>
__device__ void leave_unsplit(const KernelArgs<kPlain, float>& x, std::int64_t row, int rows, std::int64_t col,
                              int cols, bool in_slice) {
    if (in_slice)
        for_unsplit(x, row, rows, col, cols, [&](std::int64_t r, std::int64_t c) { x.c[r * x.c_pitch + c] = NAN; });
    else
        compute_unsplit<kPlain>(x, row, rows, col, cols);
}

/// A cluster of 2^part_bits blocks computes a tile of C, or a group of clusters, along y: each writes its sums to a
/// slice, `slice` elements behind that of the one before. Tiles are counted down the rows first. `fours` says that C's
/// rows, or the slice's, start on whole fours.
template <int kGroups, int kCols, bool kByColumns, bool kPlain>
__global__ void __launch_bounds__(SplitTiles<kGroups, kCols, kByColumns>::kThreads,
                                  SplitTiles<kGroups, kCols, kByColumns>::kBlocks)
    split_on_arrival(KernelArgs<kPlain, float> x, const Products products, int part_bits, std::int64_t slice,
                     bool fours) {
    using Tiles = SplitTiles<kGroups, kCols, kByColumns>;
    __shared__ typename Tiles::Barriers barriers;
    __shared__ std::uint32_t unsplit_here;
    auto* const steps_in_shared = reinterpret_cast<typename Tiles::Step*>(aligned_shared());
    auto& in_shared = *reinterpret_cast<typename Tiles::SumsInShared*>(steps_in_shared);
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < kSplitStages; ++stage) {
            barriers.full[stage].init(Tiles::kFetchers / 32);
            barriers.empty[stage].init(kGroups);
        }
        fence_barriers();
    }
    const auto down = static_cast<unsigned>((x.m + Tiles::kRows - 1) / Tiles::kRows);
    const unsigned tile = blockIdx.x >> part_bits, across = tile / down;
    const int row = static_cast<int>(tile - across * down) * Tiles::kRows, col = static_cast<int>(across) * kCols;
    const int part = static_cast<int>(blockIdx.x) & ((1 << part_bits) - 1);
    const PartsOfSums parts(static_cast<int>((x.n + kStepDepth - 1) / kStepDepth), part_bits);
    const int begin = parts.begin(part), end = parts.begin(part + 1);
    x.a += blockIdx.z * products.to_next_a;
    x.b += blockIdx.z * products.to_next_b;
    x.c += blockIdx.y * slice + blockIdx.z * products.to_next_c;
    __syncthreads();
    const bool fetches = threadIdx.x >= Tiles::kConsumers;
    Range range;
    typename Tiles::Sums sums;
    if (fetches) {
        shrink_registers<Tiles::kFetcherRegisters>();
        Tiles::fetch(steps_in_shared, barriers, x, row, col, begin, end, range);
    } else {
        grow_registers<Tiles::kConsumerRegisters>();
        Tiles::multiply(steps_in_shared, barriers, sums, end - begin);
    }
    begin_next_kernel();
    bool unsplit = __syncthreads_or(!range.all_split());
    if (threadIdx.x == 0) unsplit_here = unsplit;
    if (!fetches) Tiles::put_down(in_shared, sums);
    if (part_bits > 0)
        sync_cluster();
    else
        __syncthreads();
    bool finite = true;
    if (!fetches)
        finite = fours ? Tiles::template write<4, kPlain>(in_shared, x, row, col, part, part_bits)
                       : Tiles::template write<1, kPlain>(in_shared, x, row, col, part, part_bits);
    for (int block = 0; part_bits > 0 && block < 1 << part_bits; ++block) {
        std::uint32_t there;
        asm("ld.shared::cluster.u32 %0, [%1];" : "=r"(there) : "r"(address_in_block(&unsplit_here, block)));
        unsplit |= there != 0;
    }
    if (part_bits > 0) sync_cluster();           // nobody leaves while the others may still read its part
    if (__syncthreads_or(unsplit || !finite)) {  // what is written then is written after what was
        const int rows = Tiles::kRows >> part_bits;
        leave_unsplit<kPlain>(x, row + part * rows, rows, col, kCols, gridDim.y > 1);
    }
}

template <int kGroups, int kCols, bool kByColumns>
void launch_tiles(const MatmulArgs<float>& x, const Products& products, const SplitLayout& layout, std::int64_t slice,
                  cudaStream_t stream) {
    using Tiles = SplitTiles<kGroups, kCols, kByColumns>;
    const auto launch = [&](auto kernel) {
        const bool fours = x.c_pitch % 4 == 0 && products.to_next_c % 4 == 0 &&
                           reinterpret_cast<std::uintptr_t>(x.c) % sizeof(float4) == 0;
        cudaLaunchAttribute attribute{};
        attribute.id = cudaLaunchAttributeClusterDimension;
        attribute.val.clusterDim = {1U << layout.part_bits, 1, 1};
        cudaLaunchConfig_t config{};
        const std::int64_t tiles = ceil_div(x.m, Tiles::kRows) * ceil_div(x.k, kCols);
        config.gridDim = dim3(static_cast<unsigned>(tiles << layout.part_bits), static_cast<unsigned>(layout.groups),
                              static_cast<unsigned>(products.count));
        config.blockDim = dim3(Tiles::kThreads);
        config.dynamicSmemBytes = static_cast<std::size_t>(allow_tiles(kernel, Tiles::kSharedBytes));
        config.stream = stream;
        config.attrs = &attribute;
        config.numAttrs = layout.part_bits > 0 ? 1 : 0;
        LANEWORK_CHECK(cudaLaunchKernelEx(&config, kernel, x, products, layout.part_bits, slice, fours));
    };
    x.finish.plain() ? launch(split_on_arrival<kGroups, kCols, kByColumns, true>)
                     : launch(split_on_arrival<kGroups, kCols, kByColumns, false>);
}
template <bool kByColumns>
void launch_layout(const MatmulArgs<float>& x, const Products& products, const SplitLayout& layout, std::int64_t slice,
                   cudaStream_t stream) {
    if (layout.rows == 128)
        launch_tiles<2, 64, kByColumns>(x, products, layout, slice, stream);
    else if (layout.cols == 128)
        launch_tiles<1, 128, kByColumns>(x, products, layout, slice, stream);
    else
        launch_tiles<1, 64, kByColumns>(x, products, layout, slice, stream);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

#endif

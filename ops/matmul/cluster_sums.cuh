// The kernel of `split_sums`: the blocks of a cluster share small tiles of C. Each sums a part of the products, and
// then they add their parts up through each other's shared memory, always in the same order. Or each has a tile of its
// own, and they fetch for one another what the tiles have in common.
#pragma once

#include "ops/matmul/cluster_model.hpp"
#include "ops/matmul/hopper.cuh"
#include "ops/matmul/sharing_blocks.cuh"
#include "ops/matmul/tile_places.cuh"

#if LANEWORK_HAS_WARPGROUPS

namespace lanework::inline LANEWORK_ON_DEVICE {

/// The address of something in this block's shared memory in that of another block of the cluster.
__device__ inline std::uint32_t address_in_block(const void* pointer, int block) {
    std::uint32_t there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(shared_address(pointer)), "r"(block));
    return there;
}
/// Not volatile, so that loads of several blocks are on their way together: what they read is written before a barrier.
__device__ inline void load_from_cluster(float (&to)[4], std::uint32_t address) {
    asm("ld.shared::cluster.v4.f32 {%0, %1, %2, %3}, [%4];"
        : "=f"(to[0]), "=f"(to[1]), "=f"(to[2]), "=f"(to[3])
        : "r"(address));
}
__device__ inline void load_from_cluster(float (&to)[1], std::uint32_t address) {
    asm("ld.shared::cluster.f32 %0, [%1];" : "=f"(to[0]) : "r"(address));
}

/// Which steps of a sum each block of a cluster adds up, where clusters along y share a tile.
class PartsOfSums {
public:
    __device__ PartsOfSums(int steps, int part_bits) : first_(blockIdx.y << part_bits), all_(gridDim.y << part_bits) {
        each_ = static_cast<unsigned>(steps) / all_;
        left_ = static_cast<unsigned>(steps) - each_ * all_;
    }
    __device__ int begin(int part) const {
        const unsigned number = first_ + static_cast<unsigned>(part);
        return static_cast<int>(each_ * number + left_ * number / all_);
    }

private:
    unsigned first_, all_, each_, left_;
};

/// A tile of C's sums in shared memory, which so many threads write. `kTurned` says that the rows of what a warpgroup
/// has in registers are columns of C.
template <class Out, int kRowsOfTile, int kColsOfTile, int kThreadsThatWrite, bool kTurned>
struct SumsOfTile {
    static constexpr int kRows = kRowsOfTile, kCols = kColsOfTile, kConsumers = kThreadsThatWrite;
    static constexpr int kPitch = kCols + (kTurned ? kTurnedPadding : 8);  // 8: four rows of a fragment fill the banks
    using SumsInShared = float[kRows][kPitch];
    /// What another block has takes long to come: of a thread so many parts are on their way at once.
    static constexpr int kPartsOnTheirWay = 1 << kMostPartBits;

    /// Puts this warpgroup's part down in shared memory.
    template <class Registers>
    static __device__ void put_down(SumsInShared& in_shared, const Registers& sums) {
        const int across = static_cast<int>(threadIdx.x) / kWarpgroup * kGroupRows + sums.row();
#pragma unroll
        for (int i = 0; i < (kTurned ? kRows : kCols) / 8; ++i)
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                const int along = sums.col() + i * 8;
                const float left = sums.value[i * 4 + half * 2], right = sums.value[i * 4 + half * 2 + 1];
                if constexpr (kTurned) {
                    in_shared[along][across + half * 8] = left;
                    in_shared[along + 1][across + half * 8] = right;
                } else {
                    *reinterpret_cast<float2*>(&in_shared[across + half * 8][along]) = make_float2(left, right);
                }
            }
    }

    /// Adds up all blocks' parts of some rows, from the first block's to the last's, and writes what the epilogue makes
    /// of them: neighbours by neighbouring threads, which in registers they are not. kWide columns at once. Whether all
    /// sums of this thread were finite.
    template <int kWide, bool kPlain, class Args>
    static __device__ bool write(const SumsInShared& sums, const Args& x, int row, int col, int part, int part_bits) {
        constexpr int kPerRow = kCols / kWide, kRowsAtOnce = kConsumers / kPerRow;
        static_assert(kConsumers % kPerRow == 0);
        const int rows = kRows >> part_bits, begin = rows * part;
        const int c = static_cast<int>(threadIdx.x) % kPerRow * kWide;
        const std::int64_t cols_left = x.k - col - c, rows_left = x.m - row;
        if (cols_left <= 0) return true;
        const int end = rows_left < begin + rows ? static_cast<int>(rows_left) : begin + rows;
        int r = begin + static_cast<int>(threadIdx.x) / kPerRow;
        Out* to = x.c + (row + r) * x.c_pitch + col + c;
        const std::int64_t to_next = kRowsAtOnce * x.c_pitch;
        bool finite = true;
        const auto finish = [&](float(&sum)[kWide]) {
#pragma unroll
            for (int j = 0; j < kWide; ++j) finite &= isfinite(sum[j]);
            if constexpr (!kPlain) {
#pragma unroll
                for (int j = 0; j < kWide; ++j)
                    if (j < cols_left)
                        sum[j] = activated(x.finish.activation, blended(x.finish, sum[j], row + r, col + c + j));
            }
            put_down(to, sum, cols_left);
        };
        if (part_bits == 0) {
#pragma unroll 4
            for (; r < end; r += kRowsAtOnce, to += to_next) {
                float sum[kWide];
                load(sum, &sums[r][c]);
                finish(sum);
            }
            return finite;
        }
        const auto add_up = [&]<int kPartBits>(std::integral_constant<int, kPartBits>) {
            constexpr int kBlocks = 1 << kPartBits, kRowsOnTheirWay = kPartsOnTheirWay / kBlocks;
            while (r < end) {
                float next[kRowsOnTheirWay][kBlocks][kWide];
#pragma unroll
                for (int i = 0; i < kRowsOnTheirWay; ++i)
#pragma unroll
                    for (int block = 0; block < kBlocks; ++block)
                        if (r + i * kRowsAtOnce < end)
                            load_from_cluster(next[i][block], address_in_block(&sums[r + i * kRowsAtOnce][c], block));
#pragma unroll
                for (int i = 0; i < kRowsOnTheirWay && r < end; ++i, r += kRowsAtOnce, to += to_next) {
                    float sum[kWide] = {};
#pragma unroll
                    for (int block = 0; block < kBlocks; ++block)
#pragma unroll
                        for (int j = 0; j < kWide; ++j) sum[j] += next[i][block][j];
                    finish(sum);
                }
            }
        };
        static_assert(kMostPartBits == 3);
        switch (part_bits) {
            case 1: add_up(std::integral_constant<int, 1>{}); break;
            case 2: add_up(std::integral_constant<int, 2>{}); break;
            default: add_up(std::integral_constant<int, 3>{});
        }
        return finite;
    }

private:
    static __device__ void load(float (&to)[4], const float* from) {
        const float4 four = *reinterpret_cast<const float4*>(from);
        to[0] = four.x, to[1] = four.y, to[2] = four.z, to[3] = four.w;
    }
    static __device__ void load(float (&to)[1], const float* from) { to[0] = *from; }
    static __device__ void put_down(Out* to, const float (&sum)[4], std::int64_t left) {
        if (left >= 4) {
            if constexpr (std::is_same_v<Out, float>)
                *reinterpret_cast<float4*>(to) = make_float4(sum[0], sum[1], sum[2], sum[3]);
            else
                *reinterpret_cast<uint2*>(to) =
                    make_uint2(GroupSums<Out>::packed(sum[0], sum[1]), GroupSums<Out>::packed(sum[2], sum[3]));
            return;
        }
#pragma unroll
        for (int j = 0; j < 4; ++j)
            if (j < left) put_one(to + j, sum[j]);
    }
    static __device__ void put_down(Out* to, const float (&sum)[1], std::int64_t) { put_one(to, sum[0]); }
    static __device__ void put_one(Out* to, float sum) {
        if constexpr (std::is_same_v<Out, float>)
            *to = sum;
        else
            put(to, sum);
    }
};

/// A tile of kRows × 64·kGroups elements of C, 64 columns for each of its warpgroups. wgmma has 64 rows and any
/// multiple of 8 columns: C is computed turned, from B's columns and A's rows, so that tiles may have as many rows as
/// make a whole wave of them. `kByColumns` says how B lies.
template <class T, class Out, int kRowsOfTile, int kGroups, bool kByColumns>
struct ClusterTiles : SumsOfTile<Out, kRowsOfTile, kGroups * kGroupRows, kGroups * kWarpgroup, true> {
    using Base = SumsOfTile<Out, kRowsOfTile, kGroups * kGroupRows, kGroups * kWarpgroup, true>;
    using Base::kConsumers, Base::kCols, Base::kRows;
    using typename Base::SumsInShared;
    static constexpr int kThreads = kConsumers + 32;  // the last warp fetches

    using Step = StepTiles<T, kRows, kCols, kByColumns>;
    using Sums = GroupSums<T, kRows>;
    struct Barriers {
        Mbarrier full[kMostStages];   // the bytes are there
        Mbarrier empty[kMostStages];  // they have been read
    };
    /// In dynamic shared memory lie as many steps as the launch asked for, and when they have been read, sums.
    static constexpr std::size_t shared_bytes(int stages) {
        const std::size_t steps = static_cast<std::size_t>(stages) * sizeof(Step);
        return steps < sizeof(SumsInShared) ? sizeof(SumsInShared) : steps;
    }

    /// Which stage a step is in, and the parity of that stage's barriers.
    struct Stage {
        int number = 0, parity = 0;
        __device__ void advance(int stages) {
            if (++number == stages) {
                number = 0;
                parity ^= 1;
            }
        }
    };

    /// The barrier of a stage that nobody reads any more, which now expects a step.
    static __device__ Mbarrier& expecting(Barriers& barriers, const Stage& at, int bytes) {
        Mbarrier& full = barriers.full[at.number];
        barriers.empty[at.number].wait(at.parity ^ 1);  // the first time round it is
        full.arrive_expecting(bytes);
        return full;
    }
    /// Asks for steps [begin, end) of the sum. Of A's tile `a_rows` come.
    static __device__ void produce(Step* tiles, Barriers& barriers, int stages, const Products& products,
                                   const CUtensorMap& map_a, const CUtensorMap& map_b, int a_rows, int row, int col,
                                   int begin, int end) {
        const auto product = static_cast<int>(blockIdx.z);
        const int a = Products::matrix(products.to_next_a, product), b = Products::matrix(products.to_next_b, product);
        const int bytes = a_rows * kSwizzleBytes + static_cast<int>(sizeof(typename Step::OfB));
        Stage at;
        for (int step = begin; step < end; ++step, at.advance(stages)) {
            Step& to = tiles[at.number];
            Mbarrier& full = expecting(barriers, at, bytes);
            load_box(to.a, map_a, a, row, step * kStepDepth, full);
            if constexpr (kByColumns) {
                load_box(to.b, map_b, b, col, step * kStepDepth, full);
            } else {
                for (int strip = 0; strip < kCols / kStripCols; ++strip)
                    load_box(to.b[strip], map_b, b, step * kStepDepth, col + strip * kStripCols, full);
            }
        }
    }
    /// The same where blocks share what they fetch: all lanes of a warp call it.
    static __device__ void produce_shared(Step* tiles, Barriers& barriers, int stages, const Products& products,
                                          const CUtensorMap& map_a, const CUtensorMap& map_b, const SharingBlock& block,
                                          int row, int col, int begin, int end) {
        constexpr int kStepsAlone = 2, kBytes = sizeof(typename Step::OfA) + sizeof(typename Step::OfB);
        const auto product = static_cast<int>(blockIdx.z);
        const int a = Products::matrix(products.to_next_a, product), b = Products::matrix(products.to_next_b, product);
        const bool asks = threadIdx.x % 32 == 0;
        // The part that a box of the maps has: B's by rows are rows of strips, one below the other.
        const int part_of_a = kRows >> block.of().across_bits, part_of_b = kCols >> block.of().down_bits;
        const int own_a = block.across() * part_of_a, own_b = block.down() * part_of_b;
        const int rows_of_box = kByColumns || part_of_b < kStepDepth ? part_of_b : kStepDepth;
        const auto place_of_b = [&](Step& to, int part) -> void* {
            if constexpr (kByColumns)
                return to.b[part];
            else
                return to.b[part / kStepDepth][part % kStepDepth];
        };
        const auto row_of_b = [&](int part, int depth) { return kByColumns ? col + part : depth + part % kStepDepth; };
        const auto col_of_b = [&](int part, int depth) {
            return kByColumns ? depth : col + part / kStepDepth * kStripCols;
        };
        Stage at;
        int step = begin;
        // Nothing is sent to others whose barriers may not be there yet: until they are, the first steps come for this
        // block alone.
        for (; asks && step < end && step < begin + kStepsAlone && step < begin + stages; ++step, at.advance(stages)) {
            Step& to = tiles[at.number];
            Mbarrier& full = expecting(barriers, at, kBytes);
            const int depth = step * kStepDepth;
            for (int part = 0; part < kRows; part += part_of_a) load_box(to.a[part], map_a, a, row + part, depth, full);
            for (int part = 0; part < kCols; part += rows_of_box)
                load_box(place_of_b(to, part), map_b, b, row_of_b(part, depth), col_of_b(part, depth), full);
        }
        __syncwarp();
        wait_for_cluster();
        const unsigned in_row = block.in_row(), in_column = block.in_column();
        for (; asks && step < end; ++step, at.advance(stages)) {
            Step& to = tiles[at.number];
            Mbarrier& full = expecting(barriers, at, kBytes);
            const int depth = step * kStepDepth;
            load_box_for(in_row, to.a[own_a], map_a, a, row + own_a, depth, full);
            for (int part = own_b; part < own_b + part_of_b; part += rows_of_box)
                load_box_for(in_column, place_of_b(to, part), map_b, b, row_of_b(part, depth), col_of_b(part, depth),
                             full);
        }
        __syncwarp();
    }

    /// A step is given back only if its place is filled again. Then this block's own fetching lane waits for every
    /// arrival at its barriers, as its consumers do for all bytes, before it leaves: nothing comes to a block that has
    /// left. All blocks of a cluster that share have the same count and stages.
    static __device__ void multiply(const Step* tiles, Barriers& barriers, int stages, const SharingBlock& block,
                                    Sums& sums, int count) {
        const int group = static_cast<int>(threadIdx.x) / kWarpgroup,
                  thread = static_cast<int>(threadIdx.x) % kWarpgroup;
        const bool alone = block.alone();
        const int releases = alone ? 1 : block.count();  // those who write into this block's shared memory
        const int released = thread < releases && !alone ? block.block(thread) : 0;
        const std::uint32_t steps = kept_shared_address(tiles), full = kept_shared_address(barriers.full),
                            empty = kept_shared_address(barriers.empty);
        const int refilled = count - stages;  // steps whose places others take
        Stage at;
        std::uint32_t before = 0;
#pragma unroll 1
        for (int i = 0; i < count; ++i, at.advance(stages)) {
            const auto number = static_cast<std::uint32_t>(at.number);
            const std::uint32_t barrier = number * sizeof(Mbarrier);
            wait_for_phase(full + barrier, at.parity);
            begin_products();
            sums.template multiply_turned<kCols, kByColumns>(steps + number * sizeof(Step), group, i == 0);
            commit_products();
            wait_products<1>();
            if (i > 0 && i <= refilled && thread < releases)
                alone ? arrive_at_barrier(empty + before) : arrive_at_barrier(empty + before, released);
            before = barrier;
        }
        wait_products<0>();
    }

    /// Writes the sums to a slice, as SlicesOfTiles has them, but for those that lie outside of C.
    static __device__ void leave(const Sums& sums, float* slice, std::int64_t rows_left, std::int64_t cols_left) {
        constexpr int kEight = 8, kSixteen = 16;
        const int thread = static_cast<int>(threadIdx.x);
        if (thread / 32 * kSixteen >= cols_left) return;
        float4* const to = reinterpret_cast<float4*>(slice) + thread;
#pragma unroll
        for (int i = 0; i < kRows / kEight; ++i) {
            const float* const v = sums.value + i * 4;
            if (i * kEight < rows_left) to[i * kConsumers] = make_float4(v[0], v[1], v[2], v[3]);
        }
    }

    /// Rounds the sums and writes them to C, whose rows begin on 16 bytes, by way of shared memory: in registers a
    /// thread's are neighbours along C's columns.
    static __device__ void write_rounded(Step* tiles, const Sums& sums, Out* c, std::int64_t pitch, std::int64_t m,
                                         std::int64_t k, int row, int col) {
        constexpr int kPadded = kCols + 8;  // eight rows of 16 bytes lie in 32 different banks
        constexpr int kPerRow = kCols / 8, kRowsAtOnce = kConsumers / kPerRow;
        auto* const rounded = reinterpret_cast<std::uint16_t*>(tiles);
        const int thread = static_cast<int>(threadIdx.x), lane = thread % 32;
        sync_consumers();  // all have read the tiles
        std::uint16_t* const to = rounded + (lane / 16 * 8 + lane % 8) * kPadded + thread / kWarpgroup * kGroupRows +
                                  thread % kWarpgroup / 32 * 16 + lane / 8 % 2 * 8;  // the row that this lane addresses
#pragma unroll
        for (int i = 0; i < kRows / 8; i += 2) {
            const float* const v = sums.value + i * 4;
            asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(
                             shared_address(to + i * 8 * kPadded)),
                         "r"(Sums::packed(v[0], v[1])), "r"(Sums::packed(v[2], v[3])), "r"(Sums::packed(v[4], v[5])),
                         "r"(Sums::packed(v[6], v[7]))
                         : "memory");
        }
        sync_consumers();
        const int r = thread / kPerRow, first = thread % kPerRow * 8;
        const std::int64_t rows_left = m - row - r, cols_left = k - col - first;
        if (cols_left <= 0) return;
        const std::uint16_t* const from = rounded + r * kPadded + first;
        Out* const out = c + (row + r) * pitch + col + first;
        // What most threads do lies together, for code that is fetched for the first time.
        if (cols_left >= 8) {
#pragma unroll
            for (int i = 0; i < kRows; i += kRowsAtOnce)
                if (i < rows_left)
                    *reinterpret_cast<uint4*>(out + i * pitch) = *reinterpret_cast<const uint4*>(from + i * kPadded);
        } else {
#pragma unroll 1
            for (int i = 0; i < kRows && i < rows_left; i += kRowsAtOnce)
#pragma unroll 1
                for (int j = 0; j < cols_left; ++j)
                    reinterpret_cast<std::uint16_t*>(out + i * pitch)[j] = from[i * kPadded + j];
        }
    }

private:
    static __device__ void sync_consumers() { asm volatile("bar.sync 1, %0;" ::"n"(kConsumers) : "memory"); }
};

/// C of type Out from operands of type T whose maps say where they lie; `x` says where C is, of the first product:
/// along z are others. A cluster of 2^part_bits blocks computes a tile of C (divisions take long where a block does
/// little). Where Out is float, a group of single blocks does, along y: each writes its sums to a slice, `slice`
/// elements behind that of the one before. `stages` steps of each block's sum are on their way or read. Of A's tile
/// `a_rows` are fetched: where C has fewer rows than a tile, what the others hold is not written. The tiles of a
/// cluster without parts lie as `sharing` says. `whole`: C's rows start on whole eights of elements (8), fours (4), or
/// anywhere (1).
template <class T, class Out, int kRows, int kGroups, bool kByColumns, bool kPlain>
__global__ void __launch_bounds__(ClusterTiles<T, Out, kRows, kGroups, kByColumns>::kThreads)
    cluster_sums(KernelArgs<kPlain, Out> x, const Products products, int part_bits, const Sharing sharing,
                 std::int64_t slice, int stages, int a_rows, int whole, const __grid_constant__ CUtensorMap map_a,
                 const __grid_constant__ CUtensorMap map_b) {
    using Tiles = ClusterTiles<T, Out, kRows, kGroups, kByColumns>;
    constexpr bool kToSlices = std::is_same_v<Out, float>;
    __shared__ typename Tiles::Barriers barriers;
    auto* const tiles = reinterpret_cast<typename Tiles::Step*>(aligned_shared());
    auto& in_shared = *reinterpret_cast<typename Tiles::SumsInShared*>(tiles);
    const bool fetches = threadIdx.x >= Tiles::kConsumers;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const SharingBlock block(sharing, static_cast<int>(blockIdx.x) & ((1 << sharing.bits()) - 1));
    if (fetches) {
        if (lane == 0) {
            prefetch(map_a);
            prefetch(map_b);
            for (int stage = 0; stage < stages; ++stage) {
                barriers.full[stage].init(1);
                barriers.empty[stage].init(kGroups * block.count());
            }
            fence_barriers();  // by one lane: each that does it has the warp wait for another 100 clocks
        }
        __syncwarp();
    }
    const int rows_of_cluster = kRows << sharing.down_bits, cols_of_cluster = Tiles::kCols << sharing.across_bits;
    const auto clusters = [](unsigned tiles, int bits) {  // divisions by what is known later take long
        return (tiles + (1U << bits) - 1) >> bits;
    };
    const PlaceOfTile place =
        place_of_tile(blockIdx.x >> (part_bits + sharing.bits()), clusters(tiles_along(x.m, kRows), sharing.down_bits),
                      clusters(tiles_along(x.k, Tiles::kCols), sharing.across_bits));
    const int row = place.down * rows_of_cluster + block.down() * kRows;
    const int col = place.across * cols_of_cluster + block.across() * Tiles::kCols;
    const auto steps = static_cast<int>((static_cast<unsigned>(x.n) + kStepDepth - 1) / kStepDepth);
    const int part = static_cast<int>(blockIdx.x) & ((1 << part_bits) - 1);
    const PartsOfSums parts(steps, part_bits);
    const int begin = parts.begin(part), end = parts.begin(part + 1);
    if constexpr (!kToSlices) x.c += blockIdx.z * products.to_next_c;
    __syncthreads();
    if (!block.alone()) arrive_at_cluster();
    wait_for_previous_kernel();
    if constexpr (kToSlices) begin_next_kernel();  // whoever adds waits beside this block
    typename Tiles::Sums sums;
    if (!fetches) {
        if (!block.alone()) wait_for_cluster();  // from here on the others' barriers are there
        Tiles::multiply(tiles, barriers, stages, block, sums, end - begin);
    } else if (block.alone()) {
        if (lane == 0) Tiles::produce(tiles, barriers, stages, products, map_a, map_b, a_rows, row, col, begin, end);
        __syncwarp();
    } else {
        Tiles::produce_shared(tiles, barriers, stages, products, map_a, map_b, block, row, col, begin, end);
    }
    if constexpr (kToSlices) {
        if (!fetches)
            Tiles::leave(sums, x.c + blockIdx.y * slice + std::int64_t{blockIdx.x} * (kRows * Tiles::kCols), x.m - row,
                         x.k - col);
        return;
    }
    begin_next_kernel();
    if constexpr (kPlain)
        if (part_bits == 0 && whole == 8) {
            if (!fetches) Tiles::write_rounded(tiles, sums, x.c, x.c_pitch, x.m, x.k, row, col);
            return;
        }
    __syncthreads();
    if (!fetches) Tiles::put_down(in_shared, sums);
    if (part_bits > 0)
        sync_cluster();
    else
        __syncthreads();
    if (!fetches) {
        if (whole >= 4)
            Tiles::template write<4, kPlain>(in_shared, x, row, col, part, part_bits);
        else
            Tiles::template write<1, kPlain>(in_shared, x, row, col, part, part_bits);
    }
    __syncwarp();
    if (part_bits > 0) meet_cluster();  // nobody leaves while the others may still read its part
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

#endif

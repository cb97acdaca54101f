// The kernel of `persistent` and `split_floats`: as many blocks as the GPU holds, in clusters of two, and each cluster
// takes tile after tile of C in an order that keeps what it reads in the second cache. Where the last round of tiles
// would leave clusters idle, the steps of the last tiles are shared out instead (stream-K): a tile's sum is then that
// of two clusters.
#pragma once

#include "ops/matmul/hopper.cuh"
#include "ops/matmul/shared_steps.hpp"

#if LANEWORK_HAS_WARPGROUPS
namespace lanework::inline LANEWORK_ON_DEVICE {

/// A product as the kernel sees it: where C is, and how long everything.
template <class Result>
struct ProductInto {
    using Out = Result;
    Out* c;
    std::int64_t m, n, k, c_pitch;

    template <class T>
    explicit ProductInto(const MatmulArgs<T>& x) : c(x.c), m(x.m), n(x.n), k(x.k), c_pitch(x.c_pitch) {}
    /// What is written is the sums.
    template <class Sums>
    __device__ void finish(Sums&, int, int) const {}
};
/// One with an epilogue. T is the operands' type as the caller has them: float, where bfloat16 pieces are multiplied.
template <class T>
struct FinishedProduct : ProductInto<lanework::Result<T>> {
    Finish<T> epilogue;

    explicit FinishedProduct(const MatmulArgs<T>& x) : ProductInto<lanework::Result<T>>(x), epilogue(x.finish) {}
    /// Of a warpgroup's tile at (row, col) of C.
    template <class Sums>
    __device__ void finish(Sums& sums, int row, int col) const {
        finish_sums(sums, epilogue, row, col, this->m, this->k);
    }
};
/// Calls body with the product, in a type of its own where it is plain: its kernel then has no epilogue.
template <class T, class Body>
void with_product(const MatmulArgs<T>& x, const Body& body) {
    if (x.finish.plain())
        body(ProductInto<Result<T>>(x));
    else
        body(FinishedProduct<T>(x));
}

/// Where clusters leave sums of parts of tiles for each other.
template <class T>
struct SharedSums {
    static constexpr int kBlocks = 2 * SharedRounds::kMostClusters;
    static constexpr std::size_t kSumBytes = kBlocks * kBlockRows * kBlockCols * sizeof(SumOf<T>);
    static constexpr int kFlags = kBlocks * (kBlockRows / kGroupRows);
    static constexpr std::size_t kBytes = kSumBytes + kFlags * sizeof(unsigned);

    /// Of the workspace, where the last tiles of such a product may be shared; else 0. `pieces`: products in a sum.
    static std::size_t bytes_for(std::int64_t m, std::int64_t n, std::int64_t k, int pieces = 1) {
        const std::int64_t pairs_of_tiles = ceil_div(m, 2 * kBlockRows) * ceil_div(k, kBlockCols);
        return SharedRounds::can_pay(pairs_of_tiles, ceil_div(n, kStepDepthOf<T>) * pieces) ? kBytes : 0;
    }

    SumOf<T>* sums = nullptr;   ///< of one warpgroup after the other
    unsigned* there = nullptr;  ///< for each, not 0 once its sums are written

    SharedSums() = default;
    explicit SharedSums(void* memory)
        : sums(static_cast<SumOf<T>*>(memory)),
          there(reinterpret_cast<unsigned*>(static_cast<unsigned char*>(memory) + kSumBytes)) {}
};

/// `kByColumns` says how B lies in memory, and `kByTma` how C is written: its rows must start on 16 bytes, else it is
/// written from registers.
template <class T, class Out, bool kByColumns, bool kByTma>
struct PersistentTiles {
    static constexpr int kCluster = 2;                       ///< blocks, one tile of C above the other
    static constexpr int kGroups = kBlockRows / kGroupRows;  ///< that multiply
    static constexpr int kThreads = (1 + kGroups) * kWarpgroup;
    static constexpr int kStages = 4;
    static constexpr int kBand = 8;  ///< pairs of tiles, above one another, that are walked along C together
    static constexpr int kDepth = kStepDepthOf<T>;
    static constexpr int kStripColsOfC = kStepDepthOf<Out>;  ///< 128 bytes
    static constexpr int kStrips = kBlockCols / kStripColsOfC;
    /// Whether a tile is kept in pairs of 16 bits and written while the next one is multiplied: registers hold both.
    static constexpr bool kWritesLater = kByTma && sizeof(Out) == 2;
    static constexpr int kLong = 32;  ///< steps of a sum; shorter ones are written at once, for writing is most of it
    using Tiles = StepTiles<T, kBlockRows, kBlockCols, kByColumns>;
    using Sums = GroupSums<T, kBlockCols, kByColumns>;
    static constexpr int kSumsOfGroup = kGroupRows * kBlockCols;

    /// Strips of a warpgroup's tile of C, on their way from registers to memory: one is filled while the other is read.
    struct Staging {
        Out strip[kByTma ? 2 : 0][kGroupRows][kStripColsOfC];
    };
    struct alignas(kAlignment) Shared {
        Tiles tiles[kStages];
        Staging staging[kGroups];
        Mbarrier full[kStages];   // this block's bytes are there
        Mbarrier empty[kStages];  // the consumers of both blocks have read them
    };

    /// Where the i-th tile of a cluster lies, and of which product, in pairs of tiles down and tiles across. Bands of
    /// kBand pairs are walked from left to right, each column of a band from above: the clusters that run together
    /// share rows and columns.
    struct Walk {
        int down, across;  ///< pairs of tiles, tiles
        int products;      ///< one after the other

        __device__ int place(int tile, int& row, int& col) const {
            const int product = products == 1 ? 0 : tile / (down * across);
            tile -= product * down * across;
            const int band = tile / (kBand * across), within = tile % (kBand * across);
            const int height = min(kBand, down - band * kBand);
            row = (band * kBand + within % height) * kCluster * kBlockRows;
            col = within / height * kBlockCols;
            return product;
        }
    };

    /// One thread of each block asks for A's tile and for half of B's, which goes to both blocks of the cluster.
    static __device__ void produce(Shared& shared, const Products& products, const CUtensorMap& map_a,
                                   const CUtensorMap& map_b, const Walk& walk, const SharedRounds& rounds,
                                   const PieceProducts& pieces) {
        const int rank = rank_in_cluster();
        int count = 0;
        for (PartsOfCluster part(rounds, cluster()); part.next();) {
            int row, col;
            const int product = walk.place(part.tile, row, col);
            const int a = Products::matrix(products.to_next_a, product);
            const int b = Products::matrix(products.to_next_b, product);
            row += rank * kBlockRows;
            for (int i = part.first; i < part.end; ++i, ++count) {
                const auto [p, step] = part.step(i);
                const int depth = step * kDepth, stage = count % kStages;
                Tiles& to = shared.tiles[stage];
                Mbarrier& full = shared.full[stage];
                shared.empty[stage].wait(count / kStages % 2 ^ 1);  // the first time round it is
                full.arrive_expecting(sizeof to);
                load_box(to.a, map_a, a, pieces.a[p] * pieces.a_rows + row, depth, full);
                constexpr unsigned kBoth = (1U << kCluster) - 1;
                if constexpr (kByColumns) {
                    constexpr int kCols = kBlockCols / kCluster;
                    load_box_for(kBoth, to.b[rank * kCols], map_b, b, col + rank * kCols, depth, full);
                } else {
                    constexpr int kStripsOfB = kBlockCols / kStripCols / kCluster;
                    for (int s = 0; s < kStripsOfB; ++s) {
                        const int strip = rank * kStripsOfB + s;
                        load_box_for(kBoth, to.b[strip], map_b, b, pieces.b[p] * pieces.b_rows + depth,
                                     col + strip * kStripCols, full);
                    }
                }
            }
        }
    }

    /// Leaves a warpgroup's sums of a part in memory for the cluster that writes the tile.
    static __device__ void leave(const Sums& sums, const SharedSums<T>& to, int group, int thread) {
        const int place = place_of_sums(cluster(), group);
        SumOf<T>* const at = to.sums + std::int64_t{place} * kSumsOfGroup + thread;
#pragma unroll
        for (int i = 0; i < kSumsOfGroup / kWarpgroup; ++i) at[i * kWarpgroup] = sums.value[i];
        sync_warpgroup(1 + group);
        if (thread != 0) return;
        __threadfence();
        *static_cast<volatile unsigned*>(to.there + place) = 1;
    }
    /// Adds what the cluster before has left.
    static __device__ void collect(Sums& sums, const SharedSums<T>& from, int group, int thread) {
        const int place = place_of_sums(cluster() - 1, group);
        if (thread == 0) {
            while (*static_cast<const volatile unsigned*>(from.there + place) == 0) continue;
            __threadfence();
        }
        sync_warpgroup(1 + group);
        const SumOf<T>* const at = from.sums + std::int64_t{place} * kSumsOfGroup + thread;
#pragma unroll
        for (int i = 0; i < kSumsOfGroup / kWarpgroup; ++i) sums.value[i] += __ldcg(at + i * kWarpgroup);
    }
    static __device__ int place_of_sums(int cluster, int group) {
        return (cluster * kCluster + rank_in_cluster()) * kGroups + group;
    }

    /// A warpgroup's tile of C that is not written yet, in pairs of columns.
    struct Unwritten {
        std::uint32_t pairs[kWritesLater ? kGroupRows * kBlockCols / kWarpgroup / 2 : 1];
        int product, row, col;
        int strip = kStrips;  ///< the next to be written; none where it is kStrips
    };

    /// A warpgroup multiplies tile after tile. Each is written to C while the producer fetches the next, or while that
    /// is multiplied.
    template <class Product>
    static __device__ void consume(Shared& shared, const CUtensorMap& map_c, const Product& x, const Products& products,
                                   const Walk& walk, const SharedRounds& rounds, const SharedSums<T>& shared_sums,
                                   bool pairs) {
        const int rank = rank_in_cluster(), group = static_cast<int>(threadIdx.x) / kWarpgroup - 1;
        const int thread = static_cast<int>(threadIdx.x) % kWarpgroup;
        const auto release = [&](int stage) {  // to each block of the cluster by one thread
            if (thread < kCluster) shared.empty[stage].arrive_at(thread);
        };
        Unwritten last;
        const auto write_strip_of_last = [&] {
            if constexpr (kWritesLater)
#pragma unroll
                for (int s = 0; s < kStrips; ++s)
                    if (last.strip == s)
                        write_strip(shared.staging[group], s, last.pairs + s * kStripColsOfC / 4, map_c, last.product,
                                    last.row, last.col, group, thread);
            ++last.strip;
        };
        int count = 0;
        for (PartsOfCluster part(rounds, cluster()); part.next();) {
            int row, col;
            const int product = walk.place(part.tile, row, col);
            row += rank * kBlockRows + group * kGroupRows;
            Sums sums;
            for (int i = part.first; i < part.end; ++i, ++count) {
                const int stage = count % kStages;
                shared.full[stage].wait(count / kStages % 2);
                begin_products();
                sums.multiply(shared.tiles[stage], group, i == part.first);
                commit_products();
                if constexpr (kWritesLater)
                    if (last.strip < kStrips) write_strip_of_last();
                wait_products<1>();
                if (i > part.first) release((count - 1) % kStages);
            }
            wait_products<0>();
            release((count - 1) % kStages);
            if (part.first > 0) {
                leave(sums, shared_sums, group, thread);
                continue;
            }
            if (part.end < rounds.steps) collect(sums, shared_sums, group, thread);
            x.finish(sums, row, col);
            if constexpr (kWritesLater) {
                while (last.strip < kStrips) write_strip_of_last();  // this was a part of a few steps
#pragma unroll
                for (int i = 0; i < kGroupRows * kBlockCols / kWarpgroup / 2; ++i)
                    last.pairs[i] = Sums::packed(sums.value[2 * i], sums.value[2 * i + 1]);
                last.product = product;
                last.row = row;
                last.col = col;
                last.strip = 0;
                if (rounds.steps < kLong) {
#pragma unroll
                    for (int s = 0; s < kStrips; ++s)
                        write_strip(shared.staging[group], s, last.pairs + s * kStripColsOfC / 4, map_c, product, row,
                                    col, group, thread);
                    last.strip = kStrips;
                }
            } else if constexpr (kByTma) {
#pragma unroll
                for (int s = 0; s < kStrips; ++s)
                    write_strip(shared.staging[group], s, sums.value + s * kStripColsOfC / 2, map_c, product, row, col,
                                group, thread);
            } else {
                sums.write(x.c + product * products.to_next_c, x.c_pitch, x.m, x.k, row, col, pairs);
            }
        }
        if constexpr (kWritesLater)
            while (last.strip < kStrips) write_strip_of_last();
        if (kByTma && thread == 0) wait_stores_read<0>();  // shared memory lives as long as the block
    }

    /// Strip s of a tile at (row, col), into swizzled shared memory and from there by TMA. One thread asks for the copy
    /// and waits for the one before the last before its strip is written again.
    template <class Values>
    static __device__ void write_strip(Staging& staging, int s, const Values* values, const CUtensorMap& map_c,
                                       int product, int row, int col, int group, int thread) {
        auto& strip = staging.strip[s % 2];
        if (thread == 0) wait_stores_read<1>();
        sync_warpgroup(1 + group);
        if constexpr (kWritesLater)
            fill_halves(reinterpret_cast<std::uint16_t*>(strip), values, thread);
        else
            fill_words(&strip[0][0], values, thread);
        fence_for_async();
        sync_warpgroup(1 + group);
        if (thread == 0) store_box(strip, map_c, product, row, col + s * kStripColsOfC);
    }
    /// 16-bit elements: 16 columns at once, which are four matrices of 8 × 8.
    static __device__ void fill_halves(std::uint16_t* strip, const std::uint32_t* pairs, int thread) {
        const int lane = thread % 32, warp = thread / 32;
        const int to_row = warp * 16 + lane % 16, part_of_lane = lane / 16;  // the row that this lane addresses
#pragma unroll
        for (int i = 0; i < kStripColsOfC / 8; i += 2) {
            const std::uint32_t* const v = pairs + i * 2;
            const int part = (i + part_of_lane) ^ to_row % kSwizzleRows;
            asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(
                             shared_address(strip + to_row * kStripColsOfC + part * 8)),
                         "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3])
                         : "memory");
        }
    }
    /// Elements of 4 bytes, in pairs: the lanes of 8 rows take two turns, the fewest for 256 bytes.
    template <class Word>
    static __device__ void fill_words(Word* strip, const Word* sums, int thread) {
        struct alignas(8) Pair {
            Word left, right;
        };
        const int row = Sums::row(), quarter = thread % 4;
#pragma unroll
        for (int i = 0; i < kStripColsOfC / 8; ++i) {
            const int part = (i * 2 + quarter / 2) ^ row % kSwizzleRows;
            Word* const to = strip + row * kStripColsOfC + part * 4 + quarter % 2 * 2;
            *reinterpret_cast<Pair*>(to) = {sums[i * 4], sums[i * 4 + 1]};
            *reinterpret_cast<Pair*>(to + 8 * kStripColsOfC) = {sums[i * 4 + 2], sums[i * 4 + 3]};
        }
    }
    static __device__ int cluster() { return static_cast<int>(blockIdx.x) / kCluster; }
};

/// C of each product, from operands of type T whose maps say where they lie; `x` says where the first C is, n, and what
/// becomes of the sums.
template <class T, class Product, bool kByColumns, bool kByTma>
__global__ void __cluster_dims__(PersistentTiles<T, typename Product::Out, kByColumns, kByTma>::kCluster, 1, 1)
    __launch_bounds__(PersistentTiles<T, typename Product::Out, kByColumns, kByTma>::kThreads, 1)
        persistent_tiles(Product x, const Products products, const __grid_constant__ PieceProducts pieces,
                         const __grid_constant__ SharedRounds rounds, const SharedSums<T> shared_sums, bool pairs,
                         const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,
                         const __grid_constant__ CUtensorMap map_c) {
    using Tiles = PersistentTiles<T, typename Product::Out, kByColumns, kByTma>;
    auto& shared = *reinterpret_cast<typename Tiles::Shared*>(aligned_shared());
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < Tiles::kStages; ++stage) {
            shared.full[stage].init(1);
            shared.empty[stage].init(Tiles::kCluster * Tiles::kGroups);
        }
        fence_barriers();
    }
    meet_cluster();  // nobody sends to a block whose barriers are not there
    const typename Tiles::Walk walk{
        static_cast<int>((x.m + Tiles::kCluster * kBlockRows - 1) / (Tiles::kCluster * kBlockRows)),
        static_cast<int>((x.k + kBlockCols - 1) / kBlockCols), static_cast<int>(products.count)};
    if (threadIdx.x < kWarpgroup) {
        shrink_registers<kProducerRegisters>();
        if (threadIdx.x == 0) Tiles::produce(shared, products, map_a, map_b, walk, rounds, pieces);
    } else {
        grow_registers<kConsumerRegisters>();
        Tiles::consume(shared, map_c, x, products, walk, rounds, shared_sums, pairs);
    }
    sync_cluster();  // nobody leaves while the other block may still send to it
}

/// Launches it with as many blocks as fill the GPU, or fewer where C has fewer tiles. `b` is its n rows, or its k
/// columns where `kByColumns`; `pairs` says that rows of C start on pairs, where it is written from registers. `room`
/// has SharedSums<T>::kBytes, or is null.
template <class T, bool kByColumns, bool kByTma, class Product>
void launch_persistent(const Product& x, const Products& products, const PieceProducts& pieces, bool pairs,
                       const CUtensorMap& map_a, const CUtensorMap& map_b, void* room, cudaStream_t stream) {
    using Tiles = PersistentTiles<T, typename Product::Out, kByColumns, kByTma>;
    const auto kernel = persistent_tiles<T, Product, kByColumns, kByTma>;
    int device = 0, processors = 0;
    LANEWORK_CHECK(cudaGetDevice(&device));
    LANEWORK_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    const SharedRounds rounds(products.count * ceil_div(x.m, Tiles::kCluster * kBlockRows) * ceil_div(x.k, kBlockCols),
                              ceil_div(x.n, Tiles::kDepth), pieces.count, processors / Tiles::kCluster,
                              room != nullptr);
    const int shared = allow_tiles(kernel, sizeof(typename Tiles::Shared));
    const CUtensorMap map_c =
        kByTma ? map_of(x.c, products.count, products.to_next_c, x.m, x.k, x.c_pitch, kGroupRows) : map_a;
    SharedSums<T> sums;
    if (rounds.shared_tiles() > 0) {
        sums = SharedSums<T>(room);
        LANEWORK_CHECK(cudaMemsetAsync(sums.there, 0, SharedSums<T>::kFlags * sizeof *sums.there, stream));
    }
    kernel<<<static_cast<unsigned>(rounds.clusters * Tiles::kCluster), Tiles::kThreads, shared, stream>>>(
        x, products, pieces, rounds, sums, pairs, map_a, map_b, map_c);
    LANEWORK_CHECK(cudaGetLastError());
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
#endif

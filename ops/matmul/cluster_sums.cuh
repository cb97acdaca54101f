// The kernel of `split_sums`: the blocks of a cluster share one small tile of C. Each sums a part of its products, and
// then they add their parts up through each other's shared memory, always in the same order.
#pragma once

#include "ops/matmul/hopper.cuh"

#if LANEWORK_HAS_WARPGROUPS

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Adds what the tensor cores may not compute; of products that lack nothing.
struct NothingPlain {
    __device__ bool any(int, int) const { return false; }
    template <bool kPlain, class Args>
    __device__ void compute(const Args&, std::int64_t, int, std::int64_t, int) const {}
};

/// The address of something in this block's shared memory in that of another block of the cluster.
__device__ inline std::uint32_t address_in_block(const void* pointer, int block) {
    std::uint32_t there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(shared_address(pointer)), "r"(block));
    return there;
}
__device__ inline float4 load_from_cluster(std::uint32_t address) {
    float4 value;
    asm volatile("ld.shared::cluster.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(value.x), "=f"(value.y), "=f"(value.z), "=f"(value.w)
                 : "r"(address)
                 : "memory");
    return value;
}
/// A tile of 64 × kCols elements of C.
template <class T, class Out, int kCols>
struct ClusterTiles {
    static constexpr int kRows = kGroupRows, kStages = 4;  // steps in shared memory; two blocks or more at once
    static constexpr int kThreads = kWarpgroup + 32;       // the last warp fetches
    static constexpr int kMostParts = 8;                   // blocks of a cluster that every GPU can hold
    static constexpr int kPitch = kCols + 8;  // of sums in shared memory: four rows of a fragment fill the 32 banks

    using Step = StepTiles<T, kRows, kCols>;
    struct alignas(kAlignment) Shared {
        union {
            Step tiles[kStages];
            float sums[kRows][kPitch];  // when the tiles have been read
        };
        Mbarrier full[kStages];   // the bytes are there
        Mbarrier empty[kStages];  // they have been read
    };

    /// Steps [begin, end) of the sum, of all products of pieces one after the other.
    static __device__ void produce(Shared& shared, const CUtensorMap& map_a, const CUtensorMap& map_b, int row, int col,
                                   const PieceProducts& pieces, int steps, int begin, int end) {
        int piece = begin / steps, step = begin % steps;
        for (int count = 0; count < end - begin; ++count) {
            const int stage = count % kStages;
            Step& to = shared.tiles[stage];
            Mbarrier& full = shared.full[stage];
            shared.empty[stage].wait(count / kStages % 2 ^ 1);  // the first time round it is
            full.arrive_expecting(sizeof to);
            load_box(to.a, map_a, pieces.a[piece] * pieces.a_rows + row, step * kStepDepth, full);
            for (int strip = 0; strip < kCols / kStripCols; ++strip)
                load_box(to.b[strip], map_b, pieces.b[piece] * pieces.b_rows + step * kStepDepth,
                         col + strip * kStripCols, full);
            if (++step == steps) {
                step = 0;
                ++piece;
            }
        }
    }

    static __device__ void multiply(Shared& shared, GroupSums<T, kCols>& sums, int count) {
        for (int i = 0; i < count; ++i) {
            shared.full[i % kStages].wait(i / kStages % 2);
            begin_products();
            sums.multiply(shared.tiles[i % kStages], 0, i == 0);
            commit_products();
            wait_products<1>();
            if (threadIdx.x == 0 && i > 0) shared.empty[(i - 1) % kStages].arrive();
        }
        wait_products<0>();
    }

    /// Puts this warpgroup's part down in shared memory.
    static __device__ void put_down(Shared& shared, const GroupSums<T, kCols>& sums) {
        const int row = sums.row();
#pragma unroll
        for (int i = 0; i < kCols / 8; ++i)
#pragma unroll
            for (int half = 0; half < 2; ++half)
                *reinterpret_cast<float2*>(&shared.sums[row + half * 8][sums.col() + i * 8]) =
                    make_float2(sums.value[i * 4 + half * 2], sums.value[i * 4 + half * 2 + 1]);
    }
    /// Adds up all blocks' parts of some rows, from the first block's to the last's, and writes what the epilogue makes
    /// of them.
    template <bool kPlain, class Args>
    static __device__ void add_up(Shared& shared, const Args& x, int row, int col, int part, int parts, bool quads) {
        const int rows = kRows / parts;
        for (int i = static_cast<int>(threadIdx.x); i < rows * (kCols / 4); i += kWarpgroup) {
            const int r = part * rows + i / (kCols / 4), c = i % (kCols / 4) * 4;
            if (row + r >= x.m || col + c >= x.k) continue;
            float4 sum = load_from_cluster(address_in_block(&shared.sums[r][c], 0));
            for (int p = 1; p < parts; ++p) {
                const float4 next = load_from_cluster(address_in_block(&shared.sums[r][c], p));
                sum = make_float4(sum.x + next.x, sum.y + next.y, sum.z + next.z, sum.w + next.w);
            }
            if constexpr (!kPlain) {
                float* const numbers[] = {&sum.x, &sum.y, &sum.z, &sum.w};
#pragma unroll
                for (int j = 0; j < 4; ++j)
                    if (col + c + j < x.k)
                        *numbers[j] =
                            activated(x.finish.activation, blended(x.finish, *numbers[j], row + r, col + c + j));
            }
            write_four(x.c + (row + r) * x.c_pitch + col + c, sum, x.k - col - c, quads);
        }
    }

private:
    static __device__ void write_four(Out* to, float4 sum, std::int64_t left, bool quads) {
        if constexpr (std::is_same_v<Out, float>) {
            if (quads && left >= 4) {
                *reinterpret_cast<float4*>(to) = sum;
                return;
            }
        } else if (left >= 4) {  // rows start on 16 bytes
            *reinterpret_cast<uint2*>(to) =
                make_uint2(GroupSums<T>::packed(sum.x, sum.y), GroupSums<T>::packed(sum.z, sum.w));
            return;
        }
        const float value[] = {sum.x, sum.y, sum.z, sum.w};
#pragma unroll
        for (int i = 0; i < 4; ++i)
            if (i < left) {
                if constexpr (std::is_same_v<Out, float>)
                    to[i] = value[i];
                else
                    put(to + i, value[i]);
            }
    }
};

/// C of type Out from operands of type T whose maps say where they lie; `x` says where C is. A cluster of `parts`
/// blocks computes a tile of C; tiles are counted down the rows first. `aligned` says that C's rows start on pairs,
/// and, where parts are added up, on 16 bytes.
template <class T, class Out, int kCols, bool kPlain, class Plain>
__global__ void __launch_bounds__(ClusterTiles<T, Out, kCols>::kThreads)
    cluster_sums(KernelArgs<kPlain, Out> x, const __grid_constant__ PieceProducts pieces, int parts, bool aligned,
                 Plain plain, const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b) {
    using Tiles = ClusterTiles<T, Out, kCols>;
    auto& shared = *reinterpret_cast<typename Tiles::Shared*>(aligned_shared());
    const bool fetches = threadIdx.x >= kWarpgroup;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    if (fetches && lane == 0) {
        prefetch(map_a);
        prefetch(map_b);
        for (int stage = 0; stage < Tiles::kStages; ++stage) {
            shared.full[stage].init(1);
            shared.empty[stage].init(1);
        }
        fence_barriers();
    }
    const int part = static_cast<int>(blockIdx.x) % parts, tile = static_cast<int>(blockIdx.x) / parts;
    const int down = static_cast<int>((x.m + Tiles::kRows - 1) / Tiles::kRows);
    const int row = tile % down * Tiles::kRows, col = tile / down * kCols;
    const int steps = static_cast<int>((x.n + kStepDepth - 1) / kStepDepth), all = steps * pieces.count;
    const int begin = static_cast<int>(std::int64_t{all} * part / parts);
    const int end = static_cast<int>(std::int64_t{all} * (part + 1) / parts);
    __syncthreads();
    wait_for_previous_kernel();
    bool lacking = false;
    GroupSums<T, kCols> sums;
    if (fetches) {
        if (lane == 0) Tiles::produce(shared, map_a, map_b, row, col, pieces, steps, begin, end);
        __syncwarp();
        lacking = plain.any(lane, 32);
    } else {
        Tiles::multiply(shared, sums, end - begin);
    }
    lacking = __syncthreads_or(lacking);
    int rows = Tiles::kRows, first = row;
    if (parts == 1) {
        if constexpr (!kPlain)
            if (!fetches) finish_sums(sums, x.finish, row, col, x.m, x.k);
        if (!fetches) sums.write(x.c, x.c_pitch, x.m, x.k, row, col, aligned);
    } else {
        if (!fetches) Tiles::put_down(shared, sums);
        sync_cluster();
        if (!fetches) Tiles::template add_up<kPlain>(shared, x, row, col, part, parts, aligned);
        sync_cluster();  // nobody leaves while the others may still read its part
        rows = Tiles::kRows / parts;
        first = row + part * rows;
    }
    if (lacking) {
        __syncthreads();  // what is computed here is written after what was written there
        plain.template compute<kPlain>(x, first, rows, col, kCols);
    }
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

#endif

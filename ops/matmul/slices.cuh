// Sums that are split over more blocks than a cluster has: each group of blocks writes its sums to a slice of the
// workspace, and a launch after it adds the slices up.
#pragma once

#include "ops/matmul/hopper.cuh"
#include "ops/matmul/tile_places.cuh"

#if LANEWORK_HAS_WARPGROUPS

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kAdders = 256;  // threads of a block that adds

/// `count` slices of `size` sums. One is none: then C is written at once.
struct Slices {
    float* sums;
    std::int64_t size;
    int count;

    Slices(std::int64_t sums_of_slice, int number, void* workspace)
        : sums(static_cast<float*>(workspace)), size(sums_of_slice), count(number) {}
    /// Of the workspace; what lies behind them begins at a multiple of 256.
    std::size_t bytes() const {
        const std::size_t all = count == 1 ? 0 : static_cast<std::size_t>(count * size) * sizeof(float);
        return (all + 255) / 256 * 256;
    }

    /// A product whose sums are written to the first of them instead of to C.
    template <class T>
    MatmulArgs<float> target(const MatmulArgs<T>& x) const {
        MatmulArgs<float> to{};
        to.c = sums;
        to.m = x.m, to.n = x.n, to.k = x.k;
        return to;
    }
};

/// Where four sums lie that one thread adds up, and whether a slice has them.
struct FourOfC {
    std::int64_t row, col;
    bool is_there;
};

/// Each of m × k sums, in rows of whole fours.
struct SlicesOfRows : Slices {
    std::int64_t pitch;

    SlicesOfRows(std::int64_t m, std::int64_t k, int number, void* workspace)
        : Slices(m * (ceil_div(k, 4) * 4), number, workspace), pitch(ceil_div(k, 4) * 4) {}
    template <class T>
    MatmulArgs<float> target(const MatmulArgs<T>& x) const {
        MatmulArgs<float> to = Slices::target(x);
        to.c_pitch = pitch;
        return to;
    }
    /// Where the i-th four of a slice lies.
    __device__ FourOfC four(std::int64_t i, std::int64_t m, std::int64_t) const {
        const std::int64_t fours = pitch / 4, row = i / fours;
        return {row, (i - row * fours) * 4, row < m};
    }
    /// The j-th of a four.
    static __device__ std::int64_t row(const FourOfC& four, int) { return four.row; }
    static __device__ std::int64_t col(const FourOfC& four, int j) { return four.col + j; }
};

/// Each of whole tiles of C, as the registers of cluster_sums.cuh have them, whose rows are columns of C: a warp's
/// fours are eight rows of 16 columns, each four two rows in a column and in another, eight further on.
struct SlicesOfTiles : Slices {
    int rows, cols;  ///< of a tile

    SlicesOfTiles(std::int64_t m, std::int64_t k, int tile_rows, int tile_cols, int number, void* workspace)
        : Slices(ceil_div(m, tile_rows) * tile_rows * (ceil_div(k, tile_cols) * tile_cols), number, workspace),
          rows(tile_rows),
          cols(tile_cols) {}
    __device__ FourOfC four(std::int64_t i, std::int64_t m, std::int64_t k) const {
        const auto number = static_cast<unsigned>(i);
        const unsigned of_tile = static_cast<unsigned>(rows * cols) / 4, of_eight = static_cast<unsigned>(cols) * 2;
        const unsigned tile = number / of_tile, within = number - tile * of_tile;
        const unsigned eight = within / of_eight, lane = within % 32, sixteen = (within - eight * of_eight) / 32;
        const PlaceOfTile at = place_of_tile(tile, tiles_along(m, rows), tiles_along(k, cols));
        const std::int64_t row = std::int64_t{at.down} * rows + eight * 8;
        const std::int64_t col = std::int64_t{at.across} * cols + sixteen * 16;
        return {row + lane % 4 * 2, col + lane / 4, row < m && col < k};
    }
    static __device__ std::int64_t row(const FourOfC& four, int j) { return four.row + j % 2; }
    static __device__ std::int64_t col(const FourOfC& four, int j) { return four.col + j / 2 * 8; }
};

/// Adds the slices up, always in the same order, and writes what the epilogue makes of the sums. Along x are fours of
/// sums, along y the adders of one, each with some of the slices. A sum of floats that is not finite is computed by the
/// plain units: it may be one of pieces that do not add up to their floats. One adder takes no shared memory: such
/// blocks find room beside those that multiply.
template <class T, class OfSlices>
__global__ void __launch_bounds__(kAdders) add_slices(MatmulArgs<T> x, const __grid_constant__ OfSlices slices) {
    extern __shared__ float4 of_adder[];
    const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const FourOfC four = slices.four(i, x.m, x.k);
    float4 sum{};
    wait_for_previous_kernel();
    const auto add = [&](const float4& next) { sum.x += next.x, sum.y += next.y, sum.z += next.z, sum.w += next.w; };
    if (four.is_there) {
        const float* const from = slices.sums + i * 4;
#pragma unroll 4
        for (int slice = static_cast<int>(threadIdx.y); slice < slices.count; slice += static_cast<int>(blockDim.y))
            add(*reinterpret_cast<const float4*>(from + slice * slices.size));
    }
    if (blockDim.y > 1) {
        of_adder[threadIdx.y * blockDim.x + threadIdx.x] = sum;
        __syncthreads();
    }
    if (threadIdx.y > 0 || !four.is_there) return;
    for (unsigned adder = 1; adder < blockDim.y; ++adder) add(of_adder[adder * blockDim.x + threadIdx.x]);
    const float sums[4] = {sum.x, sum.y, sum.z, sum.w};
#pragma unroll
    for (int j = 0; j < 4; ++j) {
        const std::int64_t row = OfSlices::row(four, j), col = OfSlices::col(four, j);
        if (row < x.m && col < x.k) {
            float number = sums[j];
            if constexpr (std::is_same_v<T, float>)
                if (!isfinite(number)) number = sum_of_views(x, row, col);
            x.c[row * x.c_pitch + col] = finished(x.finish, number, row, col);
        }
    }
}

/// After the kernel that writes them, which lets this one begin early.
template <class T, class OfSlices>
void launch_adding(const MatmulArgs<T>& x, const OfSlices& slices, cudaStream_t stream) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    constexpr int kSlicesOfAdder = 4;  // loads of a thread that are on their way at once: its loop is unrolled so
    constexpr unsigned kMostAdders = 8;
    unsigned adders = 1;
    while (adders < kMostAdders && slices.count > static_cast<int>(adders) * kSlicesOfAdder) adders *= 2;
    config.blockDim = dim3(kAdders / adders, adders);
    config.gridDim = dim3(static_cast<unsigned>(ceil_div(slices.size / 4, config.blockDim.x)));
    config.dynamicSmemBytes = adders > 1 ? kAdders * sizeof(float4) : 0;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    LANEWORK_CHECK(cudaLaunchKernelEx(&config, add_slices<T, OfSlices>, x, slices));
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

#endif

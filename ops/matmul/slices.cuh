// Sums that are split over more blocks than a cluster has: each group of blocks writes its sums to a slice of the
// workspace, and a launch after it adds the slices up.
#pragma once

#include "ops/matmul/hopper.cuh"

#if LANEWORK_HAS_WARPGROUPS

namespace lanework::inline LANEWORK_ON_DEVICE {

/// `count` slices of m × k sums, each of rows of whole fours. One is none: then C is written at once.
struct Slices {
    float* sums;
    std::int64_t pitch, size;
    int count;

    Slices(std::int64_t m, std::int64_t k, int number, void* workspace)
        : sums(static_cast<float*>(workspace)), pitch(ceil_div(k, 4) * 4), size(m * pitch), count(number) {}
    /// Of the workspace; what lies behind them begins at a multiple of 256.
    std::size_t bytes() const {
        const std::size_t all = count == 1 ? 0 : static_cast<std::size_t>(count * size) * sizeof(float);
        return (all + 255) / 256 * 256;
    }

    /// A product that is written to the first of them instead of to C.
    template <class T>
    MatmulArgs<float> target(const MatmulArgs<T>& x) const {
        MatmulArgs<float> to{};
        to.c = sums;
        to.c_pitch = pitch;
        to.m = x.m, to.n = x.n, to.k = x.k;
        return to;
    }
};

inline constexpr int kAdders = 256;  // threads of a block

/// Adds the slices up, always in the same order, and writes what the epilogue makes of the sums. Along x are fours of
/// neighbours, along y the adders of one, each with some of the slices. A sum of floats that is not finite is computed
/// by the plain units: it may be one of pieces that do not add up to their floats.
template <class T>
__global__ void __launch_bounds__(kAdders) add_slices(MatmulArgs<T> x, const __grid_constant__ Slices slices) {
    __shared__ float4 of_adder[kAdders];
    const std::int64_t fours = slices.pitch / 4, i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::int64_t row = i / fours, col = (i - row * fours) * 4;
    float4 sum{};
    wait_for_previous_kernel();
    const auto add = [&](const float4& next) { sum.x += next.x, sum.y += next.y, sum.z += next.z, sum.w += next.w; };
    if (row < x.m) {
        const float* const from = slices.sums + row * slices.pitch + col;
#pragma unroll 4
        for (int slice = static_cast<int>(threadIdx.y); slice < slices.count; slice += static_cast<int>(blockDim.y))
            add(*reinterpret_cast<const float4*>(from + slice * slices.size));
    }
    if (blockDim.y > 1) {
        of_adder[threadIdx.y * blockDim.x + threadIdx.x] = sum;
        __syncthreads();
    }
    if (threadIdx.y > 0 || row >= x.m) return;
    for (unsigned adder = 1; adder < blockDim.y; ++adder) add(of_adder[adder * blockDim.x + threadIdx.x]);
    const float sums[4] = {sum.x, sum.y, sum.z, sum.w};
#pragma unroll
    for (int j = 0; j < 4; ++j)
        if (col + j < x.k) {
            float number = sums[j];
            if constexpr (std::is_same_v<T, float>)
                if (!isfinite(number)) number = sum_of_views(x, row, col + j);
            x.c[row * x.c_pitch + col + j] = finished(x.finish, number, row, col + j);
        }
}

/// After the kernel that writes them, which lets this one begin early.
template <class T>
void launch_adding(const MatmulArgs<T>& x, const Slices& slices, cudaStream_t stream) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    constexpr int kSlicesOfAdder = 4;  // loads of a thread that are on their way at once: its loop is unrolled so
    constexpr unsigned kMostAdders = 8;
    unsigned adders = 1;
    while (adders < kMostAdders && slices.count > static_cast<int>(adders) * kSlicesOfAdder) adders *= 2;
    config.blockDim = dim3(kAdders / adders, adders);
    config.gridDim = dim3(static_cast<unsigned>(ceil_div(x.m * slices.pitch / 4, config.blockDim.x)));
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    LANEWORK_CHECK(cudaLaunchKernelEx(&config, add_slices<T>, x, slices));
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

#endif

// TMA fetches and writes matrices whose rows start on 16 bytes: others are put into such rows in the workspace first,
// and C comes back from there. Two more passes over memory cost less than loads of single elements in the product.
#pragma once

#include <utility>

#include "ops/matmul/tma.cuh"

#if LANEWORK_HAS_WARPGROUPS

namespace lanework::inline LANEWORK_ON_DEVICE {

/// A matrix to be copied, lengths in elements. Of one that stays where it is there are no rows.
template <class T>
struct CopiedRows {
    static constexpr int kPerLane = 8;  ///< elements, 32 apart: a warp copies neighbours
    static constexpr int kPerWarp = 32 * kPerLane;

    const T* from = nullptr;
    T* to = nullptr;
    std::int64_t rows = 0, cols = 0, from_pitch = 0, to_pitch = 0;

    constexpr std::int64_t warps() const { return rows * ceil_div(cols, std::int64_t{kPerWarp}); }
};

inline constexpr int kCopyThreads = 256;

/// Copies a part of a row, a warp's.
template <class T>
__device__ void copy_part(const CopiedRows<T>& x, std::int64_t warp) {
    constexpr int kPerLane = CopiedRows<T>::kPerLane, kPerWarp = CopiedRows<T>::kPerWarp;
    const std::int64_t parts = ceil_div(x.cols, std::int64_t{kPerWarp});
    const std::int64_t row = warp / parts, col = warp % parts * kPerWarp + threadIdx.x % 32;
    const T* const from = x.from + row * x.from_pitch + col;
    T* const to = x.to + row * x.to_pitch + col;
    T value[kPerLane];
#pragma unroll
    for (int i = 0; i < kPerLane; ++i)
        if (col + i * 32 < x.cols) value[i] = from[i * 32];
#pragma unroll
    for (int i = 0; i < kPerLane; ++i)
        if (col + i * 32 < x.cols) to[i * 32] = value[i];
}

template <class T>
__global__ void __launch_bounds__(kCopyThreads)
    copy_rows(const __grid_constant__ CopiedRows<T> first, const __grid_constant__ CopiedRows<T> second) {
    begin_next_kernel();
    const std::int64_t warp = (std::int64_t{blockIdx.x} * kCopyThreads + threadIdx.x) / 32;
    if (warp < first.warps())
        copy_part(first, warp);
    else if (warp < first.warps() + second.warps())
        copy_part(second, warp - first.warps());
}

template <class T>
void copy_rows_async(const CopiedRows<T>& first, const CopiedRows<T>& second, cudaStream_t stream) {
    const std::int64_t warps = first.warps() + second.warps();
    if (warps == 0) return;
    copy_rows<<<static_cast<unsigned>(ceil_div(warps, kCopyThreads / 32)), kCopyThreads, 0, stream>>>(first, second);
    LANEWORK_CHECK(cudaGetLastError());
}

/// A product's matrices in rows that start on 16 bytes: where they lie, or in the workspace in rows of whole 128 bytes,
/// which TMA fetches fastest.
template <class T>
class AlignedRows {
public:
    /// Which of the three are asked for.
    AlignedRows(const MatmulArgs<T>& x, bool with_b, bool with_c, bool with_a = true) : args_(x) {
        auto* at = static_cast<unsigned char*>(x.workspace);
        const auto move = [&](auto*& matrix, auto& copied, std::int64_t rows, std::int64_t cols, std::int64_t& pitch) {
            using Element = std::remove_const_t<std::remove_reference_t<decltype(*matrix)>>;
            if (on_16_bytes(matrix, pitch)) return;
            constexpr std::int64_t kUnit = kSwizzleBytes / static_cast<std::int64_t>(sizeof(Element));
            copied = {matrix, reinterpret_cast<Element*>(at), rows, cols, pitch, ceil_div(cols, kUnit) * kUnit};
            matrix = copied.to;
            pitch = copied.to_pitch;
            at += ceil_div(rows * pitch * static_cast<std::int64_t>(sizeof(Element)), kAlignment) * kAlignment;
        };
        if (with_a) move(args_.a, a_, x.m, x.n, args_.a_pitch);
        if (with_b) move(args_.b, b_, x.b_by_columns ? x.k : x.n, x.b_by_columns ? x.n : x.k, args_.b_pitch);
        if (with_c) {
            move(args_.c, c_, x.m, x.k, args_.c_pitch);
            std::swap(c_.from_pitch, c_.to_pitch);  // it is copied the other way
            c_.from = args_.c;
            c_.to = x.c;
        }
        args_.workspace = at;
        bytes_ = static_cast<std::size_t>(at - static_cast<unsigned char*>(x.workspace));
    }

    /// Of the workspace; what is behind them is the product's own.
    std::size_t bytes() const { return bytes_; }
    const MatmulArgs<T>& args() const { return args_; }
    bool copies() const { return a_.rows > 0 || b_.rows > 0; }
    /// Before the product, which may begin meanwhile (wait_for_previous_kernel).
    void copy_operands(cudaStream_t stream) const { copy_rows_async(a_, b_, stream); }
    /// After it.
    void copy_result(cudaStream_t stream) const {
        if (c_.rows > 0) copy_rows_async(c_, CopiedRows<Result<T>>{}, stream);
    }

private:
    MatmulArgs<T> args_;
    CopiedRows<T> a_, b_;
    CopiedRows<Result<T>> c_;
    std::size_t bytes_;
};

}  // namespace lanework::inline LANEWORK_ON_DEVICE

#endif

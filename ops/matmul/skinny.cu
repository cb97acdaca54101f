// A product with few rows or few columns is bound by memory: the large operand must be read once, by every
// multiprocessor at once, and each of its elements is used for all of the few straight from a register.
#include <algorithm>

#include "ops/matmul/many_rows.hpp"
#include "ops/matmul/tiles.hpp"
#include "src/cuda/check.hpp"

namespace {
constexpr int kThreads = 256, kWarps = kThreads / 32;
constexpr int kVector = 4;            // elements that a lane loads at once
constexpr int kWide = 32 * kVector;   // elements that a warp loads at once
constexpr int kFew = 16;              // rows or columns of C that one pass computes
constexpr int kWantedBlocks = 256;    // by splitting the sum: two for nearly every multiprocessor of a large GPU
constexpr std::int64_t kLeast = 256;  // terms that a part has at least; four times as many where warps have two rows

template <class T>
using Sum = decltype(widened(T{}));

/// Four neighbours, or, where rows do not start on whole vectors, four elements 32 apart: which ones a lane has.
template <bool kAligned>
__device__ int offset(int lane, int i) {
    return kAligned ? lane * kVector + i : i * 32 + lane;
}
/// Those of a row that are among its first `count` elements; zeros for the others. Aligned rows hold whole vectors.
template <bool kAligned, class T>
__device__ void load(Sum<T> (&to)[kVector], const T* row, int lane, std::int64_t count) {
    if constexpr (kAligned) {
        struct alignas(kVector * sizeof(T)) Vector {
            T value[kVector];
        } four{};
        if (lane * kVector < count) four = *reinterpret_cast<const Vector*>(row + lane * kVector);
#pragma unroll
        for (int i = 0; i < kVector; ++i) to[i] = widened(four.value[i]);
    } else {
#pragma unroll
        for (int i = 0; i < kVector; ++i) to[i] = i * 32 + lane < count ? widened(row[i * 32 + lane]) : Sum<T>{};
    }
}

/// What a block computes: a part of the sums, of some rows and columns.
template <class T>
struct Part {
    std::int64_t begin, end;  ///< terms of the sums
    Sum<T>* sums;             ///< m × k of them, or null: then they are all, and C's
};
template <class T>
__device__ Part<T> part_of_block(const MatmulOperands<T>& x) {
    const std::int64_t parts = gridDim.y, part = blockIdx.y;
    auto* const all = static_cast<Sum<T>*>(x.workspace);
    return {x.n * part / parts, x.n * (part + 1) / parts, parts == 1 ? nullptr : all + part * x.m * x.k};
}
template <class T>
__device__ void put_sum(const MatmulOperands<T>& x, const Part<T>& part, std::int64_t row, std::int64_t col,
                        Sum<T> sum) {
    if (row >= x.m || col >= x.k) return;
    if (part.sums)
        part.sums[row * x.k + col] = sum;
    else
        x.c[row * x.c_pitch + col] = narrowed<T>(sum);
}

/// Warps take B's rows in turn, a lane four columns of them; A's few elements are broadcast from shared memory.
template <class T, int kRows, bool kAligned>
__global__ void __launch_bounds__(kThreads, 2) few_rows(MatmulOperands<T> x) {
    constexpr int kChunk = 256, kPitch = kRows + 4, kAhead = 4;  // rows of B that a warp has asked for
    constexpr int kTile = kChunk * kPitch, kHalf = kWarps / 2 * kRows * kWide;
    __shared__ alignas(16) Sum<T> memory[kTile > kHalf ? kTile : kHalf];
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
    const std::int64_t col = std::int64_t{blockIdx.x} * kWide, row = std::int64_t{blockIdx.z} * kRows;
    const Part<T> part = part_of_block(x);
    Sum<T> sums[kRows][kVector]{};
    const auto ask = [&](Sum<T>(&to)[kAhead][kVector], std::int64_t first) {
#pragma unroll
        for (int u = 0; u < kAhead; ++u) {
            const std::int64_t j = first + u * kWarps;
            load<kAligned>(to[u], x.b + (j < part.end ? j : 0) * x.b_pitch + col, lane, j < part.end ? x.k - col : 0);
        }
    };
    Sum<T> next[kAhead][kVector];  // what is multiplied next is on its way
    ask(next, part.begin + warp);
    for (std::int64_t chunk = part.begin; chunk < part.end; chunk += kChunk) {
        const int count = static_cast<int>(part.end - chunk < kChunk ? part.end - chunk : kChunk);
        __syncthreads();
        for (int i = static_cast<int>(threadIdx.x); i < kRows * kChunk; i += kThreads) {
            const int r = i / kChunk, j = i % kChunk;
            memory[j * kPitch + r] =
                row + r < x.m && j < count ? widened(x.a[(row + r) * x.a_pitch + chunk + j]) : Sum<T>{};
        }
        __syncthreads();
        for (int first = warp; first < count; first += kWarps * kAhead) {
            Sum<T> b[kAhead][kVector];
#pragma unroll
            for (int u = 0; u < kAhead; ++u)
#pragma unroll
                for (int i = 0; i < kVector; ++i) b[u][i] = next[u][i];
            ask(next, chunk + first + kWarps * kAhead);
#pragma unroll
            for (int u = 0; u < kAhead; ++u) {
                const int j = first + u * kWarps;
                if (j >= count) break;  // no zeros in their place: times an infinity they are none
#pragma unroll
                for (int r = 0; r < kRows; ++r)
#pragma unroll
                    for (int i = 0; i < kVector; ++i)
                        sums[r][i] = multiply_add(memory[j * kPitch + r], b[u][i], sums[r][i]);
            }
        }
    }
    // The upper half of the warps hands its sums to the lower half, until one warp has all.
#pragma unroll
    for (int left = kWarps / 2; left > 0; left /= 2) {
        __syncthreads();
        if (warp >= left && warp < 2 * left)
#pragma unroll
            for (int r = 0; r < kRows; ++r)
#pragma unroll
                for (int i = 0; i < kVector; ++i)
                    memory[((warp - left) * kRows + r) * kWide + i * 32 + lane] = sums[r][i];
        __syncthreads();
        if (warp < left)
#pragma unroll
            for (int r = 0; r < kRows; ++r)
#pragma unroll
                for (int i = 0; i < kVector; ++i)
                    sums[r][i] =
                        multiply_add(Sum<T>{1}, memory[(warp * kRows + r) * kWide + i * 32 + lane], sums[r][i]);
    }
    if (warp != 0) return;
#pragma unroll
    for (int r = 0; r < kRows; ++r)
#pragma unroll
        for (int i = 0; i < kVector; ++i) put_sum(x, part, row + r, col + offset<kAligned>(lane, i), sums[r][i]);
}

/// Rows of a warp: of few columns two, so that large matrices are as many blocks, and sums need not be split.
__host__ __device__ constexpr int rows_of_warp(int cols) { return cols <= 4 ? 2 : 4; }

/// A warp multiplies two or four rows with the few columns, which lie in shared memory in the order in which lanes read
/// them; at the end its lanes add up what each has of a sum.
template <class T, int kCols, bool kAligned>
__global__ void __launch_bounds__(kThreads, 2) few_columns(MatmulOperands<T> x, ManyRows<T> of) {
    constexpr int kRowsEach = rows_of_warp(kCols), kSteps = 64 / kCols, kChunk = kSteps * kWide;
    constexpr int kAhead = kCols <= 4 ? 4 : 1;  // steps that are on their way
    static_assert(kSteps % kAhead == 0);
    constexpr int kLanes = 33;  // with one left out, so that columns which are put down together meet other banks
    __shared__ alignas(16) Sum<T> memory[kSteps * kVector * kCols * kLanes];
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
    const std::int64_t row = (std::int64_t{blockIdx.x} * kWarps + warp) * kRowsEach;
    const std::int64_t col = std::int64_t{blockIdx.z} * kCols;
    const Part<T> part = part_of_block(x);
    // Of the columns' term `step · kWide + offset(lane, i)` in the chunk.
    const auto place = [](int step, int i, int c, int of_lane) {
        return (((step * kVector + i) * (kCols / 4) + c / 4) * kLanes + of_lane) * 4 + c % 4;
    };
    const auto ask = [&](Sum<T>(&to)[kRowsEach][kVector], std::int64_t first) {
#pragma unroll
        for (int r = 0; r < kRowsEach; ++r) {
            const bool inside = row + r < of.row_count && first < part.end;
            load<kAligned>(to[r], of.rows + (inside ? (row + r) * of.row_pitch + first : 0), lane,
                           inside ? part.end - first : 0);
        }
    };
    Sum<T> sums[kRowsEach][kCols]{};
    Sum<T> next[kAhead][kRowsEach][kVector];
#pragma unroll
    for (int u = 0; u < kAhead; ++u) ask(next[u], part.begin + u * kWide);
    for (std::int64_t chunk = part.begin; chunk < part.end; chunk += kChunk) {
        const int count = static_cast<int>(part.end - chunk < kChunk ? part.end - chunk : kChunk);
        __syncthreads();
        for (int j = static_cast<int>(threadIdx.x); j < (count + kWide - 1) / kWide * kWide; j += kThreads) {
            Sum<T> of_term[kCols];
#pragma unroll
            for (int c = 0; c < kCols; ++c)
                of_term[c] = j < count && col + c < of.column_count
                                 ? widened(of.columns[(chunk + j) * of.to_next_term + (col + c) * of.to_next_column])
                                 : Sum<T>{};
            const int within = j % kWide, of_lane = kAligned ? within / kVector : within % 32;
            const int which = kAligned ? within % kVector : within / 32;
#pragma unroll
            for (int c = 0; c < kCols; ++c) memory[place(j / kWide, which, c, of_lane)] = of_term[c];
        }
        __syncthreads();
#pragma unroll
        for (int step = 0; step < kSteps; ++step) {
            if (step * kWide >= count) break;
            Sum<T> a[kRowsEach][kVector];
#pragma unroll
            for (int r = 0; r < kRowsEach; ++r)
#pragma unroll
                for (int i = 0; i < kVector; ++i) a[r][i] = next[step % kAhead][r][i];
            ask(next[step % kAhead], chunk + (step + kAhead) * kWide);
#pragma unroll
            for (int i = 0; i < kVector; ++i)
#pragma unroll
                for (int c = 0; c < kCols; ++c) {
                    const Sum<T> b = memory[place(step, i, c, lane)];
#pragma unroll
                    for (int r = 0; r < kRowsEach; ++r) sums[r][c] = multiply_add(a[r][i], b, sums[r][c]);
                }
        }
    }
#pragma unroll
    for (int r = 0; r < kRowsEach; ++r)
#pragma unroll
        for (int c = 0; c < kCols; ++c) {
            Sum<T> sum = sums[r][c];
#pragma unroll
            for (int other = 16; other > 0; other /= 2)
                sum = multiply_add(Sum<T>{1}, __shfl_xor_sync(~0U, sum, other), sum);
            if (lane == (r * kCols + c) % 32)
                put_sum(x, part, of.swapped ? col + c : row + r, of.swapped ? row + r : col + c, sum);
        }
}

/// Adds up the parts, from the first to the last.
template <class T>
__global__ void __launch_bounds__(kThreads) add_parts(MatmulOperands<T> x, int parts) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i >= x.m * x.k) return;
    const auto* const part = static_cast<const Sum<T>*>(x.workspace) + i;
    Sum<T> sum{};
    for (int p = 0; p < parts; ++p) sum = multiply_add(Sum<T>{1}, part[p * x.m * x.k], sum);
    x.c[i / x.k * x.c_pitch + i % x.k] = narrowed<T>(sum);
}

/// Rows or columns of one pass: 4 or kFew.
template <class T>
int few_of(const MatmulArgs<T>& x) {
    return std::min(x.m, x.k) <= 4 ? 4 : kFew;
}
/// Blocks over C, and into how many parts its sums are split: as many as fill a large GPU.
template <class T>
dim3 grid_of(const MatmulArgs<T>& x) {
    const int rows_of_block = kWarps * rows_of_warp(few_of(x));
    const std::int64_t along =
        reads_rows_of_b(x) ? ceil_div(x.k, kWide) : ceil_div(ManyRows<T>(x).row_count, rows_of_block);
    const std::int64_t passes = ceil_div(std::min(x.m, x.k), few_of(x));
    const std::int64_t wanted = kWantedBlocks / (along * passes),
                       least = few_of(x) > 4 || reads_rows_of_b(x) ? kLeast : 4 * kLeast;
    const std::int64_t most = ceil_div(x.n, least);
    const std::int64_t parts = wanted < 1 || most < 1 ? 1 : wanted < most ? wanted : most;
    return dim3(static_cast<unsigned>(along), static_cast<unsigned>(parts), static_cast<unsigned>(passes));
}
template <class T>
std::size_t workspace(const MatmulArgs<T>& x) {
    if (x.empty() || x.n == 0) return 0;
    const unsigned parts = grid_of(x).y;
    return parts == 1 ? 0 : parts * static_cast<std::size_t>(x.m * x.k) * sizeof(Sum<T>);
}

/// Whether rows that are read once start on whole vectors, and parts of them too, where they are split.
template <class T>
bool is_aligned(const MatmulArgs<T>& x, unsigned parts) {
    const bool of_b = reads_rows_of_b(x);
    const ManyRows<T> many(x);
    const auto address = reinterpret_cast<std::uintptr_t>(of_b ? x.b : many.rows);
    const std::int64_t pitch = of_b ? x.b_pitch : many.row_pitch, cols = of_b ? x.k : x.n;
    return address % (kVector * sizeof(T)) == 0 && pitch % kVector == 0 && cols % kVector == 0 &&
           (of_b || x.n % (std::int64_t{kVector} * parts) == 0);
}

template <class T, int kCount, bool kAligned>
void launch_kernel(const MatmulArgs<T>& x, dim3 grid, cudaStream_t stream) {
    if (reads_rows_of_b(x))
        few_rows<T, kCount, kAligned><<<grid, kThreads, 0, stream>>>(x);
    else
        few_columns<T, kCount, kAligned><<<grid, kThreads, 0, stream>>>(x, ManyRows<T>(x));
}
template <class T>
void launch(const MatmulArgs<T>& x, cudaStream_t stream) {
    if (x.empty()) return;
    const dim3 grid = grid_of(x);
    const bool aligned = is_aligned(x, grid.y), four = few_of(x) == 4;
    if (four)
        aligned ? launch_kernel<T, 4, true>(x, grid, stream) : launch_kernel<T, 4, false>(x, grid, stream);
    else
        aligned ? launch_kernel<T, kFew, true>(x, grid, stream) : launch_kernel<T, kFew, false>(x, grid, stream);
    if (grid.y > 1)
        add_parts<<<static_cast<unsigned>(ceil_div(x.m * x.k, kThreads)), kThreads, 0, stream>>>(
            x, static_cast<int>(grid.y));
    LANEWORK_CHECK(cudaGetLastError());
}

std::string_view refuses(const Problem& p) {
    const auto [m, n, k] = p.lengths<MatmulAxes>();
    const std::int64_t few = m < k ? m : k;
    if (few > 65535 * kFew) return "a grid ends at 65535 blocks along z, and this rung lays the shorter side along it";
    return {};
}
}  // namespace

LANEWORK_RUNG(
    matmul, skinny,
    {
        .climbs_from = "naive",
        .lesson = "Few rows or columns: read the large operand once, split the sums over all multiprocessors.",
        .launch = {launch<std::int32_t>, launch<float>, launch<float16>, launch<bfloat16>},
        .workspace = {workspace<std::int32_t>, workspace<float>, workspace<float16>, workspace<bfloat16>},
        .refuses = refuses,
        .fits = {is_plain<std::int32_t>, is_plain<float>, is_plain<float16>, is_plain<bfloat16>},
        .only = kPlain,
    });
// mends: redundant_loads, few_blocks

// A float's 24 bits are three bfloat16's 8: each operand is split into three pieces that add up to it exactly, and the
// sum of six products of pieces by tensor cores is as exact as a product of floats, at several times its speed.
// architectures: 90a-real
#include "ops/matmul/persistent.cuh"

namespace {
#if LANEWORK_HAS_WARPGROUPS
constexpr int kThreads = 256;
constexpr int kPerThread = 8;  // neighbours in a row: 16 bytes of each piece

/// What the launch needs beside the operands, in the workspace: the pieces, under one another, in rows of whole 16
/// bytes, and which rows of A and columns of B do not split.
struct Scratch {
    bfloat16 *a, *b;
    std::int64_t a_pitch, b_pitch;
    unsigned char *row, *col;  ///< m and k flags: 1 where a number does not split
    unsigned char* any;        ///< 1 where one of them is 1
    void* sums;                ///< of parts of tiles, or null
    std::size_t flags;         ///< bytes from `row` on, to be zeroed
    std::size_t bytes;

    explicit Scratch(const MatmulArgs<float>& x) {
        const auto whole = [](std::int64_t count, std::int64_t unit) { return (count + unit - 1) / unit * unit; };
        auto* at = static_cast<unsigned char*>(x.workspace);
        const auto take = [&](std::int64_t size) {
            unsigned char* const here = at;
            at += whole(size, 256);
            return here;
        };
        a_pitch = whole(x.n, kPerThread);
        b_pitch = whole(x.k, kPerThread);
        a = reinterpret_cast<bfloat16*>(take(kPieces * x.m * a_pitch * static_cast<std::int64_t>(sizeof *a)));
        b = reinterpret_cast<bfloat16*>(take(kPieces * x.n * b_pitch * static_cast<std::int64_t>(sizeof *b)));
        row = take(x.m);
        col = take(x.k);
        any = take(1);
        flags = static_cast<std::size_t>(at - row);
        const std::size_t of_sums = SharedSums<bfloat16>::bytes_for(x.m, x.n, x.k, kFloatProducts.count);
        sums = of_sums > 0 ? take(static_cast<std::int64_t>(of_sums)) : nullptr;
        bytes = static_cast<std::size_t>(at - static_cast<unsigned char*>(x.workspace));
    }
};
std::size_t workspace(const MatmulArgs<float>& x) { return x.empty() || x.n == 0 ? 0 : Scratch(x).bytes; }

/// Splits a matrix; where a number does not split, its pieces are zero and its row's or column's flag is set.
template <bool kFlagRows>
__global__ void __launch_bounds__(kThreads)
    split(const float* matrix, std::int64_t rows, std::int64_t cols, std::int64_t pitch, bfloat16* pieces,
          std::int64_t piece_pitch, unsigned char* flags, unsigned char* any) {
    const std::int64_t per_row = piece_pitch / kPerThread;
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i >= rows * per_row) return;
    const std::int64_t r = i / per_row, c = i % per_row * kPerThread;
    alignas(16) float value[kPerThread];
    const float* const from = matrix + r * pitch + c;
    if (c + kPerThread <= cols && reinterpret_cast<std::uintptr_t>(from) % 16 == 0) {
#pragma unroll
        for (int j = 0; j < kPerThread; j += 4)
            *reinterpret_cast<float4*>(value + j) = *reinterpret_cast<const float4*>(from + j);
    } else {
#pragma unroll
        for (int j = 0; j < kPerThread; ++j) value[j] = c + j < cols ? from[j] : 0.0F;
    }
#pragma unroll
    for (int j = 0; j < kPerThread; ++j)
        if (!splits(value[j])) {
            flags[kFlagRows ? r : c + j] = 1;
            *any = 1;
            value[j] = 0;
        }
#pragma unroll
    for (int p = 0; p < kPieces; ++p) {
        alignas(16) __nv_bfloat16 piece[kPerThread];
#pragma unroll
        for (int j = 0; j < kPerThread; ++j) {
            piece[j] = __float2bfloat16_rn(value[j]);
            value[j] -= __bfloat162float(piece[j]);
        }
        *reinterpret_cast<uint4*>(pieces + (p * rows + r) * piece_pitch + c) = *reinterpret_cast<const uint4*>(piece);
    }
}

/// Computes the elements of C whose row or column does not split; where all do, nobody has anything to do.
template <bool kPlain>
__global__ void __launch_bounds__(kThreads)
    plainly(KernelArgs<kPlain, float> x, const unsigned char* row, const unsigned char* col, const unsigned char* any) {
    if (*any == 0) return;
    const std::int64_t stride = std::int64_t{gridDim.x} * kThreads;
    for (std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x; i < x.m * x.k; i += stride) {
        const std::int64_t r = i / x.k, c = i % x.k;
        if (row[r] == 0 && col[c] == 0) continue;
        float sum = 0;
        for (std::int64_t j = 0; j < x.n; ++j) sum = multiply_add(x.a[r * x.a_pitch + j], x.b[j * x.b_pitch + c], sum);
        if constexpr (!kPlain) sum = finished(x.finish, sum, r, c);
        x.c[r * x.c_pitch + c] = sum;
    }
}

void launch(const MatmulArgs<float>& x, cudaStream_t stream) {
    constexpr unsigned kPlainBlocks = 1024;
    if (x.empty()) return;
    if (x.n == 0) return write_zeros(x, stream);
    const Scratch scratch(x);
    const auto blocks = [](std::int64_t rows, std::int64_t pitch) {
        return static_cast<unsigned>(ceil_div(rows * (pitch / kPerThread), kThreads));
    };
    LANEWORK_CHECK(cudaMemsetAsync(scratch.row, 0, scratch.flags, stream));
    split<true><<<blocks(x.m, scratch.a_pitch), kThreads, 0, stream>>>(x.a, x.m, x.n, x.a_pitch, scratch.a,
                                                                       scratch.a_pitch, scratch.row, scratch.any);
    split<false><<<blocks(x.n, scratch.b_pitch), kThreads, 0, stream>>>(x.b, x.n, x.k, x.b_pitch, scratch.b,
                                                                        scratch.b_pitch, scratch.col, scratch.any);
    PieceProducts products = kFloatProducts;
    products.a_rows = static_cast<int>(x.m);
    products.b_rows = static_cast<int>(x.n);
    const bool pairs = x.c_pitch % 2 == 0 && reinterpret_cast<std::uintptr_t>(x.c) % sizeof(float2) == 0;
    const CUtensorMap map_a = map_of(scratch.a, 1, 0, kPieces * x.m, x.n, scratch.a_pitch, kBlockRows);
    const CUtensorMap map_b = map_of(scratch.b, 1, 0, kPieces * x.n, x.k, scratch.b_pitch, kStepDepth);
    with_product(x, [&](const auto& product) {
        launch_persistent<bfloat16, false, false>(product, {}, products, pairs, map_a, map_b, scratch.sums, stream);
    });
    if (x.finish.plain())
        plainly<true><<<kPlainBlocks, kThreads, 0, stream>>>(x, scratch.row, scratch.col, scratch.any);
    else
        plainly<false><<<kPlainBlocks, kThreads, 0, stream>>>(x, scratch.row, scratch.col, scratch.any);
    LANEWORK_CHECK(cudaGetLastError());
}

std::string_view refuses(const Problem& p) {
    const auto [m, n, k] = p.lengths<MatmulAxes>();
    constexpr std::int64_t kMax = 2147483647 / kPieces - kBlockCols;
    if (m > kMax || n > kMax) return "three pieces under one another must be fewer than 2^31 rows";
    return refuse_without_hopper(p);
}
#else
void launch(const MatmulArgs<float>&, cudaStream_t) {}  // refused
std::size_t workspace(const MatmulArgs<float>&) { return 0; }
std::string_view refuses(const Problem& p) { return refuse_without_hopper(p); }
#endif

bool fits(const MatmulArgs<float>& x) {
    return b_by_rows(x) && (x.finish.plain() || x.n > 0) && not_onto_itself(x) && workspace(x) <= x.workspace_bytes;
}
constexpr std::string_view kOnly =
    "B by rows (variants that begin with nn), with an epilogue sums of one term or more and no c that is added to "
    "itself";
}  // namespace

LANEWORK_RUNG(matmul, split_floats,
              {
                  .climbs_from = "double_buffered",
                  .lesson = "Three bfloat16 hold a float's 24 bits: six products by tensor cores are one of floats.",
                  .launch = {launch},
                  .workspace = {workspace},
                  .refuses = refuses,
                  .fits = {fits},
                  .only = kOnly,
                  .deviation = kPiecesDeviation,
              });
// mends: no rule (tensor cores instead of multiply-adds)

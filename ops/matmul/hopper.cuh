// What the rungs for Hopper's tensor cores share: products of tiles by a warpgroup (wgmma), four warps, 128 threads.
//
// The tile is the same in all of them, so that a rung differs from the one below it in one idea: 128 × 256 elements of
// C per block, 64 × 256 per warpgroup in 128 registers of each thread, 64 columns of A and rows of B per step.
#pragma once

#include "ops/matmul/float_pieces.cuh"
#include "ops/matmul/tma.cuh"

#ifdef __NVCC__
#include <utility>
#endif

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Why a rung of wgmma and TMA that lays tiles out over a grid cannot compute this problem; empty when it can.
inline std::string_view refuse_without_hopper_grid(const Problem& p) {
    const std::string_view reason = refuse_without_hopper(p);
    return reason.empty() ? refuse_beyond_grid<kBlockRows, kBlockCols>(p) : reason;
}

#if LANEWORK_HAS_WARPGROUPS

/// Where wgmma finds an operand in shared memory, in units of 16 bytes: the start, the distance from one 64-column
/// strip to the next (of B by rows alone), and that from 8 swizzled rows to the next 8. Bits 62 and 63 say 128-byte
/// swizzle. Only the lower half, which has the start, is ever added to: sums of 64 bits took longer than small
/// products.
class OperandInShared {
public:
    __device__ OperandInShared(std::uint32_t start, int strip_bytes)
        : low_(static_cast<std::uint32_t>(strip_bytes / 16) << 16 | (start & 0x3ffff) / 16) {}
    /// The operand so many bytes further on.
    __device__ std::uint64_t at(int bytes) const {
        constexpr std::uint64_t kSwizzle128 = std::uint64_t{1} << 62;
        return kSwizzle128 | std::uint64_t{kAlignment / 16} << 32 | (low_ + static_cast<std::uint32_t>(bytes / 16));
    }

private:
    std::uint32_t low_;
};

/// Before the first wgmma that reads registers or shared memory written by ordinary instructions.
__device__ inline void begin_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
/// Closes a batch of wgmmas.
__device__ inline void commit_products() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
/// Waits until all but the newest `kNewest` batches are done.
template <int kNewest>
__device__ void wait_products() {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kNewest) : "memory");
}

// The sums' registers: r is "+f" for floats and "+r" for int32.
#define LANEWORK_SUMS_8(r, d, i) \
    r(d[i]), r(d[i + 1]), r(d[i + 2]), r(d[i + 3]), r(d[i + 4]), r(d[i + 5]), r(d[i + 6]), r(d[i + 7])
#define LANEWORK_SUMS_16(r, d, i) LANEWORK_SUMS_8(r, d, i), LANEWORK_SUMS_8(r, d, i + 8)
#define LANEWORK_SUMS_32(r, d, i) LANEWORK_SUMS_16(r, d, i), LANEWORK_SUMS_16(r, d, i + 16)
#define LANEWORK_NAMES_0                                                   \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15" \
    ", %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define LANEWORK_NAMES_32 ", %32, %33, %34, %35, %36, %37, %38, %39"
#define LANEWORK_NAMES_40 ", %40, %41, %42, %43, %44, %45, %46, %47"
#define LANEWORK_NAMES_48 ", %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define LANEWORK_NAMES_64 ", %64, %65, %66, %67, %68, %69, %70, %71"
#define LANEWORK_NAMES_72                                                                  \
    ", %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85"               \
    ", %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99"               \
    ", %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, %112, %113" \
    ", %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
/// sums (64 × cols, in registers) = A (64 × 32 bytes) · B (32 bytes × cols) + sums, or without "+ sums" where `add` is
/// 0. `how` is the depth and the types, `names` are the sums'; then follow those of a, b and add, and what `rest` says:
/// that neither operand is negated and, of 16-bit elements, whether A and B lie along C's rows and columns (1).
#define LANEWORK_WGMMA(cols, how, names, a_name, b_name, add_name, rest, ...)                         \
    asm volatile(                                                                                     \
        "{\n"                                                                                         \
        ".reg .pred add;\n"                                                                           \
        "setp.ne.b32 add, " add_name                                                                  \
        ", 0;\n"                                                                                      \
        "wgmma.mma_async.sync.aligned.m64n" cols how " {" names "}, " a_name ", " b_name ", add" rest \
        ";\n"                                                                                         \
        "}\n"                                                                                         \
        : __VA_ARGS__                                                                                 \
        : "l"(a), "l"(b), "r"(add))
#define LANEWORK_WGMMA_64(r, how, rest) \
    LANEWORK_WGMMA("64", how, LANEWORK_NAMES_0, "%32", "%33", "%34", rest, LANEWORK_SUMS_32(r, sums, 0))
#define LANEWORK_WGMMA_80(r, how, rest)                                                      \
    LANEWORK_WGMMA("80", how, LANEWORK_NAMES_0 LANEWORK_NAMES_32, "%40", "%41", "%42", rest, \
                   LANEWORK_SUMS_32(r, sums, 0), LANEWORK_SUMS_8(r, sums, 32))
#define LANEWORK_WGMMA_96(r, how, rest)                                                                        \
    LANEWORK_WGMMA("96", how, LANEWORK_NAMES_0 LANEWORK_NAMES_32 LANEWORK_NAMES_40, "%48", "%49", "%50", rest, \
                   LANEWORK_SUMS_32(r, sums, 0), LANEWORK_SUMS_16(r, sums, 32))
#define LANEWORK_WGMMA_128(r, how, rest)                                                                             \
    LANEWORK_WGMMA("128", how, LANEWORK_NAMES_0 LANEWORK_NAMES_32 LANEWORK_NAMES_40 LANEWORK_NAMES_48, "%64", "%65", \
                   "%66", rest, LANEWORK_SUMS_32(r, sums, 0), LANEWORK_SUMS_32(r, sums, 32))
#define LANEWORK_WGMMA_144(r, how, rest)                                                                             \
    LANEWORK_WGMMA(                                                                                                  \
        "144", how, LANEWORK_NAMES_0 LANEWORK_NAMES_32 LANEWORK_NAMES_40 LANEWORK_NAMES_48 LANEWORK_NAMES_64, "%72", \
        "%73", "%74", rest, LANEWORK_SUMS_32(r, sums, 0), LANEWORK_SUMS_32(r, sums, 32), LANEWORK_SUMS_8(r, sums, 64))
#define LANEWORK_WGMMA_256(r, how, rest)                                                                            \
    LANEWORK_WGMMA(                                                                                                 \
        "256", how,                                                                                                 \
        LANEWORK_NAMES_0 LANEWORK_NAMES_32 LANEWORK_NAMES_40 LANEWORK_NAMES_48 LANEWORK_NAMES_64 LANEWORK_NAMES_72, \
        "%128", "%129", "%130", rest, LANEWORK_SUMS_32(r, sums, 0), LANEWORK_SUMS_32(r, sums, 32),                  \
        LANEWORK_SUMS_32(r, sums, 64), LANEWORK_SUMS_32(r, sums, 96))
#define LANEWORK_WGMMA_OF_ANY_WIDTH(r, how, rest) \
    if constexpr (kSums == 32)                    \
        LANEWORK_WGMMA_64(r, how, rest);          \
    else if constexpr (kSums == 40)               \
        LANEWORK_WGMMA_80(r, how, rest);          \
    else if constexpr (kSums == 48)               \
        LANEWORK_WGMMA_96(r, how, rest);          \
    else if constexpr (kSums == 64)               \
        LANEWORK_WGMMA_128(r, how, rest);         \
    else if constexpr (kSums == 72)               \
        LANEWORK_WGMMA_144(r, how, rest);         \
    else                                          \
        LANEWORK_WGMMA_256(r, how, rest)
#define LANEWORK_WGMMA_OF_HALVES(how)                           \
    if constexpr (kOperands == Operands::along_sum)             \
        LANEWORK_WGMMA_OF_ANY_WIDTH("+f", how, ", 1, 1, 0, 0"); \
    else if constexpr (kOperands == Operands::b_along_c)        \
        LANEWORK_WGMMA_OF_ANY_WIDTH("+f", how, ", 1, 1, 0, 1"); \
    else                                                        \
        LANEWORK_WGMMA_OF_ANY_WIDTH("+f", how, ", 1, 1, 1, 0")

/// How wgmma's operands lie in shared memory: rows of A and columns of B of neighbours along the sum, or, of 16-bit
/// elements alone, one of them with neighbours along C.
enum class Operands { along_sum, b_along_c, a_along_c };

/// Issues one wgmma for 2·kSums columns of C: 64, 80, 96, 128, 144 or 256.
template <class T, Operands kOperands, class Sum, int kSums>
__device__ void multiply_add_async(Sum (&sums)[kSums], std::uint64_t a, std::uint64_t b, int add) {
    static_assert(kSums == 32 || kSums == 40 || kSums == 48 || kSums == 64 || kSums == 72 || kSums == 128);
    static_assert(kOperands == Operands::along_sum || sizeof(T) == 2, "wgmma reads 16-bit elements alone along C");
    if constexpr (std::is_same_v<T, std::int8_t>) {
        LANEWORK_WGMMA_OF_ANY_WIDTH("+r", "k32.s32.s8.s8", "");
    } else if constexpr (std::is_same_v<T, float8_e4m3>) {
        LANEWORK_WGMMA_OF_ANY_WIDTH("+f", "k32.f32.e4m3.e4m3", ", 1, 1");
    } else if constexpr (std::is_same_v<T, tfloat32>) {
        LANEWORK_WGMMA_OF_ANY_WIDTH("+f", "k8.f32.tf32.tf32", ", 1, 1");
    } else if constexpr (std::is_same_v<T, bfloat16>) {
        LANEWORK_WGMMA_OF_HALVES("k16.f32.bf16.bf16");
    } else {
        LANEWORK_WGMMA_OF_HALVES("k16.f32.f16.f16");
    }
}
#undef LANEWORK_WGMMA_OF_HALVES
#undef LANEWORK_WGMMA_OF_ANY_WIDTH
#undef LANEWORK_WGMMA_256
#undef LANEWORK_WGMMA_144
#undef LANEWORK_WGMMA_128
#undef LANEWORK_WGMMA_96
#undef LANEWORK_WGMMA_80
#undef LANEWORK_WGMMA_64
#undef LANEWORK_WGMMA
#undef LANEWORK_NAMES_72
#undef LANEWORK_NAMES_64
#undef LANEWORK_NAMES_48
#undef LANEWORK_NAMES_40
#undef LANEWORK_NAMES_32
#undef LANEWORK_NAMES_0
#undef LANEWORK_SUMS_32
#undef LANEWORK_SUMS_16
#undef LANEWORK_SUMS_8

/// The operands of one step in shared memory, as TMA's 128-byte swizzle lays them: rows of 128 bytes whose eight
/// 16-byte parts are exchanged by the row's number modulo 8. A: rows of one step's columns. B: strips of 64 rows, 64
/// columns each, or, by columns, each column of one step's rows.
template <class T, int kRows = kBlockRows, int kCols = kBlockCols, bool kByColumns = false>
struct alignas(kAlignment) StepTiles {
    using ByRows = T[kCols / kStripCols][kStepDepth][kStripCols];
    using ByColumns = T[kCols][kStepDepthOf<T>];
    using OfA = T[kRows][kStepDepthOf<T>];
    using OfB = std::conditional_t<kByColumns, ByColumns, ByRows>;
    OfA a;
    OfB b;
};

/// The tile of C of one warpgroup, 64 × kCols, and its thread's part of it: of each 8 columns two neighbours, in a row
/// and in the row 8 below it.
template <class T, int kCols = kBlockCols, bool kByColumns = false>
struct GroupSums {
    using Sum = SumOf<T>;
    Sum value[kGroupRows * kCols / kWarpgroup];

    /// Issues the products of one step: rows 64·group … of A's tile with B's tile. They are done after wait_products.
    template <int kRows>
    __device__ void multiply(const StepTiles<T, kRows, kCols, kByColumns>& tiles, int group, bool first) {
        multiply(tiles.a[group * kGroupRows], tiles.b, first);
    }
    /// The same of 64 rows of A from `rows` on, in steps' layout.
    template <class OfB>
    __device__ void multiply(const T* rows, const OfB& of_b, bool first) {
        constexpr int kBytes = 32;  // of a row of A, for one wgmma
        constexpr int kBytesOfB = kByColumns ? kBytes : kBytes / static_cast<int>(sizeof(T)) * kSwizzleBytes;
        const OperandInShared a(shared_address(rows), 16);
        const OperandInShared b(shared_address(of_b), kByColumns ? 16 : sizeof(of_b[0]));
#pragma unroll
        for (int i = 0; i < kSwizzleBytes / kBytes; ++i)
            multiply_add_async<T, kByColumns ? Operands::along_sum : Operands::b_along_c>(
                value, a.at(i * kBytes), b.at(i * kBytesOfB), !first || i > 0);
    }
    /// C turned: the sums' rows are C's columns 64·group …, their columns are C's rows. `step` is the address of a
    /// step.
    template <int kOfB, bool kOfBByColumns>
    __device__ void multiply_turned(std::uint32_t step, int group, bool first) {
        using Step = StepTiles<T, kCols, kOfB, kOfBByColumns>;
        static_assert(kOfBByColumns || kGroupRows == kStripCols);
        constexpr int kBytes = 32;  // of a row of A, for one wgmma
        constexpr int kBytesOfB = kOfBByColumns ? kBytes : kBytes / static_cast<int>(sizeof(T)) * kSwizzleBytes;
        constexpr int kPerGroup = kOfBByColumns ? kGroupRows : 1;
        const OperandInShared a(step, 16);
        const OperandInShared b(
            step + offsetof(Step, b) + group * kPerGroup * sizeof(std::declval<typename Step::OfB&>()[0]), 16);
#pragma unroll
        for (int i = 0; i < kSwizzleBytes / kBytes; ++i)
            multiply_add_async<T, kOfBByColumns ? Operands::along_sum : Operands::a_along_c>(
                value, b.at(i * kBytesOfB), a.at(i * kBytes), !first || i > 0);
    }
    __device__ void clear() {
#pragma unroll
        for (Sum& x : value) x = 0;
    }
    /// This thread's first row and column; pair p stands 8·(p / 2) columns to the right and 8·(p % 2) rows below.
    static __device__ int row() {
        return static_cast<int>(threadIdx.x) % kWarpgroup / 32 * 16 + static_cast<int>(threadIdx.x) % 32 / 4;
    }
    static __device__ int col() { return static_cast<int>(threadIdx.x) % 4 * 2; }

    /// Writes to C from the registers; what lies outside is dropped. `pairs` says that every row starts on a pair.
    template <class Out>
    __device__ void write(Out* c, std::int64_t pitch, std::int64_t m, std::int64_t k, std::int64_t first_row,
                          std::int64_t first_col, bool pairs = true) const {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const std::int64_t r = first_row + row() + half * 8;
            if (r >= m) continue;
            Out* const to = c + r * pitch;
#pragma unroll
            for (int i = 0; i < kCols / 8; ++i) {
                const std::int64_t at = first_col + col() + i * 8;
                const Sum left = value[i * 4 + half * 2], right = value[i * 4 + half * 2 + 1];
                if (pairs && at + 1 < k) {
                    put_pair(to + at, left, right);
                } else {
                    if (at < k) put_one(to + at, left);
                    if (at + 1 < k) put_one(to + at + 1, right);
                }
            }
        }
    }
    static __device__ std::uint32_t packed(float left, float right) {
        std::uint32_t pair;
        if constexpr (std::is_same_v<Result<T>, bfloat16>)
            asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(right), "f"(left));
        else
            asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(right), "f"(left));
        return pair;
    }

private:
    static __device__ void put_pair(float* to, float left, float right) {
        *reinterpret_cast<float2*>(to) = make_float2(left, right);
    }
    static __device__ void put_one(float* to, float value) { *to = value; }
    static __device__ void put_pair(std::int32_t* to, std::int32_t left, std::int32_t right) {
        *reinterpret_cast<int2*>(to) = make_int2(left, right);
    }
    static __device__ void put_one(std::int32_t* to, std::int32_t value) { *to = value; }
    template <class Half>
    static __device__ void put_pair(Half* to, float left, float right) {
        static_assert(sizeof(Half) == 2);
        *reinterpret_cast<std::uint32_t*>(to) = packed(left, right);
    }
    template <class Half>
    static __device__ void put_one(Half* to, float value) {
        *reinterpret_cast<std::uint16_t*>(to) = static_cast<std::uint16_t>(packed(value, 0));
    }
};

/// Makes of a warpgroup's sums in registers what is written, where they are in C: its tile begins at (first_row,
/// first_col) of m × k elements. One step after the other for all of them, so that each is a run of like instructions.
template <class Sums, class T>
__device__ void finish_sums(Sums& sums, const Finish<T>& finish, std::int64_t first_row, std::int64_t first_col,
                            std::int64_t m, std::int64_t k) {
    using Sum = SumOf<T>;
    constexpr int kPairs = static_cast<int>(sizeof(sums.value) / sizeof(Sum)) / 4;  // of columns, each in two rows
    const std::int64_t row = first_row + Sums::row(), col = first_col + Sums::col();
#pragma unroll
    for (int i = 0; i < kPairs; ++i)
#pragma unroll
        for (int side = 0; side < 2; ++side) {
            const std::int64_t at = col + i * 8 + side;
            const Sum bias = finish.adds_bias && at < k ? number_at(finish.bias + at) : Sum{0};
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                Sum& sum = sums.value[i * 4 + half * 2 + side];
                sum = multiply_add(finish.alpha, sum, bias);
            }
        }
    if (finish.beta != Sum{0}) {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const std::int64_t r = row + half * 8;
            if (r >= m) continue;
            const Result<T>* const from = finish.c_in + r * finish.c_in_pitch;
#pragma unroll
            for (int i = 0; i < kPairs; ++i)
#pragma unroll
                for (int side = 0; side < 2; ++side) {
                    const std::int64_t at = col + i * 8 + side;
                    Sum& sum = sums.value[i * 4 + half * 2 + side];
                    if (at < k) sum = multiply_add(finish.beta, number_at(from + at), sum);
                }
        }
    }
    if constexpr (!std::is_integral_v<Sum>) {
        if (finish.activation == MatmulActivation::gelu) {
#pragma unroll
            for (Sum& sum : sums.value) sum = quick_gelu_erf(sum);
        } else if (finish.activation == MatmulActivation::gelu_tanh) {
#pragma unroll
            for (Sum& sum : sums.value) sum = quick_gelu_tanh(sum);
        }
    }
}

#endif  // LANEWORK_HAS_WARPGROUPS

}  // namespace lanework::inline LANEWORK_ON_DEVICE

// Tensor cores in software: nvcuda::wmma. A warp's lanes hold a matrix together, and multiply as warps do on a GPU;
// which element lies in which lane is unspecified in CUDA, and here as PTX documents it for mma.sync.
#pragma once

#include <lanework_simt/half_names.hpp>
#include <lanework_simt/quiet.hpp>
#include <lanework_simt/warp.hpp>
#include <type_traits>

#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
namespace precision {
struct tf32;
}
enum layout_t { mem_row_major, mem_col_major };

namespace of_lanes {

using lanework_simt::__half;
using lanework_simt::__nv_bfloat16;

/// What an element is stored as, and what products are summed in: sums are rounded once.
template <class T>
struct Element {
    using Stored = T;
    using Exact = double;
};
template <>
struct Element<precision::tf32> {
    using Stored = float;
    using Exact = double;
};
template <>
struct Element<signed char> {
    using Stored = signed char;
    using Exact = long long;
};
template <>
struct Element<unsigned char> {
    using Stored = unsigned char;
    using Exact = long long;
};
template <>
struct Element<int> {
    using Stored = int;
    using Exact = long long;
};

/// The shapes and types that tensor cores have.
template <int M, int N, int K, class T>
constexpr bool has_shape() {
    constexpr bool wide = (M == 16 && N == 16) || (M == 32 && N == 8) || (M == 8 && N == 32);
    if constexpr (std::is_same_v<T, precision::tf32>)
        return M == 16 && N == 16 && K == 8;
    else if constexpr (std::is_same_v<T, double>)
        return M == 8 && N == 8 && K == 4;
    else if constexpr (std::is_same_v<T, float>)
        return (wide && K == 16) || (M == 16 && N == 16 && K == 8);
    else
        return wide && K == 16;
}

/// How the lanes hold a matrix: tiles of 8 × 8 elements, two neighbours of a row in each lane; smaller matrices one
/// element after another.
template <int Rows, int Columns>
struct Places {
    static constexpr bool kTiled = Rows % 8 == 0 && Columns % 8 == 0;
    static constexpr int kElements = Rows * Columns / warpSize;

    static constexpr int row(int lane, int element) {
        if constexpr (kTiled) return element / 2 % (Rows / 8) * 8 + lane / 4;
        return (element * warpSize + lane) / Columns;
    }
    static constexpr int column(int lane, int element) {
        if constexpr (kTiled) return element / 2 / (Rows / 8) * 8 + lane % 4 * 2 + element % 2;
        return (element * warpSize + lane) % Columns;
    }
};

inline int lane() {
    const uint3 index = lanework_simt::thread_index();
    const dim3 extent = lanework_simt::block_dim();
    return static_cast<int>(((index.z * extent.y + index.y) * extent.x + index.x) % lanework_simt::kWarpLanes);
}

/// tf32 has ten bits behind the point: the others are not looked at.
template <class T, class Stored>
auto factor(const Stored& value) {
    if constexpr (std::is_same_v<T, precision::tf32>)
        return __builtin_bit_cast(float, __builtin_bit_cast(unsigned, value) & 0xffffe000u);
    else if constexpr (std::is_integral_v<Stored> || std::is_same_v<Stored, double>)
        return value;
    else
        return static_cast<float>(value);
}

/// Both factors of a product, as the lanes put them together.
template <int M, int N, int K, class T>
struct Board {
    using Value = decltype(factor<T>(typename Element<T>::Stored{}));
    Value a[M][K], b[K][N];
};

template <class T, class Fragment, class Value, int Rows, int Columns>
LANEWORK_SIMT_UNSEEN void place(const Fragment& fragment, Value (&matrix)[Rows][Columns], int lane) {
    using Where = Places<Rows, Columns>;
    for (int e = 0; e < Where::kElements; ++e)
        matrix[Where::row(lane, e)][Where::column(lane, e)] = factor<T>(fragment.x[e]);
}

template <class Exact, class Result, class Sums, int M, int N, int K, class T>
LANEWORK_SIMT_UNSEEN void multiply(const Board<M, N, K, T>& board, const Sums& c, Result& d, bool saturate, int lane) {
    using Where = Places<M, N>;
    using Stored = std::decay_t<decltype(d.x[0])>;
    for (int e = 0; e < Where::kElements; ++e) {
        const int row = Where::row(lane, e), column = Where::column(lane, e);
        auto sum = static_cast<Exact>(factor<void>(c.x[e]));
        for (int k = 0; k < K; ++k) sum += static_cast<Exact>(board.a[row][k]) * static_cast<Exact>(board.b[k][column]);
        if constexpr (std::is_integral_v<Stored>) {
            constexpr Exact kMost = 0x7fffffff, kLeast = -kMost - 1;
            if (saturate) sum = sum > kMost ? kMost : sum < kLeast ? kLeast : sum;
            d.x[e] = static_cast<Stored>(static_cast<unsigned>(sum));
        } else {
            d.x[e] = static_cast<Stored>(sum);
        }
    }
}

}  // namespace of_lanes

/// A lane's part of a matrix: M × K elements of `matrix_a`, K × N of `matrix_b`, M × N of `accumulator`.
template <class Use, int M, int N, int K, class T, class Layout = void>
class fragment {
    static constexpr bool kIsA = std::is_same_v<Use, matrix_a>, kIsB = std::is_same_v<Use, matrix_b>;
    static_assert(of_lanes::has_shape<M, N, K, T>(), "tensor cores have no fragment of this shape and type");
    static_assert(std::is_same_v<Use, accumulator> == std::is_void_v<Layout>,
                  "matrix_a and matrix_b have a layout, row_major or col_major, and accumulators have none");

public:
    static constexpr int kRows = kIsB ? K : M, kColumns = kIsA ? K : N;
    using Where = of_lanes::Places<kRows, kColumns>;
    using element_type = typename of_lanes::Element<T>::Stored;
    using storage_element_type = element_type;
    static constexpr int num_elements = Where::kElements, num_storage_elements = num_elements;
    element_type x[num_elements];
};

namespace of_lanes {

/// Where an element lies, seen from the first one, `stride` elements from line to line.
template <class Fragment>
LANEWORK_SIMT_BUILTIN unsigned long long offset(int lane, int element, unsigned stride, bool by_rows) {
    const int row = Fragment::Where::row(lane, element), column = Fragment::Where::column(lane, element);
    return by_rows ? static_cast<unsigned long long>(row) * stride + static_cast<unsigned>(column)
                   : static_cast<unsigned long long>(column) * stride + static_cast<unsigned>(row);
}

template <class Fragment, class T>
LANEWORK_SIMT_BUILTIN void load(Fragment& fragment, const T* from, unsigned stride, bool by_rows) {
    const int lane = of_lanes::lane();
    for (int e = 0; e < Fragment::num_elements; ++e) fragment.x[e] = from[offset<Fragment>(lane, e, stride, by_rows)];
    lanework_simt::__syncwarp();
}

}  // namespace of_lanes

template <class Use, int M, int N, int K, class T, class Layout>
LANEWORK_SIMT_BUILTIN void fill_fragment(fragment<Use, M, N, K, T, Layout>& to,
                                         const typename of_lanes::Element<T>::Stored& value) {
    for (int e = 0; e < to.num_elements; ++e) to.x[e] = value;
}

template <class Use, int M, int N, int K, class T, class Layout>
LANEWORK_SIMT_BUILTIN void load_matrix_sync(fragment<Use, M, N, K, T, Layout>& to,
                                            const typename of_lanes::Element<T>::Stored* from, unsigned stride) {
    static_assert(!std::is_void_v<Layout>, "an accumulator is loaded with its layout, as the fourth argument");
    of_lanes::load(to, from, stride, std::is_same_v<Layout, row_major>);
}
template <int M, int N, int K, class T>
LANEWORK_SIMT_BUILTIN void load_matrix_sync(fragment<accumulator, M, N, K, T>& to,
                                            const typename of_lanes::Element<T>::Stored* from, unsigned stride,
                                            layout_t layout) {
    of_lanes::load(to, from, stride, layout == mem_row_major);
}

template <int M, int N, int K, class T>
LANEWORK_SIMT_BUILTIN void store_matrix_sync(typename of_lanes::Element<T>::Stored* to,
                                             const fragment<accumulator, M, N, K, T>& from, unsigned stride,
                                             layout_t layout) {
    using Fragment = fragment<accumulator, M, N, K, T>;
    const int lane = of_lanes::lane();
    for (int e = 0; e < Fragment::num_elements; ++e)
        to[of_lanes::offset<Fragment>(lane, e, stride, layout == mem_row_major)] = from.x[e];
    lanework_simt::__syncwarp();
}

/// d = a · b + c. Products and their sum are exact, or double's, and rounded once; integers wrap around, or stop at
/// their ends where `saturate` is true.
template <int M, int N, int K, class T, class LayoutA, class LayoutB, class Sum, class Result>
LANEWORK_SIMT_BUILTIN void mma_sync(fragment<accumulator, M, N, K, Result>& d,
                                    const fragment<matrix_a, M, N, K, T, LayoutA>& a,
                                    const fragment<matrix_b, M, N, K, T, LayoutB>& b,
                                    const fragment<accumulator, M, N, K, Sum>& c, bool saturate = false) {
    using Board = of_lanes::Board<M, N, K, T>;
    constexpr unsigned kAll = 0xffffffffu;
    const int lane = of_lanes::lane();
    Board mine;
    const auto address = lanework_simt::__shfl_sync(kAll, reinterpret_cast<unsigned long long>(&mine), 0);
    Board& board = *reinterpret_cast<Board*>(address);
    of_lanes::place<T>(a, board.a, lane);
    of_lanes::place<T>(b, board.b, lane);
    lanework_simt::__syncwarp();
    of_lanes::multiply<typename of_lanes::Element<T>::Exact>(board, c, d, saturate, lane);
    lanework_simt::__syncwarp();
}

/// The value as tf32 holds it: ten bits behind the point, ties away from zero.
LANEWORK_SIMT_BUILTIN float __float_to_tf32(float value) {
    const unsigned bits = __builtin_bit_cast(unsigned, value);
    if ((bits & 0x7f800000u) == 0x7f800000u) return value;
    return __builtin_bit_cast(float, (bits + 0x1000u) & 0xffffe000u);
}

}  // namespace wmma
}  // namespace nvcuda

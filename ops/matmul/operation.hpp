// Matrix product: C[m×k] = A[m×n]·B[n×k], all row-major; of B, its transpose may be given. Elements of 16 bits and
// floats of fewer bits are summed in float, int8 in int32.
#pragma once

#include <lanework/array_view.hpp>
#include <lanework/rung.hpp>
#include <type_traits>

#include "src/core/touching_rows.hpp"

namespace lanework {

/// What C is made of.
template <class T>
using Result = MatmulResult<T>;

/// C = A·B is m × k, its sums have n terms.
LANEWORK_AXES(MatmulAxes, m, n, k);

template <class T>
struct MatmulArgs {
    using Element = T;
    const T* a;    ///< m × n
    const T* b;    ///< n × k, or k × n where B is given by columns
    Result<T>* c;  ///< m × k
    std::int64_t m, n, k;
    void* workspace;                         ///< the bytes that the rung asked for
    std::int64_t a_pitch, b_pitch, c_pitch;  ///< elements from a row to the next; n, k (or n) and k where rows touch
    bool b_by_columns = false;

    static MatmulArgs from(const Problem& problem, const Buffers& buffers) {
        const bool b_by_columns = static_cast<MatmulForm>(problem.variant) == MatmulForm::nt;
        const auto [a, b, c] = buffers.arrays<const T, const T, Result<T>>();
        const auto [m, n, k] = problem.lengths<MatmulAxes>();
        return {a, b, c, m, n, k, buffers.workspace, n, b_by_columns ? n : k, k, b_by_columns};
    }
    /// Nothing to write. With n = 0 alone there are m × k zeros to write.
    bool empty() const { return m == 0 || k == 0; }
};

/// What rungs compute that know of no pitch: `.fits`, with kRowsTouch as `.only`.
template <class T>
bool rows_touch(const MatmulArgs<T>& x) {
    return x.a_pitch == x.n && x.b_pitch == (x.b_by_columns ? x.n : x.k) && x.c_pitch == x.k;
}
/// And those that read B by rows.
template <class T>
bool b_by_rows(const MatmulArgs<T>& x) {
    return !x.b_by_columns;
}
inline constexpr std::string_view kBByRows = "B by rows (variant nn)";
template <class T>
bool rows_touch_b_by_rows(const MatmulArgs<T>& x) {
    return rows_touch(x) && b_by_rows(x);
}
inline constexpr std::string_view kRowsTouchBByRows =
    "matrices with nothing between their rows, B by rows (variant nn)";

/// sum + a·b. Integers wrap around: they are computed as unsigned numbers, where overflow is defined.
template <class T>
constexpr T multiply_add(T a, T b, T sum) {
    if constexpr (std::is_integral_v<T>) {
        using Unsigned = std::make_unsigned_t<T>;
        return static_cast<T>(static_cast<Unsigned>(a) * static_cast<Unsigned>(b) + static_cast<Unsigned>(sum));
    } else {
        return a * b + sum;
    }
}

/// The number in which products are summed, and back: 16-bit elements are floats, bytes int32 or float.
constexpr float widened(float16 x) { return to_float(x); }
constexpr float widened(bfloat16 x) { return to_float(x); }
constexpr float widened(float8_e4m3 x) { return to_float(x); }
constexpr float widened(tfloat32 x) { return to_float(x); }
constexpr std::int32_t widened(std::int8_t x) { return x; }
template <class T>
constexpr T widened(T x) {
    return x;
}
template <class T, class Sum>
constexpr T narrowed(Sum sum) {
    if constexpr (std::is_same_v<T, float16>)
        return to_float16(static_cast<float>(sum));
    else if constexpr (std::is_same_v<T, bfloat16>)
        return to_bfloat16(static_cast<float>(sum));
    else if constexpr (std::is_same_v<T, float8_e4m3>)
        return to_float8_e4m3(static_cast<float>(sum));
    else if constexpr (std::is_same_v<T, tfloat32>)
        return to_tfloat32(static_cast<float>(sum));
    else
        return static_cast<T>(sum);
}
/// The type in which products are summed.
template <class T>
using SumOf = decltype(widened(T{}));

}  // namespace lanework

using matmul_signature =
    lanework::Signature<lanework::MatmulArgs<std::int32_t>, lanework::MatmulArgs<float>,
                        lanework::MatmulArgs<lanework::float16>, lanework::MatmulArgs<lanework::bfloat16>,
                        lanework::MatmulArgs<std::int8_t>, lanework::MatmulArgs<lanework::float8_e4m3>,
                        lanework::MatmulArgs<lanework::tfloat32>>;
using namespace lanework;  // NOLINT: read by this operation's rungs only

// Matrix product: C[m×k] = A[m×n]·B[n×k], all row-major; of B, its transpose may be given. Elements of 16 bits and
// floats of fewer bits are summed in float, int8 in int32. A sum may be scaled, added to, and be GELU's argument before
// it is rounded to C's type.
#pragma once

#include <lanework/epilogue.hpp>
#include <lanework/rung.hpp>
#include <limits>
#include <type_traits>

#include "src/core/touching_rows.hpp"

namespace lanework {

/// What C is made of.
template <class T>
using Result = MatmulResult<T>;

/// C = A·B is m × k, its sums have n terms.
LANEWORK_AXES(MatmulAxes, m, n, k);

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

/// What becomes of a sum before it is rounded to C's type: activation(alpha·sum + beta·c_in + bias[column]), where what
/// beta = 0 stands before is not read. By itself it is a plain product.
template <class T>
struct Finish {
    SumOf<T> alpha = 1, beta = 0;
    const Result<T>* c_in = nullptr;  ///< m × k; may be c, since an element is read by whoever then writes it
    std::int64_t c_in_pitch = 0;      ///< elements from a row to the next
    bool adds_bias = false;
    const Result<T>* bias = nullptr;  ///< k elements
    MatmulActivation activation = MatmulActivation::none;

    constexpr bool plain() const {
        return alpha == SumOf<T>{1} && beta == SumOf<T>{0} && !adds_bias && activation == MatmulActivation::none;
    }
};

/// The number that the activation is applied to.
template <class T>
constexpr SumOf<T> blended(const Finish<T>& finish, SumOf<T> sum, std::int64_t row, std::int64_t col) {
    SumOf<T> number = multiply_add(finish.alpha, sum, finish.adds_bias ? widened(finish.bias[col]) : SumOf<T>{0});
    if (finish.beta != SumOf<T>{0})
        number = multiply_add(finish.beta, widened(finish.c_in[row * finish.c_in_pitch + col]), number);
    return number;
}

/// A problem's variant is an epilogue in a form. The factors of `scaled` are such as no other product has.
constexpr MatmulForm form_of(const Problem& p) { return static_cast<MatmulForm>(p.variant % 2); }
constexpr MatmulEpilogue epilogue_of(const Problem& p) { return static_cast<MatmulEpilogue>(p.variant / 2); }
constexpr std::uint8_t variant_of(MatmulForm form, MatmulEpilogue epilogue) {
    return static_cast<std::uint8_t>(2 * static_cast<int>(epilogue) + static_cast<int>(form));
}
constexpr MatmulActivation activation_of(MatmulEpilogue epilogue) {
    return epilogue == MatmulEpilogue::gelu        ? MatmulActivation::gelu
           : epilogue == MatmulEpilogue::gelu_tanh ? MatmulActivation::gelu_tanh
                                                   : MatmulActivation::none;
}
template <class Sum>
inline constexpr Sum kAlpha = std::is_integral_v<Sum> ? Sum{3} : Sum(-1.5);
template <class Sum>
inline constexpr Sum kBeta = std::is_integral_v<Sum> ? Sum{-2} : Sum(0.75);

/// A product, without what becomes of it: what the kernels of plain products take.
template <class T>
struct MatmulOperands {
    const T* a;    ///< m × n
    const T* b;    ///< n × k, or k × n where B is given by columns
    Result<T>* c;  ///< m × k
    std::int64_t m, n, k;
    void* workspace;                         ///< the bytes that the rung asked for
    std::int64_t a_pitch, b_pitch, c_pitch;  ///< elements from a row to the next; n, k (or n) and k where rows touch
    bool b_by_columns = false;

    /// Nothing to write. With n = 0 alone there are m × k zeros to write.
    bool empty() const { return m == 0 || k == 0; }
};
template <class T>
struct MatmulArgs : MatmulOperands<T> {
    using Element = T;
    Finish<T> finish = {};
    /// Of the workspace that a caller of the library lends, who asked for matrices without gaps; a ladder's is enough.
    std::size_t workspace_bytes = std::numeric_limits<std::size_t>::max();

    static MatmulArgs from(const Problem& problem, const Buffers& buffers) {
        const bool b_by_columns = form_of(problem) == MatmulForm::nt;
        const MatmulEpilogue epilogue = epilogue_of(problem);
        const auto [a, b] = buffers.arrays<const T, const T>();
        const auto [m, n, k] = problem.lengths<MatmulAxes>();
        Finish<T> finish{
            .c_in_pitch = k, .adds_bias = epilogue != MatmulEpilogue::none, .activation = activation_of(epilogue)};
        std::size_t next = 2;  // the arrays of operation.cpp
        if (finish.adds_bias) finish.bias = static_cast<const Result<T>*>(buffers.data[next++]);
        if (epilogue == MatmulEpilogue::scaled) {
            finish.alpha = kAlpha<SumOf<T>>;
            finish.beta = kBeta<SumOf<T>>;
            finish.c_in = static_cast<const Result<T>*>(buffers.data[next++]);
        }
        auto* const c = static_cast<Result<T>*>(buffers.data[next]);
        return {{a, b, c, m, n, k, buffers.workspace, n, b_by_columns ? n : k, k, b_by_columns}, finish};
    }
};
/// What a kernel takes that is compiled with and without an epilogue.
template <bool kPlain, class T>
using KernelArgs = std::conditional_t<kPlain, MatmulOperands<T>, MatmulArgs<T>>;

/// What rungs compute, as their `.fits` and `.only`: of those that know of no pitch, read B by rows, finish nothing.
template <class T>
bool rows_touch(const MatmulArgs<T>& x) {
    return x.a_pitch == x.n && x.b_pitch == (x.b_by_columns ? x.n : x.k) && x.c_pitch == x.k;
}
template <class T>
bool b_by_rows(const MatmulArgs<T>& x) {
    return !x.b_by_columns;
}
/// GELU of integers is no integer.
template <class T>
bool has_epilogue(const MatmulArgs<T>& x) {
    return !std::is_integral_v<SumOf<T>> || x.finish.activation == MatmulActivation::none;
}
inline constexpr std::string_view kGeluOfFloats = "GELU of floats alone";
template <class T>
bool is_plain(const MatmulArgs<T>& x) {
    return x.finish.plain();
}
inline constexpr std::string_view kPlain = "plain products (variants nn and nt)";
template <class T>
bool plain_by_rows(const MatmulArgs<T>& x) {
    return b_by_rows(x) && x.finish.plain();
}
inline constexpr std::string_view kPlainByRows = "plain products with B by rows (variant nn)";
template <class T>
bool rows_touch_plain(const MatmulArgs<T>& x) {
    return rows_touch(x) && x.finish.plain();
}
inline constexpr std::string_view kRowsTouchPlain =
    "plain products (variants nn and nt), of matrices with nothing between their rows";
template <class T>
bool rows_touch_plain_by_rows(const MatmulArgs<T>& x) {
    return rows_touch(x) && plain_by_rows(x);
}
inline constexpr std::string_view kRowsTouchPlainByRows =
    "plain products with B by rows (variant nn), of matrices with nothing between their rows";

}  // namespace lanework

using matmul_signature =
    lanework::Signature<lanework::MatmulArgs<std::int32_t>, lanework::MatmulArgs<float>,
                        lanework::MatmulArgs<lanework::float16>, lanework::MatmulArgs<lanework::bfloat16>,
                        lanework::MatmulArgs<std::int8_t>, lanework::MatmulArgs<lanework::float8_e4m3>,
                        lanework::MatmulArgs<lanework::tfloat32>>;
using namespace lanework;  // NOLINT: read by this operation's rungs only

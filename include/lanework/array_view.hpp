// What arrays and matrices are, and the forms in which some operations come. Plain types, which kernels take as they
// are; the functions are in <lanework/array.hpp>.
#pragma once

#include <cstdint>
#include <lanework/narrow.hpp>
#include <type_traits>

namespace lanework {

/// Elements side by side in memory that somebody else owns.
template <class T>
struct ArrayView {
    T* data = nullptr;
    std::int64_t count = 0;

    /// A template, since nvcc warns of a conversion of a type to itself even where it is ruled out.
    template <class Const>
    requires(std::is_same_v<Const, const T> && !std::is_const_v<T>) constexpr operator ArrayView<Const>() const {
        return {data, count};
    }
};

/// Rows of elements in memory that somebody else owns.
template <class T>
struct MatrixView {
    T* data = nullptr;  ///< the first element of the first row
    std::int64_t rows = 0, cols = 0;
    std::int64_t pitch = 0;  ///< bytes from a row to the next: a multiple of sizeof(T), at least those of a row

    /// Rows without anything between them.
    static constexpr MatrixView tight(T* data, std::int64_t rows, std::int64_t cols) {
        return {data, rows, cols, cols * static_cast<std::int64_t>(sizeof(T))};
    }
    template <class Const>
    requires(std::is_same_v<Const, const T> && !std::is_const_v<T>) constexpr operator MatrixView<Const>() const {
        return {data, rows, cols, pitch};
    }
};

/// Matrices of one shape in memory that somebody else owns.
template <class T>
struct MatrixBatchView {
    T* data = nullptr;  ///< the first element of the first matrix
    std::int64_t count = 0, rows = 0, cols = 0;
    std::int64_t pitch = 0;    ///< as of a MatrixView
    std::int64_t to_next = 0;  ///< bytes from a matrix to the next: a multiple of sizeof(T); 0: all are the first

    /// Matrices, and rows, without anything between them.
    static constexpr MatrixBatchView tight(T* data, std::int64_t count, std::int64_t rows, std::int64_t cols) {
        const std::int64_t pitch = cols * static_cast<std::int64_t>(sizeof(T));
        return {data, count, rows, cols, pitch, rows * pitch};
    }
    template <class Const>
    requires(std::is_same_v<Const, const T> && !std::is_const_v<T>) constexpr operator MatrixBatchView<Const>() const {
        return {data, count, rows, cols, pitch, to_next};
    }
};

/// How the operands of a product are given, in BLAS's letters. The values are the order of the operation's variants.
enum class MatmulForm : std::uint8_t {
    nn,  ///< a and b by rows
    nt,  ///< a by rows, b by columns: its view has k rows of n elements, as tensor cores read most types
};

/// What a product of T is made of: int32 for int8, bfloat16 for float8_e4m3, float for tfloat32, else T.
template <class T>
struct MatmulResultOf {
    using Type = T;
};
template <>
struct MatmulResultOf<std::int8_t> {
    using Type = std::int32_t;
};
template <>
struct MatmulResultOf<float8_e4m3> {
    using Type = bfloat16;
};
template <>
struct MatmulResultOf<tfloat32> {
    using Type = float;
};
template <class T>
using MatmulResult = typename MatmulResultOf<T>::Type;

/// What n elements become: their sum, the smallest or the largest, or where that is. The values are the order of the
/// operation's variants.
enum class ReduceForm : std::uint8_t { sum, min, max, argmin, argmax };
constexpr bool seeks_place(ReduceForm form) { return form == ReduceForm::argmin || form == ReduceForm::argmax; }

/// x/2·(1 + erf(x/√2)), and x/2·(1 + tanh(√(2/π)·(x + 0.044715·x³))), both of Hendrycks and Gimpel, Gaussian Error
/// Linear Units. The values are the order of the operation's variants.
enum class GeluForm : std::uint8_t { erf, tanh };

}  // namespace lanework

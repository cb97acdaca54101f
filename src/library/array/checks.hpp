// What the functions of <lanework/array.hpp> ask of views and workspaces.
#pragma once

#include <fmt/format.h>

#include <lanework/array.hpp>
#include <string_view>

namespace lanework::array {

/// No memory has more bytes.
inline constexpr std::int64_t kMostBytes = std::int64_t{1} << 47;

/// Memory that an argument names: rows of `length` bytes, `pitch` bytes apart.
struct Extent {
    std::string_view name;
    const void* begin;
    std::int64_t rows, length, pitch;

    bool empty() const { return rows == 0 || length == 0; }
    std::int64_t bytes() const { return (rows - 1) * pitch + length; }
};

/// Throws UsageError for a length that is negative or more than any memory holds, and for a missing or odd address.
Extent checked_array(std::string_view function, std::string_view name, const void* data, std::int64_t count,
                     std::int64_t element);
/// Throws UsageError for a matrix that no memory holds.
void require_shape(std::string_view function, std::string_view name, std::int64_t rows, std::int64_t cols,
                   std::int64_t element);
/// As checked_array, for a matrix, and for its pitch.
Extent checked_matrix(std::string_view function, std::string_view name, const void* data, std::int64_t rows,
                      std::int64_t cols, std::int64_t pitch, std::int64_t element);

template <class T>
Extent checked(std::string_view function, std::string_view name, const ArrayView<T>& view) {
    return checked_array(function, name, view.data, view.count, sizeof(T));
}
template <class T>
Extent checked(std::string_view function, std::string_view name, const MatrixView<T>& view) {
    return checked_matrix(function, name, view.data, view.rows, view.cols, view.pitch, sizeof(T));
}

/// Whether nothing lies between the rows.
template <class T>
bool rows_touch(const MatrixView<T>& view) {
    return view.rows < 2 || view.cols == 0 || view.pitch == view.cols * static_cast<std::int64_t>(sizeof(T));
}
/// Elements from a row to the next. Nobody reads the pitch of one row, or of none: rows then touch.
template <class T>
std::int64_t pitch_in_elements(const MatrixView<T>& view) {
    return rows_touch(view) ? view.cols : view.pitch / static_cast<std::int64_t>(sizeof(T));
}
/// What kernels take as a row of these matrices of one shape: all elements where nothing lies between the rows of any.
template <class First, class... Others>
std::int64_t row_of(const MatrixView<First>& first, const MatrixView<Others>&... others) {
    return rows_touch(first) && (rows_touch(others) && ...) ? first.rows * first.cols : first.cols;
}
/// The array as a row.
template <class T>
MatrixView<T> as_row(const ArrayView<T>& array) {
    return MatrixView<T>::tight(array.data, 1, array.count);
}

/// Throws UsageError where the output shares bytes with an input. Of matrices whose rows lie between each other's that
/// is told where their pitches are equal.
void require_apart(std::string_view function, const Extent& out, const Extent& in);
/// The same, but they may be one and the same: every element is read before it is written. Both have as many rows.
void require_apart_or_same(std::string_view function, const Extent& out, const Extent& in);

/// Throws UsageError for lengths that must be equal: "add: y has 3 elements and x 4; they must be equal".
void require_equal(std::string_view function, std::string_view first, std::int64_t of_first, std::string_view second,
                   std::int64_t of_second, std::string_view what);

/// Throws UsageError where it is too small or begins at an odd address.
void require_workspace(std::string_view function, const Workspace& workspace, std::size_t needed);

}  // namespace lanework::array

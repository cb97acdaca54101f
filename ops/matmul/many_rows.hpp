// Products of many rows and few columns, whichever operand the many are: what is read once, and what all of it meets.
#pragma once

#include "ops/matmul/operation.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Many rows, each read once, and the few columns that they are multiplied with: A and B, or, where B is given by
/// columns and A has fewer rows, B's columns and A's rows: C's indices are then swapped when it is written.
template <class T>
struct ManyRows {
    const T *rows, *columns;
    std::int64_t row_count, row_pitch, column_count;
    std::int64_t to_next_term, to_next_column;  ///< elements, of the columns
    bool swapped;

    explicit ManyRows(const MatmulOperands<T>& x) : swapped(x.b_by_columns && x.m <= x.k) {
        rows = swapped ? x.b : x.a, columns = swapped ? x.a : x.b;
        row_count = swapped ? x.k : x.m, column_count = swapped ? x.m : x.k;
        row_pitch = swapped ? x.b_pitch : x.a_pitch;
        const std::int64_t pitch = swapped ? x.a_pitch : x.b_pitch;
        to_next_term = x.b_by_columns ? 1 : pitch, to_next_column = x.b_by_columns ? pitch : 1;
    }
};

/// Whether A's rows are few and B's rows are read once; else whole rows are read, of A or of B's columns.
template <class T>
bool reads_rows_of_b(const MatmulArgs<T>& x) {
    return x.m <= x.k && !x.b_by_columns;
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

// batched_matmul of <lanework/array.hpp>: checked arguments for the rung that is chosen.
#include "ops/batched_matmul/operation.hpp"
#include "src/core/launch.hpp"
#include "src/library/array/checks.hpp"

namespace lanework {
namespace {

/// The first of the matrices.
template <class T>
MatrixView<T> first_of(const MatrixBatchView<T>& batch) {
    return {batch.data, batch.rows, batch.cols, batch.pitch};
}

/// The memory of all of them, as one row: what lies between them counts.
template <class T>
array::Extent checked_batch(std::string_view name, const MatrixBatchView<T>& batch) {
    constexpr auto kElement = static_cast<std::int64_t>(sizeof(T));
    if (batch.count < 0)
        throw UsageError(fmt::format("batched_matmul: {} has {} matrices; 0 or more are right", name, batch.count));
    array::require_shape("batched_matmul", name, batch.rows, batch.cols, kElement);
    if (batch.count == 0) return {name, nullptr, 0, 0, 0};
    const array::Extent one = array::checked("batched_matmul", name, first_of(batch));
    if (one.empty()) return {name, nullptr, 0, 0, 0};
    if (batch.to_next < 0 || batch.to_next % kElement != 0)
        throw UsageError(fmt::format("batched_matmul: {}.to_next is {} bytes; a multiple of an element's {} is right",
                                     name, batch.to_next, kElement));
    if (batch.count > 1 && batch.to_next > (array::kMostBytes - one.bytes()) / (batch.count - 1))
        throw UsageError(
            fmt::format("batched_matmul: {}.to_next is {} bytes, and {} matrices of them are more than any "
                        "memory has",
                        name, batch.to_next, batch.count));
    const std::int64_t bytes = (batch.count - 1) * batch.to_next + one.bytes();
    return {name, batch.data, 1, bytes, bytes};
}

/// Throws UsageError where matrices of the output share bytes: they lie one behind the other, or in the gaps between
/// each other's rows.
template <class T>
void require_own_memory(const MatrixBatchView<T>& c) {
    if (c.count < 2) return;
    const array::Extent one = array::checked("batched_matmul", "c", first_of(c));
    if (one.empty() || c.to_next >= one.bytes()) return;
    if (c.to_next >= one.length && (c.rows < 2 || c.pitch >= (c.count - 1) * c.to_next + one.length)) return;
    throw UsageError(
        fmt::format("batched_matmul: c.to_next is {} bytes, and the matrices of c, of {} bytes each, overlap",
                    c.to_next, one.bytes()));
}

template <class T>
void batched_matmul_of(const MatrixBatchView<const T>& a, const MatrixBatchView<const T>& b,
                       const MatrixBatchView<T>& c, MatmulForm form, Target target) {
    if (form != MatmulForm::nn && form != MatmulForm::nt)
        throw UsageError(
            fmt::format("batched_matmul: there is no form {}; nn and nt are right", static_cast<int>(form)));
    const bool by_columns = form == MatmulForm::nt;
    const array::Extent of_a = checked_batch("a", a), of_b = checked_batch("b", b), of_c = checked_batch("c", c);
    array::require_equal("batched_matmul", "b", b.count, "a", a.count, "matrices");
    array::require_equal("batched_matmul", "c", c.count, "a", a.count, "matrices");
    const std::int64_t inner = by_columns ? b.cols : b.rows, cols = by_columns ? b.rows : b.cols;
    if (a.cols != inner)
        throw UsageError(fmt::format("batched_matmul: a has {} columns and b {} {}; they must be equal", a.cols, inner,
                                     by_columns ? "columns (form nt)" : "rows"));
    if (c.rows != a.rows || c.cols != cols)
        throw UsageError(fmt::format("batched_matmul: c has matrices of {}×{} (rows × columns); {}×{} is right", c.rows,
                                     c.cols, a.rows, cols));
    require_own_memory(c);
    array::require_apart("batched_matmul", of_c, of_a);
    array::require_apart("batched_matmul", of_c, of_b);
    const auto elements = [](std::int64_t bytes) { return bytes / static_cast<std::int64_t>(sizeof(T)); };
    const BatchedMatmulArgs<T> args{
        {{a.data, b.data, c.data, a.rows, a.cols, cols, nullptr, array::pitch_in_elements(first_of(a)),
          array::pitch_in_elements(first_of(b)), array::pitch_in_elements(first_of(c)), by_columns},
         {}},
        a.count,
        elements(a.to_next),
        elements(b.to_next),
        elements(c.to_next)};
    if (args.empty()) return;
    const Problem problem{extents(a.count, a.rows, a.cols, cols), dtype_of<T>, static_cast<std::uint8_t>(form)};
    image::launch(find_operation("batched_matmul"), problem, args, target);
}

}  // namespace

void batched_matmul(const MatrixBatchView<const float>& a, const MatrixBatchView<const float>& b,
                    const MatrixBatchView<float>& c, MatmulForm form, Target target) {
    batched_matmul_of(a, b, c, form, target);
}
void batched_matmul(const MatrixBatchView<const float16>& a, const MatrixBatchView<const float16>& b,
                    const MatrixBatchView<float16>& c, MatmulForm form, Target target) {
    batched_matmul_of(a, b, c, form, target);
}
void batched_matmul(const MatrixBatchView<const bfloat16>& a, const MatrixBatchView<const bfloat16>& b,
                    const MatrixBatchView<bfloat16>& c, MatmulForm form, Target target) {
    batched_matmul_of(a, b, c, form, target);
}

}  // namespace lanework

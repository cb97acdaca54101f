// matmul and transpose of <lanework/array.hpp>: checked arguments for the rung that is chosen.
#include <tuple>

#include "ops/matmul/operation.hpp"
#include "ops/transpose/operation.hpp"
#include "src/core/launch.hpp"
#include "src/library/array/checks.hpp"

namespace lanework {
namespace {

template <class T>
std::int64_t pitch_in_elements(const MatrixView<T>& view) {
    // Nobody reads the pitch of one row, or of none: rows then touch, which every rung takes.
    return view.rows > 1 && view.cols > 0 ? view.pitch / static_cast<std::int64_t>(sizeof(T)) : view.cols;
}

template <class T>
void transpose_of(const MatrixView<const T>& in, const MatrixView<T>& out, Target target) {
    static_assert(sizeof(T) == sizeof(TransposeArgs::Element));
    const array::Extent from = array::checked("transpose", "in", in), to = array::checked("transpose", "out", out);
    if (out.rows != in.cols || out.cols != in.rows)
        throw UsageError(fmt::format("transpose: out is {}×{} and in {}×{} (rows × columns); {}×{} is right", out.rows,
                                     out.cols, in.rows, in.cols, in.cols, in.rows));
    array::require_apart("transpose", to, from);
    const TransposeArgs args{reinterpret_cast<const TransposeArgs::Element*>(in.data),
                             reinterpret_cast<TransposeArgs::Element*>(out.data),
                             in.rows,
                             in.cols,
                             pitch_in_elements(in),
                             pitch_in_elements(out)};
    if (args.empty()) return;
    const Problem problem{extents(in.rows, in.cols), DType::int32};
    image::launch(find_operation("transpose"), problem, args, target);
}

template <class T>
void matmul_of(const MatrixView<const T>& a, const MatrixView<const T>& b, const MatrixView<T>& c,
               const Workspace& workspace, Target target) {
    const array::Extent of_a = array::checked("matmul", "a", a), of_b = array::checked("matmul", "b", b);
    const array::Extent of_c = array::checked("matmul", "c", c);
    if (a.cols != b.rows)
        throw UsageError(fmt::format("matmul: a has {} columns and b {} rows; they must be equal", a.cols, b.rows));
    if (c.rows != a.rows || c.cols != b.cols)
        throw UsageError(
            fmt::format("matmul: c is {}×{} (rows × columns); {}×{} is right", c.rows, c.cols, a.rows, b.cols));
    array::require_apart("matmul", of_c, of_a);
    array::require_apart("matmul", of_c, of_b);
    array::require_workspace("matmul", workspace, matmul_workspace(a.rows, a.cols, b.cols, dtype_of<T>, target));
    const MatmulArgs<T> args{a.data,
                             b.data,
                             c.data,
                             a.rows,
                             a.cols,
                             b.cols,
                             workspace.data,
                             pitch_in_elements(a),
                             pitch_in_elements(b),
                             pitch_in_elements(c)};
    if (args.empty()) return;
    const Problem problem{extents(a.rows, a.cols, b.cols), dtype_of<T>};
    image::launch(find_operation("matmul"), problem, args, target);
}

}  // namespace

void transpose(const MatrixView<const std::int32_t>& in, const MatrixView<std::int32_t>& out, Target target) {
    transpose_of(in, out, target);
}
void transpose(const MatrixView<const std::uint32_t>& in, const MatrixView<std::uint32_t>& out, Target target) {
    transpose_of(in, out, target);
}
void transpose(const MatrixView<const float>& in, const MatrixView<float>& out, Target target) {
    transpose_of(in, out, target);
}

std::size_t matmul_workspace(std::int64_t m, std::int64_t n, std::int64_t k, DType type, Target target) {
    const Operation& operation = find_operation("matmul");
    if (!operation.has(type))
        throw UsageError(fmt::format("matmul: {} is not computed; int32 and float32 are", name_of(type)));
    const auto size = static_cast<std::int64_t>(size_of(type));
    for (const auto& [name, rows, cols] : {std::tuple{"a", m, n}, std::tuple{"b", n, k}, std::tuple{"c", m, k}})
        array::require_shape("matmul", name, rows, cols, size);
    if (m == 0 || k == 0) return 0;
    return image::workspace_of<MatmulArgs<float>>(operation, {extents(m, n, k), type}, target);
}

void matmul(const MatrixView<const float>& a, const MatrixView<const float>& b, const MatrixView<float>& c,
            const Workspace& workspace, Target target) {
    matmul_of(a, b, c, workspace, target);
}
void matmul(const MatrixView<const std::int32_t>& a, const MatrixView<const std::int32_t>& b,
            const MatrixView<std::int32_t>& c, const Workspace& workspace, Target target) {
    matmul_of(a, b, c, workspace, target);
}

}  // namespace lanework

// add, gelu and histogram of <lanework/array.hpp>: checked arguments for the rung that is chosen.
#include "ops/add/operation.hpp"
#include "ops/gelu/operation.hpp"
#include "ops/histogram/operation.hpp"
#include "src/core/launch.hpp"
#include "src/library/array/checks.hpp"

namespace lanework {
namespace {

using array::pitch_in_elements;

void require_equal_shapes(std::string_view function, const array::Extent& first, const array::Extent& second,
                          std::int64_t element) {
    array::require_equal(function, first.name, first.rows, second.name, second.rows, "rows");
    array::require_equal(function, first.name, first.length / element, second.name, second.length / element, "columns");
}

/// Of checked matrices of one shape that overlap in no other way than they may.
template <class T>
void launch_add(const MatrixView<const T>& x, const MatrixView<const T>& y, const MatrixView<T>& z, Target target) {
    const std::int64_t n = z.rows * z.cols;
    if (n == 0) return;
    const AddArgsOf<T> args{x.data,
                            y.data,
                            z.data,
                            n,
                            array::row_of(x, y, z),
                            pitch_in_elements(x),
                            pitch_in_elements(y),
                            pitch_in_elements(z)};
    image::launch(find_operation("add"), {extents(n), dtype_of<T>}, args, target);
}

template <class T>
void add_of(const ArrayView<const T>& x, const ArrayView<const T>& y, const ArrayView<T>& z, Target target) {
    const array::Extent of_x = array::checked("add", "x", x), of_y = array::checked("add", "y", y);
    const array::Extent of_z = array::checked("add", "z", z);
    array::require_equal("add", "y", y.count, "x", x.count, "elements");
    array::require_equal("add", "z", z.count, "x", x.count, "elements");
    array::require_apart_or_same("add", of_z, of_x);
    array::require_apart_or_same("add", of_z, of_y);
    launch_add(array::as_row(x), array::as_row(y), array::as_row(z), target);
}

template <class T>
void add_of(const MatrixView<const T>& x, const MatrixView<const T>& y, const MatrixView<T>& z, Target target) {
    const array::Extent of_x = array::checked("add", "x", x), of_y = array::checked("add", "y", y);
    const array::Extent of_z = array::checked("add", "z", z);
    require_equal_shapes("add", of_y, of_x, sizeof(T));
    require_equal_shapes("add", of_z, of_x, sizeof(T));
    array::require_apart_or_same("add", of_z, of_x);
    array::require_apart_or_same("add", of_z, of_y);
    launch_add(x, y, z, target);
}

template <class T>
void launch_gelu(const MatrixView<const T>& in, const MatrixView<T>& out, GeluForm form, Target target) {
    if (form != GeluForm::erf && form != GeluForm::tanh)
        throw UsageError(fmt::format("gelu: there is no form {}; erf and tanh are right", static_cast<int>(form)));
    const std::int64_t n = in.rows * in.cols;
    if (n == 0) return;
    const Problem problem{extents(n), dtype_of<T>, static_cast<std::uint8_t>(form)};
    const GeluArgs<T> args{
        in.data, out.data, n, form, array::row_of(in, out), pitch_in_elements(in), pitch_in_elements(out)};
    image::launch(find_operation("gelu"), problem, args, target);
}

template <class T>
void gelu_of(const ArrayView<const T>& in, const ArrayView<T>& out, GeluForm form, Target target) {
    const array::Extent from = array::checked("gelu", "in", in), to = array::checked("gelu", "out", out);
    array::require_equal("gelu", "out", out.count, "in", in.count, "elements");
    array::require_apart_or_same("gelu", to, from);
    launch_gelu(array::as_row(in), array::as_row(out), form, target);
}

template <class T>
void gelu_of(const MatrixView<const T>& in, const MatrixView<T>& out, GeluForm form, Target target) {
    const array::Extent from = array::checked("gelu", "in", in), to = array::checked("gelu", "out", out);
    require_equal_shapes("gelu", to, from, sizeof(T));
    array::require_apart_or_same("gelu", to, from);
    launch_gelu(in, out, form, target);
}

void launch_histogram(const array::Extent& from, const MatrixView<const std::uint8_t>& in, std::uint64_t* counts,
                      Target target) {
    const array::Extent to = array::checked("histogram", "counts", ArrayView<const std::uint64_t>{counts, kBins});
    array::require_apart("histogram", to, from);
    const std::int64_t n = in.rows * in.cols;
    const HistogramArgs args{in.data, counts, n, nullptr, array::row_of(in), pitch_in_elements(in)};
    image::launch(find_operation("histogram"), {extents(n), DType::uint8}, args, target);
}

}  // namespace

#define LANEWORK_ADD_OF(T)                                                                                        \
    void add(const ArrayView<const T>& x, const ArrayView<const T>& y, const ArrayView<T>& z, Target target) {    \
        add_of(x, y, z, target);                                                                                  \
    }                                                                                                             \
    void add(const MatrixView<const T>& x, const MatrixView<const T>& y, const MatrixView<T>& z, Target target) { \
        add_of(x, y, z, target);                                                                                  \
    }
LANEWORK_ADD_OF(float)
LANEWORK_ADD_OF(double)
LANEWORK_ADD_OF(std::int32_t)
LANEWORK_ADD_OF(float16)
LANEWORK_ADD_OF(bfloat16)
#undef LANEWORK_ADD_OF

#define LANEWORK_GELU_OF(T)                                                                            \
    void gelu(const ArrayView<const T>& in, const ArrayView<T>& out, GeluForm form, Target target) {   \
        gelu_of(in, out, form, target);                                                                \
    }                                                                                                  \
    void gelu(const MatrixView<const T>& in, const MatrixView<T>& out, GeluForm form, Target target) { \
        gelu_of(in, out, form, target);                                                                \
    }
LANEWORK_GELU_OF(float)
LANEWORK_GELU_OF(float16)
LANEWORK_GELU_OF(bfloat16)
#undef LANEWORK_GELU_OF

void histogram(const ArrayView<const std::uint8_t>& in, std::uint64_t* counts, Target target) {
    launch_histogram(array::checked("histogram", "in", in), array::as_row(in), counts, target);
}
void histogram(const MatrixView<const std::uint8_t>& in, std::uint64_t* counts, Target target) {
    launch_histogram(array::checked("histogram", "in", in), in, counts, target);
}

}  // namespace lanework

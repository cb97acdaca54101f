// add, gelu and histogram of <lanework/array.hpp>: checked arguments for the rung that is chosen.
#include "ops/add/operation.hpp"
#include "ops/gelu/operation.hpp"
#include "ops/histogram/operation.hpp"
#include "src/core/launch.hpp"
#include "src/library/array/checks.hpp"

namespace lanework {
namespace {

template <class T>
void gelu_of(const ArrayView<const T>& in, const ArrayView<T>& out, GeluForm form, Target target) {
    const array::Extent from = array::checked("gelu", "in", in), to = array::checked("gelu", "out", out);
    array::require_equal("gelu", "out", out.count, "in", in.count, "elements");
    array::require_apart_or_same("gelu", to, from);
    if (form != GeluForm::erf && form != GeluForm::tanh)
        throw UsageError(fmt::format("gelu: there is no form {}; erf and tanh are right", static_cast<int>(form)));
    if (in.count == 0) return;
    const Problem problem{extents(in.count), dtype_of<T>, static_cast<std::uint8_t>(form)};
    image::launch(find_operation("gelu"), problem, GeluArgs<T>{in.data, out.data, in.count, form}, target);
}

}  // namespace

void add(const ArrayView<const float>& x, const ArrayView<const float>& y, const ArrayView<float>& z, Target target) {
    const array::Extent of_x = array::checked("add", "x", x), of_y = array::checked("add", "y", y);
    const array::Extent of_z = array::checked("add", "z", z);
    array::require_equal("add", "y", y.count, "x", x.count, "elements");
    array::require_equal("add", "z", z.count, "x", x.count, "elements");
    array::require_apart_or_same("add", of_z, of_x);
    array::require_apart_or_same("add", of_z, of_y);
    if (z.count == 0) return;
    const Problem problem{extents(z.count), DType::float32};
    image::launch(find_operation("add"), problem, AddArgs{x.data, y.data, z.data, z.count}, target);
}

void gelu(const ArrayView<const float>& in, const ArrayView<float>& out, GeluForm form, Target target) {
    gelu_of(in, out, form, target);
}
void gelu(const ArrayView<const float16>& in, const ArrayView<float16>& out, GeluForm form, Target target) {
    gelu_of(in, out, form, target);
}
void gelu(const ArrayView<const bfloat16>& in, const ArrayView<bfloat16>& out, GeluForm form, Target target) {
    gelu_of(in, out, form, target);
}

void histogram(const ArrayView<const std::uint8_t>& in, std::uint64_t* counts, Target target) {
    const array::Extent from = array::checked("histogram", "in", in);
    const array::Extent to = array::checked("histogram", "counts", ArrayView<const std::uint64_t>{counts, kBins});
    array::require_apart("histogram", to, from);
    const Problem problem{extents(in.count), DType::uint8};
    image::launch(find_operation("histogram"), problem, HistogramArgs{in.data, counts, in.count, nullptr}, target);
}

}  // namespace lanework

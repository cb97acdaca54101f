// reduce and reproducible_sum of <lanework/array.hpp>: checked arguments for the rung that is chosen.
#include <algorithm>

#include "ops/reduce/operation.hpp"
#include "src/core/launch.hpp"
#include "src/library/array/checks.hpp"

namespace lanework {
namespace {

constexpr std::string_view kFormNames[] = {"sum", "min", "max", "argmin", "argmax"};

const Operation& reduce_operation() { return find_operation("reduce"); }

/// The rung of this name on each kind of device, found once.
const Rung& reproducible_rung(DeviceKind kind) {
    static const auto rungs = [] {
        std::array<const Rung*, std::size(kDeviceKinds)> found{};
        for (const DeviceKind each : kDeviceKinds)
            for (const Rung* rung : ladder(reduce_operation(), each))
                if (rung->name == "reproducible") found[static_cast<std::size_t>(each)] = rung;
        return found;
    }();
    if (const Rung* rung = rungs[static_cast<std::size_t>(kind)]) return *rung;
    throw UnavailableError(fmt::format("reproducible_sum: this build has no rung for {}", name_of(kind)));
}

void require_count(std::string_view function, std::int64_t count, DType type) {
    if (!reduce_operation().has(type))
        throw UsageError(
            fmt::format("{}: {} is not computed; int32, float32 and float64 are", function, name_of(type)));
    if (count < 0) throw UsageError(fmt::format("{}: count is {}; 0 or more is right", function, count));
    if (count > array::kMostBytes / static_cast<std::int64_t>(size_of(type)))
        throw UsageError(fmt::format("{}: {} elements are more than any memory holds", function, count));
}

void require_form(ReduceForm form, bool of_place) {
    if (form > ReduceForm::argmax) throw UsageError(fmt::format("reduce: there is no form {}", static_cast<int>(form)));
    if (seeks_place(form) != of_place)
        throw UsageError(fmt::format(
            "reduce: {} writes {}", kFormNames[static_cast<std::size_t>(form)],
            of_place ? "an element; a place is of argmin and argmax" : "a place, and out is to be an int64"));
}

Problem problem_of(std::int64_t count, DType type, ReduceForm form) {
    return {extents(count), type, static_cast<std::uint8_t>(form)};
}

/// Bytes that the rung which takes rows with gaps asks for.
template <class T>
std::size_t workspace_in_rows(std::int64_t rows, std::int64_t cols, ReduceForm form, const Target& target) {
    ReduceArgs<T> args{};
    args.n = rows * cols, args.form = form, args.cols = cols, args.pitch = cols + 1;
    const Problem problem = problem_of(args.n, dtype_of<T>, form);
    return image::workspace_of(image::choice_of<ReduceArgs<T>>(reduce_operation()).rung(target.kind(), problem, &args),
                               problem);
}

template <class T, class Out>
ReduceArgs<T> args_of(const MatrixView<const T>& in, Out* out, ReduceForm form, const Workspace& workspace) {
    ReduceArgs<T> args{};
    args.in = in.data;
    if constexpr (std::is_same_v<Out, T>)
        args.out = out;
    else
        args.place = out;
    args.n = in.rows * in.cols;
    args.workspace = workspace.data;
    args.form = form;
    args.cols = array::row_of(in);
    args.pitch = array::pitch_in_elements(in);
    return args;
}

template <class Out>
void require_apart(std::string_view function, const Out* out, const array::Extent& in) {
    array::require_apart(function, array::checked(function, "out", ArrayView<const Out>{out, 1}), in);
}

template <class T, class Out>
void launch_reduce(const MatrixView<const T>& in, Out* out, ReduceForm form, const Workspace& workspace,
                   std::size_t needed, Target target) {
    array::require_workspace("reduce", workspace, needed);
    const ReduceArgs<T> args = args_of(in, out, form, workspace);
    image::launch(reduce_operation(), problem_of(args.n, dtype_of<T>, form), args, target);
}

template <class T, class Out>
void reduce_of(const ArrayView<const T>& in, Out* out, ReduceForm form, const Workspace& workspace, Target target) {
    require_form(form, !std::is_same_v<Out, T>);
    require_apart("reduce", out, array::checked("reduce", "in", in));
    launch_reduce(array::as_row(in), out, form, workspace, reduce_workspace(in.count, dtype_of<T>, form, target),
                  target);
}
template <class T, class Out>
void reduce_of(const MatrixView<const T>& in, Out* out, ReduceForm form, const Workspace& workspace, Target target) {
    require_form(form, !std::is_same_v<Out, T>);
    require_apart("reduce", out, array::checked("reduce", "in", in));
    launch_reduce(in, out, form, workspace, reduce_workspace(in.rows, in.cols, dtype_of<T>, form, target), target);
}

template <class T>
void launch_reproducible_sum(const MatrixView<const T>& in, T* out, const Workspace& workspace, Target target) {
    const ReduceArgs<T> args = args_of(in, out, ReduceForm::sum, workspace);
    array::require_workspace("reproducible_sum", workspace, reproducible_sum_workspace(args.n, dtype_of<T>, target));
    image::launch_rung(reproducible_rung(target.kind()), dtype_of<T>, &args, target);
}

template <class T>
void reproducible_sum_of(const ArrayView<const T>& in, T* out, const Workspace& workspace, Target target) {
    require_apart("reproducible_sum", out, array::checked("reproducible_sum", "in", in));
    launch_reproducible_sum(array::as_row(in), out, workspace, target);
}
template <class T>
void reproducible_sum_of(const MatrixView<const T>& in, T* out, const Workspace& workspace, Target target) {
    require_apart("reproducible_sum", out, array::checked("reproducible_sum", "in", in));
    launch_reproducible_sum(in, out, workspace, target);
}

}  // namespace

std::size_t reduce_workspace(std::int64_t count, DType type, ReduceForm form, Target target) {
    require_count("reduce", count, type);
    require_form(form, seeks_place(form));
    return image::workspace_of<ReduceArgs<float>>(reduce_operation(), problem_of(count, type, form), target);
}

std::size_t reduce_workspace(std::int64_t rows, std::int64_t cols, DType type, ReduceForm form, Target target) {
    array::require_shape("reduce", "in", rows, cols, static_cast<std::int64_t>(size_of(type)));
    const std::size_t in_one_row = reduce_workspace(rows * cols, type, form, target);
    if (rows < 2 || cols == 0) return in_one_row;
    switch (type) {
        case DType::float32: return std::max(in_one_row, workspace_in_rows<float>(rows, cols, form, target));
        case DType::float64: return std::max(in_one_row, workspace_in_rows<double>(rows, cols, form, target));
        default: return std::max(in_one_row, workspace_in_rows<std::int32_t>(rows, cols, form, target));
    }
}

std::size_t reproducible_sum_workspace(std::int64_t count, DType type, Target target) {
    require_count("reproducible_sum", count, type);
    const Problem problem = problem_of(count, type, ReduceForm::sum);
    const Rung& rung = reproducible_rung(target.kind());
    if (rung.refuses)
        if (const std::string_view reason = rung.refuses(problem); !reason.empty())
            throw UnavailableError(fmt::format("reproducible_sum: {}", reason));
    return image::workspace_of(rung, problem);
}

#define LANEWORK_REDUCE_OF(View, T)                                                                            \
    void reduce(const View<const T>& in, T* out, ReduceForm form, const Workspace& workspace, Target target) { \
        reduce_of(in, out, form, workspace, target);                                                           \
    }                                                                                                          \
    void reduce(const View<const T>& in, std::int64_t* place, ReduceForm form, const Workspace& workspace,     \
                Target target) {                                                                               \
        reduce_of(in, place, form, workspace, target);                                                         \
    }                                                                                                          \
    void reproducible_sum(const View<const T>& in, T* out, const Workspace& workspace, Target target) {        \
        reproducible_sum_of(in, out, workspace, target);                                                       \
    }
LANEWORK_REDUCE_OF(ArrayView, std::int32_t)
LANEWORK_REDUCE_OF(ArrayView, float)
LANEWORK_REDUCE_OF(ArrayView, double)
LANEWORK_REDUCE_OF(MatrixView, std::int32_t)
LANEWORK_REDUCE_OF(MatrixView, float)
LANEWORK_REDUCE_OF(MatrixView, double)
#undef LANEWORK_REDUCE_OF

}  // namespace lanework

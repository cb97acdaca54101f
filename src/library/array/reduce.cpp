// reduce and reproducible_sum of <lanework/array.hpp>: checked arguments for the rung that is chosen.
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

template <class T, class Out>
ReduceArgs<T> checked_args(std::string_view function, const ArrayView<const T>& in, Out* out, ReduceForm form,
                           const Workspace& workspace) {
    const array::Extent from = array::checked(function, "in", in);
    const array::Extent to = array::checked(function, "out", ArrayView<const Out>{out, 1});
    array::require_apart(function, to, from);
    ReduceArgs<T> args{in.data, nullptr, in.count, workspace.data, form, nullptr};
    if constexpr (std::is_same_v<Out, T>)
        args.out = out;
    else
        args.place = out;
    return args;
}

template <class T, class Out>
void reduce_of(const ArrayView<const T>& in, Out* out, ReduceForm form, const Workspace& workspace, Target target) {
    require_form(form, !std::is_same_v<Out, T>);
    const ReduceArgs<T> args = checked_args("reduce", in, out, form, workspace);
    array::require_workspace("reduce", workspace, reduce_workspace(in.count, dtype_of<T>, form, target));
    image::launch(reduce_operation(), problem_of(in.count, dtype_of<T>, form), args, target);
}

template <class T>
void reproducible_sum_of(const ArrayView<const T>& in, T* out, const Workspace& workspace, Target target) {
    const ReduceArgs<T> args = checked_args("reproducible_sum", in, out, ReduceForm::sum, workspace);
    array::require_workspace("reproducible_sum", workspace, reproducible_sum_workspace(in.count, dtype_of<T>, target));
    image::launch_rung(reproducible_rung(target.kind()), dtype_of<T>, &args, target);
}

}  // namespace

std::size_t reduce_workspace(std::int64_t count, DType type, ReduceForm form, Target target) {
    require_count("reduce", count, type);
    require_form(form, seeks_place(form));
    return image::workspace_of<ReduceArgs<float>>(reduce_operation(), problem_of(count, type, form), target);
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

#define LANEWORK_REDUCE_OF(T)                                                                                       \
    void reduce(const ArrayView<const T>& in, T* out, ReduceForm form, const Workspace& workspace, Target target) { \
        reduce_of(in, out, form, workspace, target);                                                                \
    }                                                                                                               \
    void reduce(const ArrayView<const T>& in, std::int64_t* place, ReduceForm form, const Workspace& workspace,     \
                Target target) {                                                                                    \
        reduce_of(in, place, form, workspace, target);                                                              \
    }                                                                                                               \
    void reproducible_sum(const ArrayView<const T>& in, T* out, const Workspace& workspace, Target target) {        \
        reproducible_sum_of(in, out, workspace, target);                                                            \
    }
LANEWORK_REDUCE_OF(std::int32_t)
LANEWORK_REDUCE_OF(float)
LANEWORK_REDUCE_OF(double)
#undef LANEWORK_REDUCE_OF

}  // namespace lanework

// matmul and transpose of <lanework/array.hpp>: checked arguments for the rung that is chosen.
#include <fmt/ranges.h>

#include <tuple>
#include <vector>

#include "ops/matmul/floats_choice.hpp"
#include "ops/transpose/operation.hpp"
#include "src/core/launch.hpp"
#include "src/library/array/checks.hpp"

namespace lanework {
namespace {

using array::pitch_in_elements;

/// The type that elements of so many bytes are moved as.
template <std::size_t bytes>
struct MovedAs {
    using Type = std::int32_t;
};
template <>
struct MovedAs<1> {
    using Type = std::uint8_t;
};
template <>
struct MovedAs<2> {
    using Type = std::uint16_t;
};
template <>
struct MovedAs<8> {
    using Type = std::uint64_t;
};

template <class T>
void transpose_of(const MatrixView<const T>& in, const MatrixView<T>& out, Target target) {
    using Moved = typename MovedAs<sizeof(T)>::Type;
    static_assert(sizeof(T) == sizeof(Moved));
    const array::Extent from = array::checked("transpose", "in", in), to = array::checked("transpose", "out", out);
    if (out.rows != in.cols || out.cols != in.rows)
        throw UsageError(fmt::format("transpose: out is {}×{} and in {}×{} (rows × columns); {}×{} is right", out.rows,
                                     out.cols, in.rows, in.cols, in.cols, in.rows));
    array::require_apart("transpose", to, from);
    const TransposeArgsOf<Moved> args{reinterpret_cast<const Moved*>(in.data),
                                      reinterpret_cast<Moved*>(out.data),
                                      in.rows,
                                      in.cols,
                                      pitch_in_elements(in),
                                      pitch_in_elements(out)};
    if (args.empty()) return;
    const Problem problem{extents(in.rows, in.cols), dtype_of<Moved>};
    image::launch(find_operation("transpose"), problem, args, target);
}

constexpr std::size_t kUnit = 64;       // what parts of a workspace begin at
constexpr std::size_t kMostArrays = 5;  // of a product

/// Whether b's columns are put in rows first, in the workspace.
bool puts_in_rows(const Problem& problem, const Target& target) {
    return target.kind() != DeviceKind::cpu && is_faster_in_rows(problem);
}
std::size_t bytes_in_rows(std::int64_t n, std::int64_t k) {
    const std::size_t bytes = static_cast<std::size_t>(n) * static_cast<std::size_t>(k) * sizeof(float);
    return (bytes + kUnit - 1) / kUnit * kUnit;
}

/// What the rung that is chosen asks for. Of b by columns, and with an epilogue, not every rung takes what the problem
/// says: it is asked with rows that begin at multiples of 16 bytes, since those that need no such thing need no
/// workspace either, and with c added to itself, as callers do.
template <class T>
std::size_t workspace_of_rung(const Problem& problem, const Target& target) {
    const Operation& operation = find_operation("matmul");
    void* nowhere[kMostArrays] = {};
    MatmulArgs<T> args = MatmulArgs<T>::from(problem, {nowhere});
    args.a_pitch = args.b_pitch = ceil_div(args.n, std::int64_t{16}) * 16;
    args.c_pitch = args.finish.c_in_pitch = ceil_div(args.k, std::int64_t{16}) * 16;
    const Rung& rung =
        image::choice_of<MatmulArgs<T>>(operation).rung(target.kind(), problem, problem.variant == 0 ? nullptr : &args);
    return image::workspace_of(rung, problem);
}

/// Calls body with an element of the type.
template <class Body>
std::size_t with_element(DType type, Body body) {
    switch (type) {
        case DType::float32: return body(float{});
        case DType::float16: return body(float16{});
        case DType::bfloat16: return body(bfloat16{});
        case DType::int8: return body(std::int8_t{});
        case DType::float8_e4m3: return body(float8_e4m3{});
        case DType::tfloat32: return body(tfloat32{});
        default: return body(std::int32_t{});
    }
}

void require_form(MatmulForm form) {
    if (form != MatmulForm::nn && form != MatmulForm::nt)
        throw UsageError(fmt::format("matmul: there is no form {}; nn and nt are right", static_cast<int>(form)));
}

template <class T>
void launch_matmul(const MatmulArgs<T>& args, MatmulEpilogue epilogue, Target target) {
    const auto form = args.b_by_columns ? MatmulForm::nt : MatmulForm::nn;
    const Problem problem{extents(args.m, args.n, args.k), dtype_of<T>, variant_of(form, epilogue)};
    image::launch(find_operation("matmul"), problem, args, target);
}

/// Puts b in rows at the workspace's begin, and leaves what is behind to the product.
void launch_in_rows(MatmulArgs<float> args, MatmulEpilogue epilogue, Target target) {
    static_assert(sizeof(float) == sizeof(TransposeArgs::Element));
    auto* const rows = static_cast<float*>(args.workspace);
    const TransposeArgs moved{reinterpret_cast<const TransposeArgs::Element*>(args.b),
                              reinterpret_cast<TransposeArgs::Element*>(rows),
                              args.k,
                              args.n,
                              args.b_pitch,
                              args.k};
    if (!moved.empty())
        image::launch(find_operation("transpose"), {extents(args.k, args.n), DType::int32}, moved, target);
    args.b = rows;
    args.b_pitch = args.k;
    args.b_by_columns = false;
    args.workspace = static_cast<std::byte*>(args.workspace) + bytes_in_rows(args.n, args.k);
    args.workspace_bytes -= bytes_in_rows(args.n, args.k);
    launch_matmul(args, epilogue, target);
}

/// The epilogue for kernels, which read c itself.
template <class T>
Finish<T> finish_of(const Epilogue<Result<T>>& epilogue, const MatrixView<Result<T>>& c) {
    return {.alpha = epilogue.alpha,
            .beta = epilogue.beta,
            .c_in = c.data,
            .c_in_pitch = pitch_in_elements(c),
            .adds_bias = epilogue.bias.data != nullptr,
            .bias = epilogue.bias.data,
            .activation = epilogue.activation};
}
void require_activated(bool integers, MatmulActivation activation) {
    if (integers && activation != MatmulActivation::none)
        throw UsageError(
            "matmul: GELU of integers is not computed; float32, float16, bfloat16, float8_e4m3 and "
            "tfloat32 are right");
}
template <class C>
void require_epilogue(const Epilogue<C>& epilogue, const array::Extent& c, std::int64_t cols) {
    const auto activation = static_cast<int>(epilogue.activation);
    if (activation < 0 || activation > static_cast<int>(MatmulActivation::gelu_tanh))
        throw UsageError(
            fmt::format("matmul: there is no activation {}; none, gelu and gelu_tanh are right", activation));
    require_activated(std::is_integral_v<C>, epilogue.activation);
    if (!epilogue.bias.data && epilogue.bias.count == 0) return;
    const array::Extent bias = array::checked("matmul", "bias", epilogue.bias);
    if (epilogue.bias.count != cols)
        throw UsageError(fmt::format("matmul: bias has {} elements and c {} columns; they must be equal",
                                     epilogue.bias.count, cols));
    array::require_apart("matmul", c, bias);
}

template <class T>
void matmul_of(const MatrixView<const T>& a, const MatrixView<const T>& b, const MatrixView<Result<T>>& c,
               MatmulForm form, const Epilogue<Result<T>>& epilogue, const Workspace& workspace, Target target) {
    require_form(form);
    const bool by_columns = form == MatmulForm::nt;
    const array::Extent of_a = array::checked("matmul", "a", a), of_b = array::checked("matmul", "b", b);
    const array::Extent of_c = array::checked("matmul", "c", c);
    const std::int64_t inner = by_columns ? b.cols : b.rows, cols = by_columns ? b.rows : b.cols;
    if (a.cols != inner)
        throw UsageError(fmt::format("matmul: a has {} columns and b {} {}; they must be equal", a.cols, inner,
                                     by_columns ? "columns (form nt)" : "rows"));
    if (c.rows != a.rows || c.cols != cols)
        throw UsageError(
            fmt::format("matmul: c is {}×{} (rows × columns); {}×{} is right", c.rows, c.cols, a.rows, cols));
    array::require_apart("matmul", of_c, of_a);
    array::require_apart("matmul", of_c, of_b);
    require_epilogue(epilogue, of_c, cols);
    const MatmulEpilogue kind = epilogue.kind();
    array::require_workspace("matmul", workspace,
                             matmul_workspace(a.rows, a.cols, cols, dtype_of<T>, form, kind, target));
    // Sums without terms are 0, and nothing is read for them.
    const std::int64_t terms = epilogue.alpha == 0 ? 0 : a.cols;
    const MatmulArgs<T> args{{a.data, b.data, c.data, a.rows, terms, cols, workspace.data, pitch_in_elements(a),
                              pitch_in_elements(b), pitch_in_elements(c), by_columns},
                             finish_of<T>(epilogue, c),
                             workspace.bytes};
    if (args.empty()) return;
    if constexpr (std::is_same_v<T, float>)
        if (puts_in_rows({extents(args.m, args.n, args.k), dtype_of<T>, variant_of(form, kind)}, target))
            return launch_in_rows(args, kind, target);
    launch_matmul(args, kind, target);
}

}  // namespace

void transpose(const MatrixView<const std::uint8_t>& in, const MatrixView<std::uint8_t>& out, Target target) {
    transpose_of(in, out, target);
}
void transpose(const MatrixView<const std::int8_t>& in, const MatrixView<std::int8_t>& out, Target target) {
    transpose_of(in, out, target);
}
void transpose(const MatrixView<const std::uint16_t>& in, const MatrixView<std::uint16_t>& out, Target target) {
    transpose_of(in, out, target);
}
void transpose(const MatrixView<const std::int16_t>& in, const MatrixView<std::int16_t>& out, Target target) {
    transpose_of(in, out, target);
}
void transpose(const MatrixView<const float16>& in, const MatrixView<float16>& out, Target target) {
    transpose_of(in, out, target);
}
void transpose(const MatrixView<const bfloat16>& in, const MatrixView<bfloat16>& out, Target target) {
    transpose_of(in, out, target);
}
void transpose(const MatrixView<const std::uint32_t>& in, const MatrixView<std::uint32_t>& out, Target target) {
    transpose_of(in, out, target);
}
void transpose(const MatrixView<const std::int32_t>& in, const MatrixView<std::int32_t>& out, Target target) {
    transpose_of(in, out, target);
}
void transpose(const MatrixView<const float>& in, const MatrixView<float>& out, Target target) {
    transpose_of(in, out, target);
}
void transpose(const MatrixView<const std::uint64_t>& in, const MatrixView<std::uint64_t>& out, Target target) {
    transpose_of(in, out, target);
}
void transpose(const MatrixView<const std::int64_t>& in, const MatrixView<std::int64_t>& out, Target target) {
    transpose_of(in, out, target);
}
void transpose(const MatrixView<const double>& in, const MatrixView<double>& out, Target target) {
    transpose_of(in, out, target);
}

std::size_t matmul_workspace(std::int64_t m, std::int64_t n, std::int64_t k, DType type, MatmulForm form,
                             MatmulEpilogue epilogue, Target target) {
    require_form(form);
    if (epilogue > MatmulEpilogue::scaled)
        throw UsageError(fmt::format("matmul: there is no epilogue {}; those of MatmulEpilogue are right",
                                     static_cast<int>(epilogue)));
    const Operation& operation = find_operation("matmul");
    if (!operation.has(type)) {
        std::vector<std::string_view> names;
        for (const Operation::Typed& typed : operation.types) names.push_back(name_of(typed.dtype));
        throw UsageError(fmt::format("matmul: {} is not computed; {} are", name_of(type), fmt::join(names, ", ")));
    }
    require_activated(type == DType::int32 || type == DType::int8, activation_of(epilogue));
    const auto size = static_cast<std::int64_t>(size_of(type));
    for (const auto& [name, rows, cols] : {std::tuple{"a", m, n}, std::tuple{"b", n, k}, std::tuple{"c", m, k}})
        array::require_shape("matmul", name, rows, cols, size);
    if (m == 0 || k == 0) return 0;
    return with_element(type, [&]<class T>(T) {
        if (puts_in_rows({extents(m, n, k), type, variant_of(form, epilogue)}, target))
            return bytes_in_rows(n, k) +
                   workspace_of_rung<T>({extents(m, n, k), type, variant_of(MatmulForm::nn, epilogue)}, target);
        return workspace_of_rung<T>({extents(m, n, k), type, variant_of(form, epilogue)}, target);
    });
}
std::size_t matmul_workspace(std::int64_t m, std::int64_t n, std::int64_t k, DType type, MatmulForm form,
                             Target target) {
    return matmul_workspace(m, n, k, type, form, MatmulEpilogue::none, target);
}
std::size_t matmul_workspace(std::int64_t m, std::int64_t n, std::int64_t k, DType type, Target target) {
    return matmul_workspace(m, n, k, type, MatmulForm::nn, target);
}

void matmul(const MatrixView<const float>& a, const MatrixView<const float>& b, const MatrixView<float>& c,
            MatmulForm form, const Workspace& workspace, Target target) {
    matmul_of(a, b, c, form, {}, workspace, target);
}
void matmul(const MatrixView<const float>& a, const MatrixView<const float>& b, const MatrixView<float>& c,
            MatmulForm form, const Epilogue<float>& epilogue, const Workspace& workspace, Target target) {
    matmul_of(a, b, c, form, epilogue, workspace, target);
}
void matmul(const MatrixView<const float16>& a, const MatrixView<const float16>& b, const MatrixView<float16>& c,
            MatmulForm form, const Workspace& workspace, Target target) {
    matmul_of(a, b, c, form, {}, workspace, target);
}
void matmul(const MatrixView<const float16>& a, const MatrixView<const float16>& b, const MatrixView<float16>& c,
            MatmulForm form, const Epilogue<float16>& epilogue, const Workspace& workspace, Target target) {
    matmul_of(a, b, c, form, epilogue, workspace, target);
}
void matmul(const MatrixView<const bfloat16>& a, const MatrixView<const bfloat16>& b, const MatrixView<bfloat16>& c,
            MatmulForm form, const Workspace& workspace, Target target) {
    matmul_of(a, b, c, form, {}, workspace, target);
}
void matmul(const MatrixView<const bfloat16>& a, const MatrixView<const bfloat16>& b, const MatrixView<bfloat16>& c,
            MatmulForm form, const Epilogue<bfloat16>& epilogue, const Workspace& workspace, Target target) {
    matmul_of(a, b, c, form, epilogue, workspace, target);
}
void matmul(const MatrixView<const std::int32_t>& a, const MatrixView<const std::int32_t>& b,
            const MatrixView<std::int32_t>& c, MatmulForm form, const Workspace& workspace, Target target) {
    matmul_of(a, b, c, form, {}, workspace, target);
}
void matmul(const MatrixView<const std::int32_t>& a, const MatrixView<const std::int32_t>& b,
            const MatrixView<std::int32_t>& c, MatmulForm form, const Epilogue<std::int32_t>& epilogue,
            const Workspace& workspace, Target target) {
    matmul_of(a, b, c, form, epilogue, workspace, target);
}
void matmul(const MatrixView<const std::int8_t>& a, const MatrixView<const std::int8_t>& b,
            const MatrixView<std::int32_t>& c, MatmulForm form, const Workspace& workspace, Target target) {
    matmul_of(a, b, c, form, {}, workspace, target);
}
void matmul(const MatrixView<const std::int8_t>& a, const MatrixView<const std::int8_t>& b,
            const MatrixView<std::int32_t>& c, MatmulForm form, const Epilogue<std::int32_t>& epilogue,
            const Workspace& workspace, Target target) {
    matmul_of(a, b, c, form, epilogue, workspace, target);
}
void matmul(const MatrixView<const float8_e4m3>& a, const MatrixView<const float8_e4m3>& b,
            const MatrixView<bfloat16>& c, MatmulForm form, const Workspace& workspace, Target target) {
    matmul_of(a, b, c, form, {}, workspace, target);
}
void matmul(const MatrixView<const float8_e4m3>& a, const MatrixView<const float8_e4m3>& b,
            const MatrixView<bfloat16>& c, MatmulForm form, const Epilogue<bfloat16>& epilogue,
            const Workspace& workspace, Target target) {
    matmul_of(a, b, c, form, epilogue, workspace, target);
}
void matmul(const MatrixView<const tfloat32>& a, const MatrixView<const tfloat32>& b, const MatrixView<float>& c,
            MatmulForm form, const Workspace& workspace, Target target) {
    matmul_of(a, b, c, form, {}, workspace, target);
}
void matmul(const MatrixView<const tfloat32>& a, const MatrixView<const tfloat32>& b, const MatrixView<float>& c,
            MatmulForm form, const Epilogue<float>& epilogue, const Workspace& workspace, Target target) {
    matmul_of(a, b, c, form, epilogue, workspace, target);
}

}  // namespace lanework

// Arrays for languages that call C: <lanework/array.hpp> behind one function and a plain struct. All memory is the
// caller's but scratch memory, which a call takes and gives back.
#include <lanework/array.hpp>
#include <string_view>

#include "python/native/errors.hpp"
#include "python/native/place.hpp"

extern "C" {
/// An array: one row, or a matrix. python/lanework/arrays.py has the same fields in the same order.
struct lanework_array {
    void* data;
    int64_t rows, cols;
    int64_t pitch;  ///< bytes from a row to the next
    int64_t dtype;  ///< as lanework::DType counts
};
/// How the matrices of batches lie: bytes from one to the next. python/lanework/arrays.py has the same fields in the
/// same order.
struct lanework_batches {
    int64_t count, to_next_a, to_next_b, to_next_c;
};
/// What a product ends with. python/lanework/arrays.py has the same fields in the same order.
struct lanework_epilogue {
    double alpha, beta;
    int64_t activation;  ///< as MatmulActivation counts
};
}

namespace {
using namespace lanework;

struct Call {
    const lanework_array *in, *out;
    int form;
    native::Place& place;
    const lanework_epilogue* epilogue = nullptr;  ///< of a product; its bias is the third input, if any
    int64_t inputs = 0;

    DType dtype() const { return static_cast<DType>(in[0].dtype); }
    Target target() const { return place.target(); }
};

template <class T>
MatrixView<T> matrix(const lanework_array& array) {
    return {static_cast<T*>(array.data), array.rows, array.cols, array.pitch};
}
[[noreturn]] void refuse_type() { throw UsageError("there is no such element type for this operation"); }

template <class T>
void run_add_of(const Call& call) {
    add(matrix<const T>(call.in[0]), matrix<const T>(call.in[1]), matrix<T>(*call.out), call.target());
}
void run_add(const Call& call) {
    switch (call.dtype()) {
        case DType::float32: return run_add_of<float>(call);
        case DType::float64: return run_add_of<double>(call);
        case DType::int32: return run_add_of<std::int32_t>(call);
        case DType::float16: return run_add_of<float16>(call);
        case DType::bfloat16: return run_add_of<bfloat16>(call);
        default: refuse_type();
    }
}

template <class T>
void run_gelu_of(const Call& call) {
    gelu(matrix<const T>(*call.in), matrix<T>(*call.out), static_cast<GeluForm>(call.form), call.target());
}
void run_gelu(const Call& call) {
    switch (call.dtype()) {
        case DType::float32: return run_gelu_of<float>(call);
        case DType::float16: return run_gelu_of<float16>(call);
        case DType::bfloat16: return run_gelu_of<bfloat16>(call);
        default: refuse_type();
    }
}

void run_histogram(const Call& call) {
    histogram(matrix<const std::uint8_t>(*call.in), static_cast<std::uint64_t*>(call.out->data), call.target());
}

template <class T>
void run_transpose_of(const Call& call) {
    transpose(matrix<const T>(*call.in), matrix<T>(*call.out), call.target());
}
void run_transpose(const Call& call) {
    switch (size_of(call.dtype())) {
        case 1: return run_transpose_of<std::uint8_t>(call);
        case 2: return run_transpose_of<std::uint16_t>(call);
        case 4: return run_transpose_of<std::uint32_t>(call);
        case 8: return run_transpose_of<std::uint64_t>(call);
        default: refuse_type();
    }
}

template <class T>
void run_matmul_of(const Call& call) {
    const auto form = static_cast<MatmulForm>(call.form);
    const auto a = matrix<const T>(call.in[0]), b = matrix<const T>(call.in[1]);
    const std::int64_t cols = form == MatmulForm::nt ? b.rows : b.cols;
    using C = MatmulResult<T>;
    Epilogue<C> epilogue;
    if (call.epilogue) {
        constexpr std::int64_t kOperands = 2;
        epilogue.alpha = static_cast<typename Epilogue<C>::Factor>(call.epilogue->alpha);
        epilogue.beta = static_cast<typename Epilogue<C>::Factor>(call.epilogue->beta);
        epilogue.activation = static_cast<MatmulActivation>(call.epilogue->activation);
        if (call.inputs > kOperands)
            epilogue.bias = {static_cast<const C*>(call.in[kOperands].data), call.in[kOperands].cols};
    }
    const std::size_t bytes = matmul_workspace(a.rows, a.cols, cols, dtype_of<T>, form, epilogue.kind(), call.target());
    matmul(a, b, matrix<C>(*call.out), form, epilogue, call.place.scratch(bytes), call.target());
}
void run_matmul(const Call& call) {
    switch (call.dtype()) {
        case DType::float32: return run_matmul_of<float>(call);
        case DType::float16: return run_matmul_of<float16>(call);
        case DType::bfloat16: return run_matmul_of<bfloat16>(call);
        case DType::int32: return run_matmul_of<std::int32_t>(call);
        case DType::int8: return run_matmul_of<std::int8_t>(call);
        case DType::float8_e4m3: return run_matmul_of<float8_e4m3>(call);
        case DType::tfloat32: return run_matmul_of<tfloat32>(call);
        default: refuse_type();
    }
}

template <class T>
void run_batched_of(const lanework_array* in, const lanework_array& out, MatmulForm form, const lanework_batches& x,
                    Target target) {
    const auto batch = [&x]<class Element>(Element*, const lanework_array& first, std::int64_t to_next) {
        return MatrixBatchView<Element>{
            static_cast<Element*>(first.data), x.count, first.rows, first.cols, first.pitch, to_next};
    };
    const T* const none = nullptr;
    batched_matmul(batch(none, in[0], x.to_next_a), batch(none, in[1], x.to_next_b),
                   batch(static_cast<T*>(nullptr), out, x.to_next_c), form, target);
}

template <class T>
void run_reduce_of(const Call& call) {
    const auto form = static_cast<ReduceForm>(call.form);
    const MatrixView<const T> in = matrix<const T>(*call.in);
    const Workspace scratch = call.place.scratch(reduce_workspace(in.rows, in.cols, dtype_of<T>, form, call.target()));
    if (seeks_place(form))
        reduce(in, static_cast<std::int64_t*>(call.out->data), form, scratch, call.target());
    else
        reduce(in, static_cast<T*>(call.out->data), form, scratch, call.target());
}
template <class T>
void run_reproducible_of(const Call& call) {
    const MatrixView<const T> in = matrix<const T>(*call.in);
    const Workspace scratch =
        call.place.scratch(reproducible_sum_workspace(in.rows * in.cols, dtype_of<T>, call.target()));
    reproducible_sum(in, static_cast<T*>(call.out->data), scratch, call.target());
}
void run_reduce(const Call& call) {
    switch (call.dtype()) {
        case DType::int32: return run_reduce_of<std::int32_t>(call);
        case DType::float32: return run_reduce_of<float>(call);
        case DType::float64: return run_reduce_of<double>(call);
        default: refuse_type();
    }
}
void run_reproducible_sum(const Call& call) {
    switch (call.dtype()) {
        case DType::int32: return run_reproducible_of<std::int32_t>(call);
        case DType::float32: return run_reproducible_of<float>(call);
        case DType::float64: return run_reproducible_of<double>(call);
        default: refuse_type();
    }
}

struct Function {
    std::string_view name;
    void (*run)(const Call&);
};
constexpr Function kFunctions[] = {{"add", run_add},
                                   {"gelu", run_gelu},
                                   {"histogram", run_histogram},
                                   {"matmul", run_matmul},
                                   {"reduce", run_reduce},
                                   {"reproducible_sum", run_reproducible_sum},
                                   {"transpose", run_transpose}};

}  // namespace

extern "C" {
/// Computes `operation`. All arrays are in the memory of the place; on a GPU the call enqueues its kernels and returns.
/// `form` counts as ReduceForm, GeluForm and MatmulForm do; a matrix by columns has them as rows. Returns a
/// lanework_error, of which lanework_message() then says what is wrong.
[[gnu::visibility("default")]] int32_t lanework_arrays(const char* operation, const lanework_array* in,
                                                       const lanework_array* out, int32_t form,
                                                       const lanework_place* place) noexcept {
    return native::guarded([&] {
        for (const Function& function : kFunctions) {
            if (function.name != operation) continue;
            native::Place where(*place);
            return function.run({in, out, form, where});
        }
        throw UsageError("there is no such operation");
    });
}

/// Computes a product with an epilogue, of two matrices and, where there are three inputs, a bias: one row. The number
/// is twice that of inputs, and one more where b is by columns. It takes what lanework_images does, of
/// which it needs no ways back: calls that are made again know two kinds of functions.
[[gnu::visibility("default")]] int32_t lanework_finished_matmul(const char*, const lanework_array* in,
                                                                const lanework_array* out, int64_t number,
                                                                const void* epilogue, double*, void*,
                                                                const lanework_place* place) noexcept {
    return native::guarded([&] {
        native::Place where(*place);
        run_matmul({in, out, static_cast<int>(number % 2), where, static_cast<const lanework_epilogue*>(epilogue),
                    number / 2});
    });
}

/// Computes the products of batches, of which the arrays are the first matrices. The number is MatmulForm's; the rest
/// as lanework_finished_matmul takes it.
[[gnu::visibility("default")]] int32_t lanework_batched_matmul(const char*, const lanework_array* in,
                                                               const lanework_array* out, int64_t number,
                                                               const void* batches, double*, void*,
                                                               const lanework_place* place) noexcept {
    return native::guarded([&] {
        native::Place where(*place);
        const auto form = static_cast<MatmulForm>(number);
        const auto& how = *static_cast<const lanework_batches*>(batches);
        switch (static_cast<DType>(in->dtype)) {
            case DType::float32: return run_batched_of<float>(in, *out, form, how, where.target());
            case DType::float16: return run_batched_of<float16>(in, *out, form, how, where.target());
            case DType::bfloat16: return run_batched_of<bfloat16>(in, *out, form, how, where.target());
            default: refuse_type();
        }
    });
}

/// Of this thread's last call, of whichever function that returns a lanework_error, that failed.
[[gnu::visibility("default")]] const char* lanework_message() noexcept { return native::message; }

/// How many GPUs there are for these functions; −1 in a build for the processor alone.
[[gnu::visibility("default")]] int32_t lanework_gpus() noexcept { return native::gpu_count(); }
}

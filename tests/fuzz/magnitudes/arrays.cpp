// The functions of <lanework/array.hpp> on a team, against what a loop makes of the same numbers.
#include <algorithm>
#include <lanework/array.hpp>

#include "tests/fuzz/magnitudes/draw.hpp"

namespace lanework::magnitudes {
namespace {

constexpr int kMost = 300;  // elements, rows or columns

Team team(Draw& draw) { return {draw.once_in(40) ? draw.whole32() : draw.once_in(4) ? 2 : 1}; }

bool is_there(std::int64_t count) { return count >= 0 && count < 1 << 20; }

/// Memory of so many elements, from any of its first ones on; null for a length that there is no memory for.
template <class T>
struct Memory {
    std::vector<T> all;
    T* begin;

    Memory(Draw& draw, std::int64_t count) : all((is_there(count) ? static_cast<std::size_t>(count) : 0) + 8) {
        begin = !is_there(count) || draw.once_in(60) ? nullptr : all.data() + draw.below(4);
        for (T& value : all)
            if constexpr (std::is_floating_point_v<T>)
                value = draw.once_in(2) ? static_cast<T>(draw.ordinary(-2, 2)) : draw.real<T>();
            else if constexpr (std::is_integral_v<T>)
                value = static_cast<T>(draw.bits());
            else
                value = {static_cast<std::uint16_t>(draw.bits())};
    }
};

/// What a workspace may begin with.
struct alignas(64) Line {
    std::byte bytes[64];
};

/// Mostly of the length that is right.
std::int64_t like(Draw& draw, std::int64_t length) { return draw.once_in(20) ? draw.length(kMost) : length; }

void call_add(Draw& draw) {
    const std::int64_t n = draw.length(kMost), n_of_y = like(draw, n), n_of_z = like(draw, n);
    Memory<float> x(draw, n), y(draw, n_of_y), z(draw, n_of_z);
    const std::vector<float> before = x.all;
    float* const to = draw.once_in(5) ? x.begin + draw.below(2) : z.begin;
    const float* const from = x.begin;
    add(ArrayView<const float>{from, n}, ArrayView<const float>{y.begin, n_of_y}, ArrayView<float>{to, n_of_z},
        team(draw));
    for (std::int64_t i = 0; i < n; ++i) {
        const float right = before[static_cast<std::size_t>(from - x.all.data() + i)] + y.begin[i];
        require(to[i] == right || (to[i] != to[i] && right != right), "a sum is wrong");
    }
}

template <class T>
void call_gelu_of(Draw& draw, GeluForm form) {
    const std::int64_t n = draw.length(kMost), n_of_out = like(draw, n);
    Memory<T> in(draw, n), out(draw, n_of_out);
    T* const to = draw.once_in(5) ? in.begin + draw.below(2) : out.begin;
    gelu(ArrayView<const T>{in.begin, n}, ArrayView<T>{to, n_of_out}, form, team(draw));
}
void call_gelu(Draw& draw) {
    const auto form = static_cast<GeluForm>(draw.once_in(20) ? draw.below(256) : draw.below(2));
    switch (draw.below(3)) {
        case 0: return call_gelu_of<float>(draw, form);
        case 1: return call_gelu_of<float16>(draw, form);
        default: return call_gelu_of<bfloat16>(draw, form);
    }
}

void call_histogram(Draw& draw) {
    const std::int64_t n = draw.length(kMost);
    Memory<std::uint8_t> in(draw, n);
    Memory<std::uint64_t> counts(draw, 256);
    histogram(ArrayView<const std::uint8_t>{in.begin, n}, counts.begin, team(draw));
    std::uint64_t sum = 0;
    for (int value = 0; value < 256; ++value) sum += counts.begin[value];
    require(sum == static_cast<std::uint64_t>(n), "bytes were lost");
}

/// Rows of a length, with a gap between them or a pitch that is none.
template <class T>
struct Matrix {
    std::int64_t rows, cols, pitch;
    Memory<T> memory;

    Matrix(Draw& draw, std::int64_t rows_of, std::int64_t cols_of)
        : rows(rows_of),
          cols(cols_of),
          pitch(draw.once_in(40)              ? draw.whole()
                : cols >= 0 && cols < 1 << 20 ? (cols + draw.below(5)) * static_cast<std::int64_t>(sizeof(T))
                                              : cols),
          memory(draw, is_small() ? rows * (pitch / static_cast<std::int64_t>(sizeof(T)) + 1) : 0) {
        // A pitch that is right for memory that is not there is not to be drawn.
        if (!is_small() && rows > 0 && cols > 0) memory.begin = nullptr;
    }
    bool is_small() const { return rows >= 0 && rows < 1 << 12 && pitch >= 0 && pitch < 1 << 14 && cols < 1 << 12; }
    MatrixView<T> view() const { return {memory.begin, rows, cols, pitch}; }
    T& at(std::int64_t row, std::int64_t col) const {
        return memory.begin[row * (pitch / static_cast<std::int64_t>(sizeof(T))) + col];
    }
};

void call_transpose(Draw& draw) {
    const std::int64_t rows = draw.length(kMost / 10), cols = draw.length(kMost / 10);
    const Matrix<std::int32_t> in(draw, rows, cols), out(draw, like(draw, cols), like(draw, rows));
    transpose(in.view(), out.view(), team(draw));
    if (cols == 0) return;  // of which there may be 2³¹ rows
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t col = 0; col < cols; ++col)
            require(in.at(row, col) == out.at(col, row), "an element is in the wrong place");
}

template <class T>
void call_matmul_of(Draw& draw) {
    const MatmulForm form = draw.once_in(2) ? MatmulForm::nt : MatmulForm::nn;
    const bool by_columns = form == MatmulForm::nt;
    const std::int64_t m = draw.length(20), n = draw.length(20), k = draw.length(20);
    const Matrix<T> a(draw, m, n), b(draw, by_columns ? k : like(draw, n), by_columns ? like(draw, n) : k);
    using C = MatmulResult<T>;
    const Matrix<C> c(draw, like(draw, m), like(draw, k));
    const std::int64_t biases = like(draw, k);
    const Memory<C> bias(draw, biases);
    const auto factor = [&] { return static_cast<std::int32_t>(draw.below(256)) << draw.below(24); };
    Epilogue<C> epilogue;
    if (draw.once_in(2)) epilogue.alpha = factor();
    if (draw.once_in(4)) epilogue.bias = {bias.begin, biases};
    if (draw.once_in(40)) epilogue.activation = static_cast<MatmulActivation>(draw.below(256));
    if (epilogue.activation == MatmulActivation::none && draw.once_in(8)) epilogue.beta = factor();
    const Team of = team(draw);
    const std::size_t bytes = matmul_workspace(m, n, k, dtype_of<T>, form, epilogue.kind(), of);
    if (bytes > 1 << 28) return;
    std::vector<Line> workspace(bytes / sizeof(Line) + 1);
    matmul(a.view(), b.view(), c.view(), form, epilogue, {workspace.data(), draw.once_in(20) ? bytes / 2 : bytes}, of);
    if (k == 0 || epilogue.beta != 0) return;
    for (std::int64_t row = 0; row < m; ++row)
        for (std::int64_t col = 0; col < k; ++col) {
            std::uint32_t sum = 0;
            for (std::int64_t i = 0; i < n; ++i)
                sum += static_cast<std::uint32_t>(a.at(row, i)) *
                       static_cast<std::uint32_t>(by_columns ? b.at(col, i) : b.at(i, col));
            sum *= static_cast<std::uint32_t>(epilogue.alpha);
            if (epilogue.bias.data) sum += static_cast<std::uint32_t>(epilogue.bias.data[col]);
            require(static_cast<std::uint32_t>(c.at(row, col)) == sum, "a product is wrong");
        }
}
void call_matmul(Draw& draw) {
    draw.once_in(2) ? call_matmul_of<std::int8_t>(draw) : call_matmul_of<std::int32_t>(draw);
}

/// Batches of the rows of a matrix, which may be one after the other, the same, or far from each other.
template <class T>
void call_batched_matmul_of(Draw& draw) {
    const MatmulForm form = draw.once_in(2) ? MatmulForm::nt : MatmulForm::nn;
    const bool by_columns = form == MatmulForm::nt;
    const std::int64_t count = draw.length(6), m = draw.length(9), n = draw.length(9), k = draw.length(9);
    const auto rows = [&](std::int64_t of_each) {
        return count >= 0 && count < 1 << 6 && of_each >= 0 && of_each < 1 << 6 ? count * of_each : of_each;
    };
    const Matrix<T> a(draw, rows(m), n), b(draw, rows(by_columns ? k : n), by_columns ? like(draw, n) : k);
    const Matrix<T> c(draw, rows(m), like(draw, k));
    const auto batch = [&]<class E>(const MatrixView<E>& all, std::int64_t matrices, std::int64_t of_each) {
        const bool is_small = of_each >= 0 && of_each < 1 << 6 && all.pitch >= 0 && all.pitch < 1 << 14;
        const std::int64_t to_next = is_small && !draw.once_in(20) ? of_each * all.pitch : 0;
        return MatrixBatchView<E>{all.data, matrices, of_each, all.cols, all.pitch, to_next};
    };
    batched_matmul(batch(MatrixView<const T>(a.view()), count, m),
                   batch(MatrixView<const T>(b.view()), like(draw, count), by_columns ? k : n),
                   batch(c.view(), like(draw, count), m), form, team(draw));
}
void call_batched_matmul(Draw& draw) {
    draw.once_in(2) ? call_batched_matmul_of<float>(draw) : call_batched_matmul_of<bfloat16>(draw);
}

template <class T>
void call_reduce_of(Draw& draw) {
    const std::int64_t n = draw.length(kMost);
    Memory<T> in(draw, n);
    const ArrayView<const T> view{in.begin, n};
    const auto form = static_cast<ReduceForm>(draw.once_in(20) ? draw.below(256) : draw.below(5));
    const Team of = team(draw);
    const std::size_t bytes =
        std::max(reproducible_sum_workspace(n, dtype_of<T>, of), reduce_workspace(n, dtype_of<T>, form, of));
    if (bytes > 1 << 24) return;
    std::vector<Line> memory(bytes / sizeof(Line) + 1);
    const Workspace workspace{memory.data(), draw.once_in(20) ? bytes / 2 : bytes};
    T found{};
    std::int64_t place = -2;
    if (draw.once_in(4)) {
        reproducible_sum(view, &found, workspace, of);
    } else if (seeks_place(form) != draw.once_in(20)) {
        reduce(view, &place, form, workspace, of);
        require(place >= -1 && place < n, "a place is outside of the array");
    } else {
        reduce(view, &found, form, workspace, of);
    }
    if constexpr (std::is_integral_v<T>) {
        if (form == ReduceForm::argmax && place >= 0)
            require(view.data[place] == *std::max_element(view.data, view.data + n), "it is not the largest");
    }
}
void call_reduce(Draw& draw) {
    switch (draw.below(3)) {
        case 0: return call_reduce_of<std::int32_t>(draw);
        case 1: return call_reduce_of<float>(draw);
        default: return call_reduce_of<double>(draw);
    }
}

/// Of integers as floats, whose sums are exact.
void call_on_parts(Draw& draw) {
    const std::int64_t rows = draw.length(kMost / 10), cols = draw.length(kMost / 10);
    const Matrix<float> x(draw, rows, cols), y(draw, like(draw, rows), like(draw, cols)),
        z(draw, like(draw, rows), like(draw, cols));
    const MatrixView<float> to = draw.once_in(5) ? x.view() : z.view();
    const std::vector<float> before = x.memory.all;
    add(x.view(), y.view(), to, team(draw));
    for (std::int64_t row = 0; cols > 0 && row < rows; ++row)
        for (std::int64_t col = 0; col < cols; ++col) {
            const float* const at = &x.at(row, col);
            const float right = before[static_cast<std::size_t>(at - x.memory.all.data())] + y.at(row, col);
            const float found = to.data[row * (to.pitch / 4) + col];
            require(found == right || (found != found && right != right), "a sum of parts is wrong");
        }
    gelu(x.view(), z.view(), draw.once_in(2) ? GeluForm::erf : GeluForm::tanh, team(draw));
}

void call_histogram_of_part(Draw& draw) {
    const Matrix<std::uint8_t> in(draw, draw.length(kMost / 10), draw.length(kMost / 10));
    Memory<std::uint64_t> counts(draw, 256);
    histogram(MatrixView<const std::uint8_t>(in.view()), counts.begin, team(draw));
    std::uint64_t sum = 0;
    for (int value = 0; value < 256; ++value) sum += counts.begin[value];
    require(sum == static_cast<std::uint64_t>(in.rows * in.cols), "bytes of a part were lost");
}

void call_reduce_part(Draw& draw) {
    const Matrix<std::int32_t> in(draw, draw.length(kMost / 10), draw.length(kMost / 10));
    const MatrixView<const std::int32_t> view = in.view();
    const Team of = team(draw);
    const std::size_t of_reduce = reduce_workspace(in.rows, in.cols, DType::int32, ReduceForm::sum, of);  // or refuses
    const std::size_t bytes = std::max(of_reduce, reproducible_sum_workspace(in.rows * in.cols, DType::int32, of));
    if (bytes > 1 << 24) return;
    std::vector<Line> memory(bytes / sizeof(Line) + 1);
    const Workspace workspace{memory.data(), bytes};
    std::int32_t sum = 0, fixed = 0, largest = 0;
    std::int64_t place = -2;
    reduce(view, &sum, ReduceForm::sum, workspace, of);
    reproducible_sum(view, &fixed, workspace, of);
    reduce(view, &largest, ReduceForm::max, workspace, of);
    reduce(view, &place, ReduceForm::argmax, workspace, of);
    require(sum == fixed, "two sums of a part differ");
    require(place == -1 ? in.rows * in.cols == 0 : in.at(place / in.cols, place % in.cols) == largest,
            "a place is not that of the largest");
}

constexpr Fuzzed kArrays[] = {{"add", call_add},
                              {"gelu", call_gelu},
                              {"histogram", call_histogram},
                              {"transpose", call_transpose},
                              {"matmul", call_matmul},
                              {"batched_matmul", call_batched_matmul},
                              {"reduce", call_reduce},
                              {"add and gelu of parts", call_on_parts},
                              {"histogram of a part", call_histogram_of_part},
                              {"reduce of a part", call_reduce_part}};

}  // namespace

std::span<const Fuzzed> array_targets() { return kArrays; }

}  // namespace lanework::magnitudes

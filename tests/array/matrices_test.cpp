// matmul and transpose of views: any pitch, any first element, on every device, within what the operations allow.
#include <cmath>

#include "tests/array/arrays.hpp"

namespace lanework::test {
namespace {

struct Gaps {
    std::int64_t before, between;
};
// Rows that touch, quads that begin at boundaries, and rows that begin anywhere.
constexpr Gaps kGaps[] = {{0, 0}, {4, 8}, {1, 3}};

template <class T>
void expect_product(Device& device, Answered& right, const Gaps& gaps) {
    const auto& [m, n, k] = std::tuple(right.problem.extent[0], right.problem.extent[1], right.problem.extent[2]);
    const auto form = static_cast<MatmulForm>(right.problem.variant);
    const std::string where = device.info().id + " " + std::to_string(m) + "x" + std::to_string(n) + "x" +
                              std::to_string(k) + " " + right.name_of_input() + " gap " + std::to_string(gaps.between) +
                              (form == MatmulForm::nt ? " nt" : "");
    PitchedMatrix<T> a(device, m, n, gaps.before, gaps.between, right.array<T>(0));
    PitchedMatrix<T> b(device, form == MatmulForm::nt ? k : n, form == MatmulForm::nt ? n : k, gaps.before,
                       gaps.between, right.array<T>(1));
    PitchedMatrix<MatmulResult<T>> c(device, m, k, gaps.before, gaps.between);
    const Scratch scratch(device, matmul_workspace(m, n, k, dtype_of<T>, form, device));
    const MatrixView<const T> of_a = a.view(), of_b = b.view();
    matmul(of_a, of_b, c.view(), form, scratch.view(), device);
    device.synchronize();
    right.expect(2, c.values(where), where);
}

/// Of both forms, and of elements whose rows lie anywhere.
template <class T>
void expect_products_of_forms() {
    for (const auto& device : devices_here())
        for (const MatmulForm form : {MatmulForm::nn, MatmulForm::nt})
            for (const Extents& shape : {extents(5, 0, 7), extents(1, 1, 1), extents(3, 300, 5), extents(65, 17, 130)})
                for_each_input("matmul", {shape, dtype_of<T>, static_cast<std::uint8_t>(form)}, [&](Answered& right) {
                    for (const Gaps& gaps : kGaps) expect_product<T>(*device, right, gaps);
                });
}

TEST(ArrayMatmul, OfFloatsByColumnsIsTheReference) { expect_products_of_forms<float>(); }
TEST(ArrayMatmul, OfIntegersByColumnsIsTheReference) { expect_products_of_forms<std::int32_t>(); }
TEST(ArrayMatmul, OfBytesIsTheReference) { expect_products_of_forms<std::int8_t>(); }
TEST(ArrayMatmul, OfHalvesIsTheReference) { expect_products_of_forms<float16>(); }
TEST(ArrayMatmul, OfBrainFloatsIsTheReference) { expect_products_of_forms<bfloat16>(); }
TEST(ArrayMatmul, OfBytesOfFloatingPointIsTheReference) { expect_products_of_forms<float8_e4m3>(); }
TEST(ArrayMatmul, OfTensorFloatsIsTheReference) { expect_products_of_forms<tfloat32>(); }

/// Batches whose matrices lie one behind the other, with gaps between their rows.
template <class T>
void expect_batches() {
    for (const auto& device : devices_here())
        for (const MatmulForm form : {MatmulForm::nn, MatmulForm::nt})
            for (const Extents& shape : {extents(0, 3, 4, 5), extents(2, 5, 0, 7), extents(1, 1, 1, 1),
                                         extents(3, 33, 40, 72), extents(5, 4, 8, 2)})
                for_each_input(
                    "batched_matmul", {shape, dtype_of<T>, static_cast<std::uint8_t>(form)}, [&](Answered& right) {
                        for (const Gaps& gaps : kGaps) {
                            const auto& extent = right.problem.extent;
                            const auto& [products, m, n, k] = std::tuple(extent[0], extent[1], extent[2], extent[3]);
                            const auto batch = [products = products]<class E>(const MatrixView<E>& all,
                                                                              std::int64_t rows) {
                                return MatrixBatchView<E>{all.data, products,  rows,
                                                          all.cols, all.pitch, rows * all.pitch};
                            };
                            const std::int64_t of_b = form == MatmulForm::nt ? k : n;
                            PitchedMatrix<T> a(*device, products * m, n, gaps.before, gaps.between, right.array<T>(0));
                            PitchedMatrix<T> b(*device, products * of_b, form == MatmulForm::nt ? n : k, gaps.before,
                                               gaps.between, right.array<T>(1));
                            PitchedMatrix<T> c(*device, products * m, k, gaps.before, gaps.between);
                            const std::string where = device->info().id + " " + right.name_of_input() + " gap " +
                                                      std::to_string(gaps.between);
                            batched_matmul(batch(a.view(), m), batch(b.view(), of_b), batch(c.view(), m), form,
                                           *device);
                            device->synchronize();
                            right.expect(2, c.values(where), where);
                        }
                    });
}
TEST(BatchedMatmul, OfFloatsIsTheReference) { expect_batches<float>(); }
TEST(BatchedMatmul, OfHalvesIsTheReference) { expect_batches<float16>(); }
TEST(BatchedMatmul, OfBrainFloatsIsTheReference) { expect_batches<bfloat16>(); }

TEST(BatchedMatmul, TakesOneMatrixForAllAndMatricesInEachOthersGaps) {
    const float a[] = {1, 2, 3, 4};  // two rows of one element, of each of two products: rows 2 apart
    const float b[] = {10};          // of both
    float c[] = {0, 0, 0, 0};
    const MatrixBatchView<const float> of_a{a, 2, 2, 1, 8, 4}, of_b{b, 2, 1, 1, 4, 0};
    const MatrixBatchView<float> of_c{c, 2, 2, 1, 8, 4};
    batched_matmul(of_a, of_b, of_c, MatmulForm::nn, Team{1});
    EXPECT_TRUE(std::ranges::equal(c, std::vector<float>{10, 20, 30, 40}));
}

TEST(BatchedMatmul, RefusesWhatCannotBeMeantInOneLine) {
    float a[8] = {}, b[8] = {}, c[8] = {};
    using In = MatrixBatchView<const float>;
    using Out = MatrixBatchView<float>;
    const auto refused = [&](const In& of_a, const In& of_b, const Out& of_c) {
        return message<UsageError>([&] { batched_matmul(of_a, of_b, of_c, MatmulForm::nn, Team{1}); });
    };
    const In right_a = In::tight(a, 2, 2, 2), right_b = In::tight(b, 2, 2, 2);
    const Out right_c = Out::tight(c, 2, 2, 2);
    EXPECT_EQ(refused(right_a, In::tight(b, 1, 2, 2), right_c),
              "batched_matmul: b has 1 matrices and a 2; they must be equal");
    EXPECT_EQ(refused(In::tight(a, -1, 2, 2), right_b, right_c),
              "batched_matmul: a has -1 matrices; 0 or more are right");
    EXPECT_EQ(refused(right_a, In::tight(b, 2, 1, 2), right_c),
              "batched_matmul: a has 2 columns and b 1 rows; they must be equal");
    EXPECT_EQ(refused(right_a, right_b, Out::tight(c, 2, 2, 1)),
              "batched_matmul: c has matrices of 2×1 (rows × columns); 2×2 is right");
    EXPECT_EQ(refused(right_a, {b, 2, 2, 2, 8, 6}, right_c),
              "batched_matmul: b.to_next is 6 bytes; a multiple of an element's 4 is right");
    EXPECT_EQ(refused(right_a, right_b, {c, 2, 2, 2, 8, 0}),
              "batched_matmul: c.to_next is 0 bytes, and the matrices of c, of 16 bytes each, overlap");
    EXPECT_EQ(refused(right_a, right_b, Out::tight(a, 2, 2, 2)),
              "batched_matmul: c overlaps a; an output needs memory of its own");
}

/// The problem's epilogue, whose addend is c itself.
template <class T>
void expect_finished_product(Device& device, Answered& right, const Gaps& gaps) {
    using C = MatmulResult<T>;
    const auto& [m, n, k] = std::tuple(right.problem.extent[0], right.problem.extent[1], right.problem.extent[2]);
    const std::string_view variant = right.operation.variants[right.problem.variant];
    const bool by_columns = variant.starts_with("nt"), scaled = variant.ends_with("scaled");
    const MatmulForm form = by_columns ? MatmulForm::nt : MatmulForm::nn;
    const std::string where = device.info().id + " " + std::to_string(m) + "x" + std::to_string(n) + "x" +
                              std::to_string(k) + " " + right.name_of_input() + " gap " + std::to_string(gaps.between) +
                              " " + std::string(variant);
    PitchedMatrix<T> a(device, m, n, gaps.before, gaps.between, right.array<T>(0));
    PitchedMatrix<T> b(device, by_columns ? k : n, by_columns ? n : k, gaps.before, gaps.between, right.array<T>(1));
    PitchedMatrix<C> bias(device, 1, k, gaps.before, 0, right.array<C>(2));
    const std::size_t last = right.arrays.specs().size() - 1;
    PitchedMatrix<C> c = scaled ? PitchedMatrix<C>(device, m, k, gaps.before, gaps.between, right.array<C>(3))
                                : PitchedMatrix<C>(device, m, k, gaps.before, gaps.between);
    Epilogue<C> epilogue{.bias = {bias.view().data, k}};
    if (scaled) {
        epilogue.alpha = std::is_integral_v<C> ? 3 : -1.5F;
        epilogue.beta = std::is_integral_v<C> ? -2 : 0.75F;
    }
    if (variant.ends_with("gelu")) epilogue.activation = MatmulActivation::gelu;
    if (variant.ends_with("gelu_tanh")) epilogue.activation = MatmulActivation::gelu_tanh;
    const Scratch scratch(device, matmul_workspace(m, n, k, dtype_of<T>, form, epilogue.kind(), device));
    matmul(MatrixView<const T>(a.view()), MatrixView<const T>(b.view()), c.view(), form, epilogue, scratch.view(),
           device);
    device.synchronize();
    right.expect(last, c.values(where), where);
}

template <class T>
void expect_finished_products() {
    const Operation& operation = find_operation("matmul");
    for (const auto& device : devices_here())
        for (std::uint8_t variant = 2; variant < operation.variants.size(); ++variant)
            for (const Extents& shape : {extents(5, 0, 7), extents(1, 1, 1), extents(65, 17, 130)}) {
                const Problem problem{shape, dtype_of<T>, variant};
                if (!operation.exists(problem)) continue;
                for_each_input("matmul", problem, [&](Answered& right) {
                    for (const Gaps& gaps : kGaps) expect_finished_product<T>(*device, right, gaps);
                });
            }
}

TEST(ArrayMatmul, OfFloatsWithAnEpilogueIsTheReference) { expect_finished_products<float>(); }
TEST(ArrayMatmul, OfIntegersWithAnEpilogueIsTheReference) { expect_finished_products<std::int32_t>(); }
TEST(ArrayMatmul, OfBytesWithAnEpilogueIsTheReference) { expect_finished_products<std::int8_t>(); }
TEST(ArrayMatmul, OfHalvesWithAnEpilogueIsTheReference) { expect_finished_products<float16>(); }
TEST(ArrayMatmul, OfBrainFloatsWithAnEpilogueIsTheReference) { expect_finished_products<bfloat16>(); }
TEST(ArrayMatmul, OfBytesOfFloatingPointWithAnEpilogueIsTheReference) { expect_finished_products<float8_e4m3>(); }
TEST(ArrayMatmul, OfTensorFloatsWithAnEpilogueIsTheReference) { expect_finished_products<tfloat32>(); }

/// a·b of 2×3 by 3×2 floats with an epilogue, into an array of c that holds `before`.
std::vector<float> finished_by_hand(Device& device, const std::vector<float>& a, const std::vector<float>& before,
                                    Epilogue<float> epilogue, const std::vector<float>& bias) {
    const DeviceArray<float> left(device, a), right(device, std::vector<float>{1, 0, 0, 1, 1, -1});
    const DeviceArray<float> c(device, before), added(device, bias);
    if (!bias.empty()) epilogue.bias = {added.data(), std::ssize(bias)};
    const Scratch scratch(device, matmul_workspace(2, 3, 2, DType::float32, MatmulForm::nn, epilogue.kind(), device));
    matmul(MatrixView<const float>(left.matrix(2, 3)), MatrixView<const float>(right.matrix(3, 2)), c.matrix(2, 2),
           MatmulForm::nn, epilogue, scratch.view(), device);
    device.synchronize();
    return c.to_host();
}

TEST(ArrayMatmul, AFactorOfZeroKeepsOutWhatItStandsBefore) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<float> a{1, 2, 3, 4, 5, 6}, nan(4, kNan), some{1, 2, 3, 4};
    for (const auto& device : devices_here()) {
        const std::string& where = device->info().id;
        EXPECT_EQ(finished_by_hand(*device, a, nan, {.alpha = 2}, {}), (std::vector<float>{8, -2, 20, -2})) << where;
        EXPECT_EQ(finished_by_hand(*device, a, nan, {.alpha = 2}, {10, 20}), (std::vector<float>{18, 18, 30, 18}))
            << where;
        EXPECT_EQ(finished_by_hand(*device, std::vector<float>(6, kNan), some, {.alpha = 0, .beta = 3}, {}),
                  (std::vector<float>{3, 6, 9, 12}))
            << where;
        EXPECT_EQ(finished_by_hand(*device, std::vector<float>(6, kNan), nan, {.alpha = 0}, {7, 8}),
                  (std::vector<float>{7, 8, 7, 8}))
            << where;
        EXPECT_EQ(finished_by_hand(*device, a, some, {.beta = -1}, {}), (std::vector<float>{3, -3, 7, -5})) << where;
    }
}

TEST(ArrayMatmul, GeluComesAfterAllThatIsAdded) {
    const std::vector<float> a{1, 2, 3, 4, 5, 6}, some{1, 2, 3, 4};
    for (const auto& device : devices_here())
        for (const MatmulActivation activation : {MatmulActivation::gelu, MatmulActivation::gelu_tanh}) {
            const std::vector<float> found =
                finished_by_hand(*device, a, some, {.alpha = 0.25F, .beta = -0.5F, .activation = activation}, {1, -1});
            const double sums[] = {4, -1, 10, -1}, biases[] = {1, -1, 1, -1};
            for (std::size_t i = 0; i < 4; ++i) {
                const double x = 0.25 * sums[i] - 0.5 * some[i] + biases[i];
                const double right = activation == MatmulActivation::gelu
                                         ? x / 2 * std::erfc(-x / std::sqrt(2.0))
                                         : x / 2 * (1 + std::tanh(0.7978845608 * (x + 0.044715 * x * x * x)));
                EXPECT_NEAR(found[i], right, 1e-6) << device->info().id << ' ' << i;
            }
        }
}

TEST(ArrayMatmul, RefusesEpiloguesThatCannotBeMeant) {
    std::vector<float> memory(64);
    std::vector<std::int32_t> whole(64);
    const Target team = Team{1};
    const auto at = [&](std::int64_t offset) { return MatrixView<float>::tight(memory.data() + offset, 2, 2); };
    const auto refused = [&](const Epilogue<float>& epilogue) {
        return message<UsageError>([&] {
            matmul(MatrixView<const float>(at(0)), MatrixView<const float>(at(8)), at(16), MatmulForm::nn, epilogue, {},
                   team);
        });
    };
    EXPECT_EQ(refused({.bias = {memory.data() + 32, 3}}),
              "matmul: bias has 3 elements and c 2 columns; they must be equal");
    EXPECT_EQ(refused({.bias = {nullptr, 2}}), "matmul: bias has no address");
    EXPECT_EQ(refused({.bias = {memory.data() + 18, 2}}), "matmul: c overlaps bias; an output needs memory of its own");
    EXPECT_EQ(refused({.activation = static_cast<MatmulActivation>(9)}),
              "matmul: there is no activation 9; none, gelu and gelu_tanh are right");
    const auto of_integers = MatrixView<std::int32_t>::tight(whole.data(), 2, 2);
    EXPECT_EQ(message<UsageError>([&] {
                  matmul(MatrixView<const std::int32_t>(of_integers), MatrixView<const std::int32_t>(of_integers),
                         MatrixView<std::int32_t>::tight(whole.data() + 16, 2, 2), MatmulForm::nn,
                         Epilogue<std::int32_t>{.activation = MatmulActivation::gelu}, {}, team);
              }),
              "matmul: GELU of integers is not computed; float32, float16, bfloat16, float8_e4m3 and tfloat32 are "
              "right");
}

TEST(ArrayMatmul, WithoutAFormIsByRows) {
    std::vector<std::int32_t> a{1, 2}, b{3, 4}, c(1);
    const auto cpu = open_device("cpu");
    const Scratch scratch(*cpu, matmul_workspace(1, 2, 1, DType::int32, Team{1}));
    matmul(MatrixView<const std::int32_t>::tight(a.data(), 1, 2), MatrixView<std::int32_t>::tight(b.data(), 2, 1),
           MatrixView<std::int32_t>::tight(c.data(), 1, 1), scratch.view(), Team{1});
    EXPECT_EQ(c[0], 11);
}

template <class T>
void expect_products() {
    for (const auto& device : devices_here())
        for (const Extents& shape : {extents(0, 5, 7), extents(5, 0, 7), extents(1, 1, 1), extents(3, 300, 5),
                                     extents(65, 17, 130), extents(140, 260, 133)})
            for_each_input("matmul", {shape, dtype_of<T>}, [&](Answered& right) {
                for (const Gaps& gaps : kGaps) expect_product<T>(*device, right, gaps);
            });
}

TEST(ArrayMatmul, OfIntegersInAnyPlaceIsTheReference) { expect_products<std::int32_t>(); }
TEST(ArrayMatmul, OfFloatsInAnyPlaceIsTheReference) { expect_products<float>(); }

template <class T>
void expect_transposes() {
    for (const auto& device : devices_here())
        for (const Extents& shape : {extents(0, 3), extents(3, 0), extents(1, 1), extents(1, 200), extents(200, 1),
                                     extents(64, 128), extents(131, 67), extents(640, 512)}) {
            Answered right("transpose", {shape, dtype_of<T>}, kRandomInput);
            for (const Gaps& gaps : {Gaps{0, 0}, Gaps{4, 8}, Gaps{1, 3}, Gaps{16, 16}}) {
                const std::int64_t rows = shape[0], cols = shape[1];
                const std::string where = device->info().id + " " + std::to_string(rows) + "x" + std::to_string(cols) +
                                          " gap " + std::to_string(gaps.between);
                PitchedMatrix<T> in(*device, rows, cols, gaps.before, gaps.between, right.array<T>(0));
                PitchedMatrix<T> out(*device, cols, rows, gaps.before, gaps.between);
                transpose(in.view(), out.view(), *device);
                device->synchronize();
                right.expect(1, out.values(where), where);
            }
        }
}

TEST(ArrayTranspose, OfViewsInAnyPlaceIsTheReference) { expect_transposes<std::int32_t>(); }
TEST(ArrayTranspose, OfBytesIsTheReference) { expect_transposes<std::uint8_t>(); }
TEST(ArrayTranspose, OfTwoBytesIsTheReference) { expect_transposes<std::uint16_t>(); }
TEST(ArrayTranspose, OfEightBytesIsTheReference) { expect_transposes<std::uint64_t>(); }

TEST(ArrayTranspose, MovesFloatsBitByBit) {
    const std::vector<float> values{1, -0.0F, 3, std::numeric_limits<float>::quiet_NaN(), 5, 6};
    for (const auto& device : devices_here()) {
        const DeviceArray<float> in(*device, values);
        const DeviceArray<float> out(*device, 6);
        transpose(in.matrix(2, 3), out.matrix(3, 2), *device);
        device->synchronize();
        const std::vector<float> found = out.to_host(),
                                 right{values[0], values[3], values[1], values[4], values[2], values[5]};
        EXPECT_EQ(std::memcmp(found.data(), right.data(), sizeof(float) * 6), 0) << device->info().id;
    }
}

TEST(ArrayMatrices, MayLieInTheGapsOfEachOther) {
    const Team team{2};
    std::vector<float> both{1, 2, 0, 0, 3, 4, 0, 0};
    transpose(MatrixView<const float>{both.data(), 2, 2, 16}, MatrixView<float>{both.data() + 2, 2, 2, 16}, team);
    EXPECT_EQ(both, (std::vector<float>{1, 2, 1, 3, 3, 4, 2, 4}));
}

TEST(ArrayMatrices, RefuseWhatCannotBeMeantInOneLine) {
    std::vector<float> memory(64);
    const Target team = Team{1};
    const auto at = [&](std::int64_t offset, std::int64_t rows, std::int64_t cols) {
        return MatrixView<float>::tight(memory.data() + offset, rows, cols);
    };
    const auto of_transpose = [&](const MatrixView<float>& in, const MatrixView<float>& out) {
        return message<UsageError>([&] { transpose(in, out, team); });
    };
    EXPECT_EQ(of_transpose(at(0, 2, 3), at(32, 2, 3)),
              "transpose: out is 2×3 and in 2×3 (rows × columns); 3×2 is right");
    EXPECT_EQ(of_transpose(at(0, 2, 3), at(5, 3, 2)), "transpose: out overlaps in; an output needs memory of its own");
    EXPECT_EQ(of_transpose(at(0, -1, 3), at(32, 3, -1)),
              "transpose: in has -1 rows and 3 columns; 0 or more are right");
    EXPECT_EQ(of_transpose({nullptr, 2, 2, 8}, at(0, 2, 2)), "transpose: in has no address");
    EXPECT_EQ(of_transpose({memory.data(), 2, 2, 4}, at(32, 2, 2)), "transpose: in.pitch is 4 bytes, and a row has 8");
    EXPECT_EQ(of_transpose({memory.data(), 2, 2, 9}, at(32, 2, 2)),
              "transpose: in.pitch is 9 bytes, not a multiple of an element's 4");
    EXPECT_EQ(of_transpose({memory.data(), std::int64_t{1} << 40, std::int64_t{1} << 40, 0}, at(0, 0, 0)),
              "transpose: in has 1099511627776×1099511627776 elements, more than any memory holds");

    const auto of_matmul = [&](const MatrixView<float>& a, const MatrixView<float>& b, const MatrixView<float>& c,
                               const Workspace& workspace) {
        return message<UsageError>([&] { matmul(a, b, c, workspace, team); });
    };
    EXPECT_EQ(of_matmul(at(0, 2, 3), at(8, 2, 3), at(32, 2, 3), {}),
              "matmul: a has 3 columns and b 2 rows; they must be equal");
    EXPECT_EQ(of_matmul(at(0, 2, 3), at(8, 3, 4), at(32, 4, 2), {}), "matmul: c is 4×2 (rows × columns); 2×4 is right");
    EXPECT_EQ(of_matmul(at(0, 2, 2), at(8, 2, 2), at(2, 2, 2), {}),
              "matmul: c overlaps a; an output needs memory of its own");
    EXPECT_NE(of_matmul(at(0, 2, 2), at(8, 2, 2), at(32, 2, 2), {}).find("matmul: the workspace has 0 bytes and needs"),
              std::string::npos);
    EXPECT_EQ(message<UsageError>([&] { matmul_workspace(1, 1, 1, DType::float64, team); }),
              "matmul: float64 is not computed; int32, float32, float16, bfloat16, int8, float8_e4m3, tfloat32 are");
    EXPECT_EQ(message<UsageError>([&] {
                  matmul(MatrixView<const float>(at(0, 2, 3)), MatrixView<const float>(at(8, 4, 2)), at(32, 2, 4),
                         MatmulForm::nt, {}, team);
              }),
              "matmul: a has 3 columns and b 2 columns (form nt); they must be equal");
    EXPECT_EQ(message<UsageError>([&] { matmul_workspace(1, 1, 1, DType::float32, static_cast<MatmulForm>(7), team); }),
              "matmul: there is no form 7; nn and nt are right");
}

TEST(ArrayMatmul, RefusesAWorkspaceThatVectorsCannotBeStoredTo) {
    const std::vector<float> a(4, 1), b(4, 2);
    std::vector<float> c(4);
    const Target team = Team{1};
    const std::size_t bytes = matmul_workspace(2, 2, 2, DType::float32, team);
    const auto cpu = open_device("cpu");
    const Scratch scratch(*cpu, bytes + 16);
    const auto product = [&](std::byte* workspace) {
        matmul(MatrixView<const float>::tight(a.data(), 2, 2), MatrixView<const float>::tight(b.data(), 2, 2),
               MatrixView<float>::tight(c.data(), 2, 2), {workspace, bytes}, team);
    };
    EXPECT_EQ(message<UsageError>([&] { product(scratch.memory.data() + 16); }),
              "matmul: the workspace does not begin at a multiple of 64 bytes");
    product(scratch.memory.data());
    EXPECT_EQ(c, std::vector<float>(4, 4));
}

TEST(ArrayMatmul, OfMoreProductsThanTheyCanBeCountedNeedsBytesThatAre) {
    constexpr std::int64_t kSide = std::int64_t{1} << 22;
    EXPECT_GT(matmul_workspace(kSide, kSide, kSide, DType::float32, Team{1}), 0U);
}

}  // namespace
}  // namespace lanework::test

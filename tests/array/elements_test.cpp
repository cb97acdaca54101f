// add, gelu, histogram, reduce and reproducible_sum: arrays that begin anywhere, on every device.
#include "tests/array/arrays.hpp"

namespace lanework::test {
namespace {

constexpr std::int64_t kLengths[] = {0, 1, 3, 31, 4099, 70001};
constexpr std::int64_t kOffsets[] = {0, 1, 3};

/// Values that begin `offset` elements into a device's memory.
template <class T>
DeviceArray<T> placed(Device& device, const std::vector<T>& values, std::int64_t offset) {
    std::vector<T> all(static_cast<std::size_t>(offset));
    all.insert(all.end(), values.begin(), values.end());
    return DeviceArray<T>(device, all);
}
template <class T>
ArrayView<T> view_of(const DeviceArray<T>& memory, std::int64_t offset) {
    return {memory.data() + offset, memory.size() - offset};
}
template <class T>
std::vector<T> values_of(const DeviceArray<T>& memory, std::int64_t offset) {
    std::vector<T> all = memory.to_host();
    all.erase(all.begin(), all.begin() + offset);
    return all;
}

std::string place_of(const Device& device, const Answered& right, std::int64_t offset) {
    return device.info().id + " " + std::string(name_of(right.problem.dtype)) + " of " +
           std::to_string(right.problem.extent[0]) + " from " + std::to_string(offset) + " " + right.name_of_input() +
           " variant " + std::to_string(right.problem.variant);
}

template <class T>
void expect_add() {
    for (const auto& device : devices_here())
        for (const std::int64_t n : kLengths)
            for_each_input("add", {extents(n), dtype_of<T>}, [&](Answered& right) {
                for (const std::int64_t offset : kOffsets) {
                    const auto x = placed(*device, right.array<T>(0), offset),
                               y = placed(*device, right.array<T>(1), 0);
                    const DeviceArray<T> z(*device, n + offset);
                    add(view_of(x, offset), y.view(), view_of(z, offset), *device);
                    add(view_of(x, offset), y.view(), view_of(x, offset), *device);  // in place
                    device->synchronize();
                    right.expect(2, values_of(z, offset), place_of(*device, right, offset));
                    right.expect(2, values_of(x, offset), place_of(*device, right, offset) + " in place");
                }
            });
}
TEST(ArrayAdd, OfArraysThatBeginAnywhereIsTheReference) {
    expect_add<float>();
    expect_add<double>();
    expect_add<std::int32_t>();
    expect_add<float16>();
    expect_add<bfloat16>();
}

template <class T>
void expect_gelu() {
    for (const auto& device : devices_here())
        for (const GeluForm form : {GeluForm::erf, GeluForm::tanh})
            for (const std::int64_t n : {0, 1, 31, 4099})
                for_each_input(
                    "gelu", {extents(n), dtype_of<T>, static_cast<std::uint8_t>(form)}, [&](Answered& right) {
                        for (const std::int64_t offset : kOffsets) {
                            const auto x = placed(*device, right.array<T>(0), offset);
                            const DeviceArray<T> y(*device, n + offset);
                            gelu(view_of(x, offset), view_of(y, offset), form, *device);
                            gelu(view_of(x, offset), view_of(x, offset), form, *device);
                            device->synchronize();
                            right.expect(1, values_of(y, offset), place_of(*device, right, offset));
                            right.expect(1, values_of(x, offset), place_of(*device, right, offset) + " in place");
                        }
                    });
}
TEST(ArrayGelu, OfFloatsIsTheReference) { expect_gelu<float>(); }
TEST(ArrayGelu, OfFloat16IsTheReference) { expect_gelu<float16>(); }
TEST(ArrayGelu, OfBfloat16IsTheReference) { expect_gelu<bfloat16>(); }

TEST(ArrayHistogram, CountsBytesThatBeginAnywhere) {
    for (const auto& device : devices_here())
        for (const std::int64_t n : kLengths)
            for_each_input("histogram", {extents(n), DType::uint8}, [&](Answered& right) {
                for (const std::int64_t offset : kOffsets) {
                    const auto in = placed(*device, right.array<std::uint8_t>(0), offset);
                    const DeviceArray<std::uint64_t> counts(*device, 256);
                    histogram(view_of(in, offset), counts.data(), *device);
                    device->synchronize();
                    right.expect(1, counts.to_host(), place_of(*device, right, offset));
                }
            });
}

/// The result in memory of its own, in T or as a place.
template <class Out, class T>
std::vector<Out> reduced(Device& device, const ArrayView<const T>& in, ReduceForm form) {
    const DeviceArray<Out> out(device, 1);
    const Scratch scratch(device, reduce_workspace(in.count, dtype_of<T>, form, device));
    reduce(in, out.data(), form, scratch.view(), device);
    device.synchronize();
    return out.to_host();
}

template <class T>
void expect_reduced() {
    for (const auto& device : devices_here())
        for (const ReduceForm form :
             {ReduceForm::sum, ReduceForm::min, ReduceForm::max, ReduceForm::argmin, ReduceForm::argmax})
            for (const std::int64_t n : kLengths)
                for_each_input(
                    "reduce", {extents(n), dtype_of<T>, static_cast<std::uint8_t>(form)}, [&](Answered& right) {
                        for (const std::int64_t offset : kOffsets) {
                            const auto in = placed(*device, right.array<T>(0), offset);
                            const std::string where = place_of(*device, right, offset);
                            if (seeks_place(form))
                                right.expect(1, reduced<std::int64_t, T>(*device, view_of(in, offset), form), where);
                            else
                                right.expect(1, reduced<T, T>(*device, view_of(in, offset), form), where);
                        }
                    });
}
TEST(ArrayReduce, OfIntegersIsTheReference) { expect_reduced<std::int32_t>(); }
TEST(ArrayReduce, OfFloatsIsTheReference) { expect_reduced<float>(); }
TEST(ArrayReduce, OfDoublesIsTheReference) { expect_reduced<double>(); }

TEST(ArrayReduce, OfOneBlockNeedsNoScratchMemory) {
    for (const auto& device : devices_here()) {
        EXPECT_EQ(reduce_workspace(1000, DType::float32, ReduceForm::sum, *device), 0U) << device->info().id;
        EXPECT_EQ(reproducible_sum_workspace(1000, DType::float32, *device), 0U) << device->info().id;
    }
}

template <class T>
T reproducible(const ArrayView<const T>& in, Target target, const Workspace& scratch) {
    T sum{};
    reproducible_sum(in, &sum, scratch, target);
    return sum;
}

template <class T>
void expect_the_same_bits() {
    for (const std::int64_t n : {0, 1, 255, 8192, 8193, 20000, 200003})
        for_each_input("reduce", {extents(n), dtype_of<T>}, [&](Answered& right) {
            const std::vector<T> host = right.array<T>(0);
            const ArrayView<const T> in{host.data(), n};
            const auto cpu = open_device("cpu");
            const Scratch scratch(*cpu, reproducible_sum_workspace(n, dtype_of<T>, Team{1}));
            const Workspace workspace = scratch.view();
            const T alone = reproducible(in, Team{1}, workspace);
            const auto same = [&](T other) { return alone == other || (alone != alone && other != other); };
            EXPECT_TRUE(same(reproducible(in, Team{3}, workspace))) << n << " " << right.name_of_input();
            right.expect(1, std::vector<T>{alone}, "reproducible " + right.name_of_input());
            for (const auto& device : devices_here())
                for (const std::int64_t offset : kOffsets) {
                    const auto memory = placed(*device, host, offset);
                    const DeviceArray<T> out(*device, 1);
                    const Scratch bytes(*device, reproducible_sum_workspace(n, dtype_of<T>, *device));
                    reproducible_sum(view_of(memory, offset), out.data(), bytes.view(), *device);
                    device->synchronize();
                    EXPECT_TRUE(same(out.to_host()[0]))
                        << place_of(*device, right, offset) << ": " << out.to_host()[0] << " and " << alone;
                }
        });
}
TEST(ArrayReproducibleSum, HasTheSameBitsOnEveryDevice) {
    expect_the_same_bits<std::int32_t>();
    expect_the_same_bits<float>();
    expect_the_same_bits<double>();
}

/// A matrix within a larger one: what lies before its first element and between its rows, in elements.
struct Part {
    std::int64_t rows, cols, before, between;
};
// One row and one column; rows shorter and longer than a warp, than a tile; rows that touch; rows of whole packs.
constexpr Part kParts[] = {{1, 1, 0, 0},   {1, 4099, 3, 9}, {70, 1, 1, 4},  {3, 5, 0, 1},      {1000, 3, 2, 2},
                           {33, 97, 3, 6}, {40, 64, 0, 64}, {16, 40, 0, 0}, {2, 35000, 1, 16}, {0, 7, 0, 1}};

std::string place_of(const Device& device, const Answered& right, const Part& part) {
    return place_of(device, right, part.before) + " in rows of " + std::to_string(part.cols) + " and gaps of " +
           std::to_string(part.between);
}

template <class T>
void expect_add_of_parts() {
    for (const auto& device : devices_here())
        for (const Part& part : kParts)
            for_each_input("add", {extents(part.rows * part.cols), dtype_of<T>}, [&](Answered& right) {
                const auto& [rows, cols, before, between] = part;
                const std::string where = place_of(*device, right, part);
                PitchedMatrix<T> x(*device, rows, cols, before, between, right.array<T>(0));
                const PitchedMatrix<T> y(*device, rows, cols, 1, between + 5, right.array<T>(1));
                PitchedMatrix<T> z(*device, rows, cols, before, between);
                add(x.view(), y.view(), z.view(), *device);
                add(x.view(), y.view(), x.view(), *device);
                device->synchronize();
                right.expect(2, z.values(where), where);
                right.expect(2, x.values(where + " in place"), where + " in place");
            });
}
TEST(ArrayAdd, OfPartsOfMatricesIsTheReference) {
    expect_add_of_parts<float>();
    expect_add_of_parts<double>();
    expect_add_of_parts<std::int32_t>();
    expect_add_of_parts<float16>();
    expect_add_of_parts<bfloat16>();
}

template <class T>
void expect_gelu_of_parts() {
    for (const auto& device : devices_here())
        for (const GeluForm form : {GeluForm::erf, GeluForm::tanh})
            for (const Part& part : kParts) {
                const auto& [rows, cols, before, between] = part;
                const Problem problem{extents(rows * cols), dtype_of<T>, static_cast<std::uint8_t>(form)};
                Answered right("gelu", problem, kRandomInput);
                const std::string where = place_of(*device, right, part);
                PitchedMatrix<T> x(*device, rows, cols, before, between, right.array<T>(0));
                PitchedMatrix<T> y(*device, rows, cols, before, 2 * between);
                gelu(x.view(), y.view(), form, *device);
                gelu(x.view(), x.view(), form, *device);
                device->synchronize();
                right.expect(1, y.values(where), where);
                right.expect(1, x.values(where + " in place"), where + " in place");
            }
}
TEST(ArrayGelu, OfPartsOfMatricesIsTheReference) {
    expect_gelu_of_parts<float>();
    expect_gelu_of_parts<float16>();
    expect_gelu_of_parts<bfloat16>();
}

TEST(ArrayHistogram, CountsThePartsOfMatrices) {
    for (const auto& device : devices_here())
        for (const Part& part : kParts)
            for_each_input("histogram", {extents(part.rows * part.cols), DType::uint8}, [&](Answered& right) {
                const auto& [rows, cols, before, between] = part;
                const PitchedMatrix<std::uint8_t> in(*device, rows, cols, before, between,
                                                     right.array<std::uint8_t>(0));
                const DeviceArray<std::uint64_t> counts(*device, 256);
                histogram(in.view(), counts.data(), *device);
                device->synchronize();
                right.expect(1, counts.to_host(), place_of(*device, right, part));
            });
}

template <class Out, class T>
std::vector<Out> reduced(Device& device, const MatrixView<const T>& in, ReduceForm form) {
    const DeviceArray<Out> out(device, 1);
    const Scratch scratch(device, reduce_workspace(in.rows, in.cols, dtype_of<T>, form, device));
    reduce(in, out.data(), form, scratch.view(), device);
    device.synchronize();
    return out.to_host();
}

template <class T>
void expect_reduced_parts() {
    for (const auto& device : devices_here())
        for (const ReduceForm form :
             {ReduceForm::sum, ReduceForm::min, ReduceForm::max, ReduceForm::argmin, ReduceForm::argmax})
            for (const Part& part : kParts) {
                const Problem problem{extents(part.rows * part.cols), dtype_of<T>, static_cast<std::uint8_t>(form)};
                for_each_input("reduce", problem, [&](Answered& right) {
                    const PitchedMatrix<T> in(*device, part.rows, part.cols, part.before, part.between,
                                              right.array<T>(0));
                    const std::string where = place_of(*device, right, part);
                    if (seeks_place(form))
                        right.expect(1, reduced<std::int64_t, T>(*device, in.view(), form), where);
                    else
                        right.expect(1, reduced<T, T>(*device, in.view(), form), where);
                });
            }
}
TEST(ArrayReduce, OfPartsOfMatricesIsTheReference) {
    expect_reduced_parts<std::int32_t>();
    expect_reduced_parts<float>();
    expect_reduced_parts<double>();
}

template <class T>
void expect_the_same_bits_of_parts() {
    for (const Part& part : kParts) {
        const auto& [rows, cols, before, between] = part;
        const Answered right("reduce", {extents(rows * cols), dtype_of<T>}, kRandomInput);
        const std::vector<T> host = right.array<T>(0);
        const auto cpu = open_device("cpu");
        const Scratch on_cpu(*cpu, reproducible_sum_workspace(rows * cols, dtype_of<T>, Team{1}));
        const T alone = reproducible(ArrayView<const T>{host.data(), rows * cols}, Team{1}, on_cpu.view());
        for (const auto& device : devices_here()) {
            const PitchedMatrix<T> in(*device, rows, cols, before, between, host);
            const DeviceArray<T> out(*device, 1);
            const Scratch bytes(*device, reproducible_sum_workspace(rows * cols, dtype_of<T>, *device));
            reproducible_sum(in.view(), out.data(), bytes.view(), *device);
            device->synchronize();
            EXPECT_EQ(out.to_host()[0], alone) << place_of(*device, right, part);
        }
    }
}
TEST(ArrayReproducibleSum, OfPartsOfMatricesHasTheBitsOfTheirElementsSideBySide) {
    expect_the_same_bits_of_parts<std::int32_t>();
    expect_the_same_bits_of_parts<float>();
    expect_the_same_bits_of_parts<double>();
}

TEST(ArrayElements, RefuseMatricesThatCannotBeMeantInOneLine) {
    std::vector<float> x(64);
    std::uint64_t counts[256];
    float sum = 0;
    const Target team = Team{1};
    const auto at = [&](std::int64_t begin, std::int64_t rows, std::int64_t cols, std::int64_t pitch) {
        return MatrixView<float>{x.data() + begin, rows, cols, pitch * 4};
    };
    const auto says = [](const std::function<void()>& call) { return message<UsageError>(call); };
    EXPECT_EQ(says([&] { add(at(0, 2, 3, 3), at(8, 3, 2, 3), at(16, 2, 3, 3), team); }),
              "add: y has 3 rows and x 2; they must be equal");
    EXPECT_EQ(says([&] { gelu(at(0, 2, 3, 3), at(8, 2, 2, 3), GeluForm::erf, team); }),
              "gelu: out has 2 columns and in 3; they must be equal");
    EXPECT_EQ(says([&] { gelu(at(0, 3, 2, 4), at(0, 3, 2, 6), GeluForm::erf, team); }),
              "gelu: out overlaps in and has another pitch");
    EXPECT_EQ(says([&] { gelu(at(0, 3, 2, 4), at(1, 3, 2, 4), GeluForm::erf, team); }),
              "gelu: out overlaps in and does not begin where it does");
    EXPECT_EQ(says([&] { gelu(at(0, 3, 2, 4), at(2, 3, 2, 4), GeluForm::erf, team); }), "");  // in its gaps
    EXPECT_EQ(says([&] { gelu(at(0, 3, 2, 1), at(32, 3, 2, 2), GeluForm::erf, team); }),
              "gelu: in.pitch is 4 bytes, and a row has 8");
    EXPECT_EQ(says([&] {
                  histogram(MatrixView<const std::uint8_t>{nullptr, 3, 2, 4}, counts, team);
              }),
              "histogram: in has no address");
    EXPECT_EQ(says([&] { reduce(at(0, 3, 2, 1), &sum, ReduceForm::sum, {}, team); }),
              "reduce: in.pitch is 4 bytes, and a row has 8");
    EXPECT_EQ(says([&] { reduce_workspace(-1, 2, DType::float32, ReduceForm::sum, team); }),
              "reduce: in has -1 rows and 2 columns; 0 or more are right");
}

TEST(ArrayElements, RefuseWhatCannotBeMeantInOneLine) {
    std::vector<float> x(8);
    std::int64_t place = 0;
    std::uint64_t counts[256];
    const Target team = Team{1};
    const auto view = [&](std::int64_t begin, std::int64_t count) { return ArrayView<float>{x.data() + begin, count}; };
    const auto says = [](const std::function<void()>& call) { return message<UsageError>(call); };
    EXPECT_EQ(says([&] { add(view(0, 2), view(2, 3), view(6, 2), team); }),
              "add: y has 3 elements and x 2; they must be equal");
    EXPECT_EQ(says([&] { add(view(0, 2), view(2, 2), view(1, 2), team); }),
              "add: z overlaps x and does not begin where it does");
    EXPECT_EQ(says([&] { add(view(0, -1), view(2, -1), view(1, -1), team); }),
              "add: x.count is -1; 0 or more is right");
    EXPECT_EQ(says([&] { gelu(view(0, 4), view(2, 4), GeluForm::erf, team); }),
              "gelu: out overlaps in and does not begin where it does");
    EXPECT_EQ(says([&] {
                  gelu(ArrayView<float>{nullptr, 4}, view(2, 4), GeluForm::erf, team);
              }),
              "gelu: in has no address");
    EXPECT_EQ(says([&] { gelu(view(0, 4), view(4, 4), static_cast<GeluForm>(9), team); }),
              "gelu: there is no form 9; erf and tanh are right");
    EXPECT_EQ(
        says([&] {
            histogram(ArrayView<const std::uint8_t>{reinterpret_cast<std::uint8_t*>(counts) + 5, 10}, counts, team);
        }),
        "histogram: counts overlaps in; an output needs memory of its own");
    EXPECT_EQ(says([&] {
                  histogram(ArrayView<const std::uint8_t>{nullptr, std::int64_t{1} << 60}, counts, team);
              }),
              "histogram: in has 1152921504606846976 elements, more than any memory holds");
    EXPECT_EQ(says([&] { reduce(view(0, 4), x.data() + 5, ReduceForm::argmin, {}, team); }),
              "reduce: argmin writes a place, and out is to be an int64");
    EXPECT_EQ(says([&] { reduce(view(0, 4), &place, ReduceForm::sum, {}, team); }),
              "reduce: sum writes an element; a place is of argmin and argmax");
    EXPECT_EQ(says([&] { reduce(view(0, 4), x.data() + 3, ReduceForm::sum, {}, team); }),
              "reduce: out overlaps in; an output needs memory of its own");
    EXPECT_EQ(says([&] { reduce_workspace(4, DType::uint8, ReduceForm::sum, team); }),
              "reduce: uint8 is not computed; int32, float32 and float64 are");
    const std::vector<float> blocks(10'000);  // of which each leaves a sum
    EXPECT_EQ(says([&] {
                  reproducible_sum(ArrayView<const float>{blocks.data(), 10'000}, x.data() + 5, {}, team);
              }),
              "reproducible_sum: the workspace has 0 bytes and needs 12");
}

}  // namespace
}  // namespace lanework::test

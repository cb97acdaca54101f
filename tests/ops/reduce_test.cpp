// What the generic verification of a sum does not reach: constant inputs, wrap-around, unaligned input, the bound
// itself.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <lanework/device.hpp>
#include <lanework/execute.hpp>
#include <lanework/registry.hpp>
#include <limits>
#include <random>

#include "ops/reduce/cpu/compensated.hpp"

namespace lanework {
namespace {

const Operation& reduce() { return find_operation("reduce"); }

Problem problem_of(std::int64_t n, DType dtype) { return {.extent = extents(n), .dtype = dtype}; }

/// How far a sum of this problem may be from `exact`.
double allowed(const Problem& problem, double exact) {
    const Tolerance tolerance = reduce().tolerance(problem);
    return tolerance.absolute + tolerance.relative * std::abs(exact);
}

template <class T>
T sum_on(Device& device, const Rung& rung, const std::vector<T>& values) {
    const Problem problem = problem_of(static_cast<std::int64_t>(values.size()), dtype_of<T>);
    T sum{};
    void* const arrays[] = {const_cast<T*>(values.data()), &sum};  // inputs are only read
    execute(device, reduce(), rung, problem, {arrays});
    return sum;
}

TEST(Reduce, EveryCpuRungSumsAHundredMillionTimesOnePointTwoThree) {
    const std::vector<float> values(100'000'000, 1.23F);
    const double exact = 1e8 * static_cast<double>(1.23F);
    const auto device = open_device("cpu");
    for (const Rung* rung : ladder(reduce(), DeviceKind::cpu))
        EXPECT_NEAR(sum_on(*device, *rung, values), exact, allowed(problem_of(100'000'000, DType::float32), exact))
            << rung->name;
}

TEST(Reduce, ItsToleranceRejectsARunningFloat) {
    float running = 0;
    for (int i = 0; i < 100'000'000; ++i) running += 1.23F;
    const double exact = 1e8 * static_cast<double>(1.23F);
    EXPECT_GT(std::abs(static_cast<double>(running) - exact),
              1000 * allowed(problem_of(100'000'000, DType::float32), exact));
}

TEST(Reduce, ItsToleranceRejectsOneLostElementOfAThousand) {
    const double smallest_loss = 0.01, sum_of_thousand = 500;
    EXPECT_GT(smallest_loss, allowed(problem_of(1000, DType::float32), sum_of_thousand));
}

TEST(Reduce, IntegersWrapAroundOnEveryDevice) {
    constexpr std::int32_t kMax = std::numeric_limits<std::int32_t>::max();
    const std::vector<std::int32_t> values(70'001, kMax);
    const auto expected = static_cast<std::int32_t>(70'001U * static_cast<std::uint32_t>(kMax));
    for (const DeviceKind kind : {DeviceKind::cpu, DeviceKind::simt, DeviceKind::cuda}) {
        if (availability(kind).count == 0) continue;
        const auto device = open_device(name_of(kind));
        for (const Rung* rung : ladder(reduce(), kind))
            EXPECT_EQ(sum_on(*device, *rung, values), expected) << rung->name;
    }
}

TEST(Reduce, TheReferenceSumsDoublesFarBeyondTheirTolerance) {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> uniform(0, 1);
    std::vector<double> values(300'000);
    Compensated exact;
    for (double& value : values) exact.add(value = uniform(random));
    double sum = 0;
    void* const arrays[] = {values.data(), &sum};
    const Problem problem = problem_of(static_cast<std::int64_t>(values.size()), DType::float64);
    reduce().reference(problem, {arrays});
    EXPECT_NEAR(sum, exact.value(), allowed(problem, exact.value()) / 20);
}

TEST(Reduce, ACompensatedSumKeepsWhatAdditionsLose) {
    Compensated sum;
    for (const double value : {1.0, 1e100, 1.0, -1e100}) sum.add(value);
    EXPECT_EQ(sum.value(), 2.0);
}

/// The sum of n elements that begin `offset` elements into an allocation.
std::int32_t sum_at_offset(Device& device, const Rung& rung, std::int64_t n, std::size_t offset) {
    std::vector<std::int32_t> values(offset + static_cast<std::size_t>(n) + 8, 1 << 20);  // seen if read beside
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) values[offset + i] = static_cast<std::int32_t>(i);
    const std::size_t bytes = values.size() * sizeof(std::int32_t);
    const DeviceMemory in = device.allocate(bytes), out = device.allocate(sizeof(std::int32_t));
    device.upload(in.data(), values.data(), bytes);
    void* const arrays[] = {in.data() + offset * sizeof(std::int32_t), out.data()};
    const Problem problem = problem_of(n, DType::int32);
    const Rung::Typed& typed = *rung.typed(DType::int32);
    const DeviceMemory workspace = device.allocate(typed.workspace(rung.entry, problem, {arrays}));
    typed.launch(rung.entry, problem, {arrays, workspace.data()}, device.stream());
    device.check_launch();
    device.synchronize();
    std::int32_t sum = 0;
    device.download(&sum, out.data(), sizeof sum);
    return sum;
}

TEST(Reduce, SixteenByteLoadsTakeInputOfAnyAlignmentAndLength) {
    for (const DeviceKind kind : {DeviceKind::simt, DeviceKind::cuda}) {
        if (availability(kind).count == 0) continue;
        const auto device = open_device(name_of(kind));
        for (const char* name : {"vectorized", "single_pass"})
            for (const std::int64_t n : {1, 2, 3, 4, 5, 7, 1000, 4096, 4099, 20'001})
                for (const std::size_t offset : {0, 1, 2, 3})
                    EXPECT_EQ(sum_at_offset(*device, find_rung(reduce(), name, kind), n, offset), n * (n - 1) / 2)
                        << name << ", " << n << " elements from " << offset;
    }
}

}  // namespace
}  // namespace lanework

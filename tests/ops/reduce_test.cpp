// What the generic verification of a sum does not reach: constant inputs, wrap-around, unaligned input, the bound
// itself.
#include <gtest/gtest.h>

#include <algorithm>
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

/// How far a sum of positive numbers of this problem may be from `exact`.
double allowed(const Problem& problem, double exact) {
    return reduce().tolerance(problem).of_magnitude * std::abs(exact);
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
    const double bound = allowed(problem_of(100'000'000, DType::float32), exact);
    for (const Rung* rung : ladder(reduce(), DeviceKind::cpu)) {
        if (rung->deviation > 0) continue;
        EXPECT_NEAR(sum_on(*device, *rung, values), exact, bound) << rung->name;
    }
}

TEST(Reduce, TwoRungsShowHowAHundredMillionTimesOnePointTwoThreeGoesWrong) {
    const std::vector<float> values(100'000'000, 1.23F);
    const auto device = open_device("cpu");
    EXPECT_EQ(sum_on(*device, find_rung(reduce(), "running_float", DeviceKind::cpu), values), 33'554'432.0F);
    EXPECT_EQ(sum_on(*device, find_rung(reduce(), "long_runs", DeviceKind::cpu), values), 123'633'392.0F);
}

TEST(Reduce, TheSameRungsGoWrongInTheSameWayOnSimt) {
    if (availability(DeviceKind::simt).count == 0) GTEST_SKIP() << "this build has no simt device";
    const std::vector<float> values(1'000'000, 1.23F);
    const auto cpu = open_device("cpu"), simt = open_device("simt");
    for (const char* name : {"running_float", "long_runs"})
        EXPECT_EQ(sum_on(*simt, find_rung(reduce(), name, DeviceKind::simt), values),
                  sum_on(*cpu, find_rung(reduce(), name, DeviceKind::cpu), values))
            << name;
}

TEST(Reduce, FastRungsOfSimtKeepTheirBoundOnFourMillionEqualFloats) {
    if (availability(DeviceKind::simt).count == 0) GTEST_SKIP() << "this build has no simt device";
    constexpr std::int64_t kCount = (1 << 22) + 3;
    const std::vector<float> values(kCount, 1.23F);
    const double exact = static_cast<double>(kCount) * static_cast<double>(1.23F);
    const auto device = open_device("simt");
    for (const char* name : {"grid_stride", "atomic_finish", "warp_shuffle", "group_tiles", "vectorized", "chained",
                             "grid_sync", "single_pass", "reproducible"})
        EXPECT_NEAR(sum_on(*device, find_rung(reduce(), name, DeviceKind::simt), values), exact,
                    allowed(problem_of(kCount, DType::float32), exact))
            << name;
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
    for (const DeviceKind kind : kDeviceKinds) {
        if (availability(kind).count == 0) continue;
        const auto device = open_device(name_of(kind));
        for (const Rung* rung : ladder(reduce(), kind)) {
            if (!refusal(*rung, problem_of(70'001, DType::int32)).empty()) continue;
            EXPECT_EQ(sum_on(*device, *rung, values), expected) << rung->name;
        }
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
        for (const char* name : {"vectorized", "chained", "one_block", "one_cluster", "grid_sync", "single_pass"})
            for (const std::int64_t n : {0, 1, 2, 3, 4, 5, 7, 1000, 4096, 4099, 16'384, 20'001, 32'765, 65'533}) {
                const Rung& rung = find_rung(reduce(), name, kind);
                if (!refusal(rung, {.extent = extents(n)}).empty()) continue;  // one block, or none that has clusters
                for (const std::size_t offset : {0, 1, 2, 3})
                    EXPECT_EQ(sum_at_offset(*device, rung, n, offset), n * (n - 1) / 2)
                        << name << ", " << n << " elements from " << offset;
            }
    }
}

/// The tree of `reproducible`, one addition after the other.
template <class T>
T one_block(const T* in, std::int64_t n) {
    constexpr std::int64_t kThreads = 256, kPacks = 8, kValues = 16 / sizeof(T);
    std::vector<T> sums(kThreads);
    for (std::int64_t thread = 0; thread < kThreads; ++thread) {
        std::vector<T> total(kValues);
        for (std::int64_t pack = 0; pack < kPacks; ++pack)
            for (std::int64_t value = 0; value < kValues; ++value)
                if (const std::int64_t i = (pack * kThreads + thread) * kValues + value; i < n) total[value] += in[i];
        for (const T each : total) sums[thread] += each;
    }
    for (std::int64_t warp = 0; warp < kThreads; warp += 32)
        for (std::int64_t offset = 16; offset > 0; offset /= 2)
            for (std::int64_t lane = 0; lane < offset; ++lane) sums[warp + lane] += sums[warp + lane + offset];
    for (std::int64_t offset = 4; offset > 0; offset /= 2)
        for (std::int64_t warp = 0; warp < offset; ++warp) sums[32 * warp] += sums[32 * (warp + offset)];
    return sums[0];
}
template <class T>
T reproducible_sum(std::vector<T> values) {
    const std::int64_t per_block = 256 * 8 * (16 / sizeof(T));
    do {
        std::vector<T> sums;
        const auto n = static_cast<std::int64_t>(values.size());
        for (std::int64_t at = 0; at == 0 || at < n; at += per_block)
            sums.push_back(one_block(values.data() + at, std::min(per_block, n - at)));
        values = std::move(sums);
    } while (values.size() > 1);
    return values[0];
}

TEST(Reproducible, GivesTheBitsOfItsTreeOnEveryDevice) {
    std::mt19937 random(3);
    std::normal_distribution<float> normal;
    for (const DeviceKind kind : {DeviceKind::simt, DeviceKind::cuda}) {
        if (availability(kind).count == 0) continue;
        const auto device = open_device(name_of(kind));
        const Rung& rung = find_rung(reduce(), "reproducible", kind);
        for (const std::size_t n : {1, 31, 8192, 8193, 100'000}) {
            std::vector<float> values(n);
            for (float& value : values) value = std::exp(4 * normal(random)) * (random() % 2 ? 1.0F : -1.0F);
            EXPECT_EQ(sum_on(*device, rung, values), reproducible_sum(values)) << n << " floats";
            const std::vector<double> doubles(values.begin(), values.end());
            EXPECT_EQ(sum_on(*device, rung, doubles), reproducible_sum(doubles)) << n << " doubles";
        }
    }
}

TEST(Reproducible, StaysWithinItsBoundWhereTheSumCancels) {
    std::mt19937 random(9);
    std::uniform_real_distribution<float> uniform(-1, 1);
    std::vector<float> values(300'000);  // two passes
    double exact = 0, magnitudes = 0;
    for (float& value : values) {
        value = uniform(random);
        exact += value;
        magnitudes += std::abs(value);
    }
    const double bound = 2 * 9 * std::numeric_limits<float>::epsilon() * magnitudes;
    EXPECT_LE(std::abs(reproducible_sum(values) - exact), bound);
}

TEST(Reproducible, TakesInputOfAnyAlignment) {
    for (const DeviceKind kind : {DeviceKind::simt, DeviceKind::cuda}) {
        if (availability(kind).count == 0) continue;
        const auto device = open_device(name_of(kind));
        for (const std::int64_t n : {5, 8191, 20'001})
            for (const std::size_t offset : {1, 2, 3})
                EXPECT_EQ(sum_at_offset(*device, find_rung(reduce(), "reproducible", kind), n, offset),
                          n * (n - 1) / 2);
    }
}

/// That the rung finds this extreme, and where it is if it finds places.
template <class T>
void expect_extreme(Device& device, const Rung& rung, const std::vector<T>& values, bool largest, T right,
                    std::int64_t place) {
    Problem problem = problem_of(static_cast<std::int64_t>(values.size()), dtype_of<T>);
    T value{};
    std::int64_t found = 0;
    void* const for_value[] = {const_cast<T*>(values.data()), &value};
    void* const for_place[] = {const_cast<T*>(values.data()), &found};
    problem.variant = parse_variant(reduce(), largest ? "max" : "min");
    execute(device, reduce(), rung, problem, {for_value});
    EXPECT_EQ(value, right) << rung.name;
    problem.variant = parse_variant(reduce(), largest ? "argmax" : "argmin");
    if (!refusal(rung, problem).empty()) return;
    execute(device, reduce(), rung, problem, {for_place});
    EXPECT_EQ(found, place) << rung.name;
}

/// Calls check(device, rung) for every rung that finds extremes.
template <class Check>
void with_rungs_of_extremes(const Check& check) {
    for (const DeviceKind kind : kDeviceKinds) {
        if (availability(kind).count == 0) continue;
        const auto device = open_device(name_of(kind));
        Problem problem = problem_of(1, DType::float32);
        problem.variant = parse_variant(reduce(), "max");
        for (const Rung* rung : ladder(reduce(), kind))
            if (refusal(*rung, problem).empty()) check(*device, *rung);
    }
}

TEST(Extreme, OfEqualElementsTheFirstIsItsPlace) {
    std::vector<std::int32_t> values(30'000, 7);  // as many as one block takes
    values[13'333] = values[24'444] = 9;
    values[22'222] = values[22'223] = -9;
    with_rungs_of_extremes([&](Device& device, const Rung& rung) {
        expect_extreme(device, rung, values, true, 9, 13'333);
        expect_extreme(device, rung, values, false, -9, 22'222);
    });
}

TEST(Extreme, MayBeTheLastNumberThatTheTypeHas) {
    constexpr std::int32_t kLowest = std::numeric_limits<std::int32_t>::lowest();
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    with_rungs_of_extremes([&](Device& device, const Rung& rung) {
        const std::vector<std::int32_t> lowest(1000, kLowest);
        expect_extreme(device, rung, lowest, true, kLowest, 0);
        const std::vector<float> infinite(1000, -kInfinity);
        expect_extreme(device, rung, infinite, true, -kInfinity, 0);
    });
}

TEST(Extreme, IsNeverNaN) {
    std::vector<float> values(3000, std::numeric_limits<float>::quiet_NaN());
    values[1234] = 5;
    with_rungs_of_extremes([&](Device& device, const Rung& rung) {
        expect_extreme(device, rung, values, true, 5.0F, 1234);
        expect_extreme(device, rung, values, false, 5.0F, 1234);
    });
}

TEST(Extreme, OfNothingIsNowhere) {
    with_rungs_of_extremes([](Device& device, const Rung& rung) {
        expect_extreme(device, rung, std::vector<float>{}, false, std::numeric_limits<float>::infinity(), -1);
    });
}

}  // namespace
}  // namespace lanework

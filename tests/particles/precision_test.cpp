// Candidates are looked at in single precision first: no list may show it.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/particles/brute_force.hpp"

namespace lanework {
namespace {

constexpr std::size_t kAtoms = 300;
constexpr double kEdge = 8, kCutoff = 2.5;

template <class T>
struct Gas {
    std::vector<T> positions;
    PeriodicBox box;

    Particles<T> particles() const { return {.positions = positions, .boxes = {&box, 1}}; }
};

/// Atoms in and around a box, all of it times 2^exponent.
template <class T>
Gas<T> gas(int exponent, std::array<bool, 3> periodic) {
    const double scale = std::ldexp(1.0, exponent);
    Gas<T> gas{{}, PeriodicBox::orthorhombic(kEdge * scale, kEdge * scale, kEdge * scale, periodic)};
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> uniform(-1, kEdge + 1);
    for (std::size_t k = 0; k < 3 * kAtoms; ++k)
        gas.positions.push_back(static_cast<T>(scale * static_cast<double>(static_cast<float>(uniform(random)))));
    return gas;
}

NeighborOptions everything(double cutoff) {
    return {.cutoff = cutoff, .shifts = true, .vectors = true, .distances = true};
}

template <class T>
T squared(const DistanceVector<T>& d) {
    const volatile T x = d[0] * d[0], y = d[1] * d[1], z = d[2] * d[2];  // so that nothing is fused
    const volatile T sum = x + y;
    return sum + z;
}

/// Every distance of the list as the cutoff, and the next number: the pairs are those whose squares are below.
template <class T>
void expect_exact_cutoffs() {
    const Gas<T> system = gas<T>(0, {true, true, false});
    const auto all = neighbors(system.particles(), everything(kCutoff), Team{1});
    ASSERT_GT(all.pairs(), 1000);
    for (std::int64_t at = 0; at < all.pairs(); at += all.pairs() / 100)
        for (const bool next : {false, true}) {
            const T distance = all.distances[static_cast<std::size_t>(at)];
            const T cutoff = next ? std::nextafter(distance, T{100}) : distance;
            std::int64_t expected = 0;
            for (const DistanceVector<T>& d : all.vectors)
                expected += squared(d) < static_cast<T>(cutoff * cutoff) ? 1 : 0;
            const auto found = neighbors(system.particles(), {.cutoff = static_cast<double>(cutoff)}, Team{1});
            ASSERT_EQ(found.pairs(), expected) << "cutoff " << cutoff;
        }
}

TEST(NeighborsAtEveryCutoff, AreExactInDouble) { expect_exact_cutoffs<double>(); }
TEST(NeighborsAtEveryCutoff, AreExactInFloat) { expect_exact_cutoffs<float>(); }

/// The list of everything times a power of two is the same list, with all lengths times it.
template <class T>
void expect_same_at(int exponent, std::array<bool, 3> periodic) {
    const Gas<T> plain = gas<T>(0, periodic), scaled = gas<T>(exponent, periodic);
    const auto expected = neighbors(plain.particles(), everything(kCutoff), Team{1});
    const auto found = neighbors(scaled.particles(), everything(std::ldexp(kCutoff, exponent)), Team{1});
    ASSERT_EQ(found.pairs(), expected.pairs()) << "2^" << exponent;
    for (std::size_t k = 0; k < found.indices.size(); ++k) {
        ASSERT_EQ(found.indices[k], expected.indices[k]) << "2^" << exponent;
        ASSERT_EQ(found.shifts[k], expected.shifts[k]) << "2^" << exponent;
        ASSERT_EQ(found.distances[k], std::ldexp(expected.distances[k], exponent)) << "2^" << exponent;
    }
}

TEST(NeighborsTimesAPowerOfTwo, AreTheSameInDouble) {
    for (const int exponent : {-80, -20, 20, 80}) expect_same_at<double>(exponent, {true, false, true});
    for (const int exponent : {-480, -440, -200, 200, 440, 505})
        expect_same_at<double>(exponent, {false, false, false});
}
TEST(NeighborsTimesAPowerOfTwo, AreTheSameInFloat) {
    for (const int exponent : {-40, 40}) expect_same_at<float>(exponent, {true, false, true});
    for (const int exponent : {-50, -30, 30, 60}) expect_same_at<float>(exponent, {false, false, false});
}

}  // namespace
}  // namespace lanework

// Crystals whose numbers of neighbours are known, and what must not change a list.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "tests/particles/brute_force.hpp"

namespace lanework {
namespace {

struct Crystal {
    std::vector<double> positions;
    PeriodicBox box;

    Particles<double> particles() const { return {.positions = positions, .boxes = {&box, 1}}; }
};

/// `repeat`³ cubic cells with an atom at each of the given fractions.
Crystal cubic(double edge, std::initializer_list<std::array<double, 3>> basis, int repeat) {
    Crystal crystal{{}, PeriodicBox::orthorhombic(repeat * edge, repeat * edge, repeat * edge)};
    for (int a = 0; a < repeat; ++a)
        for (int b = 0; b < repeat; ++b)
            for (int c = 0; c < repeat; ++c)
                for (const auto& at : basis)
                    crystal.positions.insert(crystal.positions.end(),
                                             {(a + at[0]) * edge, (b + at[1]) * edge, (c + at[2]) * edge});
    return crystal;
}

Crystal diamond(int repeat) {
    return cubic(3.567,
                 {{0, 0, 0},
                  {0.5, 0.5, 0},
                  {0.5, 0, 0.5},
                  {0, 0.5, 0.5},
                  {0.25, 0.25, 0.25},
                  {0.75, 0.75, 0.25},
                  {0.75, 0.25, 0.75},
                  {0.25, 0.75, 0.75}},
                 repeat);
}
Crystal caesium_chloride(int repeat) { return cubic(4.119, {{0, 0, 0}, {0.5, 0.5, 0.5}}, repeat); }

void expect_each_has(const Crystal& crystal, double cutoff, std::int64_t neighbors_of_each) {
    const auto full = neighbors(crystal.particles(), {.cutoff = cutoff}, Team{2});
    for (std::int64_t i = 0; i < full.atoms(); ++i) ASSERT_EQ(full.count(i), neighbors_of_each) << "atom " << i;
    const auto half = neighbors(crystal.particles(), {.cutoff = cutoff, .half = true}, Team{2});
    EXPECT_EQ(2 * half.pairs(), full.pairs());
}

TEST(NeighborsOfCrystals, OfDiamondAre28And158And1290) {
    for (const int repeat : {1, 2, 5}) {  // a box far smaller than the cutoff, and one larger
        expect_each_has(diamond(repeat), 3, 28);
        expect_each_has(diamond(repeat), 6, 158);
        expect_each_has(diamond(repeat), 12, 1290);
    }
}

TEST(NeighborsOfCrystals, OfCaesiumChlorideAre26And410) {
    for (const int repeat : {1, 3, 8}) {
        expect_each_has(caesium_chloride(repeat), 6, 26);
        expect_each_has(caesium_chloride(repeat), 15, 410);
    }
}

TEST(NeighborsOfCrystals, AtTheCutoffAreNoNeighbours) {
    const Crystal simple = cubic(2, {{0, 0, 0}}, 3);
    expect_each_has(simple, 2, 0);
    expect_each_has(simple, std::nextafter(2.0, 3.0), 6);
    expect_each_has(simple, 6, 122 - 30);  // 122 within or at six: 30 of them are at (6,0,0) and (4,4,2)
}

TEST(NeighborsOfCrystals, AreTheSameInASkewedBoxOfTheSameLattice) {
    Crystal skewed = diamond(2);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        skewed.box.vectors[1][axis] += 40 * skewed.box.vectors[0][axis];
        skewed.box.vectors[2][axis] += -17 * skewed.box.vectors[0][axis] + 23 * skewed.box.vectors[1][axis];
    }
    std::swap(skewed.box.vectors[0], skewed.box.vectors[2]);  // and left-handed
    expect_each_has(skewed, 6, 158);
}

/// Random atoms in a skewed box, some beside it.
Crystal random_crystal(std::size_t atoms, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(-4, 12);
    Crystal crystal{std::vector<double>(3 * atoms), {{{{8, 0, 0}, {3, 7, 0}, {-2, 4, -9}}}, {true, true, true}}};
    for (double& x : crystal.positions) x = uniform(random);
    return crystal;
}

constexpr double kCutoff = 3.1;

NeighborOptions everything() { return {.cutoff = kCutoff, .shifts = true, .vectors = true, .distances = true}; }

TEST(NeighborsOfCrystals, FollowAPermutationOfTheAtoms) {
    const Crystal crystal = random_crystal(150, 3);
    std::vector<std::int32_t> order(150);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), std::mt19937_64(8));
    Crystal permuted = crystal;
    for (std::size_t i = 0; i < order.size(); ++i)
        std::copy_n(crystal.positions.begin() + 3 * order[i], 3,
                    permuted.positions.begin() + static_cast<std::ptrdiff_t>(3 * i));
    auto found = entries_of(neighbors(permuted.particles(), everything(), Team{1}));
    for (auto& pair : found) {
        pair.i = order[static_cast<std::size_t>(pair.i)];
        pair.j = order[static_cast<std::size_t>(pair.j)];
    }
    std::sort(found.begin(), found.end(),
              [](const auto& a, const auto& b) { return std::tie(a.i, a.j, a.s) < std::tie(b.i, b.j, b.s); });
    EXPECT_TRUE(found == entries_of(neighbors(crystal.particles(), everything(), Team{1})));
}

std::vector<double> sorted_distances(const Crystal& crystal) {
    const auto list = neighbors(crystal.particles(), everything(), Team{1});
    std::vector<double> distances(list.distances.begin(), list.distances.end());
    std::sort(distances.begin(), distances.end());
    return distances;
}

void expect_same_distances(const Crystal& one, const Crystal& other) {
    const auto expected = sorted_distances(one), found = sorted_distances(other);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t k = 0; k < found.size(); ++k) ASSERT_NEAR(found[k], expected[k], 1e-12);
}

TEST(NeighborsOfCrystals, KeepTheirDistancesWhenAllIsMoved) {
    const Crystal crystal = random_crystal(120, 5);
    Crystal moved = crystal;
    for (std::size_t k = 0; k < moved.positions.size(); ++k) moved.positions[k] += k % 3 == 0 ? 31.25 : -7.5;
    expect_same_distances(crystal, moved);
}

TEST(NeighborsOfCrystals, KeepTheirDistancesWhenAllIsTurned) {
    const Crystal crystal = random_crystal(120, 6);
    Crystal turned = crystal;
    const auto turn = [](double* x) {  // about two axes
        const double c = std::cos(0.7), s = std::sin(0.7), a = std::cos(-1.9), b = std::sin(-1.9);
        const double first = c * x[0] - s * x[1], second = s * x[0] + c * x[1];
        x[0] = first;
        x[1] = a * second - b * x[2];
        x[2] = b * second + a * x[2];
    };
    for (std::size_t i = 0; i < turned.positions.size(); i += 3) turn(&turned.positions[i]);
    for (auto& vector : turned.box.vectors) turn(vector.data());
    expect_same_distances(crystal, turned);
}

TEST(NeighborsOfCrystals, AreTheSameForEveryNumberOfThreads) {
    const Crystal crystal = diamond(4);
    const auto expected = entries_of(neighbors(crystal.particles(), everything(), Team{1}));
    for (const int threads : {2, 3, 7})
        EXPECT_TRUE(entries_of(neighbors(crystal.particles(), everything(), Team{threads})) == expected);
}

TEST(NeighborsOfCrystals, InAVacuumAreFoundWithoutCellsForTheVacuum) {
    Crystal crystal = diamond(2);
    const std::vector<double> there = crystal.positions;
    for (const double x : there) crystal.positions.push_back(x + 3e6);
    crystal.box = PeriodicBox::open();
    const auto list = neighbors(crystal.particles(), {.cutoff = 1.6}, Team{1});
    Crystal alone = diamond(2);
    alone.box = PeriodicBox::open();
    EXPECT_EQ(list.pairs(), 2 * neighbors(alone.particles(), {.cutoff = 1.6}, Team{1}).pairs());
}

}  // namespace
}  // namespace lanework

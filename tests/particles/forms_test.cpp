// The other forms of a list: half, coordinates, padded, the k nearest, in the plane, in batches, with a skin.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/particles/brute_force.hpp"

namespace lanework {
namespace {

std::vector<double> random_positions(std::size_t coordinates, double length, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(0, length);
    std::vector<double> x(coordinates);
    for (double& each : x) each = uniform(random);
    return x;
}

const PeriodicBox kBox = PeriodicBox::orthorhombic(7, 7, 7);

TEST(FormsOfAList, CoordinatesNameTheAtomOfEveryEntry) {
    const auto x = random_positions(300, 7, 1);
    const auto list =
        neighbors(Particles<double>{.positions = x, .boxes = {&kBox, 1}}, {.cutoff = 2, .first = true}, Team{1});
    const auto first = first_atoms(list), &second = list.indices;
    EXPECT_TRUE(std::ranges::equal(list.first, first));
    const auto pairs = entries_of(list);
    ASSERT_EQ(first.size(), pairs.size());
    for (std::size_t k = 0; k < pairs.size(); ++k) EXPECT_TRUE(first[k] == pairs[k].i && second[k] == pairs[k].j);
}

TEST(FormsOfAList, AMatrixHoldsEveryRowAndMinusOneBehindIt) {
    const auto x = random_positions(240, 7, 2);
    const auto list = neighbors(Particles<double>{.positions = x, .boxes = {&kBox, 1}}, {.cutoff = 2}, Team{1});
    const auto by_atom = to_matrix(list, NeighborMatrix::Layout::by_atom);
    const auto by_slot = to_matrix(list, NeighborMatrix::Layout::by_slot);
    std::int64_t most = 0;
    for (std::int64_t i = 0; i < list.atoms(); ++i) most = std::max(most, list.count(i));
    ASSERT_EQ(by_atom.width, most);
    for (std::int64_t i = 0; i < list.atoms(); ++i)
        for (std::int64_t k = 0; k < most; ++k) {
            const std::int32_t expected = k < list.count(i) ? list.of(i)[static_cast<std::size_t>(k)] : -1;
            EXPECT_EQ(by_atom.indices[static_cast<std::size_t>(i * most + k)], expected);
            EXPECT_EQ(by_slot.indices[static_cast<std::size_t>(k * list.atoms() + i)], expected);
        }
}

TEST(FormsOfAList, TheNearestAreTheFirstByDistanceInTheOrderOfTheList) {
    const auto x = random_positions(300, 7, 3);
    const Particles<double> particles{.positions = x, .boxes = {&kBox, 1}};
    NeighborOptions options{.cutoff = 3, .shifts = true, .distances = true};
    const auto all = neighbors(particles, options, Team{1});
    options.nearest = 5;
    const auto nearest = neighbors(particles, options, Team{2});
    for (std::int64_t i = 0; i < all.atoms(); ++i) {
        const auto row = [&](const NeighborList<double>& list) {
            const auto begin = list.distances.data() + list.offsets[static_cast<std::size_t>(i)];
            return std::vector<double>(begin, begin + list.count(i));
        };
        auto expected = row(all), found = row(nearest);
        EXPECT_EQ(nearest.count(i), std::min<std::int64_t>(5, all.count(i)));
        EXPECT_TRUE(std::ranges::is_sorted(nearest.of(i)));
        std::ranges::sort(expected);
        expected.resize(found.size());
        std::ranges::sort(found);
        EXPECT_EQ(found, expected);
    }
}

TEST(FormsOfAList, ThePlaneIsSpaceWithoutHeight) {
    const auto x = random_positions(200, 9, 4);
    const PeriodicBox box{{{{9, 0, 0}, {4, 8, 0}, {0, 0, 0}}}, {true, true, false}};
    std::vector<double> raised;
    for (std::size_t i = 0; i < x.size(); i += 2) raised.insert(raised.end(), {x[i], x[i + 1], 0});
    const NeighborOptions options{.cutoff = 2, .shifts = true, .vectors = true, .distances = true};
    EXPECT_TRUE(entries_of(neighbors(Particles<double>{.positions = x, .boxes = {&box, 1}, .dimensions = 2}, options,
                                     Team{1})) ==
                entries_of(neighbors(Particles<double>{.positions = raised, .boxes = {&box, 1}}, options, Team{1})));
}

TEST(FormsOfAList, ABatchIsItsSystemsOneAfterTheOther) {
    const auto x = random_positions(600, 7, 5);
    std::vector<std::int64_t> systems = {0, 0, 80, 81, 200};
    const std::vector<PeriodicBox> boxes = {kBox, PeriodicBox::open(), kBox, PeriodicBox::orthorhombic(5, 7, 9)};
    const NeighborOptions options{.cutoff = 2.4, .shifts = true, .distances = true};
    const auto batch =
        entries_of(neighbors(Particles<double>{.positions = x, .boxes = boxes, .systems = systems}, options, Team{2}));
    std::vector<Pair<double>> expected;
    for (std::size_t s = 0; s + 1 < systems.size(); ++s) {
        const std::vector<double> own(x.begin() + 3 * systems[s], x.begin() + 3 * systems[s + 1]);
        for (auto pair :
             entries_of(neighbors(Particles<double>{.positions = own, .boxes = {&boxes[s], 1}}, options, Team{1}))) {
            pair.i += static_cast<std::int32_t>(systems[s]);
            pair.j += static_cast<std::int32_t>(systems[s]);
            expected.push_back(pair);
        }
    }
    EXPECT_GT(expected.size(), 1000U);
    EXPECT_TRUE(batch == expected);
}

TEST(FormsOfAList, ASkinKeepsTheListExactWhileAtomsMoveLittle) {
    auto x = random_positions(450, 7, 6);
    const auto particles = [&] { return Particles<double>{.positions = x, .boxes = {&kBox, 1}}; };
    const NeighborOptions options{.cutoff = 2, .half = true, .shifts = true, .vectors = true, .distances = true};
    SkinnedNeighbors<double> skinned(options, 0.5);
    EXPECT_TRUE(skinned.needs_rebuild(particles()));
    EXPECT_THROW(skinned.within_cutoff(particles()), UsageError);
    EXPECT_TRUE(skinned.update(particles(), Team{1}));
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> step(-0.04, 0.04);
    int rebuilt = 0;
    for (int steps = 0; steps < 40; ++steps) {
        for (double& each : x) each += step(random);  // out of the box too
        rebuilt += skinned.update(particles(), Team{1});
        ASSERT_TRUE(entries_of(skinned.within_cutoff(particles())) ==
                    entries_of(neighbors(particles(), options, Team{1})));
    }
    EXPECT_GT(rebuilt, 0);
    EXPECT_LT(rebuilt, 40);
}

TEST(FormsOfAList, ASkinIsRebuiltForAnotherBoxAndForNaN) {
    auto x = random_positions(60, 7, 7);
    SkinnedNeighbors<double> skinned({.cutoff = 2}, 1);
    skinned.update({.positions = x, .boxes = {&kBox, 1}}, Team{1});
    EXPECT_FALSE(skinned.needs_rebuild({.positions = x, .boxes = {&kBox, 1}}));
    const auto larger = PeriodicBox::orthorhombic(7, 7, 7.001);
    EXPECT_TRUE(skinned.needs_rebuild({.positions = x, .boxes = {&larger, 1}}));
    x[5] = NAN;
    EXPECT_TRUE(skinned.needs_rebuild({.positions = x, .boxes = {&kBox, 1}}));
}

}  // namespace
}  // namespace lanework

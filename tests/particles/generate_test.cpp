// The systems that are made: their sizes, boxes and shells, and what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "src/particles/generate.hpp"

namespace lanework {
namespace {

NeighborList<double> list_of(const ParticleSystem& system, double cutoff) {
    return neighbors(Particles<double>{.positions = system.positions, .boxes = {&system.box, 1}},
                     {.cutoff = cutoff, .distances = true}, Team{2});
}

void expect_each_has(const ParticleSystem& system, double cutoff, std::int64_t count) {
    const auto list = list_of(system, cutoff);
    for (std::int64_t atom = 0; atom < list.atoms(); ++atom) ASSERT_EQ(list.count(atom), count) << atom;
}

TEST(MadeCrystals, HaveTheirKnownShells) {
    const ParticleSystem diamond = make_particles({.kind = "diamond", .cells = {{3, 2, 1}}});
    EXPECT_EQ(diamond.atoms(), 8 * 6);
    expect_each_has(diamond, 3, 28);
    expect_each_has(diamond, 6, 158);
    const ParticleSystem salt = make_particles({.kind = "cscl"});
    EXPECT_EQ(salt.atoms(), 2 * 125);
    expect_each_has(salt, 6, 26);
    EXPECT_EQ(salt.species_of(0), "Cs");
    EXPECT_EQ(salt.species_of(1), "Cl");
    expect_each_has(make_particles({.kind = "fcc", .constant = 4.0}), 4.0 / std::sqrt(2) + 1e-9, 12);
}

TEST(MadeGraphene, HasBondsOf142AndIsPeriodicInItsPlane) {
    const ParticleSystem sheet = make_particles({.kind = "graphene", .rows = 3, .cols = 5});
    EXPECT_EQ(sheet.atoms(), 4 * 3 * 5);
    EXPECT_EQ(sheet.box.periodic, (std::array<bool, 3>{true, true, false}));
    EXPECT_NEAR(sheet.box.vectors[0][0], 5 * 3 * 1.42, 1e-12);
    EXPECT_NEAR(sheet.box.vectors[1][1], 3 * std::sqrt(3.0) * 1.42, 1e-12);
    EXPECT_EQ(sheet.box.vectors[2][2], 20);
    expect_each_has(sheet, 1.9, 3);
    const auto list = list_of(sheet, 1.9);
    for (const double d : list.distances) EXPECT_NEAR(d, 1.42, 1e-12);
}

TEST(MadeGases, HaveTheDensityOrTheBoxThatIsWanted) {
    const ParticleSystem gas = make_particles({.kind = "gas", .atoms = 5000, .density = 0.05});
    EXPECT_EQ(gas.atoms(), 5000);
    EXPECT_NEAR(std::pow(gas.box.vectors[0][0], 3), 5000 / 0.05, 1e-6);
    // Each atom has density × volume of the ball on average; the sum over all is within 5 standard deviations.
    const double expected = 0.05 * 4.0 / 3 * std::acos(-1.0) * 27 * 5000;
    EXPECT_NEAR(static_cast<double>(list_of(gas, 3).pairs()), expected, 5 * std::sqrt(2 * expected));
    const BoxVectors skewed{{{20, 0, 0}, {5, 10, 0}, {1, 2, 10}}};
    EXPECT_EQ(make_particles({.kind = "gas", .density = 0.01, .box = skewed}).atoms(), 20);
    EXPECT_EQ(make_particles({.kind = "gas", .atoms = 7, .box = skewed}).box.vectors, skewed);
}

TEST(MadeParticles, AreTheSameForASeedAndOthersForAnother) {
    const auto made = [](std::uint64_t seed, double noise) {
        return make_particles({.kind = "fcc", .noise = noise, .seed = seed}).positions;
    };
    EXPECT_EQ(made(1, 0.1), made(1, 0.1));
    EXPECT_NE(made(1, 0.1), made(2, 0.1));
    EXPECT_EQ(made(1, 0), made(2, 0));
    const auto noisy = made(3, 0.1), still = made(3, 0);
    double squares = 0, sum = 0;
    for (std::size_t k = 0; k < noisy.size(); ++k) {
        sum += noisy[k] - still[k];
        squares += (noisy[k] - still[k]) * (noisy[k] - still[k]);
    }
    const auto count = static_cast<double>(noisy.size());
    EXPECT_NEAR(std::sqrt(squares / count), 0.1, 0.1 * 5 / std::sqrt(2 * count));
    EXPECT_NEAR(sum / count, 0, 5 * 0.1 / std::sqrt(count));
}

TEST(MadeParticles, HaveVacuumAndPeriodicDirectionsAsWanted) {
    const ParticleSystem slab = make_particles({.kind = "diamond", .vacuum = 12.0});
    EXPECT_DOUBLE_EQ(slab.box.vectors[2][2], 5 * 3.567 + 12);
    EXPECT_EQ(slab.box.periodic, (std::array<bool, 3>{true, true, false}));
    const ParticleSystem flake = make_particles({.kind = "graphene", .periodic = {{false, false, false}}});
    EXPECT_EQ(flake.box.periodic, (std::array<bool, 3>{}));
}

TEST(MadeParticles, AreRefusedWhenTheRecipeCannotBeMeant) {
    const double nan = std::nan("");
    const BoxVectors box{{{10, 0, 0}, {0, 10, 0}, {0, 0, 10}}}, flat{{{1, 0, 0}, {2, 0, 0}, {0, 0, 1}}};
    const ParticleRecipe recipes[] = {{.kind = "graphite"},
                                      {.kind = "graphene", .cells = {{1, 1, 1}}},
                                      {.kind = "diamond", .rows = 2},
                                      {.kind = "fcc", .atoms = 3},
                                      {.kind = "gas", .cells = {{1, 1, 1}}},
                                      {.kind = "gas", .constant = 1.0},
                                      {.kind = "gas", .atoms = 3, .density = 0.1, .box = box},
                                      {.kind = "gas", .box = flat},
                                      {.kind = "gas", .density = 1e-9, .box = box},
                                      {.kind = "gas", .atoms = kMostMadeAtoms + 1},
                                      {.kind = "diamond", .cells = {{1 << 30, 1 << 30, 1 << 30}}},
                                      {.kind = "diamond", .cells = {{0, 1, 1}}},
                                      {.kind = "diamond", .constant = nan},
                                      {.kind = "diamond", .constant = 0.0},
                                      {.kind = "diamond", .noise = -1},
                                      {.kind = "diamond", .vacuum = nan},
                                      {.kind = "graphene", .vacuum = 0.0, .periodic = {{true, true, true}}}};
    for (const ParticleRecipe& recipe : recipes)
        EXPECT_THROW(make_particles(recipe), UsageError) << recipe.kind << " " << (&recipe - recipes);
}

}  // namespace
}  // namespace lanework

// What the generic verification of neighbours does not reach: a crystal's known numbers, and a size that depends on no
// seed.
#include <gtest/gtest.h>

#include <lanework/error.hpp>
#include <lanework/execute.hpp>
#include <lanework/registry.hpp>

#include <algorithm>

#include "ops/neighbors/systems.hpp"

namespace lanework {
namespace {

const Operation& operation() { return find_operation("neighbors"); }

Problem problem_of(std::int64_t atoms, std::int64_t picometres, NeighborSystem system) {
    return {extents(atoms, picometres), DType::float32, static_cast<std::uint8_t>(system)};
}

TEST(Neighbors, TheCrystalHasItsKnownShells) {
    // 1024 = 2·8³ atoms fill the box: each has 8 + 6 + 12 neighbours within 6 Å, trembling or not.
    EXPECT_EQ(facts_of(problem_of(1024, 600, NeighborSystem::crystal)).pairs, 1024 * 26);
    EXPECT_EQ(facts_of(problem_of(1024, 600, NeighborSystem::crystal)).most, 26);
}

TEST(Neighbors, AGrapheneSheetHasThreeBondsInside) {
    const SystemFacts facts = facts_of(problem_of(1600, 190, NeighborSystem::graphene));
    EXPECT_EQ(facts.most, 3);
    EXPECT_EQ(facts.images, 1);
    EXPECT_GT(facts.pairs, 1600 * 3 * 9 / 10);
}

TEST(Neighbors, SizesThatWouldTakeMinutesAreRefusedAtOnce) {
    for (const auto& [atoms, picometres] : {std::pair{4'000'000'000L, 600L},
                                            {1L << 40, 1L},
                                            {100'000'000L, 100L},
                                            {65'536L, 65'536L},
                                            {0L, 1L << 40},
                                            {1L, 1L << 40},
                                            {1L << 24, 5000L}})
        for (const auto system : {NeighborSystem::crystal, NeighborSystem::graphene, NeighborSystem::gas,
                                  NeighborSystem::skewed, NeighborSystem::lattice}) {
            if (system == NeighborSystem::graphene && atoms < 2) continue;  // without a box it has one image
            EXPECT_THROW(operation().buffers(problem_of(atoms, picometres, system)), UsageError)
                << atoms << 'x' << picometres << ' ' << static_cast<int>(system);
        }
}

TEST(Neighbors, TheDensityTellsAboutHowManyPairsThereAre) {
    for (const auto system : {NeighborSystem::crystal, NeighborSystem::graphene, NeighborSystem::gas,
                              NeighborSystem::skewed, NeighborSystem::lattice}) {
        const Problem problem = problem_of(4000, 600, system);
        const double pairs = static_cast<double>(facts_of(problem).pairs), expected = expected_pairs(problem);
        EXPECT_GT(expected, 0.8 * pairs) << static_cast<int>(system);
        EXPECT_LT(expected, 1.5 * pairs) << static_cast<int>(system);
    }
}

TEST(Neighbors, EverySeedHasAListOfTheSameSize) {
    for (const auto system :
         {NeighborSystem::crystal, NeighborSystem::graphene, NeighborSystem::gas, NeighborSystem::skewed}) {
        const Problem problem = problem_of(90, 412, system);
        std::vector<std::vector<std::byte>> inputs;
        for (const std::uint64_t seed : {1, 2, 3}) {
            HostArrays arrays(operation(), problem);
            operation().fill(problem, seed, arrays.buffers());
            operation().reference(problem, arrays.buffers());
            const auto* offsets = reinterpret_cast<const std::uint64_t*>(arrays.data(3));
            EXPECT_EQ(offsets[90], static_cast<std::uint64_t>(facts_of(problem).pairs));
            inputs.emplace_back(arrays.data(0), arrays.data(0) + arrays.bytes(0));
        }
        EXPECT_NE(inputs[0], inputs[1]);
        EXPECT_NE(inputs[1], inputs[2]);
    }
}

TEST(Neighbors, TheLargeReferenceIsTheSmallOne) {
    // Beyond 3000 atoms the reference is the library's list: here it is held against a rung that tests every pair.
    const auto cpu = open_device("cpu");
    for (const auto system : {NeighborSystem::gas, NeighborSystem::skewed}) {
        const Problem problem = problem_of(3100, 350, system);
        HostArrays expected(operation(), problem), found(operation(), problem);
        operation().fill(problem, 7, expected.buffers());
        operation().fill(problem, 7, found.buffers());
        operation().reference(problem, expected.buffers());
        execute(*cpu, operation(), find_rung(operation(), "brute_force", DeviceKind::cpu), problem, found.buffers());
        for (const std::size_t output : {3, 4})
            EXPECT_TRUE(
                std::equal(expected.data(output), expected.data(output) + expected.bytes(output), found.data(output)));
    }
}

}  // namespace
}  // namespace lanework

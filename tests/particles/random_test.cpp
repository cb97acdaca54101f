// The list of every random system is the one that the definition gives, in every bit.
#include <gtest/gtest.h>

#include "tests/particles/brute_force.hpp"
#include "tests/particles/random_systems.hpp"

namespace lanework {
namespace {

template <class T>
std::string describe(const RandomSystem<T>& system) {
    std::string text = "box";
    for (std::size_t k = 0; k < 3; ++k) {
        text += system.box.periodic[k] ? " periodic" : " open";
        for (const double x : system.box.vectors[k]) text += " " + std::to_string(x);
    }
    return text + ", cutoff " + std::to_string(system.options.cutoff) + ", atoms " +
           std::to_string(system.positions.size() / static_cast<std::size_t>(system.dimensions));
}

template <class T>
void compare_systems(std::uint64_t first, int count) {
    std::size_t pairs = 0;
    for (int k = 0; k < count; ++k) {
        const auto system = random_system<T>(first + static_cast<std::uint64_t>(k));
        const auto expected = brute_force(system.particles(), system.box, system.options);
        const auto found = entries_of(neighbors(system.particles(), system.options, Team{1}));
        pairs += expected.size();
        ASSERT_EQ(found.size(), expected.size()) << "system " << first + k << ": " << describe(system);
        ASSERT_TRUE(found == expected) << "system " << first + k << ": " << describe(system);
    }
    EXPECT_GT(pairs, static_cast<std::size_t>(count)) << "the systems are too empty to show anything";
}

TEST(NeighborsOfRandomSystems, AreThoseOfBruteForceInDouble) { compare_systems<double>(1, 6000); }
TEST(NeighborsOfRandomSystems, AreThoseOfBruteForceInFloat) { compare_systems<float>(100'001, 6000); }

}  // namespace
}  // namespace lanework

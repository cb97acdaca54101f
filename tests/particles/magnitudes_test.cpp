// Numbers at the ends of their type: the list is right, or the arguments are refused in one line. Never a crash, and
// nothing that takes for ever.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "src/particles/arithmetic.hpp"
#include "tests/particles/brute_force.hpp"
#include "tests/particles/random_systems.hpp"

namespace lanework {
namespace {

/// The list on the processor; where there is a simt device, it must say the same.
template <class T>
NeighborList<T> list_of(const Particles<T>& particles, const NeighborOptions& options) {
    NeighborList<T> list = neighbors(particles, options, Team{2});
    if (availability(DeviceKind::simt).count > 0) {
        const auto device = open_device("simt");
        EXPECT_EQ(entries_of(neighbors(particles, options, *device)), entries_of(list));
    }
    return list;
}

template <class T>
std::string refusal(const Particles<T>& particles, const NeighborOptions& options) {
    const auto message = [](const std::function<void()>& body) -> std::string {
        try {
            body();
        } catch (const UsageError& error) {
            return error.what();
        }
        return "nothing was refused";
    };
    const std::string found = message([&] { neighbors(particles, options, Team{2}); });
    if (availability(DeviceKind::simt).count > 0) {
        const auto device = open_device("simt");
        EXPECT_EQ(message([&] { neighbors(particles, options, *device); }), found);
    }
    return found;
}

template <class T>
std::string refusal(std::vector<T> positions, const PeriodicBox& box, const NeighborOptions& options) {
    return refusal<T>({.positions = positions, .boxes = {&box, 1}}, options);
}

void expect_part(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
}

/// Pairs in open space by the definition.
template <class T>
std::vector<std::pair<std::int32_t, std::int32_t>> open_pairs(const std::vector<T>& x, double cutoff) {
    std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
    const T limit = static_cast<T>(cutoff) * static_cast<T>(cutoff);
    const auto atoms = static_cast<std::int32_t>(x.size() / 3);
    for (std::int32_t i = 0; i < atoms; ++i)
        for (std::int32_t j = 0; j < atoms; ++j) {
            const T *const from = x.data() + 3 * i, *const to = x.data() + 3 * j;
            const T squared = squared_length(displacement<T>({from[0], from[1], from[2]}, {to[0], to[1], to[2]}, {}));
            if (i != j && squared < limit) pairs.emplace_back(i, j);
        }
    return pairs;
}

template <class T>
void expect_open_pairs(const std::vector<T>& x, double cutoff) {
    const NeighborList<T> list = list_of<T>({.positions = x}, {.cutoff = cutoff, .first = true});
    std::vector<std::pair<std::int32_t, std::int32_t>> found;
    for (std::size_t k = 0; k < list.indices.size(); ++k) found.emplace_back(list.first[k], list.indices[k]);
    EXPECT_EQ(found, open_pairs(x, cutoff)) << cutoff;
}

/// Every coordinate of three atoms takes these values in turn, and every atom has a twin near it.
template <class T>
std::vector<T> extreme_atoms() {
    const T most = std::numeric_limits<T>::max(), least = std::numeric_limits<T>::denorm_min();
    const T values[] = {0, -T{0}, least, -least, 1, T(0.25), most, most / 2, -most, T(1e20), T(-1e30)};
    std::vector<T> x;
    for (const T a : values)
        for (const T b : values) {
            x.insert(x.end(), {a, b, values[x.size() % std::size(values)]});
            x.insert(x.end(), {a, std::nextafter(b, T{0}), *(x.end() - 1)});
        }
    return x;
}

TEST(NeighborMagnitudes, AnAtomAtTheEndOfTheNumbersHasTheNeighboursThatItHas) {
    for (const double far : {1e308, -1.7e308, 1e30, 0x1p1000})
        EXPECT_EQ(list_of<double>({.positions = std::vector<double>{0, 0, far}}, {.cutoff = 0.5}).pairs(), 0);
    for (const double cutoff : {1e-150, 0.5, 3.0, 1e150}) expect_open_pairs(extreme_atoms<double>(), cutoff);
    for (const double cutoff : {1e-18, 0.5, 3.0, 1e19}) expect_open_pairs(extreme_atoms<float>(), cutoff);
}

TEST(NeighborMagnitudes, AtomsBetweenTheEndsOfTheNumbersMissNobody) {
    // A row of pairs from end to end: the extent overflows, and most cells are empty.
    constexpr double kMost = std::numeric_limits<double>::max();
    std::vector<double> x;
    for (int k = -50; k <= 50; ++k)
        for (const double y : {0.0, 1.0}) x.insert(x.end(), {kMost / 50 * k, y, kMost / 50 * -k});
    expect_open_pairs(x, 1.5);
}

TEST(NeighborMagnitudes, ACutoffWhoseSquareIsNoNormalNumberIsRefused) {
    const double infinite = HUGE_VAL, tiny = std::numeric_limits<double>::denorm_min();
    for (const double cutoff : {5e-309, tiny, 1e-155, 1.4e154, std::numeric_limits<double>::max()})
        expect_part(refusal<double>({.positions = std::vector<double>(6)}, {.cutoff = cutoff}),
                    "it must be from 1.5e-154 to 1.3e+154");
    for (const double cutoff : {5e-309, 1e-20, 0x1p64 - 1, 1e308})
        expect_part(refusal<float>({.positions = std::vector<float>(6)}, {.cutoff = cutoff}),
                    "it must be from 1.1e-19 to 1.8e+19");
    for (const double cutoff : {infinite, -infinite, double(NAN), 0.0, -0.0, -1.0})
        expect_part(refusal<double>({.positions = std::vector<double>(6)}, {.cutoff = cutoff}), "a positive length");
    expect_part(refusal<float>({.positions = std::vector<float>(6), .types = std::vector<std::int32_t>(2)},
                               {.pair_cutoffs = {1, 1e-30, 1e-30, 1}}),
                "the cutoff of types 0 and 1 is 1e-30; it must be from");
    EXPECT_EQ(list_of<double>({.positions = std::vector<double>(6)}, {.cutoff = 0x1p-511}).pairs(), 2);
}

TEST(NeighborMagnitudes, SystemsOfAnotherUnitHaveTheSamePairs) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        RandomSystem<double> system = random_system<double>(seed);
        const auto scaled = [&](double unit) {
            RandomSystem<double> other = system;
            for (double& x : other.positions) x *= unit;
            for (auto& vector : other.box.vectors)
                for (double& x : vector) x *= unit;
            other.options.cutoff *= unit;
            for (double& cutoff : other.options.pair_cutoffs) cutoff *= unit;
            std::vector<Pair<double>> pairs = entries_of(list_of(other.particles(), other.options));
            for (Pair<double>& pair : pairs) {
                pair.distance /= unit;
                for (double& x : pair.vector) x /= unit;
            }
            return pairs;
        };
        const auto as_it_is = scaled(1);
        for (const double unit : {0x1p-80, 0x1p80}) ASSERT_EQ(scaled(unit), as_it_is) << seed;
    }
}

TEST(NeighborMagnitudes, AnAtomFarAlongAnOpenDirectionIsRefusedWhereRoundingSpansTheBox) {
    const PeriodicBox wire = PeriodicBox::orthorhombic(5, 5, 5, {false, false, true});
    for (const double far : {1e30, 1e24, 1e308, 0x1p1000})
        expect_part(refusal<double>({0, 0, 0, 0, far, 0}, wire, {.cutoff = 2}), "where rounding alone reaches through");
    expect_part(refusal<float>({0, 0, 0, 0, 3e38F, 0}, wire, {.cutoff = 2}), "where rounding alone reaches through");
    expect_part(refusal<double>({0, 0, 0, 1, 1, 1}, wire, {.cutoff = 1e12}), "over 2^29 of them along one direction");
    const std::vector<double> near = {0, 0, 0, 0, 1e12, 0};
    EXPECT_EQ(list_of<double>({.positions = near, .boxes = {&wire, 1}}, {.cutoff = 6}).pairs(), 4);
}

TEST(NeighborMagnitudes, VectorsThatCannotBeComputedWithAreRefused) {
    for (const double length : {1e-30, 1e30, 1e-200, 1e155, 5e-324, 1.7e308}) {
        PeriodicBox box = PeriodicBox::orthorhombic(5, 5, 5);
        box.vectors[1][1] = length;
        expect_part(refusal<double>({0, 0, 0}, box, {.cutoff = 2}), "vector b of box 0 is (0, ");
        box.periodic[1] = false;  // an open vector is not read
        EXPECT_EQ(refusal<double>({0, 0, 0}, box, {.cutoff = 2}), "nothing was refused");
    }
    PeriodicBox box = PeriodicBox::orthorhombic(5, 5, 5);
    box.vectors[2][0] = NAN;
    expect_part(refusal<double>({0, 0, 0}, box, {.cutoff = 2}), "vector c of box 0 is (nan, 0, 5); it must be finite");
    const std::vector<double> one = {0, 0, 0};
    const PeriodicBox longest = PeriodicBox::orthorhombic(0x1p90, 0x1p90, 0x1p90),
                      shortest = PeriodicBox::orthorhombic(0x1p-90, 0x1p-90, 0x1p-90);
    EXPECT_EQ(list_of<double>({.positions = one, .boxes = {&longest, 1}}, {.cutoff = 0x1.1p90}).pairs(), 6);
    EXPECT_EQ(list_of<double>({.positions = one, .boxes = {&shortest, 1}}, {.cutoff = 0x1.1p-90}).pairs(), 6);
}

TEST(NeighborMagnitudes, ACutoffThatNoTwoAtomsHaveIsNotSearchedFor) {
    const PeriodicBox box = PeriodicBox::orthorhombic(5, 5, 5);
    const std::vector<double> x = {0, 0, 0, 1, 1, 1};
    const std::vector<std::int32_t> types = {0, 0};
    const Particles<double> particles{.positions = x, .boxes = {&box, 1}, .types = types};
    EXPECT_EQ(list_of(particles, {.pair_cutoffs = {2, 1e9, 1e9, 1e9}}).pairs(), 2);
    EXPECT_EQ(list_of(particles, {.pair_cutoffs = {0, 1e9, 1e9, 1e9}}).pairs(), 0);
    const std::vector<std::int32_t> both = {0, 1};
    EXPECT_THROW(neighbors(Particles<double>{.positions = x, .boxes = {&box, 1}, .types = both},
                           {.pair_cutoffs = {0, 2e3, 2e3, 0}, .memory_limit = 1 << 20}, Team{1}),
                 NeighborMemoryError);
}

/// Whatever is asked for: nobody has neighbours.
template <class T>
void expect_nobody(const Particles<T>& particles, NeighborOptions options) {
    for (const bool half : {false, true})
        for (const int nearest : {0, 3}) {
            if (half && nearest > 0) continue;
            options.half = half, options.nearest = nearest;
            const NeighborList<T> list = list_of(particles, options);
            ASSERT_EQ(list.offsets.size(), static_cast<std::size_t>(particles.atoms()) + 1);
            EXPECT_EQ(list.pairs(), 0);
            for (const std::int64_t offset : list.offsets) EXPECT_EQ(offset, 0);
            EXPECT_EQ(first_atoms(list).size(), 0U);
            for (const auto layout : {NeighborMatrix::Layout::by_atom, NeighborMatrix::Layout::by_slot})
                EXPECT_EQ(to_matrix(list, layout).width, 0);
        }
}

template <class T>
void expect_empty_systems() {
    const std::vector<T> none, one = {1, 2, 3};
    const std::vector<std::int32_t> no_types, one_type = {1};
    const PeriodicBox open = PeriodicBox::open(), cube = PeriodicBox::orthorhombic(9, 9, 9),
                      wire = PeriodicBox::orthorhombic(9, 9, 9, {false, false, true});
    const NeighborOptions all{.cutoff = 2, .first = true, .shifts = true, .vectors = true, .distances = true};
    NeighborOptions by_type = all;
    by_type.pair_cutoffs = {1, 2, 2, 0};
    for (const PeriodicBox& box : {open, cube, wire}) {
        const PeriodicBox boxes[] = {box, cube, box, open};
        for (const int dimensions : {2, 3}) {
            if (dimensions == 2 && box.periodic[2]) continue;
            expect_nobody<T>({.positions = none, .boxes = {&box, 1}, .dimensions = dimensions}, all);
            expect_nobody<T>({.positions = none, .dimensions = dimensions}, all);
        }
        for (const std::vector<std::int64_t>& systems :
             {std::vector<std::int64_t>{0, 1, 1, 1, 1}, {0, 0, 0, 1, 1}, {0, 0, 0, 0, 1}}) {
            expect_nobody<T>({.positions = one, .boxes = boxes, .systems = systems}, all);
            expect_nobody<T>({.positions = one, .boxes = boxes, .types = one_type, .systems = systems}, by_type);
        }
        const std::vector<std::int64_t> nobody = {0, 0, 0, 0, 0};
        expect_nobody<T>({.positions = none, .boxes = boxes, .systems = nobody}, all);
        expect_nobody<T>({.positions = none, .boxes = boxes, .types = no_types, .systems = nobody}, by_type);
        SkinnedNeighbors<T> skinned(all, 0.5);
        const Particles<T> particles{.positions = none, .boxes = {&box, 1}};
        for (int step = 0; step < 2; ++step) {
            skinned.update(particles, Team{2});
            EXPECT_EQ(skinned.within_cutoff(particles).pairs(), 0);
        }
    }
}
TEST(NeighborMagnitudes, SystemsWithoutAtomsHaveNoNeighbours) {
    expect_empty_systems<float>();
    expect_empty_systems<double>();
}

TEST(NeighborMagnitudes, ATeamOfNobodyIsRefused) {
    for (const int threads : {0, -1, std::numeric_limits<int>::min(), 1025, std::numeric_limits<int>::max()})
        EXPECT_THROW(neighbors(Particles<double>{}, {.cutoff = 1}, Team{threads}), UsageError) << threads;
}

TEST(NeighborMagnitudes, ASkinThatCannotBeComputedWithIsRefused) {
    const auto skin_of = [](double cutoff, double skin) -> std::string {
        try {
            SkinnedNeighbors<float>({.cutoff = cutoff}, skin);
        } catch (const UsageError& error) {
            return error.what();
        }
        return "nothing was refused";
    };
    expect_part(skin_of(1, 1e-30), "the skin is 1e-30; it must be from");
    expect_part(skin_of(1e19, 1e19), "the cutoff with its skin is 2e+19; it must be from");
    EXPECT_EQ(skin_of(1, 0), "nothing was refused");
}

TEST(NeighborMagnitudes, ASkinThinnerThanASquareCanSayNoticesWhatMoves) {
    SkinnedNeighbors<double> list({.cutoff = 0x1p-500}, 0x1p-510);
    const std::vector<double> before(6);
    list.update(Particles<double>{.positions = before}, Team{1});
    std::vector<double> after(6);
    after[0] = 0x1p-505;
    EXPECT_TRUE(list.needs_rebuild(Particles<double>{.positions = after}));
}

}  // namespace
}  // namespace lanework

// Cutoffs well beyond the box: lists that come in many portions are exact, what does not fit is refused at once, and
// neither takes memory that grows with the pairs.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <new>
#include <optional>

#include "src/core/fill.hpp"
#include "src/particles/arithmetic.hpp"
#include "src/particles/crowded_cells.hpp"
#include "src/particles/least_pairs.hpp"
#include "tests/processor_seconds.hpp"

namespace lanework {
namespace {

/// Ends the process with 0 when body() is well within so many MiB beyond what the process has.
[[noreturn]] void run_within(std::size_t mebibytes, const std::function<void()>& body) {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlimit limit{};
    limit.rlim_cur = limit.rlim_max = pages * 4096 + (mebibytes << 20);
    setrlimit(RLIMIT_AS, &limit);
    try {
        body();
    } catch (const std::bad_alloc&) {
        std::fputs("it took more memory than that\n", stderr);
        std::_Exit(1);
    }
    std::_Exit(0);
}

std::vector<double> gas(int atoms, double edge) {
    std::vector<double> positions;
    for (int k = 0; k < 3 * atoms; ++k)
        positions.push_back(edge * static_cast<double>(random_bits(7, static_cast<std::uint64_t>(k)) >> 11) * 0x1p-53);
    return positions;
}

/// The error that a list is refused with; none where it is made.
std::optional<NeighborMemoryError> refusal(const Particles<double>& particles, const NeighborOptions& options,
                                           int threads = 2) {
    try {
        neighbors(particles, options, Team{threads});
    } catch (const NeighborMemoryError& error) {
        return error;
    }
    return std::nullopt;
}

TEST(FarCutoff, TakesNoMemoryForPairsThatAreOnlyCounted) {
    // 1.3·10⁸ pairs of 2.7·10⁶ candidates, which would take 350 MiB. Nearly all of them fit.
    EXPECT_EXIT(run_within(200,
                           [] {
                               const std::vector<double> positions = gas(50, 10);
                               const PeriodicBox box = PeriodicBox::orthorhombic(10, 10, 10);
                               constexpr std::size_t kMost = 4 * 126'000'000UL;
                               const auto refused = refusal({.positions = positions, .boxes = {&box, 1}},
                                                            {.cutoff = 232, .memory_limit = kMost}, 1);
                               if (!refused || refused->pairs() < 126'000'000) std::_Exit(2);
                           }),
                testing::ExitedWithCode(0), "");
}

TEST(FarCutoff, IsRefusedAtOnceWithTheNumberOfPairsWhereItCannotFit) {
    const std::vector<double> positions = gas(50, 10);
    const PeriodicBox box = PeriodicBox::orthorhombic(10, 10, 10);
    const double begin = processor_seconds();
    for (const bool half : {false, true}) {
        const auto refused = refusal({.positions = positions, .boxes = {&box, 1}},
                                     {.cutoff = 1000, .half = half, .memory_limit = std::size_t{1} << 30});
        ASSERT_TRUE(refused);
        EXPECT_FALSE(refused->exact());
        const double all = 50 * 50 * 4 * M_PI / 3 * 1e6 * (half ? 0.5 : 1);
        EXPECT_GT(static_cast<double>(refused->pairs()), 0.95 * all);
        EXPECT_LT(static_cast<double>(refused->pairs()), all);
        EXPECT_EQ(refused->bytes(), 51 * 8 + 4 * refused->pairs());
        EXPECT_NE(std::string(refused->what()).find("the list has at least " + std::to_string(refused->pairs())),
                  std::string::npos);
    }
    EXPECT_LT(processor_seconds() - begin, 2);
}

TEST(FarCutoff, IsRefusedAtOnceOnADeviceToo) {
    if (availability(DeviceKind::simt).count == 0) GTEST_SKIP() << "this build has no simt device";
    const auto device = open_device("simt");
    const std::vector<double> positions = gas(50, 10);
    const PeriodicBox box = PeriodicBox::orthorhombic(10, 10, 10);
    const Particles<double> particles{.positions = positions, .boxes = {&box, 1}};
    EXPECT_THROW(neighbors(particles, {.cutoff = 1000, .memory_limit = std::size_t{1} << 30}, *device),
                 NeighborMemoryError);
}

TEST(FarCutoff, StopsCountingWhereNothingIsKnownBefore) {
    // 40 cells in a row, each with 1000 atoms that see those of the next two cells: no cells' corners are near.
    std::vector<double> positions = gas(40'000, 1);
    for (std::size_t x = 0; x < positions.size(); x += 3)
        positions[x] = static_cast<double>(x / 3000) + 0.01 * positions[x];
    std::vector<double> cutoffs(4, 2.5);
    const std::vector<std::int32_t> types(40'000, 0);
    cutoffs[3] = 1e-3;  // of a type that only the last atom has
    std::vector<std::int32_t> last = types;
    last.back() = 1;
    const auto refused =
        refusal({.positions = positions, .types = last}, {.pair_cutoffs = cutoffs, .memory_limit = 1 << 20});
    ASSERT_TRUE(refused);
    EXPECT_FALSE(refused->exact());
    EXPECT_GE(refused->pairs(), kCountedPairs);
    // Of 190 million: while the thread that passed the first bound sleeps, others go on.
    EXPECT_LT(refused->pairs(), 8 * kCountedPairs);
}

/// Two clusters of so many atoms that do not see each other, in open space: no lattice tells of their pairs.
std::vector<double> two_clusters(int atoms) {
    std::vector<double> positions = gas(2 * atoms, 1);
    for (std::size_t x = 0; x < positions.size() / 2; x += 3) positions[x] += 1e6;
    return positions;
}

TEST(CrowdedCells, AreRefusedAtOnceWhereTheirListCannotFit) {
    const std::vector<double> clusters = two_clusters(200'000), slab = gas(1'000'000, 10);
    const PeriodicBox along_x = PeriodicBox::orthorhombic(10, 0, 0, {true, false, false});
    const double begin = processor_seconds();
    const auto two = refusal({.positions = clusters}, {.cutoff = 3, .memory_limit = std::size_t{1} << 30});
    const auto half =
        refusal({.positions = clusters}, {.cutoff = 3, .half = true, .memory_limit = std::size_t{1} << 30});
    const auto one =
        refusal({.positions = slab, .boxes = {&along_x, 1}}, {.cutoff = 4, .memory_limit = std::size_t{1} << 32});
    const double seconds = processor_seconds() - begin;
    ASSERT_TRUE(two && half && one);
    for (const auto& refused : {two, half, one}) {
        EXPECT_FALSE(refused->exact());
        EXPECT_GT(refused->bytes(), refused->available());
    }
    EXPECT_LE(two->pairs(), 2 * 200'000ULL * 199'999);
    EXPECT_LE(half->pairs(), 200'000ULL * 199'999);
    EXPECT_LT(seconds, 6) << "their pairs take half a minute to count";
}

/// A share of the pairs: of random atoms in boxes of all kinds, some of them beside their box.
TEST(CrowdedCells, TellNoMorePairsThanThereAreAndManyOfThem) {
    const PeriodicBox boxes[] = {
        PeriodicBox::open(),
        PeriodicBox::orthorhombic(10, 11, 12),
        PeriodicBox::orthorhombic(10, 0, 9, {true, false, true}),
        {{{{9, 0, 0}, {4, 8, 0}, {-3, 2, 10}}}, {true, true, true}},
        {{{{9, 0, 0}, {30, 9, 0}, {0, 0, 0}}}, {true, true, false}},
        PeriodicBox::orthorhombic(2, 3, 50),
    };
    for (const PeriodicBox& box : boxes)
        for (const double cutoff : {1.5, 4.0, 7.0}) {
            const std::vector<double> positions = gas(1500, 12);
            const std::vector<float> rounded(positions.begin(), positions.end());
            const auto check = [&, &box = box]<class T>(const std::vector<T>& x) {
                const Particles<T> particles{.positions = x, .boxes = {&box, 1}};
                const SystemRange system = systems_of(particles)[0];
                const auto pairs = static_cast<double>(neighbors(particles, {.cutoff = cutoff}, Team{2}).pairs());
                EXPECT_LE(least_pairs_in_cells(particles, system, cutoff, HUGE_VAL), pairs);
                EXPECT_GE(least_pairs_in_cells(particles, system, cutoff, HUGE_VAL), pairs / 40);
                EXPECT_GE(most_pairs(Cells(particles, system, 0, cutoff), HUGE_VAL), pairs);
                EXPECT_GE(most_pairs(Cells(particles, system, 0, cutoff), 1.0), 1.0);
            };
            check(positions);
            check(rounded);
        }
}

TEST(CrowdedCells, TellNothingWhereRoundingIsAsLargeAsTheCutoff) {
    std::vector<float> far(3000, 1e8F);
    const Particles<float> particles{.positions = far};
    EXPECT_EQ(least_pairs_in_cells(particles, systems_of(particles)[0], 1, HUGE_VAL), 0);
}

/// Lattice points within `radius` of the origin, the origin left out: column by column.
std::uint64_t points_of_lattice(const PeriodicBox& box, double radius) {
    const auto& v = box.vectors;
    const auto along = [](const auto& u, const auto& w) { return u[0] * w[0] + u[1] * w[1] + u[2] * w[2]; };
    const int most[2] = {static_cast<int>(2 * radius), box.periodic[1] ? static_cast<int>(2 * radius) : 0};
    std::uint64_t points = 0;
    const auto& last = box.periodic[2] ? v[2] : v[1];
    const int middle = box.periodic[2] ? most[1] : 0;
    for (int a = -most[0]; a <= most[0]; ++a)
        for (int b = -middle; b <= middle; ++b) {
            std::array<double, 3> p{};
            for (std::size_t axis = 0; axis < 3; ++axis) p[axis] = a * v[0][axis] + (middle > 0 ? b * v[1][axis] : 0);
            const double q = along(p, last), n = along(last, last), rest = q * q - n * (along(p, p) - radius * radius);
            if (rest <= 0) continue;
            const double low = std::ceil((-q - std::sqrt(rest)) / n), high = std::floor((-q + std::sqrt(rest)) / n);
            if (high >= low) points += static_cast<std::uint64_t>(high - low + 1);
        }
    return points - 1;
}

TEST(FarCutoff, IsBoundedFromBelowAndClosely) {
    struct Lattice {
        PeriodicBox box;
        double radius;
    };
    const Lattice lattices[] = {
        {PeriodicBox::orthorhombic(1, 1, 1), 420},
        {{{{{1, 0, 0}, {0.9, 1, 0}, {-0.5, 0.3, 1.2}}}, {true, true, true}}, 480},
        {{{{{1, 0, 0}, {0, 0.7, 0.7}, {0, -2, 2}}}, {true, true, true}}, 700},
        {PeriodicBox::orthorhombic(1, 1.1, 5, {true, true, false}), 10'000},
    };
    for (const auto& [box, radius] : lattices) {
        const std::vector<double> one = {0.25, 0.5, 0.125}, two = {0.25, 0.5, 0.125, 0.5, 0.25, 0.5 + radius / 100};
        const Cutoffs<double> cutoffs = checked_cutoffs<double>({.cutoff = radius});
        const auto bound = [&, &box = box](const std::vector<double>& positions, bool half) {
            const Particles<double> particles{.positions = positions, .boxes = {&box, 1}};
            return static_cast<double>(least_pairs(particles, cutoffs, half));
        };
        const auto exact = static_cast<double>(points_of_lattice(box, radius));
        EXPECT_LE(bound(one, false), exact);
        EXPECT_GT(bound(one, false), 0.97 * exact);
        EXPECT_LE(bound(one, true), exact / 2);
        EXPECT_LE(bound(two, false), 4.0 * exact);
        EXPECT_GT(bound(two, false), 0.97 * 4.0 * exact);
    }
}

TEST(FarCutoff, GivesNoBoundWhereAtomsMayBeFartherThanThat) {
    std::vector<double> positions = gas(20'000, 1);
    const Cutoffs<double> cutoffs = checked_cutoffs<double>({.cutoff = 2});
    EXPECT_EQ(least_pairs(Particles<double>{.positions = positions}, cutoffs, false), 20'000U * 19'999U);
    positions[0] += 3;
    EXPECT_EQ(least_pairs(Particles<double>{.positions = positions}, cutoffs, false), 0U);
}

TEST(FarCutoff, IsBoundedByEachAtomsOwnImagesWhereAtomsAreApart) {
    const std::vector<double> positions = {0, 0, 0, 0, 1e9, 0, 0, 0, 1e9};
    const PeriodicBox box = PeriodicBox::orthorhombic(1, 0, 0, {true, false, false});
    const Cutoffs<double> cutoffs = checked_cutoffs<double>({.cutoff = 1e7});
    const auto bound =
        static_cast<double>(least_pairs(Particles<double>{.positions = positions, .boxes = {&box, 1}}, cutoffs, false));
    EXPECT_GT(bound, 0.999 * 3 * 2e7);
    EXPECT_LE(bound, 3 * 2e7);
}

/// Pairs by the definition of <lanework/neighbors.hpp>, in its order, without any cell.
template <class T>
void expect_exact(const std::vector<T>& x, const PeriodicBox& box, double cutoff, int reach, bool half) {
    const NeighborList<T> list = neighbors(Particles<T>{.positions = x, .boxes = {&box, 1}},
                                           {.cutoff = cutoff, .half = half, .shifts = true}, Team{2});
    const auto atoms = static_cast<std::int32_t>(x.size() / 3);
    const T limit = static_cast<T>(cutoff) * static_cast<T>(cutoff);
    const double rows[3][3] = {{box.vectors[0][0], box.vectors[0][1], box.vectors[0][2]},
                               {box.vectors[1][0], box.vectors[1][1], box.vectors[1][2]},
                               {box.vectors[2][0], box.vectors[2][1], box.vectors[2][2]}};
    std::size_t entry = 0;
    for (std::int32_t i = 0; i < atoms; ++i)
        for (std::int32_t j = 0; j < atoms; ++j) {
            const T* const from = x.data() + 3 * i;
            const T* const to = x.data() + 3 * j;
            Image3 s;
            for (s.a = -reach; s.a <= reach; ++s.a)
                for (s.b = -reach; s.b <= reach; ++s.b)
                    for (s.c = -reach; s.c <= reach; ++s.c) {
                        if (i == j && s == Image3{0, 0, 0}) continue;
                        if (half && !in_half_list(i, j, s)) continue;
                        const Vec3<T> d = displacement(Vec3<T>{from[0], from[1], from[2]}, Vec3<T>{to[0], to[1], to[2]},
                                                       translation<T>(s, rows));
                        if (!(squared_length(d) < limit)) continue;
                        ASSERT_LT(entry, list.indices.size());
                        ASSERT_EQ(list.indices[entry], j);
                        ASSERT_EQ(list.shifts[entry], (CellShift{s.a, s.b, s.c}));
                        ++entry;
                    }
            ASSERT_LE(entry, static_cast<std::size_t>(list.offsets[static_cast<std::size_t>(i) + 1]));
        }
    EXPECT_EQ(entry, list.indices.size());
}

TEST(FarCutoff, ListsOneAtomsManyImagesInOrder) {
    expect_exact<double>({0.3, 0.2, 0.1}, PeriodicBox::orthorhombic(1, 1, 1), 90, 91, false);
    expect_exact<double>({0.3, 0.2, 0.1}, PeriodicBox::orthorhombic(1, 1, 1), 90, 91, true);
}

/// The reduced vectors of this flat box mix so many of its own that images are counted in the box as it is: 2^30 of
/// them lie within reach of its cells, of which some thousands are near.
TEST(FarCutoff, LeavesOutImagesOfAFlatBoxThatAreNotNear) {
    const PeriodicBox box{{{{5.16674e-05, 6.67725e-06, 5.84793e-06},
                            {7.46617e-06, 0, 1.28399e-05},
                            {-1.09342e-05, -5.1224e-06, 4.31912e-05}}},
                          {true, true, true}};
    const std::vector<float> one = {-1.20453e-05F, 8.41648e-05F, -4.53266e-05F};
    const double begin = processor_seconds();
    const auto list =
        neighbors(Particles<float>{.positions = one, .boxes = {&box, 1}}, {.cutoff = 4.3822e-05}, Team{1});
    EXPECT_LT(processor_seconds() - begin, 5);
    const double volume = 8.4e-17, ball = 4 * M_PI / 3 * std::pow(4.3822e-05, 3);
    EXPECT_NEAR(static_cast<double>(list.pairs()), ball / volume, 0.1 * ball / volume);
}

TEST(FarCutoff, ListsAtomsOfASkewedBoxInAndOutsideOfItInOrder) {
    const PeriodicBox box{{{{1, 0, 0}, {0.4, 1, 0}, {-0.3, 0.2, 1}}}, {true, true, true}};
    const std::vector<float> x = {0.5F, 0.25F, 0.75F, 3.5F, -2.25F, 0.125F, 0.1F, 0.2F, 0.3F};
    expect_exact<float>(x, box, 60, 80, false);
}

}  // namespace
}  // namespace lanework

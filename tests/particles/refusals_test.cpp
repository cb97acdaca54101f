// What cannot be meant is refused in one line that says what is wrong and where.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <lanework/neighbors.hpp>

namespace lanework {
namespace {

template <class Error>
std::string message(const std::function<void()>& body) {
    try {
        body();
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing was refused";
}

const PeriodicBox kBox = PeriodicBox::orthorhombic(5, 5, 5);

struct Case {
    std::vector<double> positions = {0, 0, 0, 1, 1, 1, 2, 2, 2};
    std::vector<PeriodicBox> boxes = {kBox};
    std::vector<std::int32_t> types = {};
    std::vector<std::int64_t> systems = {};
    int dimensions = 3;
    NeighborOptions options = {.cutoff = 2};

    std::string refusal() const {
        return message<UsageError>([&] {
            neighbors(Particles<double>{positions, boxes, dimensions, types, systems}, options, Team{1});
        });
    }
};

void expect_says(const Case& refused, const std::string& part) {
    const std::string found = refused.refusal();
    EXPECT_NE(found.find(part), std::string::npos) << found;
    EXPECT_EQ(found.find('\n'), std::string::npos);
}

TEST(NeighborsRefuse, ACutoffThatIsNoLength) {
    for (const double cutoff : {0.0, -1.0, double(NAN), double(INFINITY)})
        expect_says({.options = {.cutoff = cutoff}}, "must be a positive length");
}

TEST(NeighborsRefuse, ACoordinateThatIsNotFiniteAndNameItsAtom) {
    expect_says({.positions = {0, 0, 0, 1, NAN, 1}}, "atom 1 is at (1, nan, 1)");
    expect_says({.positions = {0, 0, INFINITY}}, "atom 0 is at (0, 0, inf)");
}

TEST(NeighborsRefuse, AnAtomCountlessBoxesAway) {
    expect_says({.positions = {0, 0, 1e12}}, "more than 2^28 boxes away");
}

TEST(NeighborsRefuse, AnAtomThatIsTooFarAwayAndNotTheCutoff) {
    const std::vector<double> out = {0, 0, 0, 0, -1e31, 0, 1, 1, 1};
    expect_says({.positions = out}, "atom 1 is at (0, -1e+31, 0), more than 2^28 boxes away; move it into its box");
    const PeriodicBox sheet = PeriodicBox::orthorhombic(5, 5, 5, {true, false, true});
    expect_says(
        {.positions = out, .boxes = {sheet}},
        "atom 1 is at (0, -1e+31, 0), where rounding alone reaches through more than 2^16 images of box 0; move "
        "it nearer to the origin");
    EXPECT_EQ((Case{.positions = out, .boxes = {}}.refusal()), "nothing was refused");
    if (availability(DeviceKind::simt).count == 0) return;
    const auto device = open_device("simt");
    for (const PeriodicBox& box : {kBox, sheet}) {
        const Case refused{.positions = out, .boxes = {box}};
        EXPECT_EQ(message<UsageError>([&] {
                      neighbors(Particles<double>{.positions = out, .boxes = {&box, 1}}, refused.options, *device);
                  }),
                  refused.refusal());
    }
}

TEST(NeighborsRefuse, VectorsThatAreNotIndependent) {
    PeriodicBox flat = kBox;
    flat.vectors[2] = {1, 2, 0};
    expect_says({.boxes = {flat}}, "not linearly independent");
    flat.vectors[2] = {0, 0, 0};
    expect_says({.boxes = {flat}}, "(0, 0, 0) of box 0");
    flat.periodic[2] = false;  // an open vector is not read
    EXPECT_EQ(Case{.boxes = {flat}}.refusal(), "nothing was refused");
    flat.vectors[1] = {-5, 0, 0};
    expect_says({.boxes = {flat}}, "not linearly independent");
}

TEST(NeighborsRefuse, ShapesThatDoNotFit) {
    expect_says({.positions = {0, 0, 0, 1}}, "4 coordinates are no whole number of atoms");
    expect_says({.boxes = {kBox, kBox}}, "2 boxes for 1 systems");
    expect_says({.systems = {0, 2}}, "must span 0 to 3");
    expect_says({.boxes = {kBox, kBox, kBox}, .systems = {0, 2, 1, 3}}, "system 1 begins at atom 2 and ends at 1");
    expect_says({.dimensions = 4}, "4 dimensions");
    expect_says({.positions = {0, 0}, .dimensions = 2}, "the third direction is open");
}

TEST(NeighborsRefuse, TablesOfCutoffsThatCannotBeMeant) {
    expect_says({.options = {.pair_cutoffs = {1, 2}}}, "a square table");
    expect_says({.options = {.pair_cutoffs = {1, 2, 3, 1}}}, "must be symmetric");
    expect_says({.options = {.pair_cutoffs = {1, -2, -2, 1}}}, "types 0 and 1 is -2");
    expect_says({.options = {.pair_cutoffs = {1}}}, "0 types for 3 atoms");
    expect_says({.types = {0, 1, 0}, .options = {.pair_cutoffs = {1}}}, "atom 1 is of type 1");
    EXPECT_EQ((Case{.types = {0, 0, 0}, .options = {.pair_cutoffs = {0}}}.refusal()), "nothing was refused");
}

TEST(NeighborsRefuse, TheNearestOfAHalfList) {
    expect_says({.options = {.cutoff = 2, .half = true, .nearest = 3}}, "not a half list");
}

TEST(NeighborsRefuse, ACutoffThroughMoreImagesThanCanBeCounted) {
    expect_says({.options = {.cutoff = 1e5}}, "more than 2^32 images");
}

TEST(NeighborsRefuse, MorePairsThanMemoryBeforeAllocatingThem) {
    const std::vector<double> positions(3 * 100, 1.0);
    const auto build = [&](std::size_t limit) {
        neighbors(Particles<double>{.positions = positions}, {.cutoff = 1, .shifts = true, .memory_limit = limit},
                  Team{1});
    };
    const std::uint64_t needed = 101 * 8 + 9900 * (4 + 12);
    EXPECT_NO_THROW(build(needed));
    try {
        build(needed - 1);
        FAIL() << "nothing was refused";
    } catch (const NeighborMemoryError& error) {
        EXPECT_EQ(error.pairs(), 9900U);
        EXPECT_EQ(error.bytes(), needed);
        EXPECT_NE(std::string(error.what()).find("9900 pairs"), std::string::npos) << error.what();
    }
}

TEST(NeighborsRefuse, TheSameOnADevice) {
    if (availability(DeviceKind::simt).count == 0) GTEST_SKIP() << "this build has no simt device";
    const auto device = open_device("simt");
    const std::vector<float> positions = {0, 0, 0, NAN, 0, 0};
    EXPECT_EQ(message<UsageError>([&] { neighbors(Particles<float>{.positions = positions}, {.cutoff = 1}, *device); }),
              "atom 1 is at (nan, 0, 0); every coordinate must be finite");
    const std::vector<float> close(30, 0);
    EXPECT_THROW(neighbors(Particles<float>{.positions = close}, {.cutoff = 1, .memory_limit = 100}, *device),
                 NeighborMemoryError);
}

}  // namespace
}  // namespace lanework

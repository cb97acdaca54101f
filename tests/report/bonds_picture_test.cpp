// Pictures of bonds: every pair once, stubs through the boundary, hexagons where graphene has them.
#include "src/report/particles/bonds_picture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "src/draw/canvas.hpp"
#include "src/particles/generate.hpp"
#include "src/report/particles/neighbors.hpp"
#include "tests/report/svg_well_formed.hpp"

namespace lanework {
namespace {

NeighborList<double> list_of(const ParticleSystem& system, double cutoff, bool half = false) {
    return neighbors(
        Particles<double>{.positions = system.positions, .boxes = {&system.box, 1}, .dimensions = system.dimensions},
        {.cutoff = cutoff, .half = half, .shifts = true, .vectors = true, .distances = true}, Team{1});
}

BondsPicture picture_of(const ParticleSystem& system, double cutoff, bool half = false, char axis = 'z') {
    return bonds_picture(system, list_of(system, cutoff, half), half, axis, "a < b & c");
}

std::int64_t count(const BondsPicture& picture, BondsMark::Kind kind) {
    return std::count_if(picture.marks.begin(), picture.marks.end(),
                         [&](const BondsMark& mark) { return mark.kind == kind; });
}

ParticleSystem graphene(std::array<bool, 3> periodic) {
    return make_particles({.kind = "graphene", .rows = 6, .cols = 4, .periodic = periodic});
}

/// Points that have six atoms at the length of a bond.
int hexagons(const ParticleSystem& sheet) {
    constexpr double bond = 1.42;
    int found = 0;
    for (int column = -1; column < 6; ++column)
        for (int row = -1; row < 8; ++row)
            for (const bool odd : {false, true}) {
                const double x = (3 * column + 1 + (odd ? 1.5 : 0)) * bond;
                const double y = (row + (odd ? 0.5 : 0)) * std::sqrt(3.0) * bond;
                int corners = 0;
                for (std::int64_t atom = 0; atom < sheet.atoms(); ++atom) {
                    const auto at = sheet.position(atom);
                    corners += std::abs(std::hypot(at[0] - x, at[1] - y) - bond) < 0.01;
                }
                found += corners == 6;
            }
    return found;
}

TEST(PicturesOfBonds, TakeTimeByTheLengthOfTheirLines) {
    // By the rectangles around them these would take minutes.
    Canvas canvas(1600, 1600, {255, 255, 255});
    const std::clock_t begin = std::clock();
    for (int k = 0; k < 5000; ++k)
        canvas.line({0, static_cast<double>(k % 100)}, {1600, 1600 - static_cast<double>(k % 77)}, 1.5, {0, 0, 0});
    EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 30);
    const Image image = canvas.take();
    for (const std::size_t x : {10, 800, 1500}) EXPECT_LT(image.pixels[3 * (x * 1600 + x)], 128) << x;
}

TEST(PicturesOfBonds, ThatCoverThePictureHundredTimesAreRefused) {
    ParticleSystem pair;
    pair.positions = {0, 4, 5, 7, -8, 0.4};
    pair.species = {0, 0};
    pair.species_names = {"Cu"};
    pair.box = PeriodicBox::orthorhombic(3.5, 7.4, 55);
    EXPECT_NO_THROW(bonds_to_image(picture_of(pair, 20)));
    EXPECT_THROW(bonds_to_image(picture_of(pair, 327)), UsageError);
}

TEST(PicturesOfBonds, ShowTheHexagonsOfGraphene) {
    const ParticleSystem sheet = graphene({});
    const BondsPicture picture = picture_of(sheet, 1.9);
    const std::int64_t bonds = count(picture, BondsMark::Kind::bond);
    EXPECT_EQ(bonds, list_of(sheet, 1.9).pairs() / 2);
    EXPECT_EQ(count(picture, BondsMark::Kind::stub), 0);
    EXPECT_EQ(count(picture, BondsMark::Kind::atom), sheet.atoms());
    // A connected plane graph has 1 + edges − vertices inner faces: here each is a hexagon.
    EXPECT_GT(hexagons(sheet), 30);
    EXPECT_EQ(1 + bonds - sheet.atoms(), hexagons(sheet));
    const std::string svg = bonds_to_svg(picture);
    EXPECT_EQ(svg_fault(svg), "");
    EXPECT_EQ(count_of("<line ", svg), bonds);
    // Bonds are all of one length in the picture too, and join two atoms.
    const double length =
        std::hypot(picture.marks[0].to.x - picture.marks[0].from.x, picture.marks[0].to.y - picture.marks[0].from.y);
    for (const BondsMark& mark : picture.marks) {
        if (mark.kind != BondsMark::Kind::bond) continue;
        EXPECT_NEAR(std::hypot(mark.to.x - mark.from.x, mark.to.y - mark.from.y), length, 1e-6);
    }
}

TEST(PicturesOfBonds, ShowPairsThroughTheBoundaryAsTwoStubs) {
    const ParticleSystem sheet = graphene({true, true, false});
    const BondsPicture full = picture_of(sheet, 1.9), half = picture_of(sheet, 1.9, true);
    const std::int64_t stubs = count(full, BondsMark::Kind::stub);
    EXPECT_EQ(stubs, 2 * (6 + 2 * 4));  // a bond of each row and two of each column leave the box
    EXPECT_EQ(2 * count(full, BondsMark::Kind::bond) + stubs, 3 * sheet.atoms());
    EXPECT_EQ(count(half, BondsMark::Kind::stub), stubs);
    EXPECT_EQ(count(half, BondsMark::Kind::bond), count(full, BondsMark::Kind::bond));
    EXPECT_EQ(full.outline.size(), 4U);
    EXPECT_EQ(count_of("stroke-dasharray", bonds_to_svg(full)), stubs);
}

TEST(PicturesOfBonds, ShowEveryAtomOverACrowdOfBonds) {
    const ParticleSystem crystal = make_particles({.kind = "graphene", .rows = 12, .cols = 12});
    const BondsPicture picture = picture_of(crystal, 8);
    ASSERT_GT(count(picture, BondsMark::Kind::bond), 20 * crystal.atoms());
    const auto is_atom = [](const BondsMark& mark) { return mark.kind == BondsMark::Kind::atom; };
    const auto first = std::find_if(picture.marks.begin(), picture.marks.end(), is_atom);
    EXPECT_TRUE(std::all_of(first, picture.marks.end(), is_atom)) << "bonds lie below";
    for (auto mark = picture.marks.begin(); mark != first; ++mark) {
        EXPECT_EQ(mark->tone, Tone::faint);
        EXPECT_LT(mark->size, first->size);
    }
}

TEST(PicturesOfBonds, ColourSpeciesElseNumbersOfNeighbours) {
    const BondsPicture sheet = picture_of(graphene({}), 1.9);
    ASSERT_EQ(sheet.legend.size(), 3U);
    EXPECT_EQ(sheet.legend[0].text, "1");
    EXPECT_EQ(sheet.legend[2].text, "3 neighbours");
    const BondsPicture salt = picture_of(make_particles({.kind = "cscl", .cells = {{2, 2, 2}}}), 3.6);
    ASSERT_EQ(salt.legend.size(), 2U);
    EXPECT_EQ(salt.legend[1].text, "Cl");
    EXPECT_EQ(salt.legend[1].tone, hue(1));
    EXPECT_EQ(salt.outline.size(), 12U);
}

TEST(PicturesOfBonds, PutNearAtomsInFrontAlongEveryAxis) {
    ParticleSystem system;
    system.positions = {0, 0, 0, 1, 2, 3};
    for (const char axis : {'x', 'z'}) {
        const BondsPicture picture = picture_of(system, 9, false, axis);
        ASSERT_EQ(picture.marks.size(), 3U);
        EXPECT_EQ(picture.marks[0].kind, BondsMark::Kind::bond);  // it covers neither of its atoms
        EXPECT_LT(picture.marks[1].clarity, picture.marks[2].clarity);
    }
    // Seen along y the eye is at −y: the first atom is in front.
    EXPECT_EQ(picture_of(system, 9, false, 'y').marks[2].to.x, picture_of(system, 9, false, 'z').marks[1].to.x);
    EXPECT_THROW(picture_of(system, 9, false, 'w'), UsageError);
}

TEST(PicturesOfBonds, AreDrawnOfNothingAndOfOneAtom) {
    for (const std::size_t atoms : {0U, 1U}) {
        ParticleSystem system;
        system.positions.assign(3 * atoms, 5);
        const BondsPicture picture = picture_of(system, 1);
        EXPECT_EQ(svg_fault(bonds_to_svg(picture)), "");
        EXPECT_GT(bonds_to_image(picture).width, 0);
    }
}

TEST(PicturesOfBonds, HaveAScaleBarOfARoundLength) {
    const BondsPicture picture = picture_of(graphene({}), 1.9);
    EXPECT_EQ(picture.scale_text, "2 Å");  // of 15.6 Å
    double bond = 0;
    for (const BondsMark& mark : picture.marks)
        if (mark.kind == BondsMark::Kind::bond) bond = std::hypot(mark.to.x - mark.from.x, mark.to.y - mark.from.y);
    EXPECT_NEAR(picture.scale_bar / bond, 2 / 1.42, 1e-9);
}

TEST(PicturesOfBonds, OfPixelsHaveInkWhereTheAtomsAre) {
    const BondsPicture picture = picture_of(graphene({}), 1.9);
    const Image image = bonds_to_image(picture);
    for (const BondsMark& mark : picture.marks) {
        if (mark.kind != BondsMark::Kind::atom) continue;
        const auto x = static_cast<std::int64_t>(2 * mark.from.x), y = static_cast<std::int64_t>(2 * mark.from.y);
        const std::uint8_t* pixel = &image.pixels[static_cast<std::size_t>(3 * (y * image.width + x))];
        const Colour colour = light_colour(mark.tone);
        ASSERT_EQ(pixel[0], colour.red);
        ASSERT_EQ(pixel[2], colour.blue);
    }
    EXPECT_EQ(image.pixels[0], 255);
}

int gray_sum(const Image& image) {
    int sum = 0;
    for (std::size_t i = 0; i < image.pixels.size(); i += 3) sum += image.pixels[i];
    return sum;
}

TEST(Canvases, CoverAsMuchAsTheShapeHas) {
    Canvas disc(64, 64, {0, 0, 0}), line(64, 64, {0, 0, 0}), rect(64, 64, {0, 0, 0});
    disc.disc({31.3, 32.8}, 10, {255, 255, 255});
    EXPECT_NEAR(gray_sum(disc.take()) / 255.0, std::acos(-1.0) * 100, 3);
    line.line({10, 12}, {50, 33}, 4, {255, 255, 255});
    EXPECT_NEAR(gray_sum(line.take()) / 255.0, std::hypot(40, 21) * 4 + std::acos(-1.0) * 4, 3);
    rect.rect(10.25, 20.5, 7.5, 3.25, {255, 255, 255});
    EXPECT_NEAR(gray_sum(rect.take()) / 255.0, 7.5 * 3.25, 0.5);
}

TEST(Canvases, CutOffWhatLiesOutside) {
    Canvas canvas(8, 8, {9, 9, 9});
    canvas.disc({-100, 4}, 20, {255, 255, 255});
    canvas.line({-1e9, -1e9}, {-1e8, 1e9}, 3, {255, 255, 255});
    canvas.text(-200, 4, "Å 5", 3, {255, 255, 255});
    EXPECT_EQ(gray_sum(canvas.take()), 9 * 64);
}

TEST(Summaries, CountBothEndsOfAHalfListAndFindTheShortestPair) {
    ParticleSystem system;
    system.positions = {0, 0, 1.5, 0, 2.5, 0};
    system.dimensions = 2;
    const auto full = summarize(list_of(system, 2), false), half = summarize(list_of(system, 2, true), true);
    for (const NeighborSummary& summary : {full, half}) {
        EXPECT_EQ(summary.histogram, (std::vector<std::int64_t>{0, 2, 1}));
        EXPECT_DOUBLE_EQ(summary.mean, 4.0 / 3);
        ASSERT_TRUE(summary.shortest);
        EXPECT_EQ(summary.shortest->i, 1);
        EXPECT_EQ(summary.shortest->j, 2);
        EXPECT_EQ(summary.shortest->distance, 1);
    }
    EXPECT_EQ(full.pairs, 4);
    EXPECT_EQ(half.pairs, 2);
}

TEST(Summaries, OfNoPairsHaveNoShortest) {
    ParticleSystem system;
    system.positions = {0, 0, 0};
    const NeighborSummary summary = summarize(list_of(system, 2), false);
    EXPECT_FALSE(summary.shortest);
    EXPECT_EQ(summary.histogram, (std::vector<std::int64_t>{1}));
    EXPECT_NE(neighbors_to_json(summary, {}).find("\"shortest\": null"), std::string::npos);
    EXPECT_EQ(draw(summarize(NeighborList<double>(list_of({}, 2)), false), {}, {}).find("shortest"), std::string::npos);
}

TEST(Summaries, OfManyNumbersAreBinned) {
    NeighborSummary summary{.atoms = 1000, .pairs = 0, .least = 100, .most = 299};
    summary.histogram.assign(300, 5);
    const std::string text = draw(summary, {}, {});
    EXPECT_NE(text.find("100–108"), std::string::npos) << text;
    EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 40);
}

}  // namespace
}  // namespace lanework

// The cells of crystals, and where their atoms are.
#include "src/particles/crystals.hpp"

#include <numbers>

#include "src/core/fill.hpp"

namespace lanework {
namespace {

constexpr std::string_view kCarbon[] = {"C"}, kCopper[] = {"Cu"}, kSalt[] = {"Cs", "Cl"};

constexpr CrystalSite kSheetSites[] = {
    {{0, 0, 0}, 0}, {{1.0 / 6, 0.5, 0}, 0}, {{0.5, 0.5, 0}, 0}, {{2.0 / 3, 0, 0}, 0}};
constexpr CrystalSite kDiamondSites[] = {{{0, 0, 0}, 0},          {{0.5, 0.5, 0}, 0},      {{0.5, 0, 0.5}, 0},
                                         {{0, 0.5, 0.5}, 0},      {{0.25, 0.25, 0.25}, 0}, {{0.75, 0.75, 0.25}, 0},
                                         {{0.75, 0.25, 0.75}, 0}, {{0.25, 0.75, 0.75}, 0}};
constexpr CrystalSite kCentredSites[] = {{{0, 0, 0}, 0}, {{0.5, 0.5, 0}, 0}, {{0.5, 0, 0.5}, 0}, {{0, 0.5, 0.5}, 0}};
constexpr CrystalSite kSaltSites[] = {{{0, 0, 0}, 0}, {{0.5, 0.5, 0.5}, 1}};

constexpr double kBond = 1.42;  // Å, in graphene

}  // namespace

const Crystal kGraphene{"graphene", std::numbers::sqrt3* kBond, {std::numbers::sqrt3, 1, 0}, kSheetSites, kCarbon};
const Crystal kDiamond{"diamond", 3.567, {1, 1, 1}, kDiamondSites, kCarbon};
const Crystal kFaceCentred{"fcc", 3.615, {1, 1, 1}, kCentredSites, kCopper};
const Crystal kCaesiumChloride{"cscl", 4.119, {1, 1, 1}, kSaltSites, kSalt};

std::array<double, 3> crystal_position(const Crystal& crystal, double constant, std::array<std::int64_t, 2> cells,
                                       std::int64_t atom) {
    const auto sites = static_cast<std::int64_t>(crystal.sites.size());
    const std::int64_t cell = atom / sites;
    const std::int64_t place[] = {cell % cells[0], cell / cells[0] % cells[1], cell / (cells[0] * cells[1])};
    const auto& fraction = crystal.sites[static_cast<std::size_t>(atom % sites)].fraction;
    std::array<double, 3> position{};
    for (std::size_t axis = 0; axis < 3; ++axis)
        position[axis] = (static_cast<double>(place[axis]) + fraction[axis]) * (crystal.edges[axis] * constant);
    return position;
}

double random_fraction(std::uint64_t seed, std::int64_t atom, std::uint64_t axis) {
    return static_cast<double>(random_bits(seed + axis, static_cast<std::uint64_t>(atom)) >> 11) * 0x1p-53;
}

std::array<double, 3> at_fractions(const PeriodicBox& box, const std::array<double, 3>& fractions) {
    std::array<double, 3> position{};
    for (std::size_t axis = 0; axis < 3; ++axis)
        position[axis] = fractions[0] * box.vectors[0][axis] + fractions[1] * box.vectors[1][axis] +
                         fractions[2] * box.vectors[2][axis];
    return position;
}

}  // namespace lanework

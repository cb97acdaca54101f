// Building the systems, and counting what their lists hold.
#include "ops/neighbors/systems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <numbers>
#include <thread>

#include "src/particles/crystals.hpp"

namespace lanework {
namespace {

// What a system has at most: a second or two to make and to count it.
constexpr std::int64_t kMostAtoms = std::int64_t{1} << 24;
constexpr double kMostPairs = 5e8, kMostImages = 1e7;
constexpr double kTremble = 0.01;             // Å
constexpr double kGas = 0.03, kFluid = 0.05;  // atoms per Å³
constexpr std::uint64_t kSeed = 5;            // of the positions: the same for every run

using Position = std::array<double, 3>;

double uniform(std::int64_t atom, std::uint64_t axis) { return random_fraction(kSeed, atom, axis); }

/// Cells along each edge of the smallest cube of CsCl cells that holds the atoms.
std::int64_t crystal_edge(std::int64_t atoms) {
    std::int64_t edge = 1;
    while (2 * edge * edge * edge < atoms) ++edge;
    return edge;
}

/// Cells in the middle of which the box begins and ends: no atom trembles out of it.
Position crystal(std::int64_t atom, std::int64_t atoms) {
    const std::int64_t edge = crystal_edge(atoms);
    Position x = crystal_position(kCaesiumChloride, kCaesiumChloride.constant, {edge, edge}, atom);
    for (std::size_t axis = 0; axis < 3; ++axis)
        x[axis] += kCaesiumChloride.constant / 4 + kTremble * (uniform(atom, axis) - 0.5);
    return x;
}

/// A nearly square sheet, rippled.
Position graphene(std::int64_t atom, std::int64_t atoms) {
    const auto row = static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(atoms) / 4)));
    Position x = crystal_position(kGraphene, kGraphene.constant, {row, atoms}, atom);
    x[2] = 0.1 * std::sin(x[0] / 5) * std::cos(x[1] / 7);
    return x;
}

/// Points along each edge of the smallest cube that holds two atoms at each.
std::int64_t lattice_edge(std::int64_t atoms) {
    std::int64_t edge = 1;
    while (2 * edge * edge * edge < atoms) ++edge;
    return edge;
}

Position lattice(std::int64_t atom, std::int64_t atoms) {
    const std::int64_t edge = lattice_edge(atoms), point = atom / 2;
    return {static_cast<double>(point % edge), static_cast<double>(point / edge % edge),
            static_cast<double>(point / (edge * edge))};
}

double gas_edge(std::int64_t atoms, double density) {
    return std::max(std::cbrt(static_cast<double>(std::max<std::int64_t>(atoms, 1)) / density), 4.0);
}

Position position_of(const Problem& problem, const PeriodicBox& box, std::int64_t atom) {
    const double a = uniform(atom, 0), b = uniform(atom, 1), c = uniform(atom, 2);
    switch (static_cast<NeighborSystem>(problem.variant)) {
        case NeighborSystem::crystal: return crystal(atom, problem.lengths<NeighborsAxes>().atoms);
        case NeighborSystem::graphene: return graphene(atom, problem.lengths<NeighborsAxes>().atoms);
        case NeighborSystem::gas: return at_fractions(box, {a, b, c});
        case NeighborSystem::skewed: return at_fractions(box, {1.5 * a - 0.25, 1.5 * b - 0.25, c});
        case NeighborSystem::lattice: return lattice(atom, problem.lengths<NeighborsAxes>().atoms);
    }
    return {};
}

struct Cuboid {
    std::array<double, 3> low{}, high{};
};

Cuboid cuboid_of(const std::vector<double>& positions) {
    Cuboid cuboid;
    for (std::size_t axis = 0; axis < 3 && !positions.empty(); ++axis) {
        cuboid.low[axis] = cuboid.high[axis] = positions[axis];
        for (std::size_t i = axis; i < positions.size(); i += 3) {
            cuboid.low[axis] = std::min(cuboid.low[axis], positions[i]);
            cuboid.high[axis] = std::max(cuboid.high[axis], positions[i]);
        }
    }
    return cuboid;
}

/// Whether a cuboid moved by S·H comes within `reach` of where it was.
bool near(const Cuboid& cuboid, const PeriodicBox& box, const CellShift& s, double reach) {
    double squared = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        double t = 0;
        for (std::size_t k = 0; k < 3; ++k) t += s[k] * box.vectors[k][axis];
        const double apart = std::max(std::abs(t) - (cuboid.high[axis] - cuboid.low[axis]), 0.0);
        squared += apart * apart;
    }
    return squared < reach * reach;
}

/// Images of the box that are looked at, at most.
double expected_images(const Problem& problem, const PeriodicBox& box) {
    double images = 1;
    for (std::size_t k = 0; k < 3; ++k)
        if (box.periodic[k]) images *= 2 * neighbor_cutoff(problem) / box.vectors[0][0] + 11;
    return images;
}

/// Every system is made, and its list counted, before anything is known of it. Throws UsageError where that would take
/// minutes.
void check_size(const Problem& problem) {
    const PeriodicBox box = neighbor_box(problem);
    const double pairs = expected_pairs(problem);
    const auto [atoms, picometres] = problem.lengths<NeighborsAxes>();
    if (atoms <= kMostAtoms && pairs <= kMostPairs && expected_images(problem, box) <= kMostImages) return;
    throw UsageError(fmt::format(
        "neighbors: {} atoms with a cutoff of {} pm have about {:.2g} pairs; their systems are made of up to {} atoms, "
        "{:.2g} pairs and {:.2g} images of the box: choose fewer, or a shorter cutoff",
        atoms, picometres, pairs, kMostAtoms, kMostPairs, kMostImages));
}

SystemFacts find_facts(const Problem& problem) {
    check_size(problem);
    const std::vector<CellShift> images = neighbor_images(problem);
    SystemFacts facts{.images = static_cast<std::int32_t>(images.size()), .box = neighbor_box(problem)};
    facts.home = static_cast<std::int32_t>(std::find(images.begin(), images.end(), CellShift{}) - images.begin());
    const auto add_up = [&]<class T>(T) {
        std::vector<T> positions(static_cast<std::size_t>(3 * problem.lengths<NeighborsAxes>().atoms));
        neighbor_positions(problem, 0, positions.data());
        const Cuboid cuboid = cuboid_of(std::vector<double>(positions.begin(), positions.end()));
        std::copy(cuboid.low.begin(), cuboid.low.end(), facts.low);
        std::copy(cuboid.high.begin(), cuboid.high.end(), facts.high);
        const Team team{static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U))};
        if (problem.lengths<NeighborsAxes>().picometres == 0) return;
        const auto list = neighbors(Particles<T>{.positions = positions, .boxes = {&facts.box, 1}},
                                    {.cutoff = neighbor_cutoff(problem)}, team);
        facts.pairs = list.pairs();
        for (std::int64_t i = 0; i < list.atoms(); ++i)
            facts.most = std::max(facts.most, static_cast<std::int32_t>(list.count(i)));
    };
    if (problem.dtype == DType::float32)
        add_up(float{});
    else
        add_up(double{});
    return facts;
}

}  // namespace

PeriodicBox neighbor_box(const Problem& problem) {
    const std::int64_t atoms = problem.lengths<NeighborsAxes>().atoms;
    switch (static_cast<NeighborSystem>(problem.variant)) {
        case NeighborSystem::crystal: {
            const double edge = static_cast<double>(crystal_edge(atoms)) * kCaesiumChloride.constant;
            return PeriodicBox::orthorhombic(edge, edge, edge);
        }
        case NeighborSystem::graphene: return PeriodicBox::open();
        case NeighborSystem::gas: {
            const double edge = gas_edge(atoms, kGas);
            return PeriodicBox::orthorhombic(edge, edge, edge);
        }
        case NeighborSystem::skewed: {
            const double edge = gas_edge(atoms, kFluid);  // its volume is edge³, its corner left-handed
            return {{{{edge, 0, 0}, {0.7 * edge, -edge, 0}, {0.4 * edge, 0.3 * edge, edge}}}, {true, true, false}};
        }
        case NeighborSystem::lattice: {
            const auto edge = static_cast<double>(lattice_edge(atoms));
            return PeriodicBox::orthorhombic(edge, edge, edge);
        }
    }
    return {};
}

double expected_pairs(const Problem& problem) {
    const auto atoms = static_cast<double>(problem.lengths<NeighborsAxes>().atoms);
    const double reach = neighbor_cutoff(problem), disc = std::numbers::pi * reach * reach;
    if (static_cast<NeighborSystem>(problem.variant) == NeighborSystem::graphene) {
        const double area = 0.75 * std::sqrt(3.0) * 1.42 * 1.42;  // Å² of an atom
        return atoms * std::min(atoms, disc / area);
    }
    const PeriodicBox box = neighbor_box(problem);
    const double edge = box.vectors[0][0], density = atoms / (edge * edge * edge);
    return atoms * density * disc * (box.periodic[2] ? 4 * reach / 3 : std::min(4 * reach / 3, edge));
}

template <class T>
void neighbor_positions(const Problem& problem, std::int64_t first, T* positions) {
    const PeriodicBox box = neighbor_box(problem);
    const std::int64_t atoms = problem.lengths<NeighborsAxes>().atoms;
    for (std::int64_t i = 0; i < atoms; ++i) {
        const Position position = position_of(problem, box, (i + first) % atoms);
        for (std::size_t axis = 0; axis < 3; ++axis)
            positions[3 * i + static_cast<std::int64_t>(axis)] = static_cast<T>(position[axis]);
    }
}
template void neighbor_positions<float>(const Problem&, std::int64_t, float*);
template void neighbor_positions<double>(const Problem&, std::int64_t, double*);

std::vector<CellShift> neighbor_images(const Problem& problem) {
    const PeriodicBox box = neighbor_box(problem);
    std::vector<double> positions(static_cast<std::size_t>(3 * problem.lengths<NeighborsAxes>().atoms));
    neighbor_positions(problem, 0, positions.data());
    const Cuboid cuboid = cuboid_of(positions);
    const double reach = neighbor_cutoff(problem) * 1.001 + 0.001;
    double farthest = reach;
    for (std::size_t axis = 0; axis < 3; ++axis) farthest += cuboid.high[axis] - cuboid.low[axis];
    // The lower triangle of the boxes above: a component of S is at most this far over its vector's own axis.
    std::int32_t most[3] = {0, 0, 0};
    for (std::size_t k = 3; k-- > 0;) {
        if (!box.periodic[k]) continue;
        double length = farthest;
        for (std::size_t above = k + 1; above < 3; ++above)
            if (box.periodic[above]) length += most[above] * std::abs(box.vectors[above][k]);
        most[k] = static_cast<std::int32_t>(std::ceil(length / std::abs(box.vectors[k][k])));
    }
    std::vector<CellShift> images;
    for (std::int32_t a = -most[0]; a <= most[0]; ++a)
        for (std::int32_t b = -most[1]; b <= most[1]; ++b)
            for (std::int32_t c = -most[2]; c <= most[2]; ++c)
                if (near(cuboid, box, {a, b, c}, reach)) images.push_back({a, b, c});
    return images;
}

SystemFacts facts_of(const Problem& problem) {
    static std::mutex mutex;
    static std::map<std::tuple<Extents, DType, std::uint8_t>, SystemFacts> known;
    const std::scoped_lock lock(mutex);
    const auto [at, is_new] = known.try_emplace({problem.extent, problem.dtype, problem.variant});
    if (is_new) {
        try {
            at->second = find_facts(problem);
        } catch (...) {
            known.erase(at);
            throw;
        }
    }
    return at->second;
}

}  // namespace lanework

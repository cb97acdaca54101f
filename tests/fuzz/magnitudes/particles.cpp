// Neighbour lists, what is made of them, boxes from text, and crystals: every list against the definition, pair by
// pair.
#include <algorithm>
#include <lanework/neighbors.hpp>
#include <type_traits>

#include "src/particles/arithmetic.hpp"
#include "src/particles/box.hpp"
#include "src/particles/generate.hpp"
#include "tests/fuzz/magnitudes/draw.hpp"

namespace lanework::magnitudes {
namespace {

/// A system in a drawn unit of length, with some of its numbers replaced by those that break programs.
template <class T>
struct System {
    std::vector<T> positions;
    std::vector<PeriodicBox> boxes;
    std::vector<std::int32_t> types;
    std::vector<std::int64_t> systems;
    NeighborOptions options;
    int dimensions = 3;

    explicit System(Draw& draw) {
        const bool tame = draw.once_in(3);
        const int most = std::is_same_v<T, float> ? 60 : 88;
        const double unit = std::ldexp(1.0, tame ? 0 : draw.below(2 * most) - most);
        const int odds = tame ? 0 : 1 << draw.below(6);  // of a number that breaks programs
        const auto length = [&](double low, double high) {
            return odds > 0 && draw.once_in(4 * odds) ? draw.real<double>() : unit * draw.ordinary(low, high);
        };
        dimensions = draw.once_in(4) ? 2 : 3;
        const int atoms = draw.below(8);
        for (int k = 0; k < atoms * dimensions; ++k) {
            positions.push_back(odds > 0 && draw.once_in(4 * odds) ? draw.real<T>()
                                                                   : static_cast<T>(unit * draw.ordinary(-4, 8)));
            if (draw.once_in(50)) positions.back() = positions[static_cast<std::size_t>(draw.below(k + 1))];
        }
        const std::size_t batch = draw.once_in(8) ? 2 : 1;
        if (batch == 2) systems = {0, draw.once_in(8) ? draw.whole() : draw.below(atoms + 1), atoms};
        if (!draw.once_in(3))
            for (std::size_t s = 0; s < batch; ++s) boxes.push_back(box(draw, length));
        options.cutoff = length(0.2, 3);
        options.half = draw.once_in(3);
        options.first = options.shifts = options.vectors = options.distances = true;
        if (draw.once_in(4)) options.nearest = draw.once_in(4) ? draw.whole32() : draw.below(5);
        options.memory_limit = std::size_t{1} << 22;
        if (draw.once_in(4)) {
            const double one = length(0.2, 3), both = length(0.2, 3), other = draw.once_in(3) ? 0 : length(0.2, 3);
            options.pair_cutoffs = {one, both, both, other};
            for (int i = 0; i < atoms; ++i) types.push_back(draw.once_in(60) ? draw.whole32() : draw.below(2));
        }
        if (draw.once_in(60)) dimensions = draw.whole32();
    }

    Particles<T> particles() const { return {positions, boxes, dimensions, types, systems}; }

private:
    template <class Length>
    PeriodicBox box(Draw& draw, const Length& length) const {
        PeriodicBox box;
        const auto axes = static_cast<std::size_t>(dimensions);
        for (std::size_t k = 0; k < axes; ++k) {
            box.periodic[k] = !draw.once_in(3);
            for (std::size_t axis = 0; axis < axes; ++axis)
                box.vectors[k][axis] = length(k == axis ? 2 : -1, k == axis ? 6 : 1);
        }
        if (draw.once_in(30)) box.periodic[2] = true;
        return box;
    }
};

template <class T>
void require_ordered(const NeighborList<T>& list, const System<T>& system) {
    require(list.atoms() == system.particles().atoms(), "there are lists for another number of atoms");
    require(list.pairs() == list.offsets[list.offsets.size() - 1], "the offsets end elsewhere than the pairs");
    for (std::int64_t i = 0; i < list.atoms(); ++i)
        for (auto k = static_cast<std::size_t>(list.offsets[static_cast<std::size_t>(i)]);
             k < static_cast<std::size_t>(list.offsets[static_cast<std::size_t>(i) + 1]); ++k) {
            require(list.first[k] == i && list.indices[k] >= 0 && list.indices[k] < list.atoms(),
                    "an index is of no atom");
            if (k == static_cast<std::size_t>(list.offsets[static_cast<std::size_t>(i)])) continue;
            require(std::pair(list.indices[k - 1], list.shifts[k - 1]) < std::pair(list.indices[k], list.shifts[k]),
                    "the list is not in its order");
        }
}

/// Every pair of the list is one, and in open space every other is not.
template <class T>
void require_right(const NeighborList<T>& list, const System<T>& system) {
    const Particles<T> p = system.particles();
    const auto at = [&](std::int64_t i) {
        const T* const x = p.positions.data() + i * p.dimensions;
        return Vec3<T>{x[0], x[1], p.dimensions == 3 ? x[2] : T{0}};
    };
    const auto limit = [&](std::int64_t i, std::int64_t j) {
        if (system.options.pair_cutoffs.empty()) return squared_cutoff(static_cast<T>(system.options.cutoff));
        const auto row =
            static_cast<std::size_t>(2 * p.types[static_cast<std::size_t>(i)] + p.types[static_cast<std::size_t>(j)]);
        return squared_cutoff(static_cast<T>(system.options.pair_cutoffs[row]));
    };
    const auto system_of = [&](std::int64_t i) {
        return p.systems.size() == 3 && i >= p.systems[1] ? std::size_t{1} : 0;
    };
    for (std::size_t k = 0; k < list.indices.size(); ++k) {
        const std::int64_t i = list.first[k], j = list.indices[k];
        double rows[3][3] = {};
        for (std::size_t m = 0; m < 3 && !p.boxes.empty(); ++m)
            for (std::size_t axis = 0; axis < 3; ++axis)
                if (const PeriodicBox& box = p.boxes[system_of(i)]; box.periodic[m])
                    rows[m][axis] = box.vectors[m][axis];
        const CellShift& s = list.shifts[k];
        const Vec3<T> d = displacement(at(i), at(j), translation<T>(Image3{s[0], s[1], s[2]}, rows));
        require(d.x == list.vectors[k][0] && d.y == list.vectors[k][1] && d.z == list.vectors[k][2],
                "a vector is another");
        require(squared_length(d) < limit(i, j), "a pair is not within its cutoff");
    }
    if (!p.boxes.empty() || system.options.nearest > 0) return;
    std::size_t pairs = 0;
    for (std::int64_t i = 0; i < p.atoms(); ++i)
        for (std::int64_t j = system.options.half ? i + 1 : 0; j < p.atoms(); ++j)
            if (i != j && system_of(i) == system_of(j) &&
                squared_length(displacement(at(i), at(j), Vec3<T>{})) < limit(i, j))
                ++pairs;
    require(pairs == list.indices.size(), "the list misses pairs");
}

Team team(Draw& draw) { return {draw.once_in(40) ? draw.whole32() : draw.once_in(4) ? 2 : 1}; }

template <class T>
void call_neighbors(Draw& draw) {
    const System<T> system(draw);
    const NeighborList<T> list = neighbors(system.particles(), system.options, team(draw));
    require_ordered(list, system);
    require_right(list, system);
    require(first_atoms(list).size() == list.indices.size(), "first_atoms has another length");
    const NeighborMatrix matrix =
        to_matrix(list, draw.of({NeighborMatrix::Layout::by_atom, NeighborMatrix::Layout::by_slot}));
    require(matrix.atoms == list.atoms(), "the matrix has another number of atoms");
}

template <class T>
void call_skinned(Draw& draw) {
    System<T> system(draw);
    if (!draw.once_in(10)) system.options.nearest = 0, system.options.pair_cutoffs.clear();
    const double skin = draw.once_in(3) ? draw.real<double>() : system.options.cutoff * draw.ordinary(0, 1);
    SkinnedNeighbors<T> skinned(system.options, skin);
    for (int step = 0; step < 3; ++step) {
        if (!system.positions.empty() && step > 0) {
            T& moved =
                system.positions[static_cast<std::size_t>(draw.below(static_cast<int>(system.positions.size())))];
            moved = draw.once_in(2) ? static_cast<T>(static_cast<double>(moved) + skin * draw.ordinary(-0.6, 0.6))
                                    : draw.real<T>();
        }
        skinned.update(system.particles(), team(draw));
        const NeighborList<T> found = skinned.within_cutoff(system.particles());
        const NeighborList<T> right = neighbors(system.particles(), system.options, Team{1});
        require(std::ranges::equal(found.indices, right.indices) && std::ranges::equal(found.offsets, right.offsets),
                "a list with a skin is another than without");
    }
}

std::string numbers_text(Draw& draw, int count, const char* between) {
    std::string text;
    for (int k = 0; k < count; ++k) text += (k > 0 ? between : "") + draw.text();
    return text;
}

void call_box(Draw& draw) {
    const int dimensions = draw.once_in(3) ? 2 : 3;
    PeriodicBox box;
    if (draw.once_in(2)) {
        std::array<double, 3> edges{}, angles{};
        for (double& edge : edges) edge = draw.once_in(3) ? draw.real<double>() : draw.ordinary(0, 9);
        for (double& angle : angles) angle = draw.once_in(3) ? draw.real<double>() : draw.ordinary(30, 120);
        box.vectors = box_from_edges(edges, angles);
    } else {
        box.vectors = parse_box(numbers_text(draw, draw.of({1, 2, 3, 3, 4, 6, 6, 9}), ","), dimensions);
    }
    box.periodic = parse_periodic(draw.of({"xyz", "xy", "z", "none", "", "xx", "q"}), dimensions);
    check_box(box);
    for (const auto& vector : box.vectors)
        for (const double x : vector) require(std::isfinite(x), "a box has a component that is not finite");
}

void call_make_particles(Draw& draw) {
    const auto kinds = particle_kinds();
    ParticleRecipe recipe{.kind = kinds[static_cast<std::size_t>(draw.below(static_cast<int>(kinds.size())))]};
    const bool gas = recipe.kind == "gas", sheet = recipe.kind == "graphene";
    const auto count = [&] { return draw.once_in(3) ? draw.whole() : 1 + draw.below(9); };
    const auto length = [&] { return draw.once_in(3) ? draw.real<double>() : draw.ordinary(0, 9); };
    if (sheet || draw.once_in(30)) recipe.rows = count(), recipe.cols = count();
    if ((!sheet && !gas) || draw.once_in(30)) recipe.cells = {count(), count(), count()};
    if (gas || draw.once_in(30)) recipe.atoms = draw.once_in(3) ? draw.whole() : draw.below(99);
    if (recipe.atoms > 5000 && *recipe.atoms <= kMostMadeAtoms)
        recipe.atoms = 5000;  // right, and a matter of time alone
    double made = 8;          // what is right and large is a matter of time alone
    for (const auto& one : {recipe.rows, recipe.cols})
        made *= static_cast<double>(std::max<std::int64_t>(one.value_or(10), 1));
    if (recipe.cells)
        for (const std::int64_t one : *recipe.cells) made *= static_cast<double>(std::max<std::int64_t>(one, 1));
    if (made > 1e5 && made < 1e12) return;
    if (!gas && draw.once_in(2)) recipe.constant = length();
    if (gas && draw.once_in(2)) recipe.density = length();
    if (gas && draw.once_in(4)) recipe.box = BoxVectors{{{length(), 0, 0}, {0, length(), 0}, {0, 0, length()}}};
    if (recipe.box && recipe.density) recipe.density = draw.real<double>(), recipe.atoms.reset();
    if (recipe.box && recipe.density) {
        const auto& box = *recipe.box;
        const double atoms = *recipe.density * box[0][0] * box[1][1] * box[2][2];
        if (std::abs(atoms) > 5000 && std::abs(atoms) < 2.0 * kMostMadeAtoms) return;
    }
    if (draw.once_in(2)) recipe.noise = length();
    if (draw.once_in(2)) recipe.vacuum = length();
    recipe.seed = draw.bits();
    const ParticleSystem system = make_particles(recipe);
    for (const double x : system.positions) require(std::isfinite(x), "an atom is made that is nowhere");
}

constexpr Fuzzed kTargets[] = {
    {"neighbors float", call_neighbors<float>},
    {"neighbors double", call_neighbors<double>},
    {"skinned float", call_skinned<float>},
    {"skinned double", call_skinned<double>},
    {"boxes", call_box},
    {"particles made", call_make_particles},
};

}  // namespace

std::span<const Fuzzed> particle_targets() { return kTargets; }

}  // namespace lanework::magnitudes

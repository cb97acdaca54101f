// What a neighbour list is, which systems it is verified and timed on, and the definition that decides.
#include "ops/neighbors/operation.hpp"

#include <algorithm>
#include <cstring>
#include <lanework/operation.hpp>

#include "src/core/fill.hpp"

namespace {

constexpr std::string_view kVariants[] = {"crystal", "graphene", "gas", "skewed", "lattice"};
// Around a warp; cutoffs below every distance, of bonds, beyond the box; several blocks and several tiles.
constexpr Extents kVerified[] = {extents(0, 300),  extents(1, 450),   extents(2, 900),   extents(31, 142),
                                 extents(54, 600), extents(128, 412), extents(160, 190), extents(270, 100)};
constexpr Extents kCuda[] = {extents(65'536, 600), extents(65'536, 1500), extents(1'048'576, 600)};
constexpr Extents kSimt[] = {extents(400, 600)};
constexpr Extents kCpu[] = {extents(65'536, 600)};

std::size_t atoms_of(const Problem& p) { return static_cast<std::size_t>(p.lengths<NeighborsAxes>().atoms); }

template <class T>
void fill_arrays(const Problem& p, std::uint64_t seed, const Buffers& b) {
    const auto [positions, images, boxes] = b.arrays<T, T, PeriodicBox>();
    const std::int64_t atoms = p.lengths<NeighborsAxes>().atoms;
    const std::int64_t first = atoms > 0 ? static_cast<std::int64_t>(random_bits(seed, 0) >> 16) % atoms : 0;
    neighbor_positions(p, first, positions);
    const PeriodicBox box = neighbor_box(p);
    double rows[3][3];
    for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t axis = 0; axis < 3; ++axis) rows[k][axis] = box.periodic[k] ? box.vectors[k][axis] : 0;
    T* image = images;
    for (const CellShift& s : neighbor_images(p)) {
        const Vec3<T> t = translation<T>({s[0], s[1], s[2]}, rows);
        *image++ = t.x;
        *image++ = t.y;
        *image++ = t.z;
    }
    std::memset(static_cast<void*>(boxes), 0,
                sizeof(PeriodicBox));  // its padding too: inputs are compared byte by byte
    boxes->vectors = box.vectors;
    boxes->periodic = box.periodic;
}

/// The definition, where a square of the atoms is affordable.
template <class T>
void by_definition(const NeighborsArgs<T>& a) {
    std::int64_t found = 0;
    for (std::int64_t i = 0; i < a.n; ++i) {
        a.offsets[i] = static_cast<std::uint64_t>(found);
        for (std::int64_t j = 0; j < a.n; ++j)
            for (std::int32_t image = 0; image < a.facts.images; ++image) {
                if (i == j && image == a.facts.home) continue;
                T squared = 0;
                for (int axis = 0; axis < 3; ++axis) {
                    const T d = (a.positions[3 * j + axis] - a.positions[3 * i + axis]) + a.images[3 * image + axis];
                    squared += d * d;
                }
                if (squared < a.limit) a.indices[found++] = static_cast<std::int32_t>(j);
            }
    }
    a.offsets[a.n] = static_cast<std::uint64_t>(found);
}

/// Beyond that, the library's list: tests/particles holds it against the definition.
template <class T>
void reference(const NeighborsArgs<T>& a) {
    constexpr std::int64_t kAffordable = 3000;
    if (a.n <= kAffordable || a.cutoff == 0) return by_definition(a);
    const auto list =
        neighbors(Particles<T>{.positions = {a.positions, static_cast<std::size_t>(3 * a.n)}, .boxes = {a.box, 1}},
                  {.cutoff = a.cutoff}, Team{1});
    std::copy(list.offsets.begin(), list.offsets.end(), a.offsets);
    std::copy(list.indices.begin(), list.indices.end(), a.indices);
}

}  // namespace

LANEWORK_OPERATION(
    neighbors,
    {
        .summary = "j is listed for i when |x[j] − x[i] + image of the box| < cutoff",
        .axes = NeighborsAxes::names,
        .variants = kVariants,
        .verified = kVerified,
        .timed = {.cuda = kCuda, .simt = kSimt, .cpu = kCpu},
        .buffers = [](const Problem& p) -> std::vector<BufferSpec> {
            const SystemFacts facts = facts_of(p);
            return {{"positions", Role::input, p.dtype, 3 * atoms_of(p)},
                    {"images", Role::input, p.dtype, 3 * static_cast<std::size_t>(facts.images)},
                    {"box", Role::input, DType::uint8, sizeof(PeriodicBox)},
                    {"offsets", Role::output, DType::uint64, atoms_of(p) + 1},
                    {"indices", Role::output, DType::int32, static_cast<std::size_t>(facts.pairs)}};
        },
        // The least that any method does: read the atoms, write the list, and test each pair in it once, from one of
        // its sides: three differences, three products, two sums and a comparison, none of them half of an FMA. That is
        // nine operations for two entries. What else is tested is the method's own affair.
        .work =
            [](const Problem& p) {
                const auto pairs = static_cast<std::uint64_t>(facts_of(p).pairs);
                return Work{.bytes_read = 3 * size_of(p.dtype) * atoms_of(p),
                            .bytes_written = sizeof(std::uint64_t) * (atoms_of(p) + 1) + sizeof(std::int32_t) * pairs,
                            .flops = 9 * pairs};
            },
        .fill =
            [](const Problem& p, std::uint64_t seed, const Buffers& b) {
                p.dtype == DType::float32 ? fill_arrays<float>(p, seed, b) : fill_arrays<double>(p, seed, b);
            },
        .reference = {reference<float>, reference<double>},
        .tolerance =
            [](const Problem&) { return Tolerance{.reason = "the arithmetic is fixed to the bit: so are the pairs"}; },
    });

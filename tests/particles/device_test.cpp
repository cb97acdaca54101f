// simt and GPUs find what the processor finds, in every bit, whatever the system.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/particles/brute_force.hpp"
#include "tests/particles/random_systems.hpp"

namespace lanework {
namespace {

constexpr DeviceKind kKinds[] = {DeviceKind::simt, DeviceKind::cuda};

template <class T>
void expect_same(const NeighborList<T>& found, const NeighborList<T>& expected) {
    ASSERT_TRUE(std::ranges::equal(found.offsets, expected.offsets));
    EXPECT_TRUE(entries_of(found) == entries_of(expected));
}

template <class T>
void compare_devices(std::uint64_t first, int count) {
    for (const DeviceKind kind : kKinds) {
        if (availability(kind).count == 0) continue;
        const auto device = open_device(name_of(kind));
        for (int k = 0; k < count; ++k) {
            const auto system = random_system<T>(first + static_cast<std::uint64_t>(k));
            SCOPED_TRACE("system " + std::to_string(first + static_cast<std::uint64_t>(k)) + " on " +
                         device->info().id);
            expect_same(neighbors(system.particles(), system.options, *device),
                        neighbors(system.particles(), system.options, Team{1}));
            if (testing::Test::HasFailure()) return;
        }
    }
}

TEST(NeighborsOnDevices, AreThoseOfTheProcessorInFloat) { compare_devices<float>(200'000, 150); }
TEST(NeighborsOnDevices, AreThoseOfTheProcessorInDouble) { compare_devices<double>(300'000, 150); }

/// Where many pairs are as far as each other, and where there are fewer than k.
template <class T>
void compare_nearest(std::uint64_t first, int count) {
    for (const DeviceKind kind : kKinds) {
        if (availability(kind).count == 0) continue;
        const auto device = open_device(name_of(kind));
        for (int k = 0; k < count; ++k) {
            auto system = random_system<T>(first + static_cast<std::uint64_t>(k));
            system.options.half = false;
            system.options.nearest = 1 + k % 9;
            system.options.first = true;
            SCOPED_TRACE("system " + std::to_string(first + static_cast<std::uint64_t>(k)) + " on " +
                         device->info().id);
            const auto expected = neighbors(system.particles(), system.options, Team{1});
            const auto found = neighbors(system.particles(), system.options, *device);
            expect_same(found, expected);
            EXPECT_TRUE(std::ranges::equal(found.first, first_atoms(expected)));
            if (testing::Test::HasFailure()) return;
        }
    }
}

TEST(NeighborsOnDevices, OfTheNearestAreThoseOfTheProcessorInFloat) { compare_nearest<float>(400'000, 60); }
TEST(NeighborsOnDevices, OfTheNearestAreThoseOfTheProcessorInDouble) { compare_nearest<double>(500'000, 60); }

template <class T>
std::vector<T> random_gas(std::size_t atoms, double length, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(0, length);
    std::vector<T> x(3 * atoms);
    for (T& each : x) each = static_cast<T>(uniform(random));
    return x;
}

void compare_on_all(const Particles<float>& particles, const NeighborOptions& options) {
    const auto expected = neighbors(particles, options, Team{2});
    EXPECT_GT(expected.pairs(), 0);
    for (const DeviceKind kind : kKinds)
        if (availability(kind).count > 0)
            expect_same(neighbors(particles, options, *open_device(name_of(kind))), expected);
}

TEST(NeighborsOnDevices, AreSortedWhenAnAtomHasMoreThanAWarpSortsAtOnce) {
    // 2600 neighbours for each atom: more than two portions of the large buffer, among atoms with few.
    std::vector<float> x;
    for (int i = 0; i < 60; ++i)
        x.insert(x.end(), {0.01F * static_cast<float>(i % 7), 0.02F * static_cast<float>(i % 5), 0});
    const auto box = PeriodicBox::orthorhombic(1, 1, 1);
    compare_on_all({.positions = x, .boxes = {&box, 1}}, {.cutoff = 2.2, .shifts = true, .distances = true});
    compare_on_all({.positions = x, .boxes = {&box, 1}},
                   {.cutoff = 2.2, .shifts = true, .distances = true, .nearest = 1500});
}

TEST(NeighborsOnDevices, AreRightWhereAWarpTakesSeveralAtomsOfACell) {
    // Enough atoms that a warp of simt takes some; those of a cell are followed by those of another.
    std::vector<float> x = random_gas<float>(1500, 9, 12);
    for (std::size_t i = 0; i < 60; ++i) x[i] -= 9;  // and some lie outside the box
    const PeriodicBox box{{{{9, 0, 0}, {4, -9, 0}, {1, 2, 9}}}, {true, true, false}};
    compare_on_all({.positions = x, .boxes = {&box, 1}}, {.cutoff = 1.2, .shifts = true, .vectors = true});
    compare_on_all({.positions = x, .boxes = {&box, 1}}, {.cutoff = 1.2, .half = true, .shifts = true});
}

TEST(NeighborsOnDevices, AreSortedWhenTheyAreTooManyToBeKeptWhileTheyAreCounted) {
    const std::vector<float> x = random_gas<float>(300, 6, 11);  // lists of about 160, 90 and 60
    const auto box = PeriodicBox::orthorhombic(6, 6, 6);
    for (const double cutoff : {3.0, 2.5, 2.2})
        compare_on_all({.positions = x, .boxes = {&box, 1}}, {.cutoff = cutoff, .shifts = true, .distances = true});
}

TEST(NeighborsOnDevices, AreFoundWhereAtomsLieFartherAwayThanAGridIsMadeFor) {
    // A million Å from the origin floats are 1/16 apart: rounding makes pairs near that lie a whole cell and more from
    // each other, here 3.0035 Å.
    constexpr double kLength = 12.014, kCell = kLength / 4, kCutoff = 3.001;
    std::vector<float> positions;
    for (int boxes = 83'000; positions.size() < 6 * 20; ++boxes) {
        const float from = 3, to = static_cast<float>(6.02 + boxes * kLength);
        const float near = (to - from) + static_cast<float>(-boxes * kLength);
        if (!(near < kCutoff) || to - boxes * kLength < 2.0005 * kCell) continue;
        const auto y = static_cast<float>(positions.size()) / 12;
        positions.insert(positions.end(), {from, y, y, to, y, y});
    }
    const PeriodicBox box = PeriodicBox::orthorhombic(kLength, kLength, kLength);
    compare_on_all({.positions = positions, .boxes = {&box, 1}}, {.cutoff = kCutoff, .shifts = true});
}

TEST(NeighborsOnDevices, ShareBucketsWhenSpaceIsNearlyEmpty) {
    std::vector<float> x = random_gas<float>(120, 4, 9);
    for (std::size_t i = 0; i < 180; ++i) x[i] += 1e5F;  // half of the atoms far away in one corner
    const auto box = PeriodicBox::orthorhombic(5e5, 5e5, 5e5, {true, false, true});
    compare_on_all({.positions = x, .boxes = {&box, 1}}, {.cutoff = 1.5, .shifts = true, .vectors = true});
}

TEST(NeighborsOnDevices, OfABatchAreThoseOfItsSystems) {
    const std::vector<float> x = random_gas<float>(200, 6, 4);
    const std::vector<std::int64_t> systems = {0, 1, 1, 70, 200};
    const std::vector<PeriodicBox> boxes = {PeriodicBox::orthorhombic(2, 2, 2), PeriodicBox::open(),
                                            PeriodicBox::orthorhombic(6, 6, 6, {true, true, false}),
                                            PeriodicBox{{{{6, 0, 0}, {3, 5, 0}, {-1, 2, 7}}}, {true, true, true}}};
    compare_on_all({.positions = x, .boxes = boxes, .systems = systems},
                   {.cutoff = 2.5, .shifts = true, .vectors = true, .distances = true});
}

/// A device list of a fixed capacity, as a caller holds it.
struct Fixed {
    Fixed(Device& on, const std::vector<float>& x, const PeriodicBox& box, std::int64_t capacity)
        : device(on),
          positions(on.allocate(x.size() * sizeof(float))),
          boxes(on.allocate(sizeof box)),
          offsets(on.allocate((x.size() / 3 + 1) * sizeof(std::int64_t))),
          status(on.allocate(sizeof(NeighborStatus))),
          indices(on.allocate(static_cast<std::size_t>(capacity) * sizeof(std::int32_t))) {
        device.upload(positions.data(), x.data(), x.size() * sizeof(float));
        device.upload(boxes.data(), &box, sizeof box);
        particles.positions = reinterpret_cast<const float*>(positions.data());
        particles.atoms = static_cast<std::int64_t>(x.size() / 3);
        particles.boxes = reinterpret_cast<const PeriodicBox*>(boxes.data());
        list.offsets = reinterpret_cast<std::int64_t*>(offsets.data());
        list.status = reinterpret_cast<NeighborStatus*>(status.data());
        list.indices = reinterpret_cast<std::int32_t*>(indices.data());
        list.capacity = capacity;
        device.fill(indices.data(), std::byte{0x7b}, indices.bytes());
    }
    NeighborStatus build(const NeighborOptions& options) {
        const std::size_t bytes = neighbor_workspace(particles);
        const DeviceMemory workspace = device.allocate(bytes);
        enqueue_neighbor_count(particles, options, list, {workspace.data(), bytes}, device);
        enqueue_neighbor_fill(particles, options, list, {workspace.data(), bytes}, device);
        device.synchronize();
        NeighborStatus result;
        device.download(&result, status.data(), sizeof result);
        return result;
    }
    std::vector<std::int32_t> found() {
        std::vector<std::int32_t> result(static_cast<std::size_t>(list.capacity));
        device.download(result.data(), indices.data(), result.size() * sizeof(std::int32_t));
        return result;
    }

    Device& device;
    DeviceMemory positions, boxes, offsets, status, indices;
    DeviceParticles<float> particles;
    DeviceNeighborList<float> list;
};

TEST(NeighborsOnDevices, OfAFixedCapacitySayWhatTheyWouldHaveNeededAndWriteNoPart) {
    const std::vector<float> x = random_gas<float>(90, 5, 2);
    const auto box = PeriodicBox::orthorhombic(5, 5, 5);
    const auto expected = neighbors(Particles<float>{.positions = x, .boxes = {&box, 1}}, {.cutoff = 2}, Team{1});
    for (const DeviceKind kind : kKinds) {
        if (availability(kind).count == 0) continue;
        const auto device = open_device(name_of(kind));
        Fixed enough(*device, x, box, expected.pairs()), less(*device, x, box, expected.pairs() - 1);
        EXPECT_EQ(enough.build({.cutoff = 2}).pairs, static_cast<std::uint64_t>(expected.pairs()));
        EXPECT_TRUE(std::ranges::equal(enough.found(), expected.indices));
        EXPECT_EQ(less.build({.cutoff = 2}).pairs, static_cast<std::uint64_t>(expected.pairs()));
        for (const std::int32_t index : less.found()) ASSERT_EQ(index, 0x7b7b7b7b);
    }
}

TEST(NeighborsOnDevices, MayLeaveOutTheIndices) {
    const std::vector<float> x = random_gas<float>(300, 6, 11);
    const auto box = PeriodicBox::orthorhombic(6, 6, 6);
    const NeighborOptions options{.cutoff = 3, .distances = true};
    const auto expected = neighbors(Particles<float>{.positions = x, .boxes = {&box, 1}}, options, Team{1});
    for (const DeviceKind kind : kKinds) {
        if (availability(kind).count == 0) continue;
        const auto device = open_device(name_of(kind));
        Fixed fixed(*device, x, box, expected.pairs());
        const std::size_t bytes = static_cast<std::size_t>(expected.pairs()) * sizeof(float);
        const DeviceMemory distances = device->allocate(bytes);
        fixed.list.indices = nullptr;
        fixed.list.distances = reinterpret_cast<float*>(distances.data());
        fixed.build(options);
        std::vector<float> found(static_cast<std::size_t>(expected.pairs()));
        device->download(found.data(), distances.data(), bytes);
        EXPECT_TRUE(std::ranges::equal(found, expected.distances));
    }
}

TEST(NeighborsOnDevices, NameTheFirstBadAtomAndTheFirstBadBox) {
    std::vector<float> x = random_gas<float>(90, 5, 2);
    const auto box = PeriodicBox::orthorhombic(5, 5, 5);
    const PeriodicBox flat{{{{5, 0, 0}, {5, 0, 0}, {0, 0, 5}}}, {true, true, true}};
    for (const DeviceKind kind : kKinds) {
        if (availability(kind).count == 0) continue;
        const auto device = open_device(name_of(kind));
        EXPECT_EQ(Fixed(*device, x, flat, 10).build({.cutoff = 2}).bad_system, 0);
        auto broken = x;
        broken[3 * 41 + 1] = NAN;
        broken[3 * 70] = INFINITY;
        const NeighborStatus status = Fixed(*device, broken, box, 10).build({.cutoff = 2});
        EXPECT_EQ(status.bad_atom, 41);
        EXPECT_EQ(status.pairs, 0U);
    }
}

}  // namespace
}  // namespace lanework

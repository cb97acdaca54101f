// Lists that stay in a device's memory while atoms move, and what stands behind the last pair of one with room to
// spare.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <lanework/device_array.hpp>
#include <lanework/neighbors.hpp>
#include <random>

namespace lanework {
namespace {

constexpr std::size_t kAtoms = 120;
constexpr NeighborOptions kOptions{.cutoff = 1.5, .first = true, .shifts = true, .vectors = true, .distances = true};
constexpr double kSkin = 0.4;

template <class T>
std::vector<T> random_atoms(std::size_t atoms, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(-0.3, 5.3);
    std::vector<T> x(3 * atoms);
    for (T& each : x) each = static_cast<T>(uniform(random));
    return x;
}

/// Atoms in a device's memory, and room for a list of them.
template <class T>
struct There {
    There(Device& device, std::vector<T> x, std::int64_t capacity, PeriodicBox of = default_box())
        : host(std::move(x)),
          box(of),
          positions(device, std::span<const T>(host)),
          boxes(device, std::span<const PeriodicBox>(&box, 1)),
          offsets(device, std::ssize(host) / 3 + 1),
          status(device, 1),
          first(device,
                std::span<const std::int32_t>(std::vector<std::int32_t>(static_cast<std::size_t>(capacity), 7))),
          indices(device, capacity),
          shifts(device, capacity),
          vectors(device, capacity),
          distances(device, capacity) {
        particles.positions = positions.data();
        particles.atoms = std::ssize(host) / 3;
        particles.boxes = boxes.data();
        list = {offsets.data(), status.data(), capacity,       first.data(),
                indices.data(), shifts.data(), vectors.data(), distances.data()};
    }
    static PeriodicBox default_box() { return {{{{5, 0, 0}, {1, 4.5, 0}, {0, -1, 6}}}, {true, false, true}}; }

    NeighborList<T> right(const NeighborOptions& options) const {
        return neighbors(Particles<T>{.positions = host, .boxes = {&box, 1}}, options, Team{1});
    }
    void expect_list(const NeighborOptions& options = kOptions) const {
        const NeighborList<T> expected = right(options);
        const auto pairs = static_cast<std::size_t>(expected.pairs());
        ASSERT_EQ(status.to_host()[0].pairs, pairs);
        ASSERT_LE(pairs, static_cast<std::size_t>(list.capacity));
        EXPECT_TRUE(std::ranges::equal(offsets.to_host(), expected.offsets));
        const auto begins_with = [&](const auto& found, const auto& wanted) {
            return std::ranges::equal(std::span(found).first(pairs), wanted);
        };
        EXPECT_TRUE(begins_with(first.to_host(), expected.first));
        EXPECT_TRUE(begins_with(indices.to_host(), expected.indices));
        EXPECT_TRUE(begins_with(shifts.to_host(), expected.shifts));
        EXPECT_TRUE(begins_with(vectors.to_host(), expected.vectors));
        EXPECT_TRUE(begins_with(distances.to_host(), expected.distances));
    }

    std::vector<T> host;
    PeriodicBox box;
    DeviceArray<T> positions;
    DeviceArray<PeriodicBox> boxes;
    DeviceArray<std::int64_t> offsets;
    DeviceArray<NeighborStatus> status;
    DeviceArray<std::int32_t> first, indices;
    DeviceArray<CellShift> shifts;
    DeviceArray<DistanceVector<T>> vectors;
    DeviceArray<T> distances;
    DeviceParticles<T> particles;
    DeviceNeighborList<T> list;
};

template <class Body>
void on_each_device(const Body& body) {
    for (const DeviceKind kind : {DeviceKind::simt, DeviceKind::cuda}) {
        if (availability(kind).count == 0) continue;
        SCOPED_TRACE(name_of(kind));
        body(*open_device(name_of(kind)));
    }
}

/// list(there): enqueues the list for its atoms, and says how often a wide one was built.
template <class T, class List>
void expect_lists_of_moving_atoms(There<T>& there, const NeighborOptions& options, std::uint64_t seed,
                                  const List& list) {
    SkinnedNeighbors<T> on_host(options, kSkin);
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> step(-0.05, 0.05);
    std::int64_t builds = 0;
    for (int k = 0; k < 20; ++k) {
        const std::int64_t built = list(there);
        ASSERT_TRUE(there.status.to_host()[0].ok());
        there.expect_list(options);
        builds += on_host.update(Particles<T>{.positions = there.host, .boxes = {&there.box, 1}}, Team{1}) ? 1 : 0;
        EXPECT_EQ(built, builds) << "after step " << k;
        for (T& x : there.host) x += static_cast<T>(step(random));
        there.positions.upload(there.host);
    }
    EXPECT_GT(builds, 1);
    EXPECT_LT(builds, 20);
}

template <class T>
void expect_lists_of_moving_atoms(Device& device, bool half) {
    NeighborOptions options = kOptions;
    options.half = half;
    There<T> there(device, random_atoms<T>(kAtoms, half ? 1 : 2), 10'000);
    DeviceSkinnedNeighbors<T> skinned(device, options, kSkin);
    expect_lists_of_moving_atoms(there, options, 3, [&](const There<T>& now) {
        const NeighborStatus status = skinned.count(now.particles, now.list, Stream::of(device));
        EXPECT_EQ(status.pairs, static_cast<std::uint64_t>(now.right(options).pairs()));
        skinned.enqueue_fill(now.particles, now.list, Stream::of(device));
        device.synchronize();
        return skinned.builds();
    });
}

TEST(SkinnedNeighborsOnDevices, AreTheListsOfTheirPositionsAndAreBuiltWhenTheProcessorBuildsThem) {
    on_each_device([](Device& device) {
        for (const bool half : {false, true}) {
            expect_lists_of_moving_atoms<float>(device, half);
            expect_lists_of_moving_atoms<double>(device, half);
        }
    });
}

TEST(SkinnedNeighborsOnDevices, AreBuiltForAnotherBoxAndForOtherAtoms) {
    on_each_device([](Device& device) {
        DeviceSkinnedNeighbors<double> skinned(device, kOptions, kSkin);
        const auto x = random_atoms<double>(kAtoms, 4);
        PeriodicBox wider = There<double>::default_box(), open = wider;
        wider.vectors[2][2] = 7;
        open.periodic[0] = false;
        There<double> there(device, x, 10'000), in_wider(device, x, 10'000, wider), in_open(device, x, 10'000, open),
            fewer(device, random_atoms<double>(kAtoms / 2, 5), 10'000), none(device, {}, 0);
        std::int64_t builds = 0;
        for (const There<double>* each : {&there, &in_wider, &in_open, &fewer, &none, &there}) {
            for (int again = 0; again < 2; ++again) {
                ASSERT_TRUE(skinned.count(each->particles, each->list, Stream::of(device)).ok());
                skinned.enqueue_fill(each->particles, each->list, Stream::of(device));
                each->expect_list();
            }
            EXPECT_EQ(skinned.builds(), ++builds);
        }
    });
}

TEST(SkinnedNeighborsOnDevices, SayWhatIsWrong) {
    on_each_device([](Device& device) {
        DeviceSkinnedNeighbors<float> skinned(device, {.cutoff = 1}, kSkin);
        There<float> there(device, random_atoms<float>(kAtoms, 6), 10);
        there.host[3 * 17] = std::numeric_limits<float>::quiet_NaN();
        there.positions.upload(there.host);
        EXPECT_EQ(skinned.count(there.particles, there.list, Stream::of(device)).bad_atom, 17);
        EXPECT_THROW(skinned.enqueue_fill(there.particles, there.list, Stream::of(device)), UsageError);
        EXPECT_THROW(DeviceSkinnedNeighbors<float>(device, {.cutoff = 1}, -1), UsageError);
        EXPECT_THROW(DeviceSkinnedNeighbors<float>(device, {.cutoff = 1, .nearest = 3}, 1), UsageError);
        there.host[3 * 17] = 0;
        there.positions.upload(there.host);
        DeviceSkinnedNeighbors<float> small(device, {.cutoff = 2, .memory_limit = 1000}, kSkin);
        EXPECT_THROW(small.count(there.particles, there.list, Stream::of(device)), NeighborMemoryError);
    });
}

template <class T>
void expect_captured_lists_of_moving_atoms(Device& device, bool half) {
    NeighborOptions options = kOptions;
    options.half = half;
    There<T> there(device, random_atoms<T>(kAtoms, half ? 11 : 12), 10'000);
    CapturableSkinnedNeighbors<T> skinned(device, options, kSkin, there.particles, 20'000);
    expect_lists_of_moving_atoms(there, options, 13, [&](const There<T>& now) {
        skinned.enqueue(now.particles, now.list, Stream::of(device));
        device.synchronize();
        return skinned.builds();
    });
}

TEST(CapturableSkinnedNeighbors, GivesTheListsOfItsPositionsAndIsBuiltWhenTheProcessorBuildsIts) {
    on_each_device([](Device& device) {
        for (const bool half : {false, true}) {
            expect_captured_lists_of_moving_atoms<float>(device, half);
            expect_captured_lists_of_moving_atoms<double>(device, half);
        }
    });
}

TEST(CapturableSkinnedNeighbors, IsBuiltForAnotherBoxAndAfterAtomsThatWereWrong) {
    on_each_device([](Device& device) {
        There<double> there(device, random_atoms<double>(kAtoms, 14), 10'000);
        CapturableSkinnedNeighbors<double> skinned(device, kOptions, kSkin, there.particles, 20'000);
        const auto list_for = [&](const PeriodicBox& box, double x) {
            there.box = box;
            there.boxes.upload({&box, 1});
            there.host[3 * 17] = x;
            there.positions.upload(there.host);
            skinned.enqueue(there.particles, there.list, Stream::of(device));
            device.synchronize();
            return there.status.to_host()[0];
        };
        const PeriodicBox box = There<double>::default_box();
        PeriodicBox open = box;
        open.periodic[0] = false;
        const double x = there.host[3 * 17], nan = std::numeric_limits<double>::quiet_NaN();
        for (const PeriodicBox& each : {box, box, open, open, box}) {
            ASSERT_TRUE(list_for(each, x).ok());
            there.expect_list();
        }
        EXPECT_EQ(skinned.builds(), 3);
        const NeighborStatus wrong = list_for(box, nan);
        EXPECT_EQ(wrong.bad_atom, 17);
        EXPECT_EQ(wrong.pairs, 0U);
        ASSERT_TRUE(list_for(box, x).ok());
        there.expect_list();
        EXPECT_EQ(skinned.builds(), 4);
        PeriodicBox flat = box;
        flat.vectors[2] = flat.vectors[0];
        EXPECT_EQ(list_for(flat, x).bad_system, 0);
    });
}

TEST(CapturableSkinnedNeighbors, WithoutRoomForItsWideListSaysHowMuchThatIs) {
    on_each_device([](Device& device) {
        There<float> there(device, random_atoms<float>(kAtoms, 15), 10);
        const auto wide = static_cast<std::uint64_t>(there.right({.cutoff = 1.5 + kSkin}).pairs());
        const auto room = static_cast<std::int64_t>(wide) - 1;
        CapturableSkinnedNeighbors<float> small(device, kOptions, kSkin, there.particles, room);
        small.enqueue(there.particles, there.list, Stream::of(device));
        device.synchronize();
        EXPECT_EQ(there.status.to_host()[0].pairs, wide);
        EXPECT_TRUE(there.status.to_host()[0].ok());
        EXPECT_EQ(there.first.to_host()[0], 7) << "nothing is written";
        EXPECT_EQ(small.builds(), 0);
        CapturableSkinnedNeighbors<float> enough(device, kOptions, kSkin, there.particles, room + 1);
        enough.enqueue(there.particles, there.list, Stream::of(device));
        device.synchronize();
        EXPECT_EQ(there.status.to_host()[0].pairs, static_cast<std::uint64_t>(there.right(kOptions).pairs()));
        EXPECT_EQ(enough.builds(), 1);
    });
}

TEST(CapturableSkinnedNeighbors, RefusesWhatItIsNotFor) {
    on_each_device([](Device& device) {
        There<float> there(device, random_atoms<float>(kAtoms, 16), 10), fewer(device, random_atoms<float>(3, 16), 10);
        CapturableSkinnedNeighbors<float> skinned(device, kOptions, kSkin, there.particles, 20);
        DeviceParticles<float> open = there.particles;
        open.boxes = nullptr;
        DeviceNeighborList<float> longer = there.list;
        longer.capacity = 21;
        const Stream stream = Stream::of(device);
        EXPECT_THROW(skinned.enqueue(fewer.particles, fewer.list, stream), UsageError);
        EXPECT_THROW(skinned.enqueue(open, there.list, stream), UsageError);
        EXPECT_THROW(skinned.enqueue(there.particles, longer, stream), UsageError);
        EXPECT_THROW(CapturableSkinnedNeighbors<float>(device, kOptions, kSkin, there.particles, -1), UsageError);
        EXPECT_THROW(
            CapturableSkinnedNeighbors<float>(device, {.cutoff = 1, .memory_limit = 9}, 1, there.particles, 20),
            NeighborMemoryError);
    });
}

/// Builds the list by its three calls, or by the one that does the same.
void build(Device& device, const There<float>& there, const NeighborOptions& options, bool at_once = false) {
    const std::size_t bytes = neighbor_workspace(there.particles);
    const DeviceMemory memory = device.allocate(bytes);
    device.fill(memory.data(), std::byte{0x7b}, bytes);
    const Workspace workspace{memory.data(), memory.bytes()};
    if (at_once) {
        enqueue_neighbors(there.particles, options, there.list, workspace, device);
    } else {
        enqueue_neighbor_count(there.particles, options, there.list, workspace, device);
        enqueue_neighbor_fill(there.particles, options, there.list, workspace, device);
        enqueue_neighbor_padding(there.list, device);
    }
    device.synchronize();
}

void expect_padding(const There<float>& there, std::size_t pairs) {
    const auto all_behind = [&](const auto& found, const auto& value) {
        return std::ranges::all_of(std::span(found).subspan(pairs), [&](const auto& x) { return x == value; });
    };
    EXPECT_TRUE(all_behind(there.first.to_host(), -1));
    EXPECT_TRUE(all_behind(there.indices.to_host(), -1));
    EXPECT_TRUE(all_behind(there.shifts.to_host(), CellShift{}));
    EXPECT_TRUE(all_behind(there.vectors.to_host(), DistanceVector<float>{}));
    EXPECT_TRUE(all_behind(there.distances.to_host(), 0.0F));
}

TEST(NeighborsOnDevices, OfMoreRoomThanPairsStandBeforeMinusOnesAndZeros) {
    NeighborOptions nearest = kOptions, long_lists = kOptions;
    nearest.nearest = 3;
    long_lists.cutoff = 5;  // none of these is kept by the count
    on_each_device([&](Device& device) {
        for (const bool at_once : {false, true})
            for (const NeighborOptions& options : {kOptions, nearest, long_lists}) {
                SCOPED_TRACE(
                    fmt::format("at once {}, cutoff {}, nearest {}", at_once, options.cutoff, options.nearest));
                const auto pairs = There<float>(device, random_atoms<float>(kAtoms, 7), 0).right(options).pairs();
                const There<float> there(device, random_atoms<float>(kAtoms, 7), pairs + 5'000);
                build(device, there, options, at_once);
                there.expect_list(options);
                expect_padding(there, static_cast<std::size_t>(pairs));
                const There<float> small(device, there.host, pairs - 1);
                build(device, small, options, at_once);
                expect_padding(small, 0);
            }
        const There<float> nobody(device, {}, 9);
        build(device, nobody, kOptions, true);
        expect_padding(nobody, 0);
    });
}

TEST(NeighborsOnDevices, TakeABoxThatTheHostKnows) {
    on_each_device([](Device& device) {
        for (const PeriodicBox& box :
             {There<float>::default_box(), PeriodicBox::orthorhombic(5, 6, 5), PeriodicBox::open()}) {
            There<float> there(device, random_atoms<float>(kAtoms, 8), 10'000, box);
            there.particles.boxes = nullptr;
            there.particles.box = box;
            build(device, there, kOptions, true);
            there.expect_list();
            DeviceSkinnedNeighbors<float> skinned(device, kOptions, kSkin);
            EXPECT_TRUE(skinned.count(there.particles, there.list, Stream::of(device)).ok());
            skinned.enqueue_fill(there.particles, there.list, Stream::of(device));
            there.expect_list();
            there.box.vectors[0][0] += 0.01;
            there.particles.box = there.box;
            EXPECT_TRUE(skinned.count(there.particles, there.list, Stream::of(device)).ok());
            skinned.enqueue_fill(there.particles, there.list, Stream::of(device));
            there.expect_list();
            EXPECT_EQ(skinned.builds(), 2) << "another box is another list";
        }
    });
}

TEST(NeighborsOnDevices, NoteTheFirstAtomOfATypeWithoutCutoffs) {
    on_each_device([](Device& device) {
        There<float> there(device, random_atoms<float>(kAtoms, 8), 10'000);
        std::vector<std::int32_t> types(kAtoms, 1);
        types[80] = 2, types[90] = -1;
        const std::vector<float> lengths = {1.2F, 1.4F, 1.4F, 0};
        const DeviceArray<std::int32_t> of_atoms(device, std::span<const std::int32_t>(types));
        const DeviceArray<float> cutoffs(device, std::span<const float>(lengths));
        there.particles.types = of_atoms.data();
        there.particles.pair_cutoffs = cutoffs.data();
        there.particles.type_count = 2;
        build(device, there, {.cutoff = 1.4});
        EXPECT_EQ(there.status.to_host()[0].bad_atom, 80);
        EXPECT_EQ(there.status.to_host()[0].pairs, 0U);
    });
}

TEST(NeighborsOnDevices, NoteABoxWhoseVectorsDoNotFit) {
    on_each_device([](Device& device) {
        for (const double length : {std::numeric_limits<double>::quiet_NaN(), 1e60, 1e-60, 0.0}) {
            PeriodicBox box = PeriodicBox::orthorhombic(5, 5, 5);
            box.vectors[0][0] = length;
            const There<float> there(device, random_atoms<float>(kAtoms, 8), 100, box);
            build(device, there, kOptions);
            EXPECT_EQ(there.status.to_host()[0].bad_system, 0) << length;
            EXPECT_EQ(there.status.to_host()[0].pairs, 0U) << length;
        }
    });
}

TEST(NeighborsOnDevices, AreRefusedWithoutTheMemoryThatTheyNeed) {
    on_each_device([](Device& device) {
        const There<float> there(device, random_atoms<float>(kAtoms, 9), 10);
        const std::size_t bytes = neighbor_workspace(there.particles);
        const DeviceMemory memory = device.allocate(bytes);
        const auto objection = [&](const DeviceParticles<float>& particles, const DeviceNeighborList<float>& list,
                                   const Workspace& workspace) -> std::string {
            try {
                enqueue_neighbor_count(particles, {.cutoff = 1}, list, workspace, device);
            } catch (const UsageError& error) {
                return error.what();
            }
            return "";
        };
        const Workspace enough{memory.data(), bytes};
        DeviceParticles<float> nowhere = there.particles;
        nowhere.positions = nullptr;
        DeviceNeighborList<float> odd = there.list, uncounted = there.list;
        odd.distances = reinterpret_cast<float*>(reinterpret_cast<std::byte*>(odd.distances) + 2);
        uncounted.status = nullptr;
        EXPECT_EQ(objection(there.particles, there.list, enough), "");
        EXPECT_EQ(objection(nowhere, there.list, enough), "neighbors: particles.positions has no address");
        EXPECT_EQ(objection(there.particles, odd, enough),
                  "neighbors: list.distances does not begin at a multiple of 4 bytes");
        EXPECT_EQ(objection(there.particles, uncounted, enough), "neighbors: list.status has no address");
        EXPECT_EQ(objection(there.particles, there.list, {memory.data() + 4, bytes}),
                  "neighbors: workspace does not begin at a multiple of 64 bytes");
        EXPECT_TRUE(
            objection(there.particles, there.list, {memory.data(), bytes - 1}).starts_with("the workspace has"));
        device.synchronize();
    });
}

}  // namespace
}  // namespace lanework
